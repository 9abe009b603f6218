"""X does …: what people like doing, speak, have and drive; what things cost, are due for, and have
come to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.attributes import budget_of
from factbook.extract.local.rules.clauses import clause, is_passive
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.states import PHRASES, STATUS, is_age
from factbook.extract.local.rules.validity import has_ended, is_future, is_past, is_perfect, used_to
from factbook.extract.local.rules.values import (
    PAID,
    PEOPLE,
    THINGS,
    after,
    calendar_day,
    deadline,
    fact,
    meant,
    owners,
    people_of,
    rest_of,
    said,
    subjects,
    values,
)
from factbook.extract.local.scene import End, Finding, Scene
from factbook.text.time_phrases import find_moments

_LIKES = frozenset("love like enjoy adore".split())
_DISLIKES = frozenset("hate dislike despise loathe".split())


def deeds(scene: Scene, verb: Word) -> Iterator[Finding]:
    """The facts that a verb other than `be` states, in a clause that holds."""
    for end in people_of(scene, verb):
        yield from _person_does(scene, verb, end)
    yield from _thing_does(scene, verb)
    yield from _is_done(scene, verb)
    yield from _set_to(scene, verb)
    for noun in verb.children:
        for word in (noun, *noun.children_by("pobj")):
            for of, amount in budget_of(scene, word):
                yield fact(scene, of, "budget", amount, verb, importance=0.7)


def _person_does(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    present = not (is_past(verb) or is_future(verb))
    if verb.lemma in _LIKES | _DISLIKES and present:
        yield from _likes_doing(scene, verb, end)
    elif verb.lemma == "speak" and present:
        yield from _speaks(scene, verb, end)
    elif verb.lemma == "turn" and not is_future(verb) and verb.dep != "advcl":
        yield from _turned(scene, verb, end)
    elif verb.lemma == "have" and present:
        yield from _has(scene, verb, end)
    elif verb.lemma == "bear" and verb.tag == "VBN":
        yield from _born(scene, verb, end)
    elif verb.lemma in {"live", "reside"} and present:
        for word in verb.children_by("prep"):
            for place in word.children_by("pobj") if word.lower == "at" else ():
                told = next(iter(values(scene, place)), "")
                if any(map(str.isdigit, told)):
                    yield fact(scene, end, "address", told, verb)
    elif verb.lemma == "drive" and present:
        for word in verb.children_by("dobj"):
            if word.child("det") is not None and word.children[0].lower in {"a", "an"}:
                yield from (
                    fact(scene, end, "car", value, verb) for value in values(scene, word)[:1]
                )


def _likes_doing(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    """`I love hiking in the Alps`; things and people that are liked are relations."""
    for word in verb.children_by("xcomp", "ccomp", "dobj"):
        if word.tag != "VBG" or word.child("nsubj") or scene.name_at(word):
            continue
        attribute = "likes" if verb.lemma in _LIKES else "dislikes"
        gone = has_ended(verb) or used_to(verb)
        if any(other.lower in _POINTS for other in word.subtree()):
            continue  # `I love watching them`: says nothing without what is pointed to
        for value in values(scene, word)[:1]:
            yield fact(scene, end, attribute, value, verb, importance=0.6, retracts=gone)


_POINTS = frozenset(
    "them it this that these those him her he she they you your their his there here what".split()
)


def _speaks(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    for word in verb.children_by("dobj", "acomp", "oprd", "ccomp", "advmod"):
        inside = [below for each in word.with_conjuncts() for below in (each, *_bit_of(each))]
        for each in inside:
            if each.lower in _LANGUAGES:
                yield fact(scene, end, "languages", each.text, verb)


def _bit_of(noun: Word) -> list[Word]:
    """`Czech` in `a bit of Czech`."""
    return [
        each
        for word in noun.children_by("prep")
        if word.lower == "of"
        for each in word.children_by("pobj")
    ]


def _turned(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    """`turned 40`, and `on 9 February`, which is then the birthday."""
    for word in verb.children_by("dobj", "acomp", "npadvmod", "attr", "oprd"):
        coming = verb.tag in {"VBZ", "VBP"} and any(
            moment.at > scene.at
            for moment in find_moments(rest_of(scene, verb), scene.at, "future")
        )
        if not is_age(word) or word.i != verb.i + 1 or coming:
            continue
        yield fact(scene, end, "age", word.text, verb)
        on = next((each for each in (*verb.children, *word.children) if each.lower == "on"), None)
        told = calendar_day(scene, rest_of(scene, on)[3:]) if on is not None else ""
        if told:
            yield fact(scene, end, "birthday", told, verb, importance=0.7)


def _has(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    """`I have two kids and a dog`: how many, of whom one has some; those with a name are
    relations.
    """
    for word in verb.children_by("dobj"):
        for each in word.with_conjuncts():
            attribute = _HAS.get(each.lemma)
            counted = each.child("nummod", "det")
            if (
                attribute is None
                or counted is None
                or counted.lower in {"no", "the", "that", "this", "any"}
            ):
                continue
            if each.i - counted.i <= 3:
                told = said(scene, counted, each).removeprefix("a ").removeprefix("an ")
                yield fact(scene, end, attribute, told, verb)


_HAS = {
    **dict.fromkeys("kid child son daughter toddler".split(), "children"),
    **dict.fromkeys("brother sister sibling".split(), "siblings"),
    **dict.fromkeys(cues.PETS, "pets"),
}

_LANGUAGES = frozenset(
    """arabic bengali bulgarian cantonese catalan chinese croatian czech danish dutch english estonian farsi finnish
    french german greek gujarati hebrew hindi hungarian icelandic igbo indonesian irish italian japanese korean latin
    latvian lithuanian malay mandarin marathi norwegian persian polish portuguese punjabi romanian russian serbian
    slovak slovenian somali spanish swahili swedish tagalog tamil telugu thai turkish ukrainian urdu vietnamese welsh
    yoruba zulu basque galician maltese afrikaans amharic hausa nepali sinhala georgian armenian albanian""".split()
)


def _born(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    text = rest_of(scene, verb)
    for moment in find_moments(text, scene.at)[:1]:
        told = " ".join(text[moment.start : moment.stop].split())
        if moment.grain == "day" and re.search(r"\d", told):
            year = f" {moment.at.year}" if re.search(r"\d{4}", told) else ""
            yield fact(
                scene,
                end,
                "birthday",
                f"{moment.at.day} {moment.at:%B}{year}",
                verb,
                importance=0.7,
            )
        elif re.fullmatch(r"(?:19|20)\d\d", told):
            yield fact(scene, end, "birth_year", told, verb, importance=0.7)


# ------------------------------------------------------------------------------------------------
# things

_ENDS = frozenset("end close finish conclude".split())
_BEGINS = frozenset("launch ship release open".split())
_HEADS = frozenset(
    "people employees members staff engineers developers students users customers colleagues".split()
)


def _thing_does(scene: Scene, verb: Word) -> Iterator[Finding]:
    if is_past(verb) or is_passive(verb):
        return
    for _, end in subjects(scene, verb, phrases=True):
        if end.kind in PEOPLE:
            continue
        if verb.lemma in _ENDS and end.kind in THINGS:
            yield from _dated(scene, verb, end, "deadline")
        elif (
            verb.lemma in _BEGINS or (verb.lemma == "go" and after(scene, verb) == "live")
        ) and end.kind in THINGS:
            yield from _dated(scene, verb, end, "launch_date")
        elif verb.lemma in {"expire", "renew"}:
            yield from _dated(
                scene, verb, end, "expiry_date" if verb.lemma == "expire" else "renewal_date"
            )
        elif verb.lemma == "cost":
            if found := PAID.search(rest_of(scene, verb)[:60]):
                yield fact(scene, end, "price", " ".join(found[0].split()), verb, importance=0.6)
        elif verb.lemma == "have":
            for word in verb.children_by("dobj"):
                number = word.child("nummod")
                if number is not None and word.lower in _HEADS and word.i - number.i <= 2:
                    yield fact(scene, end, "size", said(scene, number, word), verb)


def _dated(scene: Scene, verb: Word, end: End, attribute: str) -> Iterator[Finding]:
    """`ends on 15 October`: the time that hangs on the verb."""
    for word in verb.children:
        if (
            word.dep in {"prep", "npadvmod"}
            and word.i > verb.i
            and word.lower not in {"until", "since", "after"}
        ):
            text = scene.passage.text[word.start : word.subtree()[-1].stop]
            found = [*deadline(scene, end, verb, text, attribute)]
            yield from found
            if found:
                return


_OVER = frozenset(
    """cancel pause shelve archive close merge deprecate scrap postpone release launch ship resolve complete finish
    suspend approve""".split()
)
_STATES = {"cancel": "cancelled", "ship": "shipped", "scrap": "scrapped", "shelve": "shelved"}


def _is_done(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`is blocked`, `has been paused`, `we paused Atlas`, `Atlas shipped`: how a named thing stands
    now.
    """
    if verb.lemma == "go" and after(scene, verb) == "live" and (is_past(verb) or is_perfect(verb)):
        for _, end in subjects(scene, verb):
            if end.kind in THINGS:
                yield fact(scene, end, "status", "live", verb, importance=0.6, begins=True)
    passive = is_passive(verb) and verb.dep != "acl"
    auxiliaries = {word.lower for word in verb.children_by("auxpass")}
    lasting = auxiliaries & {"is", "are", "'s", "been", "being"} and verb.lower in STATUS
    told = _STATES.get(verb.lemma, verb.lower)
    if passive and (lasting or (verb.lemma in _OVER and not is_future(verb))):
        if not any(
            word.dep in {"xcomp", "agent"} or word.lower in {"by", "on", "at"}
            for word in verb.children
        ):
            for _, end in subjects(scene, verb):
                if end.kind in THINGS and "being" not in auxiliaries:
                    yield fact(scene, end, "status", told, verb, importance=0.6, begins=True)
    elif (
        verb.lemma in _OVER - {"approve"}
        and verb.tag in {"VBD", "VBN"}
        and not passive
        and not is_future(verb)
    ):
        things = verb.children_by("dobj") or (
            [*clause(scene, verb).subjects] if verb.lemma in {"ship", "launch"} else []
        )
        whole = [
            word
            for word in things
            if scene.name_at(word) or word.lemma in {"campaign", "project", "ticket"}
        ]
        for end in [end for word in whole for end in ends(scene, word)]:
            if end.kind in {"project", "campaign", "task", "product"}:
                yield fact(scene, end, "status", told, verb, importance=0.6, begins=True)


