"""From the reader's logits to names: the likeliest sequence of tags in which no name begins in its
middle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KINDS = (
    "person",
    "organization",
    "place",
    "project",
    "technology",
    "product",
    "work",
    "event",
    "campaign",
    "task",
)
"""The kinds that the model tells apart. A tag is 0 outside of a name, 1 + 2k for the first word of
a name of the k-th kind, 2 + 2k for a further one.
"""

TAGS = 1 + 2 * len(KINDS)


def best_tags(scores: NDArray[np.float32]) -> list[int]:
    """The sequence with the highest sum of `scores`, shape (words, `TAGS`), where a name's further
    words follow a word of the same name.
    """
    import numpy as np

    if not len(scores):
        return []
    total = scores[0].copy()
    total[2::2] = -np.inf  # a text doesn't begin in the middle of a name
    back = np.zeros(scores.shape, np.int64)
    inside = np.arange(2, TAGS, 2)
    for at in range(1, len(scores)):
        best = int(total.argmax())
        back[at] = best
        came = np.where(total[inside - 1] >= total[inside], inside - 1, inside)
        back[at, inside] = came
        before = np.full(TAGS, total[best], np.float32)
        before[inside] = total[came]
        total = before + scores[at]
    tag = int(total.argmax())
    tags = [tag]
    for at in range(len(scores) - 1, 0, -1):
        tag = int(back[at, tag])
        tags.append(tag)
    return tags[::-1]


def spans_of(tags: list[int]) -> list[tuple[int, int, str]]:
    """The names that tags spell, as first word, the word after the last, and kind."""
    spans: list[tuple[int, int, str]] = []
    for at, tag in enumerate(tags):
        if tag and tag % 2:
            spans.append((at, at + 1, KINDS[tag // 2]))
        elif tag:
            start, _, kind = spans[-1]
            spans[-1] = (start, at + 1, kind)
    return spans
