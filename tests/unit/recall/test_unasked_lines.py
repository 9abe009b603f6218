"""Contexts until what was just said is learned, and loading the models ahead."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from factbook import AsyncMemory, Memory
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext
from factbook.recall.context.unasked_lines import MOST_MESSAGES, MOST_WAITING


class Slow:
    """An extractor and embedder that has models to load, and finds nothing."""

    name = "slow/1"
    reads_fitting = False
    size = 2

    def __init__(self) -> None:
        self.loads = 0

    def load(self) -> None:
        self.loads += 1

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        return [Draft(episode_id=each.id, extractor=self.name) for each in episodes]

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [b"\0" * 8 for _ in texts]


def opened(**rest: Any) -> Memory:
    return Memory.open(
        "ram:", **{"extractor": Slow(), "embedder": "none", "background": False, **rest}
    )


def test_a_context_tells_what_was_just_said_until_it_is_learned() -> None:
    with opened() as memory:
        memory.remember(
            [
                {"role": "user", "content": "I live in Bergen."},
                {"role": "assistant", "content": "Noted."},
            ]
        )
        memory.remember("I can't eat nuts.", session="s2")
        found = memory.context(budget=300)
        assert [line.text.split(": ", 1)[1] for line in found.lines] == [
            "“I can't eat nuts.”",
            "“I live in Bergen.”",
        ]
        assert "Noted" not in str(found)
        assert found.lines[0].because == "just said 0.05"
        asked = str(memory.context("what should I cook tonight?", budget=300))
        assert "nuts" in asked
        memory.wait()
        assert str(memory.context(budget=300)) == ""
        assert "nuts" not in str(memory.context("what should I cook tonight?", budget=300))


def test_recall_and_whole_entities_tell_only_what_is_known_or_asked_for() -> None:
    with opened() as memory:
        memory.remember("I live in Bergen.")
        assert str(memory.recall("what is the capital of Mongolia?")) == ""
        assert str(memory.context(format="entity_memory")) == ""


def test_filters_hold_for_what_was_just_said() -> None:
    with opened() as memory:
        memory.remember("The code is blue.", project="atlas", session="a")
        memory.remember("The door is red.", project="orion", session="b")
        assert "red" not in str(memory.context(project="atlas"))
        assert "blue" not in str(memory.context(session="b"))
        assert str(memory.context(kinds=["fact"])) == ""
        assert str(memory.context(as_of="2020-01-01")) == ""
        assert str(memory.within("other").context()) == ""
        assert "blue" in str(memory.within("other", reads=["default"]).context())


def test_only_the_latest_of_a_chat_are_told_and_nothing_of_an_import() -> None:
    with opened() as memory:
        memory.remember([f"Line number {number}." for number in range(MOST_MESSAGES + 5)])
        text = str(memory.context(budget=2000))
        assert "number 12." in text
        assert "number 4." not in text
        for number in range(MOST_WAITING):
            memory.remember(f"An old message {number}.", session=f"s{number}")
        assert str(memory.context(budget=2000)) == ""


def test_without_an_extractor_nothing_waits_to_be_learned() -> None:
    with opened(extractor="none") as memory:
        memory.remember("I live in Bergen.")
        assert str(memory.context()) == ""


def test_warm_loads_the_models_and_no_more() -> None:
    extractor, embedder, stand_in = Slow(), Slow(), Slow()
    with opened(extractor=extractor, embedder=embedder, stand_in=stand_in) as memory:
        assert extractor.loads == embedder.loads == 0
        memory.warm()
        assert extractor.loads == embedder.loads == stand_in.loads == 1
    with opened(extractor=lambda prompt: "{}") as memory:
        memory.warm()


def test_an_async_memory_is_warmed_as_well() -> None:
    extractor = Slow()

    async def run() -> None:
        memory = AsyncMemory(opened(extractor=extractor))
        await memory.warm()
        await memory.close()

    asyncio.run(run())
    assert extractor.loads == 1


def test_of_two_extractors_the_local_one_is_loaded() -> None:
    from factbook.extract.llm import HybridExtractor, LlmExtractor
    from factbook.llm.adapt import language_model

    local = Slow()
    with opened(
        extractor=HybridExtractor(local, LlmExtractor(language_model(lambda prompt: "{}", None)))
    ) as memory:
        memory.warm()
    assert local.loads == 1
