"""What counts as a version of an entity: the one rule of docs/kinds.md, over every path that writes
one.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from factbook import Entity, Memory, Message
from factbook.model.receipt import Receipt
from tests.scenario.test_truth import START, Clock, opened

ANA = "Ana Silva"


def put(**given: object) -> Callable[[Memory], Receipt]:
    return lambda memory: memory.put(Entity(ANA, "person", **given))  # type: ignore[arg-type]


def told(memory: Memory) -> Receipt:
    receipt = memory.remember(Message(f"{ANA} / role / baker", at=START), session="told")
    memory.wait()
    return receipt


def settled(memory: Memory) -> Receipt:
    return memory.settle(ANA, "Porto", attribute="city")


COUNTS: list[Callable[[Memory], Receipt]] = [
    put(attributes={"role": "baker"}),
    put(attributes={"likes": "tea; figs"}),
    put(aliases=["Annie"]),
    put(ids={"crm": "111"}),
    put(description="a baker"),
    put(metadata={"row": "7"}),
    put(importance=0.9),
    lambda memory: memory.rename(ANA, "Ana Costa"),
    lambda memory: memory.end(ANA, attribute="city"),
    settled,
]
BESIDE: list[Callable[[Memory], Receipt]] = [
    put(),
    put(attributes={"age": "40"}),
    lambda memory: memory.relate(ANA, "knows", "Tom Berger"),
    lambda memory: memory.end(ANA, relation="roommate_of"),
    lambda memory: memory.note(f"{ANA} called", about=[ANA]),
    lambda memory: memory.merge(ANA, "Tom Berger"),
    told,
]


@pytest.fixture
def memory() -> Memory:
    clock = Clock()
    memory = opened(clock=clock)
    memory.put(Entity(ANA, "person", {"city": "Porto", "age": "40"}))
    memory.put(Entity("Tom Berger", "person"))
    memory.relate(ANA, "roommate_of", "Tom Berger")
    memory.put(Entity(ANA, "person", {"city": "Faro"}), standing="assistant")
    clock.forward()
    return memory


@pytest.mark.parametrize("write", COUNTS, ids=[str(n) for n in range(len(COUNTS))])
def test_what_changes_the_entity_itself_is_one_version_and_undone_it_is_none(
    memory: Memory, write: Callable[[Memory], Receipt]
):
    before = memory.get(ANA)
    receipt = write(memory)
    assert memory.get(before.id).version == before.version + 1
    memory.undo(receipt)
    assert memory.get(ANA) == before


@pytest.mark.parametrize("write", BESIDE, ids=[str(n) for n in range(len(BESIDE))])
def test_what_lies_beside_it_is_none(memory: Memory, write: Callable[[Memory], Receipt]):
    before = memory.get(ANA)
    write(memory)
    assert memory.get(before.id).version == before.version


def test_of_a_kind_with_a_lifespan_each_new_put_counts_and_its_creation_stays():
    clock = Clock()
    with opened(clock=clock) as memory:
        memory.put(Entity("churn", "metric", {"value": "3%"}))
        created = memory.history("churn")[-1].commit.stamp.at
        clock.forward()
        memory.put(Entity("churn", "metric", {"value": "2%"}))
        assert memory.get("churn").version == 2
        assert memory.history("churn")[-1].commit.stamp.at == created
