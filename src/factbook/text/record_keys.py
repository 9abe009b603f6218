"""Keys of other programs' records: who spoke, and when, where `as_message` doesn't read it.

Such a record would become a message of the space's own user, dated today. It is refused instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, cast

from factbook.errors import InputError
from factbook.text.word_lists import load_words

AUTHOR_KEYS = ("role", "speaker", "name")
TIME_KEYS = ("at", "timestamp", "created_at", "time", "date")

_READ = {*AUTHOR_KEYS, *TIME_KEYS, "content", "text", "id"}
_ENVELOPES = frozenset("meta metadata info header headers envelope properties extra".split())
_AUTHOR = load_words("text/record_keys", "author")
_PERHAPS_AUTHOR = _AUTHOR | frozenset("user who by actor u role".split())
"""With a role beside it, `user` is an account's name more often than a speaker's."""
_OF_AUTHOR = load_words("text/record_keys", "of author")
_OF_NAME = frozenset("name display full real screen".split())
_OF_TIME = load_words("text/record_keys", "of time")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
_INSTANT = re.compile(
    r"\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?\s*$"
)
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b\d{1,2}:\d\d\b|\b\d{1,2},? (?:19|20)\d\d\b|"
    r"^\d{9,19}(?:\.\d+)?$"
)
_EPOCHS = ((5e8, 5e9), (5e11, 5e12), (5e14, 5e15), (5e17, 5e18))
"""Seconds, milliseconds, microseconds and nanoseconds since 1970, from 1985 to 2128."""


def refuse_unread(data: Mapping[str, Any]) -> None:
    """Raises InputError where a record says its author or its time only under a key that is not
    read.
    """
    role, named = data.get("role"), data.get("speaker", data.get("name"))
    authors: list[str] = []
    if not named and role in (None, "", "user"):
        authors = [
            key
            for key, value in _unread_entries(data)
            if _is_author(key, value, beside_role=bool(role))
        ]
    times: list[str] = []
    if all(data.get(key) in (None, "") for key in TIME_KEYS):
        times = [
            key
            for key, value in _unread_entries(data)
            if _is_time(key, value) and key not in authors
        ]
    if authors or times:
        parts = [
            f"its {what} stands under {key[0]!r}, which is not read (read are "
            f"{', '.join(read[:-1])} and {read[-1]})"
            for what, key, read in (("author", authors, AUTHOR_KEYS), ("time", times, TIME_KEYS))
            if key
        ]
        raise InputError("; ".join(parts))


def is_author_key(key: str) -> bool:
    """Returns whether a key, or a column's heading, is one of an author's."""
    words = _key_words(key)
    return bool(words & _PERHAPS_AUTHOR) and words <= _PERHAPS_AUTHOR | _OF_AUTHOR


def is_time_key(key: str) -> bool:
    """Returns whether a key, or a column's heading, is one of a time's."""
    return bool(_key_words(key) & _OF_TIME)


def _unread_entries(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields unread keys with their values, also those within an envelope."""
    for key, value in data.items():
        if isinstance(value, Mapping) and key.lower() in _ENVELOPES:
            inner = cast(Mapping[str, Any], value)
            yield from ((f"{key}.{name}", each) for name, each in inner.items())
        elif key not in _READ:
            yield key, value


def _is_author(key: str, value: object, *, beside_role: bool) -> bool:
    words = _key_words(key.rpartition(".")[2])
    known = _AUTHOR if beside_role else _PERHAPS_AUTHOR
    if not words & known or not words <= known | _OF_AUTHOR:
        may_name = not beside_role and "name" in words and words <= _OF_NAME
        return may_name and isinstance(value, str) and bool(value.strip())
    if isinstance(value, str):
        said = value.strip()
        if not said or _INSTANT.match(value):
            return False
        return not (beside_role and said.lower() == "user")
    return isinstance(value, Mapping | int) and value not in (False, True, 0, {})


def _is_time(key: str, value: object) -> bool:
    if isinstance(value, date):
        return True
    if isinstance(value, str):
        return bool(_INSTANT.match(value)) or (is_time_key(key) and bool(_TIME.search(value)))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return is_time_key(key) and any(low <= value <= high for low, high in _EPOCHS)
    return False


def _key_words(key: str) -> set[str]:
    """Returns the words of a key: `sentAt`, `sent_at` and `Sent at` have the same."""
    return {word.lower() for word in _WORD.findall(key)}
