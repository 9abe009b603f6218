"""Times in text: phrases such as `last month`, `3 weeks ago`, `May 2023`, read against the time
they were said.

English, and dates in figures. A phrase that names no time one could put on a calendar (`soon`, `the
other day`, `a few years ago`), or one of two (`3/4/2024`), is left out: a wrong date is worse than
none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from factbook.model.source import Grain
from factbook.text import periods
from factbook.text.periods import Lean, Period


@dataclass(frozen=True, slots=True)
class Moment:
    """The characters `start:stop` of a text name the time from `at` up to `until`, in UTC."""

    start: int
    stop: int
    at: datetime
    until: datetime
    grain: Grain


def find_moments(text: str, now: datetime, lean: Lean = "past") -> list[Moment]:
    """Returns the times that a text names, in its order, none overlapping. `now`, with its zone, is
    when it was said.

    `lean` says what a phrase without a year or direction means: `on Monday`, `in May`, `in Q3`.
    """
    if not _HINT.search(text):
        return []
    found: list[Moment] = []
    taken = bytearray(len(text))
    now = now.astimezone(UTC)
    for pattern, read in _RULES:
        for match in pattern.finditer(text):
            start, stop = match.span("time")
            if any(taken[start:stop]):
                continue
            taken[start:stop] = b"\1" * (stop - start)
            try:
                period = read(_TimeMatch(match.groupdict(), now, lean))
            except (ValueError, OverflowError):  # the 31st of April, the year 0, 999999999 days ago
                continue
            if period is not None:
                found.append(Moment(start, stop, *period))
    return sorted(found, key=lambda moment: moment.start)


_NUMBERS = {
    word: number
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen "
        "eighteen nineteen twenty".split(),
        1,
    )
} | {
    "a": 1,
    "an": 1,
    "couple": 2,
    "a couple": 2,
    "a couple of": 2,
    "couple of": 2,
    "thirty": 30,
    "forty": 40,
}
_MONTHS = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}  # fmt: skip
_DAYS = {name: number for number, name in enumerate("mon tue wed thu fri sat sun".split())}

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?"
_FULL_WEEKDAY = r"(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day\b"
_DATE = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<year>(?:1[89]|20)\d\d)\b"
_WHICH = r"(?P<which>this past|this coming|last|past|previous|this|current|next|coming|upcoming)\b"
_COUNT = (
    r"(?P<count>\d{1,9}|(?:a )?couple(?: of)?|"
    + "|".join(sorted(_NUMBERS, key=len, reverse=True))
    + r")\b"
)
_UNIT = r"(?P<unit>day|week|month|quarter|year|yr)s?\b"
_PART = (
    r"(?P<part>(?:the )?(?:very )?(?:end|beginning|start|middle) of|early(?: in)?|late(?: in)?|mid)"
)
_ORDER = r"(?P<order>first|second|third|fourth|fifth|last|final|opening|closing)"
_CUE = (
    r"(?:in|since|until|til|till|by|from|to|on|of|during|before|after|around|through|between|and|"
    r"for|starting|"
    r"effective|as of|back in|is|was|on a) "
)

_HINT = re.compile(
    r"\d|day\b|days\b|week|month|quarter|year|\byrs?\b|morrow|night|spring|summer|autumn|fall\b|"
    r"winter|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)


def _read_number(text: str) -> int:
    text = " ".join(text.lower().split())
    return int(text) if text.isdigit() else _NUMBERS[text]


@dataclass(frozen=True, slots=True)
class _TimeMatch:
    """The input of a rule: a match, and the time and direction that it is read by."""

    groups: Mapping[str, str | None]
    now: datetime
    lean: Lean

    def __getitem__(self, group: str) -> str:
        return self.groups.get(group) or ""


def _month_number(said: _TimeMatch) -> int:
    return _MONTHS[said["month"][:3].lower()]


def _read_step(which: str) -> int:
    """Returns -1 for the last one, 1 for the next, 0 for this."""
    word = which.lower()
    return (
        -1
        if word.endswith(("last", "past", "previous"))
        else 1
        if word.endswith(("next", "coming"))
        else 0
    )


def _read_iso(said: _TimeMatch) -> Period:
    year, month = int(said["year"]), int(said["number"])
    return (
        periods.day_period(datetime(year, month, int(said["day"]), tzinfo=UTC))
        if said["day"]
        else periods.month_period(year, month)
    )


def _read_figures(said: _TimeMatch) -> Period | None:
    """Reads `24.12.2023`, `12/24/2023`, `24/12/2023`; not `3/4/2024`, which is read both ways."""
    first, second, year = int(said["first"]), int(said["second"]), int(said["year"])
    if said["mark"] == "." or first > 12 or first == second:
        return periods.day_period(datetime(year, second, first, tzinfo=UTC))
    return periods.day_period(datetime(year, first, second, tzinfo=UTC)) if second > 12 else None


def _read_date(said: _TimeMatch) -> Period:
    month, day = _month_number(said), int(said["day"])
    if said["year"]:
        return periods.day_period(datetime(int(said["year"]), month, day, tzinfo=UTC))
    return periods.by_lean(
        lambda year: periods.day_period(datetime(year, month, day, tzinfo=UTC)), said.now, said.lean
    )


def _read_month(said: _TimeMatch) -> Period:
    month = _month_number(said)
    if said["year"]:
        return periods.month_period(int(said["year"]), month)
    if said["which"]:
        return periods.by_step(
            lambda year: periods.month_period(year, month), said.now, _read_step(said["which"])
        )
    return periods.by_lean(lambda year: periods.month_period(year, month), said.now, said.lean)


def _first_month(said: _TimeMatch) -> Period:
    """Returns the first of `November to March 2023`."""
    month, last = _month_number(said), _MONTHS[said["last"][:3].lower()]
    return periods.month_period(int(said["year"]) - (month > last), month)


def _read_part(said: _TimeMatch) -> Period:
    """Returns a third of a month or a year: `early 2023`, `the end of May`."""
    at, until, grain = (
        _read_month(said) if said["month"] else periods.year_period(int(said["alone"]))
    )
    third = (until - at) / 3
    part = said["part"].lower()
    if "end" in part or "late" in part:
        at += 2 * third
    elif "mid" in part:
        at, until = at + third, at + 2 * third
    else:
        until = at + third
    return periods.day_period(at)[0], periods.day_period(until)[0], grain


def _read_share(said: _TimeMatch) -> Period:
    """Returns some units of a month, quarter or year: `the last two weeks of August 2023`, `the
    first half of 2024`.
    """
    if said["month"]:
        whole = _read_month(said)
    elif said["alone"]:
        whole = periods.year_period(int(said["alone"]))
    else:
        whole = periods.shift_period(said.now, _read_step(said["which"]), said["outer"].lower())
    order = said["order"].lower()
    count = _read_number(said["count"]) if said["count"] else 1
    number = _ORDERS.index(order) if order in _ORDERS else 0 if order == "opening" else -1
    return periods.share_of_period(whole, number, count, said["unit"].lower())


_ORDERS = ("first", "second", "third", "fourth", "fifth")


def _read_quarter(said: _TimeMatch) -> Period:
    number = int(said["number"])
    if said["year"]:
        return periods.quarter_period(int(said["year"]), number)
    return periods.by_lean(lambda year: periods.quarter_period(year, number), said.now, said.lean)


def _read_season(said: _TimeMatch) -> Period:
    name = said["season"].lower()
    if said["year"]:
        return periods.season_period(int(said["year"]), name)
    return periods.by_step(
        lambda year: periods.season_period(year, name), said.now, _read_step(said["which"])
    )


def _read_weekday(said: _TimeMatch) -> Period:
    which = said["which"].lower()
    back = (said.now.weekday() - _DAYS[said["weekday"][:3].lower()]) % 7
    if which == "next":  # the one in next week
        return periods.day_period(
            said.now + timedelta(days=7 - said.now.weekday() + _DAYS[said["weekday"][:3].lower()])
        )
    if _read_step(which) < 0 or (not which and said.lean == "past"):
        return periods.day_period(said.now - timedelta(days=back or (7 if which else 0)))
    return periods.day_period(said.now + timedelta(days=(7 - back) % 7))


def _read_relative(said: _TimeMatch) -> Period:
    unit, step = said["unit"].lower(), _read_step(said["which"])
    if unit == "weekend":
        return periods.weekend_period(said.now + timedelta(weeks=step))
    if unit == "week":
        return periods.week_period(said.now + timedelta(weeks=step))
    return periods.shift_period(said.now, step, unit)


def _read_distance(said: _TimeMatch) -> Period:
    unit = said["unit"].lower().replace("yr", "year")
    return periods.shift_period(
        said.now, (-1 if said["ago"] else 1) * _read_number(said["count"]), unit
    )


def _read_near(said: _TimeMatch) -> Period:
    word = " ".join(said["time"].lower().split())
    if "yesterday" in word or word == "last night":
        return periods.day_period(said.now - timedelta(days=2 if "before" in word else 1))
    return periods.day_period(
        said.now + timedelta(days=2 if "after" in word else 1 if word == "tomorrow" else 0)
    )


def _read_year(said: _TimeMatch) -> Period:
    return periods.year_period(int(said["year"]))


_Reader = Callable[[_TimeMatch], Period | None]


def _make_rule(read: _Reader, pattern: str, cue: str = "") -> tuple[re.Pattern[str], _Reader]:
    """Returns a rule; `cue` must stand before the time, a blank stands for any white space."""
    pattern = f"{cue}(?P<time>{pattern})".replace(" ?", r"\s*").replace(" ", r"\s+")
    return re.compile(rf"(?<![\w/.-]){pattern}", re.IGNORECASE), read


_RULES = (
    _make_rule(
        _read_iso,
        r"(?P<year>(?:1[89]|20)\d\d)[-/](?P<number>0?[1-9]|"
        r"1[0-2])(?:[-/](?P<day>[0-3]?\d))?(?![\w/-])",
    ),
    _make_rule(
        _read_figures,
        r"(?P<first>\d\d?)(?P<mark>[./-])(?P<second>\d\d?)(?P=mark)(?P<year>(?:19|"
        r"20)\d\d)(?![\w/-])",
    ),
    _make_rule(
        _read_share,
        rf"(?:the )?(?:very )?{_ORDER} (?:{_COUNT} )?(?P<unit>day|weekend|week|month|quarter|"
        r"half)s? of (?:the )?"
        rf"(?:{_WHICH} )?(?:{_MONTH}(?:,? (?:of )?{_YEAR})?|(?P<outer>month|quarter|year)\b|"
        r"(?P<alone>(?:1[89]|20)\d\d)\b)",
    ),
    _make_rule(_read_date, rf"{_MONTH} ?{_DATE}(?!:|%)(?:,? {_YEAR})?"),
    _make_rule(_read_date, rf"{_DATE}(?: of)? {_MONTH}(?:,? {_YEAR})?"),
    _make_rule(
        _read_part,
        rf"{_PART}[\s-]+(?:{_MONTH}(?:,? (?:of )?{_YEAR})?|(?P<alone>(?:1[89]|20)\d\d)\b)",
    ),
    _make_rule(_read_month, rf"{_MONTH},? (?:of )?{_YEAR}"),
    _make_rule(_read_month, rf"{_WHICH} {_MONTH}"),
    _make_rule(
        _first_month,
        rf"{_MONTH}(?= ?(?:to|until|till|through|and|-|–) {_MONTH.replace('<month>', '<last>')} "
        rf"{_YEAR})",
    ),
    _make_rule(_read_month, _MONTH, cue=_CUE),
    _make_rule(_read_quarter, rf"q(?P<number>[1-4])\b(?:[\s/-]*(?:of )?{_YEAR})?"),
    _make_rule(
        _read_season, rf"(?:{_WHICH} )?(?P<season>spring|summer|autumn|fall|winter) (?:of )?{_YEAR}"
    ),
    _make_rule(_read_season, rf"{_WHICH} (?P<season>spring|summer|autumn|fall|winter)\b"),
    _make_rule(
        _read_near,
        r"(?:the day before )?yesterday\b|(?:the day after )?tomorrow\b|last night\b|today\b|"
        r"tonight\b",
    ),
    _make_rule(_read_weekday, rf"{_WHICH} {_WEEKDAY}"),
    _make_rule(_read_weekday, _WEEKDAY, cue=_CUE),
    _make_rule(_read_weekday, _FULL_WEEKDAY),
    _make_rule(_read_distance, rf"{_COUNT} {_UNIT} (?P<ago>ago|back)\b"),
    _make_rule(_read_distance, rf"{_COUNT} {_UNIT}(?P<ago>)", cue="in "),
    _make_rule(_read_distance, rf"{_COUNT} {_UNIT} (?:from now|later)(?P<ago>)\b"),
    _make_rule(_read_relative, rf"{_WHICH} (?P<unit>weekend|week|month|quarter|year)\b"),
    _make_rule(_read_year, _YEAR, cue=_CUE),
)
"""The longer phrase before the shorter one that it holds: what one rule took, the next ones
leave.
"""
