"""The kinds of a space: the built-in ones and those that its host registered."""

from __future__ import annotations

from collections.abc import Mapping

from factbook.model.kinds import BUILT_IN
from factbook.model.record import EntityType
from factbook.ports.snapshot import Snapshot


def read_kinds(snapshot: Snapshot, space: str) -> Mapping[str, EntityType]:
    """Kinds by id; a registered one stands in for the built-in of its id."""
    return {kind.id: kind for kind in (*BUILT_IN, *snapshot.every(space, EntityType))}
