"""Cutting messages into the passages that are parsed. Offsets always count in the message as it was said."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from factbook.model.episode import StoredMessage
from factbook.text.injected import blank_injected

MOST_CHARACTERS = 200_000
"""A longer message is read up to here: it is a file rather than talk, and the time for one job stays bounded."""

LONGEST_PASSAGE = 3_000
LONGEST_WORD = 100
"""A longer run without a space is no word (an address, a key, a picture as text)."""

_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD},}}")
_BREAK = re.compile(
    r"""
      \n[ \t]*\n\s*                             # an empty line
    | (?<=[.!?:;…])[ \t]*\n\s*                  # a line that ends a sentence
    | \n[ \t]*(?=[-*•–—+]\s|\d{1,3}[.)]\s|\#)   # an item of a list
    | \n[ \t]*(?=[A-Z])                         # a line that begins like one
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` is what stands from `offset` on in the message, with what must not be read blanked out."""

    message: StoredMessage
    offset: int
    text: str


def passages(message: StoredMessage) -> Iterator[Passage]:
    """The passages of a message, without the empty ones."""
    text = readable(message.text[:MOST_CHARACTERS])
    start = 0
    for match in _BREAK.finditer(text):
        yield from _cut(message, text, start, match.start())
        start = match.end()
    yield from _cut(message, text, start, len(text))


def readable(text: str) -> str:
    """The text with injected memory, code, control and format characters and endless words blanked; equally long."""
    text = blank_injected(text)
    if not text.isprintable():
        text = "".join(map(_visible, text))
    return _LONG_WORD.sub(lambda match: " " * len(match.group()), text)


def _visible(char: str) -> str:
    if char in "\n\u200c\u200d":  # the two joiners belong to words of several scripts
        return char
    return " " if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"} else char


def _cut(message: StoredMessage, text: str, start: int, end: int) -> Iterator[Passage]:
    while start < end:
        stop = end
        if end - start > LONGEST_PASSAGE:
            stop = max(text.rfind(". ", start, start + LONGEST_PASSAGE) + 1, 0)
            stop = stop if stop > start else text.rfind(" ", start, start + LONGEST_PASSAGE)
            stop = stop if stop > start else start + LONGEST_PASSAGE
        piece = text[start:stop]
        if stripped := piece.strip():
            yield Passage(message, start + len(piece) - len(piece.lstrip()), stripped)
        start = stop
