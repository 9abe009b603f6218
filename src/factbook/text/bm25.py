"""Okapi BM25 by a space's own counts (Robertson and Zaragoza 2009).

Stores choose candidates by it, recall weighs a question's words, and knowledge ranks its entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

K1, B = 0.9, 0.4
"""How soon more of a word adds no more, and how much a line's length counts."""

MOST_COUNTED, LONGEST = 15, 4095
"""A word that stands in a line more often, and a line of more words, count as this."""


def word_rarity(lines: int, frequency: int) -> float:
    """Returns a word's inverse document frequency among so many lines; never below 0."""
    return log(1.0 + (lines - frequency + 0.5) / (frequency + 0.5))


def weigh_words(lines: int, frequency: Mapping[str, int]) -> dict[str, float]:
    """Returns each word's rarity, the rarest word first."""
    rarest = sorted(frequency, key=lambda word: (frequency[word], word))
    return {word: word_rarity(lines, frequency[word]) for word in rarest}


def length_norm(length: float, mean: float, k1: float = K1, b: float = B) -> float:
    """Returns how much a line of that length damps its words, beside one of the mean length."""
    return k1 * (1.0 - b + b * length / mean)


def count_gain(count: float, norm: float, k1: float = K1, weight: float = 1.0) -> float:
    """Returns the gain of a word of this weight in a line in which it stands so often."""
    return weight * count * (1.0 + k1) / (count + norm)


def word_gain(count: float, length: float, mean: float) -> float:
    """Returns the factor of a word's weight in a line of that length in which it stands so
    often.
    """
    return count_gain(count, length_norm(length, mean))


MOST_GAIN = word_gain(MOST_COUNTED, 0, 1)
"""The most that `word_gain` can be."""


def score_line(
    weighted: Mapping[str, float], counts: Mapping[str, int], length: int, mean: float
) -> float:
    """Returns the score of a line with these counts of the weighted words."""
    cut = min(length, LONGEST)
    return sum(
        weight * word_gain(min(counts[word], MOST_COUNTED), cut, mean)
        for word, weight in weighted.items()
        if word in counts
    )
