"""The gate before native code, which must be empty when the interpreter goes down or the process
forks.

A thread that is inside a parser or a network when the interpreter is torn down ends the process by
a segmentation fault, and one that is inside at a fork leaves the child a lock that nobody opens. So
every visit is short, and is counted.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from factbook.errors import StoppedError

FORK_SECONDS = 10.0
"""A fork waits so long for visits to end, and then goes ahead."""


class Gate:
    """Counts who is inside. The main thread always gets in: nothing is torn down while it works."""

    def __init__(self) -> None:
        self._begin_visit({})

    def _begin_visit(self, inside: dict[int, int]) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._inside = Counter(inside)
        self._holders = 0
        self._shut = False

    @contextmanager
    def visit(self) -> Generator[None]:
        """Goes in and out; visits of one thread may lie in each other.

        Raises:
            StoppedError: the interpreter ends, and this is not its main thread.
        """
        me = threading.get_ident()
        with self._changed:
            while not self._inside[me] and self._holders:
                self._changed.wait()
            if (
                self._shut
                and not self._inside[me]
                and threading.current_thread() is not threading.main_thread()
            ):
                raise StoppedError("the program ends")
            self._inside[me] += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside[me] -= 1
                if not self._inside[me]:
                    del self._inside[me]
                self._changed.notify_all()

    def shut(self, seconds: float) -> bool:
        """Lets no thread in but the main one, for good; whether all others were out within so many
        seconds.
        """
        with self._changed:
            self._shut = True
            self._changed.notify_all()
            return self._wait_until_empty(seconds)

    def hold(self, seconds: float = FORK_SECONDS) -> None:
        """Keeps the others out until `release`, once they are out; gives up waiting after so many
        seconds.
        """
        with self._changed:
            self._holders += 1
            self._wait_until_empty(seconds)

    def release(self) -> None:
        """Ends a `hold`."""
        with self._changed:
            self._holders -= 1
            self._changed.notify_all()

    def after_fork(self) -> None:
        """Begins anew in a child process, where only this thread lives on."""
        me = threading.get_ident()
        self._begin_visit({me: self._inside[me]} if self._inside[me] else {})

    def _wait_until_empty(self, seconds: float) -> bool:
        me, until = threading.get_ident(), time.monotonic() + seconds
        while any(thread != me for thread, visits in self._inside.items() if visits):
            left = until - time.monotonic()
            if left <= 0:
                return False
            self._changed.wait(left)
        return True


def leave_at_once() -> None:
    """Has a forked process that inherited onnxruntime end without its clearing up, where the C
    library lets us.

    That waits for a thread which only the parent has: the child would hang, or abort. It comes
    after all that is Python's.
    """
    if "onnxruntime" not in sys.modules or sys.platform != "linux":
        return
    c = ctypes.CDLL(None)
    if hasattr(
        c, "on_exit"
    ):  # glibc's; what is registered last is called first, and is given the exit status
        c.on_exit(getattr(c, "_exit"), None)  # noqa: B009 - C has no private names


GATE = Gate()
"""The one of this process."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=GATE.hold, after_in_parent=GATE.release, after_in_child=GATE.after_fork
    )
    os.register_at_fork(after_in_child=leave_at_once)
