"""Names of organizations, places and things: content words, numbers, symbols, qualifiers; and
whether two are one.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from factbook.resolve.verdict import (
    Decision,
    decide_ask,
    decide_merge,
    decide_separate,
    decide_veto,
    judge_misspelling,
)
from factbook.text.legal_forms import (
    ABBREVIATIONS,
    ANY_TYPE_WORD,
    LEGAL_FORMS,
    SMALL_WORDS,
    TYPE_WORDS,
    US_STATES,
)
from factbook.text.names import (
    clean_name,
    find_acronyms,
    fold,
    fold_digraphs,
    has_unspaced,
    joined_name,
    usual_name,
)

_PLAIN_FORMS = frozenset(form for form in LEGAL_FORMS if len(form) > 2)
"""Legal forms that are hardly anything else; the shorter ones are words and states too."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SYMBOLS = re.compile(r"(?<=\w)[+#*]+")
_ROMAN = {
    "II": "2",
    "III": "3",
    "IV": "4",
    "VI": "6",
    "VII": "7",
    "VIII": "8",
    "IX": "9",
    "XI": "11",
    "XII": "12",
}
_LONG_FORMS = (
    "l l c",
    "l l p",
    "g m b h",
    "p l c",
    "s a",
    "s p a",
    "s r l",
    "b v",
    "n v",
    "a b",
    "a g",
)
_VERSION = re.compile(r"\b(?:version|ver|v|no|nr|number)\s*(?=\d)")
_ASKED_ABOUT = frozenset({"organization", "place"})
"""Kinds whose names people shorten by whole words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Thing:
    """A thing's name by the roles of its words, folded.

    Attributes:
        words: what it is called, without small words, legal form and type word; abbreviations
            written out.
        numbers, symbols: which stand in it, in order.
        forms, types: the legal forms and type words that were left out.
        qualifier: what stands after a comma or in parentheses.
    """

    words: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    forms: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    qualifier: tuple[str, ...] = ()


@lru_cache(maxsize=8192)
def parse_thing(name: str, kind: str) -> Thing:
    """Returns the roles of a name's words, for a kind (`other` leaves out any type word)."""
    seen = clean_name(name)
    head, qualifier = _split_qualifier(seen)
    folded = _VERSION.sub("", fold(_with_arabic(head)))
    for dotted in _LONG_FORMS:
        folded = re.sub(rf"\b{dotted}$", dotted.replace(" ", ""), folded)
    words, forms = _without_forms(folded.split(), kind)
    types: frozenset[str] = frozenset()
    if kind != "person":
        words, types = _without_types(
            words, TYPE_WORDS.get(kind, frozenset() if kind != "other" else ANY_TYPE_WORD)
        )
    kept = tuple(ABBREVIATIONS.get(word, word) for word in _content_words(words, head))
    return Thing(
        words=kept,
        numbers=tuple(number.replace(",", ".") for number in _NUMBER.findall(" ".join(words))),
        symbols=tuple(_SYMBOLS.findall(" ".join(words))),
        forms=forms,
        types=types,
        qualifier=_written_out(qualifier) if qualifier else (),
    )


def _split_qualifier(seen: str) -> tuple[str, list[str]]:
    """Splits a name into its head and the folded words after a comma or in parentheses; a legal
    form is no qualifier.
    """
    found = re.fullmatch(r"(.+?)\s*(?:\(([^()]+)\)|,\s*(.+))", seen)
    if not found:
        return seen, []
    head, rest = found[1], fold(found[2] or found[3])
    if joined_name(rest) in LEGAL_FORMS or all(word in LEGAL_FORMS for word in rest.split()):
        return f"{head} {found[2] or found[3]}", []
    return head, rest.split()


def _with_arabic(head: str) -> str:
    first, *rest = head.split(" ")
    return " ".join([first, *(_ROMAN.get(word, word) for word in rest)])


def _content_words(words: list[str], head: str) -> list[str]:
    """Returns the words but for small ones; what stands last or in capitals is none of these."""
    capitals = (
        set[str]()
        if head.isupper()
        else {fold(word) for word in head.split() if word.isupper() and len(word) > 1}
    )
    kept = [word for word in words[:-1] if word not in SMALL_WORDS or word in capitals]
    return [*kept, *words[-1:]]


def _written_out(qualifier: list[str]) -> tuple[str, ...]:
    if len(qualifier) == 1 and qualifier[0] in US_STATES:
        return tuple(US_STATES[qualifier[0]].split("_"))
    return tuple(ABBREVIATIONS.get(word, word) for word in _content_words(qualifier, ""))


def _without_forms(words: list[str], kind: str) -> tuple[list[str], frozenset[str]]:
    """Returns the words without legal forms, and these; of an unknown kind, only plain legal
    forms.
    """
    forms: set[str] = set()
    if kind not in ("organization", "other"):
        return words, frozenset()
    ending = LEGAL_FORMS if kind == "organization" else _PLAIN_FORMS
    while len(words) > 1 and words[-1] in ending:
        forms.add(LEGAL_FORMS[words[-1]])
        words = words[:-1]
    if len(words) > 1 and words[-1] == "and" and forms:
        words = words[:-1]
    if len(words) > 1 and not words[0].isascii() and words[0] in LEGAL_FORMS:
        forms.add(LEGAL_FORMS[words[0]])
        words = words[1:]
    return words, frozenset(forms)


def _without_types(words: list[str], types: frozenset[str]) -> tuple[list[str], frozenset[str]]:
    left_out: set[str] = set()
    while len(words) > 1 and words[-1] in types:
        left_out.add(words[-1])
        words = words[:-1]
    while len(words) > 1 and words[0] in types:
        left_out.add(words[0])
        words = words[1:]
    return words, frozenset(left_out)


def compare_things(
    left_name: str, right_name: str, *, kind: str = "other", rivals: int = 0
) -> Decision:
    """Returns whether two names of that kind are one thing's.

    Equal content words merge. An extra word makes another thing, but organizations and places are
    asked about.
    """
    if joined_name(left_name) == joined_name(right_name):
        sure = 1.0 if fold(left_name) == fold(right_name) else 0.98
        return decide_merge(
            sure, "the same name" if sure == 1.0 else "the same letters, joined otherwise"
        )
    if usual_name(left_name, kind) == usual_name(right_name, kind):
        return decide_merge(0.96, "two usual names of one thing, by the curated list")
    if fold_digraphs(left_name) == fold_digraphs(right_name):
        return decide_merge(0.97, "the same name with umlauts spelled out")
    if _is_numeronym(left_name, right_name) or _is_numeronym(right_name, left_name):
        return decide_merge(0.9, "one is the other with its middle letters counted")
    left, right = parse_thing(left_name, kind), parse_thing(right_name, kind)
    if reason := _find_veto(left, right):
        return decide_veto(reason)
    if _is_acronym(left_name, right_name) or _is_acronym(right_name, left_name):
        return _by_acronym(min(left_name, right_name, key=len), rivals=rivals)
    if left.words == right.words or "".join(left.words) == "".join(right.words):
        return _same_words(left, right)
    if has_unspaced(left_name) or has_unspaced(right_name):
        return decide_separate("different names")
    spelt = (
        parse_thing(fold_digraphs(left_name), kind),
        parse_thing(fold_digraphs(right_name), kind),
    )
    if not (left_name + right_name).isascii() and spelt[0].words == spelt[1].words:
        return _same_words(*spelt)
    return _by_words(left, right, kind=kind)


def _find_veto(left: Thing, right: Thing) -> str:
    if left.numbers != right.numbers:
        return (
            f"numbers differ ({' '.join(left.numbers) or 'none'}, "
            f"{' '.join(right.numbers) or 'none'})"
        )
    if left.symbols != right.symbols:
        return "symbols differ"
    if _disagree(left.qualifier, right.qualifier):
        return f"qualified differently ({' '.join(left.qualifier)}, {' '.join(right.qualifier)})"
    return ""


def _disagree(left: Collection[str], right: Collection[str]) -> bool:
    """Returns whether both names say something, and not the same."""
    return bool(left and right) and left != right


def _is_numeronym(short: str, long: str) -> bool:
    found = re.fullmatch(r"([a-z])(\d{1,2})([a-z])", joined_name(short))
    word = joined_name(long)
    if not found or not word.isalpha():
        return False
    return (word[0], len(word) - 2, word[-1]) == (found[1], int(found[2]), found[3])


def _is_acronym(short: str, long: str) -> bool:
    letters = find_acronyms(re.sub(r"\W+$", "", clean_name(short))) or find_acronyms(
        clean_name(short)
    )
    if not letters or (" " in fold(short) and not _is_dotted(short)):
        return False
    words = [word for word in fold(long).split() if word not in LEGAL_FORMS]
    initials = {
        "".join(word[0] for word in words),
        "".join(word[0] for word in words if word not in SMALL_WORDS),
    }
    return len(words) > 1 and letters[0] in initials


def _is_dotted(name: str) -> bool:
    return bool(re.fullmatch(r"(?:[^\W\d_]\.\s?)+", clean_name(name)))


def _by_acronym(short: str, *, rivals: int) -> Decision:
    letters = joined_name(short)
    reason = f"{letters.upper()} are the other's initials"
    if len(letters) < 3:
        return decide_ask(0.4, reason, "but two letters are too few")
    return (
        decide_ask(0.5, reason, "but they fit others too")
        if rivals
        else decide_merge(0.9, reason, "and fit no other")
    )


def _same_words(left: Thing, right: Thing) -> Decision:
    if _disagree(left.types, right.types):
        return decide_ask(
            0.4,
            f"a {' '.join(sorted(left.types))} and a {' '.join(sorted(right.types))} of one name",
        )
    if _disagree(left.forms, right.forms):
        return decide_ask(0.5, "legal forms differ")
    if left.qualifier != right.qualifier:
        return decide_ask(0.5, "one says more exactly which")
    if left.forms != right.forms:
        return decide_merge(0.95, "the same but for the legal form")
    return decide_merge(0.95, "the same content words")


def _by_words(left: Thing, right: Thing, *, kind: str) -> Decision:
    if sorted(left.words) == sorted(right.words):
        return decide_ask(0.5, "the same words in another order")
    if len(left.words) == len(right.words):
        unlike = [pair for pair in zip(left.words, right.words, strict=True) if pair[0] != pair[1]]
        verdict = judge_misspelling(*unlike[0]) if len(unlike) == 1 else "separate"
        reason = f"{unlike[0][0]} and {unlike[0][1]} differ by a letter"
        if verdict == "merge" and left.qualifier == right.qualifier:
            return decide_merge(0.85, reason, "and sound alike")
        return (
            decide_ask(0.5, reason) if verdict != "separate" else decide_separate("different words")
        )
    short, long = sorted((left.words, right.words), key=len)
    within = any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))
    if within and kind in _ASKED_ABOUT:
        return decide_ask(0.3, f"one name holds the other: {' '.join(long)}")
    return decide_separate("one has a word more" if within else "different words")
