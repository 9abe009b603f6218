"""Where things are: an organization by its offices, a plain phrase by what stands behind it."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import Clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.nouns import BUILDINGS, PREMISES
from factbook.extract.local.rules.saying import links
from factbook.extract.local.rules.sense import PLACES, Sense
from factbook.extract.local.scene import End, Link, Scene

_LOCATED = Sense(label="located_in", right=PLACES)
_NEAR = frozenset({"in", "near", "outside", "at"})
_HAS = frozenset({"have", "open", "run", "operate", "own"})


def premises(scene: Scene, clause: Clause) -> Iterator[Link]:
    """`Acme has offices in Oslo`, `Acme opened a site in Oslo`."""
    if clause.verb.lemma not in _HAS or clause.passive:
        return
    owners = [
        end for each in clause.subjects for end in ends(scene, each) if end.kind == "organization"
    ]
    for noun in clause.after(""):
        if noun.lemma in PREMISES and not scene.name_at(noun):
            places = [*_behind(noun), *clause.after("in")]
            yield from _at(scene, clause.verb, owners, places)


def site(scene: Scene, clause: Clause) -> Iterator[Link]:
    """`Acme's site is in Oslo`, `its office is in Oslo`."""
    for noun in clause.subjects:
        owner = noun.child("poss")
        if noun.lemma not in PREMISES or owner is None:
            continue
        found = scene.name_at(owner)
        end = scene.end(found) if found is not None else scene.pronouns.get(owner.i)
        if end is not None and end.kind == "organization":
            yield from _at(scene, clause.verb, [end], clause.after("in", "near"))


_SITED = frozenset(
    "works_at worked_at studies_at studied_at founded volunteers_at volunteered_at attended".split()
)
"""What is said of an organization or event that is where the words right behind it say."""


def in_a_place(
    scene: Scene, clause: Clause, those: tuple[End, ...], label: str = ""
) -> Iterator[Link]:
    """`a bakery in Ghent`, `works at Acme in Ghent`: where a plain phrase, an organization or an
    event is that is an end of something else that the clause says.
    """
    for end in those:
        named = label in _SITED and end.kind in {"organization", "event"} and not end.name
        noun = _noun_of(scene, end) if named or not end.kind else None
        if noun is None or not (named or noun.lemma in BUILDINGS):
            continue
        behind = _behind(noun)
        if not behind:
            behind = [
                word
                for preposition in clause.verb.children_by("prep")
                if preposition.i == noun.i + 1 and preposition.lower in _NEAR
                for word in preposition.children_by("pobj")
            ]
        yield from _at(scene, clause.verb, [end], behind)


def _at(scene: Scene, verb: Word, those: list[End], places: list[Word]) -> Iterator[Link]:
    for end in those:
        for word in places:
            for place in ends(scene, word):
                if place.kind == "place":
                    yield from links(scene, verb, _LOCATED, end, place)


def _behind(noun: Word) -> list[Word]:
    return [
        word
        for preposition in noun.children_by("prep")
        if preposition.lower in _NEAR
        for word in preposition.children_by("pobj")
    ]


def _noun_of(scene: Scene, end: End) -> Word | None:
    stop = end.stop - scene.passage.offset
    return next((word for word in scene.words if word.stop == stop), None)
