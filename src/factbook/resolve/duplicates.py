"""Entities of a whole space that may be one: which pairs to look at, and what is thought of
each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from factbook.resolve.entity_match import Side, judge_pair
from factbook.resolve.records.blocks import candidate_pairs
from factbook.resolve.records.population import population_of
from factbook.resolve.verdict import MIDDLING, Decision
from factbook.text.names import (
    LONGEST_SLIP,
    content_words,
    fold,
    has_unspaced,
    name_keys,
    slip_forms,
)

LARGEST_BLOCK = 40
"""So many entities may share a name's key for its pairs to be looked at, and be one together; more
say that it is a common name, which tells nothing.
"""

_WHOLE = frozenset("fujscnpai")
_STEP = 1000
"""So many pairs between two words about the progress."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DuplicatePair:
    """Two that may be one, by their places, and what is thought of it: `merge` or `ask`."""

    left: int
    right: int
    decision: Decision


def find_duplicates(
    sides: Sequence[Side],
    *,
    apart: Collection[frozenset[str]] = (),
    waiting: Collection[frozenset[str]] = (),
    progress: Callable[[int, int], None] | None = None,
) -> list[DuplicatePair]:
    """Returns the pairs that are one for sure or may be, the surest first.

    A pair is sure only if everyone who would be one with it agrees: names that fit several who are
    two are asked about.

    Args:
        sides: canonical entities with all that is known of them.
        apart: pairs of ids recorded as not the same. waiting: those that wait for review: names
            don't settle them.
        progress: called now and then with how many pairs were looked at, of how many.
    """
    population = population_of([side.record for side in sides])
    pairs = sorted(
        {
            *_by_names(sides),
            *candidate_pairs([population.prepare_record(_without_name(side)) for side in sides]),
        }
    )

    def judged(left: int, right: int) -> Decision:
        both = frozenset((sides[left].row.id, sides[right].row.id))
        return judge_pair(
            sides[left],
            sides[right],
            must_not_link=both in apart,
            together=False,
            doubted=both in waiting,
            population=population,
        )

    found: list[DuplicatePair] = []
    for done, (left, right) in enumerate(pairs):
        if progress and done % _STEP == 0:
            progress(done, len(pairs))
        decision = judged(left, right)
        if decision.verdict != "separate":
            found.append(DuplicatePair(left=left, right=right, decision=decision))
    if progress:
        progress(len(pairs), len(pairs))
    order = {"merge": 0, "ask": 1, "separate": 2}
    settled = _ask_about_chains(found, judged)
    return sorted(
        settled,
        key=lambda each: (
            order[each.decision.verdict],
            -each.decision.score,
            each.left,
            each.right,
        ),
    )


def _without_name(side: Side) -> dict[str, tuple[str, ...]]:
    return {attribute: values for attribute, values in side.record.items() if attribute != "name"}


def _by_names(sides: Sequence[Side]) -> Iterator[tuple[int, int]]:
    """Yields pairs that share a whole name, as it is or but for a slip in one word; single names
    with the few that hold them.
    """
    blocks: dict[str, list[int]] = defaultdict(list)
    for place, side in enumerate(sides):
        for key in dict.fromkeys(key for name in side.names for key in _block_keys(name)):
            blocks[key].append(place)
    for members in blocks.values():
        if 1 < len(members) <= LARGEST_BLOCK:
            for at, right in enumerate(members):
                for left in members[:at]:
                    yield left, right


def _block_keys(name: str) -> Iterator[str]:
    keys = name_keys(name)
    tokens = content_words(fold(name))
    if len(tokens) < 2:
        yield from (key for key in keys if key[0] in "fujcsi")
        yield from (f"~{slip}" for token in tokens for slip in _slip_keys(token))
        return
    yield from (key for key in keys if key[0] in _WHOLE)
    for place, token in enumerate(tokens[:4]):
        for slip in _slip_keys(token):
            yield "~" + " ".join(sorted([*tokens[:place], slip, *tokens[place + 1 :]]))


def _slip_keys(token: str) -> tuple[str, ...]:
    return (
        slip_forms(token)
        if MIDDLING <= len(token) <= LONGEST_SLIP and not has_unspaced(token)
        else ()
    )


def _ask_about_chains(
    found: Sequence[DuplicatePair], judged: Callable[[int, int], Decision]
) -> Iterator[DuplicatePair]:
    """Asks where a chain of sure pairs would make two one that are not."""
    home: dict[int, int] = {}

    def root(place: int) -> int:
        while home.get(place, place) != place:
            place = home[place]
        return place

    sure = [each for each in found if each.decision.verdict == "merge"]
    for each in sure:
        left, right = root(each.left), root(each.right)
        home[max(left, right)] = min(left, right)
    groups: dict[int, set[int]] = defaultdict(set)
    for each in sure:
        groups[root(each.left)] |= {each.left, each.right}
    known = {(each.left, each.right) for each in found}
    torn = {key for key, members in groups.items() if _is_torn(sorted(members), known, judged)}
    for each in found:
        if each.decision.verdict == "merge" and root(each.left) in torn:
            evidence = (*each.decision.evidence, "but it fits several that are not one")
            yield replace(
                each, decision=replace(each.decision, verdict="ask", score=0.5, evidence=evidence)
            )
        else:
            yield each


def _is_torn(
    members: Sequence[int], known: set[tuple[int, int]], judged: Callable[[int, int], Decision]
) -> bool:
    return len(members) > LARGEST_BLOCK or any(
        (left, right) not in known and judged(left, right).verdict == "separate"
        for at, right in enumerate(members)
        for left in members[:at]
    )
