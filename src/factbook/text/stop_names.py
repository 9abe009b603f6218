"""Words that are never the name of an entity: greetings, pronouns, times, bare numbers."""

from __future__ import annotations

import re

from factbook.text.word_lists import load_words

GREETINGS = load_words("text/stop_names", "greetings")

PRONOUNS = load_words("text/stop_names", "pronouns")

TIMES = load_words("text/stop_names", "times")

GENERIC = load_words("text/stop_names", "generic")
"""Initials and words that stand for any of their sort."""

_INTERJECTION = re.compile(
    r"a+w+|h+m+|w+h?o+a+h*|y+a+y+|o+h+|a+h+|u+g+h+|w+o+w+|y+e+s+|s+o+|y+e+a+h*|(?:h+[aeio]+)+h*|"
    r"e+w+|m+"
)

_DETERMINERS = load_words("text/stop_names", "determiners")
_NEVER = GREETINGS | PRONOUNS | TIMES | GENERIC | _DETERMINERS
_NUMBER = re.compile(
    r"(?:[\W_]++|\d++(?:st|nd|rd|th|k|m|bn|x|h|s|ms|gb|mb|kb|tb|am|pm)?)*", re.IGNORECASE
)
_OUTER = " \t\r\n.,;:!?\"'()[]{}<>“”‘’*_~`|-–—"


def is_greeting(word: str) -> bool:
    """Returns whether a word in lower case is a greeting or an exclamation, drawn out or not."""
    return word in GREETINGS or bool(_INTERJECTION.fullmatch(word))


def is_stop_name(name: str) -> bool:
    """Returns whether the name is made of nothing but greetings, pronouns, times, articles, numbers
    and punctuation.
    """
    words = [word.strip(_OUTER) for word in name.casefold().replace("’", "'").split()]
    words = [word for word in words if word]
    if not words:
        return True
    return all(
        word in _NEVER or bool(_NUMBER.fullmatch(word) or _INTERJECTION.fullmatch(word))
        for word in words
    )
