"""Relations said by `is`: with a noun (`is part of`), an adjective (`is responsible for`), a
preposition (`is on the team`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import Clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.fitting import both
from factbook.extract.local.rules.nouns import BUILDINGS, GROUPS_OF_PEOPLE, PREMISES
from factbook.extract.local.rules.places import site
from factbook.extract.local.rules.saying import links
from factbook.extract.local.rules.sense import ANYTHING, EFFORTS, PLACES, SYSTEMS, Sense
from factbook.extract.local.rules.validity import is_past, is_perfect
from factbook.extract.local.scene import End, Link, Scene
from factbook.model.record import SELF

_ORG = frozenset({"organization"})
_FIRMS = _ORG | {"product", "technology", "other", SELF}

_PART = Sense(label="part_of", left=SYSTEMS | {"event"}, right=SYSTEMS | {"event"})
_UNIT = Sense(label="part_of", left=_ORG | {"product", "project", "other"}, right=_ORG | {"other"})
_RIVAL = Sense(label="competes_with", left=_FIRMS - {SELF}, right=_FIRMS)
_ALLY = Sense(label="partners_with", left=_ORG, right=_ORG | {SELF})
_MEMBER = Sense(label="member_of", right=_ORG | {"other", "event", ""}, phrase="any")
_LIKES = Sense(label="likes", right=ANYTHING - {"self"}, phrase="any")
_HEIR = Sense(label="replaced", left=ANYTHING - {""}, right=ANYTHING - {""}, stays=True)

_NOUNS: dict[str, Sense] = {
    **dict.fromkeys(
        "part component module piece subset submodule section subproject".split(), _PART
    ),
    **dict.fromkeys("subsidiary division arm brand spinoff spin-off unit".split(), _UNIT),
    **dict.fromkeys("competitor rival".split(), _RIVAL),
    **dict.fromkeys("partner".split(), _ALLY),
    "member": _MEMBER,
    **dict.fromkeys("fan lover".split(), _LIKES),
    **dict.fromkeys("successor replacement".split(), _HEIR),
}
"""What something is of something else (`a subsidiary of Acme`, `Acme's subsidiary`)."""

_OF = frozenset({"of", "to", "for"})

_ANSWERS = Sense(label="responsible_for", right=(EFFORTS - {""}) | _ORG | {""}, phrase="any")
_NEEDS = Sense(label="depends_on", left=SYSTEMS | EFFORTS, right=SYSTEMS | EFFORTS)
_ADJECTIVES: dict[tuple[str, str], Sense] = {
    ("responsible", "for"): _ANSWERS, ("accountable", "for"): _ANSWERS, ("answerable", "for"): _ANSWERS,
    ("fond", "of"): _LIKES, ("keen", "on"): _LIKES, ("crazy", "about"): _LIKES, ("obsessed", "with"): _LIKES,
    ("dependent", "on"): _NEEDS, ("reliant", "on"): _NEEDS,
}  # fmt: skip


def is_something(scene: Scene, clause: Clause) -> Iterator[Link]:
    """What `is` says of the subjects of a clause, beside who they are."""
    verb = clause.verb
    if not (verb.lemma in {"be", "become", "remain"} or _is_short(scene, verb)):
        return
    yield from _by_noun(scene, clause)
    for word in verb.children_by("acomp"):
        for preposition in word.children_by("prep"):
            sense = _ADJECTIVES.get((word.lemma, preposition.lower))
            if sense is not None:
                yield from _all(scene, clause, sense, preposition.children_by("pobj"))
    yield from _by_preposition(scene, clause)
    yield from site(scene, clause)


def _is_short(scene: Scene, verb: Word) -> bool:
    """`m` in `im on the team`."""
    before = scene.words[verb.i - 1] if verb.i else None
    return (
        verb.lower in {"m", "s", "re"}
        and before is not None
        and before.tag == "PRP"
        and before.stop == verb.start
    )


def _by_noun(scene: Scene, clause: Clause) -> Iterator[Link]:
    for noun in clause.verb.children_by("attr"):
        sense = _NOUNS.get(noun.lemma)
        if sense is None or scene.name_at(noun):
            continue
        yield from _all(scene, clause, sense, _whole(noun))
        owner = noun.child("poss")
        if owner is None:
            continue
        if owner.lower in {"our", "my"} and SELF in sense.right:
            rights = [scene.self_at(owner)]
        else:
            name = scene.name_at(owner)
            rights = [scene.end(name)] if name is not None else []
        yield from _each(scene, clause, sense, rights)


def _whole(noun: Word) -> list[Word]:
    return [
        word
        for each in noun.children_by("prep")
        if each.lower in _OF
        for word in each.children_by("pobj")
    ]


def _by_preposition(scene: Scene, clause: Clause) -> Iterator[Link]:
    for preposition, word in clause.objects:
        if preposition == "in" and word.lemma == "charge":
            yield from _all(scene, clause, _ANSWERS, _whole(word))
        elif (
            preposition in {"in", "on"}
            and word.lemma in GROUPS_OF_PEOPLE
            and not scene.name_at(word)
        ):
            yield from _all(scene, clause, _MEMBER, [word])
        elif preposition in {"at", "with"} and _is_employed(scene, clause):
            yield from _all(scene, clause, _WORKS, [word])
        elif (
            preposition == "on"
            and (end := scene.name_at(word)) is not None
            and end.kind in {"technology", "product"}
        ):
            yield from _all(scene, clause, _RUNS, [word])
        elif (
            preposition in {"in", "near", "outside"}
            and not is_past(clause.verb)
            and _stands_there(scene, clause)
        ):
            yield from _all(scene, clause, _STANDS, [word])
        elif preposition == "in" and not is_past(clause.verb) and _lives_there(scene, clause):
            yield from _all(scene, clause, _LIVES, [word])
        elif preposition == "into":
            yield from _all(scene, clause, _LIKES, [word])
        elif (preposition == "to" and is_perfect(clause.verb)) or (
            preposition == "in" and is_past(clause.verb)
        ):
            yield from _all(scene, clause, _VISITED, [word])


_RUNS = Sense(
    label="uses",
    past=True,
    left=frozenset({"project", "product", SELF}),
    right=frozenset({"technology", "product"}),
)
"""`the crawler is on Kubernetes now`, `we're on Slack`."""
_STANDS = Sense(
    label="located_in", left=frozenset({"organization", "event", "other", ""}), right=PLACES
)
_LIVES = Sense(label="lives_in", past=True, right=PLACES)
_THESE_DAYS = re.compile(r"\b(?:these days|nowadays|for good|permanently)\b", re.IGNORECASE)


def _stands_there(scene: Scene, clause: Clause) -> bool:
    """`the venue is in Ghent`, `Globex is in Ghent`: not `the report is in English`, `Ana is in
    Ghent`.
    """
    return all(
        name.kind != "person"
        if (name := scene.name_at(word)) is not None
        else word.lemma in BUILDINGS | {"venue"}
        and not (word.lemma in PREMISES and word.child("poss"))
        for word in clause.subjects
    )


def _lives_there(scene: Scene, clause: Clause) -> bool:
    """`these days I'm in Ghent`."""
    text = " ".join(word.text for word in scene.sentence_of(clause.verb))
    return _THESE_DAYS.search(text) is not None


_VISITED = Sense(label="visited", right=PLACES, event=True)
"""`has been to Rome`, `was in Rome last week`."""


_WORKS = Sense(label="works_at", past=True, right=_ORG, group=False)
_FORMERLY = frozenset("before previously formerly earlier".split())
_CURRENTLY = frozenset("now currently still since".split())


def _is_employed(scene: Scene, clause: Clause) -> bool:
    """`I was at Acme for six years`, `I'm at Acme now`: not where somebody happens to be."""
    words = [
        word.lower
        for word in scene.sentence_of(clause.verb)
        if word.head is clause.verb or word.dep == "prep"
    ]
    text = " ".join(word.lower for word in scene.sentence_of(clause.verb))
    lasting = re.search(r"\b(?:for|these) (?:\w+ ){1,3}(?:years?|months)\b", text) is not None
    cues = _FORMERLY if is_past(clause.verb) else _CURRENTLY
    return lasting or not cues.isdisjoint(words)


def _all(scene: Scene, clause: Clause, sense: Sense, words: list[Word]) -> Iterator[Link]:
    plain = "" in sense.right
    rights = [
        end
        for word in words
        for end in ends(scene, word, phrases=plain, loose=plain and sense.phrase == "any")
        if end.kind in sense.right
    ]
    yield from _each(scene, clause, sense, rights)


def _each(scene: Scene, clause: Clause, sense: Sense, rights: list[End]) -> Iterator[Link]:
    for subject in clause.subjects:
        lefts = (
            both(scene, subject)
            if subject.lower == "both"
            else ends(scene, subject, phrases="" in sense.left, group=True)
        )
        for left in lefts:
            for right in rights:
                if left.kind in sense.left and left != right and (left.kind or right.kind):
                    yield from links(scene, clause.verb, sense, left, right)
