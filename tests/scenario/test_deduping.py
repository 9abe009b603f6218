"""Duplicates of a whole memory: shown, merged one commit each, asked about; and the races around
it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from factbook.errors import InputError
from factbook.memory.memory import Memory
from factbook.model.entity import Entity


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as opened:
        yield opened


def put(memory: Memory, *names: str, kind: str = "person", **attributes: str) -> None:
    for name in names:
        memory.put(Entity(name, kind, attributes))


def test_the_sure_are_merged_and_each_can_be_undone(memory: Memory) -> None:
    put(memory, "Robert Fuller", "Bob Fuller", "Lena Vogt")
    put(memory, "Globex", "Globex GmbH", kind="organization")
    done = memory.dedupe(reason="spring cleaning")
    assert [(len(done.merged), done.asked, done.left)] == [(2, (), ())]
    assert memory.get("Bob Fuller").id == memory.get("Robert Fuller").id
    receipt = next(receipt for pair, receipt in done.merged if "Fuller" in pair.left_name)
    memory.undo(receipt)
    assert memory.get("Bob Fuller").id != memory.get("Robert Fuller").id
    assert memory.get("Globex").id == memory.get("Globex GmbH").id


def test_a_dry_run_writes_nothing(memory: Memory) -> None:
    put(memory, "Robert Fuller", "Bob Fuller", "R. Fuller")
    version = len(memory.log())
    done = memory.dedupe(dry_run=True)
    assert [pair.verdict for pair, _ in done.merged] == ["merge"]
    assert [pair.verdict for pair in done.asked] == ["ask"]
    assert (len(memory.log()), memory.reviews()) == (version, [])


def test_what_was_parted_by_hand_is_not_merged_again(memory: Memory) -> None:
    put(memory, "Robert Fuller", "Bob Fuller")
    memory.merge("Robert Fuller", "Bob Fuller")
    memory.unmerge("Robert Fuller", "Bob Fuller")
    assert memory.duplicates() == []


def test_a_doubt_is_put_up_once_and_shown_with_both_sides(memory: Memory) -> None:
    put(memory, "Ana Silva", city="Porto")
    put(memory, "A. Silva")
    memory.dedupe()
    memory.dedupe()
    [doubt] = memory.doubts()
    assert (doubt.left.name, doubt.left.said, doubt.right.name) in [
        ("Ana Silva", ("city: Porto",), "A. Silva"),
        ("A. Silva", (), "Ana Silva"),
    ]
    memory.decide(doubt.id, same=True)
    assert memory.doubts() == []
    assert memory.get("A. Silva").id == memory.get("Ana Silva").id
    memory.unmerge(doubt.left_id, doubt.right_id)
    assert memory.get("A. Silva").id != memory.get("Ana Silva").id


def test_three_of_one_name_become_one_and_the_rest_is_left(memory: Memory) -> None:
    put(memory, "Müller Bau", "Mueller Bau", "Mueller Bau GmbH", kind="organization")
    done = memory.dedupe()
    assert len(done.merged) == 2
    assert len(memory.entities()) == 1
    assert len(done.left) == 1


def test_two_that_become_one_by_a_third_are_not_asked_about(memory: Memory) -> None:
    put(memory, "Robert Fuller", "Bob Fuller", "Rob Fuller")
    done = memory.dedupe()
    assert (len(done.merged), done.asked) == (2, ())


def test_limits_and_kinds(memory: Memory) -> None:
    put(memory, "Robert Fuller", "Bob Fuller")
    put(memory, "Globex", "Globex GmbH", kind="organization")
    assert len(memory.duplicates(limit=1)) == 1
    assert [pair.left_kind for pair in memory.duplicates(kinds=["organization"])] == [
        "organization"
    ]
    with pytest.raises(InputError, match="at least 1"):
        memory.duplicates(limit=0)
