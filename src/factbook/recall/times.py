"""The time that a question speaks of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_MONTHS = ("january february march april may june july august september october november december").split()
_NAMES = "|".join(f"{month}|{month[:3]}" for month in _MONTHS)
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_NAMES})|(?P<month2>{_NAMES}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)"
    r"\b,?(?: (?P<year>(?:19|20)\d\d))?"
)
_ISO = re.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")
_MONTH = re.compile(
    rf"\b(?P<lead>in|last|this|since|during|of|early|mid|late|by|until|before|after|around)?[ -]?(?P<month>{_NAMES})\b,?(?: (?P<year>(?:19|20)\d\d))?"
)
_YEAR = re.compile(r"\b(?:in|during|of|since|year|before|after|summer|winter|spring|fall|autumn) ((?:19|20)\d\d)\b")
_AGO = re.compile(r"\b(?P<count>\d+|an?|one|two|three|four|five|six) (?P<unit>day|week|month|year)s? ago\b")
_NAMED = re.compile(r"\b(yesterday|today|tonight|(?:last|this|past) (?:week|month|year|weekend|night))\b")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """From `start` up to, not including, `end`."""

    start: datetime
    end: datetime


def span_in(question: str, now: datetime) -> Span | None:
    """The first time that the question speaks of, None for none. A month without a year is the latest one."""
    text = " ".join(question.lower().split())
    now = now.astimezone(UTC)
    for read in (_iso, _date, _month, _year, _ago, _named):
        span = read(text, now)
        if span is not None:
            return span
    return None


def _iso(text: str, _now: datetime) -> Span | None:
    found = _ISO.search(text)
    if not found:
        return None
    year, month = int(found[1]), int(found[2])
    return _day(year, month, int(found[3])) if found[3] else _whole_month(year, month)


def _date(text: str, now: datetime) -> Span | None:
    found = _DATE.search(text)
    if not found:
        return None
    month = _month_number(found["month"] or found["month2"])
    day = int(found["day"] or found["day2"])
    year = int(found["year"]) if found["year"] else _latest(month, day, now)
    return _day(year, month, day)


def _month(text: str, now: datetime) -> Span | None:
    for found in _MONTH.finditer(text):
        if found["month"] in ("may", "mar", "march") and not (found["lead"] or found["year"]):
            continue
        month = _month_number(found["month"])
        return _whole_month(int(found["year"]) if found["year"] else _latest(month, 1, now), month)
    return None


def _year(text: str, _now: datetime) -> Span | None:
    found = _YEAR.search(text)
    if not found:
        return None
    year = int(found[1])
    return Span(start=datetime(year, 1, 1, tzinfo=UTC), end=datetime(year + 1, 1, 1, tzinfo=UTC))


def _ago(text: str, now: datetime) -> Span | None:
    found = _AGO.search(text)
    if not found:
        return None
    count = _COUNTS.get(found["count"]) or int(found["count"])
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[found["unit"]]
    if count * days > 36_500:
        return None
    middle = _midnight(now) - count * days * _DAY
    margin = max(1, days // 2) * _DAY
    return Span(start=middle - margin + _DAY, end=middle + margin)


def _named(text: str, now: datetime) -> Span | None:
    found = _NAMED.search(text)
    if not found:
        return None
    today = _midnight(now)
    which, _, unit = found[1].partition(" ")
    if which == "yesterday" or unit == "night":
        return Span(start=today - _DAY, end=today)
    if which in ("today", "tonight"):
        return Span(start=today, end=today + _DAY)
    back = 0 if which == "this" else 1
    if unit == "year":
        return Span(
            start=datetime(now.year - back, 1, 1, tzinfo=UTC), end=datetime(now.year - back + 1, 1, 1, tzinfo=UTC)
        )
    if unit == "month":
        year, month = divmod(now.year * 12 + now.month - 1 - back, 12)
        return _whole_month(year, month + 1)
    monday = today - today.weekday() * _DAY - 7 * back * _DAY
    return Span(start=monday, end=monday + 7 * _DAY)


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(name))


def _latest(month: int, day: int, now: datetime) -> int:
    return now.year if (month, day) <= (now.month, now.day) else now.year - 1


def _day(year: int, month: int, day: int) -> Span | None:
    try:
        start = datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
    return Span(start=start, end=start + _DAY)


def _whole_month(year: int, month: int) -> Span | None:
    if not 1 <= month <= 12:
        return None
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return Span(start=datetime(year, month, 1, tzinfo=UTC), end=datetime(*following, 1, tzinfo=UTC))


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)
