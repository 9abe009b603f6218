"""How often values and near agreements come about by chance, among the records at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log2

from factbook.resolve.records.agree import Level, compare_values
from factbook.resolve.records.sorts import Record, Sort, attribute_sort, normal_form
from factbook.resolve.records.weights import AMONG_OTHERS, AMONG_SAME, PRIOR_PAIRS

SAMPLED_PAIRS = 5000
"""Pairs drawn to count near agreements by chance."""
_STRIDE = 2_654_435_761
"""Knuth's multiplier: pairs drawn with it are spread like random ones, and the same every time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """One attribute: its sort, how many records have which value, and the weight of each level in
    bits.
    """

    sort: Sort
    filled: int = 0
    values: Mapping[str, int] = field(default_factory=dict[str, int])
    bits: Mapping[Level, float] = field(default_factory=dict[Level, float])

    def weigh_level(self, level: Level, value: str = "") -> float:
        """Returns the weight of an agreement, in bits; an equal value says the more the rarer it
        is.
        """
        if level != "same":
            return self.bits[level]
        by_chance = (self.values.get(value, 0) + PRIOR_PAIRS * self.usual) / (
            self.filled + PRIOR_PAIRS
        )
        return log2(AMONG_SAME[self.sort]["same"] / by_chance)

    @property
    def usual(self) -> float:
        return AMONG_OTHERS[self.sort]["same"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Population:
    """The records among which two are compared: how many, and what is usual of each attribute."""

    size: int = 0
    fields: Mapping[str, Field] = field(default_factory=dict[str, Field])

    def field_of(self, attribute: str) -> Field:
        """Returns the attribute's figures; those that are taken for granted where no record
        has it.
        """
        known = self.fields.get(attribute)
        return known if known is not None else _assume_field(attribute_sort(attribute))

    def prepare_record(self, record: Record) -> Record:
        """Returns the record with its values in normal form; those that say nothing are left
        out.
        """
        out: dict[str, tuple[str, ...]] = {}
        for attribute, values in record.items():
            sort = self.field_of(attribute).sort
            if forms := tuple(
                dict.fromkeys(form for value in values if (form := normal_form(sort, value)))
            ):
                out[attribute] = forms
        return out

    @property
    def prior(self) -> float:
        """The odds in bits that two records, drawn at random, are of one: each has another one of
        its own.
        """
        return -log2(max(2, self.size))


def population_of(records: Sequence[Record]) -> Population:
    """Counts the values, and compares pairs drawn evenly from all records (not within blocks of
    alike ones).
    """
    columns: dict[str, list[str]] = {}
    for record in records:
        for attribute, values in record.items():
            columns.setdefault(attribute, []).extend(values)
    return Population(
        size=len(records),
        fields={
            name: _count_field(attribute_sort(name, values), values)
            for name, values in columns.items()
        },
    )


@cache
def _assume_field(sort: Sort) -> Field:
    return _count_field(sort, [])


def _count_field(sort: Sort, values: Sequence[str]) -> Field:
    normals = [form for value in values if (form := normal_form(sort, value))]
    levels: Counter[Level] = Counter()
    drawn = min(SAMPLED_PAIRS, len(normals) * (len(normals) - 1) // 2)
    for number in range(drawn):
        left = number % len(normals)
        right = (left + 1 + (number * _STRIDE >> 7) % (len(normals) - 1)) % len(normals)
        levels[compare_values(sort, normals[left], normals[right])] += 1
    assumed = AMONG_OTHERS[sort]
    bits: dict[Level, float] = {
        level: log2(
            share / ((levels[level] + PRIOR_PAIRS * assumed[level]) / (drawn + PRIOR_PAIRS))
        )
        for level, share in AMONG_SAME[sort].items()
    }
    return Field(sort=sort, filled=len(normals), values=Counter(normals), bits=bits)
