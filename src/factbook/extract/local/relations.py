"""Relations said by a verb between its subject and its objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from factbook.extract.local.parse import Word
from factbook.extract.local.scene import End, Link, Scene
from factbook.model.record import SELF


@dataclass(frozen=True, slots=True)
class Said:
    """What a verb with a preposition (or none) says. `past` is the label where the verb stands in the past."""

    label: str
    past: str = ""


VERBS = {
    ("work", "at"): Said("works_at", "worked_at"),
    ("work", "for"): Said("works_at", "worked_at"),
    ("work", "on"): Said("works_on"),
    ("live", "in"): Said("lives_in", "lived_in"),
    ("use", ""): Said("uses"),
    ("lead", ""): Said("leads", "leads"),
    ("manage", ""): Said("manages"),
    ("own", ""): Said("owns"),
    ("depend", "on"): Said("depends_on"),
    ("report", "to"): Said("reports_to"),
    ("move", "to"): Said("moved_to", "moved_to"),
    ("visit", ""): Said("visited", "visited"),
    ("create", ""): Said("created", "created"),
    ("approve", ""): Said("approved", "approved"),
    ("replace", ""): Said("replaced", "replaced"),
    ("prefer", ""): Said("prefers"),
    ("like", ""): Said("likes"),
    ("love", ""): Said("likes"),
}


def relations(scene: Scene) -> Iterator[Link]:
    """The relations that the verbs of a scene say."""
    for verb in scene.words:
        if verb.pos != "VERB" or verb.child("neg"):
            continue
        subjects = [end for word in verb.children_by("nsubj") for end in _ends(scene, word)]
        for preposition, objects in _objects(verb):
            said = VERBS.get((verb.lemma, preposition))
            if said is None:
                continue
            start, stop = scene.sentence(verb)
            for left in subjects:
                for word in objects:
                    for right in _ends(scene, word):
                        label = said.past if verb.tag == "VBD" and said.past else said.label
                        yield Link(left=left, label=label, right=right, start=start, stop=stop)


def _objects(verb: Word) -> Iterator[tuple[str, list[Word]]]:
    yield "", verb.children_by("dobj")
    for preposition in verb.children_by("prep"):
        yield preposition.lower, preposition.children_by("pobj")


def _ends(scene: Scene, word: Word) -> Iterator[End]:
    for each in word.with_conjuncts():
        if name := scene.name_at(each):
            yield scene.end(name)
        elif each.lower == "i":
            yield End(*scene.characters(each.i, each.i + 1), SELF)
