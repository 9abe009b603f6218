"""What a context says unasked: preferences and pain points, and the cards of the most important and recent entities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from factbook.memory.filtering import allows, described, narrows, was_known
from factbook.memory.phrasing import Candidate, Phrasing
from factbook.memory.rows import is_hidden, read_rows
from factbook.memory.searching import Searching, pages
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
    """The most important preferences and pain points of a space that the filter lets through."""
    if where.kinds and "entity" not in where.kinds:
        return []
    out: list[Candidate] = []
    for kind in ALWAYS:
        shown: list[EntityRecord] = []
        for ids in pages(reader, space, 10 * ALWAYS_A_KIND, kinds=[kind]):
            rows = shown_rows(reader, space, ids, now)
            shown += [row for row in rows if allows(row, where) and was_known(row, where.as_of)]
            if len(shown) >= ALWAYS_A_KIND:
                break
        chosen = sorted(shown, key=lambda row: -row.importance)[:ALWAYS_A_KIND]
        read = read_rows(reader, space, {"entity": [row.id for row in chosen]}, kinds, where, now)
        phrasing = Phrasing(space, read, mark=mark, now=now, where=where)
        out.extend(phrasing.always(row, 1.0, {"always": 1.0}) for row in chosen)
    return out


def cards(
    reader: Reader, space: str, mark: str, where: LineFilter, kinds: Mapping[str, EntityType], now: datetime
) -> list[Candidate]:
    """The cards of a space's most important and recent entities, part by part."""
    out: list[Candidate] = []
    for number, ids in enumerate(pages(reader, space, CARDS)):
        shown = [row for row in shown_rows(reader, space, ids, now) if row.kind not in ALWAYS]
        out += _cards(reader, space, mark, where, kinds, now, shown, newness=0.5**number)
        if not narrows(where) or len({each.entry.group for each in out}) >= CARDS:
            break
    return out


def _cards(
    reader: Reader,
    space: str,
    mark: str,
    where: LineFilter,
    kinds: Mapping[str, EntityType],
    now: datetime,
    shown: Sequence[EntityRecord],
    *,
    newness: float,
) -> list[Candidate]:
    members = reader.members(space, [row.id for row in shown])
    home = {member: key for key, group in members.items() for member in group}
    known = latest(reader, space, list(home), where, kinds)
    rows = read_rows(reader, space, {**known, "entity": [row.id for row in shown]}, kinds, where, now)
    phrasing = Phrasing(space, rows, mark=mark, now=now, where=where)
    parts: dict[str, list[Callable[[float, Mapping[str, float]], Candidate | None]]] = {}
    for fact in rows.facts.values():
        parts.setdefault(home.get(fact.entity_id, ""), []).append(partial(phrasing.fact, fact))
    for link in rows.relations.values():
        parts.setdefault(home.get(link.from_id, ""), []).append(partial(phrasing.relation, link))
    out: list[Candidate] = []
    for place, owner in enumerate(shown):
        made_of = {"importance": 0.5 * owner.importance, "recency": 0.5 * newness * (1.0 - place / len(shown))}
        score = sum(made_of.values())
        if owner.description and described(owner, where):
            out.append(phrasing.entity(owner, score, made_of))
        put = (part(score, made_of) for part in parts.get(owner.id, ()))
        out.extend(candidate for candidate in put if candidate is not None)
    return out


def latest(
    reader: Reader, space: str, ids: Sequence[str], where: LineFilter, kinds: Mapping[str, EntityType]
) -> dict[LineKind, list[str]]:
    """Ids of the latest facts and relations about each of these that the filter lets through, by kind."""
    searching = Searching(reader=reader, space=space, where=where, kinds=kinds)
    out: dict[LineKind, list[str]] = {}
    for kind in ("fact", "relation"):
        numbers = searching.of_entities(ids, (kind,), limit=PARTS_OF_CARD)
        out[kind] = [hit.id for hit in searching.held(reader.hits(space, numbers, ()))]
    return out


def shown_rows(reader: Reader, space: str, ids: Sequence[str], now: datetime) -> list[EntityRecord]:
    """These entities, but for what has expired."""
    rows = reader.get(space, EntityRecord, ids)
    return [row for key in ids if (row := rows.get(key)) is not None and not is_hidden(row, now)]
