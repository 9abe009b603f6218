"""An event loop in a thread of its own, in which all calls of one model run, whoever makes them.

One place for both kinds of callers: the limit of parallel calls and the connections are shared, a
deadline ends a call wherever it hangs, and a caller's own event loops may come and go.
"""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Generic, Protocol, TypeVar

from factbook.errors import ModelUnavailableError

CLOSED = "the model was closed; open it again"


class Resident(Protocol):
    """An object that is bound to the thread's loop."""

    async def close(self) -> None: ...


R = TypeVar("R", bound=Resident)
T = TypeVar("T")


class LoopThread(Generic[R]):
    """Begun by the first call. In a forked process it is begun anew: a thread doesn't live on
    there. It is a daemon: the end of the process doesn't wait for it, and whoever has work that
    must not be lost closes it in time.

    Args:
        make: makes the resident, in the loop.
    """

    def __init__(self, make: Callable[[], R]) -> None:
        self._make = make
        self._closed = False
        self._start_thread()
        _ALL.add(self)

    def _start_thread(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._resident: R | None = None

    def submit(self, work: Callable[[R], Coroutine[Any, Any, T]]) -> Future[T]:
        """Runs it in the loop; cancelling what is returned cancels it there. When the thread is
        closed meanwhile, it ends in a `ModelUnavailableError`.

        Raises:
            ModelUnavailableError: the thread is closed.
        """
        with self._lock:
            if self._closed:
                raise ModelUnavailableError(CLOSED)
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=_run_loop, args=(self._loop,), name="factbook-model", daemon=True
                )
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(self._run_work(work), self._loop)

    async def _run_work(self, work: Callable[[R], Coroutine[Any, Any, T]]) -> T:
        if self._resident is None:
            self._resident = self._make()
        try:
            return await work(self._resident)
        except asyncio.CancelledError:
            if not self._closed:
                raise
        raise ModelUnavailableError(CLOSED)

    def close(self) -> None:
        """Cancels what runs, closes the resident and ends the thread."""
        with self._lock:
            self._closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(self._end_loop(loop), loop)
            if thread is not threading.current_thread():
                thread.join()

    async def _end_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        try:
            if self._resident is not None:
                await self._resident.close()
        finally:
            self._resident = None
            loop.call_soon(loop.stop)

    def after_fork(self) -> None:
        """Leaves the parent's loop and resident alone, and keeps them: were they collected, they'd
        unregister their connections from a selector that is the parent's, too.
        """
        LEFT.append((self._loop, self._resident))
        self._start_thread()


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


_ALL: weakref.WeakSet[LoopThread[Any]] = weakref.WeakSet()
LEFT: list[object] = []
"""What forks left behind."""


def _after_fork() -> None:
    for each in list(_ALL):
        each.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
