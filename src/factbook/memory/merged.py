"""The facts and links of entities, those that were merged read as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from factbook.model.record import EntityRecord, EntityType, Fact, Relation
from factbook.ports.store import Reader
from factbook.resolve.as_one import facts_as_one, relations_as_one
from factbook.resolve.conflicts import state_of

_Row = TypeVar("_Row", Fact, Relation)


def as_held(
    reader: Reader,
    space: str,
    facts: Mapping[str, Fact],
    relations: Mapping[str, Relation],
    canonical: Mapping[str, str],
    kinds: Mapping[str, EntityType],
    now: datetime,
) -> tuple[Mapping[str, Fact], Mapping[str, Relation]]:
    """These facts and relations, by id, with the times at which they hold where their entities are merged; one that
    holds several times as it does now, or else as it did last. `canonical` resolves the ids that they carry."""
    homes = {canonical[row.entity_id] for row in facts.values()} | {
        canonical[row.from_id] for row in relations.values()
    }
    members = {key: group for key, group in reader.members(space, homes).items() if len(group) > 1}
    if not members:
        return facts, relations
    attributes = {row.attribute for row in facts.values()}
    read = facts_by_home(reader, space, members, kinds, attributes)
    ids = [member for group in members.values() for member in group]
    links = reader.relations(space, ids, labels={row.label for row in relations.values()}, end="from")
    ends = reader.canonical(space, {end for row in links for end in (row.from_id, row.to_id)})
    held = links_as_one(reader, space, links, ends, kinds)
    return (
        {**facts, **_present([row for rows in read.values() for row in rows if row.id in facts], now)},
        {**relations, **_present([row for row in held if row.id in relations], now)},
    )


def _present(rows: Iterable[_Row], now: datetime) -> dict[str, _Row]:
    return {row.id: row for row in sorted(rows, key=lambda row: state_of(row, now) == "current")}


def facts_by_home(
    reader: Reader,
    space: str,
    members: Mapping[str, Sequence[str]],
    kinds: Mapping[str, EntityType],
    attributes: Iterable[str] | None = None,
) -> dict[str, list[Fact]]:
    """The facts of canonical entities, given with their members; what one member's end of another's ends there."""
    home = {member: key for key, group in members.items() for member in group}
    out: dict[str, list[Fact]] = {}
    for fact in reader.facts(space, home, attributes=attributes):
        out.setdefault(home[fact.entity_id], []).append(fact)
    several = [key for key, group in members.items() if len(group) > 1 and key in out]
    if several:
        supports = reader.supports(space, [fact.id for key in several for fact in out[key]])
        rows = reader.get(space, EntityRecord, several)
        for key in several:
            out[key] = facts_as_one(out[key], supports, _kind(rows.get(key), kinds))
    return out


def links_as_one(
    reader: Reader,
    space: str,
    relations: Sequence[Relation],
    canonical: Mapping[str, str],
    kinds: Mapping[str, EntityType],
) -> list[Relation]:
    """The relations, where they come from merged entities read as one's; `canonical` resolves both ends."""
    homes: dict[str, set[str]] = {}
    for row in relations:
        homes.setdefault(canonical[row.from_id], set()).add(row.from_id)
    several = [key for key, ids in homes.items() if len(ids) > 1]
    if not several:
        return list(relations)
    supports = reader.supports(space, [row.id for row in relations])
    rows = reader.get(space, EntityRecord, several)
    out: list[Relation] = [row for row in relations if canonical[row.from_id] not in several]
    for key in several:
        own = [row for row in relations if canonical[row.from_id] == key]
        out += relations_as_one(own, supports, canonical, _kind(rows.get(key), kinds))
    return out


def _kind(row: EntityRecord | None, kinds: Mapping[str, EntityType]) -> EntityType | None:
    return kinds.get(row.kind) if row else None
