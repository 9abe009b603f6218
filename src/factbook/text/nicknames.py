"""Short and pet forms of given names, and names that look alike."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from factbook.text.word_lists import load_lines, load_words


def formal_names(given: str) -> frozenset[str]:
    """Returns the formal names that a folded given name may be short for; empty if it is not known
    as a short form.
    """
    return _load_formal().get(given, frozenset())


def is_known_given(given: str) -> bool:
    """Returns True for a folded given name that stands in the table, formal or short."""
    return given in _load_heads() or given in _load_formal()


def same_given(left: str, right: str) -> bool:
    """Returns whether one of two folded given names is a short form of the other."""
    return right in formal_names(left) or left in formal_names(right)


def share_formal(left: str, right: str) -> bool:
    """Returns whether both are short forms of one formal name (Bob and Rob)."""
    return bool(formal_names(left) & formal_names(right))


def is_known_name(word: str) -> bool:
    """Returns True for a folded given or family name that is common and looks like another: such a
    one is no misspelling.
    """
    return word in _load_similar() or is_known_given(word)


@cache
def _load_formal() -> Mapping[str, frozenset[str]]:
    """Returns the formal names by every short form."""
    formal: dict[str, set[str]] = {}
    for line in load_lines("text/nicknames"):
        head, *short = line.split()
        for name in short:
            formal.setdefault(name, set()).add(head)
    return {name: frozenset(heads) for name, heads in formal.items()}


@cache
def _load_heads() -> frozenset[str]:
    return frozenset(line.split()[0] for line in load_lines("text/nicknames"))


@cache
def _load_similar() -> frozenset[str]:
    return load_words("text/similar_names")
