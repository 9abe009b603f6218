"""Animals with a name, as what their people have."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.carried import doers
from factbook.extract.local.rules.near import (
    called_next,
    is_be,
    is_plural,
    named_after,
    named_before,
    owners_of,
    text_at,
)
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import is_past
from factbook.extract.local.scene import End, Finding, Link, Name, Scene

_GETS = frozenset("have adopt get own rescue keep buy foster".split())
_HAD = frozenset({"have", "own", "keep"})
PETS = cues.PETS | frozenset(
    """pet pony donkey goat pig hen chicken goldfish fish budgie canary cockatiel parakeet tortoise gecko snake lizard
    ferret rat mouse chinchilla gerbil guinea-pig retriever labrador poodle terrier dachshund beagle collie spaniel
    corgi husky greyhound bulldog shepherd tabby tomcat mare gelding stallion foal""".split()
)
_KINDS = frozenset(
    {
        "person",
        "animal",
        "other",
        "product",
        "work",
        "project",
        "place",
        "organization",
        "concept",
        "event",
        "technology",
    }
)
"""What an animal's name may be taken for."""


def pets(scene: Scene) -> Iterator[Finding]:
    """`my dog Biscuit`, `Ana has two cats, Luna and Sol`, `we got a puppy, it's called Rex`, `Rex
    is Ana's dog`.
    """
    for noun in scene.words:
        if (noun.lemma not in PETS and noun.lower not in PETS) or noun.pos not in {"NOUN", "PROPN"}:
            continue
        if scene.name_at(noun) is not None or (
            noun.lemma == "shepherd" and text_at(scene, noun.i - 1) != "german"
        ):
            continue
        start, stop = scene.quote(noun)
        names = _names(scene, noun)
        for owner in _owners(scene, noun) if names else ():
            for name in names:
                if name.kind != "person" or scene.end(name) != owner:
                    yield Link(
                        left=owner,
                        label="has_pet",
                        right=scene.end(name),
                        start=start,
                        stop=stop,
                        importance=0.6,
                    )


def _names(scene: Scene, noun: Word) -> list[Name]:
    """How an animal, or several, are called."""
    found = named_after(scene, noun, _KINDS)
    before = named_before(scene, noun, _KINDS)
    found += [before] if before is not None and not found else []
    found = found or [
        name for name in scene.names if name.kind in _KINDS and _hangs(scene.head_of(name), noun)
    ]
    return found or [*_said_to_be(scene, noun), *called_next(scene, noun, _KINDS)]


def _hangs(head: Word, noun: Word) -> bool:
    """Whether a name's head is the animal's to the parser."""
    return (head.dep == "appos" and head.head is noun) or (
        head.head.lemma in {"name", "call"} and head.head.dep == "acl" and head.head.head is noun
    )


def _said_to_be(scene: Scene, noun: Word) -> Iterator[Name]:
    """`Rex is my dog`, `my dog's name is Rex`, `our cat is called Luna`."""
    verb = noun.head if noun.dep != "poss" or noun.head.lemma != "name" else noun.head.head
    if (
        not (is_be(verb) or verb.lemma in {"call", "name"})
        or claim(scene, verb) != "holds"
        or is_past(verb)
    ):
        return
    others = (
        verb.children_by("nsubj")
        if noun.dep == "attr"
        else verb.children_by("attr", "oprd", "dobj")
    )
    for word in others:
        for each in word.with_conjuncts() if is_plural(noun) or noun.dep == "attr" else [word]:
            if (name := scene.name_at(each)) is not None and name.kind in _KINDS:
                yield name


def _owners(scene: Scene, noun: Word) -> Iterator[End]:
    owners = [end for end in owners_of(scene, noun) if end.kind in {"person", "self"}]
    if owners:
        yield from owners
        return
    first = noun
    if noun.dep == "appos" and noun.head.lemma in PETS:
        yield from _owners(scene, noun.head)  # `my dog, a beagle named Max`
        return
    if noun.dep == "attr" and is_be(noun.head):
        yield from (
            each
            for word in noun.head.children_by("nsubj")
            if word.lemma in PETS
            for each in _owners(scene, word)
        )
        return  # `our dog is a beagle named Max`
    while first.dep == "conj":
        first = first.head
    verb = first.head
    if (
        first.dep not in {"dobj", "appos"}
        or verb.lemma not in _GETS
        or claim(scene, verb) != "holds"
    ):
        return
    if verb.lemma in _HAD and is_past(verb):
        return  # they had a dog once
    yield from doers(scene, verb)
