"""Counting tokens without a tokenizer: an estimate that is on the safe side."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from factbook.text.common_words import is_common
from factbook.text.index_words import STOP_WORDS

TOKENS_A_WORD = 1.3
"""Document 002's counter: what a white-space word of English costs in the mean."""

_PIECE = re.compile(
    r"[A-Za-z]+(?:['’][a-z]{1,2}(?![a-z]))?|[0-9]+|[\u00c0-\u024f\u0370-\u03ff\u0400-\u052f]+|"
    r"[\u0590-\u06ff]+"
    r"|[!-/:-@\[-`{-~\u2010-\u201f\u2026\u2039\u203a]+|[^\x00-\x7f\s]"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ASCII_WORD = re.compile(r"[A-Za-z]+")
_CODE = re.compile(r"[A-Za-z0-9+/=_-]{24}")
_IN_CODE = (re.compile(r"\d"), re.compile("[a-z]"), re.compile("[A-Z]"))
"""What looks like base64: a run of its letters, with each of these in it or behind it."""

_AFTER = ".,!?;:\"'”’"
_LONGEST_KEPT = 2000
"""Characters of a line, or of a word, whose count is kept for the next time."""
_LONGEST_COMMON = 32
"""Letters beyond which no word is looked up among the everyday ones, which would be kept for the
next time.
"""
_SHORTEST_TELLING = 4
"""Letters of a word that tells whether a line is English."""
_A_FOREIGN_LETTER = 0.33
"""Tokens a letter of the words of other languages: the mean of 40 in Latin letters, rounded up."""


class Estimate:
    """Counts tokens safely without knowing the model.

    The larger of two sums: document 002's 1.3 a white-space word, and a guess by the pieces of each
    word of each line (long words, digits, symbols and other scripts cost more, and so do words of
    other languages in Latin letters). Both sums add up, so a text never costs more than its lines,
    nor less than one of them. What it was compared with stands in
    `docs/decisions/0008-how-lines-are-ranked-and-packed.md`.
    """

    def count(self, text: str) -> int:
        """Counts the tokens of the text."""
        words, cost = 0, 0.0
        for line in text.split("\n"):
            more, price = _line(line) if len(line) <= _LONGEST_KEPT else _measure_line(line)
            words += more
            cost += price
        return math.ceil(max(TOKENS_A_WORD * words, cost) - 1e-9)


def _measure_line(line: str) -> tuple[int, float]:
    """Returns how many words of white space a line has, and what they cost."""
    words = line.split()
    if not words:
        return 0, 0.0
    cost, strange, more = _price_beginning(words[0]), 0, 0.0
    for price, strangeness, extra in map(_price_parts, words):
        cost += price
        strange += strangeness
        more += extra
    return len(words), cost + more if strange > 0 else cost


_line = lru_cache(maxsize=4096)(_measure_line)


def _price_beginning(word: str) -> float:
    """Returns the cost of the line end before and of a line's beginning: vocabularies hold words
    with a space before them.
    """
    return 1.0 if word[0].isupper() and len(word) > _SHORTEST_TELLING else 0.5


def _price_parts(word: str) -> tuple[float, int, float]:
    """Returns a word's cost, its strangeness, and its extra cost in a line of another language."""
    return _priced(word) if len(word) <= _LONGEST_KEPT else _price_bare(word)


def _price_bare(word: str) -> tuple[float, int, float]:
    return _price_letters(word), _weigh_strangeness(word), _price_extra(word)


_priced = lru_cache(maxsize=32768)(_price_bare)


def _price_letters(word: str) -> float:
    core = word.rstrip(_AFTER)
    is_latin = core.isalpha() and core.isascii()
    if is_latin and (core.islower() or core[1:].islower()):
        return _price_latin(core) + math.ceil((len(word) - len(core)) / 2)
    if _is_code(word):
        return 0.8 * len(word)
    # No vocabulary has a token of a space and a digit.
    return sum(map(_price_piece, _PIECE.findall(word))) + word[0].isdigit()


def _is_code(word: str) -> bool:
    run = _CODE.search(word)
    return run is not None and all(sort.search(word, run.start()) for sort in _IN_CODE)


def _weigh_strangeness(word: str) -> int:
    """Returns 1 for a word that is none of everyday English, -1 for one that is, else 0."""
    core = word.rstrip(_AFTER).lstrip("\"'“‘(").lower()
    if len(core) < _SHORTEST_TELLING or not core.isalpha():
        return 0
    return -1 if core in STOP_WORDS or (len(core) <= _LONGEST_COMMON and is_common(core)) else 1


def _price_extra(word: str) -> float:
    """Returns a word's extra cost in a line of another language than English."""
    return sum(max(_A_FOREIGN_LETTER * len(part) - 1.0, 0.0) for part in _ASCII_WORD.findall(word))


def _price_piece(piece: str) -> float:
    first = piece[0]
    if first.isascii():
        return (
            sum(map(_price_latin, _CAMEL.split(piece)))
            if first.isalpha()
            else math.ceil(len(piece) / 2)
        )
    if first < "\u0590" or "\u2010" <= first <= "\u203a":
        return math.ceil(len(piece) / 2)
    if first < "\u0700":
        return float(len(piece))
    return 1.5 if first < "\U00010000" else 2.5


def _price_latin(part: str) -> float:
    """Returns the price of a run of Latin letters: the mean of two current vocabularies, rounded
    up.
    """
    if not part.isalpha():
        return 1.0 + _price_latin(part[: part.index("'" if "'" in part else "’")])
    if part.isupper() and len(part) > 2:
        return math.ceil(len(part) / 2)
    size = len(part)
    if size == 1 or (size <= _LONGEST_COMMON and is_common(part.lower())):
        return 1.0
    if size <= 7:
        return 1.05 if part.islower() else 1.15
    if not part.islower():
        return 1.5 if size <= 10 else math.ceil(size / 5)
    if size <= 14:
        return 1.15 if size <= 10 else 1.3
    return math.ceil(size / 5)
