"""Canonical ids of entities, as pure functions of the rows that join them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from factbook.errors import StoreError
from factbook.model.record import SameAs


def canonical_map(rows: Iterable[SameAs]) -> dict[str, str]:
    """Returns the root of each id that has a row going out; every other id is its own.

    Raises:
        StoreError: an id has two rows going out, or rows go round in a circle.
    """
    parents: dict[str, str] = {}
    for row in rows:
        if row.entity_id in parents:
            raise StoreError("an entity can be the same as one other only; unmerge it first")
        parents[row.entity_id] = row.canonical_id
    return {start: _root(start, parents) for start in parents}


def _root(start: str, parents: Mapping[str, str]) -> str:
    at, seen = start, {start}
    while at in parents:
        at = parents[at]
        if at in seen:
            raise StoreError("these entities would be the same as each other in a circle")
        seen.add(at)
    return at


def members_map(canonical: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Returns all ids of each root that has any besides itself: the root first, then by id."""
    groups: dict[str, list[str]] = {}
    for entity_id, root in canonical.items():
        groups.setdefault(root, []).append(entity_id)
    return {root: (root, *sorted(ids)) for root, ids in groups.items()}
