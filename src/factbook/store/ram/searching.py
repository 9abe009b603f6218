"""Searching one moment of the RAM store: plain loops over lines."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from operator import mul
from sys import byteorder

from factbook.model.line import Hit, Line, LineFilter, WordStats
from factbook.model.record import (
    Support,
)
from factbook.store.ram.space import HeldLine, Space
from factbook.text import bm25


class RamSearch:
    """Candidates for recall, in the spaces as they were when this was opened."""

    def __init__(
        self, spaces: Mapping[str, Space], empty: Callable[[], Space], secret: bytes
    ) -> None:
        self._spaces = spaces
        self._empty = empty
        self._secret = secret

    def _space(self, space: str) -> Space:
        return self._spaces.get(space) or self._empty()

    def word_stats(self, space: str, words: Sequence[str]) -> WordStats:
        held = self._space(space).lines.values()
        if not held:
            return WordStats()
        return WordStats(
            lines=len(held),
            mean_length=sum(len(each.line.words) for each in held) / len(held),
            frequency=_frequency(held, words),
        )

    def find_words(
        self, space: str, words: Sequence[str], where: LineFilter, *, limit: int
    ) -> list[int]:
        held = self._space(space).lines.values()
        lets_through = _filter(self._space(space), where)
        stats = self.word_stats(space, words)
        weights = bm25.weigh_words(stats.lines, stats.frequency)
        found: list[tuple[float, int]] = []
        for each in held:
            if not weights.keys().isdisjoint(each.counts) and lets_through(each.line):
                score = bm25.score_line(
                    weights, each.counts, len(each.line.words), stats.mean_length
                )
                found.append((score, each.no))
        return [no for _, no in sorted(found, reverse=True)][: max(limit, 0)]

    def find_vector(
        self, space: str, model: str, vector: bytes, where: LineFilter, *, limit: int
    ) -> list[int]:
        held = self._space(space)
        lets_through = _filter(held, where)
        found: list[tuple[float, int]] = []
        for each in held.lines.values():
            cosine = _cosine(held, each.line.id, model, vector)
            if cosine is not None and lets_through(each.line):
                found.append((-cosine, each.no))
        return [no for _, no in sorted(found)][:limit]

    def has_vectors(self, space: str, model: str) -> bool:
        return any(held == model for held, _ in self._space(space).vectors.values())

    def find_entity_lines(
        self, space: str, entity_ids: Sequence[str], where: LineFilter, *, limit: int
    ) -> list[int]:
        lets_through = _filter(self._space(space), where)
        lines = [each for each in self._space(space).lines.values() if lets_through(each.line)]
        lines.sort(key=lambda each: (each.line.at, each.no), reverse=True)
        chosen: set[int] = set()
        for entity_id in entity_ids:
            chosen.update([each.no for each in lines if entity_id in each.line.entity_ids][:limit])
        return [each.no for each in lines if each.no in chosen]

    def find_around(
        self, space: str, numbers: Sequence[int], where: LineFilter, *, radius: int
    ) -> list[int]:
        held = self._space(space)
        wanted = {
            (each.line.session, each.line.position + step)
            for no in numbers
            if (each := held.by_number.get(no)) is not None and each.line.kind == "message"
            for step in range(-radius, radius + 1)
        }
        messages = [each for each in held.lines.values() if each.line.kind == "message"]
        around = [
            each
            for each in messages
            if (each.line.session, each.line.position) in wanted and each.no not in numbers
        ]
        found = [each for each in around if where.allows_line(each.line)]
        return [
            each.no
            for each in sorted(found, key=lambda each: (each.session_no, each.line.position))
        ]

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
        held = self._space(space)
        return [
            _hit(each, words, _cosine(held, each.line.id, model, vector), now)
            for no in numbers
            if (each := held.by_number.get(no)) is not None
        ]

    def words_held(
        self, space: str, numbers: Sequence[int], among: frozenset[str]
    ) -> dict[int, list[str]]:
        lines = self._space(space).by_number
        found = ((no, among.intersection(lines[no].counts)) for no in numbers if no in lines)
        return {no: sorted(held) for no, held in found if held}


def _filter(space: Space, where: LineFilter) -> Callable[[Line], bool]:
    """Whether a search under this filter may return a line of the space."""
    if not where.verified:
        return where.allows_line
    again = {row.record_id for row in space.table(Support).values() if row.source.is_grounded}
    stated = ("fact", "relation")
    return lambda line: where.allows_line(
        replace(line, verified=True) if line.kind in stated and line.id in again else line
    )


def _frequency(held: Iterable[HeldLine], words: Sequence[str]) -> dict[str, int]:
    wanted = dict.fromkeys(words)
    counts = Counter(word for each in held for word in wanted if word in each.counts)
    return {word: counts[word] for word in wanted if counts[word]}


def _hit(held: HeldLine, words: Sequence[str], cosine: float | None, now: datetime | None) -> Hit:
    line = held.line
    return Hit(
        no=held.no,
        id=line.id,
        kind=line.kind,
        session=held.session_no,
        position=line.position,
        at=line.at,
        length=len(line.words),
        cost=line.cost,
        counts={word: held.counts[word] for word in dict.fromkeys(words) if word in held.counts},
        cosine=cosine,
        speaker=line.speaker,
        role=line.role,
        importance=line.importance,
        superseded=line.is_superseded_at(now),
        question=line.question,
        entity_ids=line.entity_ids,
    )


def _cosine(space: Space, line_id: str, model: str, vector: bytes) -> float | None:
    """The likeness of a line's vector, None where there is none of that model and size to
    compare.
    """
    held_model, held = space.vectors.get(line_id, ("", b""))
    if not vector or held_model != model or len(held) != len(vector):
        return None
    return float(sum(map(mul, _floats(held), _floats(vector))))


def _floats(data: bytes) -> array[float]:
    out = array("f", data)
    if byteorder == "big":
        out.byteswap()
    return out
