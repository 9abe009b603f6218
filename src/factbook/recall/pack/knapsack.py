"""Which lines enter: the most worth for the tokens, within a budget, nothing twice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, heapreplace
from typing import NamedTuple

RIVAL = 0.75
"""Of a score, what a line must have for which a better one waits that is capped."""


class Item(NamedTuple):
    """A line that may enter. A tuple, since a question makes hundreds.

    Attributes:
        key: the caller's. score: 0–1.
        cost: tokens in its group, once that stands. group: its heading's key; empty for none.
        heading: tokens of that heading.
        session: where it was said, for spreading; -1 for nowhere.
        capped: it is one of those that may take only a part of the budget at first.
        says: what it says, by keys of the caller. unless: it is left out if any of these is said
            already.
        needs: the key of the item without which it can't enter; -1 for none.
    """

    key: int
    score: float
    cost: int
    group: str = ""
    heading: int = 0
    session: int = -1
    capped: bool = False
    says: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    needs: int = -1


def pack(  # noqa: PLR0913 - each option of packing by its name
    items: Sequence[Item],
    budget: int,
    *,
    sharpness: float,
    thrift: float = 1.0,
    spread: float = 0.0,
    cap: int | None = None,
    first: Sequence[int] = (),
) -> list[int]:
    """The keys of the chosen items, in the order of choosing; their costs and headings never exceed
    the budget.

    Greedy by score × sharpness − thrift × ln(cost).

    Args:
        spread: taken off a score for each line of its session that is in already.
        cap: what capped items may cost together before all others had their chance; None for no
            limit.
        first: keys that enter before all others, as far as they fit.
    """
    by_key = {item.key: item for item in items}
    bag = _Bag(left=budget, room=budget if cap is None else cap)
    for key in first:
        bag.enter(by_key[key], capped=False)
    ready = set(bag.chosen)
    later: dict[int, list[Item]] = {}
    heap: list[tuple[float, int, int]] = []
    for item in items:
        if item.key in ready:
            continue
        if item.needs < 0 or item.needs in ready:
            heap.append((-_worth(item, sharpness, thrift, 0.0), item.key, 0))
        else:
            later.setdefault(item.needs, []).append(item)
    heapify(heap)
    while heap:
        _, key, seen = heap[0]
        item = by_key[key]
        now = bag.taken.get(item.session, 0) if spread and item.session >= 0 else 0
        if now != seen:
            heapreplace(heap, (-_worth(item, sharpness, thrift, spread * now), key, now))
            continue
        heappop(heap)
        if bag.enter(item, capped=item.capped and not bag.has_no_rival(item, items)):
            for more in later.get(key, ()):
                heappush(heap, (-_worth(more, sharpness, thrift, 0.0), more.key, 0))
    for item in bag.waiting:
        bag.enter(item, capped=False)
    return bag.chosen


@dataclass(kw_only=True)
class _Bag:
    """The items taken, and the room that is left: in all, and for capped items; `waiting` found no
    room under the cap. `capped`: a capped item is in.
    """

    left: int
    room: int
    chosen: list[int] = field(default_factory=list[int])
    waiting: list[Item] = field(default_factory=list[Item])
    groups: set[str] = field(default_factory=set[str])
    said: set[str] = field(default_factory=set[str])
    capped: bool = False
    taken: dict[int, int] = field(default_factory=dict[int, int])

    def has_no_rival(self, item: Item, items: Sequence[Item]) -> bool:
        """Whether the first capped item, too dear for the cap of a small budget, would wait for
        what fits far less.
        """
        if self.capped or item.cost + item.heading <= self.room:
            return False
        return not any(
            each.score >= RIVAL * item.score
            and each.cost + each.heading <= self.left
            and each.key not in self.chosen
            for each in items
            if not each.capped
        )

    def enter(self, item: Item, *, capped: bool) -> bool:
        price = item.cost + (item.heading if item.group not in self.groups else 0)
        if price > self.left or not item.unless.isdisjoint(self.said):
            return False
        if capped and price > self.room:
            self.waiting.append(item)
            return False
        self.left -= price
        self.capped = self.capped or item.capped
        self.room -= price if capped else 0
        self.groups.add(item.group)
        self.said.update(item.says)
        self.taken[item.session] = self.taken.get(item.session, 0) + 1
        self.chosen.append(item.key)
        return True


def _worth(item: Item, sharpness: float, thrift: float, less: float) -> float:
    return (item.score - less) * sharpness - thrift * math.log(max(item.cost, 1))
