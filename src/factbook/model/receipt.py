"""Receipts and events: what a write did, said at once and to whoever listens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    """What a write did. `Memory.undo` takes it.

    Attributes:
        space: where.
        verb: what was done (`remember`, `put`, `relate`, `note`, `merge`, …).
        versions: the commits it made, in order; empty for `remember`, whose learning comes later.
        episode_ids: the episodes it stored; their ids are their jobs' too.
        stored, duplicates: messages kept, and messages that were there already.
        masked: secrets masked before storing, by sort. skipped: messages not remembered, by reason.
        entity_ids: the entities it touched, canonical.
        ids: the rows it made (facts, relations, notes, same_as …).
    """

    space: str
    verb: str
    versions: tuple[int, ...] = ()
    episode_ids: tuple[str, ...] = ()
    stored: int = 0
    duplicates: int = 0
    masked: Mapping[str, int] = field(default_factory=dict[str, int])
    skipped: Mapping[str, int] = field(default_factory=dict[str, int])
    entity_ids: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Learned:
    """What one episode's extraction came to; counts of new rows."""

    space: str
    episode_id: str
    version: int | None = None
    entities: int = 0
    facts: int = 0
    relations: int = 0
    mentions: int = 0
    reviews: int = 0
    conflicts: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, kw_only=True, slots=True)
class Erased:
    """The receipt of forgetting: what is gone, by sort, and what lies elsewhere still."""

    space: str
    what: str
    dry_run: bool = False
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    pending: tuple[str, ...] = ()


EventName = Literal[
    "remembered", "extracted", "learned", "merged", "conflict", "recalled", "forgotten", "failed", "undone"
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """Something a user may watch. `data` holds ids, names of kinds and counts, never what was said."""

    name: EventName
    space: str
    at: datetime
    data: Mapping[str, object] = field(default_factory=dict[str, object])
