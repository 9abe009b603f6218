"""Words around a name that don't name: legal forms, titles, generations, type words, small
words.
"""

from __future__ import annotations

from collections.abc import Mapping

from factbook.text.word_lists import load_groups, load_pairs, load_sections, load_words

LEGAL_FORMS: Mapping[str, str] = load_groups("text/legal_forms")
"""Legal forms of companies by their folded spelling, to one spelling each. Dotted forms fold to
spaced letters.
"""

TITLES: Mapping[str, str] = load_groups("text/name_parts", "titles")
"""Titles before a person's name. `sr` before a name is a title, after it a generation."""

MALE_TITLES = frozenset({"mr", "sir", "lord", "fr"})
FEMALE_TITLES = frozenset({"mrs", "ms", "dame", "lady", "sister"})

CREDENTIALS = load_words("text/name_parts", "credentials")
"""Letters after a person's name."""

GENERATIONS: Mapping[str, str] = load_groups("text/name_parts", "generations")
"""Generations after a person's name."""

PARTICLES = load_words("text/name_parts", "particles")
"""Words that belong to the surname which follows them."""

SMALL_WORDS = load_words("text/name_parts", "small words")
"""Words of a name that don't tell it from another."""

TYPE_WORDS: Mapping[str, frozenset[str]] = {
    kind: load_words("text/type_words", kind)
    for kind in load_sections("text/type_words")
    if kind not in ("", "any")
}
"""Words that only say of which kind a name is, by that kind; they stand first or last."""

ANY_TYPE_WORD: frozenset[str] = frozenset(
    word for some in TYPE_WORDS.values() for word in some
) | load_words("text/type_words", "any")

ABBREVIATIONS: Mapping[str, str] = load_pairs("text/abbreviations")
"""Words of places, organizations and things that are written short, to the long form."""

US_STATES: Mapping[str, str] = load_pairs("text/abbreviations", "us states")
"""Postal abbreviations as they stand after the comma of a place, with the folded name, spaces as
`_`.
"""
