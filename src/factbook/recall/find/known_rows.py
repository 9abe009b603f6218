"""Reads the rows behind lines: statements with the entities they are about, their conflicts, what
holds when.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from factbook.model.conflicts import conflicting_facts, disputed_links
from factbook.model.episode import StoredMessage
from factbook.model.line import LineFilter, LineKind
from factbook.model.record import EntityRecord, EntityType, Fact, Note, Observation, Relation
from factbook.model.relations import known_label, seen_from
from factbook.model.source import Source
from factbook.model.value_equality import relation_cardinality
from factbook.recall.measure.signals import Known
from factbook.recall.request import RecallRequest
from factbook.render import row_words
from factbook.text.index_words import stem_beginnings, words_like
from factbook.views.merged_entities import as_held, facts_by_home, read_as_one, relations_bearing

_Stated = TypeVar("_Stated", Fact, Relation)
_R = TypeVar("_R", Fact, Relation, Note, Observation, EntityRecord)


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownRows:
    """The rows of some lines, and of the entities that they are about.

    By canonical id: `wishes` are the current facts of preferences and pain points, `clashes` the
    conflicts of the facts, by attribute, `disputes` those of the relations, by label. `shared` are
    wishes that several have spoken of.
    """

    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    relations: Mapping[str, Relation] = field(default_factory=dict[str, Relation])
    notes: Mapping[str, Note] = field(default_factory=dict[str, Note])
    observations: Mapping[str, Observation] = field(default_factory=dict[str, Observation])
    entities: Mapping[str, EntityRecord] = field(default_factory=dict[str, EntityRecord])
    canonical: Mapping[str, str] = field(default_factory=dict[str, str])
    messages: Mapping[str, StoredMessage] = field(default_factory=dict[str, StoredMessage])
    wishes: Mapping[str, Sequence[Fact]] = field(default_factory=dict[str, Sequence[Fact]])
    shared: frozenset[str] = frozenset()
    clashes: Mapping[str, Mapping[str, Sequence[Fact]]] = field(
        default_factory=dict[str, Mapping[str, Sequence[Fact]]]
    )
    disputes: Mapping[str, Mapping[str, Sequence[Relation]]] = field(
        default_factory=dict[str, Mapping[str, Sequence[Relation]]]
    )

    def entity(self, key: str) -> EntityRecord | None:
        """The canonical entity's row."""
        return self.entities.get(self.canonical.get(key, key))

    def claims(self, dispute: Sequence[Relation]) -> list[tuple[str, Source]]:
        """Returns the other end of each relation, with its source."""
        ends = ((self.entity(row.to_id), row) for row in dispute)
        return [
            (row_words.named(end) if end is not None else row.to_id, row.source)
            for end, row in ends
        ]

    @property
    def names(self) -> dict[str, str]:
        """Present names by the ids that lines carry."""
        return {
            key: self.entities[home].name
            for key, home in self.canonical.items()
            if home in self.entities
        }


def read_known(
    request: RecallRequest, ids: Mapping[LineKind, Sequence[str]], have: KnownRows | None = None
) -> KnownRows:
    """Facts, relations and notes, with the entities they are about; what is in `have` is not read
    again.
    """
    have = have or KnownRows()
    facts = {**have.facts, **_get(request, Fact, ids.get("fact", ()), have.facts)}
    relations = {
        **have.relations,
        **_get(request, Relation, ids.get("relation", ()), have.relations),
    }
    about = {row.entity_id for row in facts.values()} | set(ids.get("entity", ()))
    observations = _get(request, Observation, ids.get("observation", ()), {})
    about |= {key for row in observations.values() for key in row.entity_ids[:1]}
    about |= {end for row in relations.values() for end in (row.from_id, row.to_id)}
    fresh = about - have.canonical.keys()
    canonical = {
        **have.canonical,
        **(request.snapshot.canonical(request.space, fresh) if fresh else {}),
    }
    return KnownRows(
        facts=facts,
        relations=relations,
        notes=_get(request, Note, ids.get("note", ()), {}),
        observations=observations,
        entities={
            **have.entities,
            **_get(request, EntityRecord, set(canonical.values()), have.entities),
        },
        canonical=canonical,
    )


def _get(
    request: RecallRequest, cls: type[_R], ids: Iterable[str], have: Mapping[str, _R]
) -> dict[str, _R]:
    fresh = [key for key in ids if key not in have]
    return request.snapshot.get(request.space, cls, fresh) if fresh else {}


def read_rows(
    request: RecallRequest, ids: Mapping[LineKind, Sequence[str]], have: KnownRows | None = None
) -> KnownRows:
    """Everything that is needed to put these lines into words, within the filter: a conflict is one
    of the filter's projects, and of its claims those are shown that the filter lets through.
    """
    snapshot, space, kinds, where = request.snapshot, request.space, request.kinds, request.where
    rows = read_known(request, ids, have)
    held, linked = as_held(
        snapshot, space, rows.facts, rows.relations, rows.canonical, kinds, request.now
    )
    rows = replace(rows, facts=held, relations=linked)
    facts = [rows.facts[key] for key in ids.get("fact", ())]
    single = {row.attribute for row in facts}
    owners = {rows.canonical[row.entity_id] for row in facts}
    current = _current(request, owners, single) if owners else {}
    wishes = {home for key in ids.get("entity", ()) if _is_wish(rows, home := rows.canonical[key])}
    rows = _with_disputes(request, rows, [rows.relations[key] for key in ids.get("relation", ())])
    return replace(
        rows,
        messages=snapshot.messages(space, ids["message"]) if ids.get("message") else {},
        shared=_shared(request, wishes),
        wishes={
            key: [row for row in each if where.allows_row(row)]
            for key, each in (_current(request, wishes, None) if wishes else {}).items()
        },
        clashes={
            key: _shown(
                conflicting_facts(
                    each, kinds.get(rows.entities[key].kind, EntityType(id=rows.entities[key].kind))
                ),
                where,
            )
            for key, each in current.items()
            if key in rows.entities and len(each) > 1
        },
    )


