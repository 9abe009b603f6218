"""The interpreter's end: whoever learns is stopped before anything is torn down, however the
program ends.

Python calls what `atexit` registered in the reverse order, while threads still run, and libraries
that were loaded later, or that register their end in C, go down first: a thread inside them then
ends the process by a segmentation fault. `threading` has a list of its own, which is called when
the main thread is through and before all that. There a last thread is begun, for which the
interpreter waits as for any of the host's. It lets the host's threads finish, since they may still
say something and wait for it to be learned, and then stops the workers and shuts the gate before
native code.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from factbook.reader.native_gate import GATE

END_SECONDS = 10.0
"""How long the end waits for extractors that can't be broken off; what they have in hand is given
back.
"""
NATIVE_SECONDS = 60.0
"""How long it waits for threads inside native code: the longest visit is the loading of a model on
a busy machine.
"""
POLL_SECONDS = 0.01


class Ending(Protocol):
    """A worker in threads of its own."""

    def wake(self) -> None:
        """Has it look at `is_over`."""
        ...

    def end(self, seconds: float) -> None:
        """Waits until it has stopped, or gives up after so many seconds."""
        ...


_ALL: weakref.WeakSet[Ending] = weakref.WeakSet()
_over: list[bool] = []
"""Holds something once the program ends."""


def is_ending() -> bool:
    """Whether the program ends: only the main thread may go on working."""
    return bool(_over)


def at_end(who: Ending) -> None:
    """Has it stopped when the program ends; keeps it no longer than others do."""
    _ALL.add(who)


def end() -> None:
    """Stops everybody and waits for it; at once where it was done before."""
    _over.append(True)
    everybody = list(_ALL)
    for each in everybody:
        each.wake()
    until = time.monotonic() + END_SECONDS
    for each in everybody:
        each.end(max(0.0, until - time.monotonic()))
    GATE.shut(NATIVE_SECONDS)


def _main_is_through() -> None:
    if _ALL and not _over:
        with suppress(RuntimeError):  # no thread can be begun any more: `atexit` does it
            threading.Thread(target=_last, name="factbook-end", daemon=False).start()


def _last() -> None:
    while any(map(_is_the_hosts, threading.enumerate())):
        time.sleep(POLL_SECONDS)
    end()


def _is_the_hosts(thread: threading.Thread) -> bool:
    """Whether the interpreter waits for it, too."""
    return not (
        thread.daemon or thread is threading.main_thread() or thread is threading.current_thread()
    )


def _register() -> None:
    # Not public, but concurrent.futures needs the same and has it from there. Without it there is
    # `atexit`.
    early: Callable[[Callable[[], None]], None] | None = getattr(
        threading, "_register_atexit", None
    )
    if early is not None:
        with suppress(RuntimeError):
            early(_main_is_through)
    atexit.register(end)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_over.clear)


_register()
