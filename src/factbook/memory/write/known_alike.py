"""An entity that is written by hand and is known already under another name: told by what belongs
to one alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from factbook.learn.gather import bearing, identities_of
from factbook.model.change import Change
from factbook.model.record import (
    SELF,
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Review,
    SameAs,
    pair_id,
)
from factbook.ports.snapshot import Snapshot
from factbook.resolve.by_hand import HandPlan
from factbook.resolve.entity_match import Side, judge_pair, side_of
from factbook.resolve.records.sorts import is_own_code
from factbook.text.host_ids import stored_form
from factbook.views.name_bearers import bearers

FEWEST = 2
"""So many attributes that two may share are looked at together; fewer only if they belong to one
alone.
"""


def with_alike(
    planned: HandPlan,
    snapshot: Snapshot,
    space: str,
    *,
    kinds: Mapping[str, EntityType],
    now: datetime,
) -> HandPlan:
    """The plan of a `put`, with what follows if the new entity's attributes are those of a known
    one: they are made one, or put up for review. Names alone decide nothing here.
    """
    rows = [change.after for change in planned.changes]
    new = next(
        (
            c.after
            for c in planned.changes
            if c.before is None and isinstance(c.after, EntityRecord)
        ),
        None,
    )
    facts = [row for row in rows if isinstance(row, Fact)]
    if new is None or new.id == SELF or not facts:
        return planned
    names = [new.name, *(row.name for row in rows if isinstance(row, Alias))]
    mine = side_of(new, names, facts, kinds.get(new.kind))
    found: list[SameAs | Review] = []
    for other in _read_alike(snapshot, space, names, facts, kinds):
        decision = judge_pair(mine, other, together=False, doubted=True)
        if decision.verdict == "merge":
            row = SameAs(
                id=new.id,
                entity_id=new.id,
                canonical_id=other.row.id,
                score=decision.score,
                evidence=decision.evidence,
                created_at=now,
            )
            found = [row]
            break
        if decision.verdict == "ask" and (
            _share_own_value(mine, other) or _by_names(mine, other) == "separate"
        ):
            found.append(
                Review(
                    id=pair_id(new.id, other.row.id),
                    left_id=other.row.id,
                    right_id=new.id,
                    score=decision.score,
                    evidence=decision.evidence,
                    created_at=now,
                )
            )
    changes = (*planned.changes, *(Change(after=row) for row in found))
    return replace(planned, changes=changes, ids=(*planned.ids, *(row.id for row in found)))


def _by_names(left: Side, right: Side) -> str:
    return judge_pair(replace(left, record={}), replace(right, record={}), together=False).verdict


def _share_own_value(left: Side, right: Side) -> bool:
    """True if both have the same value of what belongs to one alone."""
    return any(
        is_own_code(attribute) and set(values).intersection(right.record.get(attribute, ()))
        for attribute, values in left.record.items()
    )


def _read_alike(
    snapshot: Snapshot,
    space: str,
    names: list[str],
    facts: list[Fact],
    kinds: Mapping[str, EntityType],
) -> list[Side]:
    """Returns the entities that share a value which belongs to one alone; and where there is more
    to compare, those of a name that is near.
    """
    ids = {key for some in bearing(snapshot, space, facts).values() for key in some}
    if len({fact.attribute for fact in facts}) >= FEWEST:
        ids |= {key for name in names for key in bearers(snapshot, space, name)}
    homes = set(snapshot.canonical(space, ids).values()) - {SELF}
    members = snapshot.members(space, homes)
    home = {key: root for root, group in members.items() for key in group}
    known = identities_of(snapshot, space, set(home))
    said = snapshot.facts(space, home)
    return [
        side_of(
            known.entities[root],
            [row.name for key, row in known.entities.items() if home.get(key) == root]
            + [alias.name for alias in known.aliases if home.get(alias.entity_id) == root]
            + [
                stored_form(*item)
                for key, ids in known.host_ids.items()
                if home.get(key) == root
                for item in ids.items()
            ],
            [fact for fact in said if home[fact.entity_id] == root],
            kinds.get(known.entities[root].kind),
        )
        for root in sorted(members)
        if root in known.entities
    ]
