"""What someone promised, plans or has to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import claim, is_negated
from factbook.extract.local.rules.validity import is_future, is_past
from factbook.extract.local.rules.values import subjects
from factbook.extract.local.rules.wording import (
    by_speaker,
    by_us,
    content_of,
    deadline_of,
    is_done,
    statement,
)
from factbook.extract.local.scene import Scene, Statement
from factbook.model.record import SELF

_COMMIT = frozenset("promise commit pledge vow offer volunteer".split())
_NEED = frozenset("need have must got".split())
TURNS_OF_SPEECH = frozenset(
    """be see think keep know hope love like want miss remember say tell talk hear feel wait look stay enjoy forget mean
    need take come have get make give go let guess admit bet believe always never cherish support appreciate stick
    treasure cheer""".split()
)
"""Verbs of which `I'll …` is mostly a turn of speech (`I'll see`, `I'll be there`)."""
_SMALL_NEEDS = frozenset(
    "be say admit know see go get have think tell keep take try find make let ask wait do".split()
)


def tasks(scene: Scene, word: Word) -> Iterator[Statement]:
    if word.pos not in {"VERB", "AUX"} and word.lower not in _SAID:
        return
    if word.lower in _SAID and (promised := _promised(scene, word)):
        yield _task(scene, promised, 0.8)
        return
    loose = word.lemma in {"offer", "volunteer"} and word.child("xcomp") is None
    if (
        word.lemma in _COMMIT
        and not loose
        and not is_negated(word)
        and (is_done(word) or word.tag in {"VBG", "VBP"})
    ):
        content = _pledged(scene, word)
        finite = word.dep in {"ROOT", "conj", "ccomp", "parataxis"}
        if (
            finite
            and content is not None
            and content.pos != "PRON"
            and content.lemma != "be"
            and by_us(word)
        ):
            yield _task(scene, content, 0.8, word)
        return
    if (
        word.lemma == "remind"
        and word.tag == "VB"
        and word.dep == "ROOT"
        and not word.child("nsubj")
    ):
        content = word.child("xcomp", "ccomp")
        if (
            content is not None
            and any(child.lower == "me" for child in word.children)
            and content.tag == "VB"
        ):
            yield _task(scene, content, 0.8)
        return
    if word.tag in {"VBG", "VBP"} and _is_planned(scene, word):
        yield _task(scene, word, 0.7)
    lasting = word.tag == "VBG" and any(each.lower == "be" for each in word.children_by("aux"))
    if (word.tag != "VB" and not lasting) or is_negated(word):
        return
    if is_future(word) and not _is_hedged(word):
        yield from _announced(scene, word)
    elif _is_needed(word) and _has_object(word) and word.lemma not in _SMALL_NEEDS:
        yield _task(scene, word, 0.6)
    elif _must(scene, word) and _has_object(word):
        yield _task(scene, word, 0.7)


def _must(scene: Scene, verb: Word) -> bool:
    """`Omar has to finish the report by Friday`: of others, only with a deadline."""
    head = verb.head
    needed = verb.dep == "xcomp" and head.lemma in {"need", "have"} and verb.lemma in _ACTS
    if not needed or is_past(head) or is_negated(head) or head.child("aux") or _is_hedged(head):
        return False
    stated = claim(scene, head) == "holds" and "deadline" in deadline_of(scene, verb)
    return stated and any(end.kind == "person" for _, end in subjects(scene, head))


def _announced(scene: Scene, verb: Word) -> Iterator[Statement]:
    """`I'll send the notes`, `Tom will send the quote`: of others only deeds that one can be held
    to.
    """
    deadline = deadline_of(scene, verb)
    going = verb.dep == "xcomp" and verb.head.lemma == "go" and not verb.head.child("aux")
    if (
        verb.pos != "VERB"
        or (going and verb.head.dep != "ROOT")
        or (verb.lemma == "add" and "list" in {each.lower for each in verb.subtree()})
    ):
        return
    if by_speaker(verb):
        if verb.lemma not in TURNS_OF_SPEECH and _has_object(verb):
            yield _task(scene, verb, 0.8 if deadline else 0.6)
        elif (
            deadline and verb.lemma in {"have", "get", "give", "take", "make"} and _has_object(verb)
        ):
            yield _task(scene, verb, 0.7)
        elif deadline and verb.lemma in _ACTS and verb.child("dobj") is not None:
            yield _task(scene, verb, 0.7)  # `I'll fix them tonight`
    elif (
        verb.lemma in _ACTS
        and _has_object(verb)
        and claim(scene, verb) == "holds"
        and _someone(scene, verb)
    ):
        yield _task(scene, verb, 0.7 if deadline else 0.6)


_ACTS = frozenset(
    """send write prepare fix review book order buy bring call email mail share draft update finish deliver set ship check
    investigate handle organize organise schedule arrange present upload create add do cook bake pick file submit sign pay
    print translate test deploy merge rewrite document contact invite reserve return repair clean collect forward publish
    design build migrate refactor install configure proofread summarize announce circulate distribute compile hand lead run
    complete work sort drop take cover make provide post push order sort record""".split()
)


def _someone(scene: Scene, verb: Word) -> bool:
    """Whether a person who is named does it."""
    return any(end.kind == "person" for _, end in subjects(scene, verb))


def _is_planned(scene: Scene, verb: Word) -> bool:
    """`I'm sending the contract tomorrow`: the present for what is to come, with its time."""
    subject, objects = verb.child("nsubj"), verb.child("dobj")
    if (
        verb.tag != "VBG"
        or subject is None
        or subject.lower not in {"i", "we"}
        or objects is None
        or is_negated(verb)
    ):
        return False
    going = any(word.lower in {"am", "'m", "are", "'re", "m"} for word in verb.children_by("aux"))
    later = (
        verb.lemma != "take"
        and "deadline" in deadline_of(scene, verb)
        and verb.lemma in _ACTS
        and _has_object(verb)
    )
    return going and later and claim(scene, verb) == "holds" and not _is_hedged(verb)


def _pledged(scene: Scene, verb: Word) -> Word | None:
    """What is promised: not to whom (`promised Lena the slides`)."""
    objects = [word for word in verb.children_by("dobj") if word.i > verb.i]
    if len(objects) > 1:
        return objects[-1]
    content = content_of(verb, "to")
    if (
        content is not None
        and content.dep == "dobj"
        and (name := scene.name_at(content))
        and name.kind == "person"
    ):
        return None
    return content


def _task(scene: Scene, top: Word, importance: float, verb: Word | None = None) -> Statement:
    """The task that a word heads, with who owes it and until when."""
    found = statement(scene, "task", top, importance, {})
    for each in (
        verb.children_by("prep") if verb is not None and top.pos not in {"VERB", "AUX"} else ()
    ):
        start, stop = scene.characters(each.i, each.subtree()[-1].i + 1)
        if 0 <= start - found.stop <= 1:  # `the slides by Friday`
            found = replace(found, stop=stop)
    return replace(found, metadata={"owner": _owner(scene, verb or top), **deadline_of(scene, top)})


def _owner(scene: Scene, verb: Word) -> str:
    """The name of who does it, `self` for the speaker."""
    for _, end in subjects(scene, verb, group=True):
        if end.kind == "person":
            return end.name or " ".join(scene.said(end.start, end.stop).split())
    return scene.passage.message.speaker or SELF


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
        if (
            mine
            and verb.tag == "VB"
            and aux & {"'d", "would", "'ll", "will"}
            and not is_negated(verb)
        ):
            return verb if verb.lemma != "be" else None
    return None


def _is_hedged(verb: Word) -> bool:
    chain = (verb, *verb.above())
    return any(
        child.lower in {"maybe", "perhaps", "probably", "hopefully", "if", "never"}
        or (
            child.dep == "advcl"
            and child.child("mark") is not None
            and child.children[0].lower == "if"
        )
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
    if (
        verb.dep != "xcomp"
        or head.lemma not in _NEED
        or is_past(head)
        or is_negated(head)
        or head.tag == "VBD"
    ):
        return False
    subject = head.child("nsubj")
    mine = (
        subject.lower in {"i", "we"}
        if subject is not None
        else head.dep == "ROOT" and head.lemma == "need"
    )
    return mine and not _is_hedged(head) and not head.child("aux")
