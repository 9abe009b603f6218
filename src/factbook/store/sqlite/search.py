"""Candidates for recall: by words, by vector, by entity, by place; and what ranking needs of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from math import log1p
from pathlib import Path
from typing import Any

from factbook.model.line import LINE_KINDS, Hit, LineFilter, LineKind, WordStats
from factbook.store.sqlite import notes
from factbook.store.sqlite.erasing import dead_names
from factbook.store.sqlite.lines import KIND_NUMBERS, unpack_ids
from factbook.store.sqlite.nearest import VectorCache
from factbook.store.sqlite.reader import RecordReader
from factbook.store.sqlite.rows import dumps
from factbook.store.sqlite.tokens import any_of, token
from factbook.store.sqlite.vectors import cosines, model_number

RARE = 1_000
"""A word in at most so many lines is searched in full; a commoner one only beside rarer ones."""

PARTNERS = 5_000
"""The rarer words beside which a common one is searched stand in at most so many lines together."""

WIDE = 4
"""Once there are enough candidates, words that stand in more than a fourth of the lines find no more of them.

Measured at 100,000 lines of made-up text (Zipf, exponent 1.05): 600 candidates hold .86 of exhaustive BM25's best 50
and .94 of its best 10, in 1.5 ms at the median and 3 ms at the 95th percentile of CPU."""

SCAN = 5_000
"""A filter that leaves at most so many lines, known beforehand, is searched line by line."""

SPARSE = 8
"""Where at most one line in so many is a note, notes are searched one by one."""

_KINDS: Mapping[int, LineKind] = dict(enumerate(LINE_KINDS))
_HIT = """
SELECT l.line_no, l.kind, l.session_no, l.position, l.at, l.importance, l.ends_at, l.cost, l.length, l.question,
  l.role, l.speaker, l.id, l.entities, l.words
