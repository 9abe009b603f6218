"""The budget is kept by whoever counts, however strangely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factbook import Entity, Memory, Message
from factbook.model.recollection import CONTEXT_FORMATS, ContextFormat

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)


class Odd:
    """Counts letters in a way of its own."""

    def __init__(self, name: str, number_of: Callable[[str], int]) -> None:
        self.name = name
        self._number_of = number_of

    def count(self, text: str) -> int:
        return self._number_of(text)

    def __repr__(self) -> str:
        return self.name


def _hashed(text: str) -> int:
    return sum(map(ord, text)) % 97


ODD = [
    Odd("letters", len),
    Odd("bytes", lambda text: len(text.encode())),
    Odd("superadditive", lambda text: len(text) ** 2 // 40),
    Odd("subadditive", lambda text: int(len(text) ** 0.5)),
    Odd("a price for every text", lambda text: 7 + len(text) // 4),
    Odd("lines", lambda text: 20 * text.count("\n") + len(text) // 9),
    Odd("joining costs", lambda text: len(text.split()) * max(len(text.splitlines()), 1)),
    Odd("joining saves", lambda text: len(set(text.split()))),
    Odd("nothing", lambda text: 0),
    Odd(
        "more without the closing tag", lambda text: len(text) // (3 if "</memory>" in text else 1)
    ),
    Odd("more with the closing tag", lambda text: len(text) * (3 if "</memory>" in text else 1)),
    Odd("neither up nor down", _hashed),
]


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    """Two spaces, two projects, all kinds of lines."""
    ids = count()
    with Memory.open(
        "ram:",
        extractor="none",
        embedder="none",
        background=False,
        clock=lambda: NOW,
        new_id=lambda: f"i{next(ids)}",
    ) as opened:
        for space in ("ada", "team"):
            mine = opened.within(space)
            for number in range(12):
                project = ("atlas", "", "orion")[number % 3]
                at = datetime(2026, 3, 1 + number, tzinfo=UTC)
                said = Message(
                    f"The boat number {number} of {space} is {'very ' * number}slow",
                    speaker="Tom",
                    at=at,
                )
                mine.remember(said, session=f"s{number % 4}", project=project)
                mine.note(
                    f"A boat, {number} in {space}, is of Ada",
                    importance=number / 12,
                    project=project,
                )
                attributes = {"color": "blue", "length": f"{number} m"}
                mine.put(
                    Entity(f"Boat {number}", "boat", description="A boat.", attributes=attributes),
                    project=project,
                )
            mine.put(
                Entity("short", "preference", description="Ada wants short answers about boats")
            )
            mine.put(Entity("slow", "pain_point", description="Boats are slow"))
        yield opened


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    tokenizer=st.sampled_from(ODD),
    budget=st.integers(1, 40) | st.integers(1, 3000),
    question=st.sampled_from(
        [None, "which boat is slow?", "list all boats of Ada", "quantum chromodynamics"]
    ),
    project=st.sampled_from([(), "atlas", ("atlas", "orion")]),
    reads=st.sampled_from([(), ("team",)]),
    form=st.sampled_from(CONTEXT_FORMATS),
    explain=st.booleans(),
)
def test_no_tokenizer_ever_counts_more_than_the_budget(
    memory: Memory,
    tokenizer: Odd,
    budget: int,
    question: str | None,
    project: str | tuple[str, ...],
    reads: tuple[str, ...],
    form: ContextFormat,
    explain: bool,
) -> None:
    mine = memory.within("ada", reads)
    found = [
        mine.context(
            question, budget, format=form, project=project, tokenizer=tokenizer, explain=explain
        ),
        mine.recall(
            question or "boat", budget, project=project, tokenizer=tokenizer, explain=explain
        ),
    ]
    for each in found:
        assert each.tokens == (tokenizer.count(str(each)) if str(each) else 0)
        assert each.tokens <= budget
        assert bool(str(each)) == bool(each.lines)


@pytest.mark.parametrize(
    "tokenizer",
    [odd for odd in ODD if odd.name not in ("superadditive", "neither up nor down")],
    ids=repr,
)
def test_a_wide_budget_is_used(memory: Memory, tokenizer: Odd) -> None:
    mine = memory.within("ada")
    room = tokenizer.count(str(mine.recall("which boat is slow?", 3000)))
    assert len(mine.recall("which boat is slow?", 3 * room + 300, tokenizer=tokenizer).lines) >= 10
