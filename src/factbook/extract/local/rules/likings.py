"""Likes and dislikes that take more than one word to say."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import Clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.saying import links
from factbook.extract.local.rules.sense import ANYTHING, Sense
from factbook.extract.local.rules.truth import is_asked, is_negated
from factbook.extract.local.scene import End, Link, Scene
from factbook.model.record import SELF
from factbook.model.relation_table import LIVING

_BEAR = frozenset("stand bear tolerate abide stomach".split())
_REFUSED = frozenset("eat drink touch wear".split())
_HATES = frozenset("hate hat dislike detest loathe despise".split())
DISLIKES = Sense(label="dislikes", right=ANYTHING - {"self"}, phrase="any")


def likings(scene: Scene, clause: Clause) -> Iterator[Link]:
    """`Ana can't stand olives`, `Ana won't eat olives`, `Ana hates flying`."""
    verb = clause.verb
    if _is_against(verb) and not is_asked(scene, verb) and not _hangs(verb):
        for left in _who(scene, clause):
            for word in clause.after(""):
                for right in ends(scene, word, loose=True):
                    if left.kind != SELF or right.kind:  # a preference says it better
                        yield from links(scene, verb, DISLIKES, left, right, "holds")
    elif verb.lemma in _HATES:
        for left in _who(scene, clause):
            for right in _doing(scene, verb):
                if left.kind != SELF:
                    yield from links(scene, verb, DISLIKES, left, right)


def likes_better(verb: Word) -> bool:
    """`likes tea better than coffee`."""
    return any(
        word.dep == "advmod"
        and word.lower in {"better", "more"}
        and any(child.lower == "than" and child.child("pobj") for child in word.children)
        for word in verb.children
    )


def _is_against(verb: Word) -> bool:
    if not is_negated(verb):
        return False
    modals = {word.lower for word in verb.children_by("aux")}
    return (verb.lemma in _BEAR and bool(modals & {"ca", "can", "could"})) or (
        verb.lemma in _REFUSED and bool(modals & {"wo", "will"})
    )


def _hangs(verb: Word) -> bool:
    """Whether it is only said, thought or supposed by somebody, or if something else is."""
    return (verb.dep in {"ccomp", "xcomp", "relcl"} and verb.i > verb.head.i) or verb.child(
        "mark"
    ) is not None


def _who(scene: Scene, clause: Clause) -> list[End]:
    return [end for each in clause.subjects for end in ends(scene, each) if end.kind in LIVING]


def _doing(scene: Scene, verb: Word) -> Iterator[End]:
    """`flying` in `hates flying`, if that is all."""
    for word in verb.children_by("xcomp", "dobj"):
        if (
            word.tag == "VBG"
            and word.i == verb.i + 1
            and not word.child("dobj", "prep", "xcomp", "ccomp")
        ):
            yield End(*scene.characters(word.i, word.i + 1), "")
