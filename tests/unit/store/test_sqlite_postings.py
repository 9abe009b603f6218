"""Postings: whatever lines come, change and go, each word's list holds exactly the lines that have
it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factbook.model.line import LineFilter
from factbook.store.sqlite import SqliteStore
from factbook.store.sqlite.words import postings
from factbook.store.sqlite.words.line_writer import pack_ids, unpack_ids
from factbook.store.sqlite.words.postings import (
    Changes,
    WordLists,
    find_posting,
    iterate_postings,
    pack_words,
    unpack_words,
)
from tests.support.builders import episode, message
from tests.support.older_files import lower

ODD = ("c++", "c#", "c", "łódź", "straße", "日本", "日", "é", "+", "1x1", "😀")
LINES = st.dictionaries(st.integers(1, 60), st.lists(st.sampled_from(ODD), max_size=9), max_size=12)


@pytest.fixture
def con(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    store = SqliteStore(tmp_path / "a.db")
    yield store._writer_connection()
    store.close()


def expected(lines: dict[int, list[str]], word: str) -> list[tuple[int, int]]:
    held = {low: words for low, words in sorted(lines.items()) if word in words}
    return [(low, words.count(word) << 12 | len(words)) for low, words in held.items()]


@pytest.mark.parametrize(("latest", "chunk"), [(1, 1), (2, 3), (64, 1365)])
@given(steps=st.lists(LINES, max_size=6))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
def test_each_word_has_its_lines(
    con: sqlite3.Connection, steps: list[dict[int, list[str]]], latest: int, chunk: int
):
    before = (postings.LATEST, postings.CHUNK)
    postings.LATEST, postings.CHUNK = latest, chunk
    con.execute("BEGIN")
    try:
        lines: dict[int, list[str]] = {}
        for step in steps:
            changes: Changes = {}
            for low, words in step.items():
                no = (7 << 32) + low
                postings.remove_words(changes, no, lines.pop(low, []))
                if words:
                    postings.add_words(changes, no, words)
                    lines[low] = words
            postings.write_postings(con, 7, changes)
            lists = WordLists(con, 7, ODD)
            for word in ODD:
                wanted = expected(lines, word)
                assert lists.frequency.get(word, 0) == len(wanted)
                if wanted:
                    assert list(iterate_postings(lists.of(word))) == wanted
                    assert [find_posting(lists.of(word), low) for low in range(62)] == [
                        dict(wanted).get(low, 0) for low in range(62)
                    ]
        assert WordLists(con, 8, ODD).frequency == {}
        if not lines:
            assert con.execute("SELECT count(*) FROM words, postings").fetchone() == (0,)
    finally:
        con.execute("ROLLBACK")
        postings.LATEST, postings.CHUNK = before


def test_no_chunk_grows_long_however_many_lines_come_at_once(con: sqlite3.Connection):
    con.execute("BEGIN")
    lines: dict[int, list[str]] = {}
    for lows in (
        range(20_000, 30_000),
        range(40_000, 40_100),
        range(1, 20_000),
        range(39_000, 39_500),
    ):
        changes: Changes = {}
        for low in lows:
            lines[low] = ["violin"]
            postings.add_words(changes, low, ["violin"])
        postings.write_postings(con, 7, changes)
        assert list(iterate_postings(WordLists(con, 7, ["violin"]).of("violin"))) == expected(
            lines, "violin"
        )
        (longest,) = con.execute("SELECT max(length(lines)) FROM postings").fetchone()
        assert longest <= 2 * postings.CHUNK * postings.SIZE
    con.execute("ROLLBACK")


@given(st.lists(st.sampled_from(ODD)))
def test_stored_words_can_be_counted_and_read_again(held: list[str]):
    stored = pack_words(held)
    assert unpack_words(stored) == held
    for word in held:
        assert stored.count(f" {word} ") == held.count(word)


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)))
def test_stored_ids_are_read_again(ids: list[str]):
    assert unpack_ids(pack_ids(ids)) == tuple(ids)


def content(path: Path) -> list[list[tuple[object, ...]]]:
    con = sqlite3.connect(path)
    kept = [
        con.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall()
        for table in ("words", "postings")
    ]
    con.close()
    return kept


def test_opening_an_older_file_makes_the_postings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(postings, "LINES_AT_ONCE", 7)
    path = tmp_path / "a.db"
    store = SqliteStore(path)
    for space, count in (("ada", 200), ("tom", 3)):
        said = [
            message(f"Violin number {number} of many", id=f"m{number}") for number in range(count)
        ]
        store.remember(space, [episode(*said)])
    store.close()
    before = content(path)
    con = sqlite3.connect(path)
    lower(con, 6)
    con.close()
    store = SqliteStore(path)
    assert store.check() == []
    with store.snapshot() as snapshot:
        (number,) = snapshot.find_words("ada", ["177"], LineFilter(), limit=9)
        assert [hit.id for hit in snapshot.hits("ada", [number], [])] == ["m177"]
    store.close()
    assert [row[:3] for row in content(path)[0]] == [row[:3] for row in before[0]]
