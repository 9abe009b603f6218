"""Preferences and pain points: observations with a name, which are put, listed and linked like
entities.

The record and its log hold the observation. Beside it a store keeps an `EntityRecord` with the same
id, derived from it as lines are, so that whatever reads entities reads it too; and whoever plans
changes plans that entity's, which become the observation's before they are committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from factbook.model.change import Change, Stamp
from factbook.model.record import EntityRecord, Observation, ObservationSort, Record
from factbook.model.source import Source

SORT_OF_KIND: Mapping[str, ObservationSort] = {
    "preference": "preference",
    "pain_point": "complaint",
}
"""The kinds whose entities are observations, with the sort that each is."""
_KIND_OF_SORT = {sort: kind for kind, sort in SORT_OF_KIND.items()}


CONVERT = "convert"
"""The verb of the commit that makes observations of what earlier versions kept as entities."""


def read_as_entity(row: Observation) -> EntityRecord:
    """Returns the entity that a named observation is read as."""
    return EntityRecord(
        id=row.id,
        name=row.name,
        kind=_KIND_OF_SORT.get(row.sort, "preference"),
        label=row.label,
        description=row.description,
        importance=row.importance,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at or row.created_at,
        expires_at=row.expires_at,
        metadata=row.metadata,
        source=row.source,
    )


def observation_of(
    row: EntityRecord, before: Observation | None = None, about: tuple[str, ...] = ()
) -> Observation:
    """Returns the observation that an entity is; `before` as it was, `about` whose a new one is.

    The words of one by hand are its description, or else its name; those that were said stay.
    """
    words = row.description or row.name
    old = before or Observation(
        id=row.id,
        text=words,
        entity_ids=about,
        sort=SORT_OF_KIND[row.kind],
        created_at=row.created_at,
    )
    return replace(
        old,
        text=words if old.text in (old.description, old.name) else old.text,
        name=row.name,
        label=row.label,
        description=row.description,
        importance=row.importance,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
        expires_at=row.expires_at,
        metadata=row.metadata,
        source=row.source,
    )


def without_words(row: Observation, source: Source) -> Observation:
    """Returns a named observation that keeps its name alone of what was said, from this source."""
    return replace(row, text=row.name, description="", source=source)


def beside(row: Record | None) -> EntityRecord | None:
    """Returns the entity that a store keeps beside a row: that of a named observation."""
    return read_as_entity(row) if isinstance(row, Observation) and row.name else None


def as_entities(changes: Iterable[Change]) -> list[Change]:
    """Returns the changes with every named observation as the entity that it is read as."""
    return [
        Change(
            before=beside(change.before) or change.before,
            after=beside(change.after) or change.after,
        )
        for change in changes
    ]


def converted(rows: Iterable[EntityRecord], people: Mapping[str, str], user: str) -> list[Change]:
    """Returns the changes that make observations of the entities of these kinds, under their ids.

    Args:
        people: ids of persons by their names. user: the id of the space's own user.
    """
    changes: list[Change] = []
    for row in rows:
        if row.kind in SORT_OF_KIND:
            about = (people.get(row.source.speaker, user),)
            changes.append(Change(before=row))
            changes.append(Change(after=observation_of(row, about=about)))
    return changes


def stamp_conversion(at: datetime) -> Stamp:
    """Returns the stamp of a conversion, with the time of the commit before it: nothing was said
    since.
    """
    return Stamp(at=at, verb=CONVERT, reason="preferences and pain points are observations")
