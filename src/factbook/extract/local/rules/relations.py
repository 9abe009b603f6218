"""Relations said by a verb between its subject and its objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.changes import replacements
from factbook.extract.local.rules.clauses import Clause, clauses
from factbook.extract.local.rules.copulas import is_something
from factbook.extract.local.rules.each_other import each_other
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.fitting import companions, implied, pairs
from factbook.extract.local.rules.likings import likes_better, likings
from factbook.extract.local.rules.occasions import employed, occasions
from factbook.extract.local.rules.places import in_a_place, premises
from factbook.extract.local.rules.saying import links
from factbook.extract.local.rules.sense import PEOPLE, Sense
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.vocabulary import PLAIN, SENSES
from factbook.extract.local.scene import End, Link, Scene
from factbook.model.record import SELF

_NAMED = frozenset(
    "person self organization place project technology product concept event task campaign".split()
)


def relations(scene: Scene) -> Iterator[Link]:
    """The relations that the verbs of a scene say."""
    for clause in clauses(scene):
        if clause.subjects or clause.passive or clause.verb.dep == "acl" or implied(scene, clause):
            yield from _said(scene, clause)
            yield from each_other(scene, clause)
            yield from likings(scene, clause)
            yield from premises(scene, clause)
            yield from _sat_down(scene, clause)
            yield from occasions(scene, clause)
        yield from is_something(scene, clause)


def _said(scene: Scene, clause: Clause) -> Iterator[Link]:
    verb = clause.verb
    if verb.lemma == "replace" and not clause.passive and replacements(clause):
        return  # who replaces one thing with another takes no one's place
    for preposition, word in clause.objects:
        key = "" if clause.passive and preposition == "by" else preposition
        for sense in SENSES.get((verb.lemma, key), ()) or _plain(verb, key):
            found = pairs(scene, clause, preposition, word, sense)
            if sense.label == "likes" and likes_better(verb):
                sense = replace(sense, label="prefers")
            for left, right in found:
                if not _is_better_said(sense, left, right):
                    yield from links(scene, verb, sense, left, right)
                    yield from in_a_place(scene, clause, (left, right), sense.label)
                    if clause.passive:
                        yield from employed(scene, verb, sense, left, right)
            if found:
                yield from _with_others(scene, clause, sense, found)
                yield from _from_where(scene, clause, sense, found)
                break


def _is_better_said(sense: Sense, left: End, right: End) -> bool:
    """What the speaker doesn't like is a preference."""
    return sense.label == "dislikes" and left.kind == SELF and not right.kind


def _with_others(
    scene: Scene, clause: Clause, sense: Sense, found: list[tuple[End, End]]
) -> Iterator[Link]:
    """Who works on something with somebody works with them."""
    if sense.label != "works_on" or claim(scene, clause.verb) != "holds":
        return
    others = companions(scene, clause)
    working = Sense(label="works_with", group=True)
    for left in dict.fromkeys(left for left, _ in found):
        for other in others:
            if left.kind in PEOPLE and left not in others:
                yield from links(scene, clause.verb, working, left, other)


def _from_where(
    scene: Scene, clause: Clause, sense: Sense, found: list[tuple[End, End]]
) -> Iterator[Link]:
    """`met Ana from Acme`, `hired Ana from Acme`: where she works, or did."""
    if (
        sense.label not in {"met", "hired"}
        or clause.passive
        or claim(scene, clause.verb) != "holds"
    ):
        return
    label = "works_at" if sense.label == "met" else "worked_at"
    start, stop = scene.quote(clause.verb)
    for word in clause.after("from"):
        for end in ends(scene, word):
            for person in [right for _, right in found if right.kind == "person"][:1]:
                if end.kind == "organization":
                    yield Link(left=person, label=label, right=end, start=start, stop=stop)


_MEALS = frozenset(
    "lunch dinner breakfast coffee tea drink beer brunch call chat meeting catchup 1:1 standup".split()
)


def _sat_down(scene: Scene, clause: Clause) -> Iterator[Link]:
    """`had lunch with Ana`: they met."""
    if clause.verb.lemma not in {"have", "grab", "get"} or not any(
        word.lemma in _MEALS for word in clause.after("")
    ):
        return
    lefts = [end for each in clause.subjects for end in ends(scene, each, group=True)] or implied(
        scene, clause
    )
    for left in lefts:
        for right in companions(scene, clause):
            if left.kind in PEOPLE and left != right:
                yield from links(scene, clause.verb, Sense(label="met", event=True), left, right)


def _plain(verb: Word, preposition: str) -> tuple[Sense, ...]:
    if preposition or verb.lemma not in PLAIN:
        return ()
    return (Sense(label=verb.lemma, left=_NAMED, right=_NAMED, event=True),)
