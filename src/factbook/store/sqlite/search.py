"""Candidates for recall: by words, by vector, by entity, by place; and what ranking needs of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from factbook.model.line import LINE_KINDS, Hit, LineFilter, LineKind, WordStats
from factbook.store.derive import is_superseded
from factbook.store.sqlite.lines import KIND_NUMBERS, unpack_ids
from factbook.store.sqlite.reader import RecordReader
from factbook.store.sqlite.rows import dumps
from factbook.store.sqlite.tokens import any_of, token
from factbook.store.sqlite.vectors import VectorCache, cosines

RARE = 200
"""A word in at most so many lines is searched in full; a commoner one beside rarer ones only. Measured at 100,000 and a
million lines: .97 and .90 of exhaustive BM25's best 50 are found."""

_HIT = (
    "SELECT l.line_no, l.kind, l.session_no, l.position, l.at, l.importance, l.ends_at, l.cost, l.length, l.question,"
    " l.role, l.speaker, l.id, l.entities, l.words FROM json_each(?) j CROSS JOIN lines l ON l.line_no = j.value"
    " WHERE l.space_no = ?"
)


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

    vectors: VectorCache

    def _condition(self, number: int, where: LineFilter) -> Condition:
        if not where.sessions:
            return Condition(where, None)
        found = self._con.execute(
            "SELECT no FROM sessions WHERE space_no = ? AND name IN (SELECT value FROM json_each(?))",
            (number, dumps(list(where.sessions))),
        )
        return Condition(where, [no for (no,) in found])

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
        rarest = sorted(frequency, key=lambda word: (frequency[word], word))
        condition = self._condition(number, where)
        found: dict[int, None] = {}
        for place, word in enumerate(rarest):
            query = f'"{token(number, word)}"'
            if frequency[word] > RARE and place:
                query += f" AND ({any_of(number, rarest[:place])})"
            self._match(query, condition, limit, found)
        for word in rarest:
            if len(found) >= limit:
                break
            if frequency[word] > RARE:
                self._match(f'"{token(number, word)}"', condition, limit, found)
        return list(found)[:limit]

    def _match(self, query: str, condition: Condition, limit: int, found: dict[int, None]) -> None:
        rows = self._con.execute(
            "SELECT l.line_no FROM line_words CROSS JOIN lines l ON l.line_no = line_words.rowid"
            f" WHERE line_words MATCH ?{condition.sql} ORDER BY line_words.rowid DESC LIMIT ?",
            (query, *condition.values, limit),
        )
        found.update(dict.fromkeys(no for (no,) in rows))

    # --- vectors ---------------------------------------------------------------------------------------------------

    def find_vector(self, space: str, model: str, vector: bytes, where: LineFilter, *, limit: int) -> list[int]:
        number = self._space(space)
        condition = self._condition(number, where)
        return self.vectors.nearest(self._con, number, model, vector, (condition.sql, condition.values), limit)

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
        given = dumps(list(numbers))
        near = cosines(self._con, given, model, vector)
        wanted = [(word, f" {word} ") for word in dict.fromkeys(words)]
        found: dict[int, Hit] = {}
        for row in self._con.execute(_HIT, (given, self._space(space))):
            stored = row[14]
            found[row[0]] = Hit(
                no=row[0],
                kind=_kind(row[1]),
                session=-1 if row[2] is None else row[2],
                position=row[3],
                at=row[4],
                importance=row[5],
                superseded=row[6] is not None and is_superseded(row[6], now),
                cost=row[7],
                length=row[8],
                question=bool(row[9]),
                role=row[10],
                speaker=row[11],
                id=row[12],
                entity_ids=unpack_ids(row[13]),
                counts={word: stored.count(packed) for word, packed in wanted if packed in stored},
                cosine=near.get(row[0]),
            )
        return [found[no] for no in numbers if no in found]


def _kind(number: int) -> LineKind:
    return LINE_KINDS[number]


def in_order(numbers: Iterable[int], found: Iterable[int]) -> list[int]:
    """Those of `numbers` that are in `found`, in their order."""
    kept = set(found)
    return [no for no in numbers if no in kept]
