"""Observations in the order in which they are worth telling, without those that say nothing new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from factbook.model.record import ObservationSort
from factbook.text.index_words import index_words

FADES = 0.9
"""What each of a sort leaves of the worth of the next of that sort: ten opinions don't keep out
where somebody works.
"""
SAME = 0.7
"""From this share of its words in one line before it on, an observation tells nothing new."""


class HasWorth(Protocol):
    """A row or line with a sort, and a worth of 0-1."""

    @property
    def sort(self) -> ObservationSort: ...

    @property
    def importance(self) -> float: ...


T = TypeVar("T", bound=HasWorth)


def by_worth(rows: Sequence[T]) -> Iterator[T]:
    """Yields the most worth knowing first, the less so the more of its sort came before; of equals
    the first.
    """
    left = list(rows)
    told: Counter[ObservationSort] = Counter()
    while left:
        best = max(left, key=lambda row: row.importance * FADES ** told[row.sort])
        left.remove(best)
        told[best.sort] += 1
        yield best


class ToldWords:
    """The words of the lines that are told, by which one is known that says nothing new."""

    def __init__(self) -> None:
        self._lines: list[frozenset[str]] = []

    def add(self, text: str) -> None:
        """Takes note of a line."""
        self._lines.append(frozenset(index_words(text)))

    def has(self, text: str) -> bool:
        """Tells whether one line has most of these words, and all figures among them; never for a text
        without any.
        """
        words = frozenset(index_words(text))
        return bool(words) and any(_says(words, line) for line in self._lines)


def _says(words: frozenset[str], line: frozenset[str]) -> bool:
    new = words - line
    has_figure = any(char.isdigit() for word in new for char in word)
    return len(words) - len(new) >= SAME * len(words) and not has_figure
