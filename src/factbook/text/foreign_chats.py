"""Text that looks like a chat of several people in a form that is not read: its words are not the
user's own.

A stamp is a date or a time of the day, in whatever order and brackets. A speaker stands after a stamp that begins a line
(`02.03.26, 10:15 - Ada: hello`, `[10:15] <ada> hello`), before one that ends it (`Ada  10:15 AM`, with the words below), or
alone before a colon.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from factbook.text.record_keys import is_author_key, is_time_key

LINES = 400
"""So many lines are looked at."""

READ_FORMS = (
    "read are lines such as “Ada: hello” or “[2026-03-02 10:15] Ada: hello”, and JSON "
    "lines with speaker, text and at"
)

_LONGEST = 200
_CLOCK = r"\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?:[.,]\d{1,3})?(?:\s?[ap]\.?\s?m\b\.?)?+(?!\d)"
_DAY = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?|\d{1,2}\.?\s[^\W\d_]{3,9}\.?,?\s\d{4}|"
    r"[^\W\d_]{3,9}\.?\s\d{1,2},?\s\d{4}"
    r"|today|yesterday)"
)
_STAMP = (
    rf"(?:{_DAY}(?:T|,?\s(?:[^\W\d_]{{1,3}}\.?\s)?))?{_CLOCK}(?:Z|"
    rf"\s?[+-]\d\d:?\d\d)?(?:,?\s{_DAY})?"
)
_NAME = r"(?:[^\W\d_][^\n:<>\[\]()|\t]{0,39}?|\+?\d[\d \-()]{5,18}\d)"
_INVISIBLE = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_TAGS = frozenset(
    "a b body br code dd div dl dt em h1 h2 h3 head hr html i img li ol p pre span strong td th "
    "tr u ul".split()
)

_BEFORE = re.compile(
    rf"\s*(?P<open>[\[(])?(?P<stamp>{_STAMP})[\])]?\s*[-–—|"
    rf",;]?\s*(?:<\s*[@+%&~]?(?P<nick>{_NAME})\s*>(?=\s|$)|"
    rf"(?:from\s+)?(?P<who>{_NAME})(?:\s+to\s+[^:\n]{{1,40}})?(?:\s?:(?=\s|$)|\s[-–—]\s|\t|\s?\||"
    r"[,;](?=\S)))",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"\s*\[?(?P<who>{_NAME})\]?\s*(?:\[{_STAMP}\]|\({_STAMP}\)\s?:)\s?\S", re.IGNORECASE
)
_BEHIND = re.compile(
    rf"\s*(?P<who>{_NAME})\s*[-–—,|]?\s[(\[]?{_STAMP}[\])]?\s*:?\s*$", re.IGNORECASE
)
_ALONE = re.compile(rf"\s*[(\[]?{_STAMP}[\])]?\s*$", re.IGNORECASE)
_NICK = re.compile(r"\s*<\s*(?:v\s+|[@+%&~])?(?P<who>[^\W\d][^<>/=\"']{0,29}?)\s*>\s*\S")
_COLON = re.compile(r"\s*(?P<who>[^\W\d_][\w.'’-]{0,29}(?:\ [^\W_][\w.'’-]{0,29}){0,2})\s?:\s+\S")
_COLUMNS = re.compile(r"[,;\t|]")


def speakers_in(head: Sequence[str]) -> list[str]:
    """Returns names of those who seem to speak, the most frequent first; none where there is no
    chat.
    """
    lines = [
        _INVISIBLE.sub("", _cut_line(line)).replace("\u202f", " ") for line in head if line.strip()
    ]
    for find in (_heading_columns, _stamped_speakers, _headed_speakers, _unstamped_speakers):
        if speakers := find(lines):
            return speakers
    return []


def looks_like(speakers: Sequence[str]) -> str:
    """Says that a text looks like a chat of these."""
    more = " and others" if len(speakers) > 3 else ""
    return (
        f"it looks like a chat of others ({', '.join(speakers[:3])}{more}) in a form that is "
        "not read"
    )


def _stamped_speakers(lines: Sequence[str]) -> list[str]:
    """Returns speakers of messages that stand on one line with their time."""
    found = [each for line in lines if (each := _BEFORE.match(line))]
    # A time of the day alone may begin an entry of a calendar: "09:00 Review: plans".
    is_sure = any(each["open"] or each["nick"] or re.search(_DAY, each["stamp"]) for each in found)
    between = list(_find_speakers(lines, _BETWEEN))
    names = Counter([*(_clean_speaker(each["who"] or each["nick"]) for each in found), *between])
    many = sum(names.values())
    is_told = is_sure or between or len(names) < many
    if many < 2 or not is_told:
        return []
    if len(names) == 1 and many * 2 < len(lines):
        return []
    return _sort_by_frequency(names)


def _headed_speakers(lines: Sequence[str]) -> list[str]:
    """Returns speakers of messages that stand below a line with a name, a time, or both."""
    above = [
        _clean_speaker(name)
        for name, line in pairwise(lines)
        if _ALONE.match(line) and _is_name(name)
    ]
    below = [
        _clean_speaker(name)
        for line, name in pairwise(lines)
        if _ALONE.match(line) and _is_name(name)
    ]
    for names in (Counter(_find_speakers(lines, _BEHIND)), Counter(above), Counter(below)):
        if len(names) > 1 and max(names.values()) > 1 and sum(names.values()) <= 0.7 * len(lines):
            return _sort_by_frequency(names)
    return []


def _unstamped_speakers(lines: Sequence[str]) -> list[str]:
    """Returns speakers of messages without a time: several, of whom each comes again."""
    nicks = [name for name in _find_speakers(lines, _NICK) if name.lower() not in _TAGS]
    for names in (Counter(nicks), Counter(_find_speakers(lines, _COLON))):
        again = Counter({name: count for name, count in names.items() if count > 1})
        least = 1 if names.keys() <= set(nicks) else 2
        if len(names) > 1 and len(again) >= least and sum(again.values()) >= len(lines) / 4:
            return _sort_by_frequency(names)
    return []


def _cut_line(line: str) -> str:
    """Returns the line as far as it matters: speakers stand at its begin, and a line with a speaker
    alone is short.
    """
    line = line.strip().replace("**", "")
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"


def _is_name(line: str) -> bool:
    return len(line) < 40 and len(line.split()) < 4 and line.strip()[-1:].isalnum()


def _clean_speaker(written: str) -> str:
    return " ".join(written.split()).strip(" ,")


def _find_speakers(lines: Sequence[str], pattern: re.Pattern[str]) -> Iterator[str]:
    return (_clean_speaker(found["who"]) for line in lines if (found := pattern.match(line)))


def _sort_by_frequency(names: Counter[str]) -> list[str]:
    return [name for name, _ in names.most_common()]


def _heading_columns(lines: Sequence[str]) -> list[str]:
    """Returns the columns of an author and a time, where a table begins with such a line."""
    if not lines:
        return []
    columns = [column.strip(' "') for column in _COLUMNS.split(lines[0])]
    if not 2 <= len(columns) <= 20 or not all(len(column) <= 30 for column in columns):
        return []
    authors = [column for column in columns if is_author_key(column)]
    return authors[:1] if authors and any(is_time_key(column) for column in columns) else []
