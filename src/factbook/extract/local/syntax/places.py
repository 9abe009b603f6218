"""The reader's words at which tokens are read."""

from __future__ import annotations

from collections.abc import Sequence


def places_of(
    tokens: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Returns of each token the index of the word at which it is read, and 1 where another token is read there before it,
    else 0. Both are characters from and to, in order; there is at least one word.

    A token is read at the first word that begins in it; where none does, at the one that it stands in or behind.
    """
    out: list[tuple[int, int]] = []
    at = 0
    for start, end in tokens:
        while at < len(words) and words[at][0] < start:
            at += 1
        word = at if at < len(words) and words[at][0] < end else max(at - 1, 0)
        out.append((word, int(bool(out) and out[-1][0] == word)))
    return out
