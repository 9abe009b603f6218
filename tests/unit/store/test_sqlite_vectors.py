"""Vectors in the SQLite store: as exact as they have to be, and never of what is gone."""

from __future__ import annotations

import math
import random
import struct
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.errors import StoreError
from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.ports.store import Erasure, Vectors
from factbook.store.sqlite import SqliteStore
from factbook.store.sqlite.vectors import bit_codes, nearest, stored_vectors
from tests.support.builders import at, commit, entity, episode, fact, message, note

SIZE = 96
CLOSE = 0.005
"""What a cosine may be off by."""
ALL = LineFilter(superseded=True)
np = pytest.importorskip("numpy")


def unit(numbers: list[float]) -> bytes:
    length = math.sqrt(sum(number * number for number in numbers)) or 1.0
    return struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))


def cosine(left: bytes, right: bytes) -> float:
    floats = [struct.unpack(f"<{len(each) // 4}f", each) for each in (left, right)]
    return sum(a * b for a, b in zip(*floats, strict=True))


def made_up(count: int, seed: int = 1, size: int = SIZE) -> list[bytes]:
    """Vectors around a few middles, as those of texts are."""
    chance = random.Random(seed)
    middles = [[chance.gauss(0, 1) for _ in range(size)] for _ in range(8)]
    return [
        unit([number + chance.gauss(0, 1) for number in chance.choice(middles)])
        for _ in range(count)
    ]


def fill(store: SqliteStore, rows: dict[str, bytes], space: str = "ada", model: str = "m") -> None:
    told = [message("Hello", id=each, at=at(number)) for number, each in enumerate(rows)]
    for start in range(0, len(told), 100):
        store.remember(space, [episode(*told[start : start + 100], session=f"s{start // 100}")])
    store.put_vectors(space, Vectors(model=model, size=SIZE, rows=rows))


def find(
    store: SqliteStore, asked: bytes, where: LineFilter = ALL, *, limit: int = 10, model: str = "m"
) -> list[str]:
    with store.snapshot() as snapshot:
        numbers = snapshot.find_vector("ada", model, asked, where, limit=limit)
        return [hit.id for hit in snapshot.hits("ada", numbers, [])]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "a.db")
    yield store
    store.close()


