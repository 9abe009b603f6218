"""What the SQLite tests run in processes of their own: `sqlite_child.py ACTION DATABASE NAME
COUNT`.

Each finished write is acknowledged by a line on standard output.
"""

from __future__ import annotations

import sys

from factbook.errors import StaleWriteError
from factbook.store import open_store
from factbook.store.sqlite import SqliteStore
from tests.support.builders import commit, episode, message, note, stamp


def remember(store: SqliteStore, name: str, count: int) -> None:
    for number in range(count):
        told = message(f"{name} says {number}", id=f"{name}-{number}")
        assert store.remember("ada", [episode(told, id=f"e-{name}-{number}")]).stored == 1
        print(told.id, flush=True)


def put(store: SqliteStore, name: str, count: int) -> None:
    for number in range(count):
        while True:
            try:
                commit(store, "ada", note(f"{name} notes {number}", id=f"{name}-{number}"))
                break
            except StaleWriteError:
                continue
        print(f"{name}-{number}", flush=True)


def work(store: SqliteStore, name: str, count: int) -> None:
    """Turns jobs into notes until none is left; another worker may hold the one job that is due."""
    done = 0
    while done < count:
        lease = store.lease(seconds=30)
        if lease is not None:
            with store.snapshot() as snapshot:
                version = snapshot.version("ada")
            change = note(f"{name} did {lease.job.id}", id=f"note-{lease.job.id}")
            store.commit(
                "ada", expected_version=version, changes=[_put(change)], stamp=stamp(), lease=lease
            )
            print(lease.job.id, flush=True)
        with store.snapshot() as snapshot:
            done = snapshot.job_counts("ada").get("done", 0)


def _put(row):
    from factbook.model.change import Change

    return Change(after=row)


if __name__ == "__main__":
    action, path, name, count = sys.argv[1:]
    opened = open_store(path)
    assert isinstance(opened, SqliteStore)
    {"remember": remember, "put": put, "work": work}[action](opened, name, int(count))
    opened.close()
