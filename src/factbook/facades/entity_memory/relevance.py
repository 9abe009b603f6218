"""Which tracked entities a question is about: an index of their words, kept up to date with what
changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice, zip_longest
from typing import NamedTuple

from factbook.facades.entity_memory.registry import Registry, Row, stored_kind
from factbook.recall.context.statement_support import is_given
from factbook.recall.weights import FADES_OVER_DAYS, IMPORTANCE, RECENCY, RELEVANCE
from factbook.text.bm25 import word_rarity
from factbook.text.index_words import index_words

FLOOR = 0.3
"""Of the best one's relevance: what has less is not what the query is about."""
MOST_CANDIDATES = 400
COMMON = 2000
"""A word of more entities than this is looked for only where no rarer one is found, and in the
latest ones.
"""
ALWAYS = ("preference", "pain_point")
"""Kinds that enter every context."""
ALWAYS_A_KIND = 5


@dataclass(frozen=True, slots=True)
class _Words:
    of_name: frozenset[str]
    of_rest: frozenset[str]
    kind: str

    def __contains__(self, word: str) -> bool:
        return word in self.of_name or word in self.of_rest

    def __iter__(self) -> Iterator[str]:
        return iter(self.of_name | self.of_rest)


def _words_of(row: Row) -> _Words:
    rest = [
        row.entity_type,
        row.description,
        *(f"{key} {value}" for key, value in row.attributes.items()),
    ]
    return _Words(
        of_name=frozenset(word for name in (row.name, *row.aliases) for word in index_words(name)),
        of_rest=frozenset(index_words(" ".join(rest))),
        kind=stored_kind(row.entity_type),
    )


class _Scored(NamedTuple):
    """A row with its score, the weight of the query's words in its name, and the share of them in
    all of it.
    """

    score: float
    by_name: float
    relevance: float
    row: Row

    def order(self) -> tuple[float, float, int, str]:
        """Returns a key that sorts the best first, of equals the latest named."""
        return -self.score, -self.by_name, -self.row.turn, self.row.key


class Relevance:
    """Words → entities. What changes is only marked; the next question indexes what was marked."""

    def __init__(self) -> None:
        self._marked: dict[str, None] = {}
        self._known: dict[str, _Words] = {}
        self._postings: dict[str, dict[str, None]] = {}
        self._always: dict[str, dict[str, None]] = {kind: {} for kind in ALWAYS}

    def mark_row(self, row: Row) -> None:
        """The row is new or was changed."""
        self._marked.pop(row.key, None)
        self._marked[row.key] = None

    def drop_row(self, row: Row) -> None:
        """The row is gone."""
        self._marked.pop(row.key, None)
        self._take_out(row.key)

    def list_unasked(self, registry: Registry) -> list[Row]:
        """Preferences and pain points in turn, at most five of each, the latest first."""
        self._index_marked(registry)
        found = [_list_latest(keys, registry) for keys in self._always.values()]
        return [row for turn in zip_longest(*found) for row in turn if row is not None]

    def rank_rows(
        self, registry: Registry, query: str, now: datetime, others: Sequence[Row] = ()
    ) -> list[Row]:
        """The rows that the query is about, best first: by the share of its words, by rarity, that
        each holds.

        Args:
            others: untracked ones, that are weighed beside the tracked.
        """
        self._index_marked(registry)
        untracked = [(row, _words_of(row)) for row in others]
        counts = Counter(word for _, known in untracked for word in known)
        asked = {
            word: len(self._postings.get(word, ())) + counts[word]
            for word in dict.fromkeys(index_words(query))
        }
        lines = len(registry) + len(others)
        weight = {word: word_rarity(lines, count) for word, count in asked.items()}
        whole = sum(weight.values()) or 1.0
        rarest_first = sorted((word for word in asked if asked[word]), key=lambda word: asked[word])
        found = self._find_candidates(registry, rarest_first)
        scored: list[_Scored] = []
        for row, known in [*((registry.rows[key], self._known[key]) for key in found), *untracked]:
            relevance = sum(value for word, value in weight.items() if word in known) / whole
            by_name = sum(value for word, value in weight.items() if word in known.of_name)
            age = max(0.0, (now - row.last_seen).total_seconds() / 86400)
            recency = max(0.0, 1 - age / FADES_OVER_DAYS)
            score = RELEVANCE * relevance + IMPORTANCE * row.importance + RECENCY * recency
            if relevance:
                scored.append(_Scored(score, by_name, relevance, row))
        best = max((each.relevance for each in scored), default=0.0)
        scored.sort(key=_Scored.order)
        return [each.row for each in scored if each.relevance >= FLOOR * best]

    def _find_candidates(self, registry: Registry, rarest_first: Iterable[str]) -> dict[str, None]:
        found: dict[str, None] = {}
        for word in rarest_first:
            posting = self._postings.get(word, {})
            if len(found) >= MOST_CANDIDATES:
                break
            if len(posting) <= COMMON:
                found.update(posting)
            elif not found:
                latest = islice(reversed(registry.rows), COMMON)
                found.update(
                    dict.fromkeys(
                        islice((key for key in latest if key in posting), MOST_CANDIDATES)
                    )
                )
        return found

    def _index_marked(self, registry: Registry) -> None:
        for key in self._marked:
            row = registry.rows[key]
            known = _words_of(row)
            if known != self._known.get(key):
                self._take_out(key)
                self._known[key] = known
                for word in known:
                    self._postings.setdefault(word, {})[key] = None
            if known.kind in self._always:
                self._always[known.kind].pop(key, None)
                self._always[known.kind][key] = None
        self._marked.clear()

    def _take_out(self, key: str) -> None:
        known = self._known.pop(key, None)
        for word in known or ():
            posting = self._postings[word]
            del posting[key]
            if not posting:
                del self._postings[word]
        if known is not None and known.kind in self._always:
            self._always[known.kind].pop(key, None)


def _list_latest(keys: dict[str, None], registry: Registry) -> list[Row]:
    """Returns the rows that are shown, the latest first, no more than are given of a kind."""
    latest = map(registry.rows.__getitem__, reversed(keys))
    return list(islice(filter(_is_shown, latest), ALWAYS_A_KIND))


def _is_shown(row: Row) -> bool:
    return is_given({**row.metadata, **row.attributes})
