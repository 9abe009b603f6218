"""The serialised form of `EntityMemory`, ours and selectools' own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

from factbook.errors import InputError
from factbook.facades.entity_memory.registry import Registry, Row
from factbook.model.entity import Entity
from factbook.model.values import told
from factbook.text.argument_checks import check_entity, check_text, in_utc
from factbook.text.names import fold

FORMAT_VERSION = 1


def pack_tracked(registry: Registry, **settings: Any) -> dict[str, Any]:
    """Everything as values that JSON knows; entities in the order of use, the least recent
    first.
    """
    return {
        "format": "factbook.entity_memory",
        "version": FORMAT_VERSION,
        **settings,
        "entities": [_pack_row(row) for row in registry.rows.values()],
    }


def _pack_row(row: Row) -> dict[str, Any]:
    packed: dict[str, Any] = {
        "name": row.name,
        "entity_type": row.entity_type,
        "attributes": dict(row.attributes),
        "mentions": row.mentions,
        "first_seen": row.first_seen.isoformat(),
        "last_seen": row.last_seen.isoformat(),
        "aliases": list(row.aliases),
        "turn": row.turn,
    }
    if row.importance != Entity("").importance:
        packed["importance"] = row.importance
    more = {"id": row.id, "description": row.description, "metadata": dict(row.metadata)}
    return packed | {key: value for key, value in more.items() if value}


def unpack_tracked(data: object, now: datetime) -> Registry:
    """Reads the result of packing, or of selectools' `to_dict` (times as seconds, `mention_count`,
    `last_mentioned`).

    Raises:
        InputError: it is neither (says where), or was written by a newer factbook.
    """
    given = _read_table(data, "a saved entity memory")
    version = given.get("version", FORMAT_VERSION)
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise InputError(
            "this entity memory was saved by a newer factbook; upgrade with: pip install -U "
            "factbook"
        )
    registry = Registry()
    for number, each in enumerate(_list_entities(given.get("entities", [])), 1):
        registry.bring_row(_unpack_row(each, number, now))
    if "version" not in given:
        registry.order_by_time()
    return registry


def _list_entities(entities: object) -> Iterable[object]:
    if isinstance(entities, Mapping):
        return list(cast(Mapping[str, object], entities).values())
    if isinstance(entities, list | tuple):
        return cast(list[object], entities)
    raise InputError("the entities of a saved entity memory are a list")


def _unpack_row(one: object, number: int, now: datetime) -> Row:
    where = f"entity {number} of a saved entity memory"
    given = _read_table(one, where)
    entity = saved_entity(given, where)
    last = _read_time(given.get("last_seen", given.get("last_mentioned")), where) or now
    first = _read_time(given.get("first_seen", given.get("first_mentioned")), where) or last
    return Row.of_entity(
        entity,
        mentions=max(1, _read_whole(given.get("mentions", given.get("mention_count", 1)), where)),
        first_seen=first,
        last_seen=last,
        turn=_read_whole(given.get("turn", number), where),
    )


def _read_table(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(
            f"{where} is a table of names and values, not of type {type(value).__name__}"
        )
    return cast(Mapping[str, Any], value)


def _read_whole(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"a count in {where} is a whole number from 0 on")
    return value


def _read_time(value: object, where: str) -> datetime | None:
    if value is None or value == 0:
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        return in_utc(datetime.fromisoformat(cast(str, value)), "a time")
    except (ValueError, OverflowError, OSError, TypeError):
        raise InputError(f"a time in {where} is neither seconds nor in ISO form") from None


def saved_entity(given: object, where: str = "an entity") -> Entity:
    """An `Entity` of ours: the one that is given, or one made of anything with the same fields.

    Values that are numbers, truth values, lists or tables become texts.

    Raises:
        InputError: a part is missing or of another type than `Entity` says.
    """

    if isinstance(given, Entity) and _is_plain(given):
        return given
    table = _as_table(given)
    if table is None and not hasattr(given, "name"):
        raise InputError(f"{where} is an Entity, not of type {type(given).__name__}")

    def part(name: str, default: Any) -> Any:
        found = getattr(given, name, None) if table is None else table.get(name)
        return default if found is None else found

    entity = Entity(
        part("name", ""),
        part("entity_type", "other"),
        _read_texts(part("attributes", {})),
        aliases=part("aliases", []),
        id=part("id", ""),
        description=part("description", ""),
        importance=part("importance", Entity("").importance),
        metadata=_read_texts(part("metadata", {})),
    )
    try:
        check_entity(entity)
        check_text(entity.id, "an entity's id")
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return replace(
        entity,
        mentions=_read_whole(part("mentions", 0), where),
        first_seen=in_utc(part("first_seen", None), "first_seen") if table is None else None,
        aliases=list(entity.aliases),
        metadata=dict(entity.metadata),
    )


def _is_plain(entity: Entity) -> bool:
    """Whether all of it is what `Entity` says, told in one go by joining its texts; else it is
    looked at part by part.
    """
    try:
        table = [
            *entity.attributes,
            *entity.attributes.values(),
            *entity.metadata,
            *entity.metadata.values(),
        ]
        joined = "".join(
            [entity.entity_type, entity.id, entity.description, *entity.aliases, *table]
        )
        if not (entity.name + joined).isascii() or not fold(entity.name):
            return False
        if type(entity.aliases) is not list or type(entity.mentions) is not int:
            return False
        if entity.first_seen is not None and entity.first_seen.tzinfo is not UTC:
            return False
        return entity.mentions >= 0 and 0 <= entity.importance <= 1
    except (AttributeError, TypeError):
        return False


def _as_table(given: object) -> Mapping[str, Any] | None:
    return cast(Mapping[str, Any], given) if isinstance(given, Mapping) else None


def _read_texts(table: object) -> Any:
    """A table of its own, typed values in it as texts."""
    return told(cast(Mapping[str, object], table)) if isinstance(table, Mapping) else table
