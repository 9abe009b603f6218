"""Files that were damaged, cut or never could be: what is said of them, and that nothing else is
raised.
"""

from __future__ import annotations

import random
import sqlite3
import threading
import warnings
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from factbook import FactbookError, InputError, Memory
from factbook.errors import ConfigError, StoreError
from factbook.store import open_store
from factbook.store.sqlite import SqliteStore
from tests.support.builders import commit, entity, episode, fact, message, note
from tests.upgrade import history
from tests.upgrade.make_file import LATER, unpacked

RELEASE = "0.1.0-d4b0420"
WAYS: dict[str, Callable[[Memory], object]] = {
    "recall": lambda memory: memory.recall("where does Ana Silva live?"),
    "context": lambda memory: memory.context(),
    "history": lambda memory: memory.history(),
    "entities": lambda memory: memory.entities(),
    "notes": lambda memory: memory.notes(),
    "jobs": lambda memory: memory.jobs(),
    "stats": lambda memory: memory.stats(),
    "log": lambda memory: memory.log(),
    "doubts": lambda memory: memory.doubts(),
    "conflicts": lambda memory: memory.conflicts(),
    "remember": lambda memory: memory.remember("Ana Silva works at Globex and lives in Porto."),
    "note": lambda memory: memory.note("Kestrel sails at nine"),
    "undo": lambda memory: memory.undo(),
    "dedupe": lambda memory: memory.dedupe(),
    "work": lambda memory: memory.work(retry=True),
    "forget": lambda memory: memory.forget("Kestrel"),
}


def made(path: Path) -> bytes:
    store = open_store(str(path))
    store.remember("ada", [episode(message("Hello", id="m1"), id="e1")])
    commit(store, "ada", entity("ada"), fact("ada", "plays", "violin"), note("Plays well", "ada"))
    store.close()
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", range(4))
def test_random_damage_is_told_in_our_words_by_every_verb(tmp_path: Path, seed: int) -> None:
    database, chance, told = unpacked(RELEASE, tmp_path), random.Random(seed), 0
    whole = database.read_bytes()
    for _ in range(8):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 3, 20, 200))):
            data[chance.randrange(100, len(data))] = chance.choice(
                (chance.randrange(256), 0xFF, 0x80, 0)
            )
        for beside in tmp_path.glob("memory.db-*"):
            beside.unlink()
        database.write_bytes(data)
        try:
            with history.opened(database, history.Ticks(LATER), prefix="new") as memory:
                for way in WAYS.values():
                    try:
                        way(memory.within("ada"))
                    except FactbookError:
                        told += 1
        except FactbookError:
            told += 1
    assert told


@pytest.mark.parametrize("damage", [b"\x80", b"\xff", b"\xc3("])
def test_a_damaged_schema_is_said_to_be_damage(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a.db"
    whole = made(path)
    path.write_bytes(
        whole.replace(
            b"CREATE TABLE sessions", b"CREATE TABLE se" + damage + b"sions"[len(damage) - 1 :], 1
        )
    )
    with pytest.raises(StoreError, match="damaged"):
        open_store(str(path)).check()


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE log SET changes = '[{\"after\"'", "1 of the entries of the log can't be read"),
        ("UPDATE notes SET entity_ids = '[\"a'", "1 of the rows of notes can't be read"),
        ("UPDATE facts SET created_at = 'once'", "1 of the rows of facts can't be read"),
    ],
)
def test_rows_that_can_not_be_read_are_found(tmp_path: Path, statement: str, found: str) -> None:
    path = tmp_path / "a.db"
    made(path)
    with closing(sqlite3.connect(path)) as con:
        con.execute(statement)
        con.commit()
    store = open_store(str(path))
    assert store.check() == [f"space 'ada': {found}"]
    store.close()
    with Memory.open(path, extractor="none", embedder="none") as memory:
        ada = memory.within("ada")
        with pytest.raises(StoreError, match="damaged"):
            [way() for way in (ada.log, ada.notes, ada.entities)]


def test_a_row_that_is_missing_is_damage_and_a_mistake_of_ours_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    made(path)
    store = SqliteStore(path)
    with pytest.raises(KeyError), store.snapshot():
        raise KeyError("a mistake")
    with closing(sqlite3.connect(path)) as con:
        con.execute("DELETE FROM messages")
        con.commit()
    with (
        pytest.raises(StoreError, match=r"is damaged .*; take the latest backup"),
        store.snapshot(),
    ):
        raise KeyError("e1")
    store.close()
    with pytest.raises(KeyError), store._clear_errors():
        raise KeyError("closed")


# --- cut to nothing -------------------------------------------------------------------------------


def test_an_empty_file_is_told_when_a_memory_is_made_in_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    made(path)
    path.write_bytes(b"")
    with pytest.warns(
        UserWarning,
        match=r"a\.db was empty, and a new memory was made in it; if it held one, it is lost",
    ):
        open_store(str(path)).close()
    with warnings.catch_warnings(action="error"):
        open_store(str(path)).close()
        open_store(str(tmp_path / "new.db")).close()


@pytest.mark.parametrize("companion", ["a.db-wal", "a.db.key"])
def test_an_empty_file_beside_what_is_left_of_a_memory_is_left_untouched(
    tmp_path: Path, companion: str
) -> None:
    (tmp_path / "a.db").touch()
    (tmp_path / companion).write_bytes(b"frames")
    with pytest.raises(
        StoreError,
        match=f"is empty, but {companion} beside it belong to a memory: it was cut to nothing",
    ):
        open_store(str(tmp_path / "a.db"))
    assert (tmp_path / companion).read_bytes() == b"frames"
    assert (tmp_path / "a.db").read_bytes() == b""


def test_several_threads_may_make_one_memory_at_once(tmp_path: Path) -> None:
    threads = [
        threading.Thread(target=lambda: open_store(str(tmp_path / "a.db")).close())
        for _ in range(4)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    store = open_store(str(tmp_path / "a.db"))
    assert store.check() == []
    store.close()


# --- what can't be a path -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["a\0b.db", "\0", "a\ud800.db", "x" * 300, "folder/" * 2000 + "a.db"]
)
def test_what_can_not_be_a_path_is_refused_in_our_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError):
        Memory.open(f"{tmp_path}/{name}")
    with pytest.raises(ConfigError):
        Memory.open(f"sqlite:///{tmp_path}/{name}")
    with Memory.open("ram:", extractor="none", embedder="none") as memory:
        for exchange in (memory.export, memory.import_):
            with pytest.raises(InputError):
                exchange(f"{tmp_path}/{name}")


@pytest.mark.parametrize("url", [5, b"a.db", [], ""])
def test_what_is_no_path_at_all_is_refused(url: object) -> None:
    with pytest.raises(ConfigError):
        Memory.open(url)  # type: ignore[arg-type]
