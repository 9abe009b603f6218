"""Cutting messages into the passages that are parsed. Offsets always count in the message as it was
said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from factbook.extract.readable_text import make_readable
from factbook.model.episode import StoredMessage

MOST_CHARACTERS = 200_000
"""A longer message is read up to here: it is a file rather than talk, and the time for one job
stays bounded.
"""

LONGEST_PASSAGE = 3_000

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
    """`text` is what stands from `offset` on in the message, with what must not be read blanked
    out.
    """

    message: StoredMessage
    offset: int
    text: str


def passages(message: StoredMessage) -> Iterator[Passage]:
    """The passages of a message, without the empty ones."""
    text = make_readable(message.text[:MOST_CHARACTERS])
    start = 0
    for match in _BREAK.finditer(text):
        yield from _cut(message, text, start, match.start())
        start = match.end()
    yield from _cut(message, text, start, len(text))


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
