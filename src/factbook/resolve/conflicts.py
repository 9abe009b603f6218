"""Conflicts: a view of the current facts, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from factbook.model.record import EntityType, Fact
from factbook.resolve.values import attribute_cardinality, fold_value


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
