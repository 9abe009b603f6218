"""Groups of records that are of one, in a whole list of them."""

from __future__ import annotations

from collections.abc import Sequence

from factbook.resolve.records.blocks import candidate_pairs
from factbook.resolve.records.population import Population, population_of
from factbook.resolve.records.score import score_records
from factbook.resolve.records.sorts import Record
from factbook.resolve.records.weights import SURE_BITS


def group_records(records: Sequence[Record]) -> list[list[int]]:
    """Returns places of the records that are of one, each group in order; those alone are left out.

    Pairs are joined from the surest down; two groups only if their members agree on the whole, so
    that no chain of slips leads from one to another.
    """
    population = population_of(records)
    prepared = [population.prepare_record(record) for record in records]
    scored = [
        (score_records(prepared[a], prepared[b], population).bits, a, b)
        for a, b in candidate_pairs(prepared)
    ]
    sure = sorted(
        (each for each in scored if each[0] >= SURE_BITS), key=lambda each: (-each[0], each[1:])
    )
    known = {(a, b): bits for bits, a, b in scored}
    home = list(range(len(records)))
    members = {place: [place] for place in home}
    for _, a, b in sure:
        left, right = sorted((home[a], home[b]))
        if left == right or not _groups_agree(
            members[left], members[right], known, prepared, population
        ):
            continue
        for place in members[right]:
            home[place] = left
        members[left] += members.pop(right)
    return sorted(sorted(group) for group in members.values() if len(group) > 1)


def _groups_agree(
    left: Sequence[int],
    right: Sequence[int],
    known: dict[tuple[int, int], float],
    prepared: Sequence[Record],
    population: Population,
) -> bool:
    """Returns whether the members of two groups are, on average, sooner one than not."""
    total = 0.0
    for a in left:
        for b in right:
            pair = (min(a, b), max(a, b))
            if pair not in known:
                known[pair] = score_records(prepared[pair[0]], prepared[pair[1]], population).bits
            total += known[pair]
    return total > 0
