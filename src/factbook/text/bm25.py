"""Okapi BM25 by a space's own counts (Robertson and Zaragoza 2009): by it every store chooses
candidates for words.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log1p

K1, B = 0.9, 0.4
"""As in ranking (`recall.weights`)."""

MOST_COUNTED, LONGEST = 15, 4095
"""A word that stands in a line more often, and a line of more words, count as this."""


def weigh_words(lines: int, frequency: Mapping[str, int]) -> dict[str, float]:
    """Each word's inverse document frequency, never below 0, the rarest word first."""
    rarest = sorted(frequency, key=lambda word: (frequency[word], word))
    return {
        word: log1p((lines - frequency[word] + 0.5) / (frequency[word] + 0.5)) for word in rarest
    }


def word_gain(count: float, length: float, mean: float) -> float:
    """Returns the factor of a word's weight in a line of that length in which it stands so often."""
    return count * (1 + K1) / (count + K1 * (1 - B + B * length / mean))


MOST_GAIN = word_gain(MOST_COUNTED, 0, 1)
"""The most that `word_gain` can be."""


def score_line(
    weighted: Mapping[str, float], counts: Mapping[str, int], length: int, mean: float
) -> float:
    """The score of a line with these counts of the weighted words."""
    cut = min(length, LONGEST)
    return sum(
        weight * word_gain(min(counts[word], MOST_COUNTED), cut, mean)
        for word, weight in weighted.items()
        if word in counts
    )
