"""Reading the record as people see it: entities with their current facts, links with the names of
their ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.errors import AmbiguousError, NotFoundError
from factbook.model.conflicts import conflicting_facts, disputed_links
from factbook.model.entity import Conflict, Entity, Link, StatedFact
from factbook.model.record import SELF, EntityRecord, EntityType, Fact, Relation, Support
from factbook.model.relations import seen_from
from factbook.model.source import Source
from factbook.ports.snapshot import EntityCounts, NameHit, Snapshot
from factbook.resolve.timeline import HeldValue
from factbook.text.host_ids import host_ids, key_of, without_host_ids
from factbook.text.names import exact_key, fold
from factbook.views.merged_entities import facts_by_home, read_as_one
from factbook.views.name_bearers import near_names
from factbook.views.short_ids import whole_id
from factbook.views.space_kinds import read_kinds

SELF_NAMES = frozenset({"self", "me", "i", "myself"})
"""Folded words by which the space's own user is asked for."""
LONGEST_NAME = 5
"""Names of more words than this are not looked for in a text."""
HUB = 200
"""From so many current relations on, those without an end are followed alone, the latest of each
entity.
"""
MOST_MENTIONS = 1_000_000
_ORDER = {"current": 0, "upcoming": 1, "superseded": 2, "retracted": 3}


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """Reads of one space within one consistent view: as it is `now`, or with `then` as the world
    was at that time.
    """

    snapshot: Snapshot
    space: str
    now: datetime
    then: bool = False

    def state(self, row: Fact | Relation) -> str:
        """`current`, `upcoming`, `superseded` or `retracted`."""
        return row.state_at(self.now, then=self.then)

    def was_there(self, entity: Entity) -> bool:
        """Whether it was named by the view's time, or anything known of it held then."""
        if entity.first_seen is not None and entity.first_seen <= self.now:
            return True
        return any(each.state == "current" for each in entity.facts) or any(
            each.state == "current" for each in entity.links
        )

    def resolve(self, name: str) -> str:
        """The canonical id of the entity that bears the name, or has it as its id.

        An equal name decides; else a part of a name that only one entity has ("priya" for "Priya
        Raman"); else the beginning of an id.

        Raises:
            NotFoundError: nothing has that name. AmbiguousError: several have.
        """
        found = self.lookup(name)
        if not found:
            beginning = self._id_beginning(name)
            if beginning is None:
                raise self._unknown(name)
            found = list(self.snapshot.canonical(self.space, [beginning]).values())
        if len(found) > 1:
            rows = self.snapshot.get(self.space, EntityRecord, found)
            described = [f"{row.name} ({row.kind}, id {row.id})" for row in rows.values()]
            raise AmbiguousError(
                f"{name!r} may be {' or '.join(described)}; name one by its id", described
            )
        return found[0]

    def lookup(self, name: str) -> list[str]:
        """Canonical ids of all that could be meant by the name, none if nothing."""
        if fold(name) in SELF_NAMES and self.snapshot.get(self.space, EntityRecord, [SELF]):
            return [SELF]
        if self.snapshot.get(self.space, EntityRecord, [name]):
            return list(self.snapshot.canonical(self.space, [name]).values())
        exact = exact_key(name)
        for tried in ([key_of(name)], [exact] if exact else [], [f"t:{fold(name)}"]):
            hits = [
                hit for found in self.snapshot.names(self.space, tried).values() for hit in found
            ]
            canonical = self.snapshot.canonical(self.space, [hit.entity_id for hit in hits])
            if canonical:
                return list(dict.fromkeys(canonical[hit.entity_id] for hit in hits))
        return []

    def said_of(self, name: str) -> str:
        """The id that a statement about this name is kept under: of those that are one by now, the
        one that bears it.

        Raises:
            NotFoundError, AmbiguousError: as `resolve`.
        """
        home = self.resolve(name)
        if self.snapshot.get(self.space, EntityRecord, [name]):
            return name
        members = self.snapshot.members(self.space, [home])[home]
        if len(members) == 1:
            return home
        hits = self._bearers_of(name)
        own = {hit.entity_id: hit.primary for hit in hits if hit.entity_id in members}
        return max(members, key=lambda key: (key in own, own.get(key, False), key == home))

    def own_id(self, name: str) -> str:
        """The id of the one entity that was given this name itself, merged or not.

        Raises:
            NotFoundError: none was. AmbiguousError: several were; name one by its id.
        """
        if self.snapshot.get(self.space, EntityRecord, [name]):
            return name
        hits = self._bearers_of(name)
        ids = list(dict.fromkeys(hit.entity_id for hit in hits if hit.primary)) or [
            hit.entity_id for hit in hits
        ]
        if not ids:
            beginning = self._id_beginning(name)
            if beginning is None:
                raise self._unknown(name)
            return beginning
        if len(set(ids)) > 1:
            raise AmbiguousError(
                f"{name!r} is the name of {len(set(ids))} entities; name one by its id",
                sorted(set(ids)),
            )
        return ids[0]

    def _id_beginning(self, name: str) -> str | None:
        """Returns the id of the one entity whose id begins so, None if none does."""
        return whole_id(self.snapshot, self.space, EntityRecord, name)

    def _unknown(self, name: str) -> NotFoundError:
        """Returns the error that nothing has this name, with the names that are nearly so
        written.
        """
        near = near_names(self.snapshot, self.space, name)
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        return NotFoundError(f"nothing is known of {name!r} in space {self.space!r}{meant}", near)

    def _bearers_of(self, name: str) -> list[NameHit]:
        """The bearers of just this name, or of this id of the host's."""
        for keys in ([key_of(name)], [key] if (key := exact_key(name)) else []):
            if found := [
                hit for hits in self.snapshot.names(self.space, keys).values() for hit in hits
            ]:
                return found
        return []

    def named_in(self, text: str) -> list[str]:
        """Ids of the entities whose whole name stands in the text, in capitals or of several words.

        Of merged ones, those that bear the name.
        """
        tokens = text.split()
        phrases = {
            " ".join(tokens[start : start + length]).strip(".,;:!?\"'()[]“”‘’")
            for length in range(1, LONGEST_NAME + 1)
            for start in range(len(tokens) - length + 1)
        }
        keys = {
            exact_key(phrase) for phrase in phrases if " " in phrase or phrase != phrase.lower()
        } - {""}
        found = self.snapshot.names(self.space, keys)
        canonical = self.snapshot.canonical(
            self.space, [hit.entity_id for hits in found.values() for hit in hits]
        )
        meant: set[str] = set()
        for hits in found.values():
            if len({canonical[hit.entity_id] for hit in hits}) == 1:
                meant.add(
                    max(
                        hits,
                        key=lambda hit: (hit.primary, hit.entity_id == canonical[hit.entity_id]),
                    ).entity_id
                )
        return sorted(meant)

    def relations_of(self, name: str | None) -> list[Relation]:
        """The relations of one entity, or all of the space."""
        if name is None:
            return list(self.snapshot.every(self.space, Relation))
        key = self.resolve(name)
        return self.snapshot.relations(self.space, self.snapshot.members(self.space, [key])[key])

    def episodes_of(self, entity_id: str) -> set[str]:
        """Ids of the episodes that name a canonical entity, or say something of it."""
        members = self.snapshot.members(self.space, [entity_id])[entity_id]
        rows: list[Fact | Relation] = [
            *self.snapshot.facts(self.space, members),
            *self.snapshot.relations(self.space, members),
        ]
        supports = self.snapshot.supports(self.space, [row.id for row in rows])
        sources = [row.source for row in rows]
        sources += [each.source for some in supports.values() for each in some]
        found = {source.episode_id for source in sources}
        found |= {
            mention.episode_id
            for mention in self.snapshot.mentions(self.space, members, limit=MOST_MENTIONS)
        }
        return found - {""}

    def names_of(self, ids: Iterable[str]) -> dict[str, str]:
        """The present name of each (canonical) id."""
        return {
            key: row.name
            for key, row in self.snapshot.get(self.space, EntityRecord, set(ids)).items()
        }

    def entities(self, ids: Sequence[str]) -> list[Entity]:
        """The entities with these canonical ids, in that order, with all that is known of them."""
        members = self.snapshot.members(self.space, ids)
        every = [member for group in members.values() for member in group]
        rows = self.snapshot.get(self.space, EntityRecord, every)
        kinds = read_kinds(self.snapshot, self.space)
        facts = facts_by_home(self.snapshot, self.space, members, kinds)
        links: dict[str, list[Link]] = {}
        for link in self.links(self.snapshot.relations(self.space, every)):
            for end in {link.from_id, link.to_id} & members.keys():
                links.setdefault(end, []).append(link)
        shared = _Shared(
            rows=rows,
            members=members,
            aliases=self._aliases(members),
            counts=self.snapshot.counts(self.space, ids),
            supports={
                k: len(v)
                for k, v in self.snapshot.supports(self.space, _ids(facts.values())).items()
            },
            kinds=kinds,
        )
        return [
            self._entity(key, facts.get(key, []), links.get(key, []), shared)
            for key in ids
            if key in rows
        ]

    def links(
        self, relations: Sequence[Relation], hops: Mapping[str, int] | None = None
    ) -> list[Link]:
        """Relations with the canonical ids and names of their ends, current ones first."""
        canonical = self.snapshot.canonical(
            self.space, {end for row in relations for end in (row.from_id, row.to_id)}
        )
        names = self.names_of(canonical.values())
        supports = self.snapshot.supports(self.space, [row.id for row in relations])
        held = read_as_one(
            self.snapshot, self.space, relations, canonical, read_kinds(self.snapshot, self.space)
        )
        told = [_Told.of(row, supports.get(row.id, ())) for row in relations if row.id not in held]
        told += {
            id(each): _Told.read(each) for row in relations for each in held.get(row.id, ())
        }.values()
        links = [
            Link(
                relation=(row := each.relation),
                from_id=canonical[row.from_id],
                from_name=names.get(canonical[row.from_id], row.from_id),
                to_id=canonical[row.to_id],
                to_name=names.get(canonical[row.to_id], row.to_id),
                state=self.state(row),
                count=len(each.sources),
                sources=each.sources,
                hops=(hops or {}).get(row.id, 1),
            )
            for each in told
        ]
        return sorted(links, key=lambda link: (link.hops, _ORDER[link.state]))

    def neighbours(self, entity_id: str, hops: int, *, superseded: bool = False) -> list[Link]:
        """Links within so many hops of a canonical id, either way, nearest first."""
        frontier, seen = {entity_id}, {entity_id}
        found: dict[str, Relation] = {}
        distance: dict[str, int] = {}
        for hop in range(1, hops + 1):
            members = self.snapshot.members(self.space, frontier)
            ids = [member for group in members.values() for member in group]
            rows = (
                [] if superseded or self.then else self.snapshot.relations_between(self.space, ids)
            )
            if len(rows) < HUB:
                # Also what has ended, or ends in days to come, which only its times tell.
                rows = self.snapshot.relations(self.space, ids)
            rows = [row for row in rows if superseded or self.state(row) == "current"]
            ends = self.snapshot.canonical(
                self.space, {end for row in rows for end in (row.from_id, row.to_id)}
            )
            for row in rows:
                if row.id not in found:
                    found[row.id], distance[row.id] = row, hop
            frontier = set(ends.values()) - seen
            seen |= frontier
        links = self.links(list(found.values()), distance)
        return [link for link in links if superseded or link.state == "current"]

    def conflicts(self, ids: Sequence[str]) -> list[Conflict]:
        """The open conflicts of these canonical ids."""
        return [conflict for entity in self.entities(ids) for conflict in entity.conflicts]

    def _aliases(self, members: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
        wanted = {member for group in members.values() for member in group}
        out: dict[str, list[str]] = {}
        for alias in self.snapshot.aliases(self.space, wanted):
            out.setdefault(alias.entity_id, []).append(alias.name)
        return out

    def _entity(
        self, key: str, facts: Sequence[Fact], links: Sequence[Link], shared: _Shared
    ) -> Entity:
        row = shared.rows[key]
        counts = shared.counts.get(key)
        stated = sorted(
            (
                StatedFact(
                    fact=fact, state=self.state(fact), count=1 + shared.supports.get(fact.id, 0)
                )
                for fact in facts
            ),
            key=lambda each: (_ORDER[each.state], each.attribute, each.fact.said_at),
        )
        attributes: dict[str, list[str]] = {}
        for each in stated:
            if each.state == "current":
                attributes.setdefault(each.attribute, []).append(each.value)
        kind = shared.kinds.get(row.kind, EntityType(id=row.kind))
        clashes = conflicting_facts([each.fact for each in stated if each.state == "current"], kind)
        current = [link for link in links if link.state == "current"]
        ends = {link.relation.from_id: link.from_id for link in current}
        ends |= {link.relation.to_id: link.to_id for link in current}
        names = {link.from_id: link.from_name for link in current} | {
            link.to_id: link.to_name for link in current
        }
        own = {end for end, home in ends.items() if home == key}
        outward = [seen for link in current if (seen := seen_from(link.relation, own))]
        disputes = disputed_links(outward, ends, kind)
        return Entity(
            row.name,
            row.label or row.kind,
            {name: "; ".join(dict.fromkeys(values)) for name, values in attributes.items()},
            counts.mentions if counts else 0,
            (counts.first_seen if counts else None) or row.created_at,
            (counts.last_seen if counts else None) or row.updated_at,
            self._other_names(key, shared),
            id=key,
            description=row.description,
            importance=row.importance,
            version=row.version,
            facts=tuple(stated),
            links=tuple(links),
            conflicts=(
                *(
                    Conflict(
                        entity_id=key,
                        entity_name=row.name,
                        attribute=name,
                        facts=rows,
                        values=tuple(fact.value for fact in rows),
                    )
                    for name, rows in clashes.items()
                ),
                *(
                    Conflict(
                        entity_id=key,
                        entity_name=row.name,
                        attribute=label,
                        relations=ties,
                        values=tuple(names[ends[tie.to_id]] for tie in ties),
                    )
                    for label, ties in disputes.items()
                ),
            ),
            metadata=row.metadata,
            ids=host_ids(
                name for member in shared.members[key] for name in shared.aliases.get(member, ())
            ),
        )

    def _other_names(self, key: str, shared: _Shared) -> list[str]:
        names = [
            name
            for member in shared.members[key]
            for name in (shared.rows[member].name, *shared.aliases.get(member, ()))
            if member in shared.rows
        ]
        return [
            name for name in without_host_ids(dict.fromkeys(names)) if name != shared.rows[key].name
        ]


@dataclass(frozen=True, slots=True)
class _Told:
    """A relation with all that was noted of it, and where each of its statements comes from."""

    relation: Relation
    sources: tuple[Source, ...]

    @classmethod
    def of(cls, row: Relation, supports: Sequence[Support]) -> _Told:
        """The relation as its row and its restatements say it."""
        notes = [row.note, *(each.note for each in supports)]
        return cls(_noted(row, notes), (row.source, *(each.source for each in supports)))

    @classmethod
    def read(cls, held: HeldValue[Relation]) -> _Told:
        """The relation as several rows say it."""
        return cls(_noted(held.row, held.notes), held.sources)


def _noted(row: Relation, notes: Iterable[str]) -> Relation:
    return replace(row, note="; ".join(dict.fromkeys(note for note in notes if note)))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Shared:
    """The rows read for all the entities of one call."""

    rows: Mapping[str, EntityRecord]
    members: Mapping[str, tuple[str, ...]]
    aliases: Mapping[str, list[str]]
    counts: Mapping[str, EntityCounts]
    supports: Mapping[str, int]
    kinds: Mapping[str, EntityType]


def _ids(groups: Iterable[Sequence[Fact]]) -> list[str]:
    return [fact.id for group in groups for fact in group]
