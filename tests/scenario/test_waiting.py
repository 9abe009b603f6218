"""Waiting for what is learned: failures are raised, and nothing is waited for that never comes."""

from __future__ import annotations

import asyncio
import logging
import sys
from types import ModuleType
from typing import Any

import pytest

from factbook.errors import ExtractError, InputError, ModelUnavailableError, ReplyRejectedError
from factbook.memory.async_memory import AsyncMemory
from factbook.memory.memory import Memory
from tests.support.models import Script, ScriptedExtractor, draft_entity

ANA = Script(entities=[draft_entity("Ana")])


class Sick(ScriptedExtractor):
    """Reads what it was told to read, and fails on texts that say so."""

    def __init__(self, error: Exception) -> None:
        super().__init__(script={"Ana is here.": ANA})
        self.illness = error

    def extract(self, episodes: Any, context: Any) -> Any:
        if any("sick" in message.text for episode in episodes for message in episode.messages):
            raise self.illness
        return super().extract(episodes, context)


def opened(error: Exception, *, background: bool) -> Memory:
    return Memory.open("ram:", extractor=Sick(error), embedder="none", background=background)


@pytest.mark.parametrize("background", [True, False])
@pytest.mark.parametrize("timeout", [None, 20.0])
def test_waiting_raises_what_failed_with_its_jobs_and_keeps_the_rest(
    background: bool, timeout: float | None
) -> None:
    with opened(InputError("too odd"), background=background) as memory:
        memory.remember("Ana is here.")
        memory.remember("I am sick.")
        with pytest.raises(ExtractError, match=r"1 job failed: InputError: too odd") as caught:
            memory.wait(timeout)
        (job,) = caught.value.jobs
        assert (job.state, job.error) == ("failed", "InputError: too odd")
        assert [each.entities for each in memory.wait(timeout)] == [1]
        assert memory.wait(timeout) == []


def test_what_failed_is_returned_where_it_is_not_to_be_raised() -> None:
    with opened(InputError("too odd"), background=False) as memory:
        memory.remember("Ana is here.")
        receipt = memory.remember("I am sick.")
        learned = memory.wait(raises=False)
        assert [(each.entities, each.error) for each in learned] == [
            (1, ""),
            (0, "InputError: too odd"),
        ]
        assert learned[1].episode_id == receipt.episode_ids[0]


def test_what_will_be_tried_again_is_told_apart() -> None:
    with opened(ModelUnavailableError("nobody home"), background=False) as memory:
        memory.remember("I am sick.")
        with pytest.raises(
            ModelUnavailableError,
            match="1 job will be tried again: ModelUnavailableError: nobody home",
        ):
            memory.wait()
    with opened(ReplyRejectedError("gibberish"), background=False) as memory:
        memory.remember("I am sick.")
        with pytest.raises(ExtractError, match="1 job will be tried again") as caught:
            memory.wait()
        assert not isinstance(caught.value, ModelUnavailableError)


def test_another_spaces_failure_is_not_raised_here() -> None:
    with opened(InputError("too odd"), background=False) as memory:
        memory.within("bea").remember("I am sick.")
        memory.work(every_space=True)
        assert memory.wait() == []
        with pytest.raises(ExtractError):
            memory.within("bea").wait()


def test_an_old_failure_is_raised_once() -> None:
    with opened(InputError("too odd"), background=False) as memory:
        memory.remember("I am sick.")
        with pytest.raises(ExtractError):
            memory.wait()
        memory.remember("Ana is here.")
        assert [each.entities for each in memory.wait()] == [1]


def test_what_a_stand_in_learned_is_no_failure() -> None:
    stand_in = ScriptedExtractor(script={"Ana is sick.": ANA})
    with Memory.open(
        "ram:",
        extractor=Sick(ModelUnavailableError("away")),
        stand_in=stand_in,
        embedder="none",
        background=False,
    ) as memory:
        memory.remember("Ana is sick.")
        assert [(each.entities, each.stand_in) for each in memory.wait()] == [(1, True)]


@pytest.mark.parametrize("background", [True, False])
@pytest.mark.parametrize("extractor", ["none", "auto"])
def test_without_an_extractor_waiting_returns_and_says_so_once(
    extractor: str,
    background: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    module = ModuleType("factbook.extract.local")
    vars(module).update(is_installed=lambda: False, LocalExtractor=ScriptedExtractor)
    monkeypatch.setitem(sys.modules, "factbook.extract.local", module)
    monkeypatch.delenv("EXTRACTION_MODEL", raising=False)
    with (
        caplog.at_level(logging.WARNING, "factbook"),
        Memory.open("ram:", extractor=extractor, embedder="none", background=background) as memory,
    ):
        memory.remember("Ana is here.")
        assert memory.wait() == []
        assert memory.within("bea").wait() == []
        assert [each.getMessage()[:13] for each in caplog.records] == ["no extractor:"]


def test_an_async_memory_is_opened_with_and_without_await() -> None:
    async def run() -> list[str]:
        async with AsyncMemory.open(
            "ram:", extractor=Sick(InputError("odd")), embedder="none"
        ) as memory:
            await memory.remember("I am sick.")
            with pytest.raises(ExtractError):
                await memory.wait()
            assert [each.error for each in await memory.wait(raises=False)] == []
            urls = [memory.url]
        async with await AsyncMemory.open("ram:", embedder="none") as memory:
            urls.append(memory.url)
        memory = await AsyncMemory.open("ram:", embedder="none")
        await memory.close()
        return [*urls, memory.url]

    assert asyncio.run(run()) == ["ram:"] * 3


def test_a_memory_that_cannot_be_opened_raises_where_it_is_entered(tmp_path: Any) -> None:
    from factbook.errors import ConfigError

    async def run() -> None:
        async with AsyncMemory.open(tmp_path):
            pass

    with pytest.raises(ConfigError, match="is a folder"):
        asyncio.run(run())
