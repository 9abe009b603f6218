"""Conflicts: a view of the current facts, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from factbook.model.record import EntityType, Fact, Relation
from factbook.resolve.values import attribute_cardinality, fold_value, relation_cardinality


def state_of(row: Fact | Relation, at: datetime, *, then: bool = False) -> str:
    """`current`, `superseded` (its validity ended), `upcoming` (it begins later) or `retracted` (it never held).

    Args:
        then: whether the world's time is asked for: what begins after `at` is upcoming whenever it was said. Else
            only what was said of a time to come is.
    """
    if row.expired_at is not None:
        return "retracted"
    if row.invalid_at is not None and row.invalid_at <= at:
        return "superseded"
    if row.valid_at is not None and row.valid_at > at:
        return "upcoming" if then or row.valid_at > (row.source.said_at or row.created_at) else "current"
    return "current"


def conflicting(current: Iterable[Fact], kind: EntityType) -> Mapping[str, tuple[Fact, ...]]:
    """The single-valued attributes that have more than one current value, with their facts, latest said last.

    Args:
        current: the current facts of all members of one canonical entity.
        kind: its kind.
    """
    by_attribute: dict[str, list[Fact]] = {}
    for fact in current:
        if attribute_cardinality(kind, fact.attribute) == "single":
            by_attribute.setdefault(fact.attribute, []).append(fact)
    return {
        attribute: tuple(sorted(facts, key=lambda fact: (fact.source.said_at or fact.created_at, fact.id)))
        for attribute, facts in by_attribute.items()
        if len({fold_value(fact.value) for fact in facts}) > 1
    }


def disputed(
    current: Iterable[Relation], canonical: Mapping[str, str], kind: EntityType
) -> Mapping[str, tuple[Relation, ...]]:
    """The labels of which one holds at a time that lead to more than one other now, with their relations, latest said
    last.

    Args:
        current: the current relations from all members of one canonical entity. canonical: resolves their other ends.
        kind: its kind.
    """
    by_label: dict[str, list[Relation]] = {}
    for row in current:
        if relation_cardinality(kind, row.label) == "single":
            by_label.setdefault(row.label, []).append(row)
    return {
        label: tuple(sorted(rows, key=lambda row: (row.source.said_at or row.created_at, row.id)))
        for label, rows in by_label.items()
        if len({canonical.get(row.to_id, row.to_id) for row in rows}) > 1
    }
