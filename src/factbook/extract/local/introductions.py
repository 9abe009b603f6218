"""How a speaker is called, by their own words: `I'm Ana Silva`, `my name is Wei`, `call me Tom`."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.scene import Name, Scene
from factbook.extract.local.truth import claim


def introductions(scene: Scene) -> Iterator[Name]:
    """The names by which the speaker introduces themselves."""
    for verb in scene.words:
        if verb.lemma == "be" and claim(scene, verb) == "holds":
            subject = verb.child("nsubj")
            if subject is not None and _is_myself(subject):
                yield from _person(scene, [*verb.children_by("attr"), *verb.children_by("acomp", "oprd")], verb)
        elif verb.lemma == "call" and any(word.lower == "me" for word in verb.children):
            if not verb.child("nsubj", "neg") or verb.head.lemma in {"can", "may"}:
                yield from _person(scene, verb.children_by("oprd", "dobj", "xcomp", "ccomp"), verb)


def _is_myself(subject: Word) -> bool:
    if subject.lower == "i":
        return True
    owner = subject.child("poss")
    return subject.lower == "name" and owner is not None and owner.lower == "my"


def _person(scene: Scene, words: list[Word], verb: Word) -> Iterator[Name]:
    for word in words:
        name = scene.name_at(word)
        if name is None or name.kind not in {"person", "other"} or word.dep == "poss" or word.i < verb.i:
            continue
        following = scene.words[name.end] if name.end < len(scene.words) else None
        if following is None or following.tag != "POS":
            yield name
