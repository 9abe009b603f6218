"""The words of a statement: which clause it is, how far it goes, why and until when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import claim, is_negated
from factbook.extract.local.rules.validity import is_past, is_perfect
from factbook.extract.local.scene import Scene, Statement
from factbook.text.time_phrases import find_moments

EXPLICIT, STATED, MENTIONED = 0.9, 0.7, 0.5
"""Importance: said in so many words, said in passing, or a small thing."""

LONGEST = 24
"""Words of a statement."""


def is_done(verb: Word) -> bool:
    """`decided`, `have decided`, `Decided to …`; not `decides`, `to decide`."""
    return not is_negated(verb) and (
        verb.tag in {"VBD", "VBN"} or is_past(verb) or is_perfect(verb)
    )


def holds(scene: Scene, verb: Word) -> bool:
    return claim(scene, verb) == "holds"


def by_us(verb: Word) -> bool:
    subject = verb.child("nsubj", "nsubjpass")
    return subject is None or subject.lower not in {"you", "who", "what", "that", "it", "they"}


def by_speaker(verb: Word) -> bool:
    """`I'll send`, `we will send`, `Will send`."""
    head = verb
    while head.dep in {"xcomp", "conj"} and not head.child("nsubj"):
        head = head.head
    if head.dep in {"relcl", "advcl"}:
        return False
    subject = head.child("nsubj")
    return subject.lower in {"i", "we"} if subject is not None else head.dep == "ROOT"


def content_of(verb: Word, *prepositions: str) -> Word | None:
    """What is decided, preferred, promised: the clause or noun that hangs on the verb."""
    for content in (*verb.children_by("xcomp", "ccomp"), *verb.children_by("dobj")):
        if content.i > verb.i:
            return content
    for each in verb.children_by("prep"):
        if each.lower in prepositions:
            return each.child("pobj", "pcomp")
    return None


def statement(
    scene: Scene,
    kind: str,
    top: Word,
    importance: float,
    metadata: Mapping[str, str],
    *,
    whole: bool = False,
) -> Statement:
    """The clause or phrase of a word as a statement. With `whole`, its subject belongs to it."""
    first = top.i
    if whole or top.pos not in {"VERB", "AUX"}:
        kept = [word for word in top.subtree() if word.i <= top.i and not _apart(word, top)]
        first = kept[0].i
        while first < top.i and scene.words[first].dep in {"det", "poss", "mark", "punct", "cc"}:
            first += 1
    last = top.i
    for word in top.subtree():
        if word.i > top.i:
            if word.i - first >= LONGEST or _apart(word, top):
                break
            last = word.i
    cut = next(
        (
            word.i
            for word in scene.words[first + 1 : last + 1]
            if word.text in {";", ":", "—", "–", "("}
        ),
        last + 1,
    )
    last = cut - 1 if cut <= last else last
    while last > first and (
        scene.words[last].dep in {"punct", "cc", "mark"}
        or scene.words[last].pos in {"PUNCT", "SPACE"}
    ):
        last -= 1
    start, stop = scene.characters(first, last + 1)
    return Statement(kind=kind, start=start, stop=stop, importance=importance, metadata=metadata)


def _apart(word: Word, top: Word) -> bool:
    """Whether a word belongs to a clause of its own beside the one of `top`, or to an
    afterthought.
    """
    clause = top.pos in {"VERB", "AUX"}
    while word is not top:
        if (
            word.dep in {"advcl", "parataxis"}
            and word.head is top
            and (word.child("mark") or word.tag != "VBG")
        ):
            return True
        if clause and word.head is top and word.dep in {"conj", "cc", "dep"}:
            return True
        if clause and word.dep == "appos":
            return True
        word = word.head
    return False


def reason(scene: Scene, verb: Word) -> Mapping[str, str]:
    """`because …` in the same sentence."""
    sentence = scene.sentence_of(verb)
    for word in sentence:
        if word.lower in {"because", "since"} and word.dep in {"mark", "prep"} and word.i > verb.i:
            inside = [other for other in sentence if other.i > word.i]
            while inside and inside[-1].pos in {"PUNCT", "SPACE"}:
                inside.pop()
            if inside and word.dep == "mark":
                return {
                    "rationale": " ".join(
                        scene.passage.text[inside[0].start : inside[-1].stop].split()
                    )
                }
    return {}


def over(
    scene: Scene,
    kind: str,
    first: int,
    last: int,
    importance: float,
    metadata: Mapping[str, str] | None = None,
) -> Statement:
    """The words `first:last` as a statement, as far as one may reach."""
    start, stop = scene.characters(first, min(last, first + LONGEST))
    return Statement(
        kind=kind, start=start, stop=stop, importance=importance, metadata=metadata or {}
    )


def between(scene: Scene, kind: str, first: int, last: int) -> Iterator[Statement]:
    """The words `first:last` as an explicit statement, as far as one may reach; nothing if there
    are none.
    """
    last = min(last, first + LONGEST)
    while last > first and scene.words[last - 1].pos in {"PUNCT", "SPACE"}:
        last -= 1
    while first < last and scene.words[first].pos in {"PUNCT", "SPACE"}:
        first += 1
    if first < last:
        start, stop = scene.characters(first, last)
        yield Statement(kind=kind, start=start, stop=stop, importance=EXPLICIT)


_SOON = re.compile(
    r"\b(?:(?:by|before|at|until|til)\s+)?(?P<today>eod|cob|end of (?:the )?day|close of business|tonight|this (?:evening|"
    r"afternoon|morning)|today|noon|midnight)\b|\b(?P<week>eow|end of (?:the|this) week)\b",
    re.IGNORECASE,
)


def deadline_of(scene: Scene, verb: Word) -> Mapping[str, str]:
    """Until when the sentence says that it will be done: a date where it is one, else in its
    words.
    """
    sentence = scene.sentence_of(verb)
    text = scene.passage.text[sentence[0].start : sentence[-1].stop]
    found = [moment for moment in find_moments(text, scene.at, "future") if moment.until > scene.at]
    if not found:
        soon = _SOON.search(text)
        if soon is None:
            return {}
        return {"deadline": scene.at.date().isoformat() if soon["today"] else "end of the week"}
    moment = found[-1]
    day = (
        moment.at.date().isoformat()
        if moment.grain == "day"
        else " ".join(text[moment.start : moment.stop].split()).rstrip(".")
    )
    return {"deadline": day}
