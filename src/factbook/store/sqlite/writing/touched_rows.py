"""What of a space an erasure may touch: rows by their indexes, words and ids by a quick look over
the raw text.

Everything that the `Eraser` would alter or take away is among what is found here, and what it must
know to decide; what is found besides stays as it is. So nothing but the rows concerned is decoded,
whatever the size of the space.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from factbook.model.change import Commit
from factbook.model.episode import StoredMessage
from factbook.model.line import LINE_KINDS
from factbook.model.named_observation import beside
from factbook.model.record import (
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Mention,
    Note,
    NotSame,
    Observation,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.ports.store import Erasure
from factbook.store.erase import Eraser
from factbook.store.sqlite.reading.record_snapshot import RecordSnapshot
from factbook.store.sqlite.row_codecs import TABLES, pack_json
from factbook.store.sqlite.writing.log_table import LOG_COLUMNS, read_log
from factbook.text.name_masks import Mask

_GIVEN = "SELECT value FROM json_each(?)"
_FEW = 64
"""So many ids are looked for one by one; more of them among all the ids of a text."""
_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"')
"""Each string of a JSON text: all of it is matched, so that no quote is taken for one that it is
not.
"""
_SOURCED: tuple[type[Record], ...] = (
    EntityRecord,
    Alias,
    Fact,
    Relation,
    Support,
    Note,
    Observation,
)
_TEXTS: dict[type[Record], tuple[str, ...]] = {
    EntityRecord: ("name", "label", "description", "metadata", "source_speaker", "source_quote"),
    Alias: ("name", "source_speaker", "source_quote"),
    Mention: ("text",),
    Fact: ("attribute", "value", "source_speaker", "source_quote"),
    Relation: ("label", "note", "source_speaker", "source_quote"),
    Support: ("note", "label", "source_speaker", "source_quote"),
    Note: ("text", "category", "metadata", "source_speaker", "source_quote"),
    Observation: (
        "text",
        "name",
        "label",
        "description",
        "metadata",
        "source_speaker",
        "source_quote",
    ),
    SameAs: ("evidence",),
    NotSame: ("reason",),
    Review: ("evidence",),
}
"""Columns that may hold what people said; a test compares them with what the `Eraser` masks."""
_ENDS: dict[type[Record], tuple[str, ...]] = {
    EntityRecord: ("id",),
    Observation: ("id",),
    Alias: ("entity_id",),
    Mention: ("entity_id",),
    Fact: ("entity_id",),
    Relation: ("from_id", "to_id"),
    SameAs: ("entity_id", "canonical_id"),
    NotSame: ("left_id", "right_id"),
    Review: ("left_id", "right_id"),
}


class Touched:
    """Finds it, once; what it found is held in memory.

    Attributes:
        eraser: made of what was found. records: by type. messages, log: each in order.
    """

    def __init__(
        self, con: sqlite3.Connection, space_no: int, space: str, erasure: Erasure
    ) -> None:
        self._con = con
        self._space_no = space_no
        self._space = space
        self._erasure = erasure
        self._reader = RecordSnapshot(con, {space: space_no})
        self._mask = Mask(erasure.mask, erasure.replacement, proper=erasure.proper)
        self._masks = bool(erasure.mask or erasure.proper)
        self._said_in = {*erasure.message_ids, *erasure.silenced, *erasure.cut}
        if self._masks:
            con.create_function("factbook_holds", 1, self._holds, deterministic=True)
        self._ids: dict[type[Record], set[str]] = {cls: set() for cls in TABLES}
        self.messages = self._messages()
        self._rows()
        self.records: dict[type[Record], list[Record]] = {}
        self.log: list[Commit] = []
        self.eraser = self._settled()

    def _holds(self, text: str | None) -> bool:
        return text is not None and self._mask.may_hold(text)

    # --- what was said ----------------------------------------------------------------------------

    def _messages(self) -> list[StoredMessage]:
        ids = set(self._said_in)
        if self._masks:
            found = self._con.execute(
                "SELECT id FROM messages WHERE line_no > ? AND line_no < ?"
                " AND factbook_holds(text || char(10) || speaker)",
                (self._space_no << 32, (self._space_no + 1) << 32),
            )
            ids.update(each for (each,) in found)
        return sorted(
            self._reader.messages(self._space, sorted(ids)).values(), key=lambda each: each.id
        )

    # --- rows -------------------------------------------------------------------------------------

    def _rows(self) -> None:
        entities = set(self._erasure.entity_ids)
        for cls in (*_SOURCED, Mention):
            self._ids[cls] |= self._said(cls)
        # Whether such an entity goes too depends on all that is left of it, and what is left of its
        # names.
        self._add_about(
            entities | self._ids[EntityRecord] | self._entities_of(Alias, self._ids[Alias])
        )
        self._add_about(self._present(Observation, self._erasure.record_ids))
        for cls in (Fact, Relation, Note, Observation, Alias, Support):
            self._ids[cls] |= self._present(cls, self._erasure.record_ids)
        for cls in (Note, EntityRecord, Observation):
            self._ids[cls] |= self._present(cls, self._erasure.cut)
        if self._masks or self._said_in:
            self._ids[Mention] |= self._select(
                Mention,
                f"message_id IN ({_GIVEN}) AND episode_id IN ({_GIVEN})",
                *self._masked_places(),
            )
        if self._masks:
            for cls in _TEXTS:
                self._ids[cls] |= self._worded(cls)
        self._add_supports(self._ids[Fact] | self._ids[Relation])
        self._ids[EntityType] = self._select(EntityType, "1")

    def _add_about(self, entities: Iterable[str]) -> None:
        wanted = set(entities)
        wanted |= self._observations(wanted)
        for cls in _ENDS:
            self._ids[cls] |= self._about(cls, wanted)
        self._ids[Note] |= self._notes(wanted)
        self._ids[Observation] |= self._observations(wanted)

    def _add_supports(self, records: Iterable[str]) -> None:
        self._ids[Support] |= self._select(
            Support, f"record_id IN ({_GIVEN})", pack_json(sorted(records))
        )

    def _select(self, cls: type[Record], where: str, *values: object) -> set[str]:
        found = self._con.execute(
            f"SELECT id FROM {TABLES[cls]} WHERE space_no = ? AND {where}",
            (self._space_no, *values),
        )
        return {row_id for (row_id,) in found}

    def _present(self, cls: type[Record], ids: Iterable[str]) -> set[str]:
        return self._select(cls, f"id IN ({_GIVEN})", pack_json(list(ids)))

    def _said(self, cls: type[Record]) -> set[str]:
        if not self._said_in:
            return set()
        said = pack_json(sorted(self._said_in))
        if cls is Mention:
            episodes = pack_json(sorted({message.episode_id for message in self.messages}))
            return self._select(
                cls, f"episode_id IN ({_GIVEN}) AND message_id IN ({_GIVEN})", episodes, said
            )
        return self._select(cls, f"source_message_id IN ({_GIVEN})", said)

    def _about(self, cls: type[Record], entities: Iterable[str]) -> set[str]:
        given = pack_json(sorted(entities))
        out: set[str] = set()
        for column in _ENDS[cls]:
            out |= self._select(cls, f"{column} IN ({_GIVEN})", given)
        return out

    def _entities_of(self, cls: type[Record], ids: Iterable[str]) -> set[str]:
        found = self._con.execute(
            f"SELECT entity_id FROM {TABLES[cls]} WHERE space_no = ? AND id IN ({_GIVEN})",
            (self._space_no, pack_json(sorted(ids))),
        )
        return {entity_id for (entity_id,) in found}

    def _notes(self, entities: Iterable[str]) -> set[str]:
        found = self._con.execute(
            "SELECT l.id FROM line_entities e CROSS JOIN lines l ON l.line_no = e.line_no"
            f" WHERE e.space_no = ? AND e.entity_id IN ({_GIVEN}) AND l.kind = "
            f"{LINE_KINDS.index('note')}",
            (self._space_no, pack_json(sorted(entities))),
        )
        return {note_id for (note_id,) in found}

    def _observations(self, entities: Iterable[str]) -> set[str]:
        found = self._con.execute(
            "SELECT o.id FROM observation_entities e JOIN observations o ON o.no = e.observation_no"
            f" WHERE e.space_no = ? AND e.entity_id IN ({_GIVEN})",
            (self._space_no, pack_json(sorted(entities))),
        )
        return {row_id for (row_id,) in found}

    def _worded(self, cls: type[Record]) -> set[str]:
        text = " || char(10) || ".join(f"coalesce({column}, '')" for column in _TEXTS[cls])
        return self._select(cls, f"factbook_holds({text})")

    def _masked_places(self) -> tuple[str, str]:
        """Messages that hold a name, and their episodes: mentions of others in them move."""
        ids = sorted({message.id for message in self.messages})
        return pack_json(ids), pack_json(sorted({message.episode_id for message in self.messages}))

    # --- the log ----------------------------------------------------------------------------------

    def _settled(self) -> Eraser:
        """The eraser, made again as long as what it takes away stands in more rows or entries of
        the log.
        """
        erasure = self._erasure
        wanted: set[str] = set()
        fresh = {*erasure.entity_ids, *self._said_in, *erasure.record_ids}
        fresh |= {message.id for message in self.messages}  # mentions in them move
        fresh.update(*self._ids.values())
        versions: set[int] = set()
        while True:
            new = self._versions(fresh, words=self._masks and not wanted) - versions
            wanted |= fresh
            versions |= new
            self.log = list(self._entries(sorted(versions))) if new else self.log
            named = self._named_before()
            self._add_about(named)
            self._add_supports(self._ids[Fact] | self._ids[Relation])
            self._read()
            eraser = Eraser(erasure, self._held(), self.messages, self.log)
            self._add_supports(eraser.gone)
            fresh = (named | set(eraser.gone)).union(*self._ids.values()) - wanted
            if not fresh:
                return eraser

    def _read(self) -> None:
        for cls, ids in self._ids.items():
            self.records[cls] = list(self._reader.get(self._space, cls, sorted(ids)).values())

    def _held(self) -> list[Record]:
        return [row for rows in self.records.values() for row in rows]

    def _named_before(self) -> set[str]:
        """Entities that an entry of the log says to come, or to be named so, from a message that
        goes.
        """
        said = self._said_in
        found: set[str] = set()
        for entry in self.log if said else ():
            for change in entry.changes:
                for row in (change.before, change.after):
                    entity = row if isinstance(row, EntityRecord) else beside(row)
                    if entity is not None and entity.source.message_id in said:
                        found.add(entity.id)
                    elif isinstance(row, Alias) and row.source.message_id in said:
                        found.add(row.entity_id)
        return found

    def _versions(self, ids: set[str], *, words: bool) -> set[int]:
        """Numbers of the entries that hold one of the ids, or one of the names."""
        named = _finder(ids)
        holds: Callable[[str], bool] = (
            (lambda text: self._mask.may_hold(text) or named(text)) if words else named
        )
        self._con.create_function("factbook_touches", 1, holds, deterministic=True)
        low, high = self._space_no << 32, (self._space_no + 1) << 32
        found = self._con.execute(
            "SELECT no FROM log WHERE no > ? AND no < ? AND factbook_touches(changes || char(10) "
            "|| reason)",
            (low, high),
        )
        return {no for (no,) in found}

    def _entries(self, numbers: Iterable[int]) -> Iterator[Commit]:
        for no in numbers:
            row: tuple[Any, ...] = self._con.execute(
                f"SELECT {LOG_COLUMNS} FROM log WHERE no = ?", (no,)
            ).fetchone()
            yield read_log(row)


def _finder(ids: set[str]) -> Callable[[str], bool]:
    """Tells whether a log entry's JSON holds one of the ids."""
    quoted = {pack_json(each) for each in ids}
    if len(quoted) <= _FEW:
        return lambda text: any(each in text for each in quoted)
    written = {each[1:-1] for each in quoted}
    return lambda text: not written.isdisjoint(_STRING.findall(text))


def looked_at(cls: type[Record]) -> tuple[str, ...]:
    """The columns of a type that are looked at for words."""
    return _TEXTS.get(cls, ())
