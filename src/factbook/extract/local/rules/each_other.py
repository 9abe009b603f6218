"""Verbs that say of several what each does with the other: `Ana and Tom work together`, `Ana and
Tom met in Oslo`.
"""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.rules.clauses import Clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.saying import links
from factbook.extract.local.rules.sense import PEOPLE, Sense
from factbook.extract.local.scene import Link, Scene

_ORG = frozenset({"organization"})
_EACH_OTHER = {
    "work": Sense(label="works_with", right=PEOPLE),
    "collaborate": Sense(label="works_with", right=PEOPLE),
    "marry": Sense(label="spouse_of", right=PEOPLE, begins=True),
    "meet": Sense(label="met", right=PEOPLE, event=True),
    "date": Sense(label="partner_of", right=PEOPLE),
    "know": Sense(label="knows", right=PEOPLE),
    "compete": Sense(label="competes_with", left=_ORG, right=_ORG),
    "partner": Sense(label="partners_with", left=_ORG, right=_ORG, stays=True),
}
_NEED_TOGETHER = frozenset({"work"})


def each_other(scene: Scene, clause: Clause) -> Iterator[Link]:
    """What the subjects of a clause do with each other."""
    verb = clause.verb
    sense = _EACH_OTHER.get(verb.lemma)
    if sense is None or len(clause.subjects) != 1 or _has_object(clause):
        return
    closely = any(word.lower == "together" for word in verb.children)
    if verb.lemma in _NEED_TOGETHER and not closely and not _each_other(clause, "with"):
        return
    those = [end for end in ends(scene, clause.subjects[0], group=False) if end.kind in sense.left]
    for number, left in enumerate(those):
        for right in those[number + 1 :]:
            yield from links(scene, verb, sense, left, right)


def _has_object(clause: Clause) -> bool:
    return any(preposition in {"", "with"} for preposition, _ in clause.objects) and not (
        _each_other(clause, "") or _each_other(clause, "with")
    )


def _each_other(clause: Clause, preposition: str) -> bool:
    """`each other`, `one another`."""
    return any(
        word.lower in {"other", "another"}
        and any(child.lower in {"each", "one"} for child in word.children)
        for word in clause.after(preposition)
    )
