"""The facts and links of entities, those that were merged read as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factbook.model.record import EntityRecord, EntityType, Fact, Relation
from factbook.ports.store import Reader
from factbook.resolve.as_one import facts_as_one, relations_as_one


def facts_by_home(
    reader: Reader, space: str, members: Mapping[str, Sequence[str]], kinds: Mapping[str, EntityType]
) -> dict[str, list[Fact]]:
    """The facts of canonical entities, given with their members; what one member's end of another's ends there."""
    home = {member: key for key, group in members.items() for member in group}
    out: dict[str, list[Fact]] = {}
    for fact in reader.facts(space, home):
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
