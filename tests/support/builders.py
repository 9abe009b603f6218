"""Small values with sensible defaults: `fact("ada", "employer", "Acme")`. Ids and times come from
counters.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from factbook.model.change import Change, Stamp
from factbook.model.episode import NewEpisode, NewMessage
from factbook.model.record import (
    Alias,
    EntityRecord,
    Fact,
    Mention,
    Note,
    NotSame,
    Observation,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.model.source import Source
from factbook.ports.store import Store

START = datetime(2024, 5, 6, 9, 0, tzinfo=UTC)
"""A Monday morning, from which `at` counts."""


def at(minutes: float = 0, *, days: float = 0) -> datetime:
    """A moment so long after `START`."""
    return START + timedelta(minutes=minutes, days=days)


def id_maker(prefix: str = "id") -> Callable[[], str]:
    """Gives `id-0001`, `id-0002`, …: unique, and in the order of making."""
    numbers = itertools.count(1)
    return lambda: f"{prefix}-{next(numbers):04d}"


_new_id = id_maker()


def new_id() -> str:
    """An id that no other builder gave in this process."""
    return _new_id()


def message(text: str, **rest: Any) -> NewMessage:
    """A message on its way into the store; its key is its id unless given."""
    message_id = rest.pop("id", None) or new_id()
    return NewMessage(**{"id": message_id, "key": message_id, "at": START, "text": text, **rest})


def episode(*messages: NewMessage | str, **rest: Any) -> NewEpisode:
    """An episode on its way into the store; texts become messages a minute apart."""
    told = tuple(
        message(each, at=at(number)) if isinstance(each, str) else each
        for number, each in enumerate(messages)
    )
    return NewEpisode(**{"id": new_id(), "created_at": START, "messages": told, **rest})


def source(**rest: Any) -> Source:
    return Source(**{"said_at": START, **rest})


def entity(entity_id: str, name: str = "", **rest: Any) -> EntityRecord:
    """An entity; its name is its id with a capital unless given."""
    default = {"id": entity_id, "name": name or entity_id.title(), "kind": "person"}
    return EntityRecord(**{**default, "created_at": START, "updated_at": START, **rest})


def alias(entity_id: str, name: str, **rest: Any) -> Alias:
    return Alias(
        **{"id": new_id(), "entity_id": entity_id, "name": name, "created_at": START, **rest}
    )


def mention(
    entity_id: str, said: NewMessage, text: str, episode_id: str = "", **rest: Any
) -> Mention:
    """A mention of the text where it first stands in the message."""
    start = said.text.index(text)
    default = {
        "id": new_id(),
        "entity_id": entity_id,
        "episode_id": episode_id,
        "message_id": said.id,
        "at": said.at,
    }
    return Mention(**{**default, "start": start, "end": start + len(text), "text": text, **rest})


def fact(entity_id: str, attribute: str, value: str, **rest: Any) -> Fact:
    default = {
        "id": new_id(),
        "entity_id": entity_id,
        "attribute": attribute,
        "value": value,
        "created_at": START,
    }
    return Fact(**{**default, **rest})


def relation(from_id: str, label: str, to_id: str, **rest: Any) -> Relation:
    default = {
        "id": new_id(),
        "from_id": from_id,
        "label": label,
        "to_id": to_id,
        "created_at": START,
    }
    return Relation(**{**default, **rest})


def support(record_id: str, **rest: Any) -> Support:
    return Support(**{"id": new_id(), "record_id": record_id, "created_at": START, **rest})


def note(text: str, *entity_ids: str, **rest: Any) -> Note:
    return Note(
        **{"id": new_id(), "text": text, "entity_ids": entity_ids, "created_at": START, **rest}
    )


def observation(text: str, *entity_ids: str, **rest: Any) -> Observation:
    return Observation(
        **{"id": new_id(), "text": text, "entity_ids": entity_ids, "created_at": START, **rest}
    )


def same_as(entity_id: str, canonical_id: str, **rest: Any) -> SameAs:
    default = {
        "id": new_id(),
        "entity_id": entity_id,
        "canonical_id": canonical_id,
        "created_at": START,
    }
    return SameAs(**{**default, **rest})


def not_same(left_id: str, right_id: str, **rest: Any) -> NotSame:
    return NotSame(
        **{"id": new_id(), "left_id": left_id, "right_id": right_id, "created_at": START, **rest}
    )


def review(left_id: str, right_id: str, **rest: Any) -> Review:
    default = {
        "id": new_id(),
        "left_id": left_id,
        "right_id": right_id,
        "score": 0.5,
        "created_at": START,
    }
    return Review(**{**default, **rest})


def put(*rows: Record) -> list[Change]:
    """Changes that put these rows in."""
    return [Change(after=row) for row in rows]


def stamp(**rest: Any) -> Stamp:
    return Stamp(**{"at": START, **rest})


def commit(store: Store, space: str, *rows: Record | Change, **rest: Any) -> int:
    """Commits rows (put in) and changes at the space's present version, and returns the new one."""
    with store.snapshot() as snapshot:
        version = snapshot.version(space)
    changes = [row if isinstance(row, Change) else Change(after=row) for row in rows]
    said = rest.pop("stamp", None) or stamp()
    return store.commit(
        space, **{"expected_version": version, "changes": changes, "stamp": said, **rest}
    )
