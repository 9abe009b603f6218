"""Who is whose what: sister, friend, colleague, manager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.carried import doers
from factbook.extract.local.rules.near import (
    FIRST_PERSON,
    is_plural,
    is_quoted,
    named_after,
    owners_of,
    text_at,
)
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import is_past
from factbook.extract.local.scene import ALWAYS, End, Finding, Link, Scene, Span


@dataclass(frozen=True, slots=True)
class Is:
    """That `person` is `noun`; `verb` says so, None for an apposition, which holds now."""

    person: End
    noun: Word
    verb: Word | None


TIES: Mapping[str, str] = {
    **cues.KIN,
    **dict.fromkeys("partner sweetheart".split(), "partner_of"),
    **dict.fromkeys("wifey missus".split(), "spouse_of"),
    **dict.fromkeys("mam mummy mama ma pa pop pops stepmother stepfather".split(), "parent_of"),
    **dict.fromkeys("stepchild stepkid firstborn youngest eldest oldest".split(), "child_of"),
    **dict.fromkeys("grandkid grandbaby".split(), "grandchild_of"),
    **dict.fromkeys("nana nanna nan gran grampa gramps granddad grandad".split(), "grandparent_of"),
    **dict.fromkeys("aunty".split(), "aunt_or_uncle_of"),
    **dict.fromkeys("stepsibling".split(), "sibling_of"),
    **dict.fromkeys("co-worker".split(), "colleague_of"),
    **dict.fromkeys("schoolmate".split(), "classmate_of"),
}
_COUPLES = frozenset({"spouse_of", "partner_of"})
_TITLES = frozenset(
    "aunt auntie aunty uncle grandma grandpa granny gran nana nan grandmother grandfather".split()
)
"""Words before a name that, with no owner beside them, make someone the speaker's own."""
_NO_KIN = frozenset({"sam", "jemima", "scrooge", "ben", "tom"})
"""Uncle Sam, Aunt Jemima and their like."""
_FAR = frozenset(
    {"great", "god", "foster", "pen", "sparring", "imaginary", "fictional", "fake", "pretend"}
)
_LOVING = frozenset(
    "dear lovely long term time longtime life domestic new current wonderful amazing -".split()
)
_TENSE = frozenset({"former", "ex", "previous", "formerly", "previously"})


def tie_of(scene: Scene, noun: Word) -> str | None:
    """The relation that a noun names: its bearer's to its owner; None for `mother-in-law` and
    `business partner` too.
    """
    if noun.pos not in {"NOUN", "PROPN", "ADJ"} or scene.name_at(noun) is not None:
        return None
    if noun.lemma == "report" and "direct" in _modifiers(scene, noun):
        return "reports_to"
    label = TIES.get(noun.lower) or TIES.get(noun.lemma)
    if label is None:
        return None
    if (
        "in law"
        in " ".join(text_at(scene, noun.i + far) for far in range(1, 5)).replace("- ", "")[:6]
    ):
        return None
    before = _modifiers(scene, noun)
    if noun.lemma == "twin" and is_plural(noun):
        return "child_of"
    if before & _FAR or (
        noun.lower == "ex" and text_at(scene, noun.i + 1) in {"-", "wife", "husband"}
    ):
        return None
    if label in _COUPLES and before & {"ex", "former"}:
        return "ex_partner_of"
    if noun.lemma == "partner" and (
        before - _LOVING or text_at(scene, noun.i + 1) in {"at", "in", "for", "of"}
    ):
        return None
    return label


def _modifiers(scene: Scene, noun: Word) -> set[str]:
    """The words close before the noun, up to an owner or an article."""
    out: set[str] = set()
    for i in range(noun.i - 1, max(-1, noun.i - 5), -1):
        word = scene.words[i]
        if word.tag in {"PRP$", "POS", "DT", "WP$", ",", "IN", "CC"} or word.pos in {
            "VERB",
            "AUX",
            "PRON",
        }:
            break
        out.add(word.lower)
    return out


