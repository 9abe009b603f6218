"""Who belongs together: `Ana and Tom are married`, `I live with Wei in Oslo`, `Ana and Tom share a
flat`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends, people_in
from factbook.extract.local.rules.near import (
    both_before,
    is_be,
    is_plural,
    named_after,
    named_before,
    owners_of,
    text_at,
)
from factbook.extract.local.rules.ties import tie_of
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import (
    has_ended,
    is_future,
    is_past,
    is_perfect,
    used_to,
    validity,
)
from factbook.extract.local.scene import End, Finding, Link, Name, Scene

MOST = 4
"""So many people who are said to be each other's friends; a longer list is a crowd."""


def couples(scene: Scene) -> Iterator[Finding]:
    """The ties that are said of two, and the homes that are shared."""
    for verb in scene.words:
        helps = verb.dep in {"aux", "auxpass"}
        if not (verb.pos in {"VERB", "AUX"} or _is_taken_for_noun(verb)) or verb.dep == "aux":
            continue
        if is_be(verb) or verb.lemma in {"get", "become", "marry", "engage", "divorce"}:
            yield from _pairs(scene, verb)
        if not helps:
            yield from _do(scene, verb)
            yield from _homes(scene, verb)


def _is_taken_for_noun(word: Word) -> bool:
    """`live` in `Ana and Wei live together`."""
    together = any(child.lower == "together" for child in word.children)
    return word.tag == "NN" and word.lemma in _DO and together and word.child("nsubj") is not None


def _people(scene: Scene, word: Word) -> list[End]:
    """The people a subject stands for, `they` among them."""
    if word.lower == "they":
        return both_before(scene, word)
    return people_in(scene, word)


# ------------------------------------------------------------------------------------------------
# they are …


_TOGETHER = {
    "married": "spouse_of",
    "wed": "spouse_of",
    "spouse": "spouse_of",
    "engaged": "partner_of",
    "couple": "partner_of",
    "divorced": "ex_partner_of",
    "separated": "ex_partner_of",
    "friend": "friend_of",
    "bestie": "friend_of",
    "buddy": "friend_of",
    "mate": "friend_of",
    "pal": "friend_of",
    "sister": "sibling_of",
    "brother": "sibling_of",
    "sibling": "sibling_of",
    "twin": "sibling_of",
    "cousin": "cousin_of",
    "colleague": "colleague_of",
    "coworker": "colleague_of",
    "teammate": "colleague_of",
    "roommate": "roommate_of",
    "flatmate": "roommate_of",
    "housemate": "roommate_of",
    "neighbor": "neighbor_of",
    "neighbour": "neighbor_of",
    "classmate": "classmate_of",
}
_PAST_TOO = frozenset({"married", "engaged", "divorced", "separated", "wed"})
_HALVES = ({"brother", "sister"}, {"husband", "wife"})


