"""How a speaker is called, by their own words: `I'm Ana Silva`, `my name is Wei`, `call me Tom`."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.near import is_be, text_at
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.scene import Name, Scene


def introductions(scene: Scene) -> Iterator[Name]:
    """The names by which the speaker introduces themselves."""
    for verb in scene.words:
        if is_be(verb) and claim(scene, verb) == "holds":
            subject = verb.child("nsubj")
            if subject is not None and _is_myself(subject):
                yield from _person(
                    scene, [*verb.children_by("attr"), *verb.children_by("acomp", "oprd")], verb
                )
            elif text_at(scene, verb.i - 1) == "i" and verb.i + 1 < len(scene.words):
                following = scene.words[verb.i + 1]  # `im Ana`, which the parser takes apart
                yield from _person(scene, [following] if following.pos == "PROPN" else [], verb)
        elif verb.lemma == "call" and _calls_me(verb):
            yield from _person(scene, verb.children_by("oprd", "dobj", "xcomp", "ccomp"), verb)
        elif (
            verb.lemma == "go"
            and (subject := verb.child("nsubj")) is not None
            and subject.lower == "i"
        ):
            by = [
                word
                for word in verb.children_by("prep")
                if word.lower == "by" and claim(scene, verb) == "holds"
            ]
            yield from _person(
                scene, [word for each in by for word in each.children_by("pobj")], verb
            )
    yield from _here(scene)


_GREETINGS = frozenset(
    "hi hello hey hiya hallo morning evening greetings , ! . good there all everyone team".split()
)


def _here(scene: Scene) -> Iterator[Name]:
    """`Hi, Tom here from Acme`: a name and `here` at the beginning."""
    for name in scene.names[:1]:
        greeted = all(word.lower in _GREETINGS for word in scene.words[: name.start])
        after = text_at(scene, name.end + 1)
        if (
            name.kind == "person"
            and greeted
            and text_at(scene, name.end) == "here"
            and after in _AFTER_HERE
        ):
            yield name


_AFTER_HERE = frozenset({",", ".", "!", "-", "–", "—", ":", "from", "with", "again", "("})


def _calls_me(verb: Word) -> bool:
    """`call me Tom`, `you can call me Tom`, `everyone calls me Tom`; not `she called me Tom`."""
    subject = verb.child("nsubj")
    mine = any(word.lower == "me" for word in verb.children)
    if mine and subject is not None and subject.lower in _ALL and verb.tag in {"VBZ", "VBP"}:
        return verb.child("neg") is None
    return (
        mine
        and verb.tag == "VB"
        and not verb.child("neg")
        and (subject is None or subject.lower in {"you", "me"})
    )


_ALL = frozenset("everyone everybody people friends they most".split())


def _is_myself(subject: Word) -> bool:
    if subject.lower == "i":
        return True
    owner = subject.child("poss")
    if subject.lower != "name" or owner is None:
        return False
    return owner.lower == "my" or owner.lower == "user"  # as notes have it: `the user's name is …`


def _person(scene: Scene, words: list[Word], verb: Word) -> Iterator[Name]:
    for word in words:
        name = scene.name_at(word)
        if (
            name is None
            or name.kind not in {"person", "other"}
            or word.dep == "poss"
            or word.i < verb.i
        ):
            continue
        following = scene.words[name.end] if name.end < len(scene.words) else None
        if following is None or following.tag != "POS":
            yield name
