"""One file, several processes and threads: what was acknowledged is there, and nothing is there
twice.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from factbook.errors import StoreBusyError, StoreError
from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.model.record import Note
from factbook.store import open_store
from factbook.store.sqlite import SqliteStore
from factbook.store.sqlite.store import _after_fork
from tests.support.builders import commit, entity, episode, mention, message, note, same_as

CHILD = Path(__file__).with_name("sqlite_child.py")


def start(action: str, database: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(CHILD), action, str(database), name, str(count)]
    root = Path(__file__).parents[3]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    )


def said(process: subprocess.Popen[str]) -> list[str]:
    out, _ = process.communicate()
    return out.split()


@pytest.mark.slow
def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path):
    database = tmp_path / "a.db"
    runs = [start("remember", database, "ada", 200), start("put", database, "tom", 200)]
    acknowledged = [said(run) for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    store = open_store(str(database))
    with store.snapshot() as snapshot:
        assert sorted(snapshot.messages("ada", acknowledged[0])) == sorted(acknowledged[0])
        assert {row.id for row in snapshot.every("ada", Note)} == set(acknowledged[1])
        assert snapshot.stats("ada")["lines"] == 400
        assert snapshot.version("ada") == 200
    assert store.check() == []
    store.close()


@pytest.mark.slow
def test_two_workers_do_every_job_once_and_in_order(tmp_path: Path):
    database = tmp_path / "a.db"
    store = open_store(str(database))
    ids = [f"e{number:03}" for number in range(40)]
    store.remember("ada", [episode(message(f"Told {each}", id=each), id=each) for each in ids])
    runs = [start("work", database, name, len(ids)) for name in ("one", "two")]
    done = [said(run) for run in runs]
    assert sorted(done[0] + done[1]) == ids
    with store.snapshot() as snapshot:
        order = [
            change.after.id
            for entry in snapshot.log("ada")
            for change in entry.changes
            if change.after
        ]
    assert order == [f"note-{each}" for each in ids]
    store.close()


@pytest.mark.slow
@pytest.mark.crash
@pytest.mark.parametrize("action", ["remember", "put"])
def test_a_killed_process_loses_nothing_that_it_acknowledged(tmp_path: Path, action: str):
    database = tmp_path / "a.db"
    acknowledged: list[str] = []
    for number in range(5):
        run = start(action, database, f"run{number}", 1_000_000)
        assert run.stdout is not None
        acknowledged += [run.stdout.readline().strip() for _ in range(5 + 11 * number)]
        run.send_signal(signal.SIGKILL)
        # A line may have been cut off by the kill: only whole ones are acknowledgements.
        acknowledged += [
            line.strip()
            for line in run.communicate()[0].splitlines(keepends=True)
            if line.endswith("\n")
        ]
    store = open_store(str(database))
    with store.snapshot() as snapshot:
        kept = (
            snapshot.messages("ada", acknowledged)
            if action == "remember"
            else snapshot.get("ada", Note, acknowledged)
        )
        assert sorted(kept) == sorted(acknowledged)
    assert store.check() == []
    store.close()


def test_threads_read_and_write_at_once(tmp_path: Path):
    store = open_store(str(tmp_path / "a.db"))
    wrong: list[object] = []

    def write(name: str) -> None:
        for number in range(20):
            store.remember(
                "ada", [episode(message("Hello", id=f"{name}{number}"), id=f"{name}{number}")]
            )

    def read() -> None:
        for _ in range(50):
            with store.snapshot() as snapshot:
                first = snapshot.stats("ada")
                found = snapshot.find_words("ada", ["hello"], LineFilter(), limit=100)
                if first != snapshot.stats("ada") or len(found) != first["lines"]:
                    wrong.append(first)

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    threads += [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    with store.snapshot() as snapshot:
        assert snapshot.stats("ada")["messages"] == 60
    assert len(store._readers) <= 8  # type: ignore[attr-defined]
    store.close()


def test_a_view_stays_as_it_was_while_others_write(tmp_path: Path):
    store, other = SqliteStore(tmp_path / "a.db"), SqliteStore(tmp_path / "a.db")
    commit(store, "ada", entity("ada"))
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 1
        commit(other, "ada", entity("tom"))
        other.remember("ada", [episode("Hello")])
        assert snapshot.version("ada") == 1
        assert snapshot.stats("ada")["messages"] == 0
        assert snapshot.find_words("ada", ["hello"], LineFilter(), limit=9) == []
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 2
    store.close()
    other.close()


def test_views_within_views_have_connections_of_their_own(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    with store.snapshot() as outer:
        assert outer.version("ada") == 0
        commit(store, "ada", entity("ada"))
        with store.snapshot() as inner:
            assert (outer.version("ada"), inner.version("ada")) == (0, 1)
    store.close()


def test_no_more_readers_are_kept_than_needed(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    views = [store.snapshot() for _ in range(10)]
    for view in views:
        view.__enter__()
    for view in views:
        view.__exit__(None, None, None)
    assert len(store._readers) == 8
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_begins_with_connections_of_its_own(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    commit(store, "ada", entity("ada"))
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 1
    with store._lock:  # as if another thread were writing at the moment of the fork
        child = os.fork()
        if child == 0:
            status = 1
            try:
                with store.snapshot() as snapshot:
                    assert snapshot.version("ada") == 1
                commit(store, "ada", note("From the child", id="n1"))
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
    commit(store, "ada", note("From the parent", id="n2"))
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.every("ada", Note)] == ["n1", "n2"]
    assert store.check() == []
    store.close()


def test_what_a_child_begins_anew_works(tmp_path: Path):
    store, closed = SqliteStore(tmp_path / "a.db"), SqliteStore(tmp_path / "b.db")
    commit(store, "ada", entity("ada"))
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 1
    closed.close()
    _after_fork()
    commit(store, "ada", entity("tom"))
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 2
    with pytest.raises(StoreError, match="closed"), closed.snapshot():
        pass
    store.close()


def test_a_row_that_comes_and_goes_in_one_commit_leaves_only_its_log(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    row = note("Hello", id="n1")
    commit(store, "ada", Change(after=row), Change(before=row))
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 1
        assert snapshot.stats("ada")["lines"] == 0
    assert store.check() == []
    store.close()


def test_merges_that_are_no_forest_are_refused(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    commit(store, "ada", same_as("a", "b", id="s1"))
    with pytest.raises(StoreError, match="one other only"):
        commit(store, "ada", same_as("a", "c", id="s2"))
    with pytest.raises(StoreError, match="in a circle"):
        commit(store, "ada", same_as("b", "a", id="s2"))
    with store.snapshot() as snapshot:
        assert snapshot.canonical("ada", "abc") == {"a": "b", "b": "b", "c": "c"}
    store.close()


def test_a_mention_may_be_there_before_its_message(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    told = message("Tom plays", id="m1")
    commit(store, "ada", entity("tom"), mention("tom", told, "Tom", "e1"))
    store.remember("ada", [episode(told, id="e1")])
    with store.snapshot() as snapshot:
        lines = snapshot.find_entity_lines("ada", ["tom"], LineFilter(), limit=9)
        assert {hit.id for hit in snapshot.hits("ada", lines, [])} == {"m1", "tom"}
    store.close()


def test_a_write_waits_for_another_process_and_then_goes_on(tmp_path: Path):
    first, second = (
        SqliteStore(tmp_path / "a.db", timeout=0.05),
        SqliteStore(tmp_path / "a.db", timeout=30),
    )
    with first._writing():
        waiting = threading.Thread(target=second.remember, args=("ada", [episode("Hello")]))
        waiting.start()
        with (
            closing(SqliteStore(tmp_path / "a.db", timeout=0)) as hasty,
            pytest.raises(StoreBusyError),
        ):
            hasty.remember("ada", [episode("Me first")])
    waiting.join()
    with first.snapshot() as snapshot:
        assert snapshot.stats("ada")["messages"] == 1
    first.close()
    second.close()
