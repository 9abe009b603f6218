"""The times that a question speaks of: spans on the calendar, and events whose time memory may
know.

`in 2023` is a span as it stands, `before May` an open one; `before the wedding` needs to be looked
up (`DatingEvent`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Literal

from factbook.text.periods import add_months, day_period
from factbook.text.time_phrases import Moment, find_moments

Side = Literal["before", "after", "during"]

BEGINNING = datetime.min.replace(tzinfo=UTC)
END = datetime.max.replace(tzinfo=UTC)
NEAR = 100
"""Characters before a time that are looked at for what leads to it."""
LONGEST_EVENT = 10
"""Words of an event that is looked up."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A time from `at` up to `until`; half-open ones begin at `BEGINNING` or end at `END`.

    `words` are those of the question; `known_by` is what told when it was, empty for a time on the
    calendar.
    """

    at: datetime
    until: datetime
    words: str = ""
    known_by: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class DatingEvent:
    """Something whose time is asked about: its words, where they stand, and on which side of it the
    asked time lies; `within` which time before or after it (`two weeks`, `day`), empty for all.
    """

    side: Side
    text: str
    start: int
    stop: int
    birthday: bool = False
    within: str = ""


_NUMBER = (
    r"(?P<number>\d{1,3}|couple of|few|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)
_LATELY = re.compile(
    rf"\b(?:in|over|during|within|for) (?:the )?(?:last|past|previous) (?:{_NUMBER} "
    r")?(?P<unit>day|week|month|quarter|year)s?\b(?! of\b)",
    re.IGNORECASE,
)
"""Not `in the last week of August`, which lies on the calendar."""
_NUMBERS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), 2
    )
} | {"couple of": 2, "few": 3}

_STARTING = r"(?:starting|beginning|commencing|effective)(?:\s+(?:in|on|from|with|as\s+of))?"
_CUE = re.compile(
    rf"\b(?:(?P<starting>{_STARTING})|(?P<cue>before|prior to|until|till|up to|by|since|after|"
    r"following|from|between))\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_ONWARD = re.compile(r"\s+(?:onwards?|forward|on(?=\s*(?:[,;.?!]|$)))\b", re.IGNORECASE)
"""`from April on`."""
_WITHIN = re.compile(
    r"\b(?:the |a |an )?(?P<within>(?:\d{1,3} |(?:a )?couple of |two |three |four |five |six |"
    r"seven |eight |nine |ten )?"
    r"(?:day|night|evening|morning|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)day)s?)\s*$",
    re.IGNORECASE,
)
"""What stands before `before` and `after` where only so much of it is meant: `the week before`."""
_JOINT = re.compile(r"^\s*(?:and|to|until|till|through|-|–)\s+(?:the\s+)?$", re.IGNORECASE)
_EVENT = re.compile(
    r"\b(?P<cue>before|prior to|until|till|by the time(?: of)?|since|after|following|during|"
    r"between|on the day of|"
    r"around the time of|at the time of|while|when)\s+(?P<text>[^,;?!.]+?)"
    r"(?=(?<!\s)\s+(?:before|after|since|until|till|during|while|when)\b|[,;?!.]|$)",
    re.IGNORECASE,
)
_BIRTHDAY = re.compile(
    r"\b(?:on|for|at|around) (?P<text>[^,;?!.]{0,200}?\bbirthday)\b", re.IGNORECASE
)
_SIDES: Mapping[str, Side] = {
    "before": "before", "prior to": "before", "until": "before", "till": "before", "by the time": "before",
    "by the time of": "before", "by": "before", "up to": "before", "since": "after", "after": "after", "following": "after",
}  # fmt: skip
_SUPPOSED = re.compile(r"\b(?:could|might|would|should|shall|will|going to)\b", re.IGNORECASE)
"""What isn't said to have happened lies in no time that could be looked up."""
_NO_EVENT = re.compile(
    r"^(?:(?:the )?(?:date|present|moment|end)|all|that|this|then|long|now|recently|lately|an?|"
    r"the|further notice|ever|forever"
    r"|it|he|she|they|i|we|you|him|her|them|me|us|work|school|lunch|dinner|hours|dark)?$",
    re.IGNORECASE,
)
_NOT_BEFORE = re.compile(
    r"\b(?:look|looks|looked|looking|named|took|takes|taking|ever|long|shortly|soon|the) $",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_CUT = re.compile(
    r"\b(?:and|but|or|before|after|since|until|when|while|what|who|where|did|does|how)\b.*$",
    re.IGNORECASE,
)

_HOLIDAYS: Mapping[str, tuple[int, int, int]] = {
    "christmas eve": (12, 24, 1), "christmas day": (12, 25, 1), "christmas": (12, 24, 3), "xmas": (12, 24, 3),
    "boxing day": (12, 26, 1), "new year's eve": (12, 31, 1), "new years eve": (12, 31, 1), "nye": (12, 31, 1),
    "new year's day": (1, 1, 1), "new year's": (12, 31, 2), "halloween": (10, 31, 1), "valentine's day": (2, 14, 1),
    "valentine's": (2, 14, 1), "valentines day": (2, 14, 1),
}  # fmt: skip
"""Month, day and length in days."""


def spans(question: str, now: datetime, names: Sequence[tuple[int, int]] = ()) -> tuple[Span, ...]:
    """Returns the times on the calendar that a question speaks of, in its order.

    Args:
        names: where names stand, from the first character to the one after the last: May may be
            one.
    """
    now = now.astimezone(UTC)
    if (lately := _LATELY.search(question)) is not None:
        return (_lately(lately, now),)
    found = [moment for moment in _named(question, now) if not _overlaps(moment, names)]
    dated = [moment for moment in found if _YEAR.search(question[moment.start : moment.stop])]
    if (
        dated
        and len(dated) < len(found)
        and not re.search(r"\b(?:between|from)\b", question, re.IGNORECASE)
    ):
        found = dated  # `last Friday on 23 January 2022`: the other is said from then
    out: list[Span] = []
    place = 0
    while place < len(found):
        moment = found[place]
        cue = _CUE.search(question, max(0, moment.start - NEAR), moment.start)
        word = _word(cue, question, moment)
        after = found[place + 1] if place + 1 < len(found) else None
        if (
            word in ("between", "from")
            and after is not None
            and _JOINT.match(question[moment.stop : after.start])
        ):
            begin = moment.at if moment.at < after.until else _before_end(moment.at, after.until)
            out.append(Span(at=begin, until=after.until, words=question[moment.start : after.stop]))
            place += 2
            continue
        start = cue.start() if cue and word in _SIDES else moment.start
        within = (
            _WITHIN.search(question, max(0, start - NEAR), start)
            if word in ("before", "after", "following")
            else None
        )
        if within is not None:
            side = _SIDES[word]
            span = on_side(side, moment.at, moment.until, within=within["within"])
            out.append(replace(span, words=question[within.start() : moment.stop].strip()))
        else:
            out.append(_open(moment, word, question[start : moment.stop]))
        place += 1
    return tuple(out)


def _named(question: str, now: datetime) -> list[Moment]:
    """Returns the times that a question names: those on the calendar, and holidays. One without a
    year counts where nothing else is named.
    """
    found = find_moments(question, now)
    holidays = _holidays(question, now)
    dated = [moment for moment in holidays if _YEAR.search(question, moment.start, moment.stop)]
    taken = [(moment.start, moment.stop) for moment in dated]
    if dated:
        found = [moment for moment in found if not _overlaps(moment, taken)]
    return sorted([*found, *dated], key=lambda moment: moment.start) or holidays


def _overlaps(moment: Moment, places: Sequence[tuple[int, int]]) -> bool:
    return any(start < moment.stop and moment.start < stop for start, stop in places)


def _word(cue: re.Match[str] | None, question: str, moment: Moment) -> str:
    """Returns the word that leads to a time; `since` for what else says that something
    begins then.
    """
    if cue is None:
        return ""
    if cue["starting"] or (cue["cue"].lower() == "from" and _ONWARD.match(question, moment.stop)):
        return "since"
    return " ".join(cue["cue"].lower().split())


def _lately(match: re.Match[str], now: datetime) -> Span:
    number = (match["number"] or "one").lower()
    count = int(number) if number.isdigit() else _NUMBERS.get(number, 1)
    unit = match["unit"].lower()
    if unit in ("day", "week"):
        at = now - timedelta(days=count * (7 if unit == "week" else 1))
    else:
        at = add_months(now, -count * {"month": 1, "quarter": 3, "year": 12}[unit])
    return Span(at=day_period(at)[0], until=END, words=match[0])


def _before_end(at: datetime, until: datetime) -> datetime:
    """Returns the latest such day before the end: `between 1 May and Christmas 2023` begins in
    2023.
    """
    same = at.replace(year=until.year, day=min(at.day, 28))
    return same if same < until else same.replace(year=until.year - 1)


def _open(moment: Moment, cue: str, words: str) -> Span:
    match cue:
        case "before" | "prior to":
            return Span(at=BEGINNING, until=moment.at, words=words)
        case "until" | "till" | "up to" | "by":
            return Span(at=BEGINNING, until=moment.until, words=words)
        case "since":
            return Span(at=moment.at, until=END, words=words)
        case "after" | "following":
            return Span(at=moment.until, until=END, words=words)
        case _:
            return Span(at=moment.at, until=moment.until, words=words)


@cache
def _holiday_names() -> re.Pattern[str]:
    names = "|".join(
        re.escape(name).replace("'", "['’]") for name in sorted(_HOLIDAYS, key=len, reverse=True)
    )
    return re.compile(
        r"(?P<cue>\b(?:before|after|since|until|till|by|following|from|between|and|at|on|over|for|"
        r"during|last|around|this)\s+)?"
        rf"\b(?P<holiday>(?P<name>{names})(?!\w)(?:,?\s+(?:(?:of|in)\s+)?(?P<year>(?:19|"
        r"20)\d\d)\b)?)",
        re.IGNORECASE,
    )


def _holidays(question: str, now: datetime) -> list[Moment]:
    """Returns the holidays that a question names with a year, or after a word that leads to a time:
    the latest that have begun.
    """
    out: list[Moment] = []
    for match in _holiday_names().finditer(question):
        name = match["name"].lower().replace("’", "'")
        month, number, days = _HOLIDAYS[name]
        if match["year"]:
            at = datetime(int(match["year"]) - (name == "new year's"), month, number, tzinfo=UTC)
        elif match["cue"]:
            at = datetime(now.year, month, number, tzinfo=UTC)
            at = at.replace(year=now.year - 1) if at > now else at
        else:
            continue
        out.append(Moment(*match.span("holiday"), at, at + timedelta(days=days), "day"))
    return out


def events(question: str, taken: Sequence[Span]) -> tuple[DatingEvent, ...]:
    """Returns the events by which a question dates something, in its order; none where it names the
    times itself.
    """
    out: list[DatingEvent] = []
    if (birthday := _BIRTHDAY.search(question)) is not None:
        start, stop = birthday.span("text")
        out.append(
            DatingEvent(side="during", text=birthday["text"], start=start, stop=stop, birthday=True)
        )
    if taken or out or _SUPPOSED.search(question):
        return tuple(out)
    blank = len(question) - len(question.lstrip())
    for match in _EVENT.finditer(question):
        cue = " ".join(match["cue"].lower().split())
        start = match.start("text")
        begin = max(0, match.start() - NEAR)
        if (cue in ("when", "while") and match.start() <= blank) or _NOT_BEFORE.search(
            question, begin, match.start()
        ):
            continue
        before = (
            _WITHIN.search(question, begin, match.start())
            if cue in ("before", "after", "following")
            else None
        )
        if cue == "between" and " and " in match["text"]:
            first, _, second = match["text"].partition(" and ")
            out += _event("after", first, start) + _event("before", second, start + len(first) + 5)
        else:
            out += _event(
                _SIDES.get(cue, "during"), match["text"], start, before["within"] if before else ""
            )
    return tuple(out[:2])


def _event(side: Side, text: str, start: int, within: str = "") -> list[DatingEvent]:
    text = _CUT.sub("", text) if not _CUT.match(text) else ""
    text = " ".join(text.split()[:LONGEST_EVENT])
    if _NO_EVENT.match(text.strip()):
        return []
    return [DatingEvent(side=side, text=text, start=start, stop=start + len(text), within=within)]


def anniversary(on: datetime, now: datetime) -> datetime:
    """Returns the latest day of that month and date that isn't to come."""
    last = 28 if (on.month, on.day) == (2, 29) else on.day
    at = datetime(now.year, on.month, last, tzinfo=UTC)
    return at if at <= now else at.replace(year=now.year - 1)


def on_side(
    side: Side,
    at: datetime,
    until: datetime,
    *,
    within: str = "",
    words: str = "",
    known_by: str = "",
) -> Span:
    """Returns the time on that side of an event that went from `at` up to `until`; of that only
    what is `within`.
    """
    begin, end = at, until
    if side == "before":
        begin, end = _beside(at, at, within.lower(), -1) if within else (BEGINNING, at)
    elif side == "after":
        begin, end = _beside(at, until, within.lower(), 1) if within else (until, END)
    return Span(at=begin, until=end, words=words, known_by=known_by)


def _beside(began: datetime, at: datetime, within: str, sign: int) -> tuple[datetime, datetime]:
    """Returns the day, week or weekend before or after; with a number, the day so long before or
    after.
    """
    *number, unit = within.split()
    unit = unit if unit.endswith("sday") else unit.removesuffix("s")
    if unit in _WEEKDAYS:
        away = (
            (at.weekday() - _WEEKDAYS[unit]) % 7 or 7
            if sign < 0
            else (_WEEKDAYS[unit] - at.weekday()) % 7
        )
        return day_period(at + sign * timedelta(days=away))[:2]
    if unit == "weekend":
        saturday = (
            at - timedelta(days=(at.weekday() - 5) % 7 or 7)
            if sign < 0
            else at + timedelta((5 - at.weekday()) % 7)
        )
        return day_period(saturday)[0], day_period(saturday)[0] + timedelta(days=2)
    if number:
        count = (
            int(number[0]) if number[0].isdigit() else _NUMBERS[" ".join(number).removeprefix("a ")]
        )
        months = _MONTHS.get(unit, 0)
        there = (
            add_months(began, sign * count * months)
            if months
            else began + sign * count * _LENGTHS[unit]
        )
        slack = timedelta(days=0 if unit not in _MONTHS and unit != "week" else 3)
        return day_period(there)[0] - slack, day_period(there)[1] + slack
    there = add_months(at, sign * _MONTHS[unit]) if unit in _MONTHS else at + sign * _LENGTHS[unit]
    return (there, at) if sign < 0 else (at, there)


_WEEKDAYS: Mapping[str, int] = {
    name: number
    for number, name in enumerate(
        "monday tuesday wednesday thursday friday saturday sunday".split()
    )
}
_MONTHS: Mapping[str, int] = {"month": 1, "year": 12}
_LENGTHS: Mapping[str, timedelta] = {
    **dict.fromkeys(("day", "night", "evening", "morning"), timedelta(days=1)),
    "week": timedelta(weeks=1),
}


def common(found: Sequence[Span]) -> Span | None:
    """Returns the time that all of them have in common, or the first where they have none."""
    if not found:
        return None
    at, until = max(each.at for each in found), min(each.until for each in found)
    if len(found) == 1 or at >= until:
        return found[0]
    return Span(
        at=at,
        until=until,
        words=" … ".join(dict.fromkeys(each.words for each in found)),
        known_by="; ".join(dict.fromkeys(each.known_by for each in found if each.known_by)),
    )
