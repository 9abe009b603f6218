"""Trends of a space, read for `graph.trends`: for callers, and as lines of a context."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from factbook.graph.trends import KnownCourse, describe_trend, trends_of
from factbook.model.entity import Entity
from factbook.model.line import LineFilter
from factbook.model.record import EntityRecord, EntityType, Mention
from factbook.model.trend import Trend, TrendPoint
from factbook.ports.snapshot import Snapshot
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.request import RecallRequest
from factbook.recall.understand.query import Query
from factbook.render import row_words
from factbook.render.block import Entry
from factbook.text.index_words import fold_text
from factbook.text.name_links import SURE
from factbook.views.view import View

KINDS = ("metric", "campaign", "pain_point", "decision")
"""Kinds whose trends are told where none is named."""
MOST = 1000
"""Entities that are looked at, the last seen first."""
IN_CONTEXT = 5
"""Trends that a context tells."""

_ASKED = re.compile(
    r"\b(?:trend\w*|develop\w*|evolv\w*|evolution|over time|over the (?:last|past)|trajectory|"
    r"course of|progress\w*|"
    r"(?:gone|going|go|went) (?:up|down)|chang(?:e|ed|es|ing)|improv\w*|worse\w*|better|grow\w*|"
    r"grew|growth|rising|rise|rose|"
    r"fall(?:en|ing)?|fell|drop(?:ped|ping)?|increas\w*|decreas\w*|declin\w*|recur\w*|how often|"
    r"history of|keeps?|"
    r"compar\w* (?:to|with)|since last|month over month|week over week|quarter over quarter)\b"
)


def read_trends(
    view: View,
    ids: Sequence[str],
    kinds: Mapping[str, EntityType],
    since: datetime | None = None,
    where: LineFilter | None = None,
) -> list[Trend]:
    """The trends of these canonical ids, the latest first."""
    snapshot, space = view.snapshot, view.space
    rows = snapshot.get(space, EntityRecord, ids)
    members = snapshot.members(space, list(rows))
    out: list[Trend] = []
    for entity in view.entities([key for key in ids if key in rows]):
        row = rows[entity.id]
        schema = kinds.get(row.kind)
        known = KnownCourse(
            entity=_within(entity, where),
            kind=row.kind,
            cardinality=schema.attributes if schema is not None else {},
            periods=_periods(snapshot, space, entity),
            mentions=_mentions(snapshot, space, members[entity.id])
            if row.kind in ("pain_point", "decision")
            else (),
            expired=row.is_hidden_at(view.now),
        )
        out += trends_of(known, now=view.now, since=since)
    return sorted(out, key=lambda trend: trend.last_at or view.now, reverse=True)


def _within(entity: Entity, where: LineFilter | None) -> Entity:
    if where is None or not where.projects:
        return entity
    return replace(
        entity,
        facts=tuple(each for each in entity.facts if where.allows_project(each.source.project)),
    )


def _periods(snapshot: Snapshot, space: str, entity: Entity) -> dict[str, str]:
    """The period that each message names for the entity's values."""
    stated = {each.fact.id: each for each in entity.facts if each.attribute == "period"}
    if not stated:
        return {}
    said = {each.source.message_id: each.value for each in stated.values()}
    for key, supports in snapshot.supports(space, stated).items():
        said.update({each.source.message_id: stated[key].value for each in supports})
    return {message_id: value for message_id, value in said.items() if message_id}


def _mentions(snapshot: Snapshot, space: str, members: Sequence[str]) -> list[TrendPoint]:
    """One point a message that names one of these."""
    first: dict[str, Mention] = {}
    for mention in snapshot.mentions(space, members):
        first.setdefault(mention.message_id, mention)
    said = snapshot.messages(space, first)
    return [
        TrendPoint(
            at=mention.at,
            text=mention.text,
            session=said[key].session if key in said else "",
            quote=mention.text,
            speaker=said[key].speaker if key in said else "",
        )
        for key, mention in first.items()
    ]


_DECIDED = re.compile(r"\b(?:why|decid\w*|decision\w*|rationale|outcome|(?:came|come) of)\b")


def asked_kinds(question: str) -> frozenset[str]:
    """Of which kinds a question wants to know how they went; none if of none."""
    folded = fold_text(question)
    courses = KINDS if _ASKED.search(folded) else ()
    return frozenset((*courses, "decision") if _DECIDED.search(folded) else courses)


def candidates(request: RecallRequest, query: Query) -> list[Candidate]:
    """Lines on the trends that a question asks for; none where it asks for none. What expired stays
    hidden.
    """
    where = request.where
    asked = asked_kinds(query.text)
    has_entities = not where.kinds or "entity" in where.kinds
    narrowed = any((where.sessions, where.since, where.until, where.verified)) or not has_entities
    if not asked or narrowed:
        return []
    ids = [each.entity_id for each in query.linked if each.strength >= SURE]
    wanted = [kind for kind in query.kinds if kind in asked]
    several = [ids] if ids or not wanted else request.entity_pages(2 * IN_CONTEXT, kinds=wanted)
    rows: dict[str, EntityRecord] = {}
    for some in several:
        found_rows = request.snapshot.get(request.space, EntityRecord, some)
        rows |= {
            key: row
            for key, row in found_rows.items()
            if row.kind in asked and not row.is_hidden_at(request.now) and where.allows_row(row)
        }
        if rows or not where.is_narrow:
            break
    view = View(snapshot=request.snapshot, space=request.space, now=request.now)
    found = read_trends(view, list(rows), request.kinds, where=where) if rows else []
    told = [each for each in found if each.count > 1 or each.kind == "decision"][:IN_CONTEXT]
    return [_candidate(request, each, rows[each.entity_id]) for each in told]


def _candidate(request: RecallRequest, trend: Trend, row: EntityRecord) -> Candidate:
    space, mark, projects = request.space, request.mark, request.where.projects
    project = row.source.project
    label = row_words.label(project, projects)
    said = frozenset({f"trend {trend.entity_id} {trend.what} {trend.unit} {trend.rhythm}"})
    return Candidate(
        id=trend.entity_id,
        kind="entity",
        space=space,
        score=1.0,
        parts={"course": 1.0},
        entry=Entry(
            shape="card",
            heading=row_words.heading(row, mark),
            text=row_words.course(trend, describe_trend(trend)),
            label=label,
            labelled=row_words.heading(row, mark, label) if label else "",
            group=f"{space} {row.id}",
        ),
        at=trend.last_at,
        entity_ids=(trend.entity_id,),
        project=project,
        general=bool(projects) and not project,
        says=said,
        unless=said,
    )