_SETS = frozenset(
    "raise increase cut reduce lower bump set double trim expand up slash bring cap change rise grow drop fall go".split()
)


def _set_to(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`we raised the Atlas budget to $50k`, `the deadline was moved to 3 May`."""
    if is_future(verb) or verb.lemma not in _SETS | _SHIFTS:
        return
    said_of = clause(scene, verb)
    nouns = [*((() if said_of.passive else said_of.after("", "up")) or said_of.subjects)]
    for noun in nouns:
        if noun.lemma not in {"budget", "deadline", "launch", "price", "status"}:
            continue
        of = [end for end in _owned(scene, noun) if end.kind not in PEOPLE]
        for word in verb.children_by("prep"):
            if word.lower != "to" or not of:
                continue
            text = rest_of(scene, word)
            told = next(
                (
                    each
                    for each in (*PHRASES, *STATUS)
                    if re.match(rf"to (?:be )?{each}\b", text.lower())
                ),
                "",
            )
            if noun.lemma == "status" and told:
                yield fact(scene, of[0], "status", told, verb, importance=0.6, begins=True)
            if noun.lemma in {"deadline", "launch"} and verb.lemma in _SHIFTS | {"set"}:
                attribute = "deadline" if noun.lemma == "deadline" else "launch_date"
                yield from deadline(scene, of[0], verb, text, attribute)
            elif found := PAID.match(text[3:]):
                yield fact(
                    scene, of[0], noun.lemma, " ".join(found[0].split()), verb, importance=0.7
                )


_SHIFTS = frozenset("move push postpone extend delay shift reschedule".split())


def _owned(scene: Scene, noun: Word) -> Iterator[End]:
    found = [*owners(scene, noun, phrases=True)]
    yield from found or meant(scene, noun)
