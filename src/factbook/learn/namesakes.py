"""Later bearers of a name that was forgotten: stored, and put up for review, since it may be the
forgotten one again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from factbook.model.change import Change
from factbook.model.record import SELF, Alias, EntityRecord, Review, pair_id
from factbook.ports.snapshot import Snapshot
from factbook.text.names import fold

REASON = "one of that name was forgotten"


def namesakes(
    snapshot: Snapshot, space: str, changes: Sequence[Change], *, now: datetime
) -> list[Review]:
    """A review for each entity that gets a name by these changes whose bearer was forgotten.

    Both of its sides are that entity: of the other, nothing is left.
    """
    borne = list(_borne(changes))
    dead = snapshot.forgotten(space, {name for _, name in borne})
    ids = list(dict.fromkeys(key for key, name in borne if name in dead))
    asked = snapshot.get(space, Review, [pair_id(key, key) for key in ids])
    return [
        Review(
            id=pair_id(key, key),
            left_id=key,
            right_id=key,
            score=0.5,
            evidence=(REASON,),
            created_at=now,
        )
        for key in ids
        if pair_id(key, key) not in asked
    ]


def _borne(changes: Sequence[Change]) -> Iterator[tuple[str, str]]:
    """Ids of entities, each with a name that it gets."""
    for before, row in ((change.before, change.after) for change in changes):
        match row:
            case EntityRecord() if row.id != SELF:
                if not isinstance(before, EntityRecord) or fold(before.name) != fold(row.name):
                    yield row.id, row.name
            case Alias() if row.entity_id != SELF and before is None:
                yield row.entity_id, row.name
            case _:
                pass
