"""The lines that fit some words best, by BM25 over a space's own counts.

Words are taken by rarity. Once those that are left can't lift a new line among the best, only lines that are still in
the running are looked up in their lists (MaxScore: Turtle and Flood 1995), which changes nothing in the outcome.
Without numpy the same goes line by line, and of a very common word only the latest lines are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, Any, cast

from factbook.store.bm25 import LONGEST, MOST_GAIN, gain
from factbook.store.sqlite.postings import SIZE, entries, find
from factbook.store.sqlite.vectors import has_numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAIN = 20_000
"""Without numpy, so many of the latest lines of a word are looked at one by one."""

MANY = 4_096
"""So many postings are weighed by a table, for which lengths are compared with the space's mean to a tenth."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word's weight (its inverse document frequency), and how to come by its postings."""

    weight: float
    postings: Callable[[], bytes]


def ranked(terms: Sequence[Term], mean: float, limit: int | None) -> list[int]:
    """Low halves of the numbers of the lines that fit best, best first and of equals the latest; all without a limit.

    Args:
        terms: the rarest word first. mean: length of the space's lines in words.
    """
    if not terms:
        return []
    left = [0.0]
    for term in reversed(terms):
        left.append(left[-1] + term.weight * MOST_GAIN)
    left.reverse()
    return (_by_arrays if has_numpy() else _by_line)(terms, left, mean, limit)


def _by_line(terms: Sequence[Term], left: Sequence[float], mean: float, limit: int | None) -> list[int]:
    scores: dict[int, float] = {}
    open_ = True
    for place, term in enumerate(terms):
        if open_ and limit is not None and len(scores) > limit:
            open_ = nlargest(limit, scores.values())[-1] < left[place]
        data = term.postings()
        if open_:
            for low, how in entries(data[-PLAIN * SIZE :]):
                scores[low] = scores.get(low, 0.0) + term.weight * gain(how >> 12, how & LONGEST, mean)
        else:
            for low in scores:
                if how := find(data, low):
                    scores[low] += term.weight * gain(how >> 12, how & LONGEST, mean)
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
    return cast("NDArray[Any]", cast(Any, gain)(counts, lengths, np.float32(mean)))


def _by_arrays(terms: Sequence[Term], left: Sequence[float], mean: float, limit: int | None) -> list[int]:
    import numpy as np

    kind = np.dtype([("low", "<u4"), ("how", "<u2")])
    scores = np.zeros(0, np.float32)
    lines: NDArray[Any] = np.zeros(0, np.int64)
    open_ = True
    for place, term in enumerate(terms):
        if open_ and limit is not None and len(lines) > limit:
            held = scores[lines]
            least = np.partition(held, len(held) - limit)[len(held) - limit]
            if least >= left[place]:
                open_ = False
                lines = np.sort(lines[held + left[place] >= least])
        data = np.frombuffer(term.postings(), kind)
        lows = data["low"].astype(np.int64)
        if open_:
            if lows[-1] >= len(scores):
                scores = np.concatenate([scores, np.zeros(int(lows[-1]) + 1 - len(scores), np.float32)])
            lines = np.concatenate([lines, lows[scores[lows] == 0]])
            scores[lows] += term.weight * _gains(data["how"], mean)
        else:
            at = np.minimum(np.searchsorted(lows, lines), len(lows) - 1)
            here = lows[at] == lines
            scores[lines[here]] += term.weight * _gains(data["how"][at[here]], mean)
    held = scores[lines]
    if limit is not None and len(lines) > limit:
        best = np.partition(held, len(held) - limit)[len(held) - limit]
        lines, held = lines[held >= best], held[held >= best]
    order = np.lexsort((-lines, -held))
    return cast("list[int]", lines[order][:limit].tolist())
