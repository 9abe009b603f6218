"""Ending and renaming by hand: changes that undo takes back, and that history tells."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from factbook import Entity, InputError, Memory, Message, NotFoundError
from tests.scenario.test_truth import START, Clock, opened
from tests.support.dumps import dumped

ANA, TOM, EVA = "Ana Silva", "Tom Berger", "Eva Lind"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "m.db")
    with opened(url, clock=clock) as memory:
        for name in (ANA, TOM, EVA):
            memory.put(Entity(name, "person"))
        memory.put(Entity("Acme Works", "organization"))
        memory.put(Entity(ANA, "person", {"city": "Porto", "likes": "tea; figs"}))
        memory.relate(ANA, "works_at", "Acme Works")
        memory.relate(ANA, "roommate_of", TOM)
        memory.relate(EVA, "manages", ANA)
        clock.forward(60)
        yield memory


def current(memory: Memory, name: str = ANA) -> set[str]:
    return {link.label for link in memory.get(name).links if link.state == "current"}


def test_an_attribute_that_is_ended_is_in_the_history_and_back_after_undo(
    memory: Memory, clock: Clock
):
    before, rows = memory.get(ANA), dumped(memory._engine.store, memory.space)
    receipt = memory.end(ANA, attribute="City", reason="moved away")
    assert "city" not in memory.get(ANA).attributes
    [city] = [
        each
        for each in memory.get(ANA).facts
        if each.attribute == "city" and each.state == "superseded"
    ]
    assert city.invalid_at == clock.now
    entry = memory.history(ANA, 1)[0]
    assert (entry.commit.stamp.verb, entry.commit.stamp.reason) == ("end", "moved away")
    assert entry.lines == (
        f"+ no longer: {ANA}: city = Porto",
        f"~ {ANA}: city = Porto, until 2026-03-02",
    )
    assert memory.get(ANA, as_of=START).attributes["city"] == "Porto"
    memory.undo(receipt)
    assert memory.get(ANA) == before
    assert dumped(memory._engine.store, memory.space) == rows


def test_one_value_of_a_set_ends_alone(memory: Memory):
    memory.end(ANA, attribute="likes", value="Tea")
    assert memory.get(ANA).attributes["likes"] == "figs"
    memory.end(ANA, attribute="likes")
    assert "likes" not in memory.get(ANA).attributes


@pytest.mark.parametrize(
    ("name", "relation", "to"),
    [
        (ANA, "works_at", ""),
        (ANA, "works_for", "Acme Works"),
        ("Acme Works", "employs", ANA),
        (ANA, "roommate_of", TOM),
        (TOM, "flatmate_of", ""),
        (EVA, "manages", ANA),
        (ANA, "reports_to", ""),
    ],
)
def test_a_relation_is_ended_from_either_end_and_under_any_name(
    memory: Memory, name: str, relation: str, to: str
):
    before = current(memory)
    receipt = memory.end(name, relation=relation, to=to)
    assert len(current(memory)) == len(before) - 1
    memory.undo(receipt)
    assert current(memory) == before


def test_what_ended_earlier_has_ended_then(memory: Memory, clock: Clock):
    clock.forward(60 * 24 * 90)
    memory.end(ANA, relation="works_at", at="2026-05-01")
    [link] = [
        each
        for each in memory.relations(ANA)
        if each.label == "works_at" and each.state == "superseded"
    ]
    assert link.relation.invalid_at is not None
    assert link.relation.invalid_at.date().isoformat() == "2026-05-01"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "either an attribute or a relation"),
        ({"attribute": "city", "relation": "works_at"}, "either an attribute or a relation"),
        ({"attribute": "city", "to": TOM}, "value= goes with an attribute"),
        ({"relation": "works_at", "value": "x"}, "value= goes with an attribute"),
        ({"attribute": "age"}, "no age holds"),
        ({"attribute": "city", "value": "Oslo"}, "no city 'Oslo' holds"),
        ({"relation": "works_at", "to": TOM}, "no relation works_at holds"),
        ({"relation": "manages"}, "no relation manages holds"),
        ({"attribute": "city", "at": "2020"}, "holds since 2026-03-02"),
        ({"relation": "works_at", "at": "2020"}, "holds since 2026-03-02"),
        ({"attribute": "city", "standing": "assistant"}, "the user said so"),
    ],
)
def test_what_can_t_be_ended_is_refused(memory: Memory, given: dict[str, str], told: str):
    with pytest.raises(InputError, match=told):
        memory.end(ANA, **given)  # type: ignore[arg-type]


def test_a_new_name_is_its_name_and_the_old_one_finds_it(memory: Memory):
    rows = dumped(memory._engine.store, memory.space)
    receipt = memory.rename(ANA, "Ana Costa", reason="married")
    renamed = memory.get(ANA)
    assert (renamed.name, renamed.aliases, renamed.version) == ("Ana Costa", [ANA], 3)
    assert memory.get("Ana Costa").id == renamed.id
    assert memory.history("Ana Costa", 1)[0].lines == (
        f"~ {ANA} is called Ana Costa (person)",
        f"+ Ana Costa, also {ANA}",
    )
    memory.undo(receipt)
    assert dumped(memory._engine.store, memory.space) == rows


def test_renamed_back_it_has_no_name_twice(memory: Memory):
    memory.rename(ANA, "Ana Costa")
    memory.rename("Ana Costa", ANA)
    assert (memory.get(ANA).name, memory.get(ANA).aliases) == (ANA, ["Ana Costa"])
    version = memory.history(limit=1)[0].version
    memory.rename(ANA, ANA)
    assert memory.history(limit=1)[0].version == version
    memory.rename(ANA, "ana silva")
    assert (memory.get(ANA).name, memory.get(ANA).aliases) == ("ana silva", ["Ana Costa"])


@pytest.mark.parametrize("name", ["", " ", "me", TOM])
def test_a_name_that_it_can_t_have_is_refused(memory: Memory, name: str):
    with pytest.raises(InputError):
        memory.rename(ANA, name)


def test_the_user_is_not_renamed(memory: Memory):
    memory.put(Entity("me", "person"))
    with pytest.raises(InputError, match="always self"):
        memory.rename("me", "Ada Stone")


def test_a_note_on_a_relation_that_is_known_is_kept_counted_and_in_the_receipt(
    memory: Memory, clock: Clock
):
    clock.forward()
    receipt = memory.relate(ANA, "roommate_of", TOM, note="in Mill Lane")
    assert len(receipt.ids) == 1
    [link] = [each for each in memory.relations(TOM) if each.label == "roommate_of"]
    assert (link.note, link.count) == ("in Mill Lane", 2)
    assert memory.relate(ANA, "roommate_of", TOM, note="in Mill Lane").versions == ()
    clock.forward()
    memory.relate(TOM, "roommate_of", ANA, note="since the fire")
    [link] = [each for each in memory.relations(TOM) if each.label == "roommate_of"]
    assert (link.note, link.count) == ("in Mill Lane; since the fire", 3)


def test_the_episodes_of_an_entity_are_those_that_name_it(memory: Memory):
    memory.remember(Message(f"{ANA} / role / baker", at=START), session="one")
    memory.remember(Message(f"{TOM} / role / baker", at=START), session="two")
    memory.remember(
        Message(f"{ANA} >> knows >> {EVA}", at=START + timedelta(days=1)), session="three"
    )
    memory.wait()
    assert [each.session for each in memory.episodes(ANA)] == ["three", "one"]
    assert [each.session for each in memory.episodes(EVA, limit=1)] == ["three"]
    assert memory.episodes("Acme Works") == []
    with pytest.raises(NotFoundError):
        memory.episodes("Nobody")
    with pytest.raises(InputError):
        memory.episodes(ANA, limit=0)
