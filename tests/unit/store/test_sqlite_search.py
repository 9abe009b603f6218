"""Searching by words among many lines: the ways that small stores never take."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.store.sqlite import SqliteStore
from factbook.store.sqlite.reading import hit_rows, search_snapshot
from factbook.store.sqlite.words import matching
from factbook.text import bm25
from tests.support.builders import at, commit, episode, message, note

ALL = LineFilter(superseded=True)
WORDS = [
    f"{first}{second}{third}o"
    for first in "bdfgklmnprst"
    for second in "aeiou"
    for third in "bdgklmnprtvz"
]
COMMON = WORDS[:3]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SqliteStore, list[list[str]]]]:
    """1,200 messages of 12 words, the most common of which stand in most of them; and their
    words.
    """
    chance = random.Random(5)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    texts = [chance.choices(WORDS, weights, k=12) for _ in range(1200)]
    store = SqliteStore(tmp_path_factory.mktemp("many") / "a.db")
    for start in range(0, len(texts), 50):
        said = [
            message(" ".join(text), id=f"m{start + place}", at=at(start + place))
            for place, text in enumerate(texts[start : start + 50])
        ]
        store.remember(
            "ada",
            [episode(*said, session=f"s{start // 100}", project="atlas" if start < 100 else "")],
        )
    yield store, texts
    store.close()


def found(
    store: SqliteStore, words: list[str], where: LineFilter = ALL, limit: int = 100
) -> list[int]:
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", words, where, limit=limit)
        assert len(numbers) == len(set(numbers)) <= limit
        return [int(hit.id[1:]) for hit in snapshot.hits("ada", numbers, words)]


def scores(texts: list[list[str]], words: list[str]) -> dict[int, float]:
    """Exhaustive BM25 (all lines are as long here, but for their date)."""
    frequency = {word: sum(word in text for text in texts) for word in set(words)}
    weights = bm25.weigh_words(len(texts), frequency)
    out = {
        number: bm25.score_line(weights, Counter(text), 15, 15) for number, text in enumerate(texts)
    }
    return {number: score for number, score in out.items() if score}


@pytest.mark.parametrize("numpy", [True, False])
@pytest.mark.parametrize("limit", [1, 10, 100])
def test_the_best_lines_are_found_the_best_first(
    told: tuple[SqliteStore, list[list[str]]],
    limit: int,
    numpy: bool,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(matching, "has_numpy", lambda: numpy)
    monkeypatch.setattr(matching, "MANY", 100)
    store, texts = told
    chance = random.Random(6)
    for _ in range(20):
        words = chance.sample(chance.choice(texts), 6)
        exact = scores(texts, words)
        best = sorted(exact, key=lambda number: (-exact[number], -number))[:limit]
        assert [exact[each] for each in found(store, words, limit=limit)] == pytest.approx(
            [exact[n] for n in best], rel=1e-5
        )


def test_without_numpy_common_words_weigh_in_early_lines_too_and_a_filter_finds_them(
    told: tuple[SqliteStore, list[list[str]]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(matching, "has_numpy", lambda: False)
    monkeypatch.setattr(matching, "PLAIN", 40)
    store, texts = told
    rare, common = WORDS[60], COMMON[0]
    exact = scores(texts, [rare, common])
    early = sorted(
        (n for n, text in enumerate(texts) if rare in text), key=lambda n: (-exact[n], -n)
    )
    assert [exact[n] for n in found(store, [rare, common], limit=len(early))] == pytest.approx(
        [exact[n] for n in early]
    )
    filtered = found(store, [common], LineFilter(until=at(60)), limit=10)
    assert len(filtered) == 10
    assert {n for n in filtered if n < 60 and common in texts[n]} == {*filtered}


def test_a_line_with_more_of_the_question_comes_first(told: tuple[SqliteStore, list[list[str]]]):
    store, texts = told
    words = list(dict.fromkeys(texts[600]))
    assert found(store, words)[0] == 600


def test_of_equal_lines_the_latest_come_first(told: tuple[SqliteStore, list[list[str]]]):
    store, texts = told
    holding = [number for number, text in enumerate(texts) if text.count(WORDS[40]) == 1]
    assert [each for each in found(store, [WORDS[40]]) if each in holding] == holding[::-1]
    assert {*found(store, COMMON, limit=50)} <= {
        n for n, text in enumerate(texts) if {*COMMON} & {*text}
    }


@pytest.mark.parametrize(
    "where",
    [
        LineFilter(since=at(5), until=at(60)),
        LineFilter(sessions=("s0",)),
        LineFilter(sessions=("s0", "s1", "none")),
        LineFilter(kinds=("note",)),
    ],
)
def test_a_filter_starves_no_search(told: tuple[SqliteStore, list[list[str]]], where: LineFilter):
    store, texts = told
    upto = {("s0",): 100, ("s0", "s1", "none"): 200}.get(where.sessions, 60)
    words = [*COMMON, texts[3][0]]
    allowed = [] if where.kinds else range(5 if where.since else 0, upto)
    expected = {number for number in allowed if {*words} & {*texts[number]}}
    assert {*found(store, words, where, limit=1000)} == expected
    assert len(found(store, words, where, limit=7)) == min(7, len(expected))


def test_many_lines_of_a_session_are_searched_like_any_others(
    told: tuple[SqliteStore, list[list[str]]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(search_snapshot, "SCAN", 50)
    store, texts = told
    where = LineFilter(sessions=("s4",))
    expected = {number for number in range(400, 500) if COMMON[0] in texts[number]}
    assert {*found(store, [COMMON[0]], where, limit=1000)} == expected
    assert found(store, ["nowhere"], where) == []


def test_all_lines_are_found_where_there_are_no_more(told: tuple[SqliteStore, list[list[str]]]):
    store, texts = told
    words = [COMMON[0], WORDS[-1], WORDS[100]]
    expected = {number for number, text in enumerate(texts) if {*words} & {*text}}
    assert {*found(store, words, limit=2000)} == expected
    assert found(store, words, limit=0) == []
    assert found(store, ["nowhere"]) == []


def test_words_of_another_space_count_nowhere(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    commit(store, "ada", note("Violin lesson", id="n1"))
    for number in range(30):
        commit(store, "tom", note(f"Violin {number}", id=f"n{number}"))
    with store.snapshot() as snapshot:
        assert snapshot.word_stats("ada", ["violin"]).frequency == {"violin": 1}
        assert snapshot.word_stats("nobody", ["violin"]).lines == 0
        mine = snapshot.find_words("ada", ["violin"], ALL, limit=100)
        theirs = snapshot.find_words("tom", ["violin"], ALL, limit=100)
        assert (len(mine), len(theirs)) == (1, 30)
        assert snapshot.hits("ada", theirs, ["violin"]) == []
        assert snapshot.find_around("ada", theirs, ALL, radius=3) == []
    store.close()


def test_words_that_no_line_has_any_more_are_not_kept(tmp_path: Path):
    store = SqliteStore(tmp_path / "a.db")
    row = note("Violin lesson", id="n1")
    commit(store, "ada", row)
    commit(store, "ada", Change(before=row))
    con = store._writer_connection()
    assert con.execute("SELECT count(*) FROM words").fetchone() == (0,)
    assert store.check() == []
    store.close()


@pytest.mark.parametrize("numpy", [True, False])
def test_words_are_counted_however_often_they_stand(
    tmp_path: Path, numpy: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hit_rows, "has_numpy", lambda: numpy)
    store = SqliteStore(tmp_path / "a.db")
    store.remember(
        "ada", [episode("violin " * 40 + "lesson", "violin lesson lesson", "nothing", session="s")]
    )
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", ["violin", "lesson", "noth"], ALL, limit=9)
        found = [
            hit.counts for hit in snapshot.hits("ada", numbers, ["violin", "lesson", "absent"])
        ]
        in_order = sorted(found, key=lambda counts: counts.get("violin", 0))
        assert in_order == [{}, {"violin": 1, "lesson": 2}, {"violin": 40, "lesson": 1}]
        assert [hit.counts for hit in snapshot.hits("ada", numbers, ["absent"])] == [{}, {}, {}]
        assert snapshot.hits("ada", [], ["violin"]) == []
    store.close()


def test_long_lists_that_nothing_was_searched_by_are_not_read(
    told: tuple[SqliteStore, list[list[str]]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hit_rows, "READ", 5)
    store, texts = told
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", [WORDS[0]], ALL, limit=5)
        expected = [
            {WORDS[1]: texts[int(hit.id[1:])].count(WORDS[1])}
            for hit in snapshot.hits("ada", numbers, [])
        ]
        found = [dict(hit.counts) for hit in snapshot.hits("ada", numbers, [WORDS[1]])]
        assert found == [
            {word: count for word, count in each.items() if count} for each in expected
        ]


def test_only_the_words_of_the_last_few_questions_are_kept(
    told: tuple[SqliteStore, list[list[str]]],
):
    store, _ = told
    with store.snapshot() as snapshot:
        first = snapshot.find_words("ada", WORDS[:1], ALL, limit=5)
        for word in WORDS[1:9]:
            snapshot.find_words("ada", [word], ALL, limit=5)
        assert len(snapshot._asked) == search_snapshot.ASKED
        assert snapshot.find_words("ada", WORDS[:1], ALL, limit=5) == first
