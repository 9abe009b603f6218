"""The file of a knowledge store: several writers, cut-off lines, what others did to it."""

from __future__ import annotations

import errno
import fcntl
import json
import logging
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

from factbook import FileKnowledgeStore, KnowledgeEntry, SQLiteKnowledgeStore
from factbook.errors import ConfigError, StoreBusyError, StoreError
from factbook.facades.knowledge.lines_file import LinesFile
from tests.support.builders import START, at

CHILD = Path(__file__).with_name("knowledge_child.py")
OLD = {
    "id": "0af3",
    "content": "User likes dark mode",
    "category": "preference",
    "importance": 0.8,
    "persistent": False,
    "ttl_days": None,
    "created_at": "2024-05-06T09:00:00+00:00",
    "updated_at": "2024-05-06T09:00:00.5+00:00",
    "metadata": {},
}


def entry_of(entry_id: str, content: str, **rest: Any) -> KnowledgeEntry:
    return KnowledgeEntry(id=entry_id, content=content, **{"created_at": START, **rest})


@pytest.fixture
def store(tmp_path: Path) -> FileKnowledgeStore:
    return FileKnowledgeStore(tmp_path, clock=lambda: at(1))


@pytest.fixture
def other(store: FileKnowledgeStore) -> FileKnowledgeStore:
    """Another that has the same file, as in another process."""
    return FileKnowledgeStore(store.path.parent, clock=lambda: at(1))


def ids(store: FileKnowledgeStore) -> list[str]:
    return sorted(entry.id for entry in store.list())


