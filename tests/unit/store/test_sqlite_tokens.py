"""Index words as tokens of the full-text index: none is folded, split, or taken for another space's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from factbook.store.sqlite.lines import pack_ids, unpack_ids
from factbook.store.sqlite.tokens import any_of, document, pack, token, unpack
from factbook.text.words import words

ODD = ("c++", "c#", "c", "C", "łódź", "straße", "strasse", "日本", "日", "é", "e\u0301", "¬2b¬", "+", "1x1", "x1", "😀")
WORDS = st.sampled_from(ODD) | st.text(st.characters(exclude_categories=["Cs"]), max_size=20).flatmap(
    lambda text: st.sampled_from(words(text) or ["none"])
)


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    con = sqlite3.connect(":memory:", isolation_level=None)
    con.execute(
        "CREATE VIRTUAL TABLE f USING fts5 (w, content = '', columnsize = 0, detail = none, tokenize = 'ascii')"
    )
    yield con
    con.close()


@given(st.sets(WORDS, min_size=1), WORDS, st.sampled_from([(1, 1), (1, 11), (11, 1)]))
@example({"c++"}, "c", (1, 1))
@example({"x1"}, "1x1", (1, 11))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_a_word_is_found_where_it_stands_and_nowhere_else(
    index: sqlite3.Connection, held: set[str], asked: str, spaces: tuple[int, int]
):
    inside, outside = spaces
    index.execute("DELETE FROM f_data WHERE 0")
    index.execute("INSERT INTO f (rowid, w) VALUES (1, ?)", (document(inside, held),))
    try:
        found = index.execute("SELECT rowid FROM f WHERE f MATCH ?", (f'"{token(outside, asked)}"',)).fetchall()
        assert bool(found) == (inside == outside and asked in held)
        found = index.execute("SELECT rowid FROM f WHERE f MATCH ?", (any_of(inside, sorted(held)),)).fetchall()
        assert found == [(1,)]
    finally:
        index.execute("INSERT INTO f (f, rowid, w) VALUES ('delete', 1, ?)", (document(inside, held),))


@given(st.lists(WORDS.filter(lambda word: not word.isspace())))
def test_stored_words_can_be_counted_and_read_again(held: list[str]):
    stored = pack(held)
    assert unpack(stored) == held
    for word in held:
        assert stored.count(f" {word} ") == held.count(word)


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)))
def test_stored_ids_are_read_again(ids: list[str]):
    assert unpack_ids(pack_ids(ids)) == tuple(ids)
