"""Whether two entities are one, by all that is known of them: their names, and how far their
attributes agree.

A rule on names decides where the attributes say little. Two attributes or more decide together, as
a score (`records`), and may outvote names that differ: never a veto on them, never a recorded
must-not-link. What a whole household shares doesn't outvote anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from factbook.model.record import SELF, EntityRecord, EntityType, Fact
from factbook.model.value_equality import NAME_ATTRIBUTES, attribute_cardinality
from factbook.resolve.name_match import check_other_names, decide_names, is_part_of_name
from factbook.resolve.records.population import Population
from factbook.resolve.records.score import Part, Score, score_records
from factbook.resolve.records.sorts import Record, is_for_life, is_own_code
from factbook.resolve.records.weights import LIKELY_BITS, SURE_BITS
from factbook.resolve.verdict import (
    Decision,
    Named,
    decide_ask,
    decide_merge,
    decide_separate,
    decide_veto,
    decision_order,
)
from factbook.text.host_ids import host_ids, without_host_ids

USUAL = Population(size=1000)
"""What is taken for granted of the others, where the space's own figures aren't counted."""

MOST_VALUES = 8
"""So many values of an attribute are compared, the latest."""

SHOWN = 4
"""So many attributes are named as evidence."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One of two entities: its row, all its names (its own first), its attributes, and the ids that
    a host gave it.
    """

    row: EntityRecord
    names: tuple[str, ...]
    record: Record = field(default_factory=dict[str, tuple[str, ...]])
    host_ids: Mapping[str, str] = field(default_factory=dict[str, str])


def side_of(
    row: EntityRecord, names: Iterable[str], facts: Iterable[Fact], kind: EntityType | None
) -> Side:
    """Returns one entity with what was ever said of it, but for what was taken back and what may
    have many values.
    """
    values: dict[str, list[str]] = {"name": [row.name]}
    for fact in facts:
        one = (
            fact.attribute not in NAME_ATTRIBUTES
            and attribute_cardinality(kind, fact.attribute) == "single"
        )
        if one and fact.expired_at is None:
            values.setdefault(fact.attribute, []).append(fact.value)
    record = {name: tuple(dict.fromkeys(some))[-MOST_VALUES:] for name, some in values.items()}
    known = [row.name, *names]
    return Side(
        row=row,
        names=tuple(dict.fromkeys(without_host_ids(known))),
        record=record,
        host_ids=host_ids(known),
    )


def judge_pair(
    left: Side,
    right: Side,
    *,
    must_not_link: bool = False,
    together: bool | None = None,
    rivals: int = 0,
    doubted: bool = False,
    population: Population = USUAL,
) -> Decision:
    """Decides whether two entities are one; the same whichever comes first.

    Args:
        must_not_link, together, rivals: as for `name_match.decide_names`.
        doubted: the names left it open once: they don't settle it now.
        population: among whom they are, for how much an agreement says.
    """
    if must_not_link:
        return decide_veto("recorded as not the same")
    if SELF in (left.row.id, right.row.id):
        return decide_separate("the space's own user is nobody else unless they say so")
    for space in sorted(left.host_ids.keys() & right.host_ids.keys()):
        if left.host_ids[space] != right.host_ids[space]:
            return decide_veto(
                f"different ids in {space} ({left.host_ids[space]}, {right.host_ids[space]})"
            )
    named = _by_names(left, right, together=together, rivals=rivals)
    if named.veto:
        return named
    if doubted and named.verdict == "merge":
        named = decide_ask(0.6, *named.evidence)
    first, second = population.prepare_record(left.record), population.prepare_record(right.record)
    return _with_attributes(named, score_records(first, second, population))


def _by_names(left: Side, right: Side, *, together: bool | None, rivals: int) -> Decision:
    """Returns the best decision over all names; a veto between the two own names holds."""
    best = _decide_names(
        left, left.row.name, right, right.row.name, together=together, rivals=rivals
    )
    if best.veto:
        return best
    ends, vetoes = (left.row.name, right.row.name), list[Decision]()
    for mine in left.names:
        for theirs in right.names:
            found = _decide_names(left, mine, right, theirs, together=together, rivals=rivals)
            if found.veto and left.row.kind == right.row.kind == "person":
                vetoes.append(found)
            if is_part_of_name(mine, left.row.name) or is_part_of_name(theirs, right.row.name):
                continue
            if decision_order(found) > decision_order(best):
                best, ends = found, (mine, theirs)
    if vetoes and best.verdict != "merge":
        return vetoes[
            0
        ]  # no attribute makes one of Mr. and Mrs. Berger, whatever else they are called
    named = (Named(name=ends[0], kind=left.row.kind), Named(name=ends[1], kind=right.row.kind))
    return check_other_names(best, *named, left.names, right.names)


def _decide_names(
    left: Side, mine: str, right: Side, theirs: str, *, together: bool | None, rivals: int
) -> Decision:
    ends = (Named(name=mine, kind=left.row.kind), Named(name=theirs, kind=right.row.kind))
    return decide_names(ends[0], ends[1], together=together, rivals=rivals)


def _with_attributes(named: Decision, scored: Score) -> Decision:
    others = [part for part in scored.parts if part.attribute != "name"]
    agreeing = _list_at_level(others, "same", is_own_code)
    lasting = _list_at_level(others, "differ", is_for_life)
    evidence = (
        *named.evidence,
        *[str(part) for part in others if part.level != "differ" or lasting][:SHOWN],
    )
    if named.verdict == "merge":
        return (
            decide_ask(0.6, *named.evidence, f"but they differ in {_list_attributes(lasting)}")
            if lasting
            else named
        )
    if len(others) < 2:
        return _with_one(named, agreeing, lasting)
    if named.verdict == "ask":
        if scored.bits >= SURE_BITS and not lasting:
            return decide_merge(scored.chance, *evidence)
        return (
            decide_separate(*named.evidence, f"but they differ in {_list_attributes(lasting)}")
            if _tell_apart(scored)
            else replace(named, evidence=evidence)
        )
    more_than_a_household = bool(agreeing) or scored.beyond_place >= LIKELY_BITS
    if lasting or scored.bits < LIKELY_BITS or not more_than_a_household:
        return named
    # Couples share a mailbox and a telephone: names that differ need what stays with one, a date of
    # birth with them.
    staying = _list_at_level(others, "same", is_for_life)
    sure = agreeing and staying and scored.beyond_place >= SURE_BITS
    return decide_merge(scored.chance, *evidence) if sure else decide_ask(0.5, *evidence)


def _with_one(named: Decision, agreeing: Sequence[str], lasting: Sequence[str]) -> Decision:
    """Weighs one identifying attribute: it settles a doubt, and raises one between different
    names.
    """
    if lasting or not agreeing:
        return named
    reason = f"and they agree in {_list_attributes(agreeing)}"
    return (
        decide_merge(0.9, *named.evidence, reason)
        if named.verdict == "ask"
        else decide_ask(0.5, *named.evidence, reason)
    )


def _tell_apart(scored: Score) -> bool:
    return scored.bits <= -SURE_BITS and bool(_list_at_level(scored.parts, "differ", is_for_life))


def _list_at_level(parts: Iterable[Part], level: str, test: Callable[[str], bool]) -> list[str]:
    """Returns the attributes that agree or differ so, of those that pass the test."""
    return [part.attribute for part in parts if part.level == level and test(part.attribute)]


def _list_attributes(attributes: Sequence[str]) -> str:
    return ", ".join(attribute.replace("_", " ") for attribute in attributes)
