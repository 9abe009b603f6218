"""Writers stand in line: SQLite's own waiting sleeps ever longer, so that who has waited longest
comes last.

Whoever wants to write locks the write-ahead log, which SQLite itself never does, takes SQLite's
lock as soon as it is free, and then lets go of the first: so nobody who has just written gets in
before the one who waits. It is a courtesy and nothing more; where it can't be had, SQLite's lock
alone decides.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

if sys.platform == "win32":

    def _lock(handle: int) -> None:
        raise OSError(f"there are no such locks on file {handle}")

    def _unlock(_: int) -> None:
        """Nothing was locked."""

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


T = TypeVar("T")

BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
FIRST_WAIT, LONGEST_WAIT = 0.001, 0.004
IN_FRONT = 0.001
"""Seconds between two looks of who stands in front."""


class Queue:
    """The line before one database's write lock. For one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._log = path.with_name(f"{path.name}-wal")
        self._handle: int | None = None

    @contextmanager
    def front(self, until: float) -> Generator[None]:
        """Stands in front of the line, or where the monotonic clock says so."""
        if self._handle is None or not _acquired(self._handle, until):
            yield
            return
        try:
            yield
        finally:
            _unlock(self._handle)

    def join(self) -> None:
        """Stands in line from now on, where a connection has begun to write: as long as it is open
        the file stays.
        """
        if self._handle is None and sys.platform != "win32":
            with suppress(OSError):
                self._handle = os.open(self._log, os.O_RDWR)

    def leave(self) -> None:
        """Lets go of the file, before it is closed or in a forked process; the lock itself stays
        whose it is.
        """
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _acquired(handle: int, until: float) -> bool:
    wait = FIRST_WAIT
    while True:
        try:
            _lock(handle)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT)
        except OSError:  # this disk has no such locks
            return False
        else:
            return True


def try_until(step: Callable[[], T], until: float, wait: float = IN_FRONT) -> T:
    """Does it as soon as the database lets it; SQLite doesn't wait by itself where waiting could be
    in vain.

    Raises:
        sqlite3.OperationalError: it was busy until then, or another error.
    """
    while True:
        try:
            return step()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in BUSY or time.monotonic() >= until:
                raise
        time.sleep(wait)
