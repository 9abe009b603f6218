"""Reading the objects of a reply whose keys and shapes are only nearly the ones that were asked
for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from factbook.llm.lenient import Partial


def first_value(given: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """Returns the value under the first of the keys that there is; None for none."""
    return next((given[key] for key in keys if key in given), None)


def list_texts(value: object) -> list[str]:
    """Returns the strings of a list; none for anything else."""
    return (
        [each for each in cast(list[object], value) if isinstance(each, str)]
        if isinstance(value, list)
        else []
    )


def read_pairs(value: object) -> Mapping[object, object] | None:
    """Returns keys and values of a table, of a list of `{"key", "value"}`, or of a list of tables;
    None for anything else.
    """
    if not isinstance(value, list):
        return cast(Mapping[object, object], value) if isinstance(value, Mapping) else None
    out: dict[object, object] = {}
    for each in cast(list[object], value):
        if not isinstance(each, Mapping):
            return None
        table = cast(Mapping[object, object], each)
        named = first_value(cast(Mapping[str, Any], each), ("key", "name", "attribute"))
        for key, one in [(str(named), table.get("value"))] if named is not None else table.items():
            before = out.get(key)
            out[key] = one if before in (None, one) else [before, one]
    return out


def is_whole(value: Any) -> bool:
    """Returns whether no part of it is missing."""
    if isinstance(value, Mapping):
        return not isinstance(value, Partial) and all(
            map(is_whole, cast(Mapping[str, object], value).values())
        )
    return all(map(is_whole, cast(list[object], value))) if isinstance(value, list) else True


class Taken:
    """Objects of a reply that were understood, so that the others can be named."""

    def __init__(self) -> None:
        self._whole: dict[int, object] = {}
        self._wrappers: dict[int, object] = {}

    def add(self, value: object) -> None:
        """Notes an object, with all that is in it."""
        self._whole[id(value)] = value

    def open(self, value: object) -> None:
        """Notes an object that only holds others."""
        self._wrappers[id(value)] = value

    def __contains__(self, value: object) -> bool:
        return id(value) in self._whole

    def left_over(self, value: Any) -> Iterator[object]:
        """Yields the objects within a value that were not understood and say something, the
        outermost ones.
        """
        if value in self:
            return
        opened = not isinstance(value, Mapping) or self._has_taken(value)
        for each in _parts_of(value) if opened else ():
            yield from self.left_over(each)
        if not opened and _says_something(value):
            yield value

    def _has_taken(self, value: Any) -> bool:
        return (
            value in self
            or id(value) in self._wrappers
            or any(map(self._has_taken, _parts_of(value)))
        )


def _parts_of(value: Any) -> list[object]:
    if isinstance(value, Mapping):
        return list(cast(Mapping[str, object], value).values())
    return cast(list[object], value) if isinstance(value, list) else []


def _says_something(value: Any) -> bool:
    if isinstance(value, Mapping | list):
        return any(map(_says_something, _parts_of(value)))
    return value not in (None, "")