FROM json_each(?) j CROSS JOIN lines l ON l.line_no = j.value WHERE l.space_no = ?
"""


_GROUNDED = (
    "EXISTS (SELECT 1 FROM {} r WHERE r.space_no = l.space_no AND r.id = l.id AND (r.source_standing = 'note'"
    " OR (r.source_standing = 'user' AND r.source_message_id <> '' AND r.source_quote <> '')))"
)
_VERIFIED = (
    f"CASE l.kind WHEN {KIND_NUMBERS['message']} THEN l.role = 'user'"
    f" WHEN {KIND_NUMBERS['fact']} THEN {_GROUNDED.format('facts')}"
    f" WHEN {KIND_NUMBERS['relation']} THEN {_GROUNDED.format('relations')}"
    f" WHEN {KIND_NUMBERS['note']} THEN EXISTS (SELECT 1 FROM notes r WHERE r.space_no = l.space_no AND r.id = l.id"
    " AND r.source_standing IN ('user', 'note'))"
    " ELSE EXISTS (SELECT 1 FROM entities r WHERE r.space_no = l.space_no AND r.id = l.id"
    " AND r.source_standing = 'note' AND r.updated_at = r.created_at) END"
)
"""`Line.verified` as SQL: see `factbook.store.derive`."""


class Condition:
    """A `LineFilter` as SQL on a table named `l`: `sql` begins with AND where there is one."""

    def __init__(self, where: LineFilter, sessions: Sequence[int] | None) -> None:
        parts: list[str] = []
        self.values: list[Any] = []

        def add(part: str, *values: Any) -> None:
            parts.append(part)
            self.values.extend(values)

        if where.projects:
            add(f"(l.project = '' OR l.project IN ({_marks(where.projects)}))", *where.projects)
        if sessions is not None:
            add(f"l.session_no IN ({_marks(sessions)})", *sessions)
        if where.kinds:
            add(f"l.kind IN ({_marks(where.kinds)})", *(KIND_NUMBERS[kind] for kind in where.kinds))
        if where.categories:
            add(
                f"l.kind = {KIND_NUMBERS['note']} AND EXISTS (SELECT 1 FROM notes n WHERE n.space_no = l.space_no"
                f" AND n.id = l.id AND n.category IN ({_marks(where.categories)}))",
                *where.categories,
            )
        if where.verified:
            add(_VERIFIED)
        if where.since is not None:
            add("l.at >= ?", where.since.timestamp())
        if where.until is not None:
            add("l.at < ?", where.until.timestamp())
        if where.min_importance > 0:
            add("l.importance >= ?", where.min_importance)
        now = None if where.now is None else where.now.timestamp()
        if now is not None:
            add("(l.expires_at IS NULL OR l.expires_at > ?)", now)
        if not where.superseded:
            add("(l.ends_at IS NULL OR l.ends_at > ?)", now if now is not None else float("inf"))
        self.sql = "".join(f" AND {part}" for part in parts)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


class SqliteReader(RecordReader):
    """The whole of `factbook.ports.store.Reader`."""

    def __init__(
        self, con: sqlite3.Connection, space_numbers: dict[str, int], vectors: VectorCache, path: Path
    ) -> None:
        super().__init__(con, space_numbers)
        self._vectors = vectors
        self._path = path
        self._compared: tuple[int, str, bytes] = (-1, "", b"")
        self._near: dict[int, float] = {}

    def _condition(self, number: int, where: LineFilter) -> Condition:
        if not where.sessions:
            return Condition(where, None)
        found = self._con.execute(
            "SELECT no FROM sessions WHERE space_no = ? AND name IN (SELECT value FROM json_each(?))",
            (number, dumps(list(where.sessions))),
        )
        return Condition(where, [no for (no,) in found])

    def forgotten(self, space: str, names: Iterable[str]) -> set[str]:
        return dead_names(self._con, self._space(space), space, self._path, names)

    # --- words -----------------------------------------------------------------------------------------------------

    def word_stats(self, space: str, words: Sequence[str]) -> WordStats:
        number = self._space(space)
        row = self._con.execute("SELECT lines, words FROM spaces WHERE no = ?", (number,)).fetchone()
        if row is None or not row[0]:
            return WordStats()
        return WordStats(lines=row[0], mean_length=row[1] / row[0], frequency=self._frequency(number, words))

    def _frequency(self, number: int, words: Sequence[str]) -> dict[str, int]:
        wanted = list(dict.fromkeys(words))
        found: dict[str, int] = dict(
            self._con.execute(
                "SELECT word, lines FROM words WHERE space_no = ? AND word IN (SELECT value FROM json_each(?))",
                (number, dumps(wanted)),
            ).fetchall()
        )
        return {word: found[word] for word in wanted if word in found}

    def find_words(self, space: str, words: Sequence[str], where: LineFilter, *, limit: int) -> list[int]:
        number = self._space(space)
        frequency = self._frequency(number, words)
        if not frequency or limit <= 0:
            return []
        condition = self._condition(number, where)
        weights = self._weights(number, frequency)
        if (held := self._few(number, where, condition)) is not None:
            scores = {no: sum(weights[word] for word in weights if f" {word} " in stored) for no, stored in held}
            return [no for no in sorted(scores, key=lambda no: -scores[no]) if scores[no] > 0][:limit]
        scores = self._scores(number, frequency, weights, limit)
        ranked = sorted(scores, key=scores.__getitem__, reverse=True)
        passing = self._passing(ranked[:limit], condition)
        if len(passing) < limit:
            passing += self._passing(ranked[limit:], condition)[: limit - len(passing)]
        if len(passing) < limit:
            found = dict.fromkeys(passing)
            for word in sorted(frequency, key=frequency.__getitem__):
                self._match(f'"{token(number, word)}"', condition, limit, found)
            passing = list(found)[:limit]
        return passing

    def _weights(self, number: int, frequency: Mapping[str, int]) -> dict[str, float]:
        """Each word's inverse document frequency as in BM25 (Robertson and Zaragoza 2009), the rarest first."""
        (lines,) = self._con.execute("SELECT lines FROM spaces WHERE no = ?", (number,)).fetchone()
        rarest = sorted(frequency, key=lambda word: (frequency[word], word))
        return {word: log1p((lines - frequency[word] + 0.5) / (frequency[word] + 0.5)) for word in rarest}

    def _scores(
        self, number: int, frequency: Mapping[str, int], weights: Mapping[str, float], limit: int
    ) -> dict[int, float]:
        """Candidates with the sum of their words' weights, before any filter."""
        scores: dict[int, float] = {}
        rarest = list(weights)
        (lines,) = self._con.execute("SELECT lines FROM spaces WHERE no = ?", (number,)).fetchone()
        for place, word in enumerate(rarest):
            query = f'"{token(number, word)}"'
            if frequency[word] > RARE and place:
                if len(scores) >= limit and frequency[word] * WIDE > lines:
                    continue
                query += f" AND ({any_of(number, _partners(rarest[:place], frequency))})"
            weight = weights[word]
            for (no,) in self._con.execute(
                "SELECT rowid FROM line_words WHERE line_words MATCH ? ORDER BY rowid DESC LIMIT ?",
                (query, max(limit, RARE)),
            ):
                scores[no] = scores.get(no, 0.0) + weight
        return scores

    def _passing(self, numbers: Sequence[int], condition: Condition) -> list[int]:
        """Those that the filter lets through, in their order."""
        if not condition.sql:
            return list(numbers)
        found = self._con.execute(
            f"SELECT l.line_no FROM json_each(?) j CROSS JOIN lines l ON l.line_no = j.value WHERE 1{condition.sql}",
            (dumps(list(numbers)), *condition.values),
        )
        return [no for (no,) in found]

    def _few(self, number: int, where: LineFilter, condition: Condition) -> list[tuple[int, str]] | None:
        """The lines of a filter that leaves few, known beforehand, the latest first, with their words; else None."""
        if where.categories or where.kinds == ("note",):
            (lines,) = self._con.execute("SELECT lines FROM spaces WHERE no = ?", (number,)).fetchone()
            most = SCAN if where.categories else min(SCAN, lines // SPARSE)
            return notes.lines_in(self._con, number, where.categories, condition.sql, condition.values, most)
        return self._held_by(condition) if where.sessions else None

    def _held_by(self, condition: Condition) -> list[tuple[int, str]] | None:
        """The lines of a filter that names sessions, the latest first, with their words; None if they are many."""
        found = self._con.execute(
            f"SELECT l.line_no, l.words FROM lines l WHERE l.session_no IS NOT NULL{condition.sql}"
            " ORDER BY l.line_no DESC LIMIT ?",
            (*condition.values, SCAN + 1),
        ).fetchall()
        return found if len(found) <= SCAN else None

    def _match(self, query: str, condition: Condition, limit: int, found: dict[int, None]) -> None:
        """Adds lines that match and pass the filter, the latest first, until there are enough."""
        rows = self._con.execute(
            "SELECT l.line_no FROM line_words CROSS JOIN lines l ON l.line_no = line_words.rowid"
            f" WHERE line_words MATCH ?{condition.sql} ORDER BY line_words.rowid DESC",
            (query, *condition.values),
        )
        for (no,) in rows:
            if len(found) >= limit:
                break
            found[no] = None

    # --- vectors ---------------------------------------------------------------------------------------------------

    def find_vector(self, space: str, model: str, vector: bytes, where: LineFilter, *, limit: int) -> list[int]:
        number = self._space(space)
        condition = self._condition(number, where)
        found, near = self._vectors.nearest(self._con, number, model, vector, (condition.sql, condition.values), limit)
        self._known(number, model, vector).update(near)
        return found

    def _known(self, number: int, model: str, vector: bytes) -> dict[int, float]:
        """The cosines that are known already of the vector that was compared last; within a view they don't change."""
        if self._compared != (number, model, vector):
            self._compared = (number, model, vector)
            self._near = {}
        return self._near

    def _cosines(self, number: int, numbers: Sequence[int], model: str, vector: bytes) -> dict[int, float]:
        model_no = model_number(self._con, model, len(vector) // 4) if vector else None
        if model_no is None:
            return {}
        known = self._known(number, model, vector)
        rows = self._con.execute(
            "SELECT v.line_no, v.scale, v.data FROM json_each(?) j CROSS JOIN vectors v ON v.line_no = j.value"
            " WHERE v.model_no = ?",
            (dumps([no for no in numbers if no not in known]), model_no),
        ).fetchall()
        known.update(zip([row[0] for row in rows], cosines([row[1:] for row in rows], vector), strict=True))
        return known

    # --- entities and places ---------------------------------------------------------------------------------------

    def find_entity_lines(self, space: str, entity_ids: Sequence[str], where: LineFilter, *, limit: int) -> list[int]:
        number = self._space(space)
        condition = self._condition(number, where)
        found: dict[int, float] = {}
        for entity_id in dict.fromkeys(entity_ids):
            found.update(
                self._con.execute(
                    "SELECT e.line_no, e.at FROM line_entities e CROSS JOIN lines l ON l.line_no = e.line_no"
                    f" WHERE e.space_no = ? AND e.entity_id = ?{condition.sql}"
                    " ORDER BY e.at DESC, e.line_no DESC LIMIT ?",
                    (number, entity_id, *condition.values, limit),
                )
            )
        return sorted(found, key=lambda no: (found[no], no), reverse=True)

    def find_around(self, space: str, numbers: Sequence[int], where: LineFilter, *, radius: int) -> list[int]:
        number = self._space(space)
        condition = self._condition(number, where)
        message = KIND_NUMBERS["message"]
        found = self._con.execute(
            "SELECT DISTINCT l.session_no, l.position, l.line_no FROM json_each(?) j"
            f" CROSS JOIN lines a ON a.line_no = j.value AND a.kind = {message}"
            " CROSS JOIN lines l ON l.session_no = a.session_no AND l.position BETWEEN a.position - ? AND a.position + ?"
            f" WHERE a.space_no = ? AND l.kind = {message}{condition.sql}",
            (dumps(list(numbers)), radius, radius, number, *condition.values),
        ).fetchall()
        given = set(numbers)
        return [no for _, _, no in sorted(found) if no not in given]

    # --- hits ------------------------------------------------------------------------------------------------------

    def hits(
        self,
        space: str,
        numbers: Sequence[int],
        words: Sequence[str],
        *,
        model: str = "",
        vector: bytes = b"",
        now: datetime | None = None,
    ) -> list[Hit]:
        number = self._space(space)
        rows: list[tuple[Any, ...]] = self._con.execute(_HIT, (dumps(list(numbers)), number)).fetchall()
        near = self._cosines(number, numbers, model, vector)
        wanted = [(word, f" {word} ") for word in dict.fromkeys(words)]
        moment = float("-inf") if now is None else now.timestamp()
        found: dict[int, Hit] = {}
        for row in rows:
            no, ends_at, stored = row[0], row[6], row[14]
            found[no] = Hit(
                no=no,
                id=row[12],
                kind=_KINDS[row[1]],
                session=-1 if row[2] is None else row[2],
                position=row[3],
                at=row[4],
                length=row[8],
                cost=row[7],
                counts={word: stored.count(packed) for word, packed in wanted if packed in stored},
                cosine=near.get(no),
                speaker=row[11],
                role=row[10],
                importance=row[5],
                superseded=ends_at is not None and (now is None or ends_at <= moment),
                question=row[9] != 0,
                entity_ids=unpack_ids(row[13]),
            )
        return [found[no] for no in numbers if no in found]


def _partners(rarer: Sequence[str], frequency: Mapping[str, int]) -> list[str]:
    """As many of the rarer words, the rarest first, as stand in few enough lines together."""
    total = 0
    for place, word in enumerate(rarer):
        total += frequency[word]
        if place and total > PARTNERS:
            return list(rarer[:place])
    return list(rarer)
