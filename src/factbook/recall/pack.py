"""Which lines enter: the most worth for the tokens, within a budget, nothing twice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """A line that may enter.

    Attributes:
        key: the caller's. score: 0–1.
        cost: tokens in its group, once that stands. group: its heading's key; empty for none.
        heading: tokens of that heading.
        session: where it was said, for spreading; -1 for nowhere.
        says: what it says, by keys of the caller. unless: it is left out if any of these is said already.
    """

    key: int
    score: float
    cost: int
    group: str = ""
    heading: int = 0
    session: int = -1
    says: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()


def pack(
    items: Sequence[Item],
    budget: int,
    *,
    sharpness: float,
    thrift: float = 1.0,
    spread: float = 0.0,
    first: Sequence[int] = (),
) -> list[int]:
    """The keys of the chosen items, in the order of choosing; their costs and headings never exceed the budget.

    Greedy by score × sharpness − thrift × ln(cost).

    Args:
        spread: taken off a score for each line of its session that is in already.
        first: keys that enter before all others, as far as they fit.
    """
    by_key = {item.key: item for item in items}
    chosen: list[int] = []
    groups: set[str] = set()
    said: set[str] = set()
    taken: dict[int, int] = {}
    left = budget

    def enter(item: Item) -> None:
        nonlocal left
        price = item.cost + (item.heading if item.group not in groups else 0)
        if price > left or not item.unless.isdisjoint(said):
            return
        left -= price
        groups.add(item.group)
        said.update(item.says)
        taken[item.session] = taken.get(item.session, 0) + 1
        chosen.append(item.key)

    for key in first:
        enter(by_key[key])
    ready = set(chosen)
    heap = [(-_worth(item, sharpness, thrift, 0.0), item.key, 0) for item in items if item.key not in ready]
    heapify(heap)
    while heap:
        _, key, seen = heap[0]
        item = by_key[key]
        now = taken.get(item.session, 0) if spread and item.session >= 0 else 0
        if now != seen:
            heapreplace(heap, (-_worth(item, sharpness, thrift, spread * now), key, now))
            continue
        heappop(heap)
        enter(item)
    return chosen


def _worth(item: Item, sharpness: float, thrift: float, less: float) -> float:
    return (item.score - less) * sharpness - thrift * math.log(max(item.cost, 1))


def costs(items: Mapping[int, Item], keys: Sequence[int]) -> int:
    """What these items cost together, headings counted once."""
    groups = {items[key].group: items[key].heading for key in keys}
    return sum(items[key].cost for key in keys) + sum(groups.values())
