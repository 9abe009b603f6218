"""Cuts a text into tokens as the Penn Treebank does: `don't` is two, so is `20km`; an address is
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_APOSTROPHE = "['’]"
_WHOLE = re.compile(
    r"""
      (?:https?://|www\.)\S*[\w/]                         # a link
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                        # a mail address
    | [\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|co|ai|app|edu|gov|de|uk|fr|eu)(?:/\S*[\w/])?(?!\w)
    | @\w[\w.-]*\w                                        # a handle
    | [:;=8xX][-o]?[()DPpOo/|\]\[3*](?!\w) | <3+ | \^_*\^ # a face
    | (?:[^\W\d_]\.){2,}[^\W\d_]?(?!\w)                   # U.S., p.m.
    | \d+(?:[.,:]\d+)*(?:st|nd|rd|th)(?!\w)               # 4th
    | \d+(?:[.,:/-]\d+)+(?!\w)                            # 3.14, 10:30, 2024-05-01
    | o['’]clock | \.{2,} | -{2,}
    """,
    re.VERBOSE,
)
_SHORT = frozenset(
    "mr mrs ms dr prof st jr sr inc ltd co corp vs etc gen gov mt bros messrs jan feb mar"
    " apr jun jul aug sep sept oct nov dec ave blvd".split()
)
"""Written with a stop that belongs to them."""
_INITIAL = re.compile(r"[A-HJ-Z]")
_WORD = re.compile(r"\w+(?:\.\w+)*|_+|[^\w\s]", re.UNICODE)
_SPACE = re.compile(r"\s+")
_PARTED = re.compile(
    rf"(\w+?)(n{_APOSTROPHE}t)|(\w*)({_APOSTROPHE}(?:s|m|d|re|ve|ll|em))",
    re.IGNORECASE,
)
_GLUED = re.compile(
    r"(ai|are|ca|could|did|does|do|had|has|have|is|might|must|need|should|was|were|would)(nt)"
    r"|(i)(m|ve)|(can)(not)|(gon)(na)"
    r"|(got)(ta)|(you|they)(re|ve|ll)|(that|what|there|he|she)(s)"
    r"|(we)(ve)|(could|should|would|might|must)(ve)",
    re.IGNORECASE,
)
"""Two words written as one; `its`, `lets`, `were`, `well`, `ill` and `wanna` are words of their own."""
_UNIT = re.compile(
    r"(?P<number>\d+(?:[.,:]\d+)*)(?P<unit>(?:[ap]\.?m\.?|k[gm]|[cm]?m|m?g|lb|oz|[kmgt]b|t|ft|in|mph)?)",
    re.IGNORECASE,
)


def cut_tokens(text: str) -> list[tuple[int, int]]:
    """Returns the characters of each token, from and to, in order. White space is a token where it is more
    than the one space between two words.
    """
    out: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        space = _SPACE.match(text, at)
        if space is not None:
            begins = at + (text[at] == " " and at > 0)
            if begins < space.end():
                out.append((begins, space.end()))
            at = space.end()
            continue
        at = _cut_one(text, at, out)
    return out


def _cut_one(text: str, at: int, out: list[tuple[int, int]]) -> int:
    """Appends what begins there; returns where it ends."""
    whole = _WHOLE.match(text, at)
    if whole is not None:
        out.append(whole.span())
        return whole.end()
    parted = _PARTED.match(text, at)
    if parted is not None and not text[parted.end() : parted.end() + 1].isalnum():
        out.extend(_spans_of(parted))
        return parted.end()
    found = _WORD.match(text, at)
    assert found is not None, "anything but white space is a word or a mark"
    start, end = found.span()
    word = text[start:end]
    if text[end : end + 1] == "." and (word.lower() in _SHORT or _INITIAL.fullmatch(word)):
        end += 1
    elif (glued := _GLUED.fullmatch(word)) is not None:
        out.extend(
            (start + one - glued.start(), start + two - glued.start())
            for one, two in _spans_of(glued)
        )
        return end
    elif word[0].isdigit() and (unit := _UNIT.fullmatch(word)) is not None and unit["unit"]:
        middle = start + len(unit["number"])
        out.extend(((start, middle), (middle, end)))
        return end
    out.append((start, end))
    return end


def _spans_of(found: re.Match[str]) -> Iterator[tuple[int, int]]:
    for number in range(1, len(found.groups()) + 1):
        if found.group(number):
            yield found.span(number)
