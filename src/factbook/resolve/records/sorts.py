"""What sort of value an attribute holds, by its name and else by its values; and the form in which
values compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Literal

from factbook.text.names import fold, joined_name
from factbook.text.word_lists import load_lines, load_words

Sort = Literal["name", "words", "number", "date", "code", "postal", "category", "text"]

Record = Mapping[str, tuple[str, ...]]
"""The attributes of one entity by name in snake_case, each with all its values ever; those without
a value are absent.
"""

_ORDER: tuple[Sort, ...] = ("date", "postal", "code", "number", "name", "words", "category")
_BY_NAME: Mapping[str, Sort] = {
    word: sort for sort in reversed(_ORDER) for word in load_words("resolve/attribute_sorts", sort)
}
"""The sort that a word of an attribute's name tells; the first of the order where it stands
in two.
"""

PLACE_WORDS = load_words("resolve/attribute_words", "place")
"""Words of attributes that people who live or work together share."""

OWN_CODES = load_words("resolve/attribute_words", "own codes")
"""Words of attributes whose value belongs to one alone."""

FOR_LIFE = load_words("resolve/attribute_words", "for life")
"""Words of attributes that one has one value of, for ever."""

ENOUGH_VALUES = 200
"""So many values of an attribute tell its sort."""

_UNKNOWN = frozenset(load_lines("resolve/attribute_words", "unknown"))
"""Words for a value that isn't known, as `fold` gives them."""
_MASKED = re.compile(r"\[[a-z]+(?:[:_ ][0-9a-z_]+)*\]")
_OFFICES = load_words("resolve/attribute_words", "offices")
"""Mailboxes that several people share."""
_DATE = re.compile(r"\d{8}|\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4}")
_PARTED = re.compile(r"[-/.]")
_CODE = re.compile(r"(?=.*\d)[\w.+@-]{5,}|[^@\s]+@[^@\s]+")


def attribute_sort(attribute: str, values: Iterable[str] = ()) -> Sort:
    """Returns the sort of an attribute: by the words of its name, else by most of its values."""
    words = [
        word
        for word in attribute.casefold().replace("-", "_").split("_")
        if word and not word.isdigit()
    ]
    for word in reversed(words):
        if word in _BY_NAME:
            return _BY_NAME[word]
    return _by_values([value for value in islice(values, ENOUGH_VALUES) if value])


def is_of_place(attribute: str) -> bool:
    """Returns whether an attribute tells a household, not one of it."""
    return any(word in PLACE_WORDS for word in attribute.casefold().split("_"))


def is_own_code(attribute: str) -> bool:
    """Returns True for what belongs to one alone, such as an e-mail address or a passport's
    number.
    """
    return any(word in OWN_CODES for word in attribute.casefold().split("_"))


def is_for_life(attribute: str) -> bool:
    """Returns True for what one has one value of, for ever, such as a date of birth."""
    return any(word in FOR_LIFE for word in attribute.casefold().split("_"))


def _by_values(values: list[str]) -> Sort:
    if not values:
        return "text"
    most = 0.8 * len(values)
    for sort, pattern in (("date", _DATE), ("code", _CODE)):
        if sum(bool(pattern.fullmatch(value.strip())) for value in values) >= most:
            return "date" if sort == "date" else "code"
    if sum(value.strip().replace(".", "").isdigit() for value in values) >= most:
        return "number"
    return "category" if len(values) >= 50 and len(set(values)) <= len(values) / 10 else "text"


@lru_cache(maxsize=65536)
def normal_form(sort: Sort, value: str) -> str:
    """Returns the form in which values of that sort compare; empty for one that says nothing.

    Nothing say words for a value that isn't known, what masking left (`[email]`), codes of one
    sign, and the mailboxes of an office.
    """
    if fold(value) in _UNKNOWN or _MASKED.fullmatch(value.strip()):
        return ""
    if sort == "code" and (
        len(set(value) - set(" ()/.-")) < 2
        or value.strip().casefold().partition("@")[0] in _OFFICES
    ):
        return ""
    if sort == "date":
        return _date_digits(value)
    if sort == "code":
        return (
            re.sub(r"[\s()/.-]+", "", value.casefold())
            if "@" not in value
            else value.strip().casefold()
        )
    if sort in ("number", "postal"):
        return joined_name(value).lstrip("0") or joined_name(value)
    return fold(value)


def _date_digits(value: str) -> str:
    """Returns year, month and day as eight digits, where the value gives them in figures."""
    bare = value.strip()[:10]
    if not _DATE.fullmatch(bare):
        return fold(value)
    parts = _PARTED.split(bare)
    if len(parts) == 1:
        return bare
    year, others = (parts[0], parts[1:]) if len(parts[0]) == 4 else (parts[2], parts[1::-1])
    return year + "".join(part.zfill(2) for part in others)
