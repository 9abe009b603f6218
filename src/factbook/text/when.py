"""Times in text: phrases such as `last month`, `3 weeks ago`, `May 2023`, read against the time they were said.

English, and dates in figures. A phrase that names no time one could put on a calendar (`soon`, `the other day`, `a few
years ago`), or one of two (`3/4/2024`), is left out: a wrong date is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from factbook.model.record import Grain

Lean = Literal["past", "future"]
"""Where a phrase without a year points to: whether `May` is the latest one or the coming one."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The characters `start:stop` of a text name the time from `at` up to `until`, in UTC.

    Grains are those of facts: a week counts as a month, a quarter as a month, a season as a year, since what they
    name is no more exact.
    """

    start: int
    stop: int
    at: datetime
    until: datetime
    grain: Grain


def moments(text: str, now: datetime, lean: Lean = "past") -> list[Moment]:
    """The times that a text names, in its order, none overlapping. `now`, with its zone, is when it was said."""
    if not _HINT.search(text):
        return []
    found: list[Moment] = []
    taken: list[tuple[int, int]] = []
    now = now.astimezone(UTC)
    for pattern, read in _RULES:
        for match in pattern.finditer(text):
            start, stop = match.span()
            if any(start < other_stop and other_start < stop for other_start, other_stop in taken):
                continue
            taken.append((start, stop))
            try:
                period = read(match, now, lean)
            except (ValueError, OverflowError):  # the 31st of April, the year 0, 999999999 days ago
                period = None
            if period is not None:
                found.append(Moment(start, stop, *period))
    return sorted(found, key=lambda moment: moment.start)


_Period = tuple[datetime, datetime, Grain]
_Reader = Callable[[re.Match[str], datetime, Lean], _Period | None]


# ------------------------------------------------------------------------------------------------------- periods


def _day(at: datetime) -> _Period:
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    return day, day + timedelta(days=1), "day"


def _week(at: datetime) -> _Period:
    monday = _day(at - timedelta(days=at.weekday()))[0]
    return monday, monday + timedelta(days=7), "month"


def _month(year: int, month: int, months: int = 1) -> _Period:
    at = datetime(year, month, 1, tzinfo=UTC)
    return at, _add_months(at, months), "month"


def _year(year: int) -> _Period:
    return datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC), "year"


def _quarter(year: int, quarter: int) -> _Period:
    return _month(year, 3 * quarter - 2, months=3)


def _season(year: int, name: str) -> _Period:
    at, until, _ = _month(year, _SEASONS[name], months=3)
    return at, until, "year"


def _add_months(at: datetime, months: int) -> datetime:
    year, month = divmod(at.year * 12 + at.month - 1 + months, 12)
    for day in range(at.day, at.day - 4, -1):
        try:
            return at.replace(year=year, month=month + 1, day=day)
        except ValueError:
            if day == at.day - 3:
                raise
    raise AssertionError


def _shift(now: datetime, count: int, unit: str) -> _Period:
    """The period `count` units away from now (before it, when negative)."""
    match unit:
        case "day":
            return _day(now + timedelta(days=count))
        case "week":
            at, until, _ = _day(now + timedelta(weeks=count))
            return at, until, "month"
        case "month":
            at = _add_months(now, count)
            return _month(at.year, at.month)
        case "quarter":
            at = _add_months(now, 3 * count)
            return _quarter(at.year, (at.month + 2) // 3)
        case _:
            return _year(now.year + count)


# ------------------------------------------------------------------------------------------------------- words

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
_DAYS = {
    name: number
    for number, names in enumerate(
        ("monday mon", "tuesday tues tue", "wednesday weds wed", "thursday thurs thur thu", "friday fri", "saturday sat",
         "sunday sun")
    )
    for name in names.split()
}  # fmt: skip
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split(),
        1,
    )
} | {"a": 1, "an": 1, "couple": 2, "a couple": 2, "a couple of": 2, "couple of": 2, "thirty": 30, "forty": 40}

_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
_DATE = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<year>(?:1[89]|20)\d\d)\b"
_WEEKDAY = r"(?P<weekday>mon(?:day)?|tue(?:s|sday)?|wed(?:s|nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b"
_COUNT = rf"(?P<count>\d{{1,9}}|(?:a )?couple(?: of)?|{'|'.join(sorted((w for w in _NUMBERS if 'couple' not in w), key=len, reverse=True))})"
_UNIT = r"(?P<unit>day|week|month|quarter|year|yr)s?\b"
_WHICH = r"(?P<which>last|past|previous|this past|this|current|next|coming|this coming|upcoming)"
_HINT = re.compile(
    r"\d|day\b|days\b|week|month|quarter|year|yrs?\b|morrow|night|now\b|spring|summer|autumn|fall\b|winter|"
    rf"\b{_MONTH.replace('?P<month>', '?:')}|\b{_WEEKDAY.replace('?P<weekday>', '?:')}",
    re.IGNORECASE,
)


def _count(text: str) -> int:
    text = " ".join(text.lower().split())
    return int(text) if text.isdigit() else _NUMBERS[text]


def _step(which: str) -> int:
    which = which.lower()
    return -1 if which.endswith(("last", "past", "previous")) else 1 if which.endswith(("next", "coming")) else 0


def _by_lean(make: Callable[[int], _Period], now: datetime, lean: Lean) -> _Period:
    """The period without a year in the year that the lean says: the latest that has begun, or the first not over."""
    if lean == "past":
        return next((period for year in (now.year, now.year - 1) if (period := make(year))[0] <= now), make(now.year))
    return next((period for year in (now.year, now.year + 1) if (period := make(year))[1] > now), make(now.year))


# ------------------------------------------------------------------------------------------------------- rules


def _iso(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    year, month, day = int(match["year"]), int(match["m"]), match["day"]
    return _day(datetime(year, month, int(day), tzinfo=UTC)) if day else _month(year, month)


def _figures(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    left, right, mark = int(match["left"]), int(match["right"]), match["mark"]
    year = int(match["year"])
    year += 2000 if year < 100 else 0
    if mark == "." or left > 12 or left == right:
        return _day(datetime(year, right, left, tzinfo=UTC))
    return _day(datetime(year, left, right, tzinfo=UTC)) if right > 12 else None


def _month_day(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    month, day = _MONTHS[match["month"].lower().rstrip(".")], int(match["day"])
    if match["year"]:
        return _day(datetime(int(match["year"]), month, day, tzinfo=UTC))
    return _by_lean(lambda year: _day(datetime(year, month, day, tzinfo=UTC)), now, lean)


def _named_month(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    month = _MONTHS[match["month"].lower().rstrip(".")]
    if match["year"]:
        return _month(int(match["year"]), month)
    if match["which"]:
        year = _by_lean(lambda year: _month(year, month), now, "past" if _step(match["which"]) < 0 else "future")[
            0
        ].year
        return _month(now.year, month) if not _step(match["which"]) else _month(year, month)
    return _by_lean(lambda year: _month(year, month), now, lean)


def _in_month(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    """A part of a month or year: its beginning, middle or end."""
    whole = _named_month(match, now, lean) if match["month"] else _year(int(match["year"]))
    if whole is None:
        return None
    at, until, grain = whole
    third = (until - at) / 3
    part = match["part"].lower()
    if part.startswith(("end", "late")):
        return _floor(at + 2 * third, until, grain)
    return _floor(at + third, at + 2 * third, grain) if "mid" in part else _floor(at, at + third, grain)


def _floor(at: datetime, until: datetime, grain: Grain) -> _Period:
    if grain == "year":
        return _month(at.year, at.month)[0], _month(until.year, until.month)[0], "month"
    return _day(at)[0], _day(until)[0], "month"


def _quarters(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    quarter = int(match["quarter"])
    if match["year"]:
        year = int(match["year"])
        return _quarter(year + 2000 if year < 100 else year, quarter)
    return _by_lean(lambda year: _quarter(year, quarter), now, lean)


def _seasons(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    name, which = match["season"].lower(), match["which"]
    if match["year"]:
        return _season(int(match["year"]), name)
    if which and _step(which) == 0:
        return _season(now.year, name)
    over = [year for year in (now.year, now.year - 1, now.year - 2) if _season(year, name)[1] <= now]
    ahead = [year for year in (now.year, now.year + 1) if _season(year, name)[0] > now]
    return _season(over[0] if which and _step(which) < 0 else ahead[0], name) if which else None


def _weekday(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    back = (now.weekday() - _DAYS[match["weekday"].lower()]) % 7
    step = _step(match["which"] or "")
    if step < 0 or (not match["which"] and lean == "past"):
        return _day(now - timedelta(days=back or (7 if step else 0)))
    ahead = -back % 7
    if step > 0 and match["which"].lower() == "next":
        ahead = ahead or 7
    return _day(now + timedelta(days=ahead))


def _relative(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    unit, step = match["unit"].lower(), _step(match["which"])
    if unit == "weekend":
        saturday = now + timedelta(days=5 - now.weekday() + 7 * step)
        return _day(saturday)[0], _day(saturday)[0] + timedelta(days=2), "day"
    if unit == "night":
        return _day(now - timedelta(days=1)) if step < 0 else None
    if unit == "week":
        return _week(now + timedelta(weeks=step))
    return _shift(now, step, unit)


def _ago(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    return _shift(now, -_count(match["count"]), match["unit"].lower().replace("yr", "year"))


def _ahead(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    return _shift(now, _count(match["count"]), match["unit"].lower().replace("yr", "year"))


def _near(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    word = " ".join(match["near"].lower().split())
    days = {"yesterday": -1, "last night": -1, "tomorrow": 1}.get(word, 0)
    days = -2 if word.endswith("before yesterday") else 2 if word.endswith("after tomorrow") else days
    return _day(now + timedelta(days=days))


def _bare_year(match: re.Match[str], now: datetime, lean: Lean) -> _Period | None:
    return _year(int(match["year"]))


def _rule(pattern: str, read: _Reader) -> tuple[re.Pattern[str], _Reader]:
    return re.compile(rf"(?<![\w/.-])(?:{pattern})", re.IGNORECASE | re.VERBOSE), read


def _spaced(pattern: str) -> str:
    """A pattern in which each blank stands for any white space."""
    return pattern.replace(" ", r"\s+")


_RULES: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    _rule(r"(?P<year>(?:1[89]|20)\d\d)[-/](?P<m>0?[1-9]|1[0-2])(?:[-/](?P<day>[0-3]?\d))?(?![\w/-])", _iso),
    _rule(r"(?P<left>\d\d?)(?P<mark>[./-])(?P<right>\d\d?)(?P=mark)(?P<year>(?:20|19)?\d\d)(?![\w/-])", _figures),
    _rule(_spaced(rf"{_MONTH} ?{_DATE}(?!:)(?:,? {_YEAR})?"), _month_day),
    _rule(_spaced(rf"(?:the )?{_DATE}(?: of)? {_MONTH}(?:,? {_YEAR})?"), _month_day),
    _rule(
        _spaced(
            r"(?P<part>(?:the )?(?:end|beginning|start|middle) of|early(?: in)?|late(?: in)?|mid)[- ]"
            rf"(?:(?:{_WHICH} )?{_MONTH}(?:,? {_YEAR})?|{_YEAR.replace('?P<year>', '?P<year_>')})"
        ).replace("?P<year_>", "?P<only>"),
        _in_month,
    ),
    _rule(_spaced(rf"(?:{_WHICH} )?{_MONTH}(?:,? (?:of )?{_YEAR})?"), _named_month),
)
