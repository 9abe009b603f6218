"""Typed values of a record in words: numbers, truth values, times, lists and tables as the texts
that facts hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from math import isfinite
from typing import cast


def in_words(value: object) -> str:
    """Returns a value as a text: `true`, lists joined by "; ", a table of figures as `ctr: 1.8,
    cpa: 42`, any other table as JSON; None as nothing.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple | set | frozenset):
        parts = [in_words(each) for each in cast(list[object], value)]
        return "; ".join(
            part for part in (parts if isinstance(value, list | tuple) else sorted(parts)) if part
        )
    if isinstance(value, Mapping):
        table = cast(Mapping[object, object], value)
        if table and all(_is_figure(each) for each in table.values()):
            return ", ".join(f"{name}: {each}" for name, each in table.items())
        return json.dumps(table, ensure_ascii=False, sort_keys=True, default=str)
    return str(value)


def told(table: Mapping[str, object]) -> dict[str, object]:
    """Returns a table with its typed values in words; None is left out, and what has no words stays
    as it is.
    """
    return {
        key: in_words(value) if is_typed(value) else value
        for key, value in table.items()
        if value is not None
    }


def is_typed(value: object) -> bool:
    """Whether a value is of a type that JSON or a record knows, all the way down."""
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(is_typed, cast(list[object], value)))
    if isinstance(value, Mapping):
        table = cast(Mapping[object, object], value)
        return all(isinstance(key, str) for key in table) and all(map(is_typed, table.values()))
    return (
        value is None or isinstance(value, str | bool | int | Decimal | date) or _is_figure(value)
    )


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
