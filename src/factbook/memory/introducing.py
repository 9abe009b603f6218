"""What a context says unasked: preferences and pain points, and the cards of the most important and recent entities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from factbook.memory.phrasing import Candidate, Phrasing
from factbook.memory.rows import in_projects, is_hidden, read_rows
from factbook.memory.searching import Searching, was_known
from factbook.model.line import LineFilter, LineKind
from factbook.model.record import EntityRecord, EntityType
from factbook.ports.store import Reader
from factbook.render.lines import ALWAYS

ALWAYS_A_KIND = 5
"""Preferences, and pain points, that every context begins with."""
CARDS = 30
"""Entities that are looked at for a context without a question."""
PARTS_OF_CARD = 6
"""Facts, and relations, of one entity: the latest."""


def always(
    reader: Reader, space: str, mark: str, where: LineFilter, kinds: Mapping[str, EntityType], now: datetime
) -> list[Candidate]:
    """The most important preferences and pain points of a space."""
    out: list[Candidate] = []
    for kind in ALWAYS:
        ids = reader.entity_ids(space, kinds=[kind], limit=10 * ALWAYS_A_KIND)
        shown = [
            row
            for row in present(reader, space, ids, where, now)
            if row.importance >= where.min_importance and was_known(row, where.as_of)
        ]
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
    shown = [row for row in present(reader, space, ids, where, now) if row.kind not in ALWAYS]
    members = reader.members(space, [row.id for row in shown])
    home = {member: key for key, group in members.items() for member in group}
    known = latest(reader, space, list(home), where)
    rows = read_rows(reader, space, {**known, "entity": [row.id for row in shown]}, kinds, where, now)
    phrasing = Phrasing(space, rows, mark=mark, now=now, former=where.superseded)
    parts: dict[str, list[Callable[[float, Mapping[str, float]], Candidate | None]]] = {}
    for fact in rows.facts.values():
        parts.setdefault(home.get(fact.entity_id, ""), []).append(partial(phrasing.fact, fact))
    for link in rows.relations.values():
        parts.setdefault(home.get(link.from_id, ""), []).append(partial(phrasing.relation, link))
    out: list[Candidate] = []
    for place, owner in enumerate(shown):
        made_of = {"importance": 0.5 * owner.importance, "recency": 0.5 * (1.0 - place / len(shown))}
        score = sum(made_of.values())
        if owner.description and was_known(owner, where.as_of):
            out.append(phrasing.entity(owner, score, made_of))
        put = (part(score, made_of) for part in parts.get(owner.id, ()))
        out.extend(candidate for candidate in put if candidate is not None)
    return out


def latest(reader: Reader, space: str, ids: Sequence[str], where: LineFilter) -> dict[LineKind, list[str]]:
    """Ids of the latest facts and relations about each of these, by kind."""
    searching = Searching(reader=reader, space=space, where=where)
    out: dict[LineKind, list[str]] = {}
    for kind in ("fact", "relation"):
        numbers = searching.of_entities(ids, (kind,), limit=PARTS_OF_CARD)
        out[kind] = [hit.id for hit in searching.held(reader.hits(space, numbers, ()))]
    return out


def present(reader: Reader, space: str, ids: Sequence[str], where: LineFilter, now: datetime) -> list[EntityRecord]:
    """These entities, but for what has expired or is of another project."""
    rows = reader.get(space, EntityRecord, ids)
    return [
        row
        for key in ids
        if (row := rows.get(key)) is not None and not is_hidden(row, now) and in_projects(row.source, where)
    ]
