"""Of what something may be said in a text: its names, who speaks, and the plain words that the
network marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factbook.extract.local.reader_decode import KINDS
from factbook.model.record import SELF
from factbook.text.names import fold

MARKED = tuple("other" if kind == "work" else kind for kind in KINDS)
MARKS = 2 + 2 * len(MARKED)
"""What a piece can be marked as: nothing, a name's first or further word by kind, a word for who
speaks.
"""
SPEAKER = MARKS - 1

OPENING = -1
"""The word of a mention that is the text's beginning: who speaks, where the subject is left out."""
MOST = 40
"""Mentions of a text, at most, half of them of who speaks; names come before plain words."""
LONGEST = 12
"""Words of what is marked."""

_SPEAKING = frozenset("i me my mine myself we us our ours ourselves im ive id ill".split())

# How far the second mention stands from the first, in words, in steps.
_STEPS = (-24, -14, -9, -6, -4, -3, -2, -1, 1, 2, 3, 4, 6, 9, 14, 24)
FROM_OPENING, TO_OPENING = len(_STEPS) + 1, len(_STEPS) + 2
PLACES = len(_STEPS) + 3


@dataclass(frozen=True, slots=True)
class Party:
    """Someone or something of which the text may say something.

    Attributes:
        name: as the text writes it at its first mention; empty for who speaks.
        kind: the name's, `self` for who speaks, or empty for plain words.
        mentions: the first and the last word of each.
    """

    name: str
    kind: str
    mentions: tuple[tuple[int, int], ...]


def words_in(spans: Sequence[tuple[int, int]], start: int, stop: int) -> tuple[int, int] | None:
    """The first and the last of the words that overlap the characters `start:stop`."""
    inside = [at for at, (first, last) in enumerate(spans) if first < stop and last > start]
    return (inside[0], inside[-1]) if inside else None


def speaking(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """The words that stand for who speaks; `the user` is what notes of a memory call them."""
    said = [text[start:stop].lower() for start, stop in spans]
    return [
        at
        for at, word in enumerate(said)
        if word in _SPEAKING or (word == "user" and (at == 0 or said[at - 1] in {"the", ".", "-"}))
    ]


def marks(words: int, names: Iterable[tuple[int, int, str]], speaker: Iterable[int]) -> list[int]:
    """The mark of each word, of names given as their first word, last word and kind."""
    out = [0] * words
    for at in speaker:
        out[at] = SPEAKER
    for first, last, kind in names:
        number = MARKED.index(kind if kind in MARKED else "other")
        out[first] = 1 + 2 * number
        out[first + 1 : last + 1] = [2 + 2 * number] * (last - first)
    return out


def parties(
    text: str,
    spans: Sequence[tuple[int, int]],
    names: Sequence[tuple[int, int, str]],
    marked: Sequence[tuple[int, int]],
) -> list[Party]:
    """The parties of a text, who speaks first. What is marked (first word, last word) and is a
    name, or part of one, is that name.
    """
    found: dict[str, tuple[str, str, list[tuple[int, int]]]] = {}
    taken = {at for first, last, _ in names for at in range(first, last + 1)}
    spoken = [(OPENING, OPENING), *((at, at) for at in speaking(text, spans) if at not in taken)][
        : MOST // 2
    ]
    plain = [
        (first, last, "")
        for first, last in marked
        if not all(at in taken for at in range(first, last + 1))
    ]
    for first, last, kind in [*names, *plain][: MOST - len(spoken)]:
        said = " ".join(text[spans[first][0] : spans[last][1]].split())
        found.setdefault(fold(said), (said, kind, []))[2].append((first, last))
    return [
        Party("", SELF, tuple(spoken)),
        *(Party(name, kind, tuple(mentions)) for name, kind, mentions in found.values()),
    ]


def place(first: int, second: int) -> int:
    """Where a mention's word stands as seen from another's, 0 to `PLACES` - 1."""
    if first == OPENING:
        return FROM_OPENING
    if second == OPENING:
        return TO_OPENING
    return sum(second - first >= step for step in _STEPS)
