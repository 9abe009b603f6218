"""What was written apart read as one: merged entities, and relations said from both ends.

What was said of one ends what was said of the other. Nothing of this is stored, so that unmerging
gives back both as if they had never been one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from factbook.model.grouping import group_by
from factbook.model.record import EntityType, Fact, Relation, Support
from factbook.model.relations import bearing_labels, relation_type
from factbook.model.value_equality import attribute_cardinality, fold_value, relation_cardinality
from factbook.resolve.link_groups import Kinds, Links
from factbook.resolve.timeline import HeldValue, as_one, held_of
from factbook.resolve.validity_stretches import Group


def facts_as_one(
    facts: Sequence[Fact], supports: Mapping[str, Sequence[Support]], kind: EntityType | None
) -> list[Fact]:
    """Returns the facts of all members of one canonical entity, with the times at which they hold
    when read together.

    Facts of single attributes that several members have may come with an earlier `invalid_at`, and
    twice if they hold again later; the rest comes as it is. In the order of the first fact of each
    attribute.

    Args:
        supports: restatements by the fact's id (without them a value said again counts as said
            once).
        kind: of the canonical entity.
    """
    out: list[Fact] = []
    for attribute, rows in group_by(facts, lambda fact: fact.attribute).items():
        cardinality = attribute_cardinality(kind, attribute)
        if cardinality != "single" or len({row.entity_id for row in rows}) < 2:
            out += rows
        else:
            out += as_one(
                Group(rows=rows, supports=supports, value=_relation_value, cardinality=cardinality)
            )
    return out


def written_apart(
    relations: Iterable[Relation], canonical: Mapping[str, str], kinds: Kinds
) -> list[Relation]:
    """Returns the relations that others may be one with, or end, that were written without them.

    They were said with another name, from the other end (in files of older versions), or of another
    of the entities that were merged since.

    Args:
        canonical: resolves the ends. kinds: of canonical entities.
    """
    pairs: dict[frozenset[str], dict[tuple[str, str, str], list[Relation]]] = {}
    sole: dict[tuple[str, str], dict[str, list[Relation]]] = {}
    for row in relations:
        ends = (canonical[row.from_id], canonical[row.to_id])
        said = pairs.setdefault(frozenset(ends), {})
        said.setdefault((row.from_id, row.label, row.to_id), []).append(row)
        for end, home in zip((row.from_id, row.to_id), ends, strict=True):
            sole.setdefault((home, relation_type(row.label).label or row.label), {}).setdefault(
                end, []
            ).append(row)
    found: dict[str, Relation] = {}
    for said in pairs.values():
        labels = {label for _, label, _ in said}
        for (_, label, _), rows in said.items() if len(said) > 1 else ():
            if len(said) > len(labels) or not labels.isdisjoint(_bearing_labels(label) - {label}):
                found |= {row.id: row for row in rows}
    for (home, label), by_end in sole.items():
        if len(by_end) > 1 and relation_cardinality(kinds(home), label) == "single":
            found |= {row.id: row for rows in by_end.values() for row in rows}
    return list(found.values())


def _bearing_labels(label: str) -> frozenset[str]:
    along, against = bearing_labels(label)
    return along | against


def relations_as_one(
    links: Links, relations: Iterable[Relation]
) -> dict[str, list[HeldValue[Relation]]]:
    """Lays out relations that were written apart, by the id of each row that says it. Retractions
    are left out.
    """
    found: dict[str, list[HeldValue[Relation]]] = {}
    for key in dict.fromkeys(links.key_of(links.form_of(row)) for row in relations):
        for held in held_of(links.group_of(key)):
            for row_id in held.ids:
                found.setdefault(row_id, []).append(held)
    return found


def _relation_value(row: Fact) -> str:
    return fold_value(row.value)
