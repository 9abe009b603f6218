"""One turn of the worker: it leases the next jobs of a space, has them extracted in one call, and
finishes each in order.

A turn is a generator: it hands out what the extractor is to read and is sent the drafts, or thrown
the error, so that the caller may call the extractor or await it. A job that fails for now waits
longer each time; one that can't succeed is `failed` with its error until someone asks for another
try. What is said in an error is never the text of a message. Between two pieces of reading a turn
is broken off that is stopped, or that takes long while other spaces wait.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from factbook.errors import (
    ConfigError,
    ExtractError,
    InputError,
    ModelUnavailableError,
    ReplyRejectedError,
    StoppedError,
    StoreError,
)
from factbook.learn.committing import (
    Parts,
    Task,
    commit,
    context_of,
    keep_results,
    stand_in,
    tasks_of,
)
from factbook.learn.retries import AWAY_SECONDS, MOST_TRIES, find_wait
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.job import Job, Lease
from factbook.model.receipt import Learned
from factbook.ports.models import Batching, ExtractionContext, Extractor
from factbook.ports.store import Store

JOBS_AT_ONCE = 16
"""So many jobs of a space are leased together."""
ALONE_EVERY = 3
"""At every third try a job goes without others, so that one that brings the server down doesn't
hold them up for good.
"""
READING_SECONDS = 5.0
"""So long one call may read while other spaces wait; after each time that this is too little, twice
as long.
"""
LOOK_SECONDS = 1.0
"""How often a call that reads for longer looks whether others wait."""

_log = logging.getLogger("factbook")


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """A request to the extractor: the episodes to read now."""

    extractor: Extractor
    episodes: Sequence[Episode]
    context: ExtractionContext


Turn = Generator[Ask, Sequence[Draft], int]
"""Returns how many jobs it finished or failed."""


class Hand:
    """Leases in hand: lengthened as long as the turn takes, and given back at its end if they are
    still open.
    """

    def __init__(self, store: Store, leases: Iterable[Lease], seconds: float) -> None:
        self._store = store
        self._seconds = seconds
        self._open = {lease.token: lease for lease in leases}
        self._ended = threading.Event()
        self._renewing = threading.Thread(target=self._renew, name="factbook-lease", daemon=True)

    def __enter__(self) -> Self:
        with suppress(
            RuntimeError
        ):  # no thread begins any more where the interpreter ends: the lease does as it is
            self._renewing.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._renewing.is_alive():
            self._renewing.join()
        self.give_back()

    def holds(self, lease: Lease) -> bool:
        """Whether the lease is neither closed nor given back."""
        return lease.token in self._open

    def close(self, lease: Lease) -> None:
        """It is done with."""
        self._open.pop(lease.token, None)

    def give_back(self) -> None:
        """Gives back what is open, without counting the attempt."""
        self._ended.set()
        for lease in list(self._open.values()):
            with suppress(StoreError):
                self._store.release(lease)
            self.close(lease)

    def _renew(self) -> None:
        while not self._ended.wait(self._seconds / 3):
            for lease in list(self._open.values()):
                with suppress(StoreError):
                    self._store.renew(lease, seconds=self._seconds)


class Allowance:
    """Whether a call of the extractor may go on reading: what it is given as
    `ExtractionContext.check`.

    Args:
        seconds: so long nobody asks whether others wait.
    """

    def __init__(
        self, seconds: float, *, stopped: Callable[[], bool], others_wait: Callable[[], bool]
    ) -> None:
        self._seconds = seconds
        self._stopped = stopped
        self._others_wait = others_wait
        self._next_look = time.monotonic() + seconds

    def __call__(self) -> None:
        """Raises StoppedError where it may not."""
        if self._stopped():
            raise StoppedError("learning was stopped")
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        if self._others_wait():
            raise StoppedError(
                f"other spaces wait, and reading took longer than {self._seconds:g} s; it goes on "
                "later, for longer"
            )


class Learner:
    """Takes turns. Only one may be under way at a time."""

    def __init__(
        self,
        parts: Parts,
        *,
        extractor: Callable[[], Extractor | None],
        stand_in: Callable[[], Extractor | None],
        heard: Callable[[Learned, float], None],
        failed: Callable[[str, str], None],
    ) -> None:
        """`heard` is told what was learned, and in how many milliseconds; `failed` the space and id
        of each job that could not be done, also where it will be tried again.
        """
        self._parts = parts
        self._extractor = extractor
        self._stand_in = stand_in
        self._seconds = parts.lease_seconds
        self._heard = heard
        self._failed = failed
        self._stopped = parts.stopped
        self._spaces: Sequence[str] | None = None
        self._hand: Hand | None = None
        self._away_until = 0.0

    @property
    def pause(self) -> float:
        """Seconds for which a model that was away a moment ago is better left alone; who asks for a
        try gets one.
        """
        return max(0.0, self._away_until - time.monotonic())

    def turn(self, spaces: Sequence[str] | None) -> Turn:
        """Leases jobs of one space, as many as go into one call, and settles them; none where it is
        stopped: the interpreter may go down before they could be given back.
        """
        if self._stopped():
            return 0
        leases = self._parts.store.lease_batch(
            seconds=self._seconds, spaces=spaces, limit=JOBS_AT_ONCE
        )
        if not leases:
            return 0
        self._spaces = spaces
        return (yield from self.settle(leases))

    def settle(self, leases: Sequence[Lease]) -> Turn:
        """Extracts what has no draft yet, in one call, and commits in order; gives back what didn't
        go into the call.
        """
        with Hand(self._parts.store, leases, self._seconds) as hand:
            self._hand = hand
            try:
                tasks = tasks_of(self._parts, leases)
            except StoreError as error:
                for lease in leases:
                    self._fail(hand, lease, error)
                return len(leases)
            for lease in leases:
                if all(task.lease is not lease for task in tasks):
                    hand.close(lease)  # with its episode forgotten
            if new := [task for task in tasks if task.draft is None]:
                yield from self._begin(hand, new)
            for task in tasks:
                if self._stopped() or (task.draft is None and hand.holds(task.lease)):
                    break
                self._commit(hand, task)
            return sum(not hand.holds(lease) for lease in leases)

    def after_fork(self) -> None:
        """Leaves what the parent has in hand to the parent."""
        self._hand = None

    def give_back(self) -> None:
        """Gives back what the turn under way has in hand: its caller waits no longer for it."""
        if self._hand is not None:
            self._hand.give_back()

    def _begin(self, hand: Hand, tasks: Sequence[Task]) -> Generator[Ask, Sequence[Draft], None]:
        try:
            extractor = self._extractor()
        except Exception as error:
            self._stand_in_for(tasks)
            self._fail_all(hand, tasks, error)
            return
        if extractor is None:
            self._fail_all(
                hand, tasks, ConfigError("no extractor is installed: pip install 'factbook[local]'")
            )
            return
        try:
            batch = _first_batch(extractor, tasks)
        except Exception as error:
            self._fail_all(hand, tasks, error)
            return
        yield from self._extract(hand, extractor, batch)

    def _extract(
        self, hand: Hand, extractor: Extractor, tasks: Sequence[Task]
    ) -> Generator[Ask, Sequence[Draft], None]:
        began = time.perf_counter()
        episodes = [task.episode for task in tasks]
        broken_off: Sequence[Task] = ()
        try:
            context = context_of(
                self._parts, tasks[0].space, episodes, extractor, self._allowance(tasks)
            )
            drafts, why = yield from _ask_extractor(
                Ask(extractor=extractor, episodes=episodes, context=context)
            )
            if why is not None:
                tasks, broken_off = tasks[: len(drafts)], tasks[len(drafts) :]
            if tasks:
                keep_results(
                    self._parts, tasks, drafts, context, (time.perf_counter() - began) * 1000
                )
            elif why is not None and broken_off and not self._stopped():
                self._fail(hand, broken_off[0].lease, why)
        except StoreError as error:
            self._fail_all(hand, tasks, error)
        except ModelUnavailableError as error:
            self._away_until = time.monotonic() + AWAY_SECONDS
            self._stand_in_for(tasks)
            self._fail_all(hand, tasks, error)
        except Exception as error:
            if len(tasks) == 1:
                self._stand_in_for(tasks)
                self._fail(hand, tasks[0].lease, error)
                return
            # One of them may be what the extractor can't take: the others aren't to suffer for it.
            for task in tasks:
                yield from self._extract(hand, extractor, [task])
        else:
            _close_lost(hand, tasks)

    def _allowance(self, tasks: Sequence[Task]) -> Allowance:
        """The more, the more often the first of them was tried."""

        def others_wait() -> bool:
            return self._parts.store.has_job(
                spaces=self._spaces
            )  # those of this space don't count: one is in hand

        tries = min(tasks[0].lease.job.attempts, MOST_TRIES)
        return Allowance(
            READING_SECONDS * 2 ** (tries - 1), stopped=self._stopped, others_wait=others_wait
        )

    def _commit(self, hand: Hand, task: Task) -> None:
        if not hand.holds(task.lease):
            return
        began = time.perf_counter()
        try:
            learned = commit(self._parts, task)
        except StoppedError:
            return
        except Exception as error:
            self._fail(hand, task.lease, error, final=isinstance(error, ReplyRejectedError))
        else:
            hand.close(task.lease)
            self._heard(learned, task.ms + (time.perf_counter() - began) * 1000)

    def _stand_in_for(self, tasks: Sequence[Task]) -> None:
        """Has the stand-in learn the episodes meanwhile. What goes wrong with that leaves them to
        the next try.
        """
        began = time.perf_counter()
        try:
            extractor = self._stand_in()
            for learned in stand_in(self._parts, tasks, extractor) if extractor is not None else ():
                self._heard(learned, (time.perf_counter() - began) * 1000)
                began = time.perf_counter()
        except StoppedError:
            pass  # the next try has it stand in again
        except Exception as error:
            _log.warning(
                "the stand-in could not learn an episode: %s at %s",
                type(error).__name__,
                place(error),
            )

    def _fail_all(self, hand: Hand, tasks: Iterable[Task], error: Exception) -> None:
        for task in tasks:
            self._fail(hand, task.lease, error)

    def _fail(self, hand: Hand, lease: Lease, error: Exception, *, final: bool = False) -> None:
        if not hand.holds(lease):
            return
        if isinstance(error, ExtractError | ConfigError | InputError | StoreError):
            words = f"{type(error).__name__}: {error}"
        else:
            # A defect, ours or a library's: its words could hold what was said, its type can't.
            words = f"unexpected {type(error).__name__} at {place(error)}"
            _log.error("learning an episode failed: %s", words)
        wait = None if final else find_wait(error, lease.job)
        hand.close(lease)
        self._parts.store.fail(lease, words, retry_in=wait)
        self._failed(lease.job.space, lease.job.id)
        self._parts.bell.ring(
            "failed",
            lease.job.space,
            episode=lease.job.id,
            error=words.partition(":")[0],
            attempts=lease.job.attempts,
            final=wait is None,
        )


def was_broken_off(job: Job) -> bool:
    """Whether it waits only because reading it took long while other spaces waited."""
    return job.state == "waiting" and job.error.startswith(StoppedError.__name__)


def _first_batch(extractor: Extractor, tasks: Sequence[Task]) -> Sequence[Task]:
    """Returns the tasks that go into one call."""
    if tasks[0].lease.job.attempts % ALONE_EVERY == 0:
        return tasks[:1]
    if not isinstance(extractor, Batching):
        return tasks
    parts = extractor.batches([task.episode for task in tasks])
    return tasks[: max(len(parts[0]), 1)] if parts else tasks[:1]


def _ask_extractor(
    ask: Ask,
) -> Generator[Ask, Sequence[Draft], tuple[Sequence[Draft], StoppedError | None]]:
    """Returns the drafts, and the error of an extractor that was stopped before it made all."""
    try:
        drafts = yield ask
    except StoppedError as error:
        return error.done, error
    return drafts, None


def _close_lost(hand: Hand, tasks: Sequence[Task]) -> None:
    """Closes the leases that were lost: whoever has them now finishes the jobs."""
    for task in tasks:
        if task.draft is None:
            hand.close(task.lease)


def place(error: Exception) -> str:
    """Module and line in which it was raised, which can't hold what was said."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (
        f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"
        if trace is not None
        else "?"
    )
