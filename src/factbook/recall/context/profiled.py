"""Profiles of those whom a context is asked to be about, as lines of its block."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from factbook.model.entity import Entity
from factbook.model.line import LineKind
from factbook.model.profile import ProfileLine
from factbook.model.record import EntityRecord, Fact, Observation, Relation
from factbook.recall.find.known_rows import read_rows
from factbook.recall.phrase.line_phrases import Phrasing
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.request import RecallRequest
from factbook.render import row_words
from factbook.render.block import Entry
from factbook.render.profile import SECTIONS, choose_lines, profile_heading, profile_text
from factbook.views.view import View

MOST_OBSERVED = 200
"""Observations that a profile chooses from, the most important first."""
SHARE_OF_PROFILES = 0.5
"""Of the budget of a question, for profiles; without a question they have what rules and
preferences leave.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Profiled:
    """An entity with the lines of its profile."""

    entity: Entity
    lines: Sequence[ProfileLine]
    candidates: Sequence[Candidate]


def profiles(
    request: RecallRequest, room: int, before: Collection[str], left_out: Collection[str]
) -> list[Profiled]:
    """Returns the profile of each entity that the context is about, all within so many tokens; of
    the room each has an equal part, and what one leaves the next.

    Args:
        before: texts that the context tells already. left_out: ids of observations among them.
    """
    out: list[Profiled] = []
    entities = _entities(request)
    for place, entity in enumerate(entities):
        rows = [row for row in _observations(request, entity) if row.id not in left_out]
        lines = choose_lines(
            entity,
            rows,
            tokenizer=request.tokenizer,
            budget=room // (len(entities) - place),
            now=request.now,
            before=before,
        )
        if lines:
            room -= request.tokenizer.count(profile_text(entity, lines))
        candidates = tuple(_as_candidates(request, entity, lines, place))
        out.append(Profiled(entity=entity, lines=lines, candidates=candidates))
    return out


def _entities(request: RecallRequest) -> list[Entity]:
    """The entities with what the filter lets through."""
    where = request.where
    view = View(
        snapshot=request.snapshot,
        space=request.space,
        now=request.now,
        then=where.as_of is not None,
    )
    records = request.snapshot.get(request.space, EntityRecord, request.about)
    return [
        _filtered(request, entity, describes=where.allows_entity(records[entity.id]))
        for entity in view.entities(request.about)
    ]


def _filtered(request: RecallRequest, entity: Entity, *, describes: bool) -> Entity:
    facts = tuple(each for each in entity.facts if _allows(request, "fact", each.fact))
    links = tuple(each for each in entity.links if _allows(request, "relation", each.relation))
    kept = {each.fact.id for each in facts} | {each.relation.id for each in links}
    conflicts = tuple(
        each
        for each in entity.conflicts
        if kept.issuperset([*(row.id for row in each.facts), *(row.id for row in each.relations)])
    )
    return replace(
        entity,
        facts=facts,
        links=links,
        conflicts=conflicts,
        description=entity.description if describes else "",
    )


def _observations(request: RecallRequest, entity: Entity) -> Iterator[Observation]:
    where, snapshot, space = request.where, request.snapshot, request.space
    members = snapshot.members(space, [entity.id])[entity.id]
    for row in snapshot.observations(space, members, limit=MOST_OBSERVED):
        was_said = where.as_of is None or row.said_at <= where.as_of
        if was_said and not row.is_hidden_at(request.now) and _allows(request, "observation", row):
            yield row


def _allows(request: RecallRequest, kind: LineKind, row: Fact | Relation | Observation) -> bool:
    where = request.where
    return (not where.kinds or kind in where.kinds) and where.allows_row(row)


def _as_candidates(
    request: RecallRequest, entity: Entity, lines: Sequence[ProfileLine], place: int
) -> Iterator[Candidate]:
    """Yields the lines as candidates that say what their rows say."""
    ids = [key for line in lines for key in line.ids]
    stated: dict[str, Fact | Relation | Observation] = {
        **request.snapshot.get(request.space, Fact, ids),
        **request.snapshot.get(request.space, Relation, ids),
        **request.snapshot.get(request.space, Observation, ids),
    }
    said = _keys(request, lines)
    for number, line in enumerate(lines):
        rows = [stated[key] for key in line.ids if key in stated]
        says = frozenset(key for row_id in line.ids for key in said[row_id])
        first, projects = rows[0], {row.source.project for row in rows}
        project = first.source.project if len(projects) == 1 else ""
        label = row_words.label(project, request.where.projects) if len(projects) == 1 else ""
        yield Candidate(
            id=first.id,
            kind=line.kind,
            space=request.space,
            score=1.0,
            parts={"profile": 1.0},
            entry=Entry(
                shape="profile",
                heading=profile_heading(entity),
                text=line.text,
                label=label,
                group=f"{request.space} {entity.id} profile",
                order=(place, number),
                section=SECTIONS[line.sort] if line.sort else "",
            ),
            at=first.said_at,
            speaker=first.source.speaker,
            session=first.source.session,
            entity_ids=(entity.id,),
            source_id=first.source.message_id,
            project=project,
            general=bool(request.where.projects) and not project,
            says=says,
            unless=says if len(rows) == 1 else frozenset(),
        )


def _keys(request: RecallRequest, lines: Sequence[ProfileLine]) -> dict[str, frozenset[str]]:
    """By id, what a line of its own would say of each row."""
    ids: dict[LineKind, list[str]] = {}
    for line in lines:
        ids.setdefault(line.kind, []).extend(line.ids)
    rows = read_rows(request, {kind: ids.get(kind, []) for kind in ("fact", "relation")})
    phrasing = Phrasing(request, rows)
    phrased = [phrasing.fact(row, 1.0, {}) for row in rows.facts.values()]
    phrased += [phrasing.relation(row, 1.0, {}) for row in rows.relations.values()]
    said = {each.id: each.says for each in phrased if each is not None}
    alone = {
        key: frozenset({f"{request.space} observation {key}"})
        for some in ids.values()
        for key in some
    }
    return {**alone, **said}
