"""Observations of a space: by whom they are about, the most important first, and what erasing leaves."""

from __future__ import annotations

from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.model.record import Observation
from factbook.model.source import Source
from factbook.ports.store import Erasure, Store
from tests.support.builders import (
    at,
    commit,
    entity,
    episode,
    message,
    observation,
    source,
    stamp,
)


def test_those_about_an_entity_come_the_most_important_first_then_the_latest_said(store: Store):
    commit(
        store,
        "ada",
        observation("plays the piano", "ada", id="1", importance=0.5, source=Source(said_at=at(1))),
        observation(
            "sold the piano", "ada", "tom", id="2", importance=0.5, source=Source(said_at=at(2))
        ),
        observation("is allergic to nuts", "ada", id="3", importance=1.0),
        observation("likes tea", "tom", id="4", importance=0.9),
    )
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.observations("ada", ["ada"])] == ["3", "2", "1"]
        assert [row.id for row in snapshot.observations("ada", ["tom", "ada"])] == [
            "3",
            "4",
            "2",
            "1",
        ]
        assert [row.id for row in snapshot.observations("ada", ["tom", "ada"], limit=2)] == [
            "3",
            "4",
        ]
        assert snapshot.observations("ada", ["ada"], sorts=["rule"]) == []
        assert len(snapshot.observations("ada", ["ada"], sorts=["state", "rule"])) == 3
        assert snapshot.observations("ada", ["nobody"]) == []
        assert snapshot.observations("tom", ["ada"]) == []


def test_one_that_is_altered_or_taken_out_is_found_as_it_is(store: Store):
    old = observation("likes tea", "ada", id="1", importance=0.9)
    commit(store, "ada", old, observation("plays", "ada", id="2", importance=0.5))
    new = observation("likes tea", "tom", id="1", importance=0.1, version=2)
    store.commit("ada", expected_version=1, changes=[Change(before=old, after=new)], stamp=stamp())
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.observations("ada", ["ada"])] == ["2"]
        assert snapshot.observations("ada", ["tom"]) == [new]
    store.commit("ada", expected_version=2, changes=[Change(before=new)], stamp=stamp())
    with store.snapshot() as snapshot:
        assert snapshot.observations("ada", ["tom"]) == []
    assert store.check() == []


def test_one_that_rests_on_a_message_is_found_by_that_message_alone(store: Store):
    said = message("I have kept bees since I was ten")
    told = episode(said)
    store.remember("ada", [told])
    resting = observation(
        said.text, "ada", id="1", source=source(message_id=said.id, episode_id=told.id)
    )
    commit(store, "ada", resting, observation("keeps bees", "ada", id="2"))
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", ["bee"], LineFilter(), limit=9)
        assert {(hit.kind, hit.id) for hit in snapshot.hits("ada", numbers, ["bee"])} == {
            ("message", said.id),
            ("observation", "2"),
        }
    assert store.check() == []


def test_what_is_about_an_erased_entity_goes_and_another_loses_its_name(store: Store):
    commit(
        store,
        "ada",
        entity("tom", "Tom Berger"),
        observation("hates olives", "tom", id="1"),
        observation("met Tom Berger in Rome", "self", "tom", id="2"),
    )
    store.forget("ada", Erasure(entity_ids=("tom",), mask=("Tom Berger",), at=at(5)))
    with store.snapshot() as snapshot:
        left = list(snapshot.every("ada", Observation))
        assert [(row.id, row.text, row.entity_ids) for row in left] == [
            ("2", "met [forgotten] in Rome", ("self",))
        ]
        assert snapshot.observations("ada", ["tom"]) == []
    assert store.check() == []


def test_what_was_said_in_an_erased_message_goes_with_it(store: Store):
    said = message("I only drink oat milk")
    told = episode(said)
    store.remember("ada", [told])
    resting = observation(
        said.text, "self", id="1", source=source(message_id=said.id, episode_id=told.id)
    )
    commit(store, "ada", resting)
    store.forget("ada", Erasure(message_ids=(said.id,), at=at(5)))
    with store.snapshot() as snapshot:
        assert list(snapshot.every("ada", Observation)) == []
