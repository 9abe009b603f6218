"""Persons' names: title, given names, surname with particles, generation; and whether two are
one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    CREDENTIALS,
    FEMALE_TITLES,
    GENERATIONS,
    MALE_TITLES,
    PARTICLES,
    TITLES,
)
from factbook.text.names import clean_name, fold, fold_digraphs, has_unspaced, joined_name
from factbook.text.nicknames import formal_names, same_given, share_formal

SURE = 0.95
"""A merge of at least this score rests on the whole name."""

_SUFFIXES = frozenset({*CREDENTIALS, *GENERATIONS})
"""Words that follow a person's name."""

_VOWELS = frozenset("aeiouy")

_ASIDE = re.compile(r"\(([^)]{0,200})\)|[\"“”„«»]([^\"“”„«»]{0,200})[\"“”„«»]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """A person's name by the roles of its words, folded. `bare` has one word, which stands as the
    surname.
    """

    given: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    surname: str = ""
    titles: frozenset[str] = frozenset()
    generation: str = ""
    aside: str = ""

    @property
    def bare(self) -> bool:
        return not self.given

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.given, *self.particles, self.surname)


@lru_cache(maxsize=8192)
def parse_person(name: str) -> Person:
    """Returns the roles of a name's words."""
    seen = clean_name(name)
    asides = [fold(found[0] or found[1]) for found in _ASIDE.findall(seen)]
    seen = _ASIDE.sub(" ", seen) if _ASIDE.sub(" ", seen).strip() else seen
    words, generation = _split_suffixes(_in_order(seen))
    titles: set[str] = set()
    while len(words) > 1 and words[0] in TITLES:
        titles.add(TITLES[words.pop(0)])
    if not words:
        return Person(surname=fold(name))
    first = len(words) - 1
    while first > 1 and words[first - 1] in PARTICLES:
        first -= 1
    given = tuple(words[:first])
    aside = " ".join(word for word in asides if word and not (given and same_given(word, given[0])))
    return Person(
        given=given,
        particles=tuple(words[first:-1]),
        surname=words[-1],
        titles=frozenset(titles),
        generation=generation,
        aside=aside,
    )


def is_bare_form(name: str, whole: str) -> bool:
    """Returns whether a name is a single word, and the other one has more."""
    return parse_person(name).bare and not parse_person(whole).bare


def _in_order(seen: str) -> list[str]:
    """Returns folded words, given names first: "Osei, Helen" and "OSEI Helen" are turned round."""
    head, *tail = (part.strip() for part in seen.split(","))
    after = [part for part in tail if part and not _is_suffix(part)]
    if after:
        return [
            *_split_words(after[0]),
            *_split_words(head),
            *(word for part in tail if _is_suffix(part) for word in _split_words(part)),
        ]
    words = seen.replace(",", " ").split()
    if len(words) == 2 and _is_in_capitals(words[0]) and not words[1].isupper():
        words.reverse()
    return _split_words(" ".join(words))


def _is_in_capitals(word: str) -> bool:
    """Returns True for a surname written in capitals, not for a run of initials."""
    if not _has_only_capitals(word) or len(word) < 3:
        return False
    return len(word) > 3 or not _VOWELS.isdisjoint(fold(word))


def _is_run_of_initials(word: str) -> bool:
    """Returns True for "JR", which may be a short surname in capitals as well."""
    return 1 < len(word) <= 3 and _has_only_capitals(word)


def _has_only_capitals(word: str) -> bool:
    return word.isalpha() and word.isupper()


def _is_suffix(part: str) -> bool:
    return _SUFFIXES.issuperset(joined_words(part))


def joined_words(part: str) -> list[str]:
    """Returns the words of a part without dots: `Ph.D.` is phd."""
    return [joined_name(word) for word in part.split()]


def _split_words(text: str) -> list[str]:
    """Returns folded words; runs of initials ("J.R.", "JR") are parted, credentials put together."""
    out: list[str] = []
    words = text.split()
    all_capitals = text.isupper()
    for place, word in enumerate(words):
        bare = joined_name(word)
        if bare in CREDENTIALS and place > 0:
            out.append(bare)
        elif not all_capitals and place < len(words) - 1 and _is_run_of_initials(word):
            out.extend(bare if bare not in TITLES else [bare])
        else:
            out.extend(fold(word).split())
    return out


def _split_suffixes(words: list[str]) -> tuple[list[str], str]:
    generation = ""
    while _ends_in_suffix(words):
        generation = GENERATIONS.get(words[-1], generation)
        words = words[:-1]
    return words, generation


def _ends_in_suffix(words: Sequence[str]) -> bool:
    """Returns whether letters or a generation follow the name: a generation, two words at
    least.
    """
    if len(words) < 2:
        return False
    return words[-1] in CREDENTIALS or (words[-1] in GENERATIONS and len(words) > 2)


def compare_persons(
    left_name: str, right_name: str, *, rivals: int = 0, together: bool | None = None
) -> Decision:
    """Returns whether two persons' names are one's.

    A merge needs the surname and the given name (or its short form, from a curated table) to agree.
    An initial, a missing middle name or a bare name is asked about, but for a bare name with no
    rival among the same people.
    """
    left, right = parse_person(left_name), parse_person(right_name)
    if reason := _find_veto(left, right):
        return decide_veto(reason)
    if left.aside != right.aside:
        return (
            decide_separate("different remarks")
            if left.aside and right.aside
            else decide_ask(0.5, "one has a remark")
        )
    both_bare = left.bare and right.bare
    if both_bare and _are_equal(left.surname, right.surname):
        return _bare_equals(left, right, rivals=rivals, together=together)
    if left.words == right.words:
        return decide_merge(
            1.0 if fold(left_name) == fold(right_name) else 0.98, _how_equal(left_name, right_name)
        )
    if fold_digraphs(left_name) == fold_digraphs(right_name):
        return decide_merge(0.97, "the same name with umlauts spelled out")
    if has_unspaced(left_name) or has_unspaced(right_name):
        return (
            decide_merge(0.98, "the same name")
            if joined_name(left_name) == joined_name(right_name)
            else decide_separate("different names")
        )
    if both_bare:
        return _two_bare(left.surname, right.surname, rivals=rivals, together=together)
    if left.bare or right.bare:
        return _compare_bare(left, right, rivals=rivals, together=together)
    return _compare_full(left, right, rivals=rivals)


def _find_veto(left: Person, right: Person) -> str:
    if left.generation != right.generation:
        return f"generations differ ({left.generation or 'none'}, {right.generation or 'none'})"
    both = left.titles | right.titles
    if both & MALE_TITLES and both & FEMALE_TITLES:
        return "titles of a man and a woman"
    return ""


def _how_equal(left: str, right: str) -> str:
    return (
        "the same name"
        if fold(left) == fold(right)
        else "the same name but for title, order or letters after it"
    )


def _are_equal(left: str, right: str) -> bool:
    return left == right or fold_digraphs(left) == fold_digraphs(right)


def _bare_equals(left: Person, right: Person, *, rivals: int, together: bool | None) -> Decision:
    if together is False:
        return decide_ask(0.5, "the same single name, but among other people")
    if rivals:
        return decide_ask(0.6, "the same single name, which others bear too")
    return (
        decide_merge(1.0, "the same single name")
        if left.titles == right.titles
        else decide_merge(SURE, "the same single name")
    )


def _two_bare(left: str, right: str, *, rivals: int, together: bool | None) -> Decision:
    if not same_given(left, right):
        return decide_separate("different names")
    short, formal = sorted((left, right), key=len)
    return _decide_single(f"{short} is short for {formal}", rivals=rivals, together=together)


def _compare_bare(left: Person, right: Person, *, rivals: int, together: bool | None) -> Decision:
    """Compares a single name with a full one."""
    single, full = (left, right) if left.bare else (right, left)
    word = single.surname
    if word in (full.given[0], full.surname):
        reason = f"{word} is a part of the other name"
    elif not single.titles and same_given(word, full.given[0]):
        reason = f"{word} is short for {full.given[0]}"
    elif word == "".join(part[0] for part in full.words) and len(word) > 2:
        return decide_ask(0.4, f"{word} are the other's initials")
    else:
        return decide_separate("different names")
    return _decide_single(reason, rivals=rivals, together=together)


def _decide_single(reason: str, *, rivals: int, together: bool | None) -> Decision:
    """Decides on a single name that fits: only among the same people is it one's."""
    if together and not rivals:
        return decide_merge(0.8, reason, "and the only one among the same people")
    return decide_ask(0.4, reason)


def _compare_full(left: Person, right: Person, *, rivals: int) -> Decision:
    if sorted(left.words) == sorted(right.words):
        return decide_ask(0.6, "the same words in another order")
    surnames = (
        "merge"
        if _are_equal(left.surname, right.surname)
        else judge_misspelling(left.surname, right.surname)
    )
    if surnames == "separate":
        return _part_of(left, right)
    decision = _compare_given(left, right, rivals=rivals)
    if _are_equal(left.surname, right.surname):
        return decision
    reason = f"{left.surname} and {right.surname} differ by a letter"
    if decision.verdict == "merge" and decision.score >= SURE:
        return decide_merge(0.85, reason) if surnames == "merge" else decide_ask(0.5, reason)
    return decide_separate(reason, *decision.evidence)


def _part_of(left: Person, right: Person) -> Decision:
    """Compares two family names, of which one may be left out."""
    short, long = sorted((left.words, right.words), key=len)
    if len(short) > 1 and long[: len(short)] == short:
        return decide_ask(0.5, "one name begins the other")
    return decide_separate("different surnames")


def _compare_given(left: Person, right: Person, *, rivals: int) -> Decision:
    """Returns the verdict on the given names, the surnames being equal."""
    first, second = left.given[0], right.given[0]
    middles = _compare_middles(left.given[1:], right.given[1:])
    if middles == "differ":
        return decide_separate("middle names differ")
    if _are_equal(first, second):
        return _same_first(left, right, middles)
    if 1 in (len(first), len(second)):
        same = first[0] == second[0] or _stands_for(first, second) or _stands_for(second, first)
        return (
            decide_ask(0.5, f"{first[0]} may stand for the given name")
            if same
            else decide_separate("initials differ")
        )
    if same_given(first, second):
        short, formal = sorted((first, second), key=len)
        reason = f"{short} is short for {formal}"
        doubt = rivals > 0 or middles == "missing"
        return (
            decide_ask(0.6, reason, "but not for sure")
            if doubt
            else decide_merge(0.9, reason, "and the surname is the same")
        )
    if share_formal(first, second):
        return decide_ask(0.5, f"{first} and {second} may be short for one name")
    verdict = judge_misspelling(first, second)
    reason = f"{first} and {second} differ by a letter"
    if verdict == "merge" and middles == "same":
        return decide_merge(0.85, reason, "and sound alike; the surname is the same")
    return (
        decide_ask(0.5, reason)
        if verdict != "separate"
        else decide_separate("different given names")
    )


def _stands_for(initial: str, given: str) -> bool:
    """Returns True for the first letter of a name that the given one is short for: R. may be
    Bob.
    """
    return len(initial) == 1 and any(formal[0] == initial for formal in formal_names(given))


def _same_first(left: Person, right: Person, middles: str) -> Decision:
    if middles == "missing":
        return decide_ask(0.6, "a middle name is missing on one side")
    if left.particles != right.particles:
        return decide_ask(0.6, "the surnames' particles differ")
    if len(left.given[0]) == 1 and middles == "abbreviated":
        return decide_ask(0.5, "only initials agree")
    return decide_merge(0.96, "given name and surname are the same")


def _compare_middles(left: tuple[str, ...], right: tuple[str, ...]) -> str:
    """Returns `same`, `abbreviated` (an initial against a name), `missing` on one side, or
    `differ`.
    """
    if left == right:
        return "same"
    for one, other in zip(left, right, strict=False):
        shorter = min(len(one), len(other))
        if not _are_equal(one, other) and not (shorter == 1 and one[0] == other[0]):
            return "differ"
    return "abbreviated" if len(left) == len(right) else "missing"
