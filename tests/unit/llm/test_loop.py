"""Calls from threads and event loops, at the same time, cancelled, closed and forked."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from factbook.errors import ConfigError, ModelUnavailableError
from factbook.llm.loop import LEFT, LoopThread
from factbook.llm.model import Model
from factbook.ports.models import ChatMessage
from tests.support.faulty_server import FaultyServer, hang, reply

ASK = (ChatMessage("Who?"),)
APIS = ("openai", "anthropic", "ollama")

ModelOf = Callable[..., Model]


def running() -> int:
    return sum(thread.name == "factbook-model" for thread in threading.enumerate())


@pytest.mark.parametrize("api", APIS)
def test_event_loops_may_come_and_go(api: str, server: FaultyServer, model_of: ModelOf) -> None:
    server.otherwise = reply("Ada")
    model = model_of(api)
    for _ in range(3):
        assert asyncio.run(model.acomplete(ASK)) == "Ada"
    assert model.complete(ASK) == "Ada"
    assert model.usage().calls == 4


def test_an_awaited_call_leaves_its_loop_free(server: FaultyServer, model_of: ModelOf) -> None:
    model = model_of("ollama")
    server.otherwise = hang()

    async def both() -> None:
        call = asyncio.ensure_future(model.acomplete(ASK))
        await asyncio.to_thread(server.wait_for, 1)
        assert not call.done()
        server.released.set()
        with pytest.raises(ModelUnavailableError):
            await call

    asyncio.run(both())


def test_calls_at_the_same_time_are_limited_whoever_makes_them(
    server: FaultyServer, model_of: ModelOf
) -> None:
    held = threading.Barrier(2, timeout=10)

    def wait_for_another(handler: object, asked: object) -> None:
        held.wait()
        reply("Ada")(handler, asked)  # type: ignore[arg-type]

    server.otherwise = wait_for_another
    model = model_of("ollama", parallel=2)

    async def three() -> list[object]:
        return list(await asyncio.gather(*(model.acomplete(ASK) for _ in range(3))))

    with ThreadPoolExecutor(4) as pool:
        awaited = pool.submit(lambda: asyncio.run(three()))
        waited = [pool.submit(model.complete, ASK) for _ in range(3)]
        assert [*awaited.result(), *(each.result() for each in waited)] == ["Ada"] * 6
    assert server.most_at_once == 2


@pytest.mark.parametrize("api", APIS)
def test_a_cancelled_call_ends_and_gives_its_place_to_the_next(
    api: str, server: FaultyServer, model_of: ModelOf
) -> None:
    server.will(hang())
    server.otherwise = reply("Ada")
    model = model_of(api, parallel=1)

    async def cancelled() -> None:
        call = asyncio.ensure_future(model.acomplete(ASK))
        await asyncio.to_thread(server.wait_for, 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(cancelled())
    assert model.complete(ASK) == "Ada"
    usage = model.usage()
    assert (usage.calls, usage.failures) == (2, 1)


@pytest.mark.parametrize("api", APIS)
def test_closing_ends_calls_that_wait_and_refuses_later_ones(
    api: str, server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = hang()
    model = model_of(api)
    before = running()
    with ThreadPoolExecutor(2) as pool:
        waiting = [
            pool.submit(model.complete, ASK),
            pool.submit(lambda: asyncio.run(model.acomplete(ASK))),
        ]
        server.wait_for(2)
        assert running() == before + 1
        model.close()
        for each in waiting:
            with pytest.raises(ModelUnavailableError, match="closed"):
                each.result()
    model.close()
    assert running() == before
    with pytest.raises(ModelUnavailableError, match="open it again"):
        model.complete(ASK)
    assert model.usage().failures == 2


def test_a_model_that_nobody_asked_is_closed_without_a_thread(model_of: ModelOf) -> None:
    before = running()
    model_of("openai").close()
    assert running() == before


def test_a_model_that_nobody_holds_takes_its_thread_along(server: FaultyServer) -> None:
    from factbook.llm import ModelSettings, open_model

    model = open_model("ollama:small", ModelSettings(base_url=server.url))
    before = running()
    model.complete(ASK)
    assert running() == before + 1
    del model
    gc.collect()
    assert running() == before


class Resident:
    """Knows whether it was closed."""

    def __init__(self) -> None:
        self.closed = False

    async def close(self) -> None:
        self.closed = True


def test_a_loop_may_be_closed_from_within() -> None:
    resident = Resident()
    thread = LoopThread(lambda: resident)

    async def close(resident: Resident) -> threading.Thread:
        thread.close()
        return threading.current_thread()

    thread.submit(close).result().join()
    assert resident.closed
    with pytest.raises(ModelUnavailableError):
        thread.submit(close)


def test_a_resident_that_cannot_be_made_is_told_and_closing_works() -> None:
    def make() -> Resident:
        raise ConfigError("no such house")

    async def live(resident: Resident) -> None:
        raise AssertionError

    thread = LoopThread(make)
    for _ in range(2):
        with pytest.raises(ConfigError, match="no such house"):
            thread.submit(live).result()
    thread.close()


def test_what_a_fork_leaves_behind_is_never_collected() -> None:
    thread = LoopThread(Resident)

    async def itself(resident: Resident) -> Resident:
        return resident

    first = thread.submit(itself).result()
    loop, ended = thread._loop, thread._thread
    thread.after_fork()
    assert (loop, first) in LEFT
    second = thread.submit(itself).result()
    assert second is not first
    thread.close()
    assert (first.closed, second.closed) == (False, True)
    assert loop is not None
    assert ended is not None
    loop.call_soon_threadsafe(loop.stop)
    ended.join()
    LEFT.remove((loop, first))


CHILD = """
    import os, threading
    from factbook.llm import ModelSettings, open_model
    from factbook.ports.models import ChatMessage
    from tests.support.faulty_server import FaultyServer, hang, reply

    ask = (ChatMessage("Who?"),)
    with FaultyServer(otherwise=reply("Ada")) as server:
        model = open_model("{api}:small", ModelSettings(base_url=server.base_url("{api}"), retries=0))
        assert model.complete(ask) == "Ada"
        child = os.fork()
        if child == 0:
            try:
                assert not [each for each in threading.enumerate() if each.name == "factbook-model"]
                assert model.complete(ask) == "Ada"
                assert model.usage().calls == 2
                model.close()
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        assert model.complete(ask) == "Ada"
        assert model.usage().calls == 2
        model.close()
        print("both")
"""

AT_EXIT = """
    import threading
    from factbook.llm import ModelSettings, open_model
    from factbook.ports.models import ChatMessage
    from tests.support.faulty_server import FaultyServer, hang

    server = FaultyServer(otherwise=hang()).__enter__()
    model = open_model("{api}:small", ModelSettings(base_url=server.base_url("{api}"), timeout=600))

    def ask():
        try:
            model.complete((ChatMessage("Who?"),))
        except Exception as error:
            print(type(error).__name__, flush=True)

    threading.Thread(target=ask, daemon=True).start()
    server.wait_for(1)
"""


def in_a_process(program: str, api: str) -> str:
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "always::ResourceWarning",
            "-W",
            "ignore:This process",
            "-c",
            textwrap.dedent(program).replace("{api}", api),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("api", APIS)
def test_a_forked_process_and_its_parent_both_go_on(api: str) -> None:
    assert in_a_process(CHILD, api) == "both"


@pytest.mark.parametrize("api", APIS)
def test_a_call_that_waits_does_not_hold_up_the_end_of_the_process(api: str) -> None:
    assert in_a_process(AT_EXIT, api) in ("", "ModelUnavailableError")
