"""Packing: the most worth within a budget, nothing twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from factbook.recall.pack.knapsack import Item, pack

items = st.lists(
    st.builds(
        dict,
        score=st.floats(0, 1),
        cost=st.integers(0, 60),
        group=st.sampled_from(["", "a", "b", "c"]),
        session=st.integers(-1, 3),
        capped=st.booleans(),
        says=st.frozensets(st.integers(0, 5).map(str), max_size=2),
    ),
    max_size=30,
).map(
    lambda rows: [
        Item(key=key, heading=4 if row["group"] else 0, unless=row["says"], **row)
        for key, row in enumerate(rows)  # type: ignore[var-annotated]
    ]
)


def price(items: list[Item], keys: list[int]) -> int:
    return sum(items[key].cost for key in keys) + 4 * len(
        {items[key].group for key in keys if items[key].group}
    )


@given(items, st.integers(0, 300), st.floats(0, 0.2), st.none() | st.integers(0, 100))
def test_costs_and_headings_never_exceed_the_budget_and_nothing_is_said_twice(
    items: list[Item], budget: int, spread: float, cap: int | None
) -> None:
    chosen = pack(items, budget, sharpness=10, thrift=0.5, spread=spread, cap=cap)
    assert price(items, chosen) <= budget
    assert len(set(chosen)) == len(chosen)
    said: set[str] = set()
    for key in chosen:
        assert said.isdisjoint(items[key].unless)
        said |= items[key].says


@given(items)
def test_everything_new_enters_where_there_is_room(items: list[Item]) -> None:
    chosen = pack(items, 10_000, sharpness=10, cap=0)
    said = {word for key in chosen for word in items[key].says}
    assert all(key in chosen or not items[key].unless.isdisjoint(said) for key in range(len(items)))


def test_the_better_line_enters_first_and_the_shorter_of_two_equals() -> None:
    pool = [
        Item(key=0, score=0.5, cost=30),
        Item(key=1, score=0.9, cost=30),
        Item(key=2, score=0.5, cost=10),
    ]
    assert pack(pool, 100, sharpness=10) == [1, 2, 0]
    assert pack(pool, 45, sharpness=10) == [1, 2]


def test_without_thrift_length_does_not_count() -> None:
    pool = [Item(key=0, score=0.51, cost=90), Item(key=1, score=0.5, cost=2)]
    assert pack(pool, 100, sharpness=10, thrift=0) == [0, 1]
    assert pack(pool, 100, sharpness=10, thrift=1) == [1, 0]


def test_a_heading_is_paid_once() -> None:
    pool = [Item(key=key, score=0.5, cost=10, group="day", heading=8) for key in range(3)]
    assert pack(pool, 38, sharpness=10) == [0, 1, 2]
    assert pack(pool, 37, sharpness=10) == [0, 1]


def test_spreading_prefers_sessions_that_are_not_in_yet() -> None:
    pool = [Item(key=key, score=0.9 - key / 100, cost=10, session=1) for key in range(3)]
    pool.append(Item(key=3, score=0.85, cost=10, session=2))
    assert pack(pool, 100, sharpness=10) == [0, 1, 2, 3]
    assert pack(pool, 100, sharpness=10, spread=0.1) == [0, 3, 1, 2]


def test_capped_items_leave_room_for_the_others_and_take_what_is_left() -> None:
    cards = [Item(key=key, score=0.9, cost=10, capped=True) for key in range(3)]
    said = [Item(key=key, score=0.5, cost=10) for key in (3, 4)]
    assert pack([*cards, *said], 40, sharpness=10, cap=15) == [0, 3, 4, 1]


def test_the_first_card_waits_only_for_what_fits_nearly_as_well() -> None:
    cards = [Item(key=key, score=0.8, cost=20, capped=True) for key in range(2)]
    near, far = Item(key=2, score=0.7, cost=20), Item(key=3, score=0.3, cost=20)
    assert pack([*cards, near], 40, sharpness=10, cap=10) == [2, 0]
    assert pack([*cards, far], 40, sharpness=10, cap=10) == [0, 3]
    assert pack([*cards, near._replace(cost=50), far], 60, sharpness=10, cap=10) == [2]
    assert pack([*cards, near._replace(cost=70), far], 60, sharpness=10, cap=10) == [0, 3, 1]


def test_what_must_enter_enters_first_whatever_its_score() -> None:
    pool = [Item(key=0, score=0.9, cost=10), Item(key=1, score=0.1, cost=10, capped=True)]
    assert pack(pool, 10, sharpness=10, cap=0, first=[1]) == [1]


def test_what_needs_another_enters_after_it_or_not_at_all() -> None:
    pool = [
        Item(key=0, score=0.5, cost=10),
        Item(key=1, score=0.9, cost=10, needs=0),
        Item(key=2, score=0.7, cost=10),
        Item(key=3, score=0.9, cost=100),
        Item(key=4, score=0.9, cost=5, needs=3),
    ]
    assert pack(pool, 50, sharpness=10) == [2, 0, 1]
    assert pack(pool, 50, sharpness=10, first=[0]) == [0, 1, 2]
