"""The plan of a write by hand, and what every such plan is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict

from factbook.model.change import Change
from factbook.model.record import (
    EntityRecord,
    EntityType,
)
from factbook.resolve.change_sheet import ChangeSheet


class Given(TypedDict):
    """The input of every plan by hand: kinds by id, when it is recorded, and a maker of ids."""

    kinds: Mapping[str, EntityType]
    now: datetime
    new_id: Callable[[], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class HandPlan:
    """The changes of a write by hand.

    Attributes:
        changes: in the order in which to apply them; none where it says nothing new.
        entity_ids: the entities that it touches, canonical.
        ids: the rows that it makes or changes, apart from entities.
    """

    changes: tuple[Change, ...] = ()
    entity_ids: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


def hand_plan(sheet: ChangeSheet, entity_ids: tuple[str, ...]) -> HandPlan:
    """Returns the sheet's changes as a plan."""
    changes = sheet.list_changes()
    rows = [change.after or change.before for change in changes]
    ids = tuple(row.id for row in rows if row is not None and not isinstance(row, EntityRecord))
    return HandPlan(changes=changes, entity_ids=tuple(dict.fromkeys(entity_ids)), ids=ids)


def count_version(sheet: ChangeSheet, row: EntityRecord | None, now: datetime) -> None:
    """Counts the entity's version on, where the sheet changes anything (see docs/kinds.md for what
    is a version).
    """
    if row is not None and sheet.list_changes():
        sheet.put_row(replace(row, version=row.version + 1, updated_at=now), before=row)
