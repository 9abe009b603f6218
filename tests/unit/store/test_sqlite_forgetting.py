"""What forgetting leaves in the files: the steps, and none of the words."""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from factbook.errors import StoreBusyError, StoreError
from factbook.model.draft import Draft, DraftEntity
from factbook.model.line import LineFilter
from factbook.ports.store import Erasure, Vectors
from factbook.store.sqlite import SqliteStore
from factbook.store.sqlite.writing import erasing
from tests.support.builders import (
    alias,
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    message,
    note,
    put,
    relation,
    review,
    same_as,
    source,
    stamp,
    support,
)
from tests.support.models import HashEmbedder
from tests.support.older_files import lower

EMBEDDER = HashEmbedder(64)
SECRET_WORDS = (
    "zanzibar",
    "quetzalcoatl",
    "xylophon",
    "wolframit",
)  # so long that their stems hold them
FIRST = message(
    "Zanzibar Quetzalcoatl plays as a xylophonist near the wolframite mine", id="m1", speaker="Tom"
)
SECOND = message("I saw ZANZIBAR QUETZALCOATL in Oslo", id="m2", at=at(1))
THIRD = message("The weather is fine", id="m3", at=at(2), speaker="Zanzibar Quetzalcoatl")
ZANZIBAR = Erasure(
    entity_ids=("z",),
    message_ids=("m1",),
    mask=("Zanzibar Quetzalcoatl", "Xylophonist", "Wolframite"),
    at=at(9),
)


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    """A record that has said, altered and taken back much about one who shall be forgotten."""
    store = SqliteStore(tmp_path / "a.db", timeout=0.05)
    store.remember("ada", [episode(FIRST, SECOND, id="e1", session="monday")])
    store.remember("ada", [episode(THIRD, id="e2")])
    from_first = source(message_id="m1", episode_id="e1", quote="plays as a xylophonist")
    old = fact("z", "job", "xylophonist", id="f1", source=from_first)
    commit(
        store,
        "ada",
        entity(
            "z",
            "Zanzibar Quetzalcoatl",
            description="A xylophonist",
            metadata={"mine": "wolframite"},
        ),
        entity("o", "Oslo", description="Where Zanzibar Quetzalcoatl was seen"),
        alias("z", "Wolframite", id="al"),
        alias("o", "Zanzibar Quetzalcoatl's town", id="al2"),
        mention("z", FIRST, "Zanzibar Quetzalcoatl", "e1", id="me1"),
        mention("z", SECOND, "ZANZIBAR QUETZALCOATL", "e1", id="me2"),
        mention("o", SECOND, "Oslo", "e1", id="me3"),
        old,
        fact("o", "seen", "Zanzibar Quetzalcoatl", id="f2"),
        relation("z", "seen_in", "o", id="r1", note="by the wolframite mine"),
        support("f1", id="s1", source=from_first),
        note("Ask Zanzibar Quetzalcoatl about wolframite", "z", "o", id="n1"),
        review("z", "o", id="rv", evidence=("Zanzibar Quetzalcoatl",)),
        stamp=stamp(reason="Zanzibar Quetzalcoatl asked", episode_id="e1"),
    )
    for row in (
        fact("o", "mine", "wolframite", id="f3"),
        same_as("z", "o", id="sa", evidence=("xylophonist",)),
    ):
        commit(store, "ada", row)
        commit(store, "ada", *[change.__class__(before=change.after) for change in put(row)])
    lease = store.lease(seconds=60, spaces=["ada"])
    assert lease is not None
    store.keep_draft(
        lease,
        Draft(episode_id="e1", entities=(DraftEntity(ref="z", name="Zanzibar Quetzalcoatl"),)),
    )
    other = store.lease(seconds=60)
    assert other is None
    store.fail(lease, "the model said: wolframite", retry_in=None)
    texts = {"m1": FIRST.text, "m2": SECOND.text, "m3": THIRD.text, "z": "Zanzibar", "n1": "Ask"}
    rows = dict(zip(texts, EMBEDDER.embed(list(texts.values())), strict=True))
    store.put_vectors("ada", Vectors(model=EMBEDDER.name, size=EMBEDDER.size, rows=rows))
    return store


