"""Whether two names are one: merge, ask or separate, with the reasons in words.

No score outvotes a veto: a recorded must-not-link, kinds, and in `person_names` and `thing_names`
the generations, numbers, symbols and qualifiers of the names. A merge needs a rule that names why;
similarity alone never merges. What is left undecided is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from factbook.model.kinds import BUILT_IN
from factbook.resolve.person_names import SURE, compare_persons, is_bare_form
from factbook.resolve.thing_names import compare_things
from factbook.resolve.verdict import (
    Decision,
    Named,
    decide_ask,
    decide_merge,
    decide_separate,
    decide_veto,
)
from factbook.text.names import LONGEST_NAME, clean_name, find_acronyms, fold

__all__ = [
    "Decision",
    "Named",
    "are_kinds_compatible",
    "as_person",
    "check_other_names",
    "decide_names",
    "is_part_of_name",
]

NEAR_KINDS: tuple[frozenset[str], ...] = (
    frozenset({"technology", "product"}),
    frozenset({"technology", "concept"}),
    frozenset({"product", "project"}),
    frozenset({"technology", "project"}),
    frozenset({"product", "concept"}),
    frozenset({"organization", "product"}),
    frozenset({"work", "product"}),
    frozenset({"work", "project"}),
    frozenset({"animal", "person"}),
    frozenset({"task", "project"}),
    frozenset({"task", "event"}),
)
"""Kinds that readers confuse: equal names are asked about. Of any other two different kinds nothing
is one.
"""


_OPEN_KINDS = frozenset({"other", ""})
"""Kinds of what may be anything."""


def are_kinds_compatible(left: str, right: str) -> bool:
    """Returns whether one entity may bear both kinds: they are equal or names of one built-in kind,
    or one is `other` (unknown).
    """
    if left == right or not _OPEN_KINDS.isdisjoint((left, right)):
        return True
    return _BUILT_IN_BY_NAME.get(left, left) == _BUILT_IN_BY_NAME.get(right, right)


_BUILT_IN_BY_NAME = {name: kind.id for kind in BUILT_IN for name in kind.other_names}
"""A record written before a kind was built in holds it under the name that was given: `book`."""


def decide_names(
    left: Named,
    right: Named,
    *,
    must_not_link: bool = False,
    rivals: int = 0,
    together: bool | None = None,
    agree: Sequence[str] = (),
    differ: Sequence[str] = (),
) -> Decision:
    """Decides whether two named entities are one.

    Args:
        left, right: the two; kinds are ids of kinds, `other` for unknown.
        must_not_link: someone recorded that these two are not one.
        rivals: how many other entities of the space would fit as well.
        together: whether both were named in the same episode, session or project, or among the same
            people; None if that is not known. A bare first name links only by it.
        agree, differ: attributes that identify (an address, a number) in which both have the same
            value, or not.
    """
    if must_not_link:
        return decide_veto("recorded as not the same")
    if not are_kinds_compatible(left.kind, right.kind):
        return _unlike_kinds(left, right)
    decision = _by_names(left, right, rivals=rivals, together=together)
    if decision.verdict == "merge" and differ:
        return decide_ask(0.6, *decision.evidence, f"but they differ in {', '.join(differ)}")
    if decision.verdict == "ask" and agree and not differ:
        return decide_merge(0.9, *decision.evidence, f"and they agree in {', '.join(agree)}")
    return decision


def check_other_names(
    decision: Decision, left: Named, right: Named, lefts: Iterable[str], rights: Iterable[str]
) -> Decision:
    """Returns the decision on two names, asked about where another name of either side speaks
    against it: Pat Roe may be Patricia Roe, but not if Pat Roe is known to be Patrick Roe.

    Args:
        left, right: the names that it was decided on. lefts, rights: all names of each side.
    """
    if decision.verdict != "merge" or fold(left.name) == fold(right.name):
        return decision
    for mine, theirs, names in ((left, right, lefts), (right, left, rights)):
        for name in names:
            if name != mine.name and _speaks_against(replace(mine, name=name), mine, theirs):
                return decide_ask(
                    decision.score - 0.3, *decision.evidence, f"but {name} is not {theirs.name}"
                )
    return decision


def as_person(name: str) -> Named:
    return Named(name=name, kind="person")


def is_part_of_name(alias: str, name: str) -> bool:
    """Returns whether an alias is only a part of a person's whole name, and says no more than
    it.
    """
    if not is_bare_form(alias, name):
        return False
    return decide_names(as_person(alias), as_person(name)).verdict == "ask"


def _speaks_against(other: Named, mine: Named, theirs: Named) -> bool:
    """Returns whether another name says the same as mine, and is not theirs."""
    found = decide_names(other, theirs)
    told = found.veto or (found.verdict == "separate" and "person" in (mine.kind, theirs.kind))
    return told and decide_names(other, mine).verdict == "merge"


def _unlike_kinds(left: Named, right: Named) -> Decision:
    words = f"a {left.kind} and a {right.kind}"
    if frozenset((left.kind, right.kind)) in NEAR_KINDS and fold(left.name) == fold(right.name):
        if {left.kind, right.kind} == {"technology", "product"}:
            return decide_merge(0.9, "the same name", "technology and product are near")
        return decide_ask(0.5, "the same name", words)
    return decide_veto(words)


def _by_names(left: Named, right: Named, *, rivals: int, together: bool | None) -> Decision:
    if max(len(left.name), len(right.name)) > LONGEST_NAME:
        return (
            decide_merge(1.0, "the same name")
            if fold(left.name) == fold(right.name)
            else decide_separate("different long names")
        )
    if _article_tells(left.name, right.name):
        return decide_ask(
            0.5, "the same letters, but one is an abbreviation and the other has an article"
        )
    if "person" in (left.kind, right.kind):
        decision = compare_persons(left.name, right.name, rivals=rivals, together=together)
        if left.kind != right.kind and decision.verdict == "merge" and decision.score < SURE:
            return decide_ask(
                decision.score - 0.2, *decision.evidence, "but only one is known to be a person"
            )
        return decision
    kind = right.kind if left.kind in _OPEN_KINDS else left.kind
    return compare_things(left.name, right.name, kind=kind, rivals=rivals)


def _article_tells(left: str, right: str) -> bool:
    """Returns whether an article tells two names apart: The Who is not the WHO."""
    seen = (clean_name(left), clean_name(right))
    with_article = [name.casefold().startswith("the ") for name in seen]
    if with_article[0] == with_article[1] or fold(left) != fold(right):
        return False
    bare, full = (seen[1], seen[0]) if with_article[0] else seen
    return bool(find_acronyms(bare)) and not full[4:].isupper()
