"""How a recollection gives account of what it understood."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from factbook.model.kinds import BUILT_IN
from factbook.model.line import LineFilter
from factbook.model.recollection import AskedName, AskedTime, Recollection
from factbook.model.record import SELF
from factbook.recall.recollect import context, recall
from factbook.recall.request import RecallRequest
from factbook.store.ram import RamStore
from factbook.text.token_estimate import Estimate
from tests.support import builders as b

NOW = b.at(days=400)
KINDS = {kind.id: kind for kind in BUILT_IN}


def settings() -> Any:
    return {
        "budget": 300,
        "where": LineFilter(now=NOW),
        "embedder": None,
        "tokenizer": Estimate(),
        "kinds": KINDS,
        "now": NOW,
    }


def filled() -> RamStore:
    store = RamStore()
    store.remember(
        "ada",
        [
            b.episode(
                b.message("The wedding yesterday was lovely.", speaker="Rose", at=b.at(days=30)),
                b.message(
                    "I find the office far too loud.", speaker="Tom Berger", at=b.at(days=31)
                ),
                b.message("The office is fine with me.", speaker="Alice Novak", at=b.at(days=32)),
                b.message("The office has green chairs.", speaker="Kit Moss", at=b.at(days=33)),
            )
        ],
    )
    b.commit(
        store,
        "ada",
        b.entity("alice", "Alice Novak"),
        b.entity("tom", "Tom Berger"),
        b.relation("alice", "reports_to", "tom", id="r1"),
        b.fact("tom", "office", "room 5", id="f1"),
    )
    return store


def ask(question: str) -> Recollection:
    with filled().snapshot() as snapshot:
        return recall(
            RecallRequest(snapshot=snapshot, spaces=["ada"], question=question, **settings())
        )


def test_names_kinds_shape_and_hops_are_told() -> None:
    found = ask("What does Alice's manager think of the office?")
    (asked,) = found.asked
    assert asked.space == "ada"
    assert asked.names == (
        AskedName(said="Alice", name="Alice Novak", entity_id="alice", strength=0.7),
    )
    assert asked.paths == ("Alice Novak –reports to→ Tom Berger",)
    assert (asked.shape, asked.kinds, asked.time, asked.past) == ("open", (), None, False)


def test_lines_tell_how_hops_led_to_them() -> None:
    found = ask("What does Alice's manager think of the office?")
    fact = next(line for line in (*found.lines, *found.near) if line.id == "f1")
    assert fact.path == "Alice Novak –reports to→ Tom Berger"
    assert fact.because.endswith(" · graph: Alice Novak –reports to→ Tom Berger")
    said = [line.speaker for line in found.lines if line.kind == "message"]
    assert said[0] == "Tom Berger"


def test_the_time_of_an_event_is_told_with_what_tells_it() -> None:
    (asked,) = ask("What was said after the wedding?").asked
    assert asked.time == AskedTime(
        said="the wedding", since=b.at(days=30).replace(hour=0), known_by="said on 2024-06-05"
    )


def test_the_asker_is_told_of_though_nothing_is_known_of_them() -> None:
    (asked,) = ask("where did I leave the chairs in May 2024?").asked
    assert asked.names == (AskedName(said="I", name="I", entity_id=SELF, strength=0.6),)
    assert asked.time is not None
    assert asked.time.until is not None


def test_several_spaces_each_tell_and_a_context_without_a_question_tells_nothing() -> None:
    store = filled()
    with store.snapshot() as snapshot:
        request = RecallRequest(
            snapshot=snapshot,
            spaces=["ada", "team"],
            question="what does Alice's manager think",
            **settings(),
        )
        both = recall(request)
        assert [asked.space for asked in both.asked] == ["ada", "team"]
        assert both.asked[1].names == ()
        unasked = RecallRequest(snapshot=snapshot, spaces=["ada"], whole=True, **settings())
        assert context(unasked).asked == ()
        asking = replace(unasked, question="what does Alice want", form="known_entities")
        (asked,) = context(asking).asked
        assert asked.names[0].name == "Alice Novak"
