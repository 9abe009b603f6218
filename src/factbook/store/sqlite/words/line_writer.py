"""Writing lines: the row, its postings, its links to entities and the space's word counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from factbook.errors import StoreError
from factbook.model.line import LINE_KINDS, Line, LineKind
from factbook.store.sqlite.words import postings
from factbook.store.sqlite.words.postings import pack_words, unpack_words

KIND_NUMBERS = {kind: number for number, kind in enumerate(LINE_KINDS)}
_COLUMNS = (
    "line_no, space_no, kind, session_no, position, at, importance, ends_at, expires_at, project, "
    "vector_model, cost,"
    " length, question, role, speaker, id, entities, words"
)
_INSERT = f"INSERT INTO lines ({_COLUMNS}) VALUES ({', '.join('?' * 19)})"
_UPDATE = (
    "UPDATE lines SET session_no = ?, at = ?, importance = ?, ends_at = ?, expires_at = ?, "
    "project = ?,"
    " vector_model = ?, cost = ?, length = ?, question = ?, speaker = ?, entities = ?, words = ? "
    "WHERE line_no = ?"
)


def pack_ids(ids: Iterable[str]) -> str:
    """Entity ids as stored with a line."""
    return "".join(f"\n{each}\n" for each in ids)


def unpack_ids(stored: str) -> tuple[str, ...]:
    """The ids that `pack_ids` wrote."""
    return tuple(stored[1:-1].split("\n\n")) if stored else ()


def take_numbers(con: sqlite3.Connection, space_no: int, count: int) -> int:
    """Takes that many numbers of the space, for lines, episodes or vectors; returns the first."""
    (first,) = con.execute(
        "UPDATE spaces SET next_no = next_no + ? WHERE no = ? RETURNING next_no - ?",
        (count, space_no, count),
    ).fetchall()[0]
    return (space_no << 32) + int(first)


class LineWriter:
    """Writes the lines of one space within one transaction; `flush` last. Counts are kept until
    then.
    """

    def __init__(self, con: sqlite3.Connection, space_no: int) -> None:
        self._con = con
        self._space_no = space_no
        self._postings: postings.Changes = {}
        self._lines = 0
        self._words = 0
        self._sessions: dict[str, int] = {}
        self._rows: list[tuple[Any, ...]] = []
        self._links: list[tuple[int, str, float, int]] = []

    def session_no(self, name: str) -> int:
        """The number of a session, made where there is none."""
        if name not in self._sessions:
            key = (self._space_no, name)
            self._con.execute("INSERT OR IGNORE INTO sessions (space_no, name) VALUES (?, ?)", key)
            row = self._con.execute(
                "SELECT no FROM sessions WHERE space_no = ? AND name = ?", key
            ).fetchone()
            self._sessions[name] = int(row[0])
        return self._sessions[name]

    def add(self, line_no: int, line: Line) -> None:
        """A line that was not there."""
        self._rows.append(
            (
                line_no,
                self._space_no,
                KIND_NUMBERS[line.kind],
                None if line.session is None else self.session_no(line.session),
                line.position,
                line.at,
                line.importance,
                line.ends_at,
                line.expires_at,
                line.project,
                0 if line.embed else None,
                line.cost,
                len(line.words),
                line.question,
                line.role,
                line.speaker,
                line.id,
                pack_ids(line.entity_ids),
                pack_words(line.words),
            )
        )
        self._link(line_no, line.at, line.entity_ids)
        self._count(line_no, line.words)

    def put(self, line: Line, old_embed: str | None = None) -> None:
        """A line that is there already; it keeps its number.

        `old_embed` is the text that its vector was made from; None if it is the same.
        """
        line_no, at, entities, words, model = self._held(line.kind, line.id)
        packed = pack_words(line.words)
        stale = old_embed is not None and old_embed != line.embed
        if stale:
            self._con.execute("DELETE FROM vectors WHERE line_no = ?", (line_no,))
        if stale or not model:
            model = 0 if line.embed else None
        self._con.execute(
            _UPDATE,
            (
                None if line.session is None else self.session_no(line.session),
                line.at,
                line.importance,
                line.ends_at,
                line.expires_at,
                line.project,
                model,
                line.cost,
                len(line.words),
                line.question,
                line.speaker,
                pack_ids(line.entity_ids),
                packed,
                line_no,
            ),
        )
        if (entities, at) != (pack_ids(line.entity_ids), line.at):
            self._unlink(line_no, at, unpack_ids(entities))
            self._link(line_no, line.at, line.entity_ids)
        if words != packed:
            self._discount(line_no, words)
            self._count(line_no, line.words)

    def relink(self, message_id: str, entity_ids: Sequence[str]) -> None:
        """A message's line after its mentions changed."""
        old = self._old("message", message_id)
        if old is None:
            return
        line_no, at, entities, _, _ = old
        packed = pack_ids(entity_ids)
        if packed != entities:
            self._con.execute("UPDATE lines SET entities = ? WHERE line_no = ?", (packed, line_no))
            self._unlink(line_no, at, unpack_ids(entities))
            self._link(line_no, at, entity_ids)

    def drop(self, kind: LineKind, line_id: str) -> None:
        """Takes a line away, with its vector."""
        line_no, at, entities, words, _ = self._held(kind, line_id)
        self._unlink(line_no, at, unpack_ids(entities))
        self._discount(line_no, words)
        self._con.execute("DELETE FROM vectors WHERE line_no = ?", (line_no,))
        self._con.execute("DELETE FROM lines WHERE line_no = ?", (line_no,))

    def flush(self) -> None:
        """Writes what was kept back."""
        self.write_rows()
        postings.write_postings(self._con, self._space_no, self._postings)
        self._postings.clear()
        if self._lines or self._words:
            self._con.execute(
                "UPDATE spaces SET lines = lines + ?, words = words + ? WHERE no = ?",
                (self._lines, self._words, self._space_no),
            )
            self._lines = self._words = 0

    def write_rows(self) -> None:
        """Writes the rows that were kept back, but not yet the counts."""
        self._con.executemany(_INSERT, self._rows)
        self._con.executemany(
            "INSERT INTO line_entities (space_no, entity_id, at, line_no) VALUES (?, ?, ?, ?)",
            self._links,
        )
        self._rows.clear()
        self._links.clear()

    def _held(self, kind: LineKind, line_id: str) -> tuple[int, float, str, str, int | None]:
        old = self._old(kind, line_id)
        if old is None:
            raise StoreError(
                f"the index has no line for a {kind} that is there; look for damage with check()"
            )
        return old

    def _old(self, kind: LineKind, line_id: str) -> tuple[int, float, str, str, int | None] | None:
        if self._rows or self._links:
            self.write_rows()
        row: tuple[int, float, str, str, int | None] | None = self._con.execute(
            "SELECT line_no, at, entities, words, vector_model FROM lines WHERE space_no = ? AND "
            "id = ? AND kind = ?",
            (self._space_no, line_id, KIND_NUMBERS[kind]),
        ).fetchone()
        return row

    def _link(self, line_no: int, at: float, entity_ids: Iterable[str]) -> None:
        self._links.extend((self._space_no, entity_id, at, line_no) for entity_id in entity_ids)

    def _unlink(self, line_no: int, at: float, entity_ids: Iterable[str]) -> None:
        self._con.executemany(
            "DELETE FROM line_entities WHERE space_no = ? AND entity_id = ? AND at = ? AND "
            "line_no = ?",
            [(self._space_no, entity_id, at, line_no) for entity_id in entity_ids],
        )

    def _count(self, line_no: int, words: Sequence[str]) -> None:
        postings.add_words(self._postings, line_no, words)
        self._lines += 1
        self._words += len(words)

    def _discount(self, line_no: int, stored: str) -> None:
        words = unpack_words(stored)
        postings.remove_words(self._postings, line_no, words)
        self._lines -= 1
        self._words -= len(words)
