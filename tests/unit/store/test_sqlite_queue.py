"""Several writers of one file: each gets its turn, and who waits long is told only after the time
that was promised.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from factbook import Memory
from factbook.errors import StoreBusyError
from factbook.store.sqlite.file import writers_queue
from factbook.store.sqlite.file.writers_queue import Queue, try_until
from factbook.store.sqlite.store import SqliteStore

WRITER = """
import sys, time
from factbook import Memory
memory = Memory.open(sys.argv[1], extractor="none", embedder="none", background=False)
waited, until = 0.0, time.monotonic() + float(sys.argv[2])
while time.monotonic() < until:
    began = time.perf_counter()
    memory.remember(f"{sys.argv[3]} said something of the harbour at {began}")
    waited = max(waited, time.perf_counter() - began)
print(waited)
"""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")


def opened(path: Path) -> Memory:
    return Memory.open(path, extractor="none", embedder="none", background=False)


def writers(path: Path, count: int, seconds: float) -> list[subprocess.Popen[str]]:
    return [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(seconds), f"w{n}"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(count)
    ]


@pytest.mark.slow
def test_what_is_forgotten_beside_busy_processes_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        for number in range(200):
            memory.remember(
                f"Zed Quorn has {number} boats and a house in Uhlm", session=f"s{number}"
            )
        busy = writers(path, 2, 4)
        time.sleep(1)
        for number in range(6):
            memory.forget(session=f"s{number}")
        for process in busy:
            process.communicate()
        assert memory.stats()["messages"] > 194


def test_whoever_stands_in_front_is_waited_for_and_then_it_goes_on_without(tmp_path: Path) -> None:
    (tmp_path / "m.db-wal").touch()
    first, second = Queue(tmp_path / "m.db"), Queue(tmp_path / "m.db")
    with first.front(0):
        pass  # without a connection nobody stands in line
    first.join()
    second.join()
    with first.front(time.monotonic()):
        began = time.monotonic()
        with second.front(began + 0.05):
            assert time.monotonic() - began >= 0.05
    with second.front(time.monotonic() + 5):
        pass
    first.leave()
    first.leave()
    second.leave()


def test_a_disk_without_such_locks_is_no_hindrance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.db-wal").touch()
    line = Queue(tmp_path / "m.db")
    line.join()

    def none(handle: int) -> None:
        raise OSError(f"not supported on {handle}")

    monkeypatch.setattr(writers_queue, "_lock", none)
    with line.front(time.monotonic() + 5):
        pass
    line.leave()


def test_a_write_waits_as_long_as_was_promised_and_no_longer(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "m.db", timeout=0.3)
    store.requeue()
    other = sqlite3.connect(tmp_path / "m.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(StoreBusyError):
        store.requeue()
    assert 0.3 <= time.monotonic() - began < 5
    other.rollback()
    store.requeue()
    other.close()
    store.close()


def test_the_first_write_waits_while_another_makes_the_log_anew(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "m.db").close()
    other = sqlite3.connect(tmp_path / "m.db", isolation_level=None, check_same_thread=False)
    store = SqliteStore(tmp_path / "m.db", timeout=10)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, other.close)
    timer.start()
    assert store.requeue() == 0
    timer.join()
    store.close()


def test_what_is_no_waiting_is_raised_at_once() -> None:
    con = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        try_until(lambda: con.execute("SELECT 1 FROM nowhere"), time.monotonic() + 60)
    con.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_in_a_forked_process_nobody_stands_in_the_parents_place(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "m.db")
    store.requeue()
    held = [store._queue._handle is not None]
    store.after_fork()
    assert [*held, store._queue._handle is None] == [True, True]
    store.requeue()
    store.close()
