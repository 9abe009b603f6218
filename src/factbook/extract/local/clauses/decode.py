"""From the network's numbers to clauses: stretches of words, each with its sort, how it holds, whom
it is about, and what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TAGS = 3
SPEAKER, ADDRESSEE, OTHERS = range(3)
"""Whom a clause is about, first of all."""
_ABOUT = 3
WORTH = (0.3, 0.6, 0.9)
"""Worth of what is small, worth keeping, and must be known."""
FLOOR = 0.05
"""The least chance of a word to be one of a clause's."""
LEAST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Judge:
    """What a file of the network tells of itself.

    Attributes:
        sorts, holds: the names of what it chooses from, in its order.
        least: the least chance with which a stretch is a clause that is kept, 0-1.
    """

    sorts: Sequence[str]
    holds: Sequence[str]
    least: float

    @property
    def width(self) -> int:
        """Numbers a word that tell of clauses."""
        return TAGS + 2 * (len(self.sorts) + len(self.holds) + len(WORTH) + _ABOUT)


@dataclass(frozen=True, slots=True)
class Clause:
    """The words from first to last. `worth` is 0-1, its chance to be worth keeping counted in."""

    first: int
    last: int
    sort: str
    holds: str
    about: int
    worth: float


def decode(parts: NDArray[np.float32], judge: Judge) -> list[Clause]:
    """Returns the clauses in order; `parts`, shape (words, numbers), are those of the first piece
    of each word.
    """
    import numpy as np

    chances = _softmax(parts[:, :TAGS])
    inside = chances[:, 1] + chances[:, 2]
    sizes = np.cumsum([len(judge.sorts), len(judge.holds), len(WORTH)])
    width = (parts.shape[1] - TAGS) // 2
    own, opening = parts[:, TAGS : TAGS + width], parts[:, TAGS + width :]
    out: list[Clause] = []
    for first, last in _stretches(chances):
        chance = float(inside[first : last + 1].mean())
        if last - first + 1 < LEAST_WORDS or chance < judge.least:
            continue
        sort, hold, worth, about = np.split(
            own[first : last + 1].mean(axis=0) + opening[first], sizes
        )
        out.append(
            Clause(
                first,
                last,
                judge.sorts[int(sort.argmax())],
                judge.holds[int(hold.argmax())],
                int(about.argmax()),
                chance * float(_softmax(worth[None])[0] @ np.array(WORTH)),
            )
        )
    return out


def _stretches(chances: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
    """Yields the first and the last word of each run of words that may be a clause's; a word that
    begins one rather than going on cuts it.
    """
    first = -1
    for at, (_, begins, goes_on) in enumerate(chances):
        is_inside = begins + goes_on >= FLOOR
        if first >= 0 and (not is_inside or begins > goes_on):
            yield first, at - 1
            first = -1
        if is_inside and first < 0:
            first = at
    if first >= 0:
        yield first, len(chances) - 1


def _softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    raised: NDArray[np.float32] = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: NDArray[np.float32] = raised / raised.sum(axis=1, keepdims=True)
    return shares
