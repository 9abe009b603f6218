"""The whole of what a context says only in part."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from factbook import AsyncMemory, Memory, Message
from factbook.errors import InputError, NotFoundError

LONG = " ".join(
    [
        *(
            f"Item {number} of the minutes was read out and put off to the next time."
            for number in range(30)
        ),
        "The budget of Atlas is 40,000 euros.",
        *(
            f"Point {number} came after that and was settled at once by a show of hands."
            for number in range(30)
        ),
    ]
)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as memory:
        yield memory


def test_a_line_that_was_cut_is_given_whole_by_itself_or_by_its_id(memory: Memory) -> None:
    ada = memory.within("ada")
    ada.remember([Message(LONG, speaker="Tom", at=datetime(2026, 6, 2, tzinfo=UTC))])
    ada.note(f"Kept: {LONG}")
    ada.wait()
    found = ada.recall("what is the budget of Atlas?", 300)
    assert {line.kind: line.cut for line in found.lines} == {"message": True, "note": True}
    wholes = {"message": LONG, "note": f"Kept: {LONG}"}
    for line in found.lines:
        assert "40,000 euros" in line.text
        assert ada.whole(line) == ada.whole(line.id) == wholes[line.kind]


def test_of_a_fact_it_is_the_message_that_it_rests_on(memory: Memory) -> None:
    from dataclasses import replace

    memory.remember([Message("The budget of Atlas is 40,000 euros.", speaker="Tom")])
    memory.wait()
    said = memory.recall("what is the budget of Atlas?").lines[0]
    fact = replace(said, id="f1", kind="fact", source_id=said.id)
    assert memory.whole(fact) == "The budget of Atlas is 40,000 euros."


def test_only_opened_spaces_are_looked_into_and_what_is_forgotten_is_gone(memory: Memory) -> None:
    team = memory.within("team")
    team.remember([Message(LONG, speaker="Tom")], session="s")
    team.wait()
    both = memory.within("ada", reads=["team"])
    (line,) = both.recall("what is the budget of Atlas?", 200).lines
    assert both.whole(line) == LONG
    for asked in (line, line.id):
        with pytest.raises(NotFoundError):
            memory.within("ada").whole(asked)
    team.forget(session="s")
    with pytest.raises(NotFoundError, match="no such message or note"):
        both.whole(line)


def test_what_is_neither_a_line_nor_an_id_is_refused(memory: Memory) -> None:
    with pytest.raises(InputError, match="not of type int"):
        memory.whole(3)  # type: ignore[arg-type]


def test_it_can_be_awaited() -> None:
    async def ask() -> str:
        async with await AsyncMemory.open(
            "ram:", extractor="none", embedder="none", background=False
        ) as memory:
            await memory.remember([Message(LONG, speaker="Tom")])
            await memory.wait()
            return await memory.whole(
                (await memory.recall("what is the budget of Atlas?", 200)).lines[0]
            )

    assert asyncio.run(ask()) == LONG
