"""The database file: who may read it, and what happens where it can't be opened or written."""

from __future__ import annotations

import math
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from factbook.errors import ConfigError, InputError, SchemaTooNewError, StoreBusyError, StoreError
from factbook.ports.store import Store
from factbook.store import open_store
from factbook.store.sqlite import SqliteStore
from factbook.store.sqlite.file import migrating, opening
from tests.support.builders import commit, entity, episode, fact, message

NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[None]:
    """Runs as one whom permissions bind."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that anyone may enter, so that the tests below mean its own permissions."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        path.chmod(0o777)
        yield path
        path.chmod(0o777)


def made(path: Path) -> Path:
    """A database with one message."""
    store = open_store(str(path))
    store.remember("ada", [episode(message("Hello", id="m1"), id="e1")])
    store.close()
    return path


def count(store: Store) -> int:
    with store.snapshot() as snapshot:
        return snapshot.stats("ada")["messages"]


def test_only_its_owner_may_read_the_files(tmp_path: Path):
    old = os.umask(0)
    try:
        store = open_store(str(tmp_path / "a.db"))
        store.remember("ada", [episode("Hello")])
    finally:
        os.umask(old)
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == {"a.db": 0o600, "a.db-wal": 0o600, "a.db-shm": 0o600}
    store.close()
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.filterwarnings("ignore:.*was empty:UserWarning")
def test_an_empty_file_becomes_a_database(tmp_path: Path):
    (tmp_path / "a.db").touch()
    made(tmp_path / "a.db")


def test_what_is_no_database_is_left_untouched(tmp_path: Path):
    path = tmp_path / "a.db"
    for content in (b"Dear diary,", b"\0" * 5000, b"SQLite"):
        path.write_bytes(content)
        with pytest.raises(ConfigError, match="no SQLite database; it was left untouched"):
            open_store(str(path))
        assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["a.db"]


def test_damage_is_said_to_be_damage(tmp_path: Path):
    path = made(tmp_path / "a.db")
    whole = path.read_bytes()
    for content in (whole[:100] + b"\xff" * 5000, whole[:80] + b"\xff" * 5000):
        path.write_bytes(content)
        with pytest.raises(StoreError, match="damaged"):
            open_store(str(path))
        assert path.read_bytes() == content


def test_another_programs_database_is_left_untouched(tmp_path: Path):
    path = tmp_path / "a.db"
    con = sqlite3.connect(path)
    con.execute("CREATE TABLE bookmarks (url)")
    con.commit()
    con.close()
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="another program's"):
        open_store(str(path))
    assert path.read_bytes() == before


def test_a_newer_schema_is_refused_and_left_untouched(tmp_path: Path):
    path = made(tmp_path / "a.db")
    newer = migrating.latest_number() + 1
    con = sqlite3.connect(path)
    con.execute(f"PRAGMA user_version = {newer}")
    con.close()
    before = path.read_bytes()
    with pytest.raises(SchemaTooNewError) as error:
        open_store(str(path))
    assert str(error.value) == (
        f"{path} was written by factbook with schema {newer}; this one knows schema {migrating.latest_number()}. "
        "Upgrade with: pip install -U factbook"
    )
    assert path.read_bytes() == before


def test_a_folder_or_a_path_without_one_is_refused(tmp_path: Path):
    with pytest.raises(ConfigError, match="is a folder"):
        open_store(str(tmp_path))
    with pytest.raises(ConfigError, match="does not exist; make it first"):
        open_store(str(tmp_path / "none" / "a.db"))


def test_a_folder_that_can_not_be_written_takes_no_new_database(folder: Path):
    folder.chmod(0o555)
    with unprivileged(), pytest.raises(ConfigError, match="can't be made: Permission denied"):
        open_store(str(folder / "a.db"))


def test_a_file_that_can_not_be_read_is_said_so(folder: Path):
    made(folder / "a.db").chmod(0o000)
    with unprivileged(), pytest.raises(ConfigError, match="can't be read: Permission denied"):
        open_store(str(folder / "a.db"))


@pytest.mark.parametrize("mode", [0o555, 0o777])
def test_a_read_only_file_can_be_read(folder: Path, mode: int):
    made(folder / "a.db").chmod(0o444)
    folder.chmod(mode)
    with unprivileged():
        store = open_store(str(folder / "a.db"))
        assert count(store) == 1
        assert store.check() == []
        with pytest.raises(
            StoreError, match="can't be written: the file, its folder or the disk is read-only"
        ):
            store.remember("ada", [episode("More")])
        store.close()


def test_a_read_only_file_of_an_older_schema_can_not_be_brought_up(folder: Path):
    (folder / "a.db").touch()
    (folder / "a.db").chmod(0o444)
    with (
        unprivileged(),
        pytest.raises(StoreError, match="has an older schema and can't be written"),
    ):
        open_store(str(folder / "a.db"))


def test_a_full_disk_stores_nothing_and_says_so(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    store.remember("ada", [episode("Hello")])
    con = store._writer_connection()
    (pages,) = con.execute("PRAGMA page_count").fetchone()
    con.execute(f"PRAGMA max_page_count = {pages}")
    long = episode(
        *[f"{number} " + "words and more words " * 500 for number in range(50)], id="long"
    )
    with pytest.raises(StoreError, match="full; nothing was stored"):
        store.remember("ada", [long])
    assert count(store) == 1
    con.execute("PRAGMA max_page_count = 1000000")
    store.remember("ada", [long])
    assert count(store) == 51
    assert store.check() == []
    store.close()


def test_a_store_that_another_holds_is_busy(tmp_path: Path):
    store = SqliteStore(made(tmp_path / "a.db"), timeout=0.01)
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusyError, match="held by another process"):
        store.remember("ada", [episode("More")])
    assert count(store) == 1
    other.execute("ROLLBACK")
    other.close()
    store.remember("ada", [episode("More")])
    store.close()


def test_a_thread_that_waits_too_long_for_another_is_busy(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db", timeout=0.01)
    result: list[str] = []
    with store._writing():

        def write() -> None:
            try:
                store.remember("ada", [episode("More")])
            except StoreBusyError as error:
                result.append(str(error))

        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert "another thread" in result[0]
    store.close()


def test_half_a_surrogate_pair_and_too_large_numbers_are_refused(tmp_path: Path):
    store = open_store(str(tmp_path / "a.db"))
    with pytest.raises(InputError, match="surrogate"):
        store.remember("ada", [episode("Hello \ud83d")])
    with pytest.raises(InputError, match="too large"):
        commit(store, "ada", entity("ada", version=1 << 70))
    with pytest.raises(InputError, match="NaN"):
        commit(store, "ada", fact("ada", "age", "7", importance=math.nan))
    with store.snapshot() as snapshot:
        assert snapshot.spaces() == []
    with pytest.raises(InputError, match="surrogate"), store.snapshot() as snapshot:
        snapshot.messages("ada", ["\ud83d"])
    with pytest.raises(UnicodeEncodeError), store.snapshot():
        "é".encode("ascii")
    store.close()


def test_a_broken_rule_of_a_table_stays_an_error_of_the_store():
    con = sqlite3.connect(":memory:")
    con.execute("CREATE TABLE t (x UNIQUE)")
    con.execute("INSERT INTO t VALUES (1)")
    with (
        pytest.raises(StoreError, match="UNIQUE"),
        opening.clear_errors(Path("a.db")),
        opening.clear_input(),
    ):
        con.execute("INSERT INTO t VALUES (1)")
    con.close()


def test_an_sqlite_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opening, "OLDEST", (99, 0, 0))
    with pytest.raises(ConfigError, match=r"factbook needs 99\.0\.0 or newer"):
        open_store(str(tmp_path / "a.db"))


def test_nothing_can_be_done_with_a_closed_store(tmp_path: Path):
    store = open_store(str(tmp_path / "a.db"))
    view = store.snapshot()
    with view as snapshot:
        store.close()
        store.close()
    with pytest.raises(StoreError, match="closed"):
        store.remember("ada", [])
    with pytest.raises(StoreError, match="closed"), store.snapshot():
        pass
    with pytest.raises(StoreError, match="closed"):
        store.check()
    with pytest.raises(sqlite3.ProgrammingError):
        snapshot.version("ada")


def test_the_migrations_give_the_schema_that_the_number_says(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    con = sqlite3.connect(tmp_path / "a.db")
    assert (
        con.execute("PRAGMA user_version").fetchone()[0]
        == migrating.latest_number()
        == len(migrating.read_migrations())
    )
    assert con.execute("PRAGMA application_id").fetchone()[0] == int.from_bytes(b"FBok", "big")
    assert con.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    con.close()
    con = store._writer_connection()
    pragmas = {
        name: con.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("synchronous", "trusted_schema")
    }
    assert pragmas == {"synchronous": 2, "trusted_schema": 0}
    assert con.execute("PRAGMA secure_delete").fetchone()[0] == 1
    store.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    steps = migrating.read_migrations()
    monkeypatch.setattr(
        migrating, "read_migrations", lambda: (*steps, (len(steps) + 1, "CREATE TABLE lines (x);"))
    )
    with pytest.raises(StoreError, match="already exists"):
        open_store(str(tmp_path / "a.db"))
    monkeypatch.undo()
    made(tmp_path / "a.db")


def test_an_older_file_is_brought_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = made(tmp_path / "a.db")
    steps = migrating.read_migrations()
    monkeypatch.setattr(
        migrating, "read_migrations", lambda: (*steps, (len(steps) + 1, "CREATE TABLE more (x);"))
    )
    store = SqliteStore(path)
    assert count(store) == 1
    assert store._writer_connection().execute("SELECT count(*) FROM more").fetchone() == (0,)
    store.close()


def test_many_processes_may_make_the_same_file_at_once(tmp_path: Path):
    code = (
        "import sys; from factbook.store import open_store; from tests.support.builders import episode, message;"
        "store = open_store(sys.argv[1]); told = episode(message('Hello', id=sys.argv[2]), id=sys.argv[2]);"
        "print(store.remember('ada', [told]).stored); store.close()"
    )
    path = str(tmp_path / "a.db")
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, path, f"e{number}"], stdout=subprocess.PIPE, text=True
        )
        for number in range(4)
    ]
    assert [run.communicate()[0].strip() for run in runs] == ["1"] * 4
    store = open_store(path)
    assert store.check() == []
    store.close()


def test_errors_hold_no_words_of_what_was_stored(tmp_path: Path):
    store = open_store(str(tmp_path / "a.db"))
    secret = fact("ada", "password", "swordfish", id="f1")
    commit(store, "ada", secret)
    with pytest.raises(StoreError) as error:
        commit(store, "ada", secret)
    assert (
        "swordfish" not in f"{error.value!r} {error.value.__cause__!r} {error.value.__context__!r}"
    )
    store.close()
