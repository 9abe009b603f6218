"""The names of an episode's passages, each with the kind for which most speaks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from factbook.extract.local.finder import Found
from factbook.extract.local.lexicon import given_name, listed_names, surnames
from factbook.extract.local.naming.candidates import candidates
from factbook.extract.local.naming.evidence import weigh
from factbook.extract.local.naming.text import (
    LISTED,
    LOOSE,
    READ,
    RUN,
    Candidate,
    Text,
    is_capital,
    is_soft,
)
from factbook.extract.local.parse import Word
from factbook.extract.local.scene import Name
from factbook.text.common_words import UNCOUNTED, is_common
from factbook.text.names import fold

_FUNCTION_WORDS = frozenset(
    """the a an of to in on at for with and or but is are was were be been am i you he she it we they my your his her our
    their me him us them this that there not do does did don't doesn't didn't have has had will would can could should
    what who how when where why if so as by from about just im i'm it's that's up out no yes all some""".split()
)
_PLAINLY = 1.8
"""So much must speak for an ordinary word at the start of a sentence."""
_SURELY = 2.0
"""So much must speak for what the finder takes for no name."""
_SMALL = 2.1
"""So much must speak for a name in small letters amid names with capitals: the reader alone doesn't
suffice.
"""
_TOLD = 1.0
"""So much must the words around tell of an everyday word that no capital makes a name."""
_CERTAIN = 0.75
"""So certain must a reader be of an everyday word that nothing else speaks for."""
_SURE = 1.0
"""So much must speak for a kind, or for a name at all where capitals alone say so at the start of a
sentence.
"""


def names_of(
    passages: Sequence[tuple[str, Sequence[Word], Found]],
    known: Mapping[str, str],
    vocabulary: Set[str],
) -> list[list[Name]]:
    """The names of each passage of one episode, in order, none overlapping.

    What is found out about a name in one passage counts in the others: kinds are settled over the
    episode.
    """
    texts = [_text(text, words, known, vocabulary) for text, words, _ in passages]
    all_found: list[list[Candidate]] = []
    pool: dict[str, dict[str, float]] = {}
    for text, (_, _, found) in zip(texts, passages, strict=True):
        those = candidates(text, found)
        for each in those:
            weigh(text, each)
            sums = pool.setdefault(fold(text.span(each.start, each.end)), {})
            for kind, weight in each.evidence.items():
                sums[kind] = sums.get(kind, 0.0) + weight
        all_found.append(those)
    _share_with_first_names(pool)
    standing = {
        fold(text.span(each.start, each.end))
        for text, those in zip(texts, all_found, strict=True)
        for each in those
        if _stands_out(text, each)
    }
    written = standing | {
        fold(text.span(each.start, each.end))
        for text, those in zip(texts, all_found, strict=True)
        for each in those
        if each.sure == READ and _has_capital(text, each)
    }
    return [
        _settle(text, those, pool, standing, written)
        for text, those in zip(texts, all_found, strict=True)
    ]


def _text(text: str, words: Sequence[Word], known: Mapping[str, str], vocabulary: Set[str]) -> Text:
    letters = [char for char in text if char.isalpha()]
    upper = sum(map(str.isupper, letters))
    plain = [word for word in words if word.text.isalpha()]
    titled = sum(word.text.istitle() or word.text.isupper() for word in plain)
    function = sum(word.lower in _FUNCTION_WORDS for word in words)
    return Text(
        text=text,
        words=words,
        known=known,
        vocabulary=vocabulary,
        capitals=(upper <= 0.6 * len(letters) or len(plain) < 4)
        and (len(plain) < 6 or titled < 0.75 * len(plain)),
        english=len(plain) < 6 or function >= 0.12 * len(plain),
    )


def _share_with_first_names(pool: dict[str, dict[str, float]]) -> None:
    """`Ivo` is a person where `Ivo Tamm` is one."""
    for name, kinds in list(pool.items()):
        first, _, rest = name.partition(" ")
        if rest and first in pool and _best(kinds) == "person":
            pool[first]["person"] = pool[first].get("person", 0.0) + 1.5


