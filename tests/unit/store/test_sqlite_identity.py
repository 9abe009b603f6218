"""A file that is deleted or replaced while it is open: nothing is acknowledged that nobody will see
again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from factbook import Entity, Memory
from factbook.errors import StoreError
from factbook.store.sqlite.store import SqliteStore

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="an open file can't be deleted there"
)

VERBS: dict[str, Callable[[Memory], object]] = {
    "remember": lambda memory: memory.remember("Ana lives in Uhlm"),
    "put": lambda memory: memory.put(Entity("Bo", "person")),
    "note": lambda memory: memory.note("the harbour is closed"),
    "undo": lambda memory: memory.undo(),
    "forget": lambda memory: memory.forget("Ana"),
    "forget everything": lambda memory: memory.forget(everything=True),
    "wait": lambda memory: memory.wait(),
    "work": lambda memory: memory.work(retry=True),
    "recall": lambda memory: memory.recall("Where does Ana live?"),
    "context": lambda memory: memory.context("Ana"),
    "get": lambda memory: memory.get("Ana"),
    "stats": lambda memory: memory.stats(),
    "history": lambda memory: memory.history(),
    "export": lambda memory: memory.export(os.devnull),
    "check": lambda memory: memory._engine.store.check(),
}


def deleted(path: Path) -> None:
    path.unlink()


def all_deleted(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def moved(path: Path) -> None:
    path.rename(path.with_suffix(".old"))


def replaced(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def without_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def with_another_log(path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    shutil.copy(log, path.with_suffix(".log"))
    path.with_suffix(".log").replace(log)


def without_index(path: Path) -> None:
    path.with_name(f"{path.name}-shm").unlink()


WAYS = (deleted, all_deleted, moved, replaced, without_log, with_another_log, without_index)


def opened(path: Path) -> Memory:
    return Memory.open(path, extractor="none", embedder="none", background=False)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_verb_says_so_and_stores_nothing(way: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    memory = opened(path)
    memory.put(Entity("Ana", "person"))
    memory.remember("Ana has a boat")
    way(path)
    said: dict[str, str] = {}
    for verb, call in VERBS.items():
        try:
            call(memory)
        except StoreError as error:
            said[verb] = str(error)
    assert set(VERBS) - set(said) == set()
    assert all("while" in words and "open it anew" in words for words in said.values())
    memory.close()


def test_what_is_taken_away_in_the_midst_of_a_write_is_not_acknowledged(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "m.db")

    def write() -> None:
        with store._writing() as con:
            con.execute("INSERT INTO spaces (name) VALUES ('ana')")
            deleted(tmp_path / "m.db")

    with pytest.raises(StoreError, match="take it that nothing was stored"):
        write()
    store.close()


def test_a_memory_that_is_opened_anew_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.remember("Ana has a boat")
        replaced(path)
        with pytest.raises(StoreError, match="replaced"):
            memory.remember("Bo has a boat")
    for file in path.parent.glob(f"{path.name}-*"):
        file.unlink()
    with opened(path) as memory:
        assert memory.remember("Cy has a boat").stored == 1


def test_others_that_come_and_go_are_no_replacement(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        for number in range(3):
            with opened(path) as other:
                other.remember(f"Bo has {number} boats")
            memory.remember(f"Ana has {number} boats")
            memory.forget(session="none such", dry_run=True)
        memory.forget(everything=True)
        memory.remember("Cy has a boat")
        assert memory.stats()["messages"] == 1
    link, aimed = tmp_path / "link.db", tmp_path / "aimed.db"
    opened(aimed).close()
    link.symlink_to(aimed)
    with opened(link) as memory:
        assert memory.remember("Di has a boat").stored == 1


def test_a_file_that_one_process_opens_twice_keeps_its_log_when_another_process_closes_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "m.db"
    other = "import sys; from factbook.store.sqlite import SqliteStore; s = SqliteStore(sys.argv[1]); s.requeue(); s.close()"
    with opened(path) as memory:
        memory.remember("Ana has a boat")
        with opened(path) as again:
            again.remember("Bo has a boat")
            subprocess.run([sys.executable, "-c", other, str(path)], check=True)
            memory.remember("Cy has a boat")
        opened(path).close()
        subprocess.run([sys.executable, "-c", other, str(path)], check=True)
        memory.remember("Di has a boat")
    with opened(path) as memory:
        assert memory.stats()["messages"] == 4
