"""Arguments as a model gives them: read by type, or refused with a sentence that says what to write
instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from factbook.errors import InputError
from factbook.text.argument_checks import check_text

ArgumentType = type[str] | type[int] | type[float] | type[bool]
Value = str | int | float | bool | None

_TRUE = frozenset({"true", "yes", "1", "on"})
_FALSE = frozenset({"false", "no", "0", "off", ""})
_NOTHING = frozenset({"", "none", "null"})


def read_argument(name: str, wanted: ArgumentType, value: object) -> Value:
    """The value as the type that is wanted; numbers and truth values may come as text, None is none
    given.

    Raises:
        InputError: it can't be read so; says what to give.
    """
    if value is None:
        return None
    if wanted is str:
        return _read_text(name, value)
    if isinstance(value, str) and wanted is not bool and value.strip().casefold() in _NOTHING:
        return None
    if wanted is bool:
        return _read_truth(name, value)
    return _read_whole(name, value) if wanted is int else _read_number(name, value)


def _read_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text, not {show_value(value)}")
    return check_text(value, name)


def _read_number(name: str, value: object) -> float:
    number = _as_float(value)
    if number is None or not math.isfinite(number):
        raise InputError(f"{name} must be a number such as 0.5, not {show_value(value)}")
    return number


def _read_whole(name: str, value: object) -> int:
    number = _as_float(value)
    if number is None or not number.is_integer():
        raise InputError(f"{name} must be a whole number such as 7, not {show_value(value)}")
    return int(number)


def _as_float(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _read_truth(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().casefold() if isinstance(value, str | int) else "?"
    if word not in _TRUE | _FALSE:
        raise InputError(f"{name} must be true or false, not {show_value(value)}")
    return word in _TRUE


def show_value(value: object) -> str:
    """The value in a few characters on one line; only the type of what is no plain value."""
    if isinstance(value, str | int | float):
        try:
            text = ascii(value)
        except ValueError:  # more digits than Python writes
            text = "so long a number"
        return text if len(text) <= 40 else f"{text[:40]}…"
    return {"list": "a list", "dict": "an object"}.get(
        type(value).__name__, f"a {type(value).__name__}"
    )


def check_bounds(name: str, value: float, least: float, most: float) -> None:
    """Refuses a number outside these bounds.

    Raises:
        InputError: says the bounds.
    """
    if not least <= value <= most:
        raise InputError(f"{name} must be {least:g} to {most:g}, not {show_value(value)}")


def refuse_unknown(tool: str, names: Sequence[str], given: Mapping[str, object]) -> None:
    """Refuses arguments that the tool doesn't have.

    Raises:
        InputError: says which it has.
    """
    extra = [name for name in given if name not in names]
    if extra:
        has = f"{tool} takes {', '.join(names)}" if names else f"{tool} takes no arguments"
        raise InputError(f"{has}; it has no argument {show_value(str(extra[0]))}")
