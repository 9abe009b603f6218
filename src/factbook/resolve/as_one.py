"""Merged entities read as one: what was said of one ends what was said of the other.

Nothing of this is stored, so that unmerging gives back both as if they had never been one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factbook.model.record import EntityType, Fact, Relation, Support
from factbook.resolve.timeline import Group, as_one
from factbook.resolve.values import attribute_cardinality, fold_value, relation_cardinality


def facts_as_one(
    facts: Sequence[Fact], supports: Mapping[str, Sequence[Support]], kind: EntityType | None
) -> list[Fact]:
    """The facts of all members of one canonical entity, with the times at which they hold when read together.

    Facts of single attributes that several members have may come with an earlier `invalid_at`, and twice if they hold
    again later; the rest comes as it is. In the order of the first fact of each attribute.

    Args:
        supports: restatements by the fact's id (without them a value said again counts as said once).
        kind: of the canonical entity.
    """
    out: list[Fact] = []
    by_attribute: dict[str, list[Fact]] = {}
    for fact in facts:
        by_attribute.setdefault(fact.attribute, []).append(fact)
    for attribute, rows in by_attribute.items():
        cardinality = attribute_cardinality(kind, attribute)
        if cardinality != "single" or len({row.entity_id for row in rows}) < 2:
            out += rows
        else:
            out += as_one(Group(rows=rows, supports=supports, value=_value, cardinality=cardinality))
    return out


def relations_as_one(
    relations: Sequence[Relation],
    supports: Mapping[str, Sequence[Support]],
    canonical: Mapping[str, str],
    kind: EntityType | None,
) -> list[Relation]:
    """The same for relations from the members of one canonical entity; `canonical` resolves the ids of both ends."""
    out: list[Relation] = []
    by_label: dict[tuple[str, str], list[Relation]] = {}
    for row in relations:
        by_label.setdefault((canonical.get(row.from_id, row.from_id), row.label), []).append(row)
    for (_, label), rows in by_label.items():
        if relation_cardinality(kind, label) != "single" or len({row.from_id for row in rows}) < 2:
            out += rows
        else:

            def end(row: Relation) -> str:
                return canonical.get(row.to_id, row.to_id)

            group: Group[Relation] = Group(rows=rows, supports=supports, value=end, cardinality="single", endings=[])
            out += as_one(group)
    return out


def _value(row: Fact) -> str:
    return fold_value(row.value)
