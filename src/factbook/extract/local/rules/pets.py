"""Animals with a name, as what their people have."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.scene import End, Finding, Link, Scene

_GETS = frozenset("have adopt get own rescue".split())


def pets(scene: Scene) -> Iterator[Finding]:
    """`my dog Biscuit`, `Ana has a cat named Luna`."""
    for name in scene.names:
        for noun in _animals(scene, scene.head_of(name)):
            start, stop = scene.quote(noun)
            for owner in _owners(scene, noun):
                yield Link(left=owner, label="has_pet", right=scene.end(name), start=start, stop=stop, importance=0.6)


def _animals(scene: Scene, head: Word) -> list[Word]:
    near = [*head.children_by("appos", "compound", "nmod"), head.head]
    if head.head.lemma in {"name", "call"}:
        near.append(head.head.head)
    return [word for word in near if word.lemma in cues.PETS and scene.name_at(word) is None]


def _owners(scene: Scene, noun: Word) -> Iterator[End]:
    first = noun
    while first.dep == "conj":
        first = first.head
    owner, verb = noun.child("poss"), first.head
    if owner is None and noun.dep in {"compound", "nmod"}:
        owner = noun.head.child("poss")  # `Ana's dog Rex`
    if owner is not None:
        if owner.lower in {"my", "our"}:
            yield scene.self_at(owner)
        elif (name := scene.name_at(owner)) and name.kind == "person":
            yield scene.end(name)
        elif owner.i in scene.pronouns:
            yield scene.pronouns[owner.i]
    elif first.dep == "dobj" and verb.lemma in _GETS and claim(scene, verb) == "holds":
        for subject in clause(scene, verb).subjects:
            yield from (end for end in ends(scene, subject, group=True) if end.kind in {"person", "self"})
