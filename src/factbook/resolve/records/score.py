"""The score of two records: what their attributes say together, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

from factbook.resolve.records.agree import Level, compare_values
from factbook.resolve.records.population import Field, Population
from factbook.resolve.records.sorts import Record, Sort, is_of_place
from factbook.resolve.records.weights import SWAPPED

_SWAPPABLE: frozenset[Sort] = frozenset({"name", "words", "text"})
MOST_SWAPPABLE = 50
"""So many attributes at most are looked at for swapped ones, each with each."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One attribute's part of a score: how far it agrees, its weight in bits, and with which other
    one it stands swapped.
    """

    attribute: str
    level: Level
    bits: float
    swapped_with: str = ""

    def __str__(self) -> str:
        said = {
            "same": "is the same",
            "near": "is the same but for a slip",
            "part": "agrees in part",
            "differ": "differs",
        }[self.level]
        swapped = (
            f", swapped with {self.swapped_with.replace('_', ' ')}" if self.swapped_with else ""
        )
        return f"{self.attribute.replace('_', ' ')} {said}{swapped}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """The joint score of the shared attributes of two records.

    Attributes:
        bits: the odds that both are of one, as a power of two, the prior included.
        parts: by attribute, the weightiest first.
    """

    bits: float
    parts: tuple[Part, ...] = ()

    @property
    def evidence(self) -> tuple[str, ...]:
        """In words, the weightiest first."""
        return tuple(map(str, self.parts))

    @property
    def beyond_place(self) -> float:
        """Bits of what isn't shared by a whole household: `bits` with place, employer and their
        like left out.
        """
        return self.bits - sum(
            max(0.0, part.bits) for part in self.parts if is_of_place(part.attribute)
        )

    @property
    def chance(self) -> float:
        """The odds as a probability, 0–1."""
        return 1 / (1 + 2 ** -max(-60.0, min(60.0, self.bits)))


def score_records(left: Record, right: Record, population: Population) -> Score:
    """Adds up the weights of the attributes that both records have, in favour of swapped ones where
    they agree better.

    Args:
        left, right: as `Population.prepared` gives them.
    """
    parts: dict[str, Part] = {}
    for attribute, values in left.items():
        if attribute in right:
            level, bits = _best_agreement(values, right[attribute], population.field_of(attribute))
            parts[attribute] = Part(attribute=attribute, level=level, bits=bits)
    _swap_attributes(parts, left, right, population)
    bits = population.prior + sum(part.bits for part in parts.values())
    return Score(
        bits=bits,
        parts=tuple(sorted(parts.values(), key=lambda part: (-abs(part.bits), part.attribute))),
    )


def _best_agreement(
    left: Sequence[str], right: Sequence[str], figures: Field
) -> tuple[Level, float]:
    """Returns the best agreement of any two of the values."""
    if len(left) == len(right) == 1:
        return _weigh_agreement(left[0], right[0], figures)
    return max(
        (_weigh_agreement(mine, theirs, figures) for mine in left for theirs in right),
        key=lambda each: each[1],
    )


def _weigh_agreement(left: str, right: str, figures: Field) -> tuple[Level, float]:
    if left == right:
        return "same", figures.weigh_level("same", left)
    level = (
        compare_values(figures.sort, left, right)
        if left < right
        else compare_values(figures.sort, right, left)
    )
    return level, figures.bits[level]


def _swap_attributes(
    parts: dict[str, Part], left: Record, right: Record, population: Population
) -> None:
    """Takes two attributes of one sort for swapped where they agree the better so, one of them
    wholly.
    """
    names = [
        name
        for name in {**left, **right}
        if population.field_of(name).sort in _SWAPPABLE
        and (name not in parts or parts[name].level in ("differ", "part"))
    ][:MOST_SWAPPABLE]
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            crossed = [
                (mine, theirs)
                for mine, theirs in ((first, second), (second, first))
                if mine in left and theirs in right
            ]
            if any(set(left[mine]).intersection(right[theirs]) for mine, theirs in crossed):
                _swap_two(crossed, parts, left, right, population)


def _swap_two(
    crossed: Sequence[tuple[str, str]],
    parts: dict[str, Part],
    left: Record,
    right: Record,
    population: Population,
) -> None:
    both = {name for pair in crossed for name in pair}
    fields = {name: population.field_of(name) for name in both}
    if len({figures.sort for figures in fields.values()}) > 1:
        return
    if any(name in parts and parts[name].swapped_with for name in both):
        return
    found = [
        (mine, theirs, *_best_agreement(left[mine], right[theirs], fields[mine]))
        for mine, theirs in crossed
    ]
    straight = sum(parts[name].bits for name in both if name in parts)
    if sum(bits for *_, bits in found) + log2(SWAPPED) <= straight:
        return
    for name in both:
        parts.pop(name, None)
    for mine, theirs, level, bits in found:
        share = log2(SWAPPED) / len(found)
        parts[mine] = Part(attribute=mine, level=level, bits=bits + share, swapped_with=theirs)
