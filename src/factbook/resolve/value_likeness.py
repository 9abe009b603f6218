"""Whether words name a value, and which of them are one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from factbook.model.episode import StoredMessage
from factbook.model.value_equality import fold_value
from factbook.text.time_phrases import find_moments

MOST_WORDS = 2
"""Plain words (`blue`) are values of each other's sort only up to so many."""


def same_value(left: str, right: str) -> bool:
    """Returns whether two values are equal."""
    return fold_value(left) == fold_value(right)


def says_value(words: str, value: str, message: StoredMessage) -> bool:
    """Returns whether the words name that value: as it is, as a whole part of it or it of them, or
    as the same date.
    """
    if same_value(words, value):
        return True
    date = _read_day(words, message)
    if date is not None and date == _read_day(value, message):
        return True
    return ends_with(words, value) or ends_with(value, words)


def ends_with(text: str, end: str) -> bool:
    """Returns whether the text's last words are those."""
    whole, last = fold_value(text).split(), fold_value(end).split()
    return bool(last) and whole[-len(last) :] == last


def _read_day(text: str, message: StoredMessage) -> str | None:
    """Returns the one day that a text names, in figures."""
    told = find_moments(text, message.at, "future")
    return (
        told[0].at.date().isoformat()
        if len(told) == 1 and told[0].grain in ("day", "instant")
        else None
    )


def value_sort(value: str, message: StoredMessage) -> str:
    """Returns `date`, `figure`, `name` or `words`."""
    if _read_day(value, message) is not None:
        return "date"
    if any(each.isdigit() for each in value):
        return "figure"
    return "name" if value[:1].isupper() else "words"


def written_like(wrong: str, right: str, message: StoredMessage) -> str:
    """Returns the right value, as a date in figures where the wrong one is."""
    return (_read_day(right, message) or right) if _read_day(wrong, message) == wrong else right


def end_value(right: str, wrong: str, near: Iterable[str], message: StoredMessage) -> str:
    """Returns the value at the end of what was said to be right.

    Words before it must be among those `near` the wrong one: `she lives in Lisbon` puts right where
    she lives, and not whom she met. Empty where nothing fits.
    """
    words = right.split()
    told = find_moments(right, message.at, "future")
    if len(told) == 1 and told[0].stop == len(right) and value_sort(wrong, message) == "date":
        value = right[told[0].start :]
    else:
        kept = _TAKERS[value_sort(wrong, message)](words)
        value = " ".join(words[len(words) - kept :]) if kept else ""
    if not value:
        return ""
    lead = {fold_value(word) for word in right[: len(right) - len(value)].split()} - _LITTLE
    quoted = {fold_value(word) for word in near}
    return value if not lead or lead & quoted else ""


_LITTLE = frozenset(
    "it its it's that that's this is was to in at on the a an be been of from".split()
)


def _count_run(words: Sequence[str], fits: Callable[[str], bool]) -> int:
    """Counts the last words that fit, in one run."""
    count = 0
    for word in reversed(words):
        if not fits(word):
            break
        count += 1
    return count


def _of_name(words: Sequence[str]) -> int:
    return _count_run(
        words, lambda word: word[:1].isupper() or any(each.isdigit() for each in word)
    )


def _of_figure(words: Sequence[str]) -> int:
    last = max(
        (place for place, word in enumerate(words) if any(each.isdigit() for each in word)),
        default=-1,
    )
    first = next(
        (place for place, word in enumerate(words) if any(each.isdigit() for each in word)), last
    )
    return len(words) - first if last >= 0 else 0


def _of_words(words: Sequence[str]) -> int:
    return len(words)


_TAKERS = {"name": _of_name, "figure": _of_figure, "date": _of_figure, "words": _of_words}