def held(folder: Path) -> set[str]:
    """The secret words that any file of the folder holds, in any case and in the two encodings that
    SQLite knows.
    """
    assert [file.name for file in folder.iterdir()]
    found: set[str] = set()
    for file in folder.iterdir():
        data = file.read_bytes().lower()
        found |= {
            word
            for word in SECRET_WORDS
            if word.encode() in data or word.encode("utf-16-le") in data
        }
    return found


def test_the_words_are_in_the_files_before(store: SqliteStore, tmp_path: Path):
    assert held(tmp_path) == set(SECRET_WORDS)
    store.close()


def test_no_file_holds_a_word_of_what_was_forgotten(store: SqliteStore, tmp_path: Path):
    counts = store.forget("ada", ZANZIBAR)
    assert counts["messages"] == 1
    assert held(tmp_path) == set()
    assert {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}[
        "a.db.key"
    ] == 0o600
    assert store.check() == []
    store.close()
    assert held(tmp_path) == set()


def test_no_vector_of_an_altered_text_stays(store: SqliteStore):
    store.forget("ada", ZANZIBAR)
    with store.snapshot() as snapshot:
        (asked,) = EMBEDDER.embed([SECOND.text])
        found = snapshot.find_vector(
            "ada", EMBEDDER.name, asked, LineFilter(superseded=True), limit=9
        )
        assert {hit.id for hit in snapshot.hits("ada", found, [])} == {"m3"}
        assert {row[1] for row in snapshot.without_vector("ada", EMBEDDER.name, limit=9)} == {
            "m2",
            "n1",
            "o",
        }
    store.close()


def test_no_file_holds_a_word_of_a_space_that_was_forgotten(store: SqliteStore, tmp_path: Path):
    store.remember("tom", [episode("The mine is closed", id="e9")])
    store.forget("ada", Erasure(everything=True, at=at(9), reason="moved out"))
    assert held(tmp_path) == set()
    assert store.check() == []
    with store.snapshot() as snapshot:
        assert snapshot.spaces() == ["tom"]
        assert [(entry.erased, entry.changes) for entry in snapshot.log("ada")] == [(True, ())] * 6
        assert snapshot.log("ada")[-1].stamp.reason == "moved out"
        assert len(snapshot.find_words("tom", ["mine"], LineFilter(), limit=9)) == 1
    told = episode(FIRST, SECOND, id="e1", session="monday")
    assert store.remember("ada", [told]).held_back == 2
    store.close()


def test_no_table_keeps_a_row_of_a_space_that_was_forgotten_but_its_steps_and_labels(
    store: SqliteStore, tmp_path: Path
):
    store.forget("ada", Erasure(everything=True, tombstones=False, at=at(9)))
    store.close()
    con = sqlite3.connect(tmp_path / "a.db")
    tables = [
        name for (name,) in con.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    ]
    held = {
        name for name in tables if con.execute(f"SELECT count(*) FROM {name}").fetchone() != (0,)
    }
    con.close()
    assert held == {"spaces", "sessions", "log", "models", "sqlite_sequence"}


def test_the_codes_of_vectors_go_when_a_part_of_a_space_is_forgotten(
    store: SqliteStore, tmp_path: Path
):
    con = sqlite3.connect(tmp_path / "a.db")
    columns = [row[1] for row in con.execute("PRAGMA table_info(codes)")]
    values = ", ".join(
        "1" if name in ("space_no", "no") or name.endswith("_no") else "x'00'" for name in columns
    )
    con.execute(f"INSERT INTO codes ({', '.join(columns)}) VALUES ({values})")
    con.commit()
    con.close()
    store.forget("ada", ZANZIBAR)
    con = sqlite3.connect(tmp_path / "a.db")
    assert con.execute("SELECT count(*) FROM codes").fetchone() == (0,)
    con.close()
    store.close()


