"""The X of Y is …: birthdays, titles, favourites, deadlines, budgets, and other attributes that go
by their name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.lexicon import role_words
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.near import named_after, text_at
from factbook.extract.local.rules.truth import claim, is_asked
from factbook.extract.local.rules.values import (
    AMOUNT,
    PEOPLE,
    calendar_day,
    deadline,
    fact,
    meant,
    owners,
    rest_of,
    values,
)
from factbook.extract.local.scene import End, Finding, Name, Scene
from factbook.extract.relation_ends import ANYTHING

_OF_PEOPLE = {
    **{
        word: word
        for word in """timezone pronoun nationality religion diet salary major degree specialty nickname handle username
        surname hometown car bike laptop editor occupation profession instrument condition address passport visa
        employer school gender height weight""".split()
    },
    **dict.fromkeys(("title", "role", "position", "job"), "role"),
    **dict.fromkeys(("postcode", "zip", "zipcode"), "postal_code"),
}
_SETS = {
    "hobby": "hobbies",
    "allergy": "allergies",
    "language": "languages",
    "skill": "skills",
    "tongue": "languages",
}
_SPELT = {"colour": "color", "flavour": "flavor", "theatre": "theater", "programme": "program", "neighbourhood": "neighborhood"}  # fmt: skip
_FAVOURITE = frozenset({"favorite", "favourite", "fave", "fav"})
_VAGUE = frozenset("one thing part kind way time person".split())


def attribute_is(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`my birthday is May 5`, `Ana's favorite color is green`, `Dune is his favorite book`."""
    subject = verb.child("nsubj")
    yield from _inverse(scene, verb, subject)
    if subject is None or subject.pos not in {"NOUN", "PROPN"}:
        return
    said_after = verb.children_by("attr", "acomp", "npadvmod", "oprd") or [
        each
        for one in verb.children_by("prep")
        if one.lower in {"on", "in", "at"}
        for each in one.children_by("pobj")
    ]
    if not said_after:
        return
    of = [*owners(scene, subject, phrases=subject.lemma in _OF_THINGS)]
    if not of and subject.lemma in _OF_THINGS:
        of = [*meant(scene, subject)]
    for owner in of:
        if owner.kind in PEOPLE:
            yield from _of_person(scene, verb, subject, owner, said_after[0])
        if owner.kind not in PEOPLE - {"self"}:
            yield from _of_thing(scene, verb, subject, owner, said_after[0])


def _of_person(
    scene: Scene, verb: Word, subject: Word, owner: End, value: Word
) -> Iterator[Finding]:
    lemma = subject.lemma
    if lemma == "birthday" or (lemma == "birth" and "date" in subject.lower):
        if told := calendar_day(scene, rest_of(scene, verb)[len(verb.text) :]):
            yield fact(scene, owner, "birthday", told, verb, importance=0.7)
    elif attribute := _favourite(subject):
        if _named(scene, subject) is not None:
            return  # `my favourite book, Sapiens, is long`
        for told in values(scene, value)[:1]:
            yield fact(scene, owner, attribute, told, verb, importance=0.6)
    elif lemma in _SETS and (
        value.pos in {"NOUN", "PROPN", "X", "VERB"} or _SETS[lemma] == "languages"
    ):
        for told in values(scene, value):
            yield fact(scene, owner, _SETS[lemma], told, verb)
    elif (
        lemma in _OF_PEOPLE
        and value.pos in {"NOUN", "PROPN", "NUM", "X", "ADJ"}
        and not _modified(subject)
    ):
        for told in values(scene, value)[:1]:
            yield fact(
                scene,
                owner,
                _OF_PEOPLE[lemma],
                told,
                verb,
                importance=0.6 if lemma == "title" else 0.5,
            )
    elif (
        scene.name_at(subject) is None and _is_own(subject) and (told := _plain_value(scene, value))
    ):
        name = [
            word.lower for word in subject.children_by("compound", "amod") if word.i < subject.i
        ]
        yield fact(scene, owner, "_".join([*name, subject.lower]).replace("-", "_"), told, verb)
    elif lemma == "code" and any(word.lower in {"zip", "postal"} for word in subject.children):
        for told in values(scene, value)[:1]:
            yield fact(scene, owner, "postal_code", told, verb)


def _is_own(noun: Word) -> bool:
    """Any other thing that one has one of (`my locker code`, `Ana's flight`), not who someone is
    nor what one thinks.
    """
    person = (
        noun.lemma in cues.KIN
        or noun.lemma in cues.SUPERIORS
        or noun.lemma in cues.PETS
        or noun.lower in role_words()
    )
    plain = noun.tag == "NN" and not person and noun.lemma not in _NO_THING and not _modified(noun)
    return (
        plain
        and not noun.children_by("prep", "relcl", "acl")
        and len(noun.children_by("compound", "amod")) <= 2
    )


_NO_THING = frozenset(
    """name one thing part problem issue question idea point guess plan goal hope answer concern number email phone birthday
    life day way reason advice favorite favourite love heart dream mistake turn fault job opinion bet worry fear secret
    deadline budget status team company crew group hero idol best mind view take look choice preference partner date
    code boyfriend girlfriend child baby wish excuse motto understanding impression feeling priority focus client
    password passcode passphrase pin token secret key login credential""".split()
)


