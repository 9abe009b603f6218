"""The times that a question speaks of, and the events that it dates by."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from factbook.text.question.question_times import (
    BEGINNING,
    END,
    Span,
    anniversary,
    common,
    events,
    on_side,
    spans,
)

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)


def read(question: str) -> list[tuple[str, str]]:
    return [(_day(span.at), _day(span.until)) for span in spans(question, NOW)]


def _day(at: datetime) -> str:
    return "" if at in (BEGINNING, END) else f"{at:%Y-%m-%d}"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("in 2023", [("2023-01-01", "2024-01-01")]),
        ("last May", [("2026-05-01", "2026-06-01")]),
        ("this summer", [("2026-06-01", "2026-09-01")]),
        ("two weeks ago", [("2026-05-31", "2026-06-01")]),
        ("before May 2025", [("", "2025-05-01")]),
        ("prior to the 3 May 2025", [("", "2025-05-03")]),
        ("until May 2025", [("", "2025-06-01")]),
        ("by July 10, 2022", [("", "2022-07-11")]),
        ("since last summer", [("2025-06-01", "")]),
        ("after 2024", [("2025-01-01", "")]),
        ("from 4 years ago", [("2022-01-01", "2023-01-01")]),
        ("between March and May 2025", [("2025-03-01", "2025-06-01")]),
        ("from November to March", [("2025-11-01", "2026-04-01")]),
        ("between March and November", [("2025-03-01", "2025-12-01")]),
        ("in the last three months", [("2026-03-14", "")]),
        ("over the past year", [("2025-06-14", "")]),
        ("in the last 10 days", [("2026-06-04", "")]),
        ("within the last couple of weeks", [("2026-05-31", "")]),
        ("the week before August 3, 2023", [("2023-07-27", "2023-08-03")]),
        ("two weeks before August 11, 2023", [("2023-07-25", "2023-08-01")]),
        ("a couple of days after 3 March 2024", [("2024-03-05", "2024-03-06")]),
        ("3 months after 3 March 2024", [("2024-05-31", "2024-06-07")]),
        ("the month after May 2025", [("2025-06-01", "2025-07-01")]),
        ("the Sunday before October 25, 2022", [("2022-10-23", "2022-10-24")]),
        ("the Friday after 25 October 2022", [("2022-10-28", "2022-10-29")]),
        ("the weekend before 10 April 2023", [("2023-04-08", "2023-04-10")]),
        ("the weekend after 10 April 2023", [("2023-04-15", "2023-04-17")]),
        ("last Friday on 23 January, 2022", [("2022-01-23", "2022-01-24")]),
        ("over Christmas", [("2025-12-24", "2025-12-27")]),
        ("since New Year's Day", [("2026-01-01", "")]),
        ("before Halloween", [("", "2025-10-31")]),
        ("in the last two weeks of August 2023", [("2023-08-18", "2023-09-01")]),
        ("over the last month of 2023", [("2023-12-01", "2024-01-01")]),
        ("since the first week of May 2025", [("2025-05-01", "")]),
        ("two days before Christmas 2023", [("2023-12-22", "2023-12-23")]),
        ("two days before Christmas", [("2025-12-22", "2025-12-23")]),
        ("before Christmas 2023", [("", "2023-12-24")]),
        ("for Christmas in 2022", [("2022-12-24", "2022-12-27")]),
        ("the week after Halloween 2021", [("2021-11-01", "2021-11-08")]),
        ("on New Year’s Eve 2022", [("2022-12-31", "2023-01-01")]),
        ("around New Year's 2023", [("2022-12-31", "2023-01-02")]),
        ("between Christmas 2022 and New Year's Eve 2022", [("2022-12-24", "2023-01-01")]),
        ("between Christmas and New Year's Eve", [("2025-12-24", "2026-01-01")]),
        ("between 1 May and Christmas 2023", [("2023-05-01", "2023-12-27")]),
        ("between November and 3 March 2021", [("2020-11-01", "2021-03-04")]),
        ("starting in April", [("2026-04-01", "")]),
        ("from April on", [("2026-04-01", "")]),
        ("from 2021 onwards", [("2021-01-01", "")]),
        ("beginning in June 2023", [("2023-06-01", "")]),
        ("up to March 2024", [("", "2024-04-01")]),
        ("soon", []),
    ],
)
def test_times_on_the_calendar(question: str, expected: list[tuple[str, str]]) -> None:
    assert read(f"What happened {question}?") == expected


def test_a_name_is_no_month() -> None:
    question = "What did the brother of May give?"
    place = question.index("May")
    assert spans(question, NOW, [(place, place + 3)]) == ()
    assert spans(question, NOW)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I do on my birthday?", [("during", "my birthday", True)]),
        ("Where did Rose stay before the wedding?", [("before", "the wedding", False)]),
        ("Before the wedding, where was she?", [("before", "the wedding", False)]),
        (
            "What has she done since she moved to Lisbon and who helped?",
            [("after", "she moved to Lisbon", False)],
        ),
        (
            "Who came between the wedding and the trip?",
            [("after", "the wedding", False), ("before", "the trip", False)],
        ),
        ("Who looked after Tom after the surgery?", [("after", "the surgery", False)]),
        ("When did she leave?", []),
        ("How was she when she left Acme?", [("during", "she left Acme", False)]),
        ("What happened after that?", []),
        ("What could he do after his career?", []),
        ("Has she been there before?", []),
        ("What did she do before May 2025 after the trip?", []),
        ("What did we do until and after?", []),
        ("How many books have I read till date?", []),
        ("What is closed until further notice?", []),
        ("What did I do after a while?", []),
        ("Whom did we meet after them?", []),
    ],
)
def test_events_that_a_question_dates_by(
    question: str, expected: list[tuple[str, str, bool]]
) -> None:
    found = events(question, spans(question, NOW))
    assert [(each.side, each.text, each.birthday) for each in found] == expected
    assert all(question[each.start : each.stop] == each.text for each in found)


def test_how_long_before_an_event_is_kept() -> None:
    (event,) = events("Where was she the week before the wedding?", ())
    assert event.within == "week"


def test_an_event_splits_time_in_two() -> None:
    at, until = datetime(2025, 9, 20, tzinfo=UTC), datetime(2025, 9, 21, tzinfo=UTC)
    before = on_side("before", at, until)
    assert (before.at, before.until) == (BEGINNING, at)
    after = on_side("after", at, until, words="the wedding", known_by="said")
    assert (after.at, after.until, after.words, after.known_by) == (
        until,
        END,
        "the wedding",
        "said",
    )
    during = on_side("during", at, until)
    assert (during.at, during.until) == (at, until)
    night = on_side("before", at, until, within="night")
    assert (night.at, night.until) == (datetime(2025, 9, 19, tzinfo=UTC), at)


def test_several_times_are_what_they_have_in_common() -> None:
    early = Span(
        at=BEGINNING, until=datetime(2025, 5, 1, tzinfo=UTC), words="before May", known_by="a"
    )
    late = Span(at=datetime(2025, 3, 1, tzinfo=UTC), until=END, words="since March", known_by="b")
    both = common([early, late])
    assert both is not None
    assert (both.at, both.until, both.words, both.known_by) == (
        late.at,
        early.until,
        "before May … since March",
        "a; b",
    )
    apart = Span(at=datetime(2026, 1, 1, tzinfo=UTC), until=END)
    assert common([early, apart]) == early
    assert common([]) is None


def test_a_birthday_comes_every_year() -> None:
    assert anniversary(datetime(1990, 4, 2, tzinfo=UTC), NOW) == datetime(2026, 4, 2, tzinfo=UTC)
    assert anniversary(datetime(1990, 8, 2, tzinfo=UTC), NOW) == datetime(2025, 8, 2, tzinfo=UTC)
    assert anniversary(datetime(1992, 2, 29, tzinfo=UTC), NOW) == datetime(2026, 2, 28, tzinfo=UTC)
