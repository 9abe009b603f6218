"""Reading the objects of a reply whose keys and shapes are only nearly the ones that were asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast


def first(given: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The value under the first of the keys that there is; None for none."""
    return next((given[key] for key in keys if key in given), None)


def texts(value: object) -> list[str]:
    """The strings of a list; none for anything else."""
    return [each for each in cast(list[object], value) if isinstance(each, str)] if isinstance(value, list) else []


def shown(value: object) -> str:
    """A value in words: lists joined by "; ", as everywhere in attributes."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "; ".join(filter(None, map(shown, cast(list[object], value))))
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return str(value)


def pairs(value: object) -> Mapping[object, object] | None:
    """Keys and values of a table, or of a list of `{"key", "value"}`; None for anything else."""
    if isinstance(value, list):
        every = [cast(Mapping[str, Any], each) for each in cast(list[object], value) if isinstance(each, Mapping)]
        return {str(each.get("key", each.get("name", ""))): each.get("value") for each in every}
    return cast(Mapping[object, object], value) if isinstance(value, Mapping) else None