@pytest.fixture(params=["exact", "codes"])
def filled(
    request: pytest.FixtureRequest, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> SqliteStore:
    """300 messages with vectors, compared number by number or by codes first."""
    if request.param == "codes":
        monkeypatch.setattr(nearest, "EXACT", 100)
        monkeypatch.setattr(nearest, "RESCORED", 100)
        monkeypatch.setattr(nearest, "SIFTED", 2)
        monkeypatch.setattr(bit_codes, "_SLICE", 128)
        monkeypatch.setattr(bit_codes, "BLOCK", 64)
    fill(store, dict(zip((f"m{number:03}" for number in range(300)), made_up(300), strict=True)))
    return store


def test_the_nearest_lines_come_first(filled: SqliteStore):
    rows = made_up(300)
    right = 0
    for asked in made_up(10, seed=2):
        best = sorted(range(300), key=lambda number: -cosine(rows[number], asked))
        found = find(filled, asked)
        near = [cosine(rows[int(each[1:])], asked) for each in found]
        assert all(near[place] > near[place + 1] - CLOSE for place in range(9))
        right += len({*found} & {f"m{number:03}" for number in best[:10]})
    assert right >= 85


@pytest.mark.parametrize(
    "where",
    [
        LineFilter(sessions=("s1",)),
        LineFilter(since=at(290)),
        LineFilter(kinds=("message",), until=at(4)),
    ],
)
def test_a_narrow_filter_starves_no_search(filled: SqliteStore, where: LineFilter):
    rows = made_up(300)
    allowed = [
        number
        for number in range(300)
        if (not where.sessions or number // 100 == 1)
        and (where.since is None or number >= 290)
        and (where.until is None or number < 4)
    ]
    for asked in made_up(5, seed=3):
        best = sorted((cosine(rows[number], asked) for number in allowed), reverse=True)[:10]
        found = [int(each[1:]) for each in find(filled, asked, where)]
        assert {*found} <= {*allowed}
        assert min(cosine(rows[number], asked) for number in found) > best[-1] - CLOSE
        assert len(found) == len(best)


def test_many_lines_that_say_the_same_are_not_all_compared(filled: SqliteStore):
    (same,) = made_up(1, seed=9)
    filled.put_vectors(
        "ada", Vectors(model="m", size=SIZE, rows={f"m{number:03}": same for number in range(299)})
    )
    with filled.snapshot() as snapshot:
        assert len(snapshot.find_vector("ada", "m", same, ALL, limit=5)) == 5
        held = filled._vectors._spaces[1, 1]
        assert len(nearest._best(held, held.count, same, 50, None)) == 50


def test_all_are_found_where_all_are_asked_for(filled: SqliteStore):
    assert len(find(filled, made_up(1)[0], limit=1000)) == 300
    assert find(filled, made_up(1)[0], limit=0) == []


def test_what_is_new_altered_or_gone_is_known_at_once_also_from_another_process(
    filled: SqliteStore, tmp_path: Path
):
    asked = unit([1.0] * SIZE)
    away = unit([-1.0] * SIZE)
    assert find(filled, asked, limit=3) == find(filled, asked, limit=3)
    other = SqliteStore(tmp_path / "a.db")
    other.put_vectors("ada", Vectors(model="m", size=SIZE, rows={"m007": asked, "none": asked}))
    assert find(filled, asked, limit=3)[0] == "m007"
    other.put_vectors("ada", Vectors(model="m", size=SIZE, rows={"m007": away}))
    assert "m007" not in find(filled, asked, limit=3)
    kept = note("Hello", id="n1")
    commit(other, "ada", kept, vectors=Vectors(model="m", size=SIZE, rows={"n1": asked}))
    assert find(filled, asked, limit=3)[0] == "n1"
    commit(other, "ada", Change(before=kept))
    assert "n1" not in find(filled, asked, limit=300)
    assert filled.check() == []
    other.close()


def test_another_model_is_never_compared(filled: SqliteStore):
    asked = made_up(1)[0]
    assert find(filled, asked, model="other") == []
    assert find(filled, asked[:8]) == []
    filled.put_vectors("ada", Vectors(model="other", size=SIZE, rows={"m001": asked}))
    assert find(filled, asked, model="other") == ["m001"]
    assert "m001" not in find(filled, asked, limit=300)
    with filled.snapshot() as snapshot:
        assert [row[1] for row in snapshot.without_vector("ada", "other", limit=2)] == [
            "m000",
            "m002",
        ]
        assert len(snapshot.without_vector(None, "m", limit=9)) == 1


def test_a_new_process_begins_with_blocks_of_codes(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(nearest, "EXACT", 40)
    monkeypatch.setattr(nearest, "RESCORED", 100)
    monkeypatch.setattr(bit_codes, "BLOCK", 64)
    rows = dict(zip((f"m{number:03}" for number in range(300)), made_up(300), strict=True))
    fill(store, dict(list(rows.items())[:5]))
    for each in list(rows)[5:]:
        fill(store, {each: rows[each]})
    fill(store, {"m001": unit([1.0] * SIZE)})
    con = store._writer_connection()
    assert con.execute("SELECT count(*), count(DISTINCT model_no) FROM codes").fetchone() == (4, 1)
    row = note("Hello", id="n1")
    commit(store, "ada", row)
    store.put_vectors("ada", Vectors(model="m", size=SIZE, rows={"n1": unit([1.0] * SIZE)}))
    commit(store, "ada", Change(before=row))
    other = SqliteStore(tmp_path / "a.db")
    assert find(other, unit([1.0] * SIZE), limit=1) == ["m001"]
    assert other._vectors._spaces[1, 1].floats is None
    for asked in made_up(5, seed=4):
        assert find(other, asked) == find(store, asked)
    for number in range(200):
        other.put_vectors(
            "ada", Vectors(model="next", size=SIZE, rows={f"m{number:03}": rows[f"m{number:03}"]})
        )
    assert con.execute("SELECT DISTINCT model_no FROM codes").fetchall() == [(2,)]
    other.forget("ada", Erasure(message_ids=("m001",), at=at()))
    assert con.execute("SELECT count(*) FROM codes").fetchone() == (0,)
    assert find(store, rows["m002"], model="next", limit=1) == ["m002"]
    other.close()


@pytest.mark.parametrize("afresh", [False, True])
def test_vectors_that_were_replaced_often_crowd_out_no_line_and_repeat_none(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, afresh: bool
):
    monkeypatch.setattr(nearest, "EXACT", 8)
    monkeypatch.setattr(nearest, "RESCORED", 8)
    monkeypatch.setattr(bit_codes, "BLOCK", 8)
    rows = dict(zip([f"m{n}" for n in range(24)], made_up(24, seed=3), strict=True))
    fill(store, rows)
    for _ in range(6):
        assert len(find(store, rows["m7"], limit=4)) == 4
        store.put_vectors(
            "ada", Vectors(model="m", size=SIZE, rows={f"m{n}": rows[f"m{n}"] for n in range(8)})
        )
        with store._writing() as con:
            bit_codes.write_block(con, 1, 1)
    other = SqliteStore(tmp_path / "a.db") if afresh else store
    for n in range(24):
        found = find(other, rows[f"m{n}"], limit=4)
        assert (found[0], len(found), len(set(found))) == (f"m{n}", 4, 4)
    other.close()


def test_an_older_view_sees_no_later_vector(filled: SqliteStore):
    asked = unit([1.0] * SIZE)
    with filled.snapshot() as snapshot:
        before = snapshot.find_vector("ada", "m", asked, ALL, limit=5)
        filled.put_vectors("ada", Vectors(model="m", size=SIZE, rows={"m007": asked}))
        assert find(filled, asked, limit=1) == ["m007"]
        assert snapshot.find_vector("ada", "m", asked, ALL, limit=5) == before


def test_a_vector_goes_with_the_description_it_was_made_from(store: SqliteStore):
    (asked,) = made_up(1)
    first = entity("ada", description="A violinist")
    commit(store, "ada", first, vectors=Vectors(model="m", size=SIZE, rows={"ada": asked}))
    assert find(store, asked) == ["ada"]
    commit(store, "ada", Change(before=first, after=entity("ada", description="A pianist")))
    assert find(store, asked) == []


def test_vectors_of_lines_that_need_none_are_kept_too(store: SqliteStore):
    (asked,) = made_up(1)
    commit(
        store,
        "ada",
        fact("ada", "plays", "violin", id="f1"),
        vectors=Vectors(model="m", size=SIZE, rows={"f1": asked}),
    )
    assert find(store, asked) == ["f1"]
    with store.snapshot() as snapshot:
        assert snapshot.without_vector("ada", "other", limit=9) == []


def test_a_vector_of_another_size_is_refused(store: SqliteStore):
    commit(store, "ada", note("Hello", id="n1"))
    store.put_vectors("ada", Vectors(model="m", size=SIZE))
    with pytest.raises(StoreError, match="have another length"):
        store.put_vectors("ada", Vectors(model="m", size=SIZE, rows={"n1": b"\0" * 8}))
    assert find(store, made_up(1)[0]) == []


def test_many_spaces_take_no_more_memory_than_is_allowed(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(nearest, "MEMORY", 10_000)
    (asked,) = made_up(1)
    for space in ("ada", "tom", "eva"):
        commit(
            store,
            space,
            note("Hello", id="n1"),
            vectors=Vectors(model="m", size=SIZE, rows={"n1": asked}),
        )
    with store.snapshot() as snapshot:
        for space in ("ada", "tom", "eva", "ada"):
            assert len(snapshot.find_vector(space, "m", asked, ALL, limit=3)) == 1
        assert snapshot.find_vector("nobody", "m", asked, ALL, limit=3) == []
    assert len(store._vectors._spaces) == 1


def test_threads_may_search_at_once_while_vectors_come_in(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(nearest, "EXACT", 100)
    rows = dict(zip((f"m{number:03}" for number in range(200)), made_up(200), strict=True))
    fill(store, {each: rows[each] for each in list(rows)[:20]})
    wrong: list[str] = []

    def search() -> None:
        wrong.extend(each for each in list(rows)[:20] if find(store, rows[each], limit=1) != [each])

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for start in range(20, 200, 20):
        fill(store, {each: rows[each] for each in list(rows)[start : start + 20]})
    for thread in threads:
        thread.join()
    assert wrong == []


def test_without_numpy_vectors_are_kept_but_not_compared(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stored_vectors, "has_numpy", lambda: False)
    (asked,) = made_up(1)
    commit(
        store,
        "ada",
        note("Hello", id="n1"),
        vectors=Vectors(model="m", size=SIZE, rows={"n1": asked}),
    )
    assert find(store, asked) == []
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", ["hello"], ALL, limit=9)
        assert [
            hit.cosine for hit in snapshot.hits("ada", numbers, [], model="m", vector=asked)
        ] == [None]
    monkeypatch.undo()
    assert find(store, asked) == ["n1"]


def test_bits_are_counted_before_numpy_2_as_well(monkeypatch: pytest.MonkeyPatch):
    numbers = np.array([0, 1, 2**64 - 1, 0x0F0F], np.uint64)
    expected = [0, 1, 64, 8]
    assert bit_codes.count_ones(numbers).tolist() == expected
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    assert bit_codes.count_ones(numbers).tolist() == expected


@given(st.integers(0, 10_000), st.sampled_from([8, 96, 384]))
def test_bytes_keep_a_cosine_to_a_hundredth(seed: int, size: int):
    left, right = made_up(2, seed, size)
    (found,) = stored_vectors.compute_cosines([stored_vectors.quantise_vector(left)], right)
    assert abs(found - cosine(left, right)) < (0.003 if size > 8 else 0.01)


def test_a_vector_of_zeros_is_like_nothing(monkeypatch: pytest.MonkeyPatch):
    zeros = bytes(4 * SIZE)
    assert stored_vectors.quantise_vector(zeros) == (0.0, bytes(SIZE))
    assert stored_vectors.compute_cosines(
        [stored_vectors.quantise_vector(zeros)], made_up(1)[0]
    ) == [0.0]
    assert stored_vectors.compute_cosines([], zeros) == []
    monkeypatch.setattr(
        stored_vectors, "byteorder", "big" if sys.byteorder == "little" else "little"
    )
    assert (
        stored_vectors.quantise_vector(struct.pack(f">{SIZE}f", *[1.0] * SIZE))[1]
        == bytes([127]) * SIZE
    )


def test_an_older_view_gets_its_cosines_from_the_database(filled: SqliteStore):
    asked, before = unit([1.0] * SIZE), made_up(300)[7]
    with filled.snapshot() as snapshot:
        (number,) = [
            hit.no
            for hit in snapshot.hits(
                "ada", snapshot.find_words("ada", ["hello"], ALL, limit=999), []
            )
            if hit.id == "m007"
        ]
        filled.put_vectors("ada", Vectors(model="m", size=SIZE, rows={"m007": asked}))
        with filled.snapshot() as later:
            assert later.hits("ada", [number], [], model="m", vector=asked)[
                0
            ].cosine == pytest.approx(1.0, abs=CLOSE)
        (hit,) = snapshot.hits("ada", [number], [], model="m", vector=asked)
        assert hit.cosine == pytest.approx(cosine(before, asked), abs=CLOSE)


def test_all_codes_are_sifted_where_there_are_no_more(
    filled: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(nearest, "SIFTED", 100)
    rows = made_up(300)
    (asked,) = made_up(1, seed=6)
    best = max(range(300), key=lambda number: cosine(rows[number], asked))
    assert find(filled, asked, limit=3)[0] == f"m{best:03}"
