"""Counting tokens without a tokenizer: an estimate that is on the safe side."""

from __future__ import annotations

import math
import re
from functools import lru_cache

TOKENS_A_WORD = 1.3
"""Document 002's counter: what a white-space word of English costs in the mean."""

_PIECE = re.compile(
    r"[A-Za-z]+(?:['’][a-z]{1,2}(?![a-z]))?|[0-9]+|[\u00c0-\u024f\u0370-\u03ff\u0400-\u052f]+|[\u0590-\u06ff]+"
    r"|[!-/:-@\[-`{-~\u2010-\u201f\u2026\u2039\u203a]+|[^\x00-\x7f\s]"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


_AFTER = ".,!?;:\"'”’"


class Estimate:
    """Counts tokens safely without knowing the model.

    The larger of two sums over the white-space words: document 002's 1.3 a word, and a guess by the pieces of each
    word (long words, digits, symbols and other scripts cost more). Both sums add up, so a text never costs more than
    its parts, nor less than one of them. What it was compared with stands in `docs/decisions/0008-how-lines-are-ranked-and-packed.md`.
    """

    def count(self, text: str) -> int:
        """How many tokens the text costs."""
        words = text.split()
        return math.ceil(max(TOKENS_A_WORD * len(words), sum(map(_word, words))) - 1e-9)


@lru_cache(maxsize=32768)
def _word(word: str) -> float:
    core = word.rstrip(_AFTER)
    if core.isalpha() and core.isascii() and (core.islower() or core[1:].islower()):
        return _letters(core) + math.ceil((len(word) - len(core)) / 2)
    return sum(map(_piece, _PIECE.findall(word)))


def _piece(piece: str) -> float:
    first = piece[0]
    if first.isascii():
        return sum(map(_letters, _CAMEL.split(piece))) if first.isalpha() else math.ceil(len(piece) / 2)
    if first < "\u0590" or "\u2010" <= first <= "\u203a":
        return math.ceil(len(piece) / 2)
    if first < "\u0700":
        return float(len(piece))
    return 1.5 if first < "\U00010000" else 2.5


def _letters(part: str) -> float:
    """A run of Latin letters, with `'s` or the like: the means of two current vocabularies, rounded up."""
    if not part.isalpha():
        return 1.0 + _letters(part[: part.index("'" if "'" in part else "’")])
    if part.isupper() and len(part) > 2:
        return math.ceil(len(part) / 2)
    size = len(part)
    if size <= 7:
        return 1.0 if part.islower() else 1.15
    if not part.islower():
        return 1.5 if size <= 10 else math.ceil(size / 5)
    if size <= 14:
        return 1.15 if size <= 10 else 1.3
    return math.ceil(size / 5)
