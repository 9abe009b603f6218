"""Reads relations with all that bears on them, and those that were written apart as one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from factbook.model.record import EntityRecord, EntityType, Relation
from factbook.model.relations import bearing_labels, relation_type
from factbook.ports.snapshot import Snapshot
from factbook.resolve.as_one import relations_as_one, written_apart
from factbook.resolve.link_groups import Kinds, Links
from factbook.resolve.timeline import HeldValue


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
