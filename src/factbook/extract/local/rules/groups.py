"""Who belongs to which team, band, club or board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends, named_by, phrase
from factbook.extract.local.rules.near import both_before, is_be, named_before, text_at
from factbook.extract.local.rules.roles import GROUP_NOUNS, only_group
from factbook.extract.local.rules.truth import claim, is_asked_of
from factbook.extract.local.rules.validity import (
    has_ended,
    is_future,
    is_past,
    is_perfect,
    used_to,
    validity,
)
from factbook.extract.local.scene import ALWAYS, End, Finding, Link, Scene

NAMED_ALONE = frozenset(
    "choir orchestra band board union committee council troupe society guild".split()
)
"""Groups that mean a certain one without a word before them; there are many teams."""
_PLAYS: dict[str, frozenset[str]] = {
    "play": frozenset({"for", "in", "with"}),
    "sing": frozenset({"in", "with"}),
    "drum": frozenset({"in", "for"}),
    "dance": frozenset({"in", "with"}),
    "row": frozenset({"for"}),
    "skate": frozenset({"for"}),
    "swim": frozenset({"for"}),
    "run": frozenset({"for"}),
    "sit": frozenset({"on"}),
    "serve": frozenset({"on"}),
    "belong": frozenset({"to"}),
}
_NAMED = frozenset({"organization", "event", "project", "other"})
_CLUBS_OF = frozenset({"play", "row", "skate", "swim"})
"""What one does for a club that is only named (`plays for Sparta`)."""


def groups(scene: Scene) -> Iterator[Finding]:
    """`I'm on the data team`, `a member of the choir`, `plays for Sparta`, `Ana from the platform
    team`.
    """
    for word in scene.words:
        if word.pos in {"VERB", "AUX"} and word.dep not in {"aux", "auxpass"}:
            yield from _is_in(scene, word)
            yield from _does_in(scene, word)
        elif word.lemma == "member" and word.pos == "NOUN":
            yield from _is_member(scene, word)
    yield from _beside(scene)


def _people(scene: Scene, verb: Word) -> list[End]:
    out: list[End] = []
    for word in clause(scene, verb).subjects:
        out += both_before(scene, word) if word.lower == "they" else ends(scene, word)
    return [end for end in out if end.kind in {"person", "self"}]


def _groups(scene: Scene, word: Word, *, named: bool = False) -> list[End]:
    """The groups that a word and its conjuncts stand for; any organization will do where it is
    `named`.
    """
    if (team := _with_name(scene, word)) is not None:
        return [team]
    out: list[End] = []
    for end in ends(scene, word, phrases=True, loose=True):
        said = (end.name or scene.said(end.start, end.stop)).lower().split()
        group = bool(said) and said[-1] in GROUP_NOUNS
        plain = end.kind == "" and group and (len(said) > 1 or said[-1] in NAMED_ALONE)
        company = end.kind == "organization" and (named or word.lower in GROUP_NOUNS)
        if plain and len(said) == 1 and (whose := _of_whom(scene, word)):
            out += whose
        elif plain or company or (end.kind in _NAMED and group):
            out.append(end)
    return out


def _of_whom(scene: Scene, word: Word) -> list[End]:
    """`the board of Acme`: a board is known by what it is the board of."""
    under = [
        each
        for prep in word.children_by("prep")
        if prep.lower in {"of", "at"}
        for each in prep.children_by("pobj")
    ]
    return [end for each in under for end in ends(scene, each) if end.kind == "organization"]


def _with_name(scene: Scene, word: Word) -> End | None:
    """`the Atlas team`: a team of its own, and not the project."""
    if word.lower not in GROUP_NOUNS or scene.name_at(word) is not None:
        return None
    name = named_by(scene, word)
    return (
        phrase(scene, word)
        if name is not None and name.kind not in {"organization", "person"}
        else None
    )


def _is_in(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`is on the team`, `is in a band`, `is part of the crew`."""
    if not is_be(verb):
        return
    for preposition in verb.children_by("prep"):
        if preposition.lower in {"on", "in"}:
            yield from _links(scene, verb, preposition.children_by("pobj"))
    for part in verb.children_by("attr"):
        if part.lower == "part":
            under = [
                word
                for each in part.children_by("prep")
                if each.lower == "of"
                for word in each.children
            ]
            yield from _links(scene, verb, under)


def _does_in(scene: Scene, verb: Word) -> Iterator[Finding]:
    prepositions = _PLAYS.get(verb.lemma)
    if prepositions is None:
        return
    for preposition in prepositions:
        named = preposition == "for" and verb.lemma in _CLUBS_OF
        yield from _links(scene, verb, clause(scene, verb).after(preposition), named=named)


def _is_member(scene: Scene, noun: Word) -> Iterator[Finding]:
    """`is a member of …`, `Ana, a member of …`, `has been a member` of the one that was named."""
    groups = [
        word
        for each in noun.children_by("prep")
        if each.lower == "of"
        for word in each.children_by("pobj")
    ]
    if noun.dep == "attr" and is_be(noun.head):
        article = noun.child("det")
        if groups or noun.child("poss"):
            yield from _links(scene, noun.head, groups, named=True)
        elif article is not None and text_at(scene, noun.i - 1) in {
            "a",
            "active",
            "founding",
            "honorary",
        }:
            found = only_group(scene, noun)
            yield from _said(scene, noun.head, [] if found is None else [found])
    elif groups and (name := named_before(scene, noun)) is not None:
        start, stop = scene.quote(noun)
        for word in groups:
            for end in _groups(scene, word, named=True):
                yield Link(
                    left=scene.end(name), label="member_of", right=end, start=start, stop=stop
                )


def _links(
    scene: Scene, verb: Word, words: list[Word], *, named: bool = False
) -> Iterator[Finding]:
    yield from _said(
        scene, verb, [end for word in words for end in _groups(scene, word, named=named)]
    )


def _said(scene: Scene, verb: Word, groups: list[End]) -> Iterator[Finding]:
    held = claim(scene, verb)
    if held == "open" or not groups or is_future(verb):
        return
    over = held == "denied" or has_ended(verb) or used_to(verb)
    start, stop = scene.quote(verb)
    when = validity(scene, verb)
    if not over and is_past(verb) and not is_perfect(verb) and when.invalid_at is None:
        return
    for person in _people(scene, verb):
        for group in groups:
            link = Link(
                left=person, label="member_of", right=group, start=start, stop=stop, when=when
            )
            yield replace(link, when=ALWAYS, retracts=True) if over else link


def _beside(scene: Scene) -> Iterator[Finding]:
    """`Ana from the platform team`, `Tom in the design group`."""
    for name in scene.names:
        after = scene.words[name.end] if name.end < len(scene.words) else None
        if (
            name.kind != "person"
            or after is None
            or after.lower not in {"from", "on", "in"}
            or after.dep != "prep"
        ):
            continue
        head = scene.head_of(name)
        if (after.lower != "from" and after.head is not head) or is_asked_of(scene, head):
            continue
        start, stop = scene.quote(after)
        for word in after.children_by("pobj"):
            for end in (
                each for each in _groups(scene, word) if each.kind != "organization"
            ):  # they work for it
                yield Link(
                    left=scene.end(name), label="member_of", right=end, start=start, stop=stop
                )
