"""Which texts say nothing that another one doesn't: each of their sentences stands in it, word by
word.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

_ENDS = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<!\s)\s*\n\s*|(?<=[。！？])")
_FORWARDED = re.compile(r"^[\s>|]*(?:(?:fwd?|re|aw|wg|tr)\s*:\s*)*(?:[-*•]\s+)?", re.IGNORECASE)
_EDGES = ".,;:?\"'“”‘’«»()[]{}*_>`…|"
_BEHIND = _EDGES + "!~"
"""What is outer behind a word. Before one, `!` denies, `~` hedges and `#` counts, and behind one
`#` is part of a name: `C#`.
"""
_QUOTES = " \"'”’)]*_"
_POLITE = frozenset(
    """hi hello hey there dear good morning afternoon evening thanks thank you very much a lot so please ok okay great well
    cheers bye regards best kind yours sincerely everyone all team folks again""".split()
)
"""A sentence of these alone says nothing."""


def sentences(text: str) -> frozenset[str]:
    """Returns a text's sentences, whatever their case, spacing and outer punctuation; without
    greetings and thanks, but for a text that is nothing else. Signs within words stay: `3.5`, `-5`,
    `9:30`, `can't`.
    """
    out: set[str] = set()
    polite: set[str] = set()
    for part in _ENDS.split(text.casefold()):
        words = [
            word
            for each in _FORWARDED.sub("", part).split()
            if (word := each.lstrip(_EDGES).rstrip(_BEHIND))
        ]
        if words:
            asked = "?" if part.rstrip(_QUOTES).endswith(("?", "？", "؟")) else ""
            (polite if _POLITE.issuperset(words) else out).add(" ".join(words) + asked)
    return frozenset(out or polite)


@dataclass(frozen=True, kw_only=True, slots=True)
class Covered:
    """By the text at the place `by`, which says all of it. `both`: neither says more."""

    by: int
    both: bool


def covered(texts: Sequence[tuple[Hashable, str]]) -> dict[int, Covered]:
    """By place, the earlier text that says all that this one does.

    Texts that differ in a number, a name or a negation differ in a sentence, and stay both.

    Args:
        texts: best first, each with whose it is: nobody's words are covered by another's.
    """
    near = _near(texts)
    holders: dict[tuple[Hashable, str], set[int]] = {}
    sizes: dict[int, int] = {}
    out: dict[int, Covered] = {}
    for place in near:
        whose, text = texts[place]
        said = sentences(text)
        over = [holders.get((whose, sentence), set[int]()) for sentence in said]
        common = set[int].intersection(*over) if over else set[int]()
        if common:
            by = min(common, key=lambda other: (sizes[other] != len(said), other))
            out[place] = Covered(by=by, both=sizes[by] == len(said))
            continue
        sizes[place] = len(said)
        for sentence in said:
            holders.setdefault((whose, sentence), set()).add(place)
    return out


def _near(texts: Sequence[tuple[Hashable, str]]) -> list[int]:
    """Returns the places of those that may cover one another, in order: all words of one stand in
    the other. Cheap, since in most contexts there are none.
    """
    held = [set(_LETTERS.findall(text.casefold())) for _, text in texts]
    held = [words - _POLITE or words for words in held]
    out: set[int] = set()
    for place, words in enumerate(held):
        for other in range(place):
            if texts[place][0] == texts[other][0] and (
                words <= held[other] or held[other] <= words
            ):
                out |= {place, other}
    return sorted(out)


_LETTERS = re.compile(r"[^\W_]+")