def is_kin(label: str | None) -> bool:
    """Whether it is never over: one's grandmother stays that."""
    return label in _BLOOD


_BLOOD = frozenset(
    """parent_of child_of sibling_of grandparent_of grandchild_of aunt_or_uncle_of nephew_or_niece_of cousin_of""".split()
)


def is_superior(noun: Word) -> bool:
    return noun.lemma in cues.SUPERIORS


def was_before(scene: Scene, noun: Word) -> bool:
    """`former`, `previous`; an `old friend` is one still, an old boss is not."""
    words = {
        word.lower for word in noun.children_by("amod", "compound", "nmod", "advmod")
    } | _modifiers(scene, noun)
    first = min((word.i for word in noun.children_by("det")), default=noun.i)
    words |= {text_at(scene, first - 1)} & {"once", "formerly", "previously"}
    still = TIES.get(noun.lemma) in {"friend_of", "parent_of", "child_of", "sibling_of", *_COUPLES}
    return bool(words & (_TENSE | {"once"})) or ("old" in words and not still)


def tie(scene: Scene, said: Is, when: Span, *, gone: bool) -> Iterator[Finding]:
    """The relation of a person to each of those whose it is."""
    label = tie_of(scene, said.noun)
    superior = is_superior(said.noun)
    before = said.noun.child("compound")
    if label is None and (
        not superior or (before is not None and before.lower not in {"line", "team"})
    ):
        return
    start, stop = scene.quote(said.verb or said.noun)
    for owner in all_owners(scene, said.noun):
        if owner.kind not in {"person", "self"} or _same(scene, owner, said.person):
            continue
        left, right = (said.person, owner) if label else (owner, said.person)
        link = Link(
            left=left,
            label=label or "reports_to",
            right=right,
            start=start,
            stop=stop,
            when=when,
            importance=0.6,
        )
        yield replace(link, retracts=True) if gone and label != "ex_partner_of" else link


def _same(scene: Scene, one: End, other: End) -> bool:
    return one.kind == other.kind and (one == other or _called(scene, one) == _called(scene, other))


def _called(scene: Scene, end: End) -> str:
    return end.name or scene.said(end.start, end.stop)


def all_owners(scene: Scene, noun: Word) -> list[End]:
    """Whose it is: `my`, `Ana's`, `of Tom and Wei`, `of mine`; who has it (`I have a sister called
    Ana`).
    """
    above = noun.head if noun.dep in {"compound", "nmod"} and noun.i < noun.head.i else None
    out = owners_of(scene, noun)
    for word in (
        () if out else (*noun.children_by("poss"), *(above.children_by("poss") if above else ()))
    ):
        out.extend(_meant(scene, word))
    for preposition in noun.children_by("prep"):
        if preposition.lower == "of":
            for first in preposition.children_by("pobj"):
                for word in first.with_conjuncts():
                    out.extend(_meant(scene, word))
    return out or _has(scene, noun) or _own(scene, noun)


_OWN = frozenset("mom mum dad mama papa mommy daddy grandma grandpa granny nana".split())


def _own(scene: Scene, noun: Word) -> list[End]:
    """`mom's name is Ruth`: whoever speaks of a bare `mom` means their own; so does a note of a
    `new boss`.
    """
    if _opens_note(scene, noun):
        return [scene.self_at(noun)]
    before = scene.words[noun.i - 1] if noun.i else None
    bare = (
        before is None
        or before.sentence != noun.sentence
        or before.pos in {"VERB", "ADP", "PUNCT", "CCONJ", "SCONJ"}
    )
    if noun.lower not in _OWN or not bare or noun.dep in {"attr", "oprd"} or is_quoted(scene, noun):
        return []
    return [scene.self_at(noun)]


_STANDING = frozenset("new old current former best ex oldest previous close dear line".split())
_ORDERS = frozenset(
    "sister brother mother father sis bro mate buddy pal partner sweetheart pa pop ma".split()
)
"""Words that open a sentence before a name as a title too (`Sister Clara`), or as an address."""


