"""Days, weeks, months, quarters, seasons and years as periods of time, in UTC. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Literal

from factbook.model.source import Grain

Period = tuple[datetime, datetime, Grain]
"""From the first instant to the one after the last, and how exact that is. Weeks count as exact to
a month, seasons to a year: that is what people mean by them.
"""

Lean = Literal["past", "future"]
"""Where a phrase without a year points to: whether `May` is the latest one or the coming one."""

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month with which a season begins, north of the equator."""


def day_period(at: datetime) -> Period:
    start = at.replace(hour=0, minute=0, second=0, microsecond=0)
    return start, start + timedelta(days=1), "day"


def week_period(at: datetime) -> Period:
    monday = day_period(at - timedelta(days=at.weekday()))[0]
    return monday, monday + timedelta(days=7), "month"


def weekend_period(at: datetime) -> Period:
    saturday = day_period(at + timedelta(days=5 - at.weekday()))[0]
    return saturday, saturday + timedelta(days=2), "day"


def month_period(year: int, number: int, months: int = 1) -> Period:
    at = datetime(year, number, 1, tzinfo=UTC)
    return at, add_months(at, months), "month"


def quarter_period(year: int, number: int) -> Period:
    return month_period(year, 3 * number - 2, months=3)


def season_period(year: int, name: str) -> Period:
    at, until, _ = month_period(year, SEASONS[name], months=3)
    return at, until, "year"


def year_period(number: int) -> Period:
    return datetime(number, 1, 1, tzinfo=UTC), datetime(number + 1, 1, 1, tzinfo=UTC), "year"


def add_months(at: datetime, months: int) -> datetime:
    """Returns the same day so many months later, or the month's last day where it is shorter."""
    years, number = divmod(at.year * 12 + at.month - 1 + months, 12)
    following = at.replace(year=years + number // 11, month=(number + 1) % 12 + 1, day=1)
    return at.replace(
        year=years, month=number + 1, day=min(at.day, (following - timedelta(days=1)).day)
    )


def shift_period(now: datetime, count: int, unit: str) -> Period:
    """Returns the period of a unit (day, week, month, quarter, year) `count` of them away
    from now.
    """
    match unit:
        case "day":
            return day_period(now + timedelta(days=count))
        case "week":
            at, until, _ = day_period(now + timedelta(weeks=count))
            return at, until, "month"
        case "month":
            at = add_months(now, count)
            return month_period(at.year, at.month)
        case "quarter":
            at = add_months(now, 3 * count)
            return quarter_period(at.year, (at.month + 2) // 3)
        case _:
            return year_period(now.year + count)


def share_of_period(whole: Period, number: int, count: int, unit: str) -> Period:
    """Returns so many units of a period, from the one of this number on (from 0), or the last for
    -1.

    Raises:
        ValueError: it doesn't reach so far.
    """
    at, until, _ = whole
    if unit == "weekend":
        saturday = at + timedelta(days=(5 - at.weekday()) % 7 + 7 * number)
        if number < 0:
            saturday = until - timedelta(days=(until.weekday() - 5) % 7 or 7)
        begin, end = saturday, saturday + timedelta(days=2)
    elif unit == "half":
        middle = (
            day_period(at + (until - at) / 2)[0]
            if until - at < timedelta(days=32)
            else add_months(at, _count_months(whole) // 2)
        )
        begin, end = (middle, until) if number else (at, middle)
    elif number < 0:
        begin, end = _move_later(until, -count, unit), until
    else:
        begin = _move_later(at, number * count, unit)
        end = _move_later(begin, count, unit)
    if not at <= begin < until:
        raise ValueError("no such part")
    return begin, min(end, until), "day" if unit in ("day", "weekend") else "month"


def _count_months(whole: Period) -> int:
    at, until, _ = whole
    return 12 * (until.year - at.year) + until.month - at.month


def _move_later(at: datetime, count: int, unit: str) -> datetime:
    match unit:
        case "day" | "week":
            return at + count * timedelta(days=7 if unit == "week" else 1)
        case _:
            return add_months(at, count * (3 if unit == "quarter" else 1))


def by_lean(make: Callable[[int], Period], now: datetime, lean: Lean) -> Period:
    """Returns the yearly period that has begun latest, or the first that isn't over."""
    this = make(now.year)
    if lean == "past":
        return this if this[0] <= now else make(now.year - 1)
    return this if this[1] > now else make(now.year + 1)


def by_step(make: Callable[[int], Period], now: datetime, step: int) -> Period:
    """Returns the period that recurs every year: the latest one that is over (-1), this year's (0),
    the next to begin (1).

    Raises:
        ValueError: the calendar doesn't reach so far.
    """
    if step < 0:
        found = next(
            (
                each
                for each in map(make, range(now.year, max(0, now.year - 3), -1))
                if each[1] <= now
            ),
            None,
        )
    elif step > 0:
        found = next(
            (each for each in map(make, range(now.year, now.year + 3)) if each[0] > now), None
        )
    else:
        found = make(now.year)
    if found is None:
        raise ValueError("no such year")
    return found
