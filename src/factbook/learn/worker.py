"""The worker: takes turns at the jobs of one store, in a thread of its own or in the caller's (see
`worker_turn.py`).
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from factbook.errors import StoppedError, StoreError
from factbook.learn import interpreter_exit as ending
from factbook.learn.call_extractor import adrive, drive
from factbook.learn.clock import Clock, IdMaker
from factbook.learn.committing import Parts, embed_texts
from factbook.learn.observers import Bell
from factbook.learn.worker_turn import Learner, place
from factbook.model.receipt import Learned
from factbook.ports.models import Embedder, Extractor
from factbook.ports.store import Store, Vectors
from factbook.views.view import View

LEASE_SECONDS = 60.0
"""After so long without an end, a job is taken for one whose worker died, and another may have
it.
"""
STOP_SECONDS = 10.0
"""How long stopping waits for the jobs in hand; then they are given back, and whoever works next
begins them anew.
"""
IDLE_SECONDS = 2.0
"""How often a waiting worker looks for jobs that other processes left."""
VECTORS_AT_ONCE = 64
MOST_LEARNED = 1000
"""Of what was learned so much is kept for whoever waits; nobody may ever do so."""

_COUNTS = ("entities", "facts", "relations", "observations", "mentions", "reviews", "conflicts")

_log = logging.getLogger("factbook")

T = TypeVar("T")


class Worker:
    """Learns the episodes of one store. Safe to use from several threads; it takes one turn at a
    time.
    """

    def __init__(  # noqa: PLR0913 - the parts that a worker needs
        self,
        store: Store,
        *,
        extractor: Callable[[], Extractor | None],
        stand_in: Callable[[], Extractor | None],
        embedder: Callable[[], Embedder | None],
        bell: Bell,
        clock: Clock,
        new_id: IdMaker,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._bell = bell
        self._clock = clock
        self._parts = Parts(
            store=store,
            embedder=embedder,
            bell=bell,
            clock=clock,
            new_id=new_id,
            lease_seconds=lease_seconds,
            stopped=self._is_stopped,
        )
        self._learner = Learner(
            self._parts,
            extractor=extractor,
            stand_in=stand_in,
            heard=self._hear,
            failed=lambda space, job_id: self._failed.append((space, job_id)),
        )
        self._stopped = False
        self._begin()
        _ALL.add(self)
        ending.at_end(self)

    def _begin(self) -> None:
        """Starts the parts that only one process can hold: also in a forked one, where no other
        thread lives on.
        """
        self._one_at_a_time = threading.Lock()
        self._starting = threading.Lock()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._learned: deque[Learned] = deque(maxlen=MOST_LEARNED)
        self._failed: deque[tuple[str, str]] = deque(maxlen=MOST_LEARNED)

    def after_fork(self) -> None:
        """Makes ready to work in a child process; its jobs are the parent's too, whoever takes
        them.
        """
        self._begin()
        self._learner.after_fork()

    @property
    def is_running(self) -> bool:
        """Whether a thread of this process works in the background."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> bool:
        """Begins to work in the background, or wakes up if it is there already; False where it was
        stopped.
        """
        with self._starting:
            if self._is_stopped() or ending.is_ending():
                return False
            if not self.is_running:
                self._thread = threading.Thread(
                    target=self._run, name="factbook-worker", daemon=True
                )
                self._thread.start()
        self._wake.set()
        return True

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Ends the background work, with what is in hand between two pieces of reading: the rest is
        given back. So is all of it where an extractor doesn't let itself be broken off, after so
        many seconds.
        """
        with self._starting:
            self._stopped = True
        self._wake.set()
        self._settle(seconds)

    def end(self, seconds: float) -> None:
        """Ends the work of all threads but the main one: the program ends. `wake` comes before."""
        self._settle(seconds)
        # Whoever works in a thread of the host's gives back what it has in hand before it lets go.
        if self._one_at_a_time.acquire(timeout=seconds):
            self._one_at_a_time.release()

    def wake(self) -> None:
        """Has a waiting thread look whether it is stopped."""
        self._wake.set()

    def _settle(self, seconds: float) -> None:
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(seconds)
            if self._thread.is_alive():
                self._learner.give_back()

    def join(self, seconds: float = 1.0) -> None:
        """Waits for a stopped thread that had something in hand still, but not for ever."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def work_once(self, spaces: Sequence[str] | None = None) -> int:
        """Takes the next jobs of one space and finishes or fails them; how many that were."""
        with self._one_at_a_time:
            return drive(self._learner.turn(spaces))

    async def awork_once(self, spaces: Sequence[str] | None = None) -> int:
        """The same with the extractor awaited, and the rest in threads."""
        return await adrive(self._one_at_a_time, lambda: self._learner.turn(spaces))

    def embed_once(self, space: str | None = None) -> bool:
        """Gives vectors to some lines that lack them; False if none lacks one."""
        model = self._embedder()
        if model is None:
            return False
        with self._store.snapshot() as snapshot:
            lacking = snapshot.without_vector(space, model.name, limit=VECTORS_AT_ONCE)
        by_space: dict[str, dict[str, str]] = {}
        for name, line_id, text in lacking:
            by_space.setdefault(name, {})[line_id] = text
        for name, texts in by_space.items():
            rows = embed_texts(model, texts, self._parts.check)
            self._store.put_vectors(
                name, Vectors(model=model.name, size=model.size, rows=rows, texts=texts)
            )
        return bool(lacking)

    def take_learned(self, space: str, timeout: float | None = None) -> list[Learned]:
        """Returns the episodes of a space learned by this worker since the last call; waits so many
        seconds for the job in hand.
        """
        if self._one_at_a_time.acquire(timeout=-1 if timeout is None else max(timeout, 0)):
            self._one_at_a_time.release()
        return _taken(self._learned, lambda each: each.space == space)

    def put_back(self, learned: Sequence[Learned]) -> None:
        """Keeps what was taken for the next `take_learned`."""
        self._learned.extendleft(reversed(learned))

    def take_failed(self, space: str) -> set[str]:
        """Returns the ids of the jobs of a space that this worker could not do since the last
        call.
        """
        return {job_id for _, job_id in _taken(self._failed, lambda each: each[0] == space)}

    def _hear(self, learned: Learned, ms: float) -> None:
        self._learned.append(learned)
        counts = {name: getattr(learned, name) for name in _COUNTS}
        self._bell.ring(
            "learned",
            learned.space,
            episode=learned.episode_id,
            version=learned.version,
            ms=ms,
            **counts,
        )
        if learned.conflicts:
            self._bell.ring(
                "conflict", learned.space, episode=learned.episode_id, count=learned.conflicts
            )
        if learned.found and self._bell.is_heard_of_entities:
            with self._store.snapshot() as snapshot:
                view = View(snapshot=snapshot, space=learned.space, now=self._clock())
                ids = dict.fromkeys(snapshot.canonical(learned.space, learned.entity_ids).values())
                entities, total = (
                    view.entities(list(ids)),
                    snapshot.stats(learned.space)["entities"],
                )
            self._bell.show_entities(learned.episode_id, learned.found, total, entities)

    def _is_stopped(self) -> bool:
        return self._stopped or (
            ending.is_ending() and threading.current_thread() is not threading.main_thread()
        )

    def _run(self) -> None:
        told = ""
        while not self._is_stopped():
            self._wake.clear()
            try:
                busy = (not self._learner.pause and bool(self.work_once())) or self.embed_once()
            except Exception as error:
                # The outermost loop: a defect or a broken store must not end the thread in silence.
                words = f"{type(error).__name__} at {place(error)}"
                if words != told and not (
                    self._is_stopped() and isinstance(error, StoreError | StoppedError)
                ):
                    _log.error("the worker failed: %s", words)
                    # it may fail every time that it looks, such as where the file was deleted
                    told = words
                busy = False
            if not busy and not self._is_stopped():
                self._wake.wait(IDLE_SECONDS)


def _taken(among: deque[T], is_wanted: Callable[[T], bool]) -> list[T]:
    """Takes the wanted ones out; other threads may add meanwhile."""
    taken: list[T] = []
    for _ in range(len(among)):
        with suppress(IndexError):
            each = among.popleft()
            (taken if is_wanted(each) else among).append(each)
    return taken


_ALL: weakref.WeakSet[Worker] = weakref.WeakSet()


def _after_fork() -> None:
    for worker in list(_ALL):
        worker.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
