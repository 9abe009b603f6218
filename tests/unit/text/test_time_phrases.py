"""Times in text, read against the time they were said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text import periods
from factbook.text.time_phrases import find_moments

NOW = datetime(2024, 5, 15, 10, 30, tzinfo=UTC)
"""A Wednesday."""


def read(text: str, lean: periods.Lean = "past", now: datetime = NOW) -> list[str]:
    """`words = begin (grain)` of each time."""
    return [
        f"{text[m.start : m.stop]} = {m.at:%Y-%m-%d} ({m.grain})"
        for m in find_moments(text, now, lean)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2024-03-15", "2024-03-15 = 2024-03-15 (day)"),
        ("since 2023-11", "2023-11 = 2023-11-01 (month)"),
        ("on 2023/1/5.", "2023/1/5 = 2023-01-05 (day)"),
        ("24.12.2023", "24.12.2023 = 2023-12-24 (day)"),
        ("12/24/2023", "12/24/2023 = 2023-12-24 (day)"),
        ("24/12/2023", "24/12/2023 = 2023-12-24 (day)"),
        ("5/5/2023", "5/5/2023 = 2023-05-05 (day)"),
        ("March 15, 2022", "March 15, 2022 = 2022-03-15 (day)"),
        ("Mar 3rd", "Mar 3rd = 2024-03-03 (day)"),
        ("the 15th of March", "15th of March = 2024-03-15 (day)"),
        ("20 June", "20 June = 2023-06-20 (day)"),
        ("Feb 29", "Feb 29 = 2024-02-29 (day)"),
        ("since March", "March = 2024-03-01 (month)"),
        ("in June", "June = 2023-06-01 (month)"),
        ("last May", "last May = 2023-05-01 (month)"),
        ("this May", "this May = 2024-05-01 (month)"),
        ("next January", "next January = 2025-01-01 (month)"),
        ("March of 2019", "March of 2019 = 2019-03-01 (month)"),
        ("early 2023", "early 2023 = 2023-01-01 (year)"),
        ("late March 2023", "late March 2023 = 2023-03-21 (month)"),
        ("mid-April", "mid-April = 2024-04-11 (month)"),
        ("the end of April", "the end of April = 2024-04-21 (month)"),
        (
            "the last two weeks of August 2023",
            "the last two weeks of August 2023 = 2023-08-18 (month)",
        ),
        ("first three days of last May", "first three days of last May = 2023-05-01 (day)"),
        ("the second half of 2022", "the second half of 2022 = 2022-07-01 (month)"),
        ("the second half of June", "the second half of June = 2023-06-16 (month)"),
        ("the third quarter of 2021", "the third quarter of 2021 = 2021-07-01 (month)"),
        ("the first weekend of June 2023", "the first weekend of June 2023 = 2023-06-03 (day)"),
        ("the last weekend of June 2023", "the last weekend of June 2023 = 2023-06-24 (day)"),
        ("the last day of the month", "the last day of the month = 2024-05-31 (day)"),
        ("the opening week of 2020", "the opening week of 2020 = 2020-01-01 (month)"),
        ("Q1", "Q1 = 2024-01-01 (month)"),
        ("q3 2023", "q3 2023 = 2023-07-01 (month)"),
        ("summer 2022", "summer 2022 = 2022-06-01 (year)"),
        ("last winter", "last winter = 2023-12-01 (year)"),
        ("this summer", "this summer = 2024-06-01 (year)"),
        ("next fall", "next fall = 2024-09-01 (year)"),
        ("today", "today = 2024-05-15 (day)"),
        ("tonight", "tonight = 2024-05-15 (day)"),
        ("yesterday", "yesterday = 2024-05-14 (day)"),
        ("last night", "last night = 2024-05-14 (day)"),
        ("the day before yesterday", "the day before yesterday = 2024-05-13 (day)"),
        ("tomorrow", "tomorrow = 2024-05-16 (day)"),
        ("the day after tomorrow", "the day after tomorrow = 2024-05-17 (day)"),
        ("on Monday", "Monday = 2024-05-13 (day)"),
        ("on Wednesday", "Wednesday = 2024-05-15 (day)"),
        ("last Wednesday", "last Wednesday = 2024-05-08 (day)"),
        ("next wed", "next wed = 2024-05-22 (day)"),
        ("this Friday", "this Friday = 2024-05-17 (day)"),
        ("3 weeks ago", "3 weeks ago = 2024-04-24 (month)"),
        ("a couple of months ago", "a couple of months ago = 2024-03-01 (month)"),
        ("two years back", "two years back = 2022-01-01 (year)"),
        ("five days ago", "five days ago = 2024-05-10 (day)"),
        ("2 quarters ago", "2 quarters ago = 2023-10-01 (month)"),
        ("in two weeks", "two weeks = 2024-05-29 (month)"),
        ("10 days from now", "10 days from now = 2024-05-25 (day)"),
        ("last week", "last week = 2024-05-06 (month)"),
        ("last weekend", "last weekend = 2024-05-11 (day)"),
        ("this past month", "this past month = 2024-04-01 (month)"),
        ("next quarter", "next quarter = 2024-07-01 (month)"),
        ("current year", "current year = 2024-01-01 (year)"),
        ("in 2019", "2019 = 2019-01-01 (year)"),
    ],
)
def test_a_time_is_read_as_people_mean_it(text: str, found: str) -> None:
    assert read(text) == [found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by Friday", "Friday = 2024-05-17 (day)"),
        ("by Wednesday", "Wednesday = 2024-05-15 (day)"),
        ("20 June", "20 June = 2024-06-20 (day)"),
        ("May 5", "May 5 = 2025-05-05 (day)"),
        ("until June", "June = 2024-06-01 (month)"),
        ("in May", "May = 2024-05-01 (month)"),
        ("in March", "March = 2025-03-01 (month)"),
        ("by Q1", "Q1 = 2025-01-01 (month)"),
    ],
)
def test_a_time_without_a_year_may_lie_ahead(text: str, found: str) -> None:
    assert read(text, lean="future") == [found]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing here",
        "a few years ago",
        "the other day",
        "3/4/2024",
        "31 April 2022",
        "30 Feb",
        "in 99999999 days",
        "999999999 years ago",
        "I may go",
        "march on, sat down",
        "2 days",
        "version 2023.1 or v1.2",
        "at 10:30",
        "room 2019",
        "a decade",
        "2019-13-01",
    ],
)
def test_what_names_no_certain_time_is_left_out(text: str) -> None:
    assert read(text) == []


def test_a_span_of_months_shares_its_year() -> None:
    assert read("from November to March 2023") == [
        "November = 2022-11-01 (month)",
        "March 2023 = 2023-03-01 (month)",
    ]
    assert read("May through July 2023") == [
        "May = 2023-05-01 (month)",
        "July 2023 = 2023-07-01 (month)",
    ]


def test_times_come_in_the_order_of_the_text_and_know_where_they_end() -> None:
    text = "We met in 2019, again last month, and on 2024-05-01."
    found = find_moments(text, NOW)
    assert [text[each.start : each.stop] for each in found] == ["2019", "last month", "2024-05-01"]
    assert [each.until.isoformat()[:10] for each in found] == [
        "2020-01-01",
        "2024-05-01",
        "2024-05-02",
    ]


def test_the_day_is_the_one_in_universal_time() -> None:
    late = datetime(2024, 5, 15, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert read("today", now=late) == ["today = 2024-05-16 (day)"]


def test_a_month_later_stays_in_the_month() -> None:
    at = datetime(2024, 1, 31, tzinfo=UTC)
    assert periods.add_months(at, 1) == datetime(2024, 2, 29, tzinfo=UTC)
    assert periods.add_months(at, 11) == datetime(2024, 12, 31, tzinfo=UTC)
    assert periods.add_months(at, -2) == datetime(2023, 11, 30, tzinfo=UTC)


@given(
    st.lists(
        st.sampled_from(
            "in on since until last next this may March 3 12 31 2024 , - / : ago days weeks a two Friday Q2 of the end mid 0 99999999".split()
        ),
        max_size=12,
    ).map(" ".join)
    | st.text(max_size=60),
    st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)).map(
        lambda at: at.replace(tzinfo=UTC)
    ),
    st.sampled_from(["past", "future"]),
)
def test_any_text_at_any_time_gives_periods_in_order(
    text: str, now: datetime, lean: periods.Lean
) -> None:
    found = find_moments(text, now, lean)
    assert all(each.at < each.until and text[each.start : each.stop] for each in found)
    assert all(one.stop <= other.start for one, other in pairwise(found))


def test_the_calendar_ends_somewhere() -> None:
    first = datetime(1, 1, 2, tzinfo=UTC)
    assert read("last May", now=first) == []
    assert read("next January", now=datetime(9999, 12, 1, tzinfo=UTC)) == []
    assert read("in 12 months", now=datetime(9999, 12, 1, tzinfo=UTC)) == []
