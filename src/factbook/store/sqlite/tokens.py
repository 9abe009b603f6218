"""Index words as tokens of the full-text index.

A token is its space's number, an `x`, and the word, so that one space's search never reads another's lists. FTS5's
`ascii` tokenizer takes letters, digits and everything beyond ASCII as they are, folds A–Z and splits at the rest; what
it would fold or split (`c++`) is written as the character's number between two `¬`, which no index word holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNSAFE = re.compile(r"[^a-z0-9\u0080-\U0010ffff]|¬")


def token(space_no: int, word: str) -> str:
    """The token of one word."""
    if not (word.isascii() and word.isalnum() and word.islower()):
        word = _UNSAFE.sub(lambda match: f"¬{ord(match.group()):x}¬", word)
    return f"{space_no}x{word}"


def document(space_no: int, words: Iterable[str]) -> str:
    """The indexed text of a line: each of its words once (the index keeps no counts), in a fixed order."""
    return " ".join(token(space_no, word) for word in sorted(set(words)))


def any_of(space_no: int, words: Iterable[str]) -> str:
    """A query for the lines that hold any of the words."""
    return " OR ".join(f'"{token(space_no, word)}"' for word in words)


def pack(words: Iterable[str]) -> str:
    """A line's words as stored: each between two spaces, so that `count` finds whole words only."""
    return "".join(f" {word} " for word in words)


def unpack(stored: str) -> list[str]:
    """The words that `pack` wrote."""
    return stored.split()
