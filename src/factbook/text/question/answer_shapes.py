"""What form of answer a question wants, of which kinds, and which attributes it asks for: everyday
words for each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal

from factbook.model.record import EntityType
from factbook.text.question.question_words import Token
from factbook.text.relation_words import singular_forms
from factbook.text.word_lists import load_pairs, load_words

Shape = Literal["open", "list", "count", "yes_no", "how_long", "comparison", "first", "last"]

_UNIT = r"(?:days?|weeks?|months?|years?|hours?)"
_HOW_LONG = re.compile(
    rf"\bhow long\b|\bhow many {_UNIT} (?:has|have|had|did|was|were|is|are|ago|since|until|till|"
    r"before|after|passed|between)\b"
)
_COUNT = re.compile(r"\bhow (?:many|often|much)\b|\bnumber of\b|\bcount of\b")
_COMPARISON = re.compile(
    r"\bcompar\w*|\bdifferences? between\b|\b(?:both|versus|vs|in common|the same \w+ as|similar "
    r"to|differ from)\b"
    r"|\b(?:more|less|fewer|better|worse|rather|\w{2,}er) than\b"
    r"|\b(?:who|which)(?: \w+){0,3} (?:is|was|has|are|were|of) (?:\w+ )?(?:more|less|\w{2,}er|"
    r"better|worse)\b.{0,300} or "
)
_FIRST = re.compile(
    r"(?<!at )\b(?:first|earliest)\b(?! (?:names?|aid|class|floor|place|grade|degree|of all|lady|"
    r"hand|quarter|half)\b)"
)
_LAST = re.compile(
    r"(?<!at )\b(?:last|latest|most recent(?:ly)?)\b(?! (?:names?|night|week|month|year|quarter|"
    r"weekend|spring|summer|autumn"
    r"|fall|winter|few|couple|january|february|march|april|may|june|july|august|september|october|"
    r"november|december"
    r"|\w+day|minute|place|resort|\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|"
    r"but)\b)"
)
_YES_NO = re.compile(
    r"^(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|am|isnt|arent|"
    r"doesnt|didnt)\b"
)
_LIST = re.compile(
    r"^(?:list|name|enumerate)\b|\b(?:all|every|both|various|different|ways|kinds|types|sorts)\b"
    r"|\b(?:what|which)(?: \w+){0,2} (?!does\b|was\b|has\b)\w{2,}[^siu\W]s\b"
)
_WHO = re.compile(r"\b(?:who|whom|whose)\b")
_WHERE = re.compile(
    r"^where\b|[,.] where\b|\b(?:me|know|remember|and|forgot) where\b|\b(?:which|what) (?:city|"
    r"country|place|town)\b"
)
_LIKES = re.compile(
    r"\bwhat(?: \w+)? (?:do|does|did) .{0,300}\b(?:(?<!look )(?<!sound )(?<!feel )(?<!seem "
    r")(?<!taste )like|love|enjoy|hate|dislike|prefer)\W*$"
)
_DECIDED = re.compile(
    r"\b(?:decid\w+|decisions?|cho(?:ose|oses|se|sen)|agreed? (?:on|to)|settled? on)\b"
)


def shape_of(folded: str) -> Shape:
    """Returns the form of answer that a folded question wants."""
    if _HOW_LONG.search(folded):
        return "how_long"
    if _COUNT.search(folded):
        return "count"
    if _COMPARISON.search(folded):
        return "comparison"
    if _FIRST.search(folded):
        return "first"
    if _LAST.search(folded):
        return "last"
    return _plain_shape(folded)


def _plain_shape(folded: str) -> Shape:
    if _YES_NO.search(folded):
        return "yes_no"
    return "list" if _LIST.search(folded) else "open"


def spreads(folded: str) -> bool:
    """Returns whether the answer lies in more than one place: what is listed, counted, compared, or
    once true and once not.
    """
    if _HOW_LONG.search(folded):
        return False
    return _plain_shape(folded) != "open" or bool(
        _COUNT.search(folded) or _COMPARISON.search(folded)
    )


def kinds_of(
    folded: str, said: Sequence[Token], kinds: Mapping[str, EntityType], named: frozenset[int]
) -> tuple[str, ...]:
    """Returns ids of the kinds that a question asks for, by their own names and everyday ones.

    Args:
        named: the places of words that are names, which ask for no kind.
    """
    asked = {
        form
        for place, token in enumerate(said)
        if place not in named
        for form in singular_forms(token.folded)
    }
    asked |= {
        f"{left.folded}_{form}"
        for left, right in pairwise(said)
        for form in singular_forms(right.folded)
    }
    asked -= _NO_KIND
    table = _kind_words()
    out = [
        key for key, kind in kinds.items() if key in asked or not asked.isdisjoint(kind.other_names)
    ]
    out += sorted({table[word] for word in asked if word in table})
    if _DECIDED.search(folded):
        out.append("decision")
    if _LIKES.search(folded):
        out.append("preference")
    if _WHO.search(folded):
        out.append("person")
    if _WHERE.search(folded):
        out.append("place")
    return tuple(dict.fromkeys(out))


_NO_KIND = load_words("text/answer_shapes", "no kind")
"""Names of kinds that are verbs in most questions."""

_ASKS_FOR_ALL = load_words("text/answer_shapes", "asks for all")
"""What a question may hold besides a kind, and still ask for nothing but things of it."""


def only_a_kind(said: Sequence[Token], kinds: Mapping[str, EntityType]) -> bool:
    """Returns whether the question asks for all things of a kind, and for nothing about them: `list
    all decisions`.
    """
    names = {name for key, kind in kinds.items() for name in (key, *kind.other_names)} - _NO_KIND
    left = [token.folded for token in said if token.folded not in _ASKS_FOR_ALL]
    return bool(left) and all(
        kind_called(word) is not None or not names.isdisjoint((word, *singular_forms(word)))
        for word in left
    )


_ASKS_WHAT_WAS = load_words("text/answer_shapes", "asks what was")
_OF_TIMES = load_words("text/answer_shapes", "times")


def only_a_time(said: Sequence[Token]) -> bool:
    """Returns whether the question asks for what was at some time, and for nothing about it: `what
    did we talk about last week?`
    """
    free = _ASKS_FOR_ALL | _ASKS_WHAT_WAS | _OF_TIMES
    return all(token.folded in free or token.folded[:1].isdigit() for token in said)


def kind_called(noun: str) -> str | None:
    """Returns the kind that a folded noun stands for: `company`, `people`."""
    return next(
        (kind for form in singular_forms(noun) if (kind := _kind_words().get(form)) is not None),
        None,
    )


@cache
def _kind_words() -> Mapping[str, str]:
    return load_pairs("text/answer_shapes", "kinds")


def attributes_of(said: Sequence[Token]) -> dict[str, tuple[str, ...]]:
    """Returns the attributes that a question asks for, by the word that asks for them."""
    table = _attribute_words()
    return {token.folded: table[token.folded] for token in said if token.folded in table}


@cache
def _attribute_words() -> Mapping[str, tuple[str, ...]]:
    asked = load_pairs("text/answer_shapes", "attributes")
    return {word: tuple(names.split()) for word, names in asked.items()}
