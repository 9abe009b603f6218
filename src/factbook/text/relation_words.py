"""What people call each other's relations in everyday words: `manager`, `sister`, `employer`,
`lives in`.

Each word leads along labels of relations, in the form that `model.relations.known_label` gives
them, and attributes that may hold the name instead. `>reports_to` goes from whom is spoken of along
the label, `<manages` against it, `~sibling_of` either way. A general lexicon of English, not of any
one domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from factbook.text.word_lists import load_lines, load_pairs

Direction = Literal[">", "<", "~"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RelationWord:
    """The relations that a word leads along: (direction, label), or `otherwise` where there are
    none of these; attributes that may name the other end; and the kinds of that, if only some.
    """

    ways: tuple[tuple[Direction, str], ...] = ()
    otherwise: tuple[tuple[Direction, str], ...] = ()
    attributes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


_IRREGULAR = load_pairs("text/relation_words", "irregular")


@lru_cache(maxsize=4096)
def relation_of_noun(noun: str, *, former: bool = False) -> RelationWord | None:
    """Returns the role of a folded noun in the singular or plural; None for any other noun."""
    tables = (_load_table("former"), _load_table("nouns")) if former else (_load_table("nouns"),)
    found = (table.get(form) for table in tables for form in singular_forms(noun))
    return next((known for known in found if known is not None), None)


@lru_cache(maxsize=4096)
def relation_of_verb(verb: str, after: str = "", *, exactly: bool = False) -> RelationWord | None:
    """Returns the role of a folded verb, from its subject to its object; None for any other verb.

    Args:
        after: the word that follows it, which may be its preposition. exactly: with another
            preposition than its own, it means something else.
    """
    table = _load_verbs()
    for form in verb_forms(verb):
        found = table.get((form, after))
        if found is None and not (exactly and after in PREPOSITIONS):
            found = table.get((form, ""))
        if found is not None:
            return found
    return None


@lru_cache(maxsize=4096)
def singular_forms(noun: str) -> tuple[str, ...]:
    """Returns the noun and what it may be the plural of."""
    out = [noun, *([_PLURALS[noun]] if noun in _PLURALS else ())]
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if noun.endswith(ending) and len(noun) - len(ending) > 2:
            out.append(noun[: -len(ending)] + instead)
    return tuple(out)


_PLURALS = {"children": "child", "people": "person", "wives": "wife", "folks": "folk"}


@lru_cache(maxsize=4096)
def verb_forms(verb: str) -> tuple[str, ...]:
    """Returns the verb and what it may be a form of: `managed`, `manage`."""
    out = [verb]
    if verb in _IRREGULAR:
        out.append(_IRREGULAR[verb])
    for ending, instead in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ed", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
    ):
        if verb.endswith(ending) and len(verb) - len(ending) > 2:
            out.append(verb[: -len(ending)] + instead)
    return tuple(out)


@cache
def _load_table(section: str) -> Mapping[str, RelationWord]:
    return {name: read for names, read in _read_lines(section) for name in names}


@cache
def _load_verbs() -> Mapping[tuple[str, str], RelationWord]:
    """Returns words by verb and preposition; of a verb alone, the first line that has it."""
    out: dict[tuple[str, str], RelationWord] = {}
    for names, read in _read_lines("verbs"):
        after = [name for name in names if name in PREPOSITIONS]
        for verb in names:
            if verb not in PREPOSITIONS:
                out.setdefault((verb, ""), read)
                out.update(((verb, each), read) for each in after)
    return out


def _read_lines(section: str) -> Iterator[tuple[list[str], RelationWord]]:
    for line in load_lines("text/relation_words", section):
        names, *rest = line.split("|")
        marks = " ".join(rest).split()
        first: list[tuple[Direction, str]] = []
        then: list[tuple[Direction, str]] = []
        ways = first
        for mark in marks:
            match mark[0]:
                case ">" | "<" | "~" as direction:
                    ways.append((direction, mark[1:]))
                case "/":
                    ways = then
                case _:
                    pass
        read = RelationWord(
            ways=tuple(first),
            otherwise=tuple(then),
            attributes=tuple(mark[1:] for mark in marks if mark[0] == "="),
            kinds=tuple(mark[1:] for mark in marks if mark[0] == "@"),
        )
        yield names.split(), read


PREPOSITIONS = frozenset("at for on with in to from".split())
"""Those that belong to a verb's meaning: `works at`, `works on`."""
