"""Filters of recall: what callers may write, and the same answer for a row as a store gives for its
line.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.errors import InputError
from factbook.model.line import LineFilter
from factbook.model.record import EntityRecord, Fact, Note, Relation
from factbook.model.source import Source
from factbook.recall.filters import filter_of
from factbook.store.derive import derive_record_line
from tests.support import builders as b

NOW = b.at(days=40)


def made(**filters: Any) -> LineFilter:
    return filter_of(filters, NOW)  # type: ignore[arg-type]


def test_without_arguments_everything_passes_that_holds() -> None:
    assert made() == LineFilter(now=NOW)
    assert not made().is_narrow
    assert made(project=None, session=None, kinds=None, since=None) == LineFilter(now=NOW)


def test_one_name_or_several_each_once() -> None:
    assert made(project="atlas").projects == ("atlas",)
    assert made(project=["atlas", "orion", "atlas"]).projects == ("atlas", "orion")
    assert made(session=("monday",)).sessions == ("monday",)
    assert made(kinds="fact").kinds == ("fact",)
    assert made(kinds={"note"}).kinds == ("note",)


def test_times_are_datetimes_dates_or_texts_and_periods_stand_for_their_beginning() -> None:
    where = made(since="2024-03", until=date(2024, 4, 2))
    assert (where.since, where.until) == (
        datetime(2024, 3, 1, tzinfo=UTC),
        datetime(2024, 4, 2, tzinfo=UTC),
    )
    assert made(since=datetime(2024, 3, 1, 12)).since == datetime(2024, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("filters", "error"),
    [
        (
            {"kinds": "person"},
            "kinds of lines are message, fact, relation, note, entity, observation, not 'person'",
        ),
        ({"kinds": ["fact", "facts"]}, "kinds of lines are .*, not 'facts'"),
        ({"kinds": 5}, "kinds is the name of one, or a list of names, not of type int"),
        ({"project": 5}, "project is the name of one, or a list of names, not of type int"),
        (
            {"project": ["atlas", None]},
            "project is the name of one, or a list of names, not of type list",
        ),
        (
            {"session": [["monday"]]},
            "session is the name of one, or a list of names, not of type list",
        ),
        ({"since": "soonish"}, "since is a date or time such as 2024, .*, not 'soonish'"),
        ({"until": 2024}, "until is a datetime, a date or a text, not of type int"),
        (
            {"since": "2024-03-02", "until": "2024-03-01"},
            "until .* is not after since .*: nothing lies between them",
        ),
        ({"since": "2024-03-02", "until": "2024-03-02"}, "nothing lies between them"),
        ({"min_importance": 1.1}, "min_importance is 0 to 1, not 1.1"),
        ({"min_importance": -0.1}, "min_importance is 0 to 1, not -0.1"),
        ({"min_importance": "high"}, "min_importance is 0 to 1, not high"),
        ({"verified": "no"}, "verified is True or False, not of type str"),
        ({"superseded": 1}, "superseded is True or False, not of type int"),
    ],
)
def test_what_can_be_no_filter_is_refused_in_one_sentence(
    filters: dict[str, Any], error: str
) -> None:
    with pytest.raises(InputError, match=error):
        made(**filters)


@pytest.mark.parametrize(
    "filters",
    [
        {"project": "atlas"},
        {"session": "monday"},
        {"kinds": "fact"},
        {"since": "2024"},
        {"until": "2024"},
        {"min_importance": 0.1},
        {"verified": True},
    ],
)
def test_a_filter_narrows(filters: dict[str, Any]) -> None:
    assert made(**filters).is_narrow


labels = st.sampled_from(["", "atlas", "orion"])
moments = st.sampled_from([b.at(0), b.at(5), b.at(days=2)])
shares = st.sampled_from([0.0, 0.4, 0.5, 0.9])
sources = st.builds(
    Source,
    standing=st.sampled_from(["user", "note", "hearsay", "assistant", "tool", "web"]),
    said_at=st.none() | moments,
    session=labels,
    project=labels,
    message_id=st.sampled_from(["", "m"]),
    quote=st.sampled_from(["", "the words"]),
)
written = {"created_at": moments, "source": sources, "importance": shares}
rows = st.one_of(
    st.builds(
        Fact,
        id=st.just("f"),
        entity_id=st.just("a"),
        attribute=st.just("x"),
        value=st.just("y"),
        **written,
    ),
    st.builds(
        Relation,
        id=st.just("r"),
        from_id=st.just("a"),
        label=st.just("x"),
        to_id=st.just("b"),
        **written,
    ),
    st.builds(Note, id=st.just("n"), text=st.just("x"), **written),
    st.builds(EntityRecord, id=st.just("e"), name=st.just("x"), updated_at=moments, **written),
)
filters = st.builds(
    LineFilter,
    projects=st.lists(labels, max_size=2).map(tuple),
    sessions=st.lists(labels, max_size=2).map(tuple),
    since=st.none() | moments,
    until=st.none() | moments,
    min_importance=shares,
    verified=st.booleans(),
)


@given(rows, filters)
def test_a_row_passes_where_a_store_lets_its_line_through(
    row: Fact | Relation | Note | EntityRecord, where: LineFilter
) -> None:
    line = derive_record_line(row)
    assert line is not None
    assert where.allows_row(row) == replace(where, superseded=True).allows_line(line)
