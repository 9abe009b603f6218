"""Conflicts that are decided by hand: one value holds, the others never did."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from factbook.model.record import EntityType, Fact, Relation
from factbook.model.source import NEVER, Source
from factbook.model.value_equality import fold_value
from factbook.resolve.by_hand.hand_plan import HandPlan, count_version, hand_plan
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.draft_statements import Timelines
from factbook.resolve.known_record import KnownRecord


def plan_settle(
    entity_id: str,
    attribute: str,
    value: str,
    claims: Sequence[str],
    known: KnownRecord,
    *,
    source: Source,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Says by hand which of several values of an attribute holds, and that the other claims never
    did.
    """
    sheet = ChangeSheet()
    kept = next((claim for claim in claims if fold_value(claim) == fold_value(value)), value)
    wrong = replace(source, until=NEVER)
    others = {
        fold_value(claim): claim for claim in claims if fold_value(claim) != fold_value(value)
    }
    holding = Fact(
        id="", entity_id=entity_id, attribute=attribute, value=kept, created_at=now, source=source
    )
    said = [(holding, False)]
    said += [(replace(holding, value=other, source=wrong), True) for other in others.values()]
    Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id).add_facts(
        said, known.entities
    )
    count_version(sheet, known.entities.get(entity_id), now)
    return hand_plan(sheet, (known.home_of(entity_id),))


def plan_settle_link(
    from_id: str,
    label: str,
    to_id: str,
    claims: Sequence[str],
    known: KnownRecord,
    *,
    source: Source,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Says the same of a link of which one holds at a time; `claims` are the ids it was said to
    lead to.
    """
    sheet = ChangeSheet()
    wrong = replace(source, until=NEVER)
    others = [claim for claim in dict.fromkeys(claims) if claim != to_id]
    holding = Relation(
        id="", from_id=from_id, label=label, to_id=to_id, created_at=now, source=source
    )
    said = [(holding, False)]
    said += [(replace(holding, to_id=other, source=wrong), True) for other in others]
    Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id).add_relations(
        said, known.entities
    )
    return hand_plan(sheet, (known.home_of(from_id), known.home_of(to_id)))
