"""Calls the extractor for a turn, or awaits it on the caller's event loop; the turn's own steps
stay in threads.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from factbook.learn.worker_turn import Ask, Turn
from factbook.model.draft import Draft
from factbook.ports.models import AsyncExtractor

if TYPE_CHECKING:
    from factbook.llm.loop import LoopThread

T = TypeVar("T")

PATIENCE = 0.1
"""Seconds between two looks whether the caller was cancelled meanwhile."""


def drive(turn: Turn) -> int:
    """Calls the extractor until the turn ends; returns what the turn does."""
    step = _step(lambda: next(turn))
    while isinstance(step, Ask):
        try:
            drafts = _extracted(step)
        except BaseException as error:  # noqa: BLE001 - the turn decides what becomes of it
            step = _thrown(turn, error)
        else:
            step = _sent(turn, drafts)
    return step


async def adrive(one_at_a_time: threading.Lock, begin: Callable[[], Turn]) -> int:
    """The same, awaited, while the lock is held. Cancelling it gives back what the turn has in
    hand.
    """
    await _acquire(one_at_a_time)
    turn = begin()
    try:
        step = await _in_thread(partial(_step, partial(next, turn)))
        while isinstance(step, Ask):
            try:
                drafts = await _awaited(step)
            except BaseException as error:  # noqa: BLE001 - the turn decides what becomes of it
                step = await _in_thread(partial(_thrown, turn, error))
            else:
                step = await _in_thread(partial(_sent, turn, drafts))
        return step
    finally:
        turn.close()
        one_at_a_time.release()


def _step(go: Callable[[], Ask]) -> Ask | int:
    """Returns the turn's next request, or its result."""
    try:
        return go()
    except StopIteration as end:
        return int(end.value)


def _sent(turn: Turn, drafts: Sequence[Draft]) -> Ask | int:
    return _step(lambda: turn.send(drafts))


def _thrown(turn: Turn, error: BaseException) -> Ask | int:
    return _step(lambda: turn.throw(error))


def _extracted(ask: Ask) -> Sequence[Draft]:
    extractor = ask.extractor
    if isinstance(extractor, AsyncExtractor) and extractor.awaits:
        return _loop().submit(lambda _: extractor.aextract(ask.episodes, ask.context)).result()
    return extractor.extract(ask.episodes, ask.context)


async def _awaited(ask: Ask) -> Sequence[Draft]:
    extractor = ask.extractor
    if isinstance(extractor, AsyncExtractor):
        return await extractor.aextract(ask.episodes, ask.context)
    return await _in_thread(lambda: extractor.extract(ask.episodes, ask.context))


async def _in_thread(call: Callable[[], T]) -> T:
    """Calls it in a thread, and waits for its end also when cancelled: a turn can't be left in the
    midst of a step.
    """
    task = asyncio.ensure_future(asyncio.to_thread(call))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


async def _acquire(lock: threading.Lock) -> None:
    while not lock.acquire(blocking=False):
        await asyncio.sleep(PATIENCE)


class _Nobody:
    async def close(self) -> None:
        """There is nothing to close."""


@cache
def _loop() -> LoopThread[_Nobody]:
    """Returns the loop for extractors that can only be awaited, for callers without one: a single
    loop, since the connections of their clients are bound to it.
    """
    from factbook.llm.loop import LoopThread

    return LoopThread(_Nobody)