def test_a_crash_before_the_file_is_rewritten_is_made_up_for(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(erasing, "purge_file", crash)
    with pytest.raises(KeyboardInterrupt):
        store.forget("ada", ZANZIBAR)
    monkeypatch.undo()
    assert waits(store)
    store.close()
    again = SqliteStore(tmp_path / "a.db")
    assert not waits(again)
    assert held(tmp_path) == set()
    again.close()


def waits(store: SqliteStore) -> bool:
    """Whether the file is still to be rewritten."""
    return store._writer_connection().execute("SELECT count(*) FROM purges").fetchone() == (1,)


def test_a_reader_that_holds_on_to_the_past_is_named_and_the_next_time_finishes(
    store: SqliteStore, tmp_path: Path
):
    other = SqliteStore(tmp_path / "a.db")
    with other.snapshot() as snapshot:
        assert snapshot.version("ada") == 5
        with pytest.raises(
            StoreBusyError, match="erased from the record, but another process still reads"
        ):
            store.forget("ada", ZANZIBAR)
        SqliteStore(tmp_path / "a.db").close()  # can't finish it either, and opens all the same
        assert held(tmp_path)
    with store.snapshot() as snapshot:
        assert snapshot.messages("ada", ["m1"]) == {}
    store.forget("ada", Erasure(at=at(10)))
    assert held(tmp_path) == set()
    other.close()
    store.close()


def test_what_was_forgotten_stays_away_after_opening_again(store: SqliteStore, tmp_path: Path):
    store.forget("ada", ZANZIBAR)
    store.close()
    again = SqliteStore(tmp_path / "a.db")
    told = again.remember("ada", [episode(FIRST, SECOND, id="e1", session="monday")])
    assert (told.stored, told.held_back) == (0, 2)
    assert again.remember("ada", [episode(FIRST, id="e7", session="tuesday")]).held_back == 1
    again.close()


@pytest.mark.parametrize(
    ("left", "state"), [(None, "is missing"), (b"", "is damaged"), (b"x" * 31, "is damaged")]
)
def test_without_a_whole_key_nothing_is_stored_or_forgotten_until_someone_decides(
    store: SqliteStore, tmp_path: Path, left: bytes | None, state: str
):
    store.forget("ada", ZANZIBAR)
    key = tmp_path / "a.db.key"
    whole = key.read_bytes()
    key.unlink() if left is None else key.write_bytes(left)
    with pytest.raises(StoreError, match=rf"a\.db\.key {state}"):
        store.remember("ada", [episode(FIRST, id="e7")])
    store.remember("tom", [episode(FIRST, id="e7")])
    for space in ("ada", "tom"):  # a new key would make the tombstones of both worthless
        with pytest.raises(StoreError, match=rf"a\.db\.key {state}"):
            store.forget(space, Erasure(everything=True, at=at(9)))
    key.write_bytes(whole)
    assert store.remember("ada", [episode(FIRST, id="e8")]).held_back == 1
    key.unlink()
    assert store.lift("ada", version=None, at=at(9)) > 0
    assert store.remember("ada", [episode(FIRST, id="e9", session="monday")]).stored == 1
    store.forget("ada", ZANZIBAR)
    assert len(key.read_bytes()) == 32
    store.close()


@pytest.mark.parametrize("step", ["open", "fdopen", "fsync", "replace"])
def test_a_key_that_a_full_disk_can_not_hold_is_not_there_and_nothing_is_forgotten(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
):
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with store.snapshot() as snapshot:
        before = snapshot.version("ada")
    with monkeypatch.context() as patch:
        patch.setattr(Path if step == "replace" else os, step, full)
        with pytest.raises(StoreError, match="is full; nothing was forgotten"):
            store.forget("ada", ZANZIBAR)
    assert [file.name for file in tmp_path.iterdir() if ".key" in file.name] == []
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == before
        assert snapshot.messages("ada", ["m1"])
    store.forget("ada", ZANZIBAR)
    assert held(tmp_path) == set()
    store.close()


def test_a_key_cut_off_by_a_full_disk_is_made_anew_before_the_first_tombstone(
    store: SqliteStore, tmp_path: Path
):
    (tmp_path / "a.db.key").touch()  # as earlier versions left it
    store.forget("ada", ZANZIBAR)
    assert len((tmp_path / "a.db.key").read_bytes()) == 32
    store.close()


def test_a_key_that_can_not_be_read_is_said(store: SqliteStore, tmp_path: Path):
    (tmp_path / "a.db.key").mkdir()
    with pytest.raises(StoreError, match=r"a\.db\.key can't be read"):
        store.forget("ada", ZANZIBAR)
    store.close()


def test_without_tombstones_no_key_is_made(store: SqliteStore, tmp_path: Path):
    store.forget("ada", Erasure(message_ids=("m1",), tombstones=False, at=at(9)))
    assert not (tmp_path / "a.db.key").exists()
    assert store.remember("ada", [episode(FIRST, id="e7", session="monday")]).stored == 1
    store.close()


def test_a_vector_cache_forgets_too(store: SqliteStore):
    (asked,) = EMBEDDER.embed([FIRST.text])
    with store.snapshot() as snapshot:
        assert snapshot.find_vector("ada", EMBEDDER.name, asked, LineFilter(), limit=9)
    before = [each.count for each in store._vectors._spaces.values()]
    store.forget("ada", ZANZIBAR)
    with store.snapshot() as snapshot:
        snapshot.find_vector("ada", EMBEDDER.name, asked, LineFilter(), limit=9)
    assert before == [5]
    assert [each.count for each in store._vectors._spaces.values()] == [1]
    store.close()


class _FullDisk(sqlite3.Connection):
    """A connection whose disk has no room for a second file."""

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        if sql == "VACUUM":
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return super().execute(sql, *given)


def test_a_disk_too_full_to_write_the_file_anew_is_said_and_the_next_opening_finishes(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    connect = sqlite3.connect
    with monkeypatch.context() as patch:
        patch.setattr(
            sqlite3, "connect", lambda *given, **rest: connect(*given, factory=_FullDisk, **rest)
        )
        with pytest.raises(
            StoreError, match="erased from the record, but the file can't be written anew"
        ):
            store.forget("ada", ZANZIBAR)
        SqliteStore(tmp_path / "a.db").close()  # opens all the same
    with store.snapshot() as snapshot:
        assert snapshot.messages("ada", ["m1"]) == {}
    assert waits(store)
    store.close()
    SqliteStore(tmp_path / "a.db").close()
    assert held(tmp_path) == set()


def test_what_an_earlier_version_forgot_stays_away_under_its_session(
    store: SqliteStore, tmp_path: Path
):
    store.forget("ada", Erasure(message_ids=("m1",), names=("Zanzibar",), at=at(9)))
    store.close()
    con = sqlite3.connect(tmp_path / "a.db")
    as_schema_7(con, (tmp_path / "a.db.key").read_bytes())
    con.close()
    again = SqliteStore(tmp_path / "a.db")
    assert again.remember("ada", [episode(FIRST, id="e7", session="monday")]).held_back == 1
    with again.snapshot() as snapshot:
        assert snapshot.earlier_tombstones() == 2
        assert snapshot.forgotten("ada", ["zanzibar", "Eva"]) == {"zanzibar"}
    assert again.remember("ada", [episode(FIRST, id="e8", session="tuesday")]).stored == 1
    again.forget("ada", Erasure(message_ids=("m1",), names=("Zanzibar",), at=at(10)))
    with again.snapshot() as snapshot:
        assert snapshot.earlier_tombstones() == 1  # the name is known as one by now
    assert again.remember("ada", [episode(FIRST, id="e9", session="wednesday")]).held_back == 1
    again.close()


def as_schema_7(con: sqlite3.Connection, key: bytes) -> None:
    """Tombstones as they were made before migration 8: of the name, and of the message with its
    session and key.
    """
    lower(con, 7)
    con.execute("DELETE FROM tombstones")
    for parts, person in ((("ada", "monday", FIRST.key), b""), (("ada", "zanzibar"), b"name")):
        digest = hashlib.blake2b(
            "\0".join(parts).encode(), key=key, digest_size=16, person=person
        ).digest()
        con.execute(
            "INSERT INTO tombstones (space_no, hash, version) SELECT no, ?, 6 FROM spaces",
            (digest,),
        )
    con.commit()
