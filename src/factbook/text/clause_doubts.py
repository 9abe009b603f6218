"""Doubts about a learned statement, from its words and its sentence: vague, general, supposed,
somebody else's.

The cues are English, and each only counts against a statement: one in another language raises no
doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from factbook.text.index_words import fold_text, index_words, stem
from factbook.text.word_lists import load_words

Doubt = Literal["empty", "vague", "thin", "general", "over", "supposed", "others"]
"""Reasons to doubt a statement: its words say nothing (`empty`) or too little (`thin`), don't tell
what it is about (`vague`), it judges things in `general`, it happened once and is `over`, it is
`supposed` or asked, it is the wish of `others`.
"""

Span = tuple[int, int]

REACH = 300
"""Characters around a statement in which its sentence is looked for."""
LONGEST_NAME = 7
"""Words of a name in small letters; what is longer is taken for a clause."""
_FEWEST_WORDS = 2

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_STOP = re.compile(r"[.!?…。！？\n](?:[\"'”’)]*(?=\s|$)|(?<=[。！？\n]))")
_SUBJECTS = frozenset("i you he she it we they there".split())
_FINITE = load_words("text/clause_words", "finite")
_POINTING = load_words("text/clause_words", "pointing")
_BEFORE_NOUN = frozenset("this that these those".split())
_OPENS_CLAUSE = _SUBJECTS | (_POINTING - _BEFORE_NOUN)
_VERB_NEXT = _FINITE | load_words("text/clause_words", "verb next")
_OPENERS = frozenset("and but so well oh just really honestly also still because".split())
_SPECIFIC = re.compile(
    r"\b(?:the|my|our|your|his|her|their|this|these|every|each)\s+[^\W\d_]|\b(?:me|us)\b",
    re.IGNORECASE,
)
_SAYS_WHICH = re.compile(
    r"\b(?:that|how|when|where|whenever|because|since|to)\b(?P<rest>.*)", re.IGNORECASE
)
_LEFT_OPEN = re.compile(
    r"\b(?:it|this|that|them|these|those)(?:\s+(?:at|in|on|for|to|with|from|by|now|again|"
    r"too)\b.*)?\W*$",
    re.IGNORECASE,
)
_DETERMINED = re.compile(
    r"\b(?:the|my|our|your|his|her|their|this|that|these|those|every|each)\s+(?:[^\W_]+\s+)?$",
    re.IGNORECASE,
)
_JUDGES = re.compile(r"\b(?:is|are|was|were)\b|['’]s\b", re.IGNORECASE)
_RECURS = re.compile(
    r"\b(?:keeps?|again|every|always|never|still|constantly|repeatedly|whenever|each|twice|times|"
    r"daily|weekly|often)\b",
    re.IGNORECASE,
)
_PASTS = load_words("text/clause_words", "pasts")
_STATES = load_words("text/clause_words", "states")
"""They end like a past, and tell how someone is."""
_AFTER_PAST = frozenset("with to at from in on for my our the a an all it about so".split())
_SUPPOSES = re.compile(
    r"\b(?:if(?! (?:possible|you (?:can|could|don['’]?t mind|would)))|unless|whether|suppose|"
    r"imagine|wish(?:es|ed)?"
    r"|pretend|what if)\b",
    re.IGNORECASE,
)
_MAY_BE = re.compile(r"\b(?:can|could|must|might|may|would) (?:be|have been|feel)\b", re.IGNORECASE)
_FIRST = frozenset("i id im ive ill we wed were weve us me please".split())
_WANTING = frozenset(map(stem, load_words("text/clause_words", "wanting")))


@dataclass(frozen=True, kw_only=True, slots=True)
class Quoted:
    """A statement where it stands: the message's text, its place there, and the places of the
    people's names.
    """

    text: str
    start: int
    end: int
    people: Sequence[Span] = ()


def is_clause(name: str) -> bool:
    """Tells whether a name is a clause and names nobody: `it's frustrating when things go awry`,
    not `It's a Wonderful Life`.
    """
    tokens = _TOKEN.findall(name)
    small = [fold_text(token) for token in tokens if token[:1].islower()]
    if not small or len(small) * 2 <= len([token for token in tokens if token[:1].isalpha()]):
        return False
    said = [fold_text(token) for token in tokens]
    if len(said) > LONGEST_NAME or said[0] in _OPENS_CLAUSE:
        return True
    contracted = any(
        "'" in token or "’" in token for token in tokens if not token.lower().endswith(("'s", "’s"))
    )
    return contracted or not _FINITE.isdisjoint(said[1:])


def find_doubts(name: str, where: Quoted | None, kind: str) -> set[Doubt]:
    """Returns what speaks against a statement of this name and kind.

    Args:
        where: where it stands; None if that is not known.
    """
    found: set[Doubt] = set()
    if _is_vague(name):
        found.add("vague")
    count = len(set(index_words(name)))
    if not count:
        found.add("empty")
    elif count < _FEWEST_WORDS and kind != "preference":  # one word tells what is preferred
        found.add("thin")
    before, sentence = _sentence_around(where) if where is not None else ("", name)
    if (
        _MAY_BE.search(name)
        or _SUPPOSES.search(before)
        or sentence.rstrip("\"'”’) ").endswith(("?", "？"))
    ):
        found.add("supposed")
    if kind == "preference" and _is_others(before, name):
        found.add("others")
    if kind in {"preference", "pain_point"} and not _RECURS.search(name):
        if kind == "pain_point" and _is_general(name, before):
            found.add("general")
        if _is_over(name):
            found.add("over")
    return found


def owner_in(name: str, where: Quoted) -> Span | None:
    """Returns the place of the name of the third person whose wish it is, in its sentence; None
    where none is named.
    """
    before, _ = _sentence_around(where)
    if not _is_others(before, name):
        return None
    began = where.start - len(before)
    named = [span for span in where.people if began <= span[0] and span[1] <= where.start]
    return named[-1] if named else None


def _sentence_around(where: Quoted) -> tuple[str, str]:
    """Returns the words of the sentence before the statement, and the sentence."""
    early = max(0, where.start - REACH)
    before = where.text[early : where.start]
    begins = max((stop.end() for stop in _STOP.finditer(before)), default=0)
    late = where.text[where.end : where.end + REACH]
    stop = _STOP.search(late)
    after = late[: stop.end()] if stop else late
    before = before[begins:]
    return before, before + where.text[where.start : where.end] + after


def _is_vague(name: str) -> bool:
    """Returns whether its subject or object is a pronoun that only the text around it explains."""
    if _LEFT_OPEN.search(name):
        return True
    said = [fold_text(token) for token in _TOKEN.findall(name)]
    while said and said[0] in _OPENERS:
        said = said[1:]
    if not said or said[0] not in _POINTING:
        return False
    if said[0] in _BEFORE_NOUN and len(said) > 1 and said[1] not in _VERB_NEXT:
        return False
    which = _SAYS_WHICH.search(name, len(said[0]))
    return which is None or not _SPECIFIC.search(which["rest"])


def _is_general(name: str, before: str) -> bool:
    """Returns whether it judges nothing in particular: `Domestic abuse is horrible`."""
    named = any(token[:1].isupper() for token in _TOKEN.findall(name)[1:])
    if named or not _JUDGES.search(name):
        return False
    return not _SPECIFIC.search(name) and not _DETERMINED.search(before) and not _has_first(name)


def _is_over(name: str) -> bool:
    """Returns whether it is over: `struggled with mental health`, `I lost all my work`."""
    said = [fold_text(token) for token in _TOKEN.findall(name)]
    if len(said) < 2:
        return False
    if said[0] in {"i", "we"}:
        return _is_past(said[1])
    return _is_past(said[0]) and (said[1] in _AFTER_PAST or said[1].endswith("ing"))


def _is_past(word: str) -> bool:
    return word in _PASTS or (word.endswith("ed") and word not in _STATES)


def _is_others(before: str, name: str) -> bool:
    """Returns whether a third person's verb of wanting leads to it: `Maya prefers …`."""
    said = [fold_text(token) for token in _TOKEN.findall(before)]
    first = max((place for place, word in enumerate(said) if word in _FIRST), default=-1)
    own = [fold_text(token) for token in _TOKEN.findall(name)][:1]
    return any(word.endswith("s") and stem(word) in _WANTING for word in (*said[first + 1 :], *own))


def _has_first(name: str) -> bool:
    return any(fold_text(token) in _FIRST for token in _TOKEN.findall(name))
