"""Who speaks, and when, in the signals: the assistant, the one whom hops reach, the first and the
last.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from factbook.model.line import Hit, WordStats
from factbook.recall.measure.signals import Ties, Wording, measure
from factbook.recall.understand.query import Query, understand
from factbook.recall.weights import DEFAULT
from factbook.text.name_links import Linked
from tests.support import builders as b

NOW = b.at(days=30)


def column(name: str, query: Query, *hits: Hit) -> list[float]:
    stats = WordStats(lines=10, mean_length=8.0)
    ties = Ties(named={}, linked={})
    wording = Wording(rarity={}, akin={}, held={})
    measured = measure(hits, query, stats, ties, weights=DEFAULT, now=NOW, wording=wording)
    return [round(value, 2) for value in measured.columns[name]]


def said(no: int, speaker: str = "", *, days: float = 0, **rest: Any) -> Hit:
    at = b.at(days=days).timestamp()
    return Hit(
        **{
            "no": no,
            "id": f"m{no}",
            "kind": "message",
            "speaker": speaker,
            "role": "user",
            "at": at,
            **rest,
        }
    )


def test_what_the_assistant_said_is_sought_only_where_you_is_asked_for() -> None:
    lines = (said(1), said(2, role="assistant"), said(3, "tom"))
    assert column("speaker", understand("what did you suggest?", now=NOW), *lines)[1] == 1.0
    assert column("speaker", understand("what was suggested?", now=NOW), *lines)[1] == 0.0


def test_one_who_goes_by_another_name_is_who_speaks() -> None:
    ali = Linked(entity_id="alice", name="Ali", strength=1.0, start=2, end=3, bearer="Ali")
    query = understand("what did Ali say?", linked=[ali], now=NOW)
    assert column("speaker", query, said(1, "alice novak"), said(2, "ali")) == [0.0, 1.0]
    query = replace(query, speakers=query.speakers | {"alice novak"})
    assert column("speaker", query, said(1, "alice novak"), said(2, "ali")) == [1.0, 1.0]


def test_whom_hops_reach_speaks_rather_than_whom_they_begin_with() -> None:
    query = understand("what does Alice's manager say?", now=NOW)
    query = replace(query, speakers=frozenset({"tom berger"}), via=frozenset({"alice", "manager"}))
    lines = (said(1, "tom berger"), said(2, "alice novak"), said(3, "kit moss"))
    assert column("speaker", query, *lines) == [1.0, 0.4, 0.0]
    assert column("speaker", query, *lines[1:]) == [0.8, 0.0]


def test_the_first_and_the_last_go_by_time() -> None:
    lines = (said(1, days=0), said(2, days=5), said(3, days=20))
    assert column("time", understand("when did she first climb?", now=NOW), *lines) == [
        1.0,
        0.75,
        0.0,
    ]
    assert column("time", understand("what was the last thing she read?", now=NOW), *lines) == [
        0.0,
        0.25,
        1.0,
    ]
    assert column("time", understand("what did she read?", now=NOW), *lines) == [0.0, 0.0, 0.0]
    assert column("time", understand("what did she last read?", now=NOW), lines[0]) == [0.0]


def test_half_open_times_take_all_before_or_after() -> None:
    lines = (said(1, days=0), said(2, days=5), said(3, days=40))
    assert column("time", understand("what happened before 10 May 2024?", now=NOW), *lines) == [
        1.0,
        0.5,
        0.0,
    ]
    assert column("time", understand("what happened since 10 May 2024?", now=NOW), *lines) == [
        0.0,
        1.0,
        1.0,
    ]