def _settle(
    text: Text,
    those: Sequence[Candidate],
    pool: Mapping[str, Mapping[str, float]],
    standing: Set[str],
    written: Set[str],
) -> list[Name]:
    names: list[Name] = []
    for each in those:
        kinds = pool[fold(text.span(each.start, each.end))]
        best = _best(kinds)
        if each.refused and kinds.get(best, 0.0) < _SURELY:
            continue
        name = fold(text.span(each.start, each.end))
        if _is_plain_word(text, each) and not _is_surely(text, each, standing):
            continue
        if name not in written and _is_everyday(text, each) and not _is_told(text, each):
            continue
        sure = _SMALL if _is_small(text, each) else _SURE
        if kinds.get(best, 0.0) >= sure or name in standing or _stands_out(text, each):
            names.append(Name(each.start, each.end, best))
    return names


def _is_small(text: Text, each: Candidate) -> bool:
    """Whether only the reader makes a name of it, in small letters amid names with capitals."""
    if (
        each.sure != READ
        or not text.capitals
        or not text.english
        or any(map(is_capital, text.words[each.start : each.end]))
    ):
        return False
    # In the text as it was said: the parse may have been given capitals.
    return any(
        text.text[word.start].isupper() and not is_soft(text.words, word.i) for word in text.words
    )


def _is_everyday(text: Text, each: Candidate) -> bool:
    """Whether it is made of everyday words that no capital makes a name: `joy`, `Winning` at the
    start of a sentence.
    """
    words = text.words[each.start : each.end]
    if each.sure > READ or each.sure == LISTED:
        return False
    if _has_capital(text, each):
        return False
    if len(words) > 1:
        starts = text.capitals and text.text[words[0].start].isupper()
        return starts and all(map(text.is_word, words))
    word, given = words[0], given_name(words[0].lower)
    if given is not None and not given.common:
        return False
    unsure = word.pos not in {"NOUN", "PROPN"} and each.read < _CERTAIN
    return is_common(word.lower) or (unsure and text.is_word(word))


def _has_capital(text: Text, each: Candidate) -> bool:
    """Whether it has a capital that its place doesn't ask for."""
    return any(map(text.has_capital, text.words[each.start : each.end]))


def _is_told(text: Text, each: Candidate) -> bool:
    """Whether an everyday word is a name all the same: by the words around it, or because it stands
    without an article though one counts what it means (`Rose sent me the photos`).
    """
    if max(each.around.values(), default=0.0) >= _TOLD:
        return True
    word = text.words[each.start]
    bare = each.end == each.start + 1 and not word.child("det", "poss", "amod", "nummod")
    counted = _is_listed(word.lower) and word.lower not in UNCOUNTED
    return bare and counted and each.read >= _CERTAIN


def _is_listed(word: str) -> bool:
    return given_name(word) is not None or word in surnames() or word in listed_names()


def _is_plain_word(text: Text, each: Candidate) -> bool:
    """An ordinary word whose capital is due to where it stands."""
    word = text.words[each.start]
    if (
        each.end - each.start > 1
        or each.sure > RUN
        or not is_soft(text.words, each.start)
        or not text.is_word(word)
    ):
        return False
    given = given_name(word.lower)
    return given is None or given.common


def _is_surely(text: Text, each: Candidate, standing: Set[str]) -> bool:
    """Whether an ordinary word is a name all the same: by what surrounds it, or by a capital
    elsewhere.
    """
    bare = not text.words[each.start].child("det", "poss")
    return (bare and max(each.evidence.values(), default=0.0) >= _PLAINLY) or fold(
        text.span(each.start, each.end)
    ) in standing


def _best(kinds: Mapping[str, float]) -> str:
    if kinds.get("animal", 0.0) >= _SURE:  # called and doing as people are and do
        kinds = {**kinds, "animal": kinds["animal"] + kinds.get("person", 0.0)}
    return max(kinds, key=lambda kind: kinds[kind]) if kinds else "other"


_PARTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "poss", "conj"})
_INITIALS = re.compile(r"[A-Z]{1,5}s?")


def _stands_out(text: Text, each: Candidate) -> bool:
    """Whether it is written like a name in the middle of a sentence: a capital where none is
    due.
    """
    if each.sure in {RUN, LOOSE} and text.capitals and text.english:
        words = text.words[each.start : each.end]
        if len(words) == 1 and _INITIALS.fullmatch(words[0].text):
            return False
        said = text.text[words[0].start : words[0].stop]
        if not is_capital(words[0]) or said.islower():
            return False
        strange = (
            not text.is_word(words[-1]) and words[-1].dep in _PARTS and words[-1].pos == "PROPN"
        )
        return strange or not is_soft(text.words, each.start)
    return False