def _pairs(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`Ana and Tom are married`, `got engaged`, `I'm friends with Wei`, `Ana is married to Tom`."""
    state = verb.head if verb.dep == "auxpass" else verb
    words = [*verb.children_by("attr", "acomp", "oprd"), *([state] if state is not verb else [])]
    for word in words:
        label = _label(word)
        if label is None or claim(scene, state) != "holds" or is_future(state) or is_future(verb):
            continue
        done = word.lower in _PAST_TOO and verb.lemma in {"get", "become"}
        if (
            (is_past(verb) or is_past(state) or used_to(state))
            and not done
            and not is_perfect(state)
        ):
            continue
        yield from _linked(scene, state, word, label, event=done)


def _label(word: Word) -> str | None:
    label = _TOGETHER.get(word.lower) or _TOGETHER.get(word.lemma)
    if word.child("poss") is not None:
        return None  # `my friends` are mine, and may not know each other
    halves = [other.lemma for other in word.children_by("conj")]
    if word.pos == "NOUN" and not is_plural(word) and word.lemma != "couple":
        each = {word.lemma, *halves}
        return (
            {"brother": "sibling_of", "husband": "spouse_of"}[min(each)]
            if each in _HALVES
            else None
        )
    return label


def _linked(scene: Scene, verb: Word, word: Word, label: str, *, event: bool) -> Iterator[Finding]:
    lefts = [end for subject in clause(scene, verb).subjects for end in _people(scene, subject)]
    others = [end for end in _with(scene, word, verb) if end.kind in {"person", "self"}]
    pairs = [(left, right) for left in lefts[:1] for right in others] or list(
        combinations(lefts[:MOST], 2)
    )
    start, stop = scene.quote(verb)
    when = validity(scene, verb, event=event)
    for left, right in pairs:
        yield Link(
            left=left, label=label, right=right, start=start, stop=stop, when=when, importance=0.6
        )


def _with(scene: Scene, word: Word, verb: Word) -> Iterator[End]:
    for preposition in (
        *word.children_by("prep"),
        *(verb.children_by("prep") if verb is not word else ()),
    ):
        if preposition.lower in {"with", "to", "from"}:
            for each in preposition.children_by("pobj"):
                yield from _mine(scene, each)


def _mine(scene: Scene, word: Word) -> list[End]:
    return ends(scene, word, group=True)


# ------------------------------------------------------------------------------------------------
# they do it together


_DO = {"work": "works_with", "live": "roommate_of", "study": "classmate_of"}
_ALONE = {"divorce": "ex_partner_of", "separate": "ex_partner_of", "elope": "spouse_of"}
_PARTED = frozenset({("break", "up"), ("split", "up")})
_HOMES = frozenset("flat apartment house room home dorm cottage bungalow condo".split())


def _do(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`Ana and Tom live together`, `divorced`, `broke up`, `Ana shares a flat with Wei`."""
    if claim(scene, verb) != "holds" or is_future(verb):
        return
    subjects = [end for word in clause(scene, verb).subjects for end in _people(scene, word)]
    label, event = _done_by_two(verb)
    others = [] if label else _flatmates(scene, verb)
    if _schooled(verb):
        label, event = "classmate_of", True
        others = [end for _, end in _company(scene, verb)]
    pairs = [(left, right) for left in subjects[:MOST] for right in others] or list(
        combinations(subjects[:MOST], 2)
    )
    label = label or ("roommate_of" if others or _shares_home(verb) else "")
    if not label or has_ended(verb) or used_to(verb) or (is_past(verb) and not event):
        return
    start, stop = scene.quote(verb)
    for left, right in pairs:
        if left != right:
            when = validity(scene, verb, event=event)
            yield Link(
                left=left,
                label=label,
                right=right,
                start=start,
                stop=stop,
                when=when,
                importance=0.6,
            )


def _done_by_two(verb: Word) -> tuple[str, bool]:
    """What a verb says of the two who are its subject, and whether it happens once."""
    words = {word.lower for word in verb.children}
    objects = verb.children_by("dobj")
    if "together" in words and verb.lemma in _DO and not objects:
        return _DO[verb.lemma], False
    if verb.lemma in _ALONE and not objects and not _has_other(verb):
        return _ALONE[verb.lemma], True
    if any((verb.lemma, word.lower) in _PARTED for word in verb.children_by("prt")):
        return "ex_partner_of", True
    return "", False


_SCHOOLS = frozenset("school college university uni kindergarten".split())


def _schooled(verb: Word) -> bool:
    """`went to school together`, `went to college with Wei`."""
    to = [
        word
        for each in verb.children_by("prep")
        if each.lower == "to"
        for word in each.children_by("pobj")
    ]
    bare = any(word.lemma in _SCHOOLS and word.child("det", "poss") is None for word in to)
    shared = any(word.lower in {"together", "with"} for word in verb.subtree())
    return verb.lemma == "go" and is_past(verb) and bare and shared


def _has_other(verb: Word) -> bool:
    """`married to`, `was married by`, `divorced from`."""
    others = {"to", "from", "with", "by", "into"}
    return verb.child("auxpass", "agent") is not None or any(
        w.lower in others for w in verb.children_by("prep")
    )


def _shares_home(verb: Word) -> bool:
    return verb.lemma == "share" and any(word.lemma in _HOMES for word in verb.children_by("dobj"))


def _flatmates(scene: Scene, verb: Word) -> list[End]:
    """With whom a home is shared; a family's isn't."""
    if not (_shares_home(verb) or (verb.lemma in {"live", "room"} and verb.pos == "VERB")):
        return []
    return [
        end
        for word, end in _company(scene, verb)
        if verb.lemma == "share" or not _is_family(scene, word)
    ]


_FAMILY = frozenset(
    "spouse_of partner_of parent_of child_of sibling_of grandparent_of grandchild_of ex_partner_of".split()
)


def _is_family(scene: Scene, word: Word) -> bool:
    near = [word, *word.children_by("compound", "nmod", "amod", "appos"), word.head]
    before = scene.words[word.i - 1 : word.i]
    return any(tie_of(scene, each) in _FAMILY for each in (*near, *before))


def _company(scene: Scene, verb: Word) -> Iterator[tuple[Word, End]]:
    """Those `with` whom, each with its word; `with my kids Leo and Mia` are two."""
    said = clause(scene, verb)
    for first in said.after("with"):
        for word in first.with_conjuncts():
            names = named_after(scene, word)
            if names and scene.name_at(word) is None:
                yield from ((word, scene.end(name)) for name in names)
            else:
                yield from (
                    (word, end)
                    for end in ends(scene, word, group=True)[:1]
                    if end.kind in {"person", "self"}
                )


# ------------------------------------------------------------------------------------------------
# homes


def _homes(scene: Scene, verb: Word) -> Iterator[Finding]:
    """Who lives somewhere with someone: the others live there too. And next door: neighbours."""
    if (
        verb.lemma != "live"
        or claim(scene, verb) != "holds"
        or is_past(verb)
        or is_future(verb)
        or used_to(verb)
    ):
        return
    subjects = [end for word in clause(scene, verb).subjects for end in _residents(scene, word)]
    start, stop = scene.quote(verb)
    company = [end for _, end in _company(scene, verb)]
    when = validity(scene, verb)
    neighbours = _next_door(scene, verb)
    for place in _places(scene, verb) if company or neighbours or len(subjects) > 1 else ():
        for person in (*subjects, *company, *neighbours):
            yield Link(
                left=person, label="lives_in", right=place, start=start, stop=stop, when=when
            )
    for neighbour in neighbours:
        for person in subjects[:1]:
            yield Link(
                left=person,
                label="neighbor_of",
                right=neighbour,
                start=start,
                stop=stop,
                when=when,
                importance=0.6,
            )


def _residents(scene: Scene, word: Word) -> list[End]:
    """Who lives there; the speaker's wife too, where she is named before `we`."""
    if word.lower == "they":
        return both_before(scene, word)
    couple = [scene.end(name) for name in _partners(scene, word)] if word.lower == "we" else []
    return [*_person_ends(scene, word), *couple[:1]]


def _partners(scene: Scene, word: Word) -> Iterator[Name]:
    for noun in scene.words[: word.i]:
        mine = any(owner.kind == "self" for owner in owners_of(scene, noun))
        if mine and tie_of(scene, noun) in {"spouse_of", "partner_of"}:
            before = named_before(scene, noun)
            yield from named_after(scene, noun) or ([before] if before is not None else [])


def _person_ends(scene: Scene, word: Word) -> list[End]:
    return [end for end in ends(scene, word, group=True) if end.kind in {"person", "self"}]


def _places(scene: Scene, verb: Word) -> list[End]:
    """The places `in` which, the one behind the company too (`with my friend Wei in Oslo`)."""
    inside = [
        word for word in verb.subtree() if word.lower in {"in", "at", "near"} and word.dep == "prep"
    ]
    near = [word for word in inside if _governing(word) is verb and word.lower == "in"]
    return [
        end
        for preposition in near
        for word in preposition.children_by("pobj")
        for end in ends(scene, word)
        if end.kind == "place"
    ][:1]


def _governing(word: Word) -> Word:
    """The verb under which a word stands."""
    return next((above for above in word.above() if above.pos in {"VERB", "AUX"}), word)


def _next_door(scene: Scene, verb: Word) -> list[End]:
    """Of whom someone lives `next door`; of the speaker, if nobody is named."""
    door = next(
        (
            word
            for word in verb.subtree()
            if word.lower == "door" and text_at(scene, word.i - 1) == "next"
        ),
        None,
    )
    if door is None:
        return []
    if text_at(scene, door.i + 1) not in {"to", "from"}:
        return []
    word = scene.words[door.i + 2] if door.i + 2 < len(scene.words) else None
    return (
        []
        if word is None
        else [end for end in _mine(scene, word)[:1] if end.kind in {"person", "self"}]
    )
