"""The worker: takes jobs one after the other, in a thread of its own or in the caller's.

A job that fails for now waits longer each time; one that can't succeed is `failed` with its error until someone asks
for another try. What is said in an error is never the text of a message.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress

from factbook.errors import ConfigError, ExtractError, ModelUnavailableError, StoreError
from factbook.memory.clock import Clock, IdMaker
from factbook.memory.learning import embed_texts, learn
from factbook.memory.observers import Bell
from factbook.memory.views import View
from factbook.model.job import Lease
from factbook.model.receipt import Learned
from factbook.ports.models import Embedder, Extractor
from factbook.ports.store import Store, Vectors

LEASE_SECONDS = 60.0
"""After so long without an end, a job is taken for one whose worker died, and another may have it."""
FIRST_RETRY_SECONDS = 5.0
MOST_TRIES = 8
IDLE_SECONDS = 2.0
"""How often a waiting worker looks for jobs that other processes left."""
VECTORS_AT_ONCE = 64
MOST_LEARNED = 1000
"""Of what was learned so much is kept for whoever waits; nobody may ever do so."""

_COUNTS = ("entities", "facts", "relations", "mentions", "reviews", "conflicts")

_log = logging.getLogger("factbook")


class Worker:
    """Learns the episodes of one store. Safe to use from several threads; it extracts one episode at a time."""

    def __init__(
        self,
        store: Store,
        *,
        extractor: Callable[[], Extractor | None],
        embedder: Callable[[], Embedder | None],
        bell: Bell,
        clock: Clock,
        new_id: IdMaker,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._lease_seconds = lease_seconds
        self._store = store
        self._extractor = extractor
        self._embedder = embedder
        self._bell = bell
        self._clock = clock
        self._new_id = new_id
        self._stopped = False
        self._begin()
        _ALL.add(self)

    def _begin(self) -> None:
        """What only one process can hold: also the start in a forked one, where no other thread lives on."""
        self._one_at_a_time = threading.Lock()
        self._starting = threading.Lock()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._learned: deque[Learned] = deque(maxlen=MOST_LEARNED)

    def after_fork(self) -> None:
        """Makes ready to work in a child process; its jobs are the parent's too, whoever takes them."""
        self._begin()

    @property
    def is_running(self) -> bool:
        """Whether a thread of this process works in the background."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begins to work in the background; wakes up if it is there already."""
        with self._starting:
            if not self.is_running and not self._stopped:
                self._thread = threading.Thread(target=self._run, name="factbook-worker", daemon=True)
                self._thread.start()
        self._wake.set()

    def stop(self) -> None:
        """Ends the background work after the job in hand."""
        with self._starting:
            self._stopped = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def work_once(self, spaces: Sequence[str] | None = None) -> bool:
        """Takes one job and finishes or fails it; False if there was none to take."""
        with self._one_at_a_time:
            lease = self._store.lease(seconds=self._lease_seconds, spaces=spaces)
            if lease is None:
                return False
            with self._kept(lease):
                self._finish(lease)
            return True

    @contextmanager
    def _kept(self, lease: Lease) -> Generator[None]:
        """Lengthens the lease as long as the job takes, so that nobody else begins it anew."""
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(self._lease_seconds / 3):
                with suppress(StoreError):
                    if not self._store.renew(lease, seconds=self._lease_seconds):
                        return

        thread = threading.Thread(target=renew, name="factbook-lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def embed_once(self, space: str | None = None) -> bool:
        """Gives vectors to some lines that lack them; False if none lacks one."""
        model = self._embedder()
        if model is None:
            return False
        with self._store.reading() as reader:
            lacking = reader.without_vector(space, model.name, limit=VECTORS_AT_ONCE)
        by_space: dict[str, dict[str, str]] = {}
        for name, line_id, text in lacking:
            by_space.setdefault(name, {})[line_id] = text
        for name, texts in by_space.items():
            rows = embed_texts(model, texts)
            self._store.put_vectors(name, Vectors(model=model.name, size=model.size, rows=rows))
        return bool(lacking)

    def take_learned(self, space: str, timeout: float | None = None) -> list[Learned]:
        """What was learned of a space by this worker since the last call; waits so many seconds for the job in hand."""
        if self._one_at_a_time.acquire(timeout=-1 if timeout is None else max(timeout, 0)):
            self._one_at_a_time.release()
        taken: list[Learned] = []
        for _ in range(len(self._learned)):
            with suppress(IndexError):
                each = self._learned.popleft()
                (taken if each.space == space else self._learned).append(each)
        return taken

    def _finish(self, lease: Lease) -> None:
        began = time.perf_counter()
        try:
            learned = self._learn(lease)
        except (KeyboardInterrupt, SystemExit):
            self._store.release(lease)
            raise
        except (ExtractError, ConfigError, StoreError) as error:
            lasting = not isinstance(error, ModelUnavailableError | StoreError)
            self._fail(lease, f"{type(error).__name__}: {error}", lasting=lasting)
        except Exception as error:
            # A defect, ours or a library's: its words could hold what was said, its type can't.
            met = f"unexpected {type(error).__name__} at {_place(error)}"
            _log.error("learning an episode failed: %s", met)
            self._fail(lease, met, lasting=False)
        else:
            self._learned.append(learned)
            self._tell(learned, (time.perf_counter() - began) * 1000)

    def _learn(self, lease: Lease) -> Learned:
        extractor = self._extractor()
        if extractor is None:
            raise ConfigError("no extractor is installed: pip install 'factbook[local]'")
        return learn(
            self._store,
            lease,
            extractor=extractor,
            embedder=self._embedder,
            bell=self._bell,
            clock=self._clock,
            new_id=self._new_id,
        )

    def _fail(self, lease: Lease, error: str, *, lasting: bool) -> None:
        tries = lease.job.attempts
        wait = None if lasting or tries >= MOST_TRIES else FIRST_RETRY_SECONDS * 2**tries
        self._store.fail(lease, error, retry_in=wait)
        self._bell.ring(
            "failed",
            lease.job.space,
            episode=lease.job.id,
            error=error.partition(":")[0],
            attempts=tries,
            final=wait is None,
        )

    def _tell(self, learned: Learned, ms: float) -> None:
        counts = {name: getattr(learned, name) for name in _COUNTS}
        self._bell.ring("learned", learned.space, episode=learned.episode_id, version=learned.version, ms=ms, **counts)
        if learned.conflicts:
            self._bell.ring("conflict", learned.space, episode=learned.episode_id, count=learned.conflicts)
        if learned.found and self._bell.is_heard_of_entities:
            with self._store.reading() as reader:
                view = View(reader=reader, space=learned.space, now=self._clock())
                ids = dict.fromkeys(reader.canonical(learned.space, learned.entity_ids).values())
                entities, total = view.entities(list(ids)), reader.stats(learned.space)["entities"]
            self._bell.show_entities(learned.episode_id, learned.found, total, entities)

    def _run(self) -> None:
        while not self._stopped:
            self._wake.clear()
            try:
                busy = self.work_once() or self.embed_once()
            except Exception as error:
                # The outermost loop: a defect or a broken store must not end the thread in silence.
                _log.error("the worker failed: %s at %s", type(error).__name__, _place(error))
                busy = False
            if not busy and not self._stopped:
                self._wake.wait(IDLE_SECONDS)


_ALL: weakref.WeakSet[Worker] = weakref.WeakSet()


def _stop_all() -> None:
    for worker in list(_ALL):
        worker.stop()


def _after_fork() -> None:
    for worker in list(_ALL):
        worker.after_fork()


atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _place(error: Exception) -> str:
    """Module and line in which it was raised, which can't hold what was said."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}" if trace is not None else "?"