@pytest.mark.parametrize("how", ["file", "sqlite"])
def test_two_processes_that_write_at_once_keep_all_of_it(tmp_path: Path, how: str) -> None:
    where = tmp_path if how == "file" else tmp_path / "kept.db"
    if how == "sqlite":
        SQLiteKnowledgeStore(where, embedder="none").close()
    count = 200 if how == "file" else 60
    children = [
        subprocess.Popen(
            [sys.executable, str(CHILD), how, str(where), name, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("Ada", "Tom")
    ]
    for child in children:
        assert pipe(child.stdout).readline() == "ready\n"
    for child in children:
        pipe(child.stdin).write("\n")
        pipe(child.stdin).flush()
    for child in children:
        child.communicate()
    assert [child.returncode for child in children] == [0, 0]
    store = (
        FileKnowledgeStore(where) if how == "file" else SQLiteKnowledgeStore(where, embedder="none")
    )
    assert store.count() == 2 * count
    said = {entry.content for entry in store.list()}
    assert said == {f"{name} says {number}" for name in ("Ada", "Tom") for number in range(count)}
    assert sum(entry.importance == 0.6 for entry in store.list()) == count
    if isinstance(store, FileKnowledgeStore):
        assert store.damage == ()
    else:
        store.close()


@pytest.mark.crash
@pytest.mark.parametrize("after", [1, 7, 40])
def test_what_was_acknowledged_outlives_a_killed_process(tmp_path: Path, after: int) -> None:
    child = subprocess.Popen(
        [sys.executable, str(CHILD), "file", str(tmp_path), "Ada", "9999"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert pipe(child.stdout).readline() == "ready\n"
    pipe(child.stdin).write("\n")
    pipe(child.stdin).flush()
    told = {pipe(child.stdout).readline().strip() for _ in range(after)}
    child.kill()
    told |= {line.strip() for line in pipe(child.stdout)}
    child.communicate()
    store = FileKnowledgeStore(tmp_path)
    assert told <= {entry.id for entry in store.list()}
    assert len(store.damage) <= 1
    store.save(entry_of("more", "the harbour"))
    assert FileKnowledgeStore(tmp_path).count() == store.count()


def pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def test_a_file_that_selectools_wrote_is_read(store: FileKnowledgeStore) -> None:
    bare = {
        **OLD,
        "id": "0af4",
        "created_at": "2024-05-06T09:00:00",
        "updated_at": "2024-05-06T09:00:00",
    }
    store.path.write_text(f"{json.dumps(OLD)}\n\n{json.dumps(bare)}\n")
    first, second = store.query()
    assert (first.id, first.content, first.importance, first.category) == (
        "0af3",
        OLD["content"],
        0.8,
        "preference",
    )
    assert (second.created_at, second.updated_at) == (START, START)
    assert store.damage == ()


def test_an_importance_out_of_range_is_taken_for_the_nearer_end(store: FileKnowledgeStore) -> None:
    rows = [{**OLD, "id": str(value), "importance": value} for value in (7, -3, float("nan"))]
    store.path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [entry.importance for entry in store.query()] == [1.0, 0.5, 0.0]


@pytest.mark.parametrize("index_first", [False, True])
def test_a_line_that_was_cut_off_costs_that_line_only(
    store: FileKnowledgeStore,
    other: FileKnowledgeStore,
    caplog: pytest.LogCaptureFixture,
    index_first: bool,
) -> None:
    store.save_many([entry_of("a", "the harbour"), entry_of("b", "the garden")])
    if index_first:
        assert other.search("harbour")
    whole = store.path.read_bytes()
    store.path.write_bytes(whole + b'{"id": "c", "content": "half a secr')
    with caplog.at_level(logging.WARNING, logger="factbook"):
        assert ids(other) == ["a", "b"]
    assert other.damage == (
        f"{store.path} line 3 can't be read; what was whole is in use, and the line is left as it is",
    )
    assert "line 3" in caplog.text
    assert "secr" not in caplog.text
    other.save(entry_of("d", "the lighthouse"))
    assert ids(other) == ids(store) == ["a", "b", "d"]
    assert [entry.id for entry in other.search("lighthouse")] == ["d"]
    other.delete("a")
    store.save(entry_of("b", "the kitchen garden"))
    assert store.path.read_bytes().splitlines()[1] == b'{"id": "c", "content": "half a secr'
    for each in (store, other, FileKnowledgeStore(store.path.parent)):
        assert ids(each) == ["b", "d"]
        assert each.damage == (
            f"{store.path} line 2 can't be read; what was whole is in use, and the line is left as it is",
        )


def test_a_cut_off_line_is_kept_when_the_file_is_written_anew(store: FileKnowledgeStore) -> None:
    store.save_many([entry_of("a", "the harbour"), entry_of("b", "the garden")])
    store.path.write_bytes(store.path.read_bytes() + b'{"id": "c"')
    store.save(entry_of("a", "the port"))
    store.save(entry_of("e", "the yard"))
    assert [line[:9] for line in store.path.read_bytes().splitlines()] == [
        b'{"id": "a',
        b'{"id": "b',
        b'{"id": "c',
        b'{"id": "e',
    ]
    assert ids(store) == ["a", "b", "e"]
    assert len(store.damage) == 1


@pytest.mark.parametrize(
    "line",
    [
        "[1, 2]",
        "7",
        "not JSON",
        json.dumps({**OLD, "content": 7}),
        json.dumps({**OLD, "created_at": "yesterday"}),
        json.dumps({**OLD, "ttl_days": 10**9}),
        json.dumps({**OLD, "ttl_days": "soon"}),
        json.dumps({**OLD, "metadata": 7}),
        json.dumps({name: value for name, value in OLD.items() if name != "id"}),
        "[" * 100_000,
    ],
)
def test_a_line_that_is_no_entry_is_reported_and_left(store: FileKnowledgeStore, line: str) -> None:
    store.path.write_text(f"{line}\n{json.dumps(OLD)}\n")
    assert ids(store) == ["0af3"]
    assert len(store.damage) == 1
    store.save(entry_of("b", "the garden"))
    store.delete("b")
    assert store.path.read_text() == f"{line}\n{json.dumps(OLD)}\n"


def test_a_last_line_without_its_end_is_an_entry_too(
    store: FileKnowledgeStore, other: FileKnowledgeStore
) -> None:
    store.path.write_text(json.dumps(OLD))
    assert ids(store) == ids(other) == ["0af3"]
    other.save(entry_of("b", "the garden"))
    assert ids(store) == ["0af3", "b"]
    store.delete("0af3")
    assert ids(other) == ["b"]
    assert store.damage == other.damage == ()


def test_a_last_line_that_goes_on_is_read_again(store: FileKnowledgeStore) -> None:
    store.path.write_text(json.dumps(OLD))
    assert ids(store) == ["0af3"]
    with store.path.open("a") as file:
        file.write(" \n" + json.dumps({**OLD, "id": "0af4"}) + "\n")
    assert ids(store) == ["0af3", "0af4"]


def test_of_two_lines_with_one_id_the_later_counts(store: FileKnowledgeStore) -> None:
    store.path.write_text(
        "".join(json.dumps({**OLD, "content": text}) + "\n" for text in ("old text", "new text"))
    )
    assert [entry.content for entry in store.query()] == ["new text"]
    assert store.search("old") == []
    store.save(entry_of("0af3", "newest text"))
    assert store.path.read_text().count("\n") == 1
    assert ids(store) == ["0af3"]


def test_what_another_process_did_is_seen(
    store: FileKnowledgeStore, other: FileKnowledgeStore
) -> None:
    steps: list[Callable[[], object]] = [
        lambda: other.save(entry_of("a", "the harbour")),
        lambda: other.save(entry_of("b", "the harbour too")),
        lambda: other.save(entry_of("a", "the garden")),
        lambda: other.delete("b"),
        lambda: other.save_many([entry_of("c", "harbour"), entry_of("a", "harbour")]),
        lambda: other.prune(min_importance=0.9),
    ]
    for step in steps:
        step()
        fresh = FileKnowledgeStore(store.path.parent)
        for query in ("harbour", "garden", ""):
            assert [entry.id for entry in store.search(query)] == [
                entry.id for entry in fresh.search(query)
            ]
        assert ids(store) == ids(other) == ids(fresh)
        assert store.path.read_bytes() == b"".join(
            store.path.read_bytes().splitlines(keepends=True)
        )


def test_a_file_that_is_removed_or_put_in_place_is_seen(store: FileKnowledgeStore) -> None:
    store.save_many([entry_of("a", "the harbour"), entry_of("b", "the garden")])
    whole = store.path.read_bytes()
    store.path.unlink()
    assert store.count() == store.count() == 0
    assert store.search("harbour") == []
    store.path.write_bytes(whole)
    assert ids(store) == ["a", "b"]
    store.path.write_bytes(whole.replace(b"the garden", b"the kitchen garden"))
    assert [entry.id for entry in store.search("kitchen")] == ["b"]


def test_many_changes_do_not_wear_the_index_out(store: FileKnowledgeStore) -> None:
    store.save_many(entry_of(f"e{n}", "harbour") for n in range(1200))
    assert len(store.search("harbour", limit=2000)) == 1200
    store.save_many(entry_of(f"e{n}", "garden") for n in range(1200))
    store.save_many(entry_of(f"e{n}", "kitchen garden") for n in range(1200))
    assert store.search("harbour") == []
    assert len(store.search("kitchen", limit=2000)) == 1200


def test_a_word_in_most_entries_ranks_but_does_not_crowd_out(store: FileKnowledgeStore) -> None:
    store.save_many(
        entry_of(f"e{n}", f"common {'seldom' if n % 4 == 0 else 'other'} text") for n in range(2600)
    )
    store.save(entry_of("both", "seldom common common", importance=1.0))
    store.save(entry_of("last", "common", category="mine"))
    assert store.search("seldom common", limit=1)[0].id == "both"
    assert [entry.id for entry in store.search("seldom common", category="mine")] == ["last"]
    assert len(store.search("seldom common", limit=2600)) == 2600


def test_only_its_owner_may_read_the_file(store: FileKnowledgeStore) -> None:
    store.save(entry_of("a", "the harbour"))
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    store.path.chmod(0o640)
    store.delete("a")
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o640


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real.jsonl"
    real.write_text("")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "entries.jsonl").symlink_to(real)
    store = FileKnowledgeStore(tmp_path / "kept")
    store.save(entry_of("a", "the harbour"))
    store.save(entry_of("a", "the garden"))
    assert (tmp_path / "kept" / "entries.jsonl").is_symlink()
    assert "garden" in real.read_text()


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="can't be made"):
        FileKnowledgeStore(tmp_path / "file" / "kept")
    (tmp_path / "kept" / "entries.jsonl").mkdir(parents=True)
    with pytest.raises(ConfigError, match="is a folder"):
        FileKnowledgeStore(tmp_path / "kept")


def test_a_lock_that_is_held_for_too_long_is_said(tmp_path: Path) -> None:
    file = LinesFile(tmp_path / "entries.jsonl", timeout=0.01)
    handle = os.open(tmp_path / "entries.jsonl.lock", os.O_CREAT | os.O_RDWR)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(StoreBusyError, match="try again"), file.hold_lock(write=False):
        pass
    os.close(handle)
    with file.hold_lock(write=False), LinesFile(tmp_path / "entries.jsonl").hold_lock(write=False):
        pass


def test_a_lock_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "entries.jsonl.lock").mkdir()
    with pytest.raises(StoreError, match="can't be locked: Is a directory"):
        FileKnowledgeStore(tmp_path).save(entry_of("a", "the harbour"))


def test_a_folder_that_is_gone_is_said(store: FileKnowledgeStore) -> None:
    store.save(entry_of("a", "the harbour"))
    shutil.rmtree(store.path.parent)
    with pytest.raises(StoreError, match=r"the folder .* is gone"):
        store.save(entry_of("b", "the garden"))
    with pytest.raises(StoreError, match=r"the folder .* is gone"):
        store.count()


def test_a_file_that_cannot_be_read_is_said(
    store: FileKnowledgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.path.write_text("{}\n")

    def refuse(path: Any, flags: int, mode: int = 0o777) -> int:
        if str(path) == str(store.path):
            raise PermissionError(errno.EACCES, "no")
        return real(path, flags, mode)

    real = os.open
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StoreError, match="can't be read: Permission denied"):
        store.count()


@pytest.mark.parametrize("alters", [False, True])
def test_a_full_disk_costs_nothing_that_was_kept(
    store: FileKnowledgeStore, monkeypatch: pytest.MonkeyPatch, alters: bool
) -> None:
    store.save_many([entry_of("a", "the harbour"), entry_of("b", "the garden")])
    before = store.path.read_bytes()
    written: list[int] = []

    def full(handle: int, data: Any) -> int:
        if written:
            raise OSError(errno.ENOSPC, "full")
        written.append(real(handle, bytes(data)[:9]))
        return written[0]

    real = os.write
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoreError, match=r"the disk \(or the quota\) is full"):
        store.save(entry_of("a" if alters else "c", "the lighthouse"))
    monkeypatch.undo()
    assert store.path.read_bytes() == before
    assert sorted(path.name for path in store.path.parent.iterdir()) == [
        "entries.jsonl",
        "entries.jsonl.lock",
    ]
    assert ids(store) == ["a", "b"]
    store.save(entry_of("c", "the lighthouse"))
    assert ids(store) == ["a", "b", "c"]


def test_a_file_that_cannot_be_written_is_said(
    store: FileKnowledgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> int:
        raise OSError(errno.EROFS, "read-only")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(
        StoreError, match="can't be written: Read-only file system; it is as it was"
    ):
        store.save(entry_of("a", "the harbour"))
    monkeypatch.undo()
    assert store.count() == 0


def test_a_write_that_is_interrupted_leaves_no_half_knowledge(
    store: FileKnowledgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(entry_of("a", "the harbour"))

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "_know_entry", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.save(entry_of("b", "the garden"))
    monkeypatch.undo()
    assert ids(store) == ["a", "b"]
    assert [entry.id for entry in store.search("garden")] == ["b"]
