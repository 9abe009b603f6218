"""After an entry is forgotten, no file of a knowledge memory holds its words, whatever broke off in
between.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from factbook import (
    FileKnowledgeStore,
    KnowledgeEntry,
    KnowledgeMemory,
    Memory,
    SQLiteKnowledgeStore,
)
from factbook.errors import StoreError
from factbook.facades.knowledge import folder_blob
from factbook.facades.knowledge.lines_file import LinesFile

SECRET = "The wolframite lies in the cellar"


def held(folder: Path, word: bytes = b"wolframite") -> list[str]:
    """The files that hold the word."""
    return [
        path.name
        for path in folder.rglob("*")
        if path.is_file() and word in path.read_bytes().lower()
    ]


class Shelf:
    """A backend that keeps its blob in memory, and fails when it is told to."""

    def __init__(self) -> None:
        self.blob: bytes | None = None
        self.fails = False

    def load_bytes(self) -> bytes | None:
        return self.blob

    def save_bytes(self, data: bytes) -> None:
        if self.fails:
            raise OSError("away")
        self.blob = data


@pytest.mark.parametrize("how", ["delete", "forget", "prune", "replace"])
def test_what_is_taken_out_of_a_folder_is_in_none_of_its_files(tmp_path: Path, how: str) -> None:
    shelf = Shelf()
    knowledge = KnowledgeMemory(tmp_path, backend=shelf)
    kept = knowledge.remember("Ada drinks tea", importance=0.9)
    gone = knowledge.remember(
        SECRET, importance=0.1, metadata={"ore": "wolframite"}, category="mining"
    )
    assert held(tmp_path) == ["entries.jsonl"]
    match how:
        case "prune":
            assert len(knowledge.prune(min_importance=0.5).entries) == 1
        case "replace":
            knowledge.store.save(KnowledgeEntry(id=gone, content="It lies elsewhere"))
            knowledge.flush()
        case _:
            assert getattr(knowledge, how)(gone)
            assert not getattr(knowledge, how)(gone)
    assert held(tmp_path) == []
    assert b"wolframite" not in (shelf.blob or b"")
    assert knowledge.search("wolframite") == []
    assert knowledge.get(kept) is not None


def test_what_an_entry_was_before_is_in_no_file_of_a_space_once_it_is_forgotten(
    tmp_path: Path,
) -> None:
    store = SQLiteKnowledgeStore(tmp_path / "k.db", embedder="none")
    knowledge = KnowledgeMemory(tmp_path / "unused", store=store)
    first = knowledge.remember(
        SECRET, category="Wolframite Mining", metadata={"depth": 7, "ore": "wolframite"}
    )
    store.save(KnowledgeEntry(id=first, content="It lies elsewhere"))
    second = knowledge.remember(f"{SECRET} too")
    knowledge.delete(second)
    third = knowledge.remember(f"{SECRET} still")
    assert held(tmp_path)
    for key in (first, second, third):  # altered, deleted, and as it was
        assert knowledge.forget(key)
    assert not knowledge.forget("unknown")
    assert held(tmp_path) == []
    assert knowledge.count() == 0
    store.close()


def test_the_notes_of_a_memory_are_forgotten_through_it(tmp_path: Path) -> None:
    with Memory.open(
        tmp_path / "m.db", extractor="none", embedder="none", background=False
    ) as memory:
        knowledge = KnowledgeMemory(memory=memory)
        assert knowledge.forget(knowledge.remember(SECRET))
        assert held(tmp_path) == []


def test_lines_of_selectools_files_go_with_their_entry(tmp_path: Path) -> None:
    said = "The wolframite\nlies (here)"
    log, long_term = tmp_path / "2026-05-06.log", tmp_path / "MEMORY.md"
    stays = "[2026-05-06 09:00:00] [fact] The wolframite lies (here) too"
    log.write_text(
        f"[2026-05-06 08:00:00] [fact] {said}\n{stays}\n[2026-05-06 10:00:00] [mining] {said}"
    )
    long_term.write_text(f"- [fact] Ada drinks tea\n- [fact] {said}\n")
    before = log.stat().st_mode
    knowledge = KnowledgeMemory(tmp_path)
    key = knowledge.remember(said)
    assert knowledge.delete(key)
    assert log.read_text() == f"{stays}\n"
    assert log.stat().st_mode == before
    assert long_term.read_text() == "- [fact] Ada drinks tea\n"
    other = knowledge.remember("Ada drinks tea", importance=0.1)
    assert [entry.id for entry in knowledge.prune(min_importance=0.5).entries] == [other]
    assert long_term.read_text() == ""


def test_a_backend_that_failed_is_told_when_it_is_deleted_again(tmp_path: Path) -> None:
    shelf = Shelf()
    knowledge = KnowledgeMemory(tmp_path / "a", backend=shelf)
    key = knowledge.remember(SECRET)
    shelf.fails = True
    with pytest.raises(OSError, match="away"):
        knowledge.delete(key)
    shelf.fails = False
    assert b"wolframite" in (shelf.blob or b"")
    assert not knowledge.delete(key)
    assert b"wolframite" not in (shelf.blob or b"")
    assert KnowledgeMemory(tmp_path / "b", backend=shelf).count() == 0


def test_a_copy_that_was_cut_off_goes_with_the_entry_that_was_made_again(tmp_path: Path) -> None:
    store = FileKnowledgeStore(tmp_path)
    store.save(KnowledgeEntry(id="a", content="Ada drinks tea"))
    torn = [
        '{"id": "x1", "content": "The wolframite li',
        '{"id": "x2", "content": "The wolframite lies in the cellar", "category": "gen',
        '{"id": "x3", "content": "The wine li',
        '{"id": "b", "content": "',
    ]
    with store.path.open("a") as file:
        file.write("\n".join(torn) + "\n")
    store.save(KnowledgeEntry(id="b", content=SECRET))
    assert len(store.damage) == 4
    store.delete("b")
    assert held(tmp_path) == []
    assert store.path.read_text().splitlines()[1:] == [torn[2]]
    assert [each.partition(" can't")[0][-6:] for each in store.damage] == ["line 2"]
    assert store.drop_damaged() == 1
    assert (store.drop_damaged(), len(store.damage), store.count()) == (0, 0, 1)
    assert FileKnowledgeStore(tmp_path).damage == ()


def test_what_a_killed_process_wrote_aside_goes_with_the_next_write(tmp_path: Path) -> None:
    store = FileKnowledgeStore(tmp_path)
    store.save(KnowledgeEntry(id="a", content="Ada drinks tea"))
    (tmp_path / "entries.jsonl.tmp").write_text(json.dumps({"id": "b", "content": SECRET}))
    assert not store.delete("b")
    assert held(tmp_path) == []


def test_what_a_killed_process_unpacked_goes_with_the_next_start(tmp_path: Path) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    (tmp_path / f"entries.jsonl.{int(gone.stdout)}.tmp").write_text(SECRET)
    mine = tmp_path / f"entries.jsonl.{os.getpid()}.tmp"
    mine.write_text("of one that runs")
    (tmp_path / "entries.jsonl.99999999999999999999.tmp").write_text("of none")
    folder_blob.unpack_folder(tmp_path, folder_blob.pack_folder(tmp_path))
    assert held(tmp_path) == []
    assert mine.exists()


def test_a_full_disk_leaves_the_entry_and_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "MEMORY.md").write_text(f"- [fact] {SECRET}\n")
    knowledge = KnowledgeMemory(tmp_path)
    key = knowledge.remember(SECRET)

    def full(*_: Any) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(LinesFile, "rewrite_file", full)
        with pytest.raises(StoreError, match="full"):
            knowledge.delete(key)
    assert knowledge.get(key) is not None
    assert sorted(held(tmp_path)) == ["MEMORY.md", "entries.jsonl"]
    assert knowledge.delete(key)
    assert held(tmp_path) == []


CHILD = textwrap.dedent(
    """
    import sys
    from factbook import FileKnowledgeStore, KnowledgeEntry, KnowledgeMemory
    knowledge = KnowledgeMemory(sys.argv[1])
    knowledge.store.save_many([KnowledgeEntry(content=f"Ada says {n} " * 40) for n in range(400)])
    print("ready", flush=True)
    while True:
        keys = [knowledge.remember(f"The wolframite of cellar {n} " * 30) for n in range(3)]
        knowledge.store.save(KnowledgeEntry(id=keys[0], content="Also wolframite " * 50))
        for key in keys:
            knowledge.delete(key)
    """
)


@pytest.mark.crash
@pytest.mark.parametrize("after", [0.0, 0.013, 0.031, 0.057, 0.11])
def test_a_process_killed_in_the_middle_leaves_nothing_that_can_not_be_forgotten(
    tmp_path: Path, after: float
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(after)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    store = FileKnowledgeStore(tmp_path)
    for entry in store.search("wolframite", limit=99):
        store.delete(entry.id)
    store.drop_damaged()
    assert held(tmp_path) == []
    assert store.count() == 400
