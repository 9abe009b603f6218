"""The likeliest tree over the tokens of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROOT = -1


def heads_of(scores: NDArray[np.float32], roots: NDArray[np.float32]) -> list[int]:
    """Returns each token's head, `ROOT` for exactly one.

    Args:
        scores: shape (tokens, tokens), of each token with each other as its head; its own doesn't count.
        roots: shape (tokens,), of each token as the root.
    """
    import numpy as np

    count = len(scores)
    root = int((roots - np.where(np.eye(count, dtype=bool), -np.inf, scores).max(axis=1)).argmax())
    whole = np.array(scores, dtype=np.float64)
    np.fill_diagonal(whole, -np.inf)
    heads = _best_tree(whole, root)
    heads[root] = ROOT
    return heads


def _best_tree(scores: NDArray[np.float64], root: int) -> list[int]:
    """The heads of the best tree whose root is given (Chu and Liu 1965, Edmonds 1967); the root's is itself."""
    import numpy as np

    heads = [int(each) for each in scores.argmax(axis=1)]
    heads[root] = root
    cycle = _cycle_of(heads, root)
    if not cycle:
        return heads
    inside = set(cycle)
    kept = [at for at in range(len(heads)) if at not in inside]
    place = {at: number for number, at in enumerate(kept)}
    last = len(kept)
    smaller = np.full((last + 1, last + 1), -np.inf)
    smaller[:last, :last] = scores[np.ix_(kept, kept)]
    own = np.array([scores[at, heads[at]] for at in cycle])
    into = scores[np.ix_(cycle, kept)] - own[:, None]
    out = scores[np.ix_(kept, cycle)]
    smaller[last, :last], smaller[:last, last] = into.max(axis=0), out.max(axis=1)
    found = _best_tree(smaller, place[root])
    for number, at in enumerate(kept):
        if at != root:
            head = found[number]
            heads[at] = kept[head] if head < last else cycle[int(out[number].argmax())]
    outside = found[last]
    heads[cycle[int(into[:, outside].argmax())]] = kept[outside]
    return heads


def _cycle_of(heads: Sequence[int], root: int) -> list[int]:
    """The tokens of a cycle, if there is one; the root's head is itself."""
    seen = [0] * len(heads)
    seen[root] = -1
    for start in range(len(heads)):
        at = start
        while seen[at] == 0:
            seen[at] = start + 1
            at = heads[at]
        if seen[at] == start + 1:
            cycle = [at]
            while heads[cycle[-1]] != at:
                cycle.append(heads[cycle[-1]])
            return cycle
        _settle_path(heads, seen, start)
    return []


def _settle_path(heads: Sequence[int], seen: list[int], at: int) -> None:
    while seen[at] != -1:
        seen[at] = -1
        at = heads[at]
