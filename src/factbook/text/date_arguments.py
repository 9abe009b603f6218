"""The moments that people ask about: a datetime, a day, or a date as one writes it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from factbook.errors import InputError
from factbook.text.argument_checks import in_utc
from factbook.text.time_phrases import find_moments

Moment = datetime | date | str
"""A point in time, or a period that stands for its end: `2024`, `2024-03`, `2024-03-05`, `March
2024`.
"""

_MONTH = re.compile(r"(\d{4})-(\d{1,2})")
_YEAR = re.compile(r"\d{4}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_SHOWN = 40
_LEAST = timedelta(microseconds=1)
_END = datetime.max.replace(tzinfo=UTC)
_LAST_DAY = datetime(9999, 12, 31, tzinfo=UTC)


def moment_of(asked: object, what: str, now: datetime, *, first: bool = False) -> datetime | None:
    """Returns the moment in UTC; None for None.

    A year, month or day means its last moment, as far as it is over by `now`: what began in it
    counts; or with `first` its first.

    Args:
        asked: a datetime (without a zone: UTC), a date, or a text: `2024`, `2024-03`, `2024-03-05`,
            ISO 8601 with a time, or in words (`March 2024`, `yesterday`). what: the argument's
            name, for the error.

    Raises:
        InputError: it is none of these.
    """
    if asked is None or isinstance(asked, datetime):
        return in_utc(asked, what)
    if isinstance(asked, date):
        return _period_edge(asked.isoformat(), now, first)
    if isinstance(asked, str):
        found = _read_moment(asked.strip(), now, first)
        if found is not None:
            return found
        shown = repr(asked[:_SHOWN])
        raise InputError(
            f"{what} is a date or time such as 2024, 2024-03, 2024-03-05 or 2024-03-05T14:30, not "
            f"{shown}"
        )
    raise InputError(f"{what} is a datetime, a date or a text, not of type {type(asked).__name__}")


def _read_moment(text: str, now: datetime, first: bool) -> datetime | None:
    period = _period_edge(text, now, first)
    if period is not None:
        return period
    try:
        return in_utc(datetime.fromisoformat(text), "it")
    except ValueError:
        pass
    told = find_moments(text, now)
    if len(told) == 1 and (told[0].start, told[0].stop) == (0, len(text)):
        return _pick_edge(told[0].at, told[0].until, now, first)
    return None


def _period_edge(text: str, now: datetime, first: bool) -> datetime | None:
    """Returns the edge of a year, month or day in figures; None for another text."""
    try:
        if _YEAR.fullmatch(text):
            return _pick_edge(_month_begin(int(text), 1), _month_begin(int(text), 13), now, first)
        if month := _MONTH.fullmatch(text):
            year, number = int(month[1]), int(month[2])
            return (
                _pick_edge(_month_begin(year, number), _month_begin(year, number + 1), now, first)
                if number <= 12
                else None
            )
        if _DAY.fullmatch(text):
            begin = datetime.fromisoformat(text).replace(tzinfo=UTC)
            return _pick_edge(
                begin, begin + timedelta(days=1) if begin < _LAST_DAY else _END, now, first
            )
    except ValueError:  # the month 0, the 31st of April, the year 0
        return None
    return None


def _month_begin(year: int, month: int) -> datetime:
    """Returns the first moment of a month; the thirteenth is the next year's first."""
    if (year, month) == (9999, 13):
        return _END
    return datetime(year + (month == 13), 1 if month == 13 else month, 1, tzinfo=UTC)


def _pick_edge(begin: datetime, end: datetime, now: datetime, first: bool) -> datetime:
    if first:
        return begin
    return now if begin <= now < end else end - _LEAST
