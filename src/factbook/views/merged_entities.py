"""The facts and relations of entities, those that were merged or written apart read as one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from factbook.model.grouping import group_by
from factbook.model.record import EntityRecord, EntityType, Fact, Relation
from factbook.model.relations import bearing_labels, relation_type
from factbook.ports.snapshot import Snapshot
from factbook.resolve.as_one import facts_as_one, relations_as_one, written_apart
from factbook.resolve.link_groups import Kinds, Links
from factbook.resolve.timeline import HeldValue

_Row = TypeVar("_Row", Fact, Relation)


def as_held(  # noqa: PLR0913 - rows of two sorts, and all that reads them as one
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
    held = snapshot.facts(space, home, attributes=attributes)
    out = group_by(held, lambda fact: home[fact.entity_id])
    several = [key for key, group in members.items() if len(group) > 1 and key in out]
    if several:
        supports = snapshot.supports(space, [fact.id for key in several for fact in out[key]])
        rows = snapshot.get(space, EntityRecord, several)
        for key in several:
            out[key] = facts_as_one(out[key], supports, _kind(rows.get(key), kinds))
    return out


def _kind(row: EntityRecord | None, kinds: Mapping[str, EntityType]) -> EntityType | None:
    return kinds.get(row.kind) if row else None


def relations_bearing(
    snapshot: Snapshot, space: str, ids: Iterable[str], labels: Collection[str]
) -> list[Relation]:
    """The relations that bear on what these labels say of these ids: under whichever names and from
    whichever end.
    """
    along, against, couples = set[str](), set[str](), set[str]()
    for label in labels:
        both = bearing_labels(label)
        along |= both[0]
        against |= both[1]
        for each in (*both[0], *both[1]):
            row = relation_type(each)
            if row.one_holder or any(relation_type(name).one_holder for name in row.past_of):
                along.add(each)
                against.add(each)
            if row.symmetric and row.cardinality == "single":
                couples.add(each)
    given = dict.fromkeys(ids)
    found = _between(snapshot, space, given, along, against)
    if couples:
        # Who is linked to whom one of these is linked to, and so on: one of them can have ended
        # another's.
        seen = set(given)
        while (
            new := {
                end
                for row in found.values()
                if row.label in couples
                for end in (row.from_id, row.to_id)
            }
            - seen
        ):
            seen |= new
            found |= _between(snapshot, space, new, along, against)
    return list(found.values())


def _between(
    snapshot: Snapshot,
    space: str,
    ids: Iterable[str],
    along: Collection[str],
    against: Collection[str],
) -> dict[str, Relation]:
    found = snapshot.relations(space, ids, labels=along, end="from") if along else []
    found += snapshot.relations(space, ids, labels=against, end="to") if against else []
    return {row.id: row for row in found}


def read_as_one(
    snapshot: Snapshot,
    space: str,
    relations: Collection[Relation],
    canonical: Mapping[str, str],
    kinds: Mapping[str, EntityType],
) -> dict[str, list[HeldValue[Relation]]]:
    """Lays out relations that were written apart, by id; `canonical` resolves the ends of all.

    One that was said from both ends, or of two entities that are one by now, is one relation under
    either id.
    """
    if len(relations) < 2:
        return {}
    apart = written_apart(relations, canonical, _kinds_of_ends(snapshot, space, canonical, kinds))
    if not apart:
        return {}
    homes = {canonical[end] for row in apart for end in (row.from_id, row.to_id)}
    members = [member for group in snapshot.members(space, homes).values() for member in group]
    rows = relations_bearing(snapshot, space, members, {row.label for row in apart})
    home = snapshot.canonical(space, {end for row in rows for end in (row.from_id, row.to_id)})
    supports = snapshot.supports(space, [row.id for row in rows])
    kind_of = _kinds_of_ends(snapshot, space, home, kinds)
    links = Links(rows, supports, kind_of, home=lambda entity_id: home.get(entity_id, entity_id))
    return relations_as_one(links, apart)


def _kinds_of_ends(
    snapshot: Snapshot, space: str, canonical: Mapping[str, str], kinds: Mapping[str, EntityType]
) -> Kinds:
    rows = snapshot.get(space, EntityRecord, set(canonical.values()))
    return lambda key: kinds.get(rows[key].kind) if key in rows else None
