"""From a verb and its two ends to a relation: whether it is stated, and when it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.sense import Sense
from factbook.extract.local.rules.truth import Claim, claim
from factbook.extract.local.rules.validity import (
    has_ended,
    is_future,
    is_past,
    is_perfect,
    used_to,
    validity,
    was_intended,
)
from factbook.extract.local.scene import ALWAYS, End, Link, Scene, Span
from factbook.model.record import SELF

_TOLD_IN_PAST = frozenset(
    "likes dislikes prefers knows blocks depends_on manages owns works_with uses located_in part_of".split()
)
"""People tell of these in the past without meaning that they are over (`I loved that museum`)."""


def links(
    scene: Scene, verb: Word, sense: Sense, left: End, right: End, held: Claim | None = None
) -> Iterator[Link]:
    """The relation that the verb says of the ends, and what it takes back; nothing where it isn't
    stated.
    """
    held = held or claim(scene, verb)
    if held == "open" or not _is_said(scene, verb) or (sense.event and held == "denied"):
        return
    ended = has_ended(verb) or used_to(verb)
    begins = sense.begins or sense.event
    done = (
        is_past(verb)
        or is_perfect(verb)
        or (verb.tag in {"VBN", "VBD"} and verb.dep in {"acl", "amod"})
    )
    if begins and not (done or (is_future(verb) and not sense.event)):
        return
    when = validity(scene, verb, event=begins)
    start, stop = scene.quote(verb)
    link = Link(left=left, label=sense.label, right=right, start=start, stop=stop, when=when)
    if (
        sense.label == "likes"
        and held == "denied"
        and not ended
        and (left.kind != SELF or right.kind)
    ):
        yield replace(link, label="dislikes")
    if sense.event:
        yield link
    elif ended or held == "denied":
        yield from _ended(link, sense.past_label if ended else "")
    elif is_past(verb) and not sense.begins and not sense.stays:
        yield from _in_past(link, sense.past_label)
    else:
        yield link


def _is_said(scene: Scene, verb: Word) -> bool:
    """Not `had Ana moved, …`, `imagine Ana owns it`, `never tell them that Ana approved it`, `we
    were going to move`.
    """
    subject = verb.child("nsubj")
    asked = any(
        word.lower in {"had", "were", "should"} and subject and word.i < subject.i
        for word in verb.children_by("aux")
    )
    first = next(
        word
        for word in scene.sentence_of(verb)
        if word.pos not in {"PUNCT", "SPACE"} or word is verb
    )
    pretended = first.lower in {"imagine", "pretend", "suppose"} and first is not verb
    return not (asked or pretended or was_intended(verb) or _is_told_to_say(verb))


def _is_told_to_say(verb: Word) -> bool:
    return any(
        word.tag == "VB"
        and word.lemma in _TOLD_TO
        and word.dep in {"ROOT", "conj"}
        and word.child("nsubj") is None
        for word in verb.above()
    )


_TOLD_TO = frozenset("tell say pretend imagine assume suppose claim announce".split())


def _ended(link: Link, past: str) -> Iterator[Link]:
    """What held and holds no longer: the present relation is taken back, the past one is kept."""
    closed = link.when.invalid_at or link.when.valid_at
    over = Span(invalid_at=closed, grain=link.when.grain) if closed else ALWAYS
    yield replace(link, when=over, retracts=True)
    if past:
        yield replace(link, label=past, when=over)


def _in_past(link: Link, past: str) -> Iterator[Link]:
    """What is told in the past (`worked at`, `led`): the past label where there is one, with the
    time that is named.
    """
    if past:
        yield replace(link, label=past)
    elif link.when.invalid_at is not None or link.label in _TOLD_IN_PAST:
        yield link
