"""The lines that fit some words best, by BM25 over a space's own counts.

Words are taken by rarity. Once those that are left can't lift a new line among the best, only lines
that are still in the running are looked up in their lists (MaxScore: Turtle and Flood 1995), which
changes nothing in the outcome. Without numpy the same goes line by line, and a very common word
finds its latest lines only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, Any, cast

from factbook.store.sqlite.vectors.stored_vectors import has_numpy
from factbook.store.sqlite.words.postings import (
    LOW,
    SIZE,
    WordLists,
    find_posting,
    iterate_postings,
)
from factbook.text.bm25 import LONGEST, MOST_COUNTED, MOST_GAIN, word_gain

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAIN = 20_000
"""Without numpy, so many of the latest lines of a word are looked at one by one, and those that a
rarer word found; all of them for a filter that leaves few.
"""

MANY = 4_096
"""So many postings are weighed by a table, for which lengths are compared with the space's mean to
a tenth.
"""

EQUAL = 1e-6
"""Scores that differ by less than this part of the most that a line can have may be equal: as
single-precision sums they are off by as much.
"""


def rank_numbers(
    weights: Mapping[str, float], lists: WordLists, mean: float, limit: int | None
) -> list[int]:
    """Low halves of the numbers of the lines that fit best, best first and of equals the latest;
    all without a limit.

    Args:
        weights: of words that have postings, the rarest first. mean: length of the space's lines in
            words.
    """
    return (_by_arrays if has_numpy() else _by_line)(weights, lists, mean, limit)


def _left(most: Sequence[float]) -> list[float]:
    """Returns for each place the most that the words from there on can add to a line's score."""
    left = [0.0]
    for each in reversed(most):
        left.append(left[-1] + each)
    left.reverse()
    return left


def _by_line(
    weights: Mapping[str, float], lists: WordLists, mean: float, limit: int | None
) -> list[int]:
    left = _left([weight * MOST_GAIN for weight in weights.values()])
    scores: dict[int, float] = {}
    open_ = True
    for place, (word, weight) in enumerate(weights.items()):
        if open_ and limit is not None and len(scores) > limit:
            open_ = nlargest(limit, scores.values())[-1] < left[place]
        data = lists.of(word)
        latest = data[-PLAIN * SIZE if limit is not None else 0 :] if open_ else b""
        if len(latest) < len(data):
            for low in scores.keys() - {low for low, _ in iterate_postings(latest)}:
                if how := find_posting(data, low):
                    scores[low] += weight * word_gain(how >> 12, how & LONGEST, mean)
        for low, how in iterate_postings(latest):
            scores[low] = scores.get(low, 0.0) + weight * word_gain(how >> 12, how & LONGEST, mean)
    best = sorted(scores, key=lambda low: (-scores[low], -low))
    return best if limit is None else best[:limit]


def _gains(hows: NDArray[Any], mean: float) -> NDArray[Any]:
    """`gain` of the second parts of many postings."""
    return _table(round(mean, 1))[hows] if len(hows) > MANY else _each(hows, mean)


@lru_cache(maxsize=8)
def _table(mean: float) -> NDArray[Any]:
    import numpy as np

    return _each(np.arange(1 << 16, dtype=np.int32), max(mean, 0.1))


def _each(hows: NDArray[Any], mean: float) -> NDArray[Any]:
    import numpy as np

    counts, lengths = (hows >> 12).astype(np.float32), (hows & LONGEST).astype(np.float32)
    return cast("NDArray[Any]", cast(Any, word_gain)(counts, lengths, np.float32(mean)))


def _by_arrays(
    weights: Mapping[str, float], lists: WordLists, mean: float, limit: int | None
) -> list[int]:
    import numpy as np

    arrays = [lists.arrays(word) for word in weights]
    # Few lines hold a word more than twice, which is a tighter bound than what any may.
    counts = [int(hows.max()) >> 12 for _, hows in arrays]
    largest = max(mean, round(mean, 1), 0.1)  # of the means that lengths are compared with
    left = _left(
        [
            weight * word_gain(count, 1, largest)
            for weight, count in zip(weights.values(), counts, strict=True)
        ]
    )
    left = [each + EQUAL * left[0] for each in left]
    scores = np.zeros(max(int(lows[-1]) for lows, _ in arrays) + 1, np.float32)
    lines: NDArray[Any] = np.zeros(0, np.int64)
    open_ = True
    for place, (weight, (lows, hows)) in enumerate(zip(weights.values(), arrays, strict=True)):
        if open_ and limit is not None and len(lines) > limit:
            held = scores[lines]
            least = np.partition(held, len(held) - limit)[len(held) - limit]
            if least >= left[place]:
                open_ = False
                lines = np.sort(lines[held + left[place] >= least])
        if open_:
            before = scores[lows]
            lines = np.concatenate([lines, lows[before == 0]])
            scores[lows] = before + weight * _gains(hows, mean)
        else:
            at = np.minimum(np.searchsorted(lows, lines), len(lows) - 1)
            here = lows[at] == lines
            scores[lines[here]] += weight * _gains(hows[at[here]], mean)
    held = scores[lines]
    if limit is not None and len(lines) > limit:
        best = np.partition(held, len(held) - limit)[len(held) - limit]
        lines, held = lines[held >= best], held[held >= best]
    order = np.lexsort((-lines, -held))
    return cast("list[int]", lines[order][:limit].tolist())


def find_standing_words(
    lists: WordLists, numbers: Sequence[int]
) -> tuple[dict[int, dict[str, int]], list[int]]:
    """Counts the words in each of these lines; and returns the lines in which one stands too often
    to say.
    """
    import numpy as np

    lines = np.sort(np.array(numbers, np.int64))
    wanted = lines & LOW
    found: dict[int, dict[str, int]] = {}
    many: list[int] = []
    for word in lists.frequency:
        lows, hows = lists.arrays(word)
        at = np.minimum(np.searchsorted(lows, wanted), len(lows) - 1)
        here = lows[at] == wanted
        for no, count in zip(lines[here].tolist(), (hows[at[here]] >> 12).tolist(), strict=True):
            found.setdefault(no, {})[word] = count
            if count >= MOST_COUNTED:
                many.append(no)
    return found, list(dict.fromkeys(many))