def _opens_note(scene: Scene, noun: Word) -> bool:
    """`new boss is Ana`, `Old flatmate Ana called`: at the beginning of what someone notes, before
    anyone else is named.
    """
    first = scene.sentence_of(noun)[0]
    before = [word for word in scene.words[first.i : noun.i] if word.text not in {"-", "*", "•"}]
    if len(before) > 2 or not all(word.lower in _STANDING for word in before) or is_plural(noun):
        return False
    if any(name.kind == "person" and name.end <= noun.i for name in scene.names) or is_quoted(
        scene, noun
    ):
        return False
    following = text_at(scene, noun.i + 1)
    told = following in {"is", "'s", ":"} or (following == "was" and is_superior(noun))
    called = bool(named_after(scene, noun)) and following not in {",", "-", "("}
    tied = noun.lower in TIES or noun.lemma in TIES or is_superior(noun)
    if is_superior(noun) and not before:
        return False  # the manager of whatever is spoken of
    return tied and (told or (called and (bool(before) or noun.lower not in _ORDERS)))


def _meant(scene: Scene, word: Word) -> list[End]:
    if word.lower in FIRST_PERSON | {"mine", "ours"}:
        return [scene.self_at(word)]
    if word.i in scene.pronouns:
        return [scene.pronouns[word.i]]
    name = scene.name_at(word)
    names = [name] if name is not None else named_after(scene, word) if tie_of(scene, word) else []
    return [scene.end(each) for each in names]  # `of my daughter Mia` too


def _has(scene: Scene, noun: Word) -> list[End]:
    """Who has it, where a verb says so."""
    first = noun
    while first.dep == "conj":
        first = first.head
    verb = first.head
    if (
        first.dep != "dobj"
        or verb.lemma not in {"have", "get"}
        or claim(scene, verb) != "holds"
        or is_past(verb)
    ):
        return []
    return doers(scene, verb)


# ------------------------------------------------------------------------------------------------
# by title, as twins


def titled(scene: Scene) -> Iterator[Finding]:
    """`Aunt Zoe called`: the speaker's aunt, where nobody else is named as whose she is."""
    for name in scene.names:
        if name.kind != "person":
            continue
        inside = (
            scene.words[name.start].lower in TIES and name.end - name.start > 1
        )  # `stepson Kofi`, taken for a name
        word = (
            scene.words[name.start]
            if inside
            else scene.words[name.start - 1]
            if name.start
            else None
        )
        if word is None or not (inside or word.lower in _TITLES):
            continue
        if _modifiers(scene, word) & _FAR or text_at(scene, word.i + 1) in _NO_KIN:
            continue
        before = scene.words[word.i - 1] if word.i else None
        bare = (
            before is None
            or before.sentence != word.sentence
            or before.tag not in {"DT", "JJ", "NN", "NNS"}
        )
        owners = owners_of(scene, word) or (
            [scene.self_at(word)] if _is_mine(scene, word, bare=bare) else []
        )
        start, stop = scene.quote(word)
        for owner in owners:
            yield Link(
                left=scene.end(name),
                label=TIES[word.lower],
                right=owner,
                start=start,
                stop=stop,
                importance=0.6,
            )


def _is_mine(scene: Scene, word: Word, *, bare: bool) -> bool:
    owned = text_at(scene, word.i - 1)
    return (
        word.lower in _TITLES
        and bare
        and not is_quoted(scene, word)
        and owned not in {"'s", "'", "your", "his", "her", "their", "whose"}
    )


def twins(scene: Scene) -> Iterator[Finding]:
    """`our twins Leo and Mia`: they are siblings, whosever they are."""
    for noun in scene.words:
        if noun.lemma in {"twin", "triplet"} and is_plural(noun):
            names = named_after(scene, noun)
            start, stop = scene.quote(noun)
            for at, left in enumerate(names):
                for right in names[at + 1 :]:
                    yield Link(
                        left=scene.end(left),
                        label="sibling_of",
                        right=scene.end(right),
                        start=start,
                        stop=stop,
                        when=ALWAYS,
                        importance=0.6,
                    )
