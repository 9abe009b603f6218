"""The facts and links of entities, those that were merged read as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from factbook.model.record import EntityRecord, EntityType, Fact, Relation
from factbook.ports.snapshot import Snapshot
from factbook.resolve.as_one import facts_as_one
from factbook.views.bearing_relations import read_as_one

_Row = TypeVar("_Row", Fact, Relation)


def as_held(
    snapshot: Snapshot,
    space: str,
    facts: Mapping[str, Fact],
    relations: Mapping[str, Relation],
    canonical: Mapping[str, str],
    kinds: Mapping[str, EntityType],
    now: datetime,
) -> tuple[Mapping[str, Fact], Mapping[str, Relation]]:
    """These facts and relations, by id, with the times at which they hold where their entities are
    merged; one that holds several times as it does now, or else as it did last. `canonical`
    resolves the ids that they carry.
    """
    held = read_as_one(snapshot, space, relations.values(), canonical, kinds)
    rows = {
        key: [replace(each.row, id=key) for each in some]
        for key, some in held.items()
        if key in relations
    }
    linked = {**relations, **_present([row for some in rows.values() for row in some], now)}
    homes = {canonical[row.entity_id] for row in facts.values()}
    members = {
        key: group for key, group in snapshot.members(space, homes).items() if len(group) > 1
    }
    if not members:
        return facts, linked
    attributes = {row.attribute for row in facts.values()}
    read = facts_by_home(snapshot, space, members, kinds, attributes)
    return {
        **facts,
        **_present([row for rows in read.values() for row in rows if row.id in facts], now),
    }, linked


def _present(rows: Iterable[_Row], now: datetime) -> dict[str, _Row]:
    return {row.id: row for row in sorted(rows, key=lambda row: row.state_at(now) == "current")}


def facts_by_home(
    snapshot: Snapshot,
    space: str,
    members: Mapping[str, Sequence[str]],
    kinds: Mapping[str, EntityType],
    attributes: Iterable[str] | None = None,
) -> dict[str, list[Fact]]:
    """The facts of canonical entities, given with their members; what one member's end of another's
    ends there.
    """
    home = {member: key for key, group in members.items() for member in group}
    out: dict[str, list[Fact]] = {}
    for fact in snapshot.facts(space, home, attributes=attributes):
        out.setdefault(home[fact.entity_id], []).append(fact)
    several = [key for key, group in members.items() if len(group) > 1 and key in out]
    if several:
        supports = snapshot.supports(space, [fact.id for key in several for fact in out[key]])
        rows = snapshot.get(space, EntityRecord, several)
        for key in several:
            out[key] = facts_as_one(out[key], supports, _kind(rows.get(key), kinds))
    return out


def _kind(row: EntityRecord | None, kinds: Mapping[str, EntityType]) -> EntityType | None:
    return kinds.get(row.kind) if row else None
