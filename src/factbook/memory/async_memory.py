"""AsyncMemory: the same memory for callers on an event loop; one hop to a thread a public call,
never one a query.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable, Coroutine, Generator, Sequence
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from factbook.memory.memory import Memory, Progress
from factbook.model.receipt import Learned

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound="AsyncMemory")


def _hop_to_thread(
    method: Callable[Concatenate[Memory, P], T],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]]:
    """The method of `Memory` as a coroutine with the same arguments, result and errors."""

    async def call(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, self.sync, *args, **kwargs)

    functools.update_wrapper(call, method)
    return call


class Opening(Generic[M]):
    """A memory that is being opened: to be awaited, or entered with `async with`, which closes it
    at the end.
    """

    def __init__(self, opened: Callable[[], Coroutine[Any, Any, M]]) -> None:
        self._open = opened
        self._memory: M | None = None

    def __await__(self) -> Generator[Any, None, M]:
        return self._open().__await__()

    async def __aenter__(self) -> M:
        self._memory = await self._open()
        return self._memory

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._memory is not None:
            await self._memory.close()


class AsyncMemory:
    """`Memory` with every call awaited.

    ::

        async with AsyncMemory.open("factbook.db") as memory:
            await memory.within("ada").remember("Alice runs Project Atlas.")
    """

    def __init__(self, sync: Memory) -> None:
        self.sync = sync
        """The memory behind it; use it from threads."""

    def __repr__(self) -> str:
        return f"Async{self.sync!r}"

    @classmethod
    def open(cls, *args: Any, **kwargs: Any) -> Opening[Self]:
        """Opens a memory; takes what `Memory.open` takes. Await it, or write `async with
        AsyncMemory.open(…)`.
        """

        async def opened() -> Self:
            return cls(await asyncio.to_thread(Memory.open, *args, **kwargs))

        return Opening(opened)

    def within(self, space: str, reads: Sequence[str] = ()) -> AsyncMemory:
        """The same memory bound to another space."""
        return AsyncMemory(self.sync.within(space, reads))

    @property
    def space(self) -> str:
        """The space's name."""
        return self.sync.space

    @property
    def url(self) -> str:
        """The URL of the memory, without secrets."""
        return self.sync.url

    async def wait(
        self, timeout: float | None = None, progress: Progress | None = None, *, raises: bool = True
    ) -> list[Learned]:
        """Like `Memory.wait`. Where the call itself learns, a language model is awaited on the
        caller's event loop.
        """
        began = time.monotonic()
        if timeout is None or not self.sync.background:
            await self.sync.alearn(timeout=timeout, progress=progress)
        left = None if timeout is None else max(began + timeout - time.monotonic(), 0)
        return await asyncio.to_thread(self.sync.wait, left, progress, raises=raises)

    async def work(self, *, retry: bool = False, every_space: bool = False) -> int:
        """Like `Memory.work`; a language model is awaited on the caller's event loop."""
        done = await self.sync.alearn(retry=retry, every_space=every_space)
        return done + await asyncio.to_thread(self.sync.work, every_space=every_space)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    remember = _hop_to_thread(Memory.remember)
    warm = _hop_to_thread(Memory.warm)
    put = _hop_to_thread(Memory.put)
    relate = _hop_to_thread(Memory.relate)
    end = _hop_to_thread(Memory.end)
    rename = _hop_to_thread(Memory.rename)
    note = _hop_to_thread(Memory.note)
    observe = _hop_to_thread(Memory.observe)
    register = _hop_to_thread(Memory.register)
    merge = _hop_to_thread(Memory.merge)
    unmerge = _hop_to_thread(Memory.unmerge)
    decide = _hop_to_thread(Memory.decide)
    settle = _hop_to_thread(Memory.settle)
    undo = _hop_to_thread(Memory.undo)
    foresee_undo = _hop_to_thread(Memory.foresee_undo)
    recall = _hop_to_thread(Memory.recall)
    context = _hop_to_thread(Memory.context)
    whole = _hop_to_thread(Memory.whole)
    get = _hop_to_thread(Memory.get)
    find = _hop_to_thread(Memory.find)
    episodes = _hop_to_thread(Memory.episodes)
    entities = _hop_to_thread(Memory.entities)
    count_entities = _hop_to_thread(Memory.count_entities)
    relations = _hop_to_thread(Memory.relations)
    neighbours = _hop_to_thread(Memory.neighbours)
    observations = _hop_to_thread(Memory.observations)
    profile = _hop_to_thread(Memory.profile)
    profile_lines = _hop_to_thread(Memory.profile_lines)
    notes = _hop_to_thread(Memory.notes)
    get_notes = _hop_to_thread(Memory.get_notes)
    search_notes = _hop_to_thread(Memory.search_notes)
    note_categories = _hop_to_thread(Memory.note_categories)
    put_notes = _hop_to_thread(Memory.put_notes)
    drop_notes = _hop_to_thread(Memory.drop_notes)
    prune_notes = _hop_to_thread(Memory.prune_notes)
    conflicts = _hop_to_thread(Memory.conflicts)
    reviews = _hop_to_thread(Memory.reviews)
    doubts = _hop_to_thread(Memory.doubts)
    duplicates = _hop_to_thread(Memory.duplicates)
    dedupe = _hop_to_thread(Memory.dedupe)
    kinds = _hop_to_thread(Memory.kinds)
    jobs = _hop_to_thread(Memory.jobs)
    stats = _hop_to_thread(Memory.stats)
    usage = _hop_to_thread(Memory.usage)
    spaces = _hop_to_thread(Memory.spaces)
    history = _hop_to_thread(Memory.history)
    trends = _hop_to_thread(Memory.trends)
    log = _hop_to_thread(Memory.log)
    forget = _hop_to_thread(Memory.forget)
    lift = _hop_to_thread(Memory.lift)
    export = _hop_to_thread(Memory.export)
    import_ = _hop_to_thread(Memory.import_)
    close = _hop_to_thread(Memory.close)
