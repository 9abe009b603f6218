"""The two doors: what was said goes in by `remember`, what is known by `Committer`; each within one
transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

from factbook.errors import StaleWriteError, StoreError
from factbook.model.change import Change, Commit, Stamp
from factbook.model.episode import NewEpisode, NewMessage, Remembered, StoredMessage
from factbook.model.line import LineKind
from factbook.model.named_observation import beside
from factbook.model.record import (
    Alias,
    EntityRecord,
    Fact,
    Mention,
    Note,
    Observation,
    Record,
    Relation,
    SameAs,
)
from factbook.store.derive import derive_message_line, derive_record_line
from factbook.store.sqlite.reading import entity_listing
from factbook.store.sqlite.row_codecs import GIVEN, codec_of, pack_json, to_micros
from factbook.store.sqlite.words import name_index
from factbook.store.sqlite.words.line_writer import LineWriter, take_numbers
from factbook.store.sqlite.writing import job_table as jobs_table
from factbook.store.sqlite.writing.log_table import read_version, write_log

_STALE = "a row is not what the change expects; read again and plan anew"
_LINE_KINDS: dict[type[Record], LineKind] = {
    Fact: "fact",
    Relation: "relation",
    Note: "note",
    EntityRecord: "entity",
    Observation: "observation",
}


def space_number(con: sqlite3.Connection, space: str) -> int:
    """The number of a space, made where there is none."""
    row = con.execute("SELECT no FROM spaces WHERE name = ?", (space,)).fetchone()
    if row is None:
        row = con.execute("INSERT INTO spaces (name) VALUES (?) RETURNING no", (space,)).fetchall()[
            0
        ]
    return int(row[0])


# --- the first door -------------------------------------------------------------------------------


def store_episodes(
    con: sqlite3.Connection,
    space_no: int,
    episodes: Sequence[NewEpisode],
    *,
    jobs: bool,
    dead: Collection[str] = frozenset(),
) -> Remembered:
    """Stores what is new, but for the messages of these ids."""
    lines = LineWriter(con, space_no)
    stored: list[NewEpisode] = []
    count = offered = 0
    for episode in episodes:
        offered += len(episode.messages)
        fresh = _fresh(con, lines.session_no(episode.session), episode, dead)
        if fresh:
            _store(con, space_no, lines, episode, fresh)
            stored.append(episode)
            count += len(fresh)
    lines.flush()
    if jobs:
        jobs_table.add_jobs(
            con, [(space_no, episode.id, to_micros(episode.created_at)) for episode in stored]
        )
    return Remembered(
        episode_ids=tuple(episode.id for episode in stored),
        stored=count,
        duplicates=offered - count - len(dead),
        held_back=len(dead),
    )


def is_known(con: sqlite3.Connection, space_no: int, session: str, message: NewMessage) -> bool:
    """Whether the session has that message already."""
    found = con.execute(
        "SELECT 1 FROM messages m JOIN sessions s ON s.no = m.session_no WHERE s.space_no = ? AND "
        "s.name = ? AND m.key = ?",
        (space_no, session, message.key),
    )
    return found.fetchone() is not None


def _fresh(
    con: sqlite3.Connection, session_no: int, episode: NewEpisode, dead: Collection[str]
) -> list[NewMessage]:
    fresh: dict[str, NewMessage] = {}
    for message in episode.messages:
        known = con.execute(
            "SELECT 1 FROM messages WHERE session_no = ? AND key = ?", (session_no, message.key)
        ).fetchone()
        if known is None and message.id not in dead:
            fresh.setdefault(message.key, message)
    return list(fresh.values())


def _store(
    con: sqlite3.Connection,
    space_no: int,
    lines: LineWriter,
    episode: NewEpisode,
    fresh: Sequence[NewMessage],
) -> None:
    session_no = lines.session_no(episode.session)
    first = take_numbers(con, space_no, len(fresh) + 1)
    (position,) = con.execute(
        "UPDATE sessions SET next_position = next_position + ? WHERE no = ? RETURNING "
        "next_position",
        (len(fresh), session_no),
    ).fetchall()[0]
    position -= len(fresh)
    try:
        con.execute(
            "INSERT INTO episodes (no, space_no, id, session_no, project, created_at, messages)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                first,
                space_no,
                episode.id,
                session_no,
                episode.project,
                to_micros(episode.created_at),
                len(fresh),
            ),
        )
    except sqlite3.IntegrityError:
        raise StoreError("an episode of that id is there already") from None
    linked = _linked(con, space_no, episode.id)
    for place, message in enumerate(fresh):
        stored = _stored(episode, message, position + place)
        con.execute(
            "INSERT INTO messages (line_no, episode_no, session_no, position, id, role, speaker, "
            "at, text, host_id, key)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                first + 1 + place,
                first,
                session_no,
                stored.position,
                stored.id,
                stored.role,
                stored.speaker,
                to_micros(stored.at),
                stored.text,
                stored.host_id,
                stored.key,
            ),
        )
        lines.add(first + 1 + place, derive_message_line(stored, linked.get(stored.id, ())))
    try:
        lines.write_rows()
    except sqlite3.IntegrityError:
        raise StoreError("a message of that id is there already, with another key") from None


def _stored(episode: NewEpisode, message: NewMessage, position: int) -> StoredMessage:
    return StoredMessage(
        id=message.id,
        episode_id=episode.id,
        session=episode.session,
        project=episode.project,
        position=position,
        role=message.role,
        speaker=message.speaker,
        at=message.at,
        text=message.text,
        host_id=message.host_id,
        key=message.key,
    )


def _linked(con: sqlite3.Connection, space_no: int, episode_id: str) -> dict[str, list[str]]:
    """Mentions in an episode that were there before it, as after an import of the log."""
    out: dict[str, list[str]] = {}
    for message_id, entity_id in con.execute(
        "SELECT message_id, entity_id FROM mentions WHERE space_no = ? AND episode_id = ?",
        (space_no, episode_id),
    ):
        out.setdefault(message_id, []).append(entity_id)
    return out


# --- the second door ------------------------------------------------------------------------------


def write_changes(
    con: sqlite3.Connection,
    space_no: int,
    changes: Sequence[Change],
    stamp: Stamp,
    *,
    erased: bool = False,
) -> int:
    """Applies the changes, writes their log entry and returns its version; without changes nothing
    is written, unless `erased` says that they were taken out.
    """
    if not (changes or erased):
        return read_version(con, space_no)
    rows = RowWriter(con, space_no)
    for change in changes:
        rows.apply(change)
    rows.derive()
    number = read_version(con, space_no) + 1
    write_log(
        con, space_no, Commit(version=number, stamp=stamp, changes=tuple(changes), erased=erased)
    )
    return number


class RowWriter:
    """Applies changes to the rows of one space, and derives what rests on them; `derive` last."""

    def __init__(self, con: sqlite3.Connection, space_no: int) -> None:
        self._con = con
        self._space_no = space_no
        self._before: dict[tuple[type[Record], str], Record | None] = {}
        self._now: dict[tuple[type[Record], str], Record | None] = {}
        self.lines = LineWriter(con, space_no)

    def apply(self, change: Change) -> None:
        """Applies a change, and what follows for the entity beside a named observation.

        Raises:
            StaleWriteError: the row is not what the change expects.
        """
        self._apply(change)
        if beside(change.before) is None and beside(change.after) is None:
            return
        held, after = self._read((EntityRecord, change.row_key()[1])), beside(change.after)
        if held != after:
            self._apply(Change(before=held, after=after))

    def _apply(self, change: Change) -> None:
        key = change.row_key()
        before, after = change.before, change.after
        if before is not None:
            if self._read(key) != before:
                raise StaleWriteError(_STALE)
            if isinstance(before, EntityRecord | Alias):
                name_index.leave_name(self._con, self._space_no, before)
        self._write(before, after)
        if isinstance(after, EntityRecord | Alias):
            name_index.enter_name(self._con, self._space_no, after)
        self._before.setdefault(key, before)
        self._now[key] = after

    def derive(self) -> None:
        """Brings lines, links and canonical ids in line with the rows."""
        mentioned: dict[tuple[str, str], None] = {}
        renamed: dict[str, None] = {}
        linked: dict[str, None] = {}
        seen: dict[str, None] = {}
        for key, now in self._now.items():
            before = self._before[key]
            for row in (before, now):
                match row:
                    case Mention():
                        mentioned[row.episode_id, row.message_id] = None
                        seen[row.entity_id] = None
                    case Alias():
                        renamed[row.entity_id] = None
                    case SameAs():
                        linked[row.entity_id] = None
                        seen.update({row.entity_id: None, row.canonical_id: None})
                    case EntityRecord():
                        seen[row.id] = None
                    case _:
                        pass
            if key[0] in _LINE_KINDS:
                self._derive_line(key, before, now)
        for entity_id in renamed:
            self._derive_alias(entity_id)
        for episode_id, message_id in mentioned:
            self._derive_mentions(episode_id, message_id)
        name_index.resolve_names(self._con, self._space_no, linked)
        entity_listing.refresh_listing(self._con, self._space_no, seen)
        self.lines.flush()

    def _read(self, key: tuple[type[Record], str]) -> Record | None:
        if key in self._now:
            return self._now[key]
        rows = codec_of(key[0])
        row = self._con.execute(rows.select, (self._space_no, key[1])).fetchone()
        return None if row is None else rows.record(row)

    def _write(self, before: Record | None, after: Record | None) -> None:
        row = after if after is not None else before
        assert row is not None
        rows = codec_of(type(row))
        if isinstance(before, Observation):
            self._leave_about(before)
        if after is None:
            self._con.execute(rows.delete, (self._space_no, row.id))
        elif before is None:
            try:
                self._con.execute(rows.insert, (self._space_no, *rows.values(after)))
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorname != "SQLITE_CONSTRAINT_UNIQUE":
                    raise
                raise StaleWriteError(_STALE) from None
        else:
            self._con.execute(rows.update, (*rows.values(after), self._space_no, row.id))
        if isinstance(after, Observation):
            self._enter_about(after)

    def _leave_about(self, row: Observation) -> None:
        self._con.execute(
            "DELETE FROM observation_entities WHERE space_no = ?1"
            f" AND entity_id IN ({GIVEN.replace('?', '?2')}) AND observation_no ="
            " (SELECT no FROM observations WHERE space_no = ?1 AND id = ?3)",
            (self._space_no, pack_json(row.entity_ids), row.id),
        )

    def _enter_about(self, row: Observation) -> None:
        """Enters whom it is about; each once."""
        self._con.executemany(
            "INSERT INTO observation_entities (space_no, entity_id, importance, observation_no)"
            " SELECT space_no, ?, importance, no FROM observations WHERE space_no = ? AND id = ?",
            [(each, self._space_no, row.id) for each in dict.fromkeys(row.entity_ids)],
        )

    def _derive_line(
        self, key: tuple[type[Record], str], before: Record | None, now: Record | None
    ) -> None:
        aliases = self._aliases(now.id) if isinstance(now, EntityRecord) else ()
        line = derive_record_line(now, aliases) if now is not None else None
        old = derive_record_line(before) if before is not None else None
        if line is None:
            if old is not None:
                self.lines.drop(_LINE_KINDS[key[0]], key[1])
        elif old is None:
            self.lines.add(take_numbers(self._con, self._space_no, 1), line)
        else:
            self.lines.put(line, old.embed)

    def _derive_alias(self, entity_id: str) -> None:
        key: tuple[type[Record], str] = (EntityRecord, entity_id)
        if key not in self._now and (entity := self._read(key)) is not None:
            line = derive_record_line(entity, self._aliases(entity_id))
            assert line is not None
            self.lines.put(line)

    def _aliases(self, entity_id: str) -> list[Alias]:
        rows = codec_of(Alias)
        found = self._con.execute(
            f"SELECT {rows.columns} FROM aliases WHERE space_no = ? AND entity_id = ?",
            (self._space_no, entity_id),
        )
        return [rows.record(row) for row in found]

    def _derive_mentions(self, episode_id: str, message_id: str) -> None:
        found = self._con.execute(
            "SELECT entity_id FROM mentions WHERE space_no = ? AND episode_id = ? AND message_id "
            "= ?",
            (self._space_no, episode_id, message_id),
        )
        self.lines.relink(message_id, sorted({each for (each,) in found}))
