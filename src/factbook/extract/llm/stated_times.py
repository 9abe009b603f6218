"""The dates of a reply against those that the words give. A wrong date is worse than none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from factbook.extract.llm.evidence import Span, folded_words
from factbook.model.source import Grain
from factbook.text import periods
from factbook.text.names import fold
from factbook.text.periods import Period
from factbook.text.time_phrases import Moment, find_moments

NEAR = 400
"""So many characters around its words the times of a statement are looked for."""

_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?=$|[T ])")
_GRAINS: tuple[Grain, ...] = ("year", "month", "day", "instant")
_SINCE = re.compile(r"\b(?:since|starting(?: in| on| from)?|as of|effective)\s+$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|til)\s+$", re.IGNORECASE)
_PERFECT = re.compile(r"\b(?:have|has)\b|['’]ve\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had|did|left|\w{3,}ed|used to)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class StatedTimes:
    """When a statement holds. `wrong`: a date was given that no words bear out."""

    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"
    wrong: bool = False


def find_times(
    since: str, until: str, span: Span, text: str, at: datetime, *, state: bool = False
) -> StatedTimes:
    """Returns the times of a statement whose quote is the span of the text.

    A given date stands if the words name it, or its year. One that they don't name is put right by
    the only time that the quote names, and else left out. `since` and `until` with a time after
    them are read without the model's help. Of a `state` in the past (`worked there in 2019`) a bare
    time is the whole.
    """
    span, text = _text_near(span, text)
    back, ahead = find_moments(text, at, "past"), find_moments(text, at, "future")
    later = back if _PAST.search(text, *span) else ahead
    begin, end = (
        _read_date(since, span, text, back, ahead),
        _read_date(until, span, text, later, back),
    )
    wrong = any(
        given and found is None for given, found in ((since.strip(), begin), (until.strip(), end))
    )
    cued = _find_cued(_SINCE, span, text, back)
    is_over = state and _PAST.search(text, *span) and not _PERFECT.search(text, *span)
    whole = begin if is_over and not cued and not end else None
    begin = begin or cued
    end = end or _find_cued(_UNTIL, span, text, later)
    valid_at = begin[0] if begin else None
    invalid_at = end[0] if end else whole[1] if whole else None
    if begin and end and end[0] <= begin[0]:
        invalid_at = end[1] if end[0] == begin[0] else None
        wrong = wrong or invalid_at is None
    grains: list[Grain] = [each[2] for each in (begin, end) if each]
    return StatedTimes(
        valid_at=valid_at,
        invalid_at=invalid_at,
        grain=min(grains, key=_GRAINS.index) if grains else "instant",
        wrong=wrong,
    )


def _text_near(span: Span, text: str) -> tuple[Span, str]:
    """Returns the sentences so far around the span, and where it stands in them: a long message
    names many times.
    """
    first, last = max(0, span[0] - NEAR), min(len(text), span[1] + NEAR)
    start = text.rfind(". ", max(0, first - NEAR), first) + 1 or max(0, first - NEAR)
    stop = text.find(". ", last, last + NEAR)
    return (span[0] - start, span[1] - start), text[start : stop if stop >= 0 else last + NEAR]


def is_dated(value: str, text: str, at: datetime) -> bool:
    """Returns whether a date in figures is one that the text names."""
    given = _read_iso(value)
    named = [*find_moments(text, at, "past"), *find_moments(text, at, "future")]
    return given is not None and any(_is_same(given, each) for each in named)


def _read_date(
    given: str, span: Span, text: str, likely: list[Moment], others: list[Moment]
) -> Period | None:
    quoted = [each for each in likely if _lies_within(each, span)]
    period = _read_iso(given)
    if period is None:
        named = (each for each in [*quoted, *likely, *others] if _is_worded(each, given, text))
        return next(map(_as_period, named), None)
    for each in [*quoted, *likely, *others]:
        if _is_same(period, each):
            return _as_period(each)
    if len(quoted) == 1:
        return _as_period(quoted[0])
    return period if not likely and str(period[0].year) in folded_words(text) else None


def _find_cued(cue: re.Pattern[str], span: Span, text: str, named: list[Moment]) -> Period | None:
    """Returns the time in the span that the cue stands before."""
    found = (
        each
        for each in named
        if _lies_within(each, span) and cue.search(text, max(0, each.start - 30), each.start)
    )
    return next((_as_period(each) for each in found), None)


def _lies_within(moment: Moment, span: Span) -> bool:
    return span[0] <= moment.start < span[1]


def _is_same(period: Period, moment: Moment) -> bool:
    return period[0] < moment.until and moment.at < period[1]


def _is_worded(moment: Moment, given: str, text: str) -> bool:
    """Returns whether a date is given in the words of the text (`last month`)."""
    return fold(text[moment.start : moment.stop]) in fold(given)


def _as_period(moment: Moment) -> Period:
    return moment.at, moment.until, moment.grain


def _read_iso(given: str) -> Period | None:
    match = _ISO.match(given.strip())
    if match is None:
        return None
    year, month, day = match.groups()
    try:
        if day:
            return periods.day_period(datetime(int(year), int(month), int(day), tzinfo=UTC))
        return (
            periods.month_period(int(year), int(month)) if month else periods.year_period(int(year))
        )
    except (ValueError, OverflowError):  # the 31st of April, the year 9999's end
        return None
