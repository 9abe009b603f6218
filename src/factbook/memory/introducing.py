"""What a context says unasked: preferences and pain points, and the cards of the most important and recent entities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from factbook.memory.phrasing import Candidate, Phrasing, in_projects, read_rows
from factbook.model.line import LineFilter, LineKind
from factbook.model.record import EntityRecord, EntityType, Fact, Relation
from factbook.ports.store import Reader
from factbook.render.lines import ALWAYS

ALWAYS_A_KIND = 5
"""Preferences, and pain points, that every context begins with."""
CARDS = 30
"""Entities that are looked at for a context without a question."""
PARTS_OF_CARD = 6

_R = TypeVar("_R", Fact, Relation)


def always(
    reader: Reader, space: str, mark: str, where: LineFilter, kinds: Mapping[str, EntityType], now: datetime
) -> list[Candidate]:
    """The most important preferences and pain points of a space."""
    out: list[Candidate] = []
    for kind in ALWAYS:
        ids = reader.entity_ids(space, kinds=[kind], limit=10 * ALWAYS_A_KIND)
        shown = [row for row in _shown(reader, space, ids, where, now) if row.importance >= where.min_importance]
        chosen = sorted(shown, key=lambda row: -row.importance)[:ALWAYS_A_KIND]
        rows = read_rows(reader, space, {"entity": [row.id for row in chosen]}, kinds, where, now)
        phrasing = Phrasing(space, rows, mark=mark, now=now)
        out.extend(phrasing.always(row, 1.0, {"always": 1.0}) for row in chosen)
    return out


def cards(
    reader: Reader, space: str, mark: str, where: LineFilter, kinds: Mapping[str, EntityType], now: datetime
) -> list[Candidate]:
    """The cards of a space's most important and recent entities, part by part."""
    ids = reader.entity_ids(space, limit=CARDS)
    shown = [row for row in _shown(reader, space, ids, where, now) if row.kind not in ALWAYS]
    members = reader.members(space, [row.id for row in shown])
    home = {member: key for key, group in members.items() for member in group}
    links = [row for row in reader.relations_between(space, list(home)) if row.from_id in home]
    known: dict[LineKind, list[str]] = {"entity": [row.id for row in shown], "relation": [row.id for row in links]}
    rows = read_rows(reader, space, known, kinds, where, now)
    phrasing = Phrasing(space, rows, mark=mark, now=now)
    out: list[Candidate] = []
    for place, owner in enumerate(shown):
        made_of = {"importance": 0.5 * owner.importance, "recency": 0.5 * (1.0 - place / len(shown))}
        score = sum(made_of.values())
        own: list[Candidate | None] = [phrasing.entity(owner, score, made_of)] if owner.description else []
        facts = _allowed(rows.current.get(owner.id, ()), where)
        own += [phrasing.fact(row, score, made_of) for row in facts[:PARTS_OF_CARD]]
        outgoing = _allowed([row for row in links if home[row.from_id] == owner.id], where)
        own += [phrasing.relation(row, score, made_of) for row in outgoing[:PARTS_OF_CARD]]
        out.extend(candidate for candidate in own if candidate is not None)
    return out


def _shown(reader: Reader, space: str, ids: Sequence[str], where: LineFilter, now: datetime) -> list[EntityRecord]:
    rows = reader.get(space, EntityRecord, ids)
    return [
        row
        for key in ids
        if (row := rows.get(key)) is not None
        and (row.expires_at is None or row.expires_at > now)
        and in_projects(row.source, where)
    ]


def _allowed(rows: Sequence[_R], where: LineFilter) -> list[_R]:
    """What the filter lets through, the latest first."""
    kept = [row for row in rows if in_projects(row.source, where) and row.importance >= where.min_importance]
    return kept[::-1]
