"""The SQLite store: one writer's connection behind a lock, one reader's connection a view."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import warnings
import weakref
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from factbook.errors import StaleWriteError, StoreBusyError, StoreError
from factbook.model.change import Change, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import NewEpisode, Remembered
from factbook.model.job import Lease
from factbook.ports.store import Erasure, FollowUp, Vectors
from factbook.store.erase import lifting_entry
from factbook.store.sqlite import damage
from factbook.store.sqlite.file import migrating, opening
from factbook.store.sqlite.file.identity import Place
from factbook.store.sqlite.file.writers_queue import Queue, try_until
from factbook.store.sqlite.reading.record_snapshot import RecordSnapshot
from factbook.store.sqlite.reading.search_snapshot import SqliteSnapshot
from factbook.store.sqlite.vectors import stored_vectors
from factbook.store.sqlite.vectors.nearest import VectorCache
from factbook.store.sqlite.writing import doors, erasing, job_table, log_table
from factbook.store.tombstones import Graveyard

BUSY_SECONDS = 30.0
"""How long a write waits for another process's."""

READERS = 8
"""Connections that are kept for later views."""


class SqliteStore:
    """Keeps a memory in one SQLite file; safe for threads and processes.

    Raises:
        ConfigError: the path can't be a database of ours. SchemaTooNewError: a newer factbook wrote
            it.
        StoreError: it can't be opened. What was there is left untouched in all cases.
    """

    def __init__(self, path: str | Path, *, timeout: float = BUSY_SECONDS) -> None:
        self._path = opening.path_of(path)
        self._timeout = timeout
        self._spaces: dict[str, int] = {}
        self._vectors = VectorCache()
        self._reset()
        is_open = any(each.has_open(self._path) for each in list(_OPEN))
        was_empty = opening.is_empty_file(self._path)
        self._writable = opening.prepare_file(self._path, is_open=is_open)
        self._place = Place(self._path)
        self._queue = Queue(self._path)
        with opening.clear_errors(self._path):
            if not self._is_current(is_open=is_open):
                if not self._writable:
                    raise StoreError(
                        f"{self._path} has an older schema and can't be written; make it writable "
                        "once"
                    )
                with closing(self._connect(write=True)) as con:
                    migrating.migrate_file(con, self._path)
                if was_empty:
                    warnings.warn(
                        f"{self._path} was empty, and a new memory was made in it; if it held "
                        "one, it is lost: put a backup in its place",
                        stacklevel=2,
                    )
        if self._writable:
            # What another process still reads, or a full disk keeps, is cleared away by whoever
            # opens the file next.
            try:
                self._purge(timeout=0)
            except StoreBusyError:
                pass
            except StoreError as error:
                if not isinstance(error.__cause__, sqlite3.OperationalError):
                    raise
        _OPEN.add(self)

    def __repr__(self) -> str:
        return f"SqliteStore({str(self._path)!r})"

    def _is_current(self, *, is_open: bool) -> bool:
        """Whether the file has the latest schema; touches nothing. `is_open`: see
        `opening.prepare_file`.
        """
        head = None if is_open else opening.read_header(self._path)
        if head is not None and head[0]:
            return migrating.is_current(self._path, *head, is_empty=False)
        with closing(
            opening.open_connection(self._path, write=False, writable=False, timeout=self._timeout)
        ) as con:
            return migrating.inspect_file(con, self._path)

    def _purge(self, timeout: float) -> None:
        until = time.monotonic() + timeout
        with opening.clear_errors(self._path):
            connection = opening.open_connection(
                self._path, write=True, writable=True, timeout=min(timeout, 1.0)
            )
            with closing(connection) as con, self._queue.front(until):
                erasing.purge_file(con, self._path, until)

    def _reset(self) -> None:
        """Begins without connections. After a fork those of the parent are left alone: closing them
        here would drop its locks.
        """
        self._lock = threading.RLock()
        self._writer: sqlite3.Connection | None = None
        self._readers: list[sqlite3.Connection] = []
        self._closed = False

    def after_fork(self) -> None:
        """In the child process: keeps the parent's connections alive and unused, and begins
        anew.
        """
        _INHERITED.extend([*self._readers, *([self._writer] if self._writer else [])])
        closed = self._closed
        self._vectors = VectorCache()  # another thread may have been in the midst of it
        self._reset()
        self._place.leave_companions()
        self._queue.leave()
        self._closed = closed

    def has_open(self, path: Path) -> bool:
        """Whether it has that file open, under whatever name."""
        return not self._closed and self._place.holds(path)

    @property
    def url(self) -> str:
        return f"sqlite:///{self._path}"

    # --- connections ------------------------------------------------------------------------------

    def _connect(self, *, write: bool) -> sqlite3.Connection:
        return opening.open_connection(
            self._path, write=write, writable=self._writable, timeout=self._timeout
        )

    @contextmanager
    def _clear_errors(self) -> Generator[None]:
        """Says in our words what SQLite raises, and what reading a damaged file comes to."""
        try:
            with opening.clear_errors(self._path):
                yield
        except (LookupError, TypeError, AttributeError, ArithmeticError) as error:
            damage = [] if self._closed else self.check()
            if not damage:
                raise
            raise StoreError(
                f"{self._path} is damaged ({damage[0]}); take the latest backup"
            ) from error

    @contextmanager
    def snapshot(self) -> Generator[SqliteSnapshot]:
        with self._clear_errors():
            self._refuse_if_closed()
            try:
                con = self._readers.pop()
            except IndexError:
                con = self._connect(write=False)
            try:
                con.execute("BEGIN")
                self._place.check()
                yield SqliteSnapshot(con, self._spaces, self._vectors, self._path)
            finally:
                con.rollback()
                self._keep(con)

    def _keep(self, con: sqlite3.Connection) -> None:
        if self._closed or len(self._readers) >= READERS:
            con.close()
        else:
            self._readers.append(con)

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        """A transaction that is durable at the end, or undone by any error."""
        if not self._lock.acquire(timeout=self._timeout):
            raise StoreBusyError(
                f"{self._path} is being written by another thread for too long; try again"
            )
        try:
            with self._clear_errors(), opening.clear_input():
                con = self._writer_connection()
                if con.in_transaction:  # this thread's own, of `together`
                    with _step(con):
                        yield con
                    return
                self._begin(con)
                try:
                    self._place.meet_companions()
                    self._queue.join()
                    self._place.check()
                    yield con
                    con.execute("COMMIT")
                finally:
                    con.rollback()
                self._place.check(acknowledges=True)
        finally:
            self._lock.release()

    def _begin(self, con: sqlite3.Connection) -> None:
        """Begins to write when it is this process's turn."""
        until = time.monotonic() + self._timeout
        with self._queue.front(until):
            con.execute(
                "PRAGMA busy_timeout = 0"
            )  # SQLite's own waiting sleeps too long: see `queue`
            try:
                try_until(lambda: con.execute("BEGIN IMMEDIATE"), until)
            finally:
                con.execute(f"PRAGMA busy_timeout = {round(self._timeout * 1000)}")

    @contextmanager
    def together(self) -> Generator[None]:
        with self._writing():
            yield

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(f"{self._path} was closed")

    def _writer_connection(self) -> sqlite3.Connection:
        self._refuse_if_closed()
        if not self._writable:
            raise StoreError(
                f"{self._path} can't be written: the file, its folder or the disk is read-only"
            )
        if self._writer is None:
            self._writer = self._connect(write=True)
        return self._writer

    # --- the two doors ----------------------------------------------------------------------------

    def remember(
        self, space: str, episodes: Sequence[NewEpisode], *, jobs: bool = True, anyway: bool = False
    ) -> Remembered:
        with self._writing() as con:
            number = doors.space_number(con, space)
            dead: frozenset[str] = frozenset()
            if not anyway:
                graveyard = partial(self._graveyard, con, space)
                dead = erasing.find_dead(
                    con, number, graveyard, episodes, partial(doors.is_known, con, number)
                )
            return doors.store_episodes(con, number, episodes, jobs=jobs, dead=dead)

    def _graveyard(self, con: sqlite3.Connection, space: str, *, make: bool = False) -> Graveyard:
        return Graveyard(erasing.read_secret(con, self._path, make=make), space)

    def commit(  # noqa: PLR0913 - as in the port
        self,
        space: str,
        *,
        expected_version: int,
        changes: Sequence[Change],
        stamp: Stamp,
        lease: Lease | None = None,
        vectors: Vectors | None = None,
        erased: bool = False,
    ) -> int:
        if lease is not None and lease.job.space != space:
            raise StoreError("the lease is of another space's job")
        for change in changes:
            change.row_key()
        with self._writing() as con:
            number = doors.space_number(con, space)
            version = log_table.read_version(con, number)
            if lease is not None:
                job_table.close_job(con, lease)
            if version != expected_version:
                raise StaleWriteError(
                    "the record changed since it was read; read again and plan anew"
                )
            if changes or erased:
                version = doors.write_changes(con, number, changes, stamp, erased=erased)
            if vectors is not None:
                self._put_vectors(con, number, vectors)
            return version

    def put_vectors(self, space: str, vectors: Vectors) -> None:
        with self._writing() as con:
            if vectors.texts:
                now = RecordSnapshot(con, self._spaces).embedded(space, vectors.texts)
                rows = {
                    key: row
                    for key, row in vectors.rows.items()
                    if vectors.texts.get(key) in (None, now.get(key))
                }
                vectors = replace(vectors, rows=rows)
            self._put_vectors(con, doors.space_number(con, space), vectors)

    def _put_vectors(self, con: sqlite3.Connection, number: int, given: Vectors) -> None:
        stored_vectors.write_vectors(con, number, given)

    # --- jobs -------------------------------------------------------------------------------------

    def lease(self, *, seconds: float, spaces: Sequence[str] | None = None) -> Lease | None:
        return next(iter(self.lease_batch(seconds=seconds, spaces=spaces, limit=1)), None)

    def lease_batch(
        self, *, seconds: float, spaces: Sequence[str] | None = None, limit: int
    ) -> list[Lease]:
        if not self.has_job(spaces=spaces):
            return []
        with self._writing() as con:
            return job_table.take_jobs(con, seconds=seconds, spaces=spaces, limit=limit)

    def has_job(self, *, spaces: Sequence[str] | None = None) -> bool:
        with self.snapshot() as snapshot:
            return snapshot.has_job(spaces=spaces)

    def requeue(self, *, spaces: Sequence[str] | None = None) -> int:
        with self._writing() as con:
            return job_table.requeue_jobs(con, spaces)

    def renew(self, lease: Lease, *, seconds: float) -> bool:
        with self._writing() as con:
            return job_table.renew_lease(con, lease, seconds)

    def keep_draft(self, lease: Lease, draft: Draft) -> None:
        with self._writing() as con:
            job_table.keep_draft(con, lease, draft)

    def keep_drafts(self, drafts: Sequence[tuple[Lease, Draft]]) -> list[Lease]:
        with self._writing() as con:
            return [lease for lease, draft in drafts if job_table.store_draft(con, lease, draft)]

    def fail(self, lease: Lease, error: str, *, retry_in: float | None) -> None:
        with self._writing() as con:
            job_table.fail_job(con, lease, error, retry_in)

    def release(self, lease: Lease) -> None:
        with self._writing() as con:
            job_table.release_job(con, lease)

    # --- the rest ---------------------------------------------------------------------------------

    def forget(
        self, space: str, erasure: Erasure, *, follow_up: FollowUp | None = None
    ) -> dict[str, int]:
        with self._writing() as con:
            number = doors.space_number(con, space)
            graveyard = None
            if erasure.tombstones:
                graveyard = self._graveyard(con, space, make=True)
                erasing.bury_tombstones(con, number, map(graveyard.name, erasure.names))
            counts = erasing.forget_rows(con, number, space, erasure, graveyard)
            if follow_up is not None:
                snapshot = SqliteSnapshot(con, {space: number}, VectorCache(), self._path)
                doors.write_changes(con, number, follow_up.plan(snapshot), follow_up.stamp)
        with self._lock:
            self._purge(self._timeout)
        return counts

    def lift(self, space: str, *, version: int | None, at: datetime, reason: str = "") -> int:
        with self._writing() as con:
            number = doors.space_number(con, space)
            lifted = erasing.lift_tombstones(con, number, version)
            if lifted:
                log_table.write_log(
                    con, number, lifting_entry(log_table.read_version(con, number) + 1, at, reason)
                )
            return lifted

    def check(self) -> list[str]:
        with opening.clear_errors(self._path):
            self._refuse_if_closed()
            self._place.check()
            with closing(self._connect(write=False)) as con:
                con.execute("BEGIN")
                con.execute("PRAGMA query_only = OFF")
                return damage.find_damage(con)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for con in [*self._readers, *([self._writer] if self._writer else [])]:
                con.close()
            self._readers.clear()
            self._writer = None
            self._place.leave_companions()
            self._queue.leave()


@contextmanager
def _step(con: sqlite3.Connection) -> Generator[None]:
    """A part of an open transaction, undone by any error."""
    con.execute("SAVEPOINT step")
    try:
        yield
    except BaseException:
        con.execute("ROLLBACK TO step")
        raise
    finally:
        con.execute("RELEASE step")


_OPEN: weakref.WeakSet[SqliteStore] = weakref.WeakSet()
_INHERITED: list[sqlite3.Connection] = []


def _after_fork() -> None:
    for store in list(_OPEN):
        store.after_fork()


os.register_at_fork(after_in_child=_after_fork)
