"""The moments that people ask about."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from factbook.errors import InputError
from factbook.text.date_arguments import moment_of

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)
LEAST = timedelta(microseconds=1)


def utc(*numbers: int) -> datetime:
    return datetime(*numbers, tzinfo=UTC)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "begin", "end"),
    [
        ("2024", utc(2024, 1, 1), utc(2025, 1, 1)),
        ("2024-03", utc(2024, 3, 1), utc(2024, 4, 1)),
        ("2024-12", utc(2024, 12, 1), utc(2025, 1, 1)),
        ("2024-3", utc(2024, 3, 1), utc(2024, 4, 1)),
        (" 2024-03-05 ", utc(2024, 3, 5), utc(2024, 3, 6)),
        (date(2024, 3, 5), utc(2024, 3, 5), utc(2024, 3, 6)),
        (date(9999, 12, 31), utc(9999, 12, 31), datetime.max.replace(tzinfo=UTC)),
        ("9999-12", utc(9999, 12, 1), datetime.max.replace(tzinfo=UTC)),
        ("9999", utc(9999, 1, 1), datetime.max.replace(tzinfo=UTC)),
        ("March 2024", utc(2024, 3, 1), utc(2024, 4, 1)),
        ("yesterday", utc(2026, 6, 13), utc(2026, 6, 14)),
    ],
)
def test_a_period_stands_for_its_end_or_its_beginning(
    asked: Any, begin: datetime, end: datetime
) -> None:
    assert moment_of(asked, "as_of", NOW) == end - LEAST
    assert moment_of(asked, "since", NOW, first=True) == begin


@pytest.mark.parametrize("asked", ["2026", "2026-06", "2026-06-14"])
def test_a_period_that_is_not_over_ends_now(asked: str) -> None:
    assert moment_of(asked, "as_of", NOW) == NOW


def test_a_time_is_itself() -> None:
    assert moment_of(None, "as_of", NOW) is None
    assert moment_of("2024-03-05T14:30", "as_of", NOW) == utc(2024, 3, 5, 14, 30)
    assert moment_of("2024-03-05T14:30+02:00", "as_of", NOW) == utc(2024, 3, 5, 12, 30)
    assert moment_of(datetime(2024, 3, 5), "as_of", NOW) == utc(2024, 3, 5)
    assert moment_of(
        datetime(2024, 3, 5, tzinfo=timezone(timedelta(hours=-1))), "as_of", NOW
    ) == utc(2024, 3, 5, 1)


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "soon",
        "2024-13",
        "2024-00",
        "0000",
        "9999-12-31T23:00-05:00",
        "2024-02-30",
        "5",
        2024,
        ["2024"],
    ],
)
def test_what_is_no_moment_is_refused(asked: Any) -> None:
    with pytest.raises(InputError, match=r"^as_of is a date"):
        moment_of(asked, "as_of", NOW)
