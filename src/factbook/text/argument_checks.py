"""What callers hand in, looked at before it is written: a row that can't be read back would shut
its space for good.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from factbook.errors import ConfigError, InputError
from factbook.model.change import Change
from factbook.model.codec import pack_record, unpack_record
from factbook.model.entity import Entity
from factbook.model.record import Record
from factbook.model.values import told
from factbook.text.host_ids import is_host_id
from factbook.text.names import fold


def check_place(value: object) -> None:
    """Raises ConfigError for what is neither a path nor a URL."""
    if value is not None and not isinstance(value, str | Path):
        raise ConfigError(
            f"a memory's place is a path or a URL, not of type {type(value).__name__}"
        )


def check_text(value: object, what: str) -> str:
    """Returns the text itself.

    Raises:
        InputError: it is none, or has no form in UTF-8.
    """
    if not isinstance(value, str):
        raise InputError(f"{what} is a text, not of type {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what} holds half a surrogate pair, which has no UTF-8 form") from None
    return value


def check_texts(values: object, what: str) -> Sequence[str]:
    """Returns the list of texts itself; one text alone is refused, as no list."""
    if not isinstance(values, list | tuple):
        raise InputError(f"{what} are a list of texts, not of type {type(values).__name__}")
    return [check_text(value, f"each of {what}") for value in cast(Sequence[object], values)]


def check_share(value: object, what: str) -> float:
    """Returns the number itself, if it is 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InputError(f"{what} is 0 to 1, not {str(value)[:40]}")
    return value


def check_span(value: object, what: str) -> timedelta | None:
    """Returns the length of time itself, if it is one above 0, or None."""
    if value is None:
        return None
    if not isinstance(value, timedelta) or value <= timedelta(0):
        raise ConfigError(f"{what} is a timedelta above 0, or None, not {str(value)[:40]}")
    return value


def in_utc(at: object, what: str) -> datetime | None:
    """Returns the time in UTC; one without a zone is read as UTC.

    Raises:
        InputError: it is no datetime, or not of the years 1 to 9999 in UTC.
    """
    if at is None:
        return None
    if not isinstance(at, datetime):
        raise InputError(f"{what} is a datetime, not of type {type(at).__name__}")
    try:
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except OverflowError:
        raise InputError(f"{what} lies outside the years 1 to 9999 in UTC") from None


def check_table(values: object, what: str) -> None:
    """Refuses what is not texts by name."""
    if not isinstance(values, Mapping):
        raise InputError(f"{what} are texts by name, not of type {type(values).__name__}")
    for name, value in cast(Mapping[object, object], values).items():
        check_text(value, f"{check_text(name, f'a name in {what}')!r} of {what}")


_NAMESPACE = re.compile(r"[^\W\d][\w.-]*")


def check_entity(entity: Entity) -> None:
    """Refuses an entity of which a part is of another type than it says.

    Raises:
        InputError: says which part.
    """
    if not fold(check_text(entity.name, "an entity's name")):
        raise InputError("an entity needs a name")
    check_text(entity.entity_type, "an entity's type")
    check_text(entity.description, "a description")
    check_texts(entity.aliases, "aliases")
    check_table(entity.ids, "ids")
    for namespace, value in entity.ids.items():
        if not _NAMESPACE.fullmatch(namespace) or not value.strip() or not value.isprintable():
            raise InputError(
                f"an id is a text under a namespace of letters, such as crm, not {namespace!r}: "
                f"{value!r}"
            )
    if any(is_host_id(name) for name in (entity.name, *entity.aliases)):
        raise InputError("a name begins with a letter or sign that can be seen")
    check_share(entity.importance, "importance")
    check_table(entity.metadata, "metadata")
    check_table(entity.attributes, "attributes")


_CONTENT = ("description", "content")
_IMPORTANCE = Entity("").importance


def as_entity(given: Entity | Mapping[str, Any]) -> Entity:
    """Returns what is given as an entity, with typed values (numbers, lists, truth values, tables)
    as texts.

    A mapping is a record as document 002 has it: `type`, `name`, `content`, `importance` and a
    nested `metadata`, whose values are its attributes; or one under the names of `Entity`. Whose it
    is, its times and its version are not read: the space, the clock and the store say them.

    Raises:
        InputError: a part is missing, or of another type than it may be.
    """
    if not isinstance(cast(object, given), Mapping | Entity):
        raise InputError(
            f"an entity is an Entity or a mapping with its name, not of type {type(given).__name__}"
        )
    entity = _of_record(given) if isinstance(given, Mapping) else given
    for name in ("attributes", "metadata"):
        table: object = getattr(entity, name)
        if isinstance(table, Mapping):
            typed: dict[str, Any] = {name: told(cast(Mapping[str, object], table))}
            entity = replace(entity, **typed)
    check_entity(entity)
    return entity


def _of_record(given: Mapping[str, Any]) -> Entity:
    def part(names: Sequence[str], default: Any) -> Any:
        return next((given[name] for name in names if given.get(name) is not None), default)

    attributes: dict[str, Any] = {}
    for name in ("metadata", "attributes"):
        if not isinstance(table := part((name,), {}), Mapping):
            raise InputError(f"{name} of an entity is a table, not of type {type(table).__name__}")
        attributes.update(cast(Mapping[str, Any], table))
    return Entity(
        part(("name",), ""),
        part(("entity_type", "type", "kind"), "other"),
        attributes,
        aliases=part(("aliases",), []),
        description=part(_CONTENT, ""),
        importance=part(("importance",), _IMPORTANCE),
    )


def check_rows(changes: Sequence[Change]) -> None:
    """Refuses changes with a row that would be read back as another, or not at all.

    Raises:
        InputError: says which sort of row.
    """
    for change in changes:
        if change.after is not None and not _comes_back(change.after):
            raise InputError(
                f"a value of this {type(change.after).__name__} is of a type that can't be stored"
            )


def _comes_back(row: Record) -> bool:
    try:
        return unpack_record(pack_record(row)) == row
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
