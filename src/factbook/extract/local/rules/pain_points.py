"""What keeps going wrong, and what annoys."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.wording import STATED, by_speaker, holds, statement
from factbook.extract.local.scene import Scene, Statement

_TROUBLE = frozenset("struggle suffer".split())
_TROUBLE_NOUNS = frozenset(
    "problem issue bottleneck challenge headache obstacle blocker pain frustration nightmare".split()
)
_ANNOYED = frozenset(
    "annoying frustrating painful frustrated annoyed tedious unreliable flaky".split()
)


def pain_points(scene: Scene, word: Word) -> Iterator[Statement]:
    if (
        word.lemma in _TROUBLE_NOUNS
        and word.pos == "NOUN"
        and word.dep == "nsubj"
        and word.head.lemma == "be"
    ):
        if word.child("amod", "poss", "compound") is not None and holds(scene, word.head):
            content = word.head.child("ccomp", "attr", "advcl", "acomp", "xcomp")
            if content is not None:
                yield statement(scene, "pain_point", content, STATED, {}, whole=True)
    elif word.lemma == "keep" and word.pos == "VERB" and holds(scene, word):
        failing = word.child("xcomp")
        subject = word.child("nsubj")
        ours = subject is not None and (
            subject.pos != "PRON" or (failing is not None and failing.lemma == "lose")
        )
        if failing is not None and failing.lemma in _FAILS and ours:
            yield statement(scene, "pain_point", word, STATED, {}, whole=True)
    elif word.lemma in _TROUBLE and word.pos == "VERB" and by_speaker(word) and holds(scene, word):
        yield statement(scene, "pain_point", word, STATED, {})
    elif (
        word.lower in _ANNOYED
        and word.dep == "acomp"
        and word.head.lemma == "be"
        and holds(scene, word.head)
    ):
        subject = word.head.child("nsubj")
        if subject is not None and subject.pos in {"NOUN", "PROPN"}:
            yield statement(scene, "pain_point", word.head, STATED, {}, whole=True)


_FAILS = frozenset(
    "fail crash break time hang freeze stall disconnect restart drop leak flake error die stop lose".split()
)
