"""What filters kept out of a recollection, for those who ask why a line is missing; and what they
may not be told.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime

from factbook.model.line import LineFilter, LineKind
from factbook.model.recollection import LeftOut, RecalledLine, Recollection
from factbook.model.record import SELF, EntityRecord, Fact, Note, Observation, Relation
from factbook.ports.snapshot import Snapshot
from factbook.recall.pack.compose import MOST_NEAR
from factbook.store.derive import derive_message_line

_TYPES: dict[LineKind, type[EntityRecord | Fact | Relation | Note | Observation]] = {
    "fact": Fact,
    "relation": Relation,
    "note": Note,
    "entity": EntityRecord,
    "observation": Observation,
}


def without_filters(where: LineFilter) -> LineFilter:
    """The filter of the same projects and time of the world, with all else let through."""
    return LineFilter(projects=where.projects, now=where.now, as_of=where.as_of, superseded=True)


def discreet(found: Recollection) -> Recollection:
    """The recollection of a project, whose account tells no names that only other projects know:
    `about` has those that it may.
    """
    return replace(
        found,
        asked=tuple(
            replace(
                asked,
                names=tuple(
                    name
                    if name.entity_id == SELF or name.name in found.about
                    else replace(name, name=name.said)
                    for name in asked.names
                ),
            )
            for asked in found.asked
        ),
    )


def kept_out(
    snapshot: Snapshot, found: Recollection, wide: Recollection, where: LineFilter, now: datetime
) -> tuple[RecalledLine, ...]:
    """The lines of the recollection without filters that a filter kept out of the other, with why,
    best first.
    """
    there = {(line.space, line.id) for line in (*found.lines, *found.near)}
    told: Counter[LeftOut] = Counter()
    out: list[RecalledLine] = []
    for line in sorted((*wide.lines, *wide.near), key=lambda line: -line.score):
        if line.left_out in ("floor", "silence"):
            continue
        if (line.space, line.id) not in there and (why := _why(snapshot, line, where, now)):
            told[why] += 1
            if told[why] <= MOST_NEAR:
                out.append(replace(line, left_out=why))
    return tuple(out)


def _why(snapshot: Snapshot, line: RecalledLine, where: LineFilter, now: datetime) -> LeftOut:
    """Why the filter doesn't let the line through; empty if it does."""
    if where.kinds and line.kind not in where.kinds:
        return "filter"
    if line.kind == "message":
        said = derive_message_line(snapshot.messages(line.space, [line.id])[line.id])
        return "" if where.allows_line(said) else "filter"
    row = snapshot.get(line.space, _TYPES[line.kind], [line.id])[line.id]
    if not where.allows_row(row):
        return "filter"
    if isinstance(row, Fact | Relation):
        if row.is_over_at(now) and not where.superseded:
            return "superseded"
        return "filter" if where.verified else ""  # it is disputed
    return ""
