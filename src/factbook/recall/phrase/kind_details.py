"""The attributes that a kind's schema names and that only the metadata holds: a rationale, a
severity, who is affected.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from factbook.model.line import LineFilter
from factbook.model.record import EntityRecord, EntityType, Fact
from factbook.recall.find.known_rows import KnownRows
from factbook.recall.request import RecallRequest
from factbook.views.merged_entities import facts_by_home

_UNTOLD = frozenset({"category", "confidence", "campaign_id"})
"""They serve filing, and a prompt needs none of them."""


def details(
    row: EntityRecord, kind: EntityType | None, known: Collection[str] = ()
) -> dict[str, str]:
    """Returns the schema's attributes that the metadata holds, by name; without those that are
    `known` as facts.
    """
    names = kind.attributes if kind is not None else ()
    found = {
        name: row.metadata.get(name, "").strip()
        for name in names
        if name not in known and name not in _UNTOLD
    }
    if found.get("resolved") == "false":
        del found["resolved"]
    return {name: value for name, value in found.items() if value}


def figures(request: RecallRequest, rows: Iterable[EntityRecord]) -> dict[str, dict[str, Fact]]:
    """Returns the latest value of each attribute that has many, each at its time: by canonical id,
    then by attribute.
    """
    snapshot, space, kinds, where = request.snapshot, request.space, request.kinds, request.where
    wanted = {row.id: names for row in rows if (names := event_attributes(kinds.get(row.kind)))}
    if not wanted or (where.kinds and "fact" not in where.kinds):
        return {}
    names = sorted({name for some in wanted.values() for name in some})
    found = facts_by_home(snapshot, space, snapshot.members(space, wanted), kinds, names)
    out: dict[str, dict[str, Fact]] = {}
    for key, facts in found.items():
        told = [
            each
            for each in facts
            if each.attribute in wanted[key] and _is_told(each, where, request.now)
        ]
        for fact in sorted(told, key=when):
            out.setdefault(key, {})[fact.attribute] = fact
    return out


def with_figures(
    rows: KnownRows, found: Mapping[str, Mapping[str, Fact]], kinds: Mapping[str, EntityType]
) -> KnownRows:
    """Returns the rows with the latest figures in place of all others of the same attributes."""
    kept = {key: row for key, row in rows.facts.items() if not _is_figure(row, rows, kinds)}
    latest = {row.id: row for some in found.values() for row in some.values()}
    homes = {row.entity_id: home for home, some in found.items() for row in some.values()}
    return replace(rows, facts={**kept, **latest}, canonical={**rows.canonical, **homes})


def _is_figure(row: Fact, rows: KnownRows, kinds: Mapping[str, EntityType]) -> bool:
    owner = rows.entity(row.entity_id)
    return owner is not None and row.attribute in event_attributes(kinds.get(owner.kind))


def event_attributes(kind: EntityType | None) -> Sequence[str]:
    """Returns the attributes of the kind whose values each hold at a time of their own."""
    return (
        [name for name, many in kind.attributes.items() if many == "event"]
        if kind is not None
        else []
    )


def when(fact: Fact) -> datetime:
    """Returns the time of a value: in the world if that is known, else when it was said or
    recorded.
    """
    return fact.valid_at or fact.said_at


def _is_told(fact: Fact, where: LineFilter, now: datetime) -> bool:
    return fact.expired_at is None and when(fact) <= now and where.allows_row(fact)
