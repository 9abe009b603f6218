"""Our own lists of names and roles, read when they are first needed.

The files beside this one hold them. What stands in a list is evidence for a kind, never the last
word: the sentence and what a space knows already can outweigh it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from factbook.text.nicknames import formal_names

Gender = Literal["female", "male", "either"]

_KINDS = {
    "technologies": "technology",
    "products": "product",
    "organizations": "organization",
    "places": "place",
}
MOST_WORDS = 6
"""Tokens of the longest listed name."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A listed name as it is written; `common` where it is an ordinary word too."""

    name: str
    kind: str
    common: bool


@dataclass(frozen=True, slots=True)
class GivenName:
    """A listed given name; `common` where it is an ordinary word, or a place, too."""

    name: str
    gender: Gender
    common: bool


@cache
def listed_names() -> Mapping[str, tuple[Listed, ...]]:
    """Names of technologies, products, organizations and places, by their lower-case form."""
    out: dict[str, tuple[Listed, ...]] = {}
    for file, kind in _KINDS.items():
        for entry in _entries(file):
            name = entry.removesuffix("*")
            out[name.lower()] = (
                *out.get(name.lower(), ()),
                Listed(name, kind, entry.endswith("*")),
            )
    return out


@cache
def given_names() -> Mapping[str, GivenName]:
    """Given names by their lower-case form; one that stands under both genders is `either`."""
    out: dict[str, GivenName] = {}
    gender: Gender = "either"
    for line in _lines("given_names"):
        match line:
            case "[female]":
                gender = "female"
            case "[male]":
                gender = "male"
            case "[either]":
                gender = "either"
            case _:
                for entry in line.split():
                    name = entry.removesuffix("*")
                    other = out.get(name.lower())
                    both = other is not None and other.gender != gender
                    common = entry.endswith("*") or (other is not None and other.common)
                    out[name.lower()] = GivenName(name, "either" if both else gender, common)
    return out


def given_name(word: str) -> GivenName | None:
    """The given name that a word in lower case is; short forms count too."""
    listed = given_names().get(word)
    if listed is None and (formal := formal_names(word)):
        genders: set[Gender] = {
            found.gender for name in formal if (found := given_names().get(name))
        }
        return GivenName(
            word.title(), genders.pop() if len(genders) == 1 else "either", common=True
        )
    return listed


@cache
def surnames() -> frozenset[str]:
    """Family names, in lower case."""
    return frozenset(name.lower() for line in _lines("surnames") for name in line.split())


@cache
def role_words() -> frozenset[str]:
    """Nouns with which a role ends (`engineer`), in lower case."""
    return frozenset(entry.lower() for entry in _roles()["[last word]"])


@cache
def role_beginnings() -> tuple[str, ...]:
    """Words with which a role begins, whatever follows (`head of`), in lower case."""
    return tuple(entry.lower() for entry in _roles()["[first words]"])


@cache
def _roles() -> Mapping[str, tuple[str, ...]]:
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in _lines("roles"):
        if line.startswith("["):
            current = sections.setdefault(line, [])
        else:
            current.extend(_split(line))
    return {section: tuple(entries) for section, entries in sections.items()}


def _entries(file: str) -> Iterator[str]:
    for line in _lines(file):
        yield from _split(line)


def _split(line: str) -> list[str]:
    return [entry for part in line.split(",") if (entry := part.strip())]


def _lines(file: str) -> Iterator[str]:
    text = files(__name__).joinpath(f"{file}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if (line := line.strip()) and not line.startswith("#"):
            yield line
