"""An index of words in memory, ranked by BM25 (Robertson and Zaragoza 2009)."""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from factbook.text.bm25 import word_gain, word_rarity

COMMON = 2_000
"""A word in more texts than this finds no more of them, once rarer ones found enough: it only ranks
those.
"""
ENOUGH = 500


class WordIndex:
    """Texts by number, from 0 up in the order of adding. Not safe for several threads by itself."""

    def __init__(self) -> None:
        self._texts: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        self._lengths = array("i")
        self._bonus = array("f")
        self._live = 0
        self._words = 0

    @property
    def stale(self) -> int:
        """The number of texts that were added and are gone."""
        return len(self._lengths) - self._live

    def add_text(self, words: Sequence[str], bonus: float = 0.0) -> int:
        """Adds a text by its index words; returns its number. `bonus` is added to its score
        wherever it matches.
        """
        number = len(self._lengths)
        for word, count in Counter(words).items():
            texts = self._texts.get(word)
            if texts is None:
                texts = self._texts[word] = array("I")
                self._counts[word] = array("I")
            texts.append(number)
            self._counts[word].append(count)
        self._lengths.append(len(words))
        self._bonus.append(bonus)
        self._live += 1
        self._words += len(words)
        return number

    def remove_text(self, number: int) -> None:
        """Takes a text out; its number is not used again."""
        self._words -= self._lengths[number]
        self._lengths[number] = -1
        self._live -= 1

    def find_best(
        self, words: Iterable[str], limit: int, passes: Callable[[int], bool]
    ) -> list[int]:
        """The texts that pass and match best, best first, of equal ones the latest first.

        A score is the share, in 0–1, of what a text that holds every known word could reach, and
        the bonus.
        """
        found = self._take_best(self._score_texts(words, every=False), limit, passes)
        return (
            found
            if len(found) >= limit
            else self._take_best(self._score_texts(words, every=True), limit, passes)
        )

    def _take_best(
        self, scores: dict[int, float], limit: int, passes: Callable[[int], bool]
    ) -> list[int]:
        bonus = self._bonus
        ranked = [(score + bonus[number], number) for number, score in scores.items()]
        # Most pass: asking the best few first spares asking all.
        few = heapq.nlargest(4 * limit, ranked)
        found = [number for _, number in few if passes(number)]
        if len(found) < limit and len(few) < len(ranked):
            found = [
                number
                for _, number in heapq.nlargest(limit, (each for each in ranked if passes(each[1])))
            ]
        return found[:limit]

    def _score_texts(self, words: Iterable[str], *, every: bool) -> dict[int, float]:
        """Live texts with one of the words; without `every` not all of those that hold only common
        ones.
        """
        known = sorted(
            (word for word in dict.fromkeys(words) if word in self._texts), key=self._frequency_of
        )
        rarity = {word: self._rarity_of(self._frequency_of(word)) for word in known}
        total = sum(rarity.values())
        lengths, mean = self._lengths, max(self._words, 1) / max(self._live, 1)
        scores: dict[int, float] = {}
        for word in known:
            weight = rarity[word] / total
            held: Iterable[tuple[int, int]] = zip(
                self._texts[word], self._counts[word], strict=True
            )
            if not every and self._frequency_of(word) > COMMON and len(scores) >= ENOUGH:
                held = self._count_among(scores, word)
            for number, count in held:
                length = lengths[number]
                if length >= 0:
                    gained = weight * word_gain(count, length, mean)
                    scores[number] = scores.get(number, 0.0) + gained
        return scores

    def _rarity_of(self, frequency: int) -> float:
        """Returns a word's rarity; texts that are gone count until the index is made anew."""
        return word_rarity(max(self._live, frequency), frequency)

    def _frequency_of(self, word: str) -> int:
        return len(self._texts[word])

    def _count_among(self, numbers: Iterable[int], word: str) -> list[tuple[int, int]]:
        """The count of the word in those of the texts that hold it."""
        texts, counts = self._texts[word], self._counts[word]
        out: list[tuple[int, int]] = []
        for number in numbers:
            place = bisect_left(texts, number)
            if place < len(texts) and texts[place] == number:
                out.append((number, counts[place]))
        return out