def _plain_value(scene: Scene, word: Word) -> str:
    """A name, a number, a code: what is worth keeping of any thing that one has."""
    told = next(iter(values(scene, word)), "")
    short = 0 < len(told.split()) <= 4 and not any(
        each.dep in {"relcl", "nsubj", "advcl"} for each in word.subtree()
    )
    name = scene.name_at(word)
    if name is not None and name.kind == "person":
        return ""  # a tie, which is no attribute
    kept = any(map(str.isdigit, told)) or word.pos in {"PROPN", "X"}
    return told if short and kept and word.dep == "attr" and word.lemma not in _TIMES else ""


_TIMES = frozenset("year month week day hour minute second time".split())


def _modified(noun: Word) -> bool:
    """`my dream job`, `his old title`: not what they have."""
    return any(word.lower in _OTHER for word in noun.children_by("amod", "compound", "det"))


_OTHER = frozenset(
    "dream old former previous last first next ideal new future best worst email e-mail mail ip".split()
)


def _favourite(noun: Word) -> str:
    """`favorite_color` for `favourite colour`, empty if the noun isn't called so."""
    marked = next((word for word in noun.children if word.lower in _FAVOURITE), None)
    if marked is None or noun.lower in _VAGUE:
        return ""
    before = [
        word.lower
        for word in noun.children_by("compound", "amod")
        if word is not marked and word.i < noun.i
    ]
    return "_".join(["favorite", *before, _SPELT.get(noun.lemma, noun.lemma)]).replace("-", "_")


def favourites(scene: Scene) -> Iterator[Finding]:
    """`my favourite book, Sapiens, is long`, `her favourite song (Hey Jude)`."""
    for noun in scene.words:
        attribute = _favourite(noun) if noun.pos == "NOUN" else ""
        name = _named(scene, noun) if attribute else None
        if name is None or is_asked(scene, noun):
            continue
        said = " ".join(scene.said(*scene.characters(name.start, name.end)).split())
        for owner in owners(scene, noun):
            if owner.kind in PEOPLE:
                yield fact(scene, owner, attribute, said, noun, importance=0.6)


def _named(scene: Scene, noun: Word) -> Name | None:
    """The name that goes with a noun after a comma or a bracket."""
    opened = text_at(scene, noun.i + 1) in {",", "(", ":"}
    names = named_after(scene, noun, ANYTHING) if opened else []
    return names[0] if names else None


def _inverse(scene: Scene, verb: Word, subject: Word | None) -> Iterator[Finding]:
    """`Dune is his favorite book`: the value comes first."""
    for noun in verb.children_by("attr"):
        attribute = _favourite(noun)
        if (
            attribute
            and subject is not None
            and subject.pos in {"PROPN", "NOUN"}
            and subject.lower not in _VAGUE
        ):
            for owner in owners(scene, noun):
                for told in values(scene, subject)[:1] if owner.kind in PEOPLE else ():
                    yield fact(scene, owner, attribute, told, verb, importance=0.6)


# ------------------------------------------------------------------------------------------------
# things

_OF_THINGS = frozenset(
    "deadline budget status version date price cost strategy goal codename".split()
)
_MONEY = re.compile(AMOUNT, re.IGNORECASE)


def _of_thing(
    scene: Scene, verb: Word, subject: Word, owner: End, value: Word
) -> Iterator[Finding]:
    lemma = subject.lemma
    if lemma not in _OF_THINGS or (owner.kind == "self" and lemma not in {"budget", "deadline"}):
        return
    if lemma == "deadline":
        yield from deadline(scene, owner, verb, rest_of(scene, verb))
    elif lemma == "date":
        attribute = next(
            (_DATES[word.lower] for word in subject.children if word.lower in _DATES), ""
        )
        if attribute:
            yield from deadline(scene, owner, verb, rest_of(scene, verb), attribute)
    elif lemma in {"budget", "price", "cost"}:
        if found := _MONEY.search(rest_of(scene, verb)[:60]):
            attribute = "budget" if lemma == "budget" else "price"
            yield fact(scene, owner, attribute, " ".join(found[0].split()), verb, importance=0.7)
    elif lemma in {"status", "strategy", "goal", "codename"}:
        for told in values(scene, value)[:1]:
            yield fact(scene, owner, lemma, told, verb, importance=0.7)


_DATES = {
    "due": "deadline",
    "end": "deadline",
    "closing": "deadline",
    "submission": "deadline",
    "launch": "launch_date",
    "release": "launch_date",
    "start": "start_date",
}


def budget_of(scene: Scene, noun: Word) -> Iterator[tuple[End, str]]:
    """`a budget of $32k`, `the travel budget of 14,000 euros`: the amount that hangs on a budget,
    and whose it is.
    """
    verb = next((word for word in noun.above() if word.pos in {"VERB", "AUX"}), noun)
    if noun.lemma != "budget" or claim(scene, verb) != "holds":
        return
    for preposition in noun.children_by("prep"):
        found = (
            _MONEY.match(scene.passage.text, preposition.stop + 1)
            if preposition.lower == "of"
            else None
        )
        if found is None:
            continue
        of = [end for end in owners(scene, noun) if end.kind not in PEOPLE]
        if (
            not of
            and verb.lemma == "have"
            and noun.dep == "dobj"
            and (subject := verb.child("nsubj"))
        ):
            of = ends(scene, subject, phrases=True, group=True)
        if (
            not of
            and noun.dep == "pobj"
            and noun.head.lower == "with"
            and noun.head.head.pos in {"NOUN", "PROPN"}
        ):
            of = ends(scene, noun.head.head, phrases=True)
        yield from (
            (end, " ".join(found[0].split())) for end in (of or ends(scene, noun, phrases=True))[:1]
        )
