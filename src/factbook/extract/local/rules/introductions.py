"""How a speaker is called, by their own words: `I'm Ana Silva`, `my name is Wei`, `call me Tom`."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.scene import Name, Scene


def introductions(scene: Scene) -> Iterator[Name]:
    """The names by which the speaker introduces themselves."""
    for verb in scene.words:
        if verb.lemma == "be" and claim(scene, verb) == "holds":
            subject = verb.child("nsubj")
            if subject is not None and _is_myself(subject):
                yield from _person(scene, [*verb.children_by("attr"), *verb.children_by("acomp", "oprd")], verb)
        elif verb.lemma == "call" and _calls_me(verb):
            yield from _person(scene, verb.children_by("oprd", "dobj", "xcomp", "ccomp"), verb)


def _calls_me(verb: Word) -> bool:
    """`call me Tom`, `you can call me Tom`; not `she called me Tom`."""
    subject = verb.child("nsubj")
    mine = any(word.lower == "me" for word in verb.children)
    return mine and verb.tag == "VB" and not verb.child("neg") and (subject is None or subject.lower in {"you", "me"})


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
