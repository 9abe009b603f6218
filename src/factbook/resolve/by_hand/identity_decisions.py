"""Identities decided by hand: merging, unmerging and reviews."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from factbook.errors import InputError
from factbook.model.change import Change
from factbook.model.record import (
    SELF,
    EntityType,
    NotSame,
    Review,
    SameAs,
    pair_id,
)
from factbook.resolve.by_hand.hand_plan import HandPlan, hand_plan
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.known_record import KnownRecord
from factbook.resolve.verdict import Decision


def plan_merge(
    left: str,
    right: str,
    known: KnownRecord,
    *,
    reason: str = "",
    force: bool = False,
    decision: Decision | None = None,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Says that two entities are one: a `SameAs` row between their canonical ones.

    The one that more messages name stays canonical, `self` before any other, else the older one. An
    open review between them is accepted. The id of the row is that of the entity which it leads
    from.

    Args:
        decision: the engine's, where it is the one that decides.

    Raises:
        InputError: they are one already, or it is recorded that they are not (`force` takes that
            back).
    """
    del kinds, new_id
    home, other = known.home_of(left), known.home_of(right)
    if home == other:
        raise InputError("these two are one entity already")
    sheet = ChangeSheet()
    for row in known.not_same.values():
        if {known.home_of(row.left_id), known.home_of(row.right_id)} == {home, other}:
            if not force:
                raise InputError(
                    "it is recorded that these two are not the same; undo that, or decide again"
                )
            sheet.take_row(row)
    canonical, merged = sorted((home, other), key=lambda key: _survivor_weight(key, known))
    sheet.put_row(
        SameAs(
            id=merged,
            entity_id=merged,
            canonical_id=canonical,
            score=decision.score if decision else 1.0,
            evidence=decision.evidence if decision else (reason,) if reason else (),
            decider="engine" if decision else "user",
            created_at=now,
        )
    )
    _decide_reviews(home, other, known, sheet, "accepted")
    return hand_plan(sheet, (canonical,))


def _survivor_weight(entity_id: str, known: KnownRecord) -> tuple[bool, int, datetime, str]:
    return (
        entity_id != SELF,
        -known.named.get(entity_id, 0),
        known.entities[entity_id].created_at,
        entity_id,
    )


def _decide_reviews(
    left: str,
    right: str,
    known: KnownRecord,
    sheet: ChangeSheet,
    state: Literal["accepted", "refused"],
) -> None:
    """Closes the open reviews between two canonical entities."""
    for review in known.reviews.values():
        if review.state == "open" and {
            known.home_of(review.left_id),
            known.home_of(review.right_id),
        } == {
            left,
            right,
        }:
            sheet.put_row(replace(review, state=state), before=review)


def plan_unmerge(
    left: str,
    right: str,
    known: KnownRecord,
    *,
    reason: str = "",
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Says that two merged entities are two: takes the latest `SameAs` row between them away, and
    keeps a `NotSame`.

    Raises:
        InputError: they are not merged.
    """
    del kinds, new_id
    between = _rows_between(left, right, known)
    if not between:
        raise InputError("these two are not merged")
    sheet = ChangeSheet()
    sheet.take_row(max(between, key=lambda row: (row.created_at, row.id)))
    sheet.put_row(_not_same(left, right, reason, now))
    return hand_plan(sheet, (left, right))


def _rows_between(left: str, right: str, known: KnownRecord) -> list[SameAs]:
    """Returns the rows on the way from one to the other; none if they are not merged."""
    ways: list[list[SameAs]] = []
    for start in (left, right):
        way: list[SameAs] = []
        at = start
        while at in known.same_as:
            way.append(known.same_as[at])
            at = known.same_as[at].canonical_id
        ways.append(way)
    ends = [
        way[-1].canonical_id if way else start
        for way, start in zip(ways, (left, right), strict=True)
    ]
    if left == right or ends[0] != ends[1]:
        return []
    shared = {row.id for row in ways[0]} & {row.id for row in ways[1]}
    return [row for way in ways for row in way if row.id not in shared]


def _not_same(left: str, right: str, reason: str, now: datetime) -> NotSame:
    first, second = sorted((left, right))
    return NotSame(
        id=pair_id(left, right), left_id=first, right_id=second, reason=reason, created_at=now
    )


def plan_review(
    review: Review,
    known: KnownRecord,
    *,
    same: bool,
    reason: str = "",
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Decides a review: merges the two, or keeps a `NotSame`.

    Raises:
        InputError: to be merged, but recorded as not the same.
    """
    left, right = review.left_id, review.right_id
    if known.home_of(left) == known.home_of(right):
        decided = replace(review, state="accepted") if same else replace(review, state="refused")
        return HandPlan(changes=(Change(before=review, after=decided),), ids=(review.id,))
    if same:
        planned = plan_merge(left, right, known, reason=reason, kinds=kinds, now=now, new_id=new_id)
        return replace(planned, ids=tuple(dict.fromkeys([*planned.ids, review.id])))
    sheet = ChangeSheet()
    sheet.put_row(replace(review, state="refused"), before=review)
    _decide_reviews(known.home_of(left), known.home_of(right), known, sheet, "refused")
    if pair_id(left, right) not in known.not_same:
        sheet.put_row(_not_same(left, right, reason, now))
    return hand_plan(sheet, (known.home_of(left), known.home_of(right)))
