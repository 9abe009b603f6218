"""An index of words in memory, ranked by BM25 (Robertson and Zaragoza 2009)."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log1p

K1, B = 0.9, 0.4
"""As in `factbook.recall.weights`."""

COMMON = 5_000
"""A word in more texts than this finds no more of them once rarer ones found enough."""
ENOUGH = 1_000


class WordIndex:
    """Texts by number, from 0 up in the order of adding. Not safe for several threads by itself."""

    def __init__(self) -> None:
        self._postings: dict[str, array[int]] = {}
        self._lengths = array("i")
        self._live = 0
        self._words = 0

    def __len__(self) -> int:
        """How many texts were ever added."""
        return len(self._lengths)

    @property
    def stale(self) -> int:
        """How many of them are gone."""
        return len(self._lengths) - self._live

    def add(self, words: Sequence[str]) -> int:
        """Adds a text by its index words; returns its number."""
        number = len(self._lengths)
        for word in words:
            held = self._postings.get(word)
            if held is None:
                held = self._postings[word] = array("I")
            held.append(number)
        self._lengths.append(len(words))
        self._live += 1
        self._words += len(words)
        return number

    def remove(self, number: int) -> None:
        """Takes a text out; its number is not used again."""
        self._words -= self._lengths[number]
        self._lengths[number] = -1
        self._live -= 1

    def scores(self, words: Sequence[str], *, every: bool = False) -> dict[int, float]:
        """Texts with one of the words: a share, in 0–1, of what a text with all of them could reach.

        Args:
            every: also those that hold only common words, where rarer ones found enough.
        """
        held = sorted((self._postings[word] for word in dict.fromkeys(words) if word in self._postings), key=len)
        mean = self._words / self._live if self._live else 1.0
        scores: dict[int, float] = {}
        total = 0.0
        for postings in held:
            counts = Counter(postings)
            rarity = log1p((max(self._live - len(counts), 0) + 0.5) / (len(counts) + 0.5))
            total += rarity
            found: Iterable[tuple[int, int]] = counts.items()
            if not every and len(counts) > COMMON and len(scores) >= ENOUGH:
                found = [(number, counts[number]) for number in scores if number in counts]
            for number, count in found:
                length = self._lengths[number]
                if length >= 0:
                    gain = rarity * count * (1 + K1) / (count + K1 * (1 - B + B * length / mean))
                    scores[number] = scores.get(number, 0.0) + gain
        return {number: min(score / total, 1.0) for number, score in scores.items()} if total else {}