def _shared(request: RecallRequest, wishes: Collection[str]) -> frozenset[str]:
    """Returns the entities that more than one speaker has mentioned."""
    snapshot, space = request.snapshot, request.space
    home = (
        {each: key for key, group in snapshot.members(space, wishes).items() for each in group}
        if wishes
        else {}
    )
    mentions = snapshot.mentions(space, list(home)) if home else []
    said = snapshot.messages(space, {each.message_id for each in mentions}) if mentions else {}
    by: dict[str, set[str]] = {}
    for each in mentions:
        if each.message_id in said:
            by.setdefault(home[each.entity_id], set()).add(said[each.message_id].speaker)
    return frozenset(key for key, speakers in by.items() if len(speakers) > 1)


def _with_disputes(request: RecallRequest, rows: KnownRows, links: Sequence[Relation]) -> KnownRows:
    """The rows with what is disputed of these links, and whom it leads to."""
    snapshot, space, kinds, where = request.snapshot, request.space, request.kinds, request.where
    single: dict[str, set[str]] = {}
    for link in links:
        for home in {
            rows.canonical[link.from_id],
            rows.canonical[link.to_id],
        } & rows.entities.keys():
            seen = seen_from(
                link,
                {home, *(end for end in (link.from_id, link.to_id) if rows.canonical[end] == home)},
            )
            if (
                seen
                and relation_cardinality(kinds.get(rows.entities[home].kind), seen.label)
                == "single"
            ):
                single.setdefault(home, set()).add(seen.label)
    if not single:
        return rows
    members = snapshot.members(space, single)
    home_of = {member: home for home, group in members.items() for member in group}
    labels = {label for some in single.values() for label in some}
    found = relations_bearing(snapshot, space, home_of, labels)
    if len(found) < 2:
        return rows
    canonical = snapshot.canonical(
        space, {end for row in found for end in (row.from_id, row.to_id)}
    )
    held = read_as_one(snapshot, space, found, canonical, kinds)
    stand = [row for row in found if row.id not in held]
    stand += {id(each): each.row for row in found for each in held.get(row.id, ())}.values()
    then = where.as_of is not None
    current: dict[str, list[Relation]] = {}
    for row in stand:
        seen = seen_from(row, home_of)
        if seen is None or seen.label not in labels:
            continue
        holds = row.state_at(request.now, then=then) == "current"
        if holds and where.allows_project(row.source.project):
            current.setdefault(home_of[seen.from_id], []).append(seen)
    ends = snapshot.get(
        space, EntityRecord, {canonical[row.to_id] for some in current.values() for row in some}
    )
    return replace(
        rows,
        canonical={**canonical, **rows.canonical},
        entities={**ends, **rows.entities},
        disputes={
            home: _shown(
                disputed_links(
                    some, canonical, kinds.get(rows.entities[home].kind) or EntityType(id="other")
                ),
                where,
            )
            for home, some in current.items()
        },
    )


def _shown(clashes: Mapping[str, Sequence[_Stated]], where: LineFilter) -> dict[str, list[_Stated]]:
    """Of each conflict, the claims that the filter lets through."""
    return {
        name: [row for row in claims if where.allows_row(row)] for name, claims in clashes.items()
    }


def _is_wish(rows: KnownRows, key: str) -> bool:
    return key in rows.entities and rows.entities[key].kind in row_words.ALWAYS


_NONE: frozenset[str] = frozenset()


def known_words(
    rows: KnownRows, asked: Iterable[str], means: Mapping[str, frozenset[str]] | None = None
) -> dict[str, Known]:
    """Returns the source of each fact and relation, by its id, with those of its words that may be
    among the asked.

    Args:
        means: by attribute or label of the vocabulary, asked words that mean it: a boss is whom one
            reports to.
    """
    means = means or {}
    names = rows.names
    begin = stem_beginnings(asked)
    out: dict[str, Known] = {}
    for row in rows.facts.values():
        text = f"{names.get(row.entity_id, '')} {row.attribute.replace('_', ' ')} {row.value}"
        out[row.id] = Known(
            source=row.source.message_id,
            words=words_like(text, begin) | means.get(row.attribute, _NONE),
        )
    for link in rows.relations.values():
        text = (
            f"{names.get(link.from_id, '')} {link.label.replace('_', ' ')} "
            f"{names.get(link.to_id, '')}"
        )
        meant = means.get(known_label(link.label)[0], _NONE) if means else _NONE
        out[link.id] = Known(source=link.source.message_id, words=words_like(text, begin) | meant)
    return out


def _current(
    request: RecallRequest, ids: Iterable[str], attributes: Iterable[str] | None
) -> dict[str, list[Fact]]:
    """By canonical id, the facts that hold now, or at the filter's time."""
    snapshot, space, where = request.snapshot, request.space, request.where
    then = where.as_of is not None
    members = snapshot.members(space, ids)
    found = facts_by_home(snapshot, space, members, request.kinds, attributes)
    current = {
        key: [
            row
            for row in rows
            if row.state_at(request.now, then=then) == "current"
            and where.allows_project(row.source.project)
        ]
        for key, rows in found.items()
    }
    return {key: rows for key, rows in current.items() if rows}
