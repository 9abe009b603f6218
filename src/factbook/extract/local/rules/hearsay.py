"""What the text only passes on: `Tom says that …`, `Ana told me …`, `according to Tom, …`, `I heard
from Ana that …`.
"""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.scene import Scene, Told
from factbook.model.record import SELF

_REPORTS = frozenset(
    "say tell mention report announce confirm claim write swear promise explain add note reply".split()
)
"""Verbs whose subject vouches for what follows; thinking and believing don't pass anything on."""


def hearsay(scene: Scene) -> Iterator[Told]:
    """The stretches of a scene that somebody with a name vouches for, and not who writes."""
    for word in scene.words:
        if word.pos == "VERB" and (by := _named(scene, _voucher(word))):
            yield from _clauses(word, by)
        elif word.lower == "according" and (by := _named(scene, _source(word))):
            inside = [each.i for each in scene.sentence_of(word) if each not in word.subtree()]
            if inside:
                yield Told(word, min(inside), max(inside), by)


def _clauses(verb: Word, by: str) -> Iterator[Told]:
    for clause in verb.children_by("ccomp"):
        inside = [each.i for each in clause.subtree()]
        yield Told(verb, min(inside), max(inside), by)


def _named(scene: Scene, word: Word | None) -> str:
    """The name of one person, as the text writes it; empty for none, for several and for the
    speaker.
    """
    if word is None or word.children_by("conj"):
        return ""
    if found := scene.pronouns.get(word.i):
        return found.name or scene.said(found.start, found.stop) if found.kind == "person" else ""
    name = scene.name_at(word)
    if name is None or name.kind not in {"person", "organization"} or name.kind == SELF:
        return ""
    return " ".join(scene.said(*scene.characters(name.start, name.end)).split())


def _voucher(verb: Word) -> Word | None:
    if verb.lemma in _REPORTS:
        return verb.child("nsubj")
    if verb.lemma != "hear":
        return None
    preposition = next((each for each in verb.children_by("prep") if each.lower == "from"), None)
    return preposition.child("pobj") if preposition is not None else None


def _source(according: Word) -> Word | None:
    preposition = next((each for each in according.children if each.lower == "to"), None)
    return (preposition.child("pobj") if preposition is not None else None) or according.child(
        "pobj"
    )
