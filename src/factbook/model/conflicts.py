"""Conflicts: a view of the current facts, never stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from factbook.model.grouping import group_by
from factbook.model.record import EntityType, Fact, Relation
from factbook.model.value_equality import attribute_cardinality, fold_value, relation_cardinality

Stated = TypeVar("Stated", Fact, Relation)


def conflicting_facts(current: Iterable[Fact], kind: EntityType) -> Mapping[str, tuple[Fact, ...]]:
    """Returns the single-valued attributes that have more than one current value, with their facts,
    latest said last.

    Args:
        current: the current facts of all members of one canonical entity.
        kind: its kind.
    """
    return _clashing_rows(
        (fact for fact in current if attribute_cardinality(kind, fact.attribute) == "single"),
        lambda fact: fact.attribute,
        lambda fact: fold_value(fact.value),
    )


def disputed_links(
    current: Iterable[Relation], canonical: Mapping[str, str], kind: EntityType
) -> Mapping[str, tuple[Relation, ...]]:
    """Returns the labels of which one holds at a time that lead to more than one other now, with
    their relations, latest said last.

    Args:
        current: the current relations from all members of one canonical entity. canonical: resolves
            their other ends.
        kind: its kind.
    """
    return _clashing_rows(
        (row for row in current if relation_cardinality(kind, row.label) == "single"),
        lambda row: row.label,
        lambda row: canonical.get(row.to_id, row.to_id),
    )


def _clashing_rows(
    rows: Iterable[Stated], name_of: Callable[[Stated], str], answer_of: Callable[[Stated], str]
) -> Mapping[str, tuple[Stated, ...]]:
    """Returns statements that answer one question differently, by what they answer, latest last."""
    return {
        name: tuple(sorted(same, key=lambda row: (row.said_at, row.id)))
        for name, same in group_by(rows, name_of).items()
        if len(set(map(answer_of, same))) > 1
    }
