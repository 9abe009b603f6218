"""Files whose names were indexed under other keys are indexed again when they are opened."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest

from factbook.store import open_store
from factbook.store.sqlite.file import migrating
from factbook.store.sqlite.words import name_index
from factbook.text.names import name_keys
from tests.support.builders import alias, commit, entity
from tests.support.older_files import lower


def older(path: Path) -> None:
    """Makes the file as it was before names had slips, with keys of its own."""
    con = sqlite3.connect(path)
    lower(con, 4)
    con.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.db"
    store = open_store(str(path))
    commit(
        store,
        "ada",
        entity("a", name="Dana Osei"),
        entity("b", name="Kofi Osei"),
        alias("a", "Dee Osei"),
    )
    commit(store, "tom", entity("a", name="Lena Vogt"))
    store.close()
    return path


def content(path: Path) -> tuple[list[object], list[object]]:
    con = sqlite3.connect(path)
    kept = [
        con.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall()
        for table in ("name_keys", "name_slips")
    ]
    con.close()
    return kept[0], kept[1]


def test_opening_an_older_file_indexes_its_names_again(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    before = content(file)
    older(file)
    monkeypatch.setattr(name_index, "NAMES_AT_ONCE", 2)
    with caplog.at_level(logging.INFO, logger="factbook"):
        store = open_store(str(file))
    assert [record.getMessage() for record in caplog.records] == [
        "indexing names again: 2 of 4",
        "indexing names again: 4 of 4",
    ]
    with store.snapshot() as snapshot:
        assert [hit.entity_id for hit in snapshot.names("ada", ["t:osei"])["t:osei"]] == ["a", "b"]
    assert store.check() == []
    store.close()
    assert content(file) == before


def test_indexing_again_that_is_cut_short_leaves_the_file_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
):
    older(file)
    monkeypatch.setattr(name_index, "slip_forms", lambda word: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        open_store(str(file))
    con = sqlite3.connect(file)
    assert con.execute("PRAGMA user_version").fetchone() == (4,)
    assert ("x:old",) in con.execute("SELECT key FROM name_keys").fetchall()
    con.close()


def test_words_that_are_not_those_of_the_names_are_damage(file: Path):
    con = sqlite3.connect(file)
    con.execute("DELETE FROM name_slips WHERE word = 'osei'")
    con.commit()
    con.close()
    store = open_store(str(file))
    assert any("the words of names" in said for said in store.check())
    store.close()


def test_whoever_changes_the_keys_adds_a_migration_that_indexes_again():
    """Where this fails, keys in files are no longer those that a name is looked for by: add a
    migration with the line `-- again: names`, and put the new keys here.
    """
    assert name_keys("Dr. Bob Müller-Osei Jr.") == (
        "f:dr bob muller osei jr",
        "u:dr bob mueller osei jr",
        "j:drbobmulleroseijr",
        "s:bob muller osei",
        "a:dbmoj",
        "n:bob osei",
        "n:robert osei",
        "n:bob",
        "i:b osei",
        "p:B MLR OS",
        "t:bob",
        "t:muller",
        "t:osei",
    )
    assert (
        max(number for number, sql in migrating.read_migrations() if "-- again: names" in sql) == 5
    )
