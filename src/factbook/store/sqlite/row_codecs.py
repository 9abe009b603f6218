"""Rows of the record as table rows and back: one codec a type, made from its fields.

A datetime or timedelta is an integer of microseconds, a tuple or mapping is JSON (NULL if empty), a
`Source` is spread over columns that begin with `source_`. The columns are those of the migrations;
a test compares the two.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from types import NoneType
from typing import Any, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

from factbook.errors import StoreError
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
from factbook.model.source import Source

R = TypeVar("R", bound=Record)
Value = str | int | float | bytes | None
"""What a column holds."""

TABLES: Mapping[type[Any], str] = {
    EntityRecord: "entities",
    Alias: "aliases",
    Mention: "mentions",
    Fact: "facts",
    Relation: "relations",
    Support: "supports",
    Note: "notes",
    Observation: "observations",
    SameAs: "same_as",
    NotSame: "not_same",
    Review: "reviews",
    EntityType: "kinds",
}

GIVEN = "SELECT value FROM json_each(?)"
"""The values of a JSON list, as a subquery: faster than as many parameters, and always the same
statement.
"""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FIRST = (datetime.min.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // _MICROSECOND


def to_micros(moment: datetime) -> int:
    """A datetime as stored.

    Raises:
        OverflowError: in UTC it lies outside the years 1 to 9999, and could not be read again.
    """
    stored = (moment - EPOCH) // _MICROSECOND
    if not _FIRST <= stored <= _LAST:
        raise OverflowError("a time lies outside the years 1 to 9999")
    return stored


@lru_cache(maxsize=4096)
def from_micros(stored: int) -> datetime:
    """The datetime that `micros` wrote."""
    return EPOCH + timedelta(microseconds=stored)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def pack_json(value: object) -> str:
    """Compact JSON."""
    return _ENCODER.encode(value)


@dataclasses.dataclass(frozen=True, slots=True)
class _Column:
    """One field (or one field of the source) and its column. `write` and `read` are None where
    nothing changes.
    """

    field: str
    name: str
    write: Callable[[Any], Value] | None = None
    read: Callable[[Any], Any] | None = None


class Codec(Generic[R]):
    """Writes and reads one row type.

    Attributes:
        table: where its rows lie. columns: quoted, comma-separated, in the order of `values` and
            `record`.
    """

    def __init__(self, cls: type[R]) -> None:
        self._cls = cls
        hints = get_type_hints(cls)
        fields = [field.name for field in dataclasses.fields(cls)]
        self._sourced = "source" in fields
        own = [_column(name, hints[name]) for name in fields if name != "source"]
        self._own = tuple(own)
        self._split = len(own)
        self._setters = _setters(
            cls, [*(column.field for column in own), *(("source",) if self._sourced else ())]
        )
        every = [*own, *(_source_columns() if self._sourced else ())]
        self._reads = tuple(
            (place, column.read) for place, column in enumerate(every) if column.read is not None
        )
        names = [column.name for column in own]
        if self._sourced:
            names += [column.name for column in _source_columns()]
        self.table = TABLES[cls]
        self.names = tuple(names)
        self.columns = ", ".join(f'"{name}"' for name in names)
        self.insert = (
            f"INSERT INTO {self.table} (space_no, {self.columns}) VALUES (?{', ?' * len(names)})"
        )
        sets = ", ".join(f'"{name}" = ?' for name in names)
        self.update = f"UPDATE {self.table} SET {sets} WHERE space_no = ? AND id = ?"
        self.delete = f"DELETE FROM {self.table} WHERE space_no = ? AND id = ?"
        self.select = f"SELECT {self.columns} FROM {self.table} WHERE space_no = ? AND id = ?"

    def values(self, record: R) -> list[Value]:
        """The columns' values."""
        out = _values(record, self._own)
        if self._sourced:
            out += _values(cast(Any, record).source, _source_columns())
        return out

    def record(self, row: Sequence[Any]) -> R:
        """The row that `values` wrote."""
        cells = list(row)
        try:
            for place, read in self._reads:
                cells[place] = read(cells[place])
        except (TypeError, ValueError, OverflowError) as error:
            raise StoreError(
                f"the database is damaged: a row of {self.table} can't be read"
            ) from error
        if self._sourced:
            cells[self._split :] = [_made(Source, _source_setters(), cells[self._split :])]
        return _made(self._cls, self._setters, cells)


def codec_of(cls: type[R]) -> Codec[R]:
    """The codec of a row type."""
    found = _CODECS.get(cls)
    if found is None:
        found = _CODECS[cls] = Codec(cls)
    return found


_CODECS: dict[type[Any], Codec[Any]] = {}


def _values(value: object, columns: Sequence[_Column]) -> list[Value]:
    return [
        getattr(value, column.field)
        if column.write is None
        else column.write(getattr(value, column.field))
        for column in columns
    ]


@cache
def _source_columns() -> tuple[_Column, ...]:
    hints = get_type_hints(Source)
    return tuple(
        dataclasses.replace(_column(field.name, hints[field.name]), name=f"source_{field.name}")
        for field in dataclasses.fields(Source)
    )


_Setter = Callable[[Any, Any], None]
_T = TypeVar("_T")


def _made(cls: type[_T], setters: Sequence[_Setter], cells: Sequence[Any]) -> _T:
    """A frozen value from its fields, which its own `__init__` sets in three times the time."""
    made = object.__new__(cls)
    for put, cell in zip(setters, cells, strict=True):
        put(made, cell)
    return made


def _setters(cls: type[Any], fields: Iterable[str]) -> tuple[_Setter, ...]:
    """Returns the setters of the slots of a class whose making does nothing else."""
    return tuple(getattr(cls, field).__set__ for field in fields)


@cache
def _source_setters() -> tuple[_Setter, ...]:
    return _setters(Source, [column.field for column in _source_columns()])


def _column(name: str, hint: Any) -> _Column:
    hint = _without_none(hint)
    kind = get_origin(hint)
    if hint is datetime:
        return _Column(name, name, _write_datetime, _read_datetime)
    if hint is timedelta:
        return _Column(name, name, _write_timedelta, _read_timedelta)
    if hint is bool:
        return _Column(name, name, int, bool)
    if kind is tuple:
        return _Column(name, name, _write_tuple, _read_tuple)
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return _Column(name, name, _write_mapping, _read_mapping)
    return _Column(name, name)


def _without_none(hint: Any) -> Any:
    inner = [arg for arg in get_args(hint) if arg is not NoneType]
    return inner[0] if NoneType in get_args(hint) and len(inner) == 1 else hint


def _write_datetime(value: datetime | None) -> Value:
    return None if value is None else to_micros(value)


def _read_datetime(cell: int | None) -> datetime | None:
    return None if cell is None else from_micros(cell)


def _write_timedelta(value: timedelta | None) -> Value:
    return None if value is None else value // _MICROSECOND


def _read_timedelta(cell: int | None) -> timedelta | None:
    return None if cell is None else timedelta(microseconds=cell)


def _write_tuple(value: tuple[str, ...]) -> Value:
    return pack_json(value) if value else None


def _read_tuple(cell: str | None) -> tuple[str, ...]:
    return tuple(json.loads(cell)) if cell else ()


def _write_mapping(value: Mapping[str, str]) -> Value:
    return pack_json(dict(value)) if value else None


def _read_mapping(cell: str | None) -> dict[str, str]:
    return json.loads(cell) if cell else {}
