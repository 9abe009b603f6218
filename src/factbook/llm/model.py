"""A language model on a server: asked again where that may help, within limits, and counted."""

from __future__ import annotations

import asyncio
import random
import time
import weakref
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from factbook.llm.api import Answer, Api, Manner, ask_api
from factbook.llm.faults import Trouble, as_error
from factbook.llm.loop import LoopThread
from factbook.llm.meter import Meter
from factbook.llm.settings import ModelSettings
from factbook.model.usage import Usage
from factbook.ports.models import ChatMessage

FIRST_WAIT = 0.5
"""Seconds before the first retry; twice as many before each further one, and a half to the whole of
it by chance.
"""
LONGEST_WAIT = 8.0
LONGEST_RETRY_AFTER = 30.0
"""A server that asks for a longer pause isn't waited for: the call fails, and says how long."""

PRICED_TOKENS = 1_000_000
"""Prices are of so many."""

Reply = str | dict[str, Any]


class Model:
    """`LanguageModel`, `AsyncLanguageModel` and `Metered` in one. Safe to use from any thread,
    event loop and fork.

    Args:
        name: as it stands in drafts. make: the server's API; called again in a forked process.
        sleep, chance, timer: how it waits, a number from 0 to 1, and seconds that pass.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[], Api],
        settings: ModelSettings,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.name = name
        self._settings = settings
        self._sleep = sleep
        self._chance = chance
        self._timer = timer
        self._meter = Meter()
        self._manner = Manner()
        self._thread = LoopThread(lambda: _Seat(make(), settings.parallel))
        # One that nobody holds any more takes its thread along.
        weakref.finalize(self, self._thread.close).atexit = False

    def __repr__(self) -> str:
        return f"Model({self.name!r})"

    def complete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """Returns the answer: its text, or the object itself where the server gives one; a cut-off
        one is text.

        Raises:
            ModelUnavailableError: try again later. ReplyRejectedError: don't.
        """
        future = self._thread.submit(lambda seat: self._ask_with_retries(seat, messages, schema))
        try:
            return future.result()
        finally:
            future.cancel()  # where the wait was broken off, as by a key

    async def acomplete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """Like `complete`, awaited. Cancelling it ends the request."""
        return await asyncio.wrap_future(
            self._thread.submit(lambda seat: self._ask_with_retries(seat, messages, schema))
        )

    def usage(self) -> Usage:
        """Counts the calls since it was opened, and their cost where prices were given."""
        total, settings = self._meter.total(), self._settings
        if settings.input_price is None or settings.output_price is None:
            return total
        cost = (
            total.input_tokens * settings.input_price + total.output_tokens * settings.output_price
        )
        return replace(total, cost=cost / PRICED_TOKENS)

    def close(self) -> None:
        """Ends its connections and its thread. Calls that wait fail, as later ones do."""
        self._thread.close()

    async def _ask_with_retries(
        self, seat: _Seat, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None
    ) -> Reply:
        async with seat.slots:
            began, retries, done = self._timer(), 0, False
            try:
                while True:
                    answer = await self._ask_once(seat.api, messages, schema)
                    if answer.trouble is None:
                        done = True
                        return answer.reply
                    wait = self._retry_delay(answer.trouble, retries)
                    if wait is None:
                        break
                    retries += 1
                    await self._sleep(wait)
            finally:
                seconds = self._timer() - began
                self._meter.add(
                    Usage(calls=1, retries=retries, failures=int(not done), seconds=seconds)
                )
        raise as_error(answer.trouble, self.name, seat.api.advice, self._settings.timeout)

    async def _ask_once(
        self, api: Api, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None
    ) -> Answer:
        answer, self._manner = await ask_api(
            api, messages, schema, self._manner, self._settings.timeout
        )
        spent = Usage(
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cut=int(answer.cut),
        )
        self._meter.add(spent)
        return answer

    def _retry_delay(self, trouble: Trouble, retries: int) -> float | None:
        """Returns seconds before the next try; None if there is to be none."""
        if retries >= self._settings.retries or not trouble.may_pass:
            return None
        wait = min(FIRST_WAIT * 2**retries, LONGEST_WAIT) * (0.5 + self._chance() / 2)
        asked_for = trouble.retry_after or 0.0
        return max(wait, asked_for) if asked_for <= LONGEST_RETRY_AFTER else None


class _Seat:
    """The connections that are bound to one event loop."""

    def __init__(self, api: Api, parallel: int) -> None:
        self.api = api
        self.slots = asyncio.Semaphore(parallel)

    async def close(self) -> None:
        await self.api.close()
