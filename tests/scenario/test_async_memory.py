"""AsyncMemory: the same memory, awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from factbook import AsyncMemory, Entity, Memory
from factbook.errors import ModelUnavailableError
from factbook.ports.models import ChatMessage
from tests.scenario.child import Badges


def test_everything_can_be_awaited(tmp_path: Path) -> None:
    async def main() -> None:
        async with await AsyncMemory.open(
            tmp_path / "m.db", extractor=Badges(), embedder="none", background=False
        ) as memory:
            ada = memory.within("ada")
            await asyncio.gather(
                *(ada.remember(f"Ana{n} has badge {n}", session=str(n)) for n in range(8))
            )
            await ada.wait()
            assert (await ada.get("Ana3")).attributes == {"badge": "3"}
            await ada.put(Entity("Bo", "person"))
            await ada.relate("Bo", "knows", "Ana3")
            assert [link.label for link in await ada.neighbours("Ana3")] == ["knows"]
            assert "badge 3" in str(await ada.recall("who has badge 3?"))
            assert (ada.space, memory.url) == ("ada", ada.url)

    asyncio.run(main())


class Model:
    """A language model that can only be awaited, and that counts who asks it in which thread."""

    name = "awaited/1"

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.begun = asyncio.Event()
        self.stuck = False

    async def acomplete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> str:
        self.threads.append(threading.get_ident())
        self.begun.set()
        if self.stuck:
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        return '{"entities": []}'


def test_a_language_model_is_awaited_on_the_callers_event_loop() -> None:
    async def main() -> None:
        model = Model()
        async with await AsyncMemory.open(
            "ram:", extractor=model, embedder="none", background=False
        ) as memory:
            await memory.remember("Ana has badge 17")
            steps: list[tuple[int, int]] = []
            await memory.wait(progress=lambda done, total: steps.append((done, total)))
            await memory.remember("Bo has badge 4")
            assert await memory.work() == 1
            assert [job.state for job in await memory.jobs()] == ["done", "done"]
            assert model.threads == [threading.get_ident()] * 2
            assert steps == [(1, 1)]

    asyncio.run(main())


def test_a_model_that_can_only_be_awaited_serves_callers_without_an_event_loop_too() -> None:
    model = Model()
    with Memory.open("ram:", extractor=model, embedder="none", background=False) as memory:
        for text in ("Ana has badge 17", "Bo has badge 4"):
            memory.remember(text)
            memory.wait()
        assert [job.state for job in memory.jobs()] == ["done", "done"]
    (thread,) = set(model.threads)
    assert thread != threading.get_ident()


def test_cancelling_gives_the_jobs_back() -> None:
    async def main() -> None:
        model = Model()
        model.stuck = True
        async with await AsyncMemory.open(
            "ram:", extractor=model, embedder="none", background=False
        ) as memory:
            await memory.remember("Ana has badge 17")
            waiting = asyncio.create_task(memory.wait())
            await model.begun.wait()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert [(job.state, job.attempts) for job in await memory.jobs()] == [("waiting", 0)]
            model.stuck = False
            assert [each.episode_id for each in await memory.wait(timeout=60)]

    asyncio.run(main())


def test_two_callers_on_one_loop_take_turns() -> None:
    async def main() -> None:
        async with await AsyncMemory.open(
            "ram:", extractor=Model(), embedder="none", background=False
        ) as memory:
            spaces = [memory.within(name) for name in ("ada", "tom", "eva")]
            for space in spaces:
                await space.remember("Ana has badge 17")
            learned = await asyncio.gather(*(space.wait() for space in spaces))
            assert [len(each) for each in learned] == [1, 1, 1]

    asyncio.run(main())


def test_an_extractor_that_is_not_awaited_works_in_a_thread() -> None:
    async def main() -> None:
        async with await AsyncMemory.open(
            "ram:", extractor=Moody(), embedder="none", background=False
        ) as memory:
            await memory.remember("Ana has badge 17")
            assert [bool(each.error) for each in await memory.wait(raises=False)] == [True]
            (job,) = await memory.jobs()
            assert job.error == "ModelUnavailableError: away"
            assert await memory.work(retry=True) == 1

    asyncio.run(main())


class Moody(Badges):
    def extract(self, episodes: Any, context: Any) -> Any:
        raise ModelUnavailableError("away")
