"""Looking for damage: whatever is derived wrongly is found, and named."""

from __future__ import annotations

from pathlib import Path

import pytest

from factbook.errors import StoreError
from factbook.model.change import Change
from factbook.ports.store import Vectors
from factbook.store.sqlite import SqliteStore
from tests.support.builders import alias, commit, entity, episode, message, note, same_as
from tests.support.models import HashEmbedder

EMBEDDER = HashEmbedder(8)


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    store = SqliteStore(tmp_path / "a.db")
    store.remember("ada", [episode(message("Hello violin", id="m1"), id="e1")])
    rows = dict(zip(["m1"], EMBEDDER.embed(["Hello"]), strict=True))
    vectors = Vectors(model=EMBEDDER.name, size=EMBEDDER.size, rows=rows)
    commit(store, "ada", entity("tom"), entity("tommy"), entity("thomas"), vectors=vectors)
    commit(
        store,
        "ada",
        alias("tom", "Berger"),
        same_as("tommy", "tom", id="s1"),
        note("Violin", id="n1"),
    )
    store.remember("tom", [episode(message("Hello", id="m1"), id="e1")])
    assert store.check() == []
    return store


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (
            "UPDATE spaces SET version = 7 WHERE name = 'ada'",
            "space 'ada': the log has 2 entries up to 2, its version is 7",
        ),
        ("DELETE FROM lines WHERE kind = 0", "space 'ada': 1 messages have no line"),
        ("DELETE FROM notes", "space 'ada': 0 notes have no line, and there are 1 lines too many"),
        ("DELETE FROM canon", "space 'ada': the canonical ids are not those of the merges"),
        (
            "INSERT INTO same_as SELECT 99, space_no, 's2', entity_id, 'thomas', 1, NULL, '', 0 FROM same_as",
            "space 'ada': an entity can be the same as one other only; unmerge it first",
        ),
        (
            "DELETE FROM listed WHERE entity_id = 'tom'",
            "space 'ada': the list of entities is off by 1",
        ),
        ("DELETE FROM bearers WHERE is_primary = 0", "space 'ada': the index of names is off by 1"),
        (
            "UPDATE lines SET vector_model = 0 WHERE kind = 0",
            "space 'ada': 1 vectors belong to no line",
        ),
        (
            "UPDATE spaces SET lines = lines + 1",
            "the counts of lines and words are not those of the lines",
        ),
        ("UPDATE words SET lines = lines + 1", "the words' frequencies are not those of the lines"),
        (
            "UPDATE words SET latest = CAST(latest || latest AS BLOB) WHERE word = 'violin'",
            "space 'ada': the postings of 1 words are not those of the lines",
        ),
        (
            "INSERT INTO words VALUES (1, 'nowhere', 1, x'010000000110')",
            "the postings of 1 words are not those",
        ),
        (
            "INSERT INTO postings VALUES (1, 'violin', 0, x'000000000110')",
            "the postings of 1 words are not those",
        ),
    ],
)
def test_what_is_derived_wrongly_is_named(store: SqliteStore, harm: str, said: str):
    store._writer_connection().execute(harm)
    found = store.check()
    assert any(said in each for each in found), found
    store.close()


def test_a_change_to_a_row_without_its_line_is_refused(store: SqliteStore):
    store._writer_connection().execute("DELETE FROM lines WHERE kind = 3")
    with pytest.raises(StoreError, match="no line for a note"):
        commit(store, "ada", Change(before=note("Violin", id="n1")))
    store.close()


def test_a_damaged_page_is_found(store: SqliteStore, tmp_path: Path):
    con = store._writer_connection()
    (page,) = con.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'lines_by_id'"
    ).fetchone()
    (size,) = con.execute("PRAGMA page_size").fetchone()
    store.close()
    with (tmp_path / "a.db").open("r+b") as file:
        file.seek((page - 1) * size + 200)
        file.write(b"\0" * (size - 200))
    again = SqliteStore(tmp_path / "a.db")
    assert again.check()[0].startswith("the file is damaged: ")
    again.close()
