"""Candidates for recall: by words, by vector, by entity, by place; and what ranking needs of
them.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from factbook.model.line import Hit, LineFilter, WordStats
from factbook.store.sqlite.reading import note_queries
from factbook.store.sqlite.reading.filter_condition import Condition
from factbook.store.sqlite.reading.hit_rows import read_hits
from factbook.store.sqlite.reading.record_snapshot import RecordSnapshot
from factbook.store.sqlite.row_codecs import pack_json
from factbook.store.sqlite.vectors.nearest import Compared, VectorCache
from factbook.store.sqlite.vectors.stored_vectors import has_numpy
from factbook.store.sqlite.words.line_writer import KIND_NUMBERS
from factbook.store.sqlite.words.matching import rank_numbers
from factbook.store.sqlite.words.postings import WordLists
from factbook.store.sqlite.writing.erasing import count_earlier, find_dead_names, read_secret
from factbook.store.tombstones import Graveyard
from factbook.text import bm25

SPARE = 20
"""Under a filter so many more lines are ranked than are asked for, and a quarter more."""

AT_ONCE = 20_000
"""Ranked lines that are shown to a filter at once, at most."""

SCAN = 5_000
"""A filter that leaves at most so many lines, known beforehand, is searched line by line."""

ASKED = 4
"""Questions of one view whose postings are kept."""

SPARSE = 8
"""Where at most one line in so many is a note, notes are searched one by one."""

_WORDS = """
SELECT l.line_no, l.words FROM json_each(?) j CROSS JOIN lines l ON l.line_no = j.value WHERE l.space_no = ?
"""


class SqliteSnapshot(RecordSnapshot):
    """The whole of `factbook.ports.snapshot.Snapshot`."""

    def __init__(
        self,
        con: sqlite3.Connection,
        space_numbers: dict[str, int],
        vectors: VectorCache,
        path: Path,
    ) -> None:
        super().__init__(con, space_numbers)
        self._vectors = vectors
        self._path = path
        self._compared: tuple[int, str, bytes, Compared | None] | None = None
        self._sizes: dict[int, tuple[int, float]] = {}
        self._asked: OrderedDict[tuple[int, tuple[str, ...]], WordLists] = OrderedDict()

    def _condition(self, number: int, where: LineFilter) -> Condition:
        if not where.sessions:
            return Condition(where, None)
        found = self._con.execute(
            "SELECT no FROM sessions WHERE space_no = ? AND name IN (SELECT value FROM "
            "json_each(?))",
            (number, pack_json(list(where.sessions))),
        )
        return Condition(where, [no for (no,) in found])

    def forgotten(self, space: str, names: Iterable[str]) -> set[str]:
        def graveyard() -> Graveyard:
            return Graveyard(read_secret(self._con, self._path, make=False), space)

        return find_dead_names(self._con, self._space(space), graveyard, names)

    def earlier_tombstones(self) -> int:
        return count_earlier(self._con)

    # --- words ------------------------------------------------------------------------------------

    def word_stats(self, space: str, words: Sequence[str]) -> WordStats:
        number = self._space(space)
        lines, mean = self._size(number)
        if not lines:
            return WordStats()
        return WordStats(
            lines=lines, mean_length=mean, frequency=self._lists(number, words).frequency
        )

    def _size(self, number: int) -> tuple[int, float]:
        """Returns the number of a space's lines, and their mean length in words."""
        if number not in self._sizes:
            found = self._con.execute(
                "SELECT lines, words FROM spaces WHERE no = ?", (number,)
            ).fetchone()
            lines, words = found or (0, 0)
            self._sizes[number] = (lines, words / lines if lines else 0.0)
        return self._sizes[number]

    def _lists(self, number: int, words: Sequence[str]) -> WordLists:
        """The postings of these words; of those asked for lately they are kept, since within a view
        nothing changes.
        """
        key = number, tuple(words)
        if key not in self._asked:
            while len(self._asked) >= ASKED:
                self._asked.popitem(last=False)
            self._asked[key] = WordLists(self._con, number, words)
        return self._asked[key]

    def find_words(
        self, space: str, words: Sequence[str], where: LineFilter, *, limit: int
    ) -> list[int]:
        number = self._space(space)
        lists = self._lists(number, words)
        if not lists.frequency or limit <= 0:
            return []
        condition = self._condition(number, where)
        lines, mean = self._size(number)
        weights = bm25.weigh_words(lines, lists.frequency)
        if (held := self._few(number, where, condition)) is not None:
            return _best_of(held, weights, mean, limit)
        most = limit if not condition.sql else limit + limit // 4 + SPARE
        ranked = self._ranked(number, weights, lists, mean, most)
        found = self._passing(ranked, condition)
        if len(found) < limit and len(ranked) == most:
            # The filter takes much away: all lines with any of the words, step by step.
            ranked = self._ranked(number, weights, lists, mean, None)
            found.clear()
            at, step = 0, most
            while at < len(ranked) and len(found) < limit:
                found += self._passing(ranked[at : at + step], condition)
                at, step = at + step, min(4 * step, AT_ONCE)
        return found[:limit]

    def _ranked(
        self,
        number: int,
        weights: Mapping[str, float],
        lists: WordLists,
        mean: float,
        limit: int | None,
    ) -> list[int]:
        base = number << 32
        return [base + low for low in rank_numbers(weights, lists, mean, limit)]

    def _passing(self, numbers: Sequence[int], condition: Condition) -> list[int]:
        """Returns the lines that pass the filter, in their order."""
        if not condition.sql:
            return list(numbers)
        found = self._con.execute(
            "SELECT l.line_no FROM json_each(?) j CROSS JOIN lines l ON l.line_no = j.value "
            f"WHERE 1{condition.sql}",
            (pack_json(list(numbers)), *condition.values),
        )
        return [no for (no,) in found]

    def _few(
        self, number: int, where: LineFilter, condition: Condition
    ) -> list[tuple[int, str]] | None:
        """The lines of a filter that leaves few, known beforehand, the latest first, with their
        words; else None.
        """
        if where.categories or where.kinds == ("note",):
            lines, _ = self._size(number)
            most = SCAN if where.categories else min(SCAN, lines // SPARSE)
            return note_queries.lines_in(
                self._con, number, where.categories, condition.sql, condition.values, most
            )
        return self._held_by(condition) if where.sessions else None

    def _held_by(self, condition: Condition) -> list[tuple[int, str]] | None:
        """The lines of a filter that names sessions, the latest first, with their words; None if
        they are many.
        """
        found: list[tuple[int, str]] = self._con.execute(
            f"SELECT l.line_no, l.words FROM lines l WHERE l.session_no IS NOT NULL{condition.sql}"
            " ORDER BY l.line_no DESC LIMIT ?",
            (*condition.values, SCAN + 1),
        ).fetchall()
        return found if len(found) <= SCAN else None

    # --- vectors ----------------------------------------------------------------------------------

    def find_vector(
        self, space: str, model: str, vector: bytes, where: LineFilter, *, limit: int
    ) -> list[int]:
        number = self._space(space)
        condition = self._condition(number, where)
        compared = self._compare(number, model, vector)
        if compared is None:
            return []
        return self._vectors.nearest(
            self._con, number, compared, (condition.sql, condition.values), limit
        )

    def has_vectors(self, space: str, model: str) -> bool:
        number = self._space(space)
        row = self._con.execute("SELECT no FROM models WHERE name = ?", (model,)).fetchone()
        if row is None or not has_numpy():
            return False
        found = self._con.execute(
            "SELECT EXISTS (SELECT 1 FROM lines WHERE vector_model = ? AND line_no > ? AND "
            "line_no < ?)",
            (row[0], number << 32, (number + 1) << 32),
        )
        return bool(found.fetchone()[0])

    def _compare(self, number: int, model: str, vector: bytes) -> Compared | None:
        """The vector beside those of the space; of what was asked last it is kept, since within a
        view nothing changes.
        """
        key = number, model, vector
        if self._compared is None or self._compared[:3] != key:
            self._compared = (*key, self._vectors.compare(self._con, number, model, vector))
        return self._compared[3]

    # --- entities and places ----------------------------------------------------------------------

    def find_entity_lines(
        self, space: str, entity_ids: Sequence[str], where: LineFilter, *, limit: int
    ) -> list[int]:
        number = self._space(space)
        condition = self._condition(number, where)
        found: dict[int, float] = {}
        for entity_id in dict.fromkeys(entity_ids):
            found.update(
                self._con.execute(
                    "SELECT e.line_no, e.at FROM line_entities e CROSS JOIN lines l ON l.line_no "
                    "= e.line_no"
                    f" WHERE e.space_no = ? AND e.entity_id = ?{condition.sql}"
                    " ORDER BY e.at DESC, e.line_no DESC LIMIT ?",
                    (number, entity_id, *condition.values, limit),
                )
            )
        return sorted(found, key=lambda no: (found[no], no), reverse=True)

    def find_around(
        self, space: str, numbers: Sequence[int], where: LineFilter, *, radius: int
    ) -> list[int]:
        number = self._space(space)
        condition = self._condition(number, where)
        message = KIND_NUMBERS["message"]
        found = self._con.execute(
            "SELECT DISTINCT l.session_no, l.position, l.line_no FROM json_each(?) j"
            f" CROSS JOIN lines a ON a.line_no = j.value AND a.kind = {message}"
            " CROSS JOIN lines l ON l.session_no = a.session_no AND l.position BETWEEN a.position "
            "- ? AND a.position + ?"
            f" WHERE a.space_no = ? AND l.kind = {message}{condition.sql}",
            (pack_json(list(numbers)), radius, radius, number, *condition.values),
        ).fetchall()
        given = set(numbers)
        return [no for _, _, no in sorted(found) if no not in given]

    # --- hits -------------------------------------------------------------------------------------

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
        compared = self._compare(number, model, vector) if vector else None
        return read_hits(self._con, number, numbers, self._lists(number, words), compared, now)

    def words_held(
        self, space: str, numbers: Sequence[int], among: frozenset[str]
    ) -> dict[int, list[str]]:
        rows = self._con.execute(_WORDS, (pack_json(list(numbers)), self._space(space)))
        found = ((no, among.intersection(stored.split())) for no, stored in rows)
        return {no: sorted(held) for no, held in found if held}


def _best_of(
    held: Sequence[tuple[int, str]], weights: Mapping[str, float], mean: float, limit: int
) -> list[int]:
    """The best of lines given with their words as stored, as `matching.ranked` orders them."""
    scores: dict[int, float] = {}
    for no, stored in held:
        counts = {word: count for word in weights if (count := stored.count(f" {word} "))}
        if counts:
            scores[no] = bm25.score_line(weights, counts, stored.count(" ") // 2, mean)
    return sorted(scores, key=lambda no: (-scores[no], -no))[:limit]
