"""What someone promised, plans or has to do."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import is_negated
from factbook.extract.local.rules.validity import is_future, is_past
from factbook.extract.local.rules.wording import by_speaker, by_us, content_of, deadline_of, is_done, statement
from factbook.extract.local.scene import Scene, Statement

_COMMIT = frozenset("promise commit pledge vow".split())
_NEED = frozenset("need have must got".split())
_SMALL = frozenset(
    """be see think keep know hope love like want miss remember say tell talk hear feel wait look stay enjoy forget mean
    need take come have get make give go let guess admit bet believe always never cherish support appreciate stick
    treasure cheer""".split()
)
"""Verbs of which `I'll …` is mostly a turn of speech (`I'll see`, `I'll be there`)."""
_SMALL_NEEDS = frozenset("be say admit know see go get have think tell keep take try find make let ask wait do".split())


def tasks(scene: Scene, word: Word) -> Iterator[Statement]:
    if word.pos not in {"VERB", "AUX"} and word.lower not in _SAID:
        return
    if word.lower in _SAID and (promised := _promised(scene, word)):
        yield statement(scene, "task", promised, 0.8, deadline_of(scene, promised))
        return
    if word.lemma in _COMMIT and not is_negated(word) and (is_done(word) or word.tag in {"VBG", "VBP"}):
        content = content_of(word, "to")
        finite = word.dep in {"ROOT", "conj", "ccomp", "parataxis"}
        if finite and content is not None and content.pos != "PRON" and content.lemma != "be" and by_us(word):
            yield statement(scene, "task", content, 0.8, deadline_of(scene, word))
        return
    if word.lemma == "remind" and word.tag == "VB" and word.dep == "ROOT" and not word.child("nsubj"):
        content = word.child("xcomp", "ccomp")
        if content is not None and any(child.lower == "me" for child in word.children) and content.tag == "VB":
            yield statement(scene, "task", content, 0.8, deadline_of(scene, word))
        return
    if word.tag != "VB" or is_negated(word):
        return
    if is_future(word) and by_speaker(word) and not _is_hedged(word):
        deadline = deadline_of(scene, word)
        if word.pos != "VERB" or (word.lemma == "add" and "list" in {each.lower for each in word.subtree()}):
            return
        if word.lemma not in _SMALL and _has_object(word):
            yield statement(scene, "task", word, 0.8 if deadline else 0.6, deadline)
        elif deadline and word.lemma in {"have", "get", "give", "take", "make"} and _has_object(word):
            yield statement(scene, "task", word, 0.7, deadline)
    elif _is_needed(word) and _has_object(word) and word.lemma not in _SMALL_NEEDS:
        yield statement(scene, "task", word, 0.6, deadline_of(scene, word))


_SAID = frozenset("promised promise told said confirmed assured agreed".split())


def _promised(scene: Scene, word: Word) -> Word | None:
    """`have` in `Promised Ana I'd have it ready by Friday`."""
    subject = word.child("nsubj")
    if is_negated(word) or (subject is not None and subject.lower not in {"i", "we"}):
        return None
    for verb in scene.sentence_of(word):
        subject = verb.child("nsubj")
        aux = {each.lower for each in verb.children_by("aux")}
        mine = subject is not None and subject.i > word.i and subject.lower in {"i", "we"}
        if mine and verb.tag == "VB" and aux & {"'d", "would", "'ll", "will"} and not is_negated(verb):
            return verb if verb.lemma != "be" else None
    return None


def _is_hedged(verb: Word) -> bool:
    chain = (verb, *verb.above())
    return any(
        child.lower in {"maybe", "perhaps", "probably", "hopefully", "if", "never"}
        or (child.dep == "advcl" and child.child("mark") is not None and child.children[0].lower == "if")
        for word in chain
        for child in word.children
        if child.dep in {"advmod", "mark", "advcl", "neg"}
    )


def _has_object(verb: Word) -> bool:
    objects = [
        *verb.children_by("dobj"),
        *(word for each in verb.children_by("prep") for word in each.children_by("pobj")),
    ]
    return any(word.pos in {"NOUN", "PROPN", "X", "NUM"} for word in objects)


def _is_needed(verb: Word) -> bool:
    """`I need to send`, `we have to fix`."""
    head = verb.head
    if verb.dep != "xcomp" or head.lemma not in _NEED or is_past(head) or is_negated(head) or head.tag == "VBD":
        return False
    subject = head.child("nsubj")
    return subject is not None and subject.lower in {"i", "we"} and not _is_hedged(head) and not head.child("aux")
