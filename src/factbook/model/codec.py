"""Values to JSON and back, by their type hints: one mechanism for the log, drafts, exports and
`--json`.

Datetimes become ISO strings in UTC, timedeltas seconds, tuples lists. A row of the record is
written with its type's name under `"type"` by `pack_record`. Unknown keys of a newer writer are
ignored on reading.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from factbook.model.change import Change
from factbook.model.record import RECORD_TYPES, Record

T = TypeVar("T")
_RECORDS: Mapping[str, type[Record]] = {cls.__name__: cls for cls in RECORD_TYPES}


def to_json(value: object) -> Any:
    """A value as plain JSON types. Fields that have their default are left out of dataclasses, to
    stay small.
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Mapping):
        return {
            str(key): to_json(item) for key, item in cast(Mapping[object, object], value).items()
        }
    if isinstance(value, list | tuple):
        return [to_json(item) for item in cast(list[object], value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            name: to_json(item)
            for name, default in _defaults(type(value)).items()
            if (item := getattr(value, name)) != default
        }
    raise TypeError(f"no JSON form for {type(value).__name__}")


def to_json_full(value: object) -> Any:
    """Like `to_json`, with every field written out: for people and scripts that read it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_json_full(getattr(value, field.name))
            for field in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {
            str(key): to_json_full(item)
            for key, item in cast(Mapping[object, object], value).items()
        }
    if isinstance(value, list | tuple):
        return [to_json_full(item) for item in cast(list[object], value)]
    return to_json(value)


def from_json(cls: type[T], data: Any) -> T:
    """The value that `to_json` wrote.

    Raises:
        ValueError, TypeError, KeyError: the data is not of that form.
    """
    return cast(T, _reader_of(cls)(data))


def pack_record(record: Record) -> dict[str, Any]:
    """A row of the record as JSON, with its type's name."""
    return {"type": type(record).__name__, **to_json(record)}


def unpack_record(data: Mapping[str, Any]) -> Record:
    """The row that `pack_record` wrote.

    Raises:
        ValueError, TypeError, KeyError: the data is not of that form.
    """
    name = data["type"]
    if name not in _RECORDS:
        raise ValueError(f"no row type {name!r}")
    return from_json(_RECORDS[name], {key: value for key, value in data.items() if key != "type"})


def pack_change(change: Change) -> dict[str, Any]:
    """A change as JSON; an absent image is left out."""
    images = {"before": change.before, "after": change.after}
    return {name: pack_record(row) for name, row in images.items() if row is not None}


def unpack_change(data: Mapping[str, Any]) -> Change:
    """The change that `pack_change` wrote."""
    return Change(
        **{name: unpack_record(data[name]) for name in ("before", "after") if name in data}
    )


_ABSENT = object()


@cache
def _defaults(cls: type) -> dict[str, object]:
    """Field names with their default, or a value equal to nothing."""
    out: dict[str, object] = {}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            out[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            out[field.name] = field.default_factory()
        else:
            out[field.name] = _ABSENT
    return out


def _reader_of(hint: Any) -> Callable[[Any], Any]:
    return _reader(hint)


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return _same
    if origin in (Union, types.UnionType):
        return _optional_reader(args)
    if origin is Literal:
        return _literal_reader(args)
    if origin is tuple:
        item = _reader(args[0])
        return lambda data: tuple(item(each) for each in _list(data))
    if origin is list:
        item = _reader(args[0])
        return lambda data: [item(each) for each in _list(data)]
    if origin is not None and issubclass(origin, Mapping):
        item = _reader(args[1])
        return lambda data: {str(key): item(each) for key, each in _dict(data).items()}
    if dataclasses.is_dataclass(hint):
        return _dataclass_reader(cast(type, hint))
    if hint is datetime:
        return _datetime
    if hint is timedelta:
        return lambda data: timedelta(seconds=data)
    return _plain_reader(hint)


def _same(data: Any) -> Any:
    return data


def _list(data: object) -> list[Any]:
    if not isinstance(data, list):
        raise TypeError(f"a list was expected, not {type(data).__name__}")
    items: list[Any] = data  # pyright: ignore[reportUnknownVariableType] - mypy calls a cast here redundant
    return items


def _dict(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise TypeError(f"an object was expected, not {type(data).__name__}")
    return cast(dict[str, Any], data)


def _datetime(data: Any) -> datetime:
    moment = datetime.fromisoformat(data)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _optional_reader(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    inner = [arg for arg in args if arg is not type(None)]
    if len(inner) != 1:
        raise TypeError("only unions with None have a JSON form")
    read = _reader(inner[0])
    return lambda data: None if data is None else read(data)


def _literal_reader(allowed: tuple[Any, ...]) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if data not in allowed:
            raise ValueError(f"{data!r} is none of {', '.join(map(repr, allowed))}")
        return data

    return read


def _plain_reader(hint: Any) -> Callable[[Any], Any]:
    accepted = (int, float) if hint is float else hint

    def read(data: Any) -> Any:
        if not isinstance(data, accepted):
            raise TypeError(f"{hint.__name__} was expected, not {type(data).__name__}")
        return hint(data)

    return read


def _dataclass_reader(cls: type) -> Callable[[Any], Any]:
    hints = get_type_hints(cls)
    readers = {
        field.name: _reader(hints[field.name]) for field in dataclasses.fields(cls) if field.init
    }

    def read(data: Any) -> Any:
        return cls(
            **{name: readers[name](value) for name, value in _dict(data).items() if name in readers}
        )

    return read
