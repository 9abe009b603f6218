"""Relations said by a verb between its subject and its objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import Clause, clauses
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import has_ended, is_future, is_past, is_perfect, used_to, validity
from factbook.extract.local.rules.vocabulary import PLAIN, SENSES, Sense
from factbook.extract.local.scene import ALWAYS, End, Link, Scene, Span
from factbook.model.record import SELF

_SYMMETRIC_PASSIVE = frozenset({"marry", "engage", "base", "locate", "headquarter", "situate", "make", "bear"})
"""Passives that say of the subject what the active says (`is based in`)."""

_MADE_WITH = frozenset({"in", "on", "with", "to"})


def relations(scene: Scene) -> Iterator[Link]:
    """The relations that the verbs of a scene say."""
    for clause in clauses(scene):
        if clause.subjects or clause.passive or clause.verb.dep == "acl":
            yield from _said(scene, clause)


def _said(scene: Scene, clause: Clause) -> Iterator[Link]:
    verb = clause.verb
    for preposition, word in clause.objects:
        key = "" if clause.passive and preposition == "by" else preposition
        for sense in SENSES.get((verb.lemma, key), ()) or _plain(verb, key):
            pairs = _pairs(scene, clause, preposition, word, sense)
            for left, right in pairs:
                if not (
                    sense.label == "dislikes" and left.kind == SELF and not right.kind
                ):  # a preference says it better
                    yield from _links(scene, verb, sense, left, right)
            if pairs:
                break


def _plain(verb: Word, preposition: str) -> tuple[Sense, ...]:
    if preposition or verb.lemma not in PLAIN:
        return ()
    return (Sense(label=verb.lemma, left=_NAMED, right=_NAMED, event=True),)


_NAMED = frozenset("person self organization place project technology product concept event task campaign".split())


def _pairs(scene: Scene, clause: Clause, preposition: str, word: Word, sense: Sense) -> list[tuple[End, End]]:
    """The ends that the clause links, with the kinds that the sense wants."""
    passive = clause.passive and clause.verb.lemma not in _SYMMETRIC_PASSIVE
    if passive and preposition in {"", "agent"}:
        return []
    if passive and preposition == "by":
        subjects, objects = [word], list(clause.subjects)
    elif passive and preposition not in _MADE_WITH:
        return []
    else:
        subjects, objects = list(clause.subjects), [word]
    lefts = [end for each in subjects for end in ends(scene, each, phrases="" in sense.left, group=sense.group)]
    plain = "" in sense.right and word is not clause.verb.head
    rights = [
        end
        for each in objects
        for end in ends(
            scene, each, phrases=plain and sense.phrase != "loose", loose=plain and sense.phrase != "certain"
        )
    ]
    olds = [end for each in clause.after("from") for end in ends(scene, each)]
    if sense.label == "lives_in" and any(end.kind != "place" for end in olds):
        return []  # from one employer to another, whatever the new one's name was taken for
    return [
        (left, right)
        for left in lefts
        for right in rights
        if (right.kind or not sense.nouns or _head_of(scene, right) in sense.nouns)
        and left.kind in sense.left
        and right.kind in sense.right
        and left != right
        and (left.kind or right.kind)
    ]


def _head_of(scene: Scene, phrase: End) -> str:
    return scene.said(phrase.start, phrase.stop).split()[-1].lower()


def _links(scene: Scene, verb: Word, sense: Sense, left: End, right: End) -> Iterator[Link]:
    held = claim(scene, verb)
    if held == "open" or (sense.event and held == "denied"):
        return
    ended = has_ended(verb) or used_to(verb)
    begins = sense.begins or sense.event
    if begins and not (is_past(verb) or is_perfect(verb) or (is_future(verb) and not sense.event)):
        return
    when = validity(scene, verb, event=begins)
    start, stop = scene.quote(verb)
    link = Link(left=left, label=sense.label, right=right, start=start, stop=stop, when=when)
    if sense.event:
        yield link
    elif ended or held == "denied":
        yield from _ended(link, sense.past if ended else "")
    elif is_past(verb) and not sense.begins:
        yield from _in_past(link, sense.past)
    else:
        yield link


def _ended(link: Link, past: str) -> Iterator[Link]:
    """What held and holds no longer: the present relation is taken back, the past one is kept."""
    closed = link.when.invalid_at or link.when.valid_at
    over = Span(invalid_at=closed, grain=link.when.grain) if closed else ALWAYS
    yield replace(link, when=over, retracts=True)
    if past:
        yield replace(link, label=past, when=over)


def _in_past(link: Link, past: str) -> Iterator[Link]:
    """What is told in the past (`worked at`, `led`): the past label where there is one, with the time that is named."""
    if past:
        yield replace(link, label=past)
    elif link.when.invalid_at is not None or link.label in _TOLD_IN_PAST:
        yield link


_TOLD_IN_PAST = frozenset(
    "likes dislikes prefers knows blocks depends_on manages owns works_with uses located_in part_of".split()
)
"""People tell of these in the past without meaning that they are over (`I loved that museum`)."""
