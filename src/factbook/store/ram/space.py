"""One space's rows and what is derived from them. A writer works on a copy, readers keep theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TypeVar, cast

from factbook.errors import StaleWriteError, StoreError
from factbook.model.canonical_ids import canonical_map
from factbook.model.change import Change, Commit
from factbook.model.episode import Episode, NewEpisode, StoredMessage
from factbook.model.job import Job
from factbook.model.line import Line, LineKind
from factbook.model.named_observation import beside
from factbook.model.record import (
    RECORD_TYPES,
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
from factbook.text.names import name_keys, name_words, slip_forms

R = TypeVar("R", bound=Record)
LineKey = tuple[LineKind, str]

LINE_KINDS_OF: Mapping[type[Record], LineKind] = {
    Fact: "fact",
    Relation: "relation",
    Note: "note",
    EntityRecord: "entity",
    Observation: "observation",
}
"""The row types that have lines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldLine:
    """A line with its number, its session's number and its words counted."""

    no: int
    session_no: int
    line: Line
    counts: Counter[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class JobRow:
    """A job with its place in the queue, and the lease on it (`until` by the store's clock)."""

    job: Job
    order: int
    token: str = ""
    until: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Naming:
    """A name that an entity bears, by its own row or an alias's."""

    row_id: str
    entity_id: str
    name: str
    primary: bool
    created_at: datetime


def _tables() -> dict[type[Record], dict[str, Record]]:
    return {cls: {} for cls in RECORD_TYPES}


@dataclass(kw_only=True, slots=True)
class Space:
    """All of one space. `next_line` and `next_session` give numbers that are unique in the
    store.
    """

    next_line: Callable[[], int]
    next_session: Callable[[], int]
    version: int = 0
    tables: dict[type[Record], dict[str, Record]] = field(default_factory=_tables)
    log: list[Commit] = field(default_factory=list[Commit])
    episodes: dict[str, Episode] = field(default_factory=dict[str, Episode])
    messages: dict[str, StoredMessage] = field(default_factory=dict[str, StoredMessage])
    keys: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    tombstones: dict[bytes, tuple[int, int]] = field(default_factory=dict[bytes, tuple[int, int]])
    positions: dict[str, int] = field(default_factory=dict[str, int])
    jobs: dict[str, JobRow] = field(default_factory=dict[str, JobRow])
    lines: dict[LineKey, HeldLine] = field(default_factory=dict[LineKey, HeldLine])
    by_number: dict[int, HeldLine] = field(default_factory=dict[int, HeldLine])
    session_numbers: dict[str, int] = field(default_factory=dict[str, int])
    vectors: dict[str, tuple[str, bytes]] = field(default_factory=dict[str, tuple[str, bytes]])
    canonical: dict[str, str] = field(default_factory=dict[str, str])
    names: dict[str, frozenset[Naming]] = field(default_factory=dict[str, frozenset[Naming]])
    spelt: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    aliases: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    mentions: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def copy(self) -> Space:
        """A copy whose containers are its own; what lies in them is frozen."""
        new = Space(next_line=self.next_line, next_session=self.next_session)
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, dict | list | set):
                value = cast("dict[object, object]", value).copy()
            setattr(new, each.name, value)
        new.tables = {cls: rows.copy() for cls, rows in self.tables.items()}
        return new

    def table(self, cls: type[R]) -> dict[str, R]:
        """The rows of one type, by id."""
        return cast("dict[str, R]", self.tables[cast("type[Record]", cls)])

    def holds_anything(self) -> bool:
        """Whether there is a message, a row or a job."""
        return bool(self.messages or self.jobs or any(self.tables.values()))

    # --- the first door ---------------------------------------------------------------------------

    def add_episode(self, new: NewEpisode, dead: Collection[str]) -> int:
        """Stores what is new of an episode, but for messages of these ids, and returns how many
        messages that was.
        """
        fresh: list[StoredMessage] = []
        for message in new.messages:
            if (new.session, message.key) in self.keys or message.id in dead:
                continue
            if message.id in self.messages:
                raise StoreError("a message of that id is there already, with another key")
            position = self.positions.get(new.session, 0)
            self.positions[new.session] = position + 1
            self.keys.add((new.session, message.key))
            stored = StoredMessage(
                id=message.id,
                episode_id=new.id,
                session=new.session,
                project=new.project,
                position=position,
                role=message.role,
                speaker=message.speaker,
                at=message.at,
                text=message.text,
                host_id=message.host_id,
                key=message.key,
            )
            self.messages[stored.id] = stored
            self.derive_message(stored.id)
            fresh.append(stored)
        if fresh and new.id in self.episodes:
            raise StoreError("an episode of that id is there already")
        if fresh:
            self.episodes[new.id] = Episode(
                id=new.id,
                session=new.session,
                project=new.project,
                created_at=new.created_at,
                messages=tuple(fresh),
            )
        return len(fresh)

    # --- the second door --------------------------------------------------------------------------

    def apply(self, changes: Iterable[Change]) -> None:
        """Applies changes in order and derives anew what rests on the rows touched.

        Raises:
            StaleWriteError: a `before` is not what is there. StoreError: a change or the result is
                not well formed.
        """
        touched: list[Record] = []
        for change in changes:
            cls, row_id = change.row_key()
            table = self.tables[cls]
            if table.get(row_id) != change.before:
                raise StaleWriteError(
                    "a row is not what the change expects; read again and plan anew"
                )
            touched += self._put(cls, row_id, change.after)
            if beside(change.before) is not None or beside(change.after) is not None:
                touched += self._put(EntityRecord, row_id, beside(change.after))
        self._derive(touched)

    def _put(self, cls: type[Record], row_id: str, row: Record | None) -> list[Record]:
        """Puts a row in the place of the one of its id, if there is one; returns both."""
        old = self.tables[cls].pop(row_id, None)
        if old is not None:
            self._unname(old)
        if row is not None:
            self.tables[cls][row_id] = row
            self._name(row)
        return [each for each in (old, row) if each is not None]

    def _derive(self, touched: Iterable[Record]) -> None:
        messages: dict[str, None] = {}
        lines: dict[tuple[type[Record], str], None] = {}
        links = False
        for row in touched:
            match row:
                case Mention():
                    messages[row.message_id] = None
                case Alias():
                    lines[EntityRecord, row.entity_id] = None
                case SameAs():
                    links = True
                case EntityRecord() | Fact() | Relation() | Note() | Observation():
                    lines[type(row), row.id] = None
                case _:
                    pass
        for message_id in messages:
            self.derive_message(message_id)
        for cls, row_id in lines:
            self._derive_row(cls, row_id)
        if links:
            self.canonical = canonical_map(self.table(SameAs).values())

    def derive_all(self) -> None:
        """Derives everything anew from rows and messages; lines keep their numbers, and vectors
        their lines.
        """
        for observation in self.table(Observation).values():
            if (entity := beside(observation)) is not None:
                self.table(EntityRecord)[entity.id] = entity
        self.names, self.spelt, self.aliases, self.mentions = {}, {}, {}, {}
        for rows in self.tables.values():
            for row in rows.values():
                self._name(row)
        there = {("message", message_id) for message_id in self.messages}
        there |= {
            (kind, row_id) for cls, kind in LINE_KINDS_OF.items() for row_id in self.tables[cls]
        }
        for kind, line_id in set(self.lines) - there:
            self._drop_line(kind, line_id)
        self._derive(row for rows in self.tables.values() for row in rows.values())
        for message_id in self.messages:
            self.derive_message(message_id)
        self.canonical = canonical_map(self.table(SameAs).values())

    def derive_message(self, message_id: str) -> None:
        """A message's line anew, if the message is there."""
        if message := self.messages.get(message_id):
            rows = self.table(Mention)
            ids = [rows[row_id].entity_id for row_id in self.mentions.get(message_id, ())]
            self._set_line(derive_message_line(message, ids))

    def _derive_row(self, cls: type[Record], row_id: str) -> None:
        row = self.tables[cls].get(row_id)
        aliases = self.table(Alias)
        named = [aliases[alias_id] for alias_id in self.aliases.get(row_id, ())]
        line = derive_record_line(row, named) if row is not None else None
        if line is None:
            self._drop_line(LINE_KINDS_OF[cls], row_id)
        else:
            self._set_line(line)

    def _set_line(self, line: Line) -> None:
        """Puts a line in place of the one it had, under the same number; a vector of another text
        goes.
        """
        old = self.lines.get((line.kind, line.id))
        if old is not None and old.line.embed != line.embed:
            self.vectors.pop(line.id, None)
        held = HeldLine(
            no=old.no if old else self.next_line(),
            session_no=self._session_number(line.session),
            line=line,
            counts=Counter(line.words),
        )
        self.lines[line.kind, line.id] = self.by_number[held.no] = held

    def _drop_line(self, kind: LineKind, line_id: str) -> None:
        if held := self.lines.pop((kind, line_id), None):
            del self.by_number[held.no]
            self.vectors.pop(line_id, None)

    def _session_number(self, session: str | None) -> int:
        if session is None:
            return -1
        if session not in self.session_numbers:
            self.session_numbers[session] = self.next_session()
        return self.session_numbers[session]

    # --- names, aliases and mentions by whom they belong to ---------------------------------------

    def _name(self, row: Record) -> None:
        if isinstance(row, Mention):
            self.mentions[row.message_id] = self.mentions.get(row.message_id, frozenset()) | {
                row.id
            }
        elif isinstance(row, EntityRecord | Alias):
            if isinstance(row, Alias):
                self.aliases[row.entity_id] = self.aliases.get(row.entity_id, frozenset()) | {
                    row.id
                }
            naming = _naming(row)
            for word, slip in self._new_slips(row.name):
                self.spelt[slip] = self.spelt.get(slip, frozenset()) | {word}
            for key in name_keys(row.name):
                self.names[key] = self.names.get(key, frozenset()) | {naming}

    def _unname(self, row: Record) -> None:
        if isinstance(row, Mention):
            self.mentions[row.message_id] -= {row.id}
        elif isinstance(row, EntityRecord | Alias):
            if isinstance(row, Alias):
                self.aliases[row.entity_id] -= {row.id}
            naming = _naming(row)
            for key in name_keys(row.name):
                self.names[key] -= {naming}
            for word, slip in self._new_slips(row.name):
                self.spelt[slip] = self.spelt.get(slip, frozenset()) - {word}

    def _new_slips(self, name: str) -> list[tuple[str, str]]:
        """The name's words that no name has (by now), each with its slips."""
        return [
            (word, slip)
            for word in name_words(name)
            if not self.names.get(f"t:{word}")
            for slip in slip_forms(word)
        ]


def _naming(row: EntityRecord | Alias) -> Naming:
    primary = isinstance(row, EntityRecord)
    return Naming(
        row_id=row.id,
        entity_id=row.id if isinstance(row, EntityRecord) else row.entity_id,
        name=row.name,
        primary=primary,
        created_at=row.created_at,
    )
