"""Trends of a space: asks the reader for what `graph.trends` lays out, for callers and for
contexts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from factbook.graph.trends import Known, describe, trends_of
from factbook.memory.bound import Bound
from factbook.memory.checks import check_text, in_utc
from factbook.memory.filtering import allows, in_projects, narrows
from factbook.memory.kinds import kinds_of
from factbook.memory.phrasing import Candidate
from factbook.memory.rows import is_hidden
from factbook.memory.searching import pages
from factbook.memory.views import View
from factbook.model.entity import Entity
from factbook.model.line import LineFilter
from factbook.model.record import EntityRecord, EntityType, Mention
from factbook.model.trend import Trend, TrendPoint
from factbook.ports.store import Reader
from factbook.recall.naming import SURE
from factbook.recall.query import Query
from factbook.render import lines
from factbook.render.block import Entry
from factbook.text.kinds import declared_kind, snake_case
from factbook.text.words import plain

KINDS = ("metric", "campaign", "pain_point", "decision")
"""Kinds whose trends are told where none is named."""
MOST = 1000
"""Entities that are looked at, the last seen first."""
IN_CONTEXT = 5
"""Trends that a context tells."""

_ASKED = re.compile(
    r"\b(?:trend\w*|develop\w*|evolv\w*|evolution|over time|over the (?:last|past)|trajectory|course of|progress\w*|"
    r"(?:gone|going|go|went) (?:up|down)|chang(?:e|ed|es|ing)|improv\w*|worse\w*|better|grow\w*|grew|growth|rising|rise|rose|"
    r"fall(?:en|ing)?|fell|drop(?:ped|ping)?|increas\w*|decreas\w*|declin\w*|recur\w*|how often|history of|keeps?|"
    r"compar\w* (?:to|with)|since last|month over month|week over week|quarter over quarter)\b"
)


class Trends(Bound):
    """What `Memory` tells of how things went."""

    def trends(
        self, name: str | None = None, *, kind: str | None = None, since: datetime | None = None
    ) -> list[Trend]:
        """How figures went, how often pain points came up, and what was decided; the latest first.

        What expired is told too (`Trend.expired`): a lifespan hides from recall and contexts, not
        from here.

        Args:
            name: only of this entity: all its figures. kind: only of this kind; without both,
                metrics, campaigns, pain points and decisions. since: only points of then or later.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: an argument of
                the wrong type.
        """
        begin = in_utc(since, "since")
        with self._engine.store.reading() as reader:
            view = self._view(reader)
            kinds = kinds_of(reader, self._space)
            if name is not None:
                ids = [view.resolve(check_text(name, "a name"))]
            else:
                wanted = KINDS if kind is None else (_kind(check_text(kind, "a kind"), kinds),)
                ids = reader.entity_ids(self._space, kinds=wanted, limit=MOST)
            found = read(view, ids, kinds, begin)
        if name is not None and kind is not None:
            found = [each for each in found if each.kind == _kind(kind, kinds)]
        return found


def _kind(name: str, kinds: Mapping[str, EntityType]) -> str:
    return declared_kind(name, kinds) or snake_case(name)


def read(
    view: View,
    ids: Sequence[str],
    kinds: Mapping[str, EntityType],
    since: datetime | None = None,
    where: LineFilter | None = None,
) -> list[Trend]:
    """The trends of these canonical ids, the latest first."""
    reader, space = view.reader, view.space
    rows = reader.get(space, EntityRecord, ids)
    members = reader.members(space, list(rows))
    out: list[Trend] = []
    for entity in view.entities([key for key in ids if key in rows]):
        row = rows[entity.id]
        schema = kinds.get(row.kind)
        known = Known(
            entity=_within(entity, where),
            kind=row.kind,
            cardinality=schema.attributes if schema is not None else {},
            periods=_periods(reader, space, entity),
            mentions=_mentions(reader, space, members[entity.id])
            if row.kind in ("pain_point", "decision")
            else (),
            expired=is_hidden(row, view.now),
        )
        out += trends_of(known, now=view.now, since=since)
    return sorted(out, key=lambda trend: trend.last_at or view.now, reverse=True)


def _within(entity: Entity, where: LineFilter | None) -> Entity:
    if where is None or not where.projects:
        return entity
    return replace(
        entity, facts=tuple(each for each in entity.facts if in_projects(each.source, where))
    )


def _periods(reader: Reader, space: str, entity: Entity) -> dict[str, str]:
    """The period that each message names for the entity's values."""
    stated = {each.fact.id: each for each in entity.facts if each.attribute == "period"}
    if not stated:
        return {}
    said = {each.source.message_id: each.value for each in stated.values()}
    for key, supports in reader.supports(space, stated).items():
        said.update({each.source.message_id: stated[key].value for each in supports})
    return {message_id: value for message_id, value in said.items() if message_id}


def _mentions(reader: Reader, space: str, members: Sequence[str]) -> list[TrendPoint]:
    """One point a message that names one of these."""
    first: dict[str, Mention] = {}
    for mention in reader.mentions(space, members):
        first.setdefault(mention.message_id, mention)
    said = reader.messages(space, first)
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


def asked_for(question: str) -> frozenset[str]:
    """Of which kinds a question wants to know how they went; none if of none."""
    folded = plain(question)
    courses = KINDS if _ASKED.search(folded) else ()
    return frozenset((*courses, "decision") if _DECIDED.search(folded) else courses)


def candidates(
    view: View, query: Query, kinds: Mapping[str, EntityType], where: LineFilter, mark: str
) -> list[Candidate]:
    """Lines on the trends that a question asks for; none where it asks for none. What expired stays
    hidden.
    """
    asked = asked_for(query.text)
    narrowed = where.sessions or where.since or where.until or where.verified
    narrowed = narrowed or (where.kinds and "entity" not in where.kinds)
    if not asked or narrowed:
        return []
    ids = [each.entity_id for each in query.linked if each.strength >= SURE]
    wanted = [kind for kind in query.kinds if kind in asked]
    several = (
        [ids] if ids or not wanted else pages(view.reader, view.space, 2 * IN_CONTEXT, kinds=wanted)
    )
    rows: dict[str, EntityRecord] = {}
    for some in several:
        found_rows = view.reader.get(view.space, EntityRecord, some)
        rows |= {
            key: row
            for key, row in found_rows.items()
            if row.kind in asked and not is_hidden(row, view.now) and allows(row, where)
        }
        if rows or not narrows(where):
            break
    found = read(view, list(rows), kinds, where=where) if rows else []
    told = [each for each in found if each.count > 1 or each.kind == "decision"][:IN_CONTEXT]
    return [_candidate(each, rows[each.entity_id], view.space, mark, where) for each in told]


def _candidate(
    trend: Trend, row: EntityRecord, space: str, mark: str, where: LineFilter
) -> Candidate:
    project = row.source.project
    label = lines.label(project, where.projects)
    said = frozenset({f"trend {trend.entity_id} {trend.what} {trend.unit} {trend.rhythm}"})
    return Candidate(
        id=trend.entity_id,
        kind="entity",
        space=space,
        score=1.0,
        parts={"course": 1.0},
        entry=Entry(
            shape="card",
            heading=lines.heading(row, mark),
            text=lines.course(trend, describe(trend)),
            label=label,
            labelled=lines.heading(row, mark, label) if label else "",
            group=f"{space} {row.id}",
        ),
        at=trend.last_at,
        entity_ids=(trend.entity_id,),
        project=project,
        general=bool(where.projects) and not project,
        says=said,
        unless=said,
    )
