"""Changes in words, as a history tells them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from factbook.model.change import Change
from factbook.model.named_observation import as_entities
from factbook.model.record import (
    Alias,
    EntityRecord,
    EntityType,
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
from factbook.model.source import NEVER
from factbook.text.host_ids import is_host_id, split_stored


def describe_change(change: Change, names: Mapping[str, str]) -> str:
    """A change in a few words; empty for one that a reader of the history does not look for
    (mentions, supports).
    """
    (change,) = as_entities([change])
    row = change.after or change.before
    words = _words_of(row, names) if row is not None else ""
    if not words or _is_counted(change):
        return ""
    if renamed := _describe_renaming(change):
        return renamed
    if change.before is None:
        return f"+ {_describe_denial(change.after)}{words}"
    if change.after is None:
        return f"− {words}"
    return f"~ {words}{_describe_end(change)}"


def _describe_renaming(change: Change) -> str:
    before, after = change.before, change.after
    if (
        not (isinstance(before, EntityRecord) and isinstance(after, EntityRecord))
        or before.name == after.name
    ):
        return ""
    return f"~ {before.name} is called {after.name} ({after.kind})"


def _is_counted(change: Change) -> bool:
    """Whether an upsert only counted the entity's version on: what it brought stands beside it."""
    before, after = change.before, change.after
    if not (isinstance(before, EntityRecord) and isinstance(after, EntityRecord)):
        return False
    return after == replace(
        before, version=after.version, updated_at=after.updated_at, expires_at=after.expires_at
    )


def _describe_denial(row: Record | None) -> str:
    """Tells of a denied row's value."""
    if not isinstance(row, Fact | Relation) or not row.is_retraction:
        return ""
    return "never was: " if row.invalid_at == NEVER else "no longer: "


def _describe_end(change: Change) -> str:
    before, after = change.before, change.after
    if isinstance(before, Fact | Relation) and isinstance(after, Fact | Relation):
        if after.expired_at is not None and before.expired_at is None:
            return ", retracted"
        if after.invalid_at is not None and after.invalid_at != before.invalid_at:
            return f", until {after.invalid_at:%Y-%m-%d}"
    return ""


def _name_of(names: Mapping[str, str], key: str) -> str:
    return names.get(key, key)


def _words_of(row: Record, names: Mapping[str, str]) -> str:  # noqa: C901 - a branch a sort of row
    match row:
        case EntityRecord():
            return f"{row.name} ({row.kind})"
        case Alias():
            if is_host_id(row.name):
                return f"{_name_of(names, row.entity_id)}: id {':'.join(split_stored(row.name))}"
            return f"{_name_of(names, row.entity_id)}, also {row.name}"
        case Fact():
            return f"{_name_of(names, row.entity_id)}: {row.attribute} = {row.value}"
        case Relation():
            return f"{_name_of(names, row.from_id)} {row.label} {_name_of(names, row.to_id)}"
        case Note():
            return f"note ({row.category}): {row.text}"
        case Observation():
            about = _name_of(names, row.entity_ids[0]) if row.entity_ids else row.sort
            return f"{about}: “{row.text}”"
        case SameAs():
            return (
                f"{_name_of(names, row.entity_id)} is the same as "
                f"{_name_of(names, row.canonical_id)}"
            )
        case NotSame():
            return f"{_name_of(names, row.left_id)} is not {_name_of(names, row.right_id)}"
        case Review():
            return (
                f"{_name_of(names, row.left_id)} / {_name_of(names, row.right_id)}: review "
                f"{row.state}"
            )
        case EntityType():
            return f"kind {row.id}"
        case Mention() | Support():
            return ""
