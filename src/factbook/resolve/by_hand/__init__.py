"""Writes by hand as changes: what a person, a tool or a host says of entities, without a draft."""

from factbook.resolve.by_hand.amendments import plan_end_fact, plan_end_relation, plan_rename
from factbook.resolve.by_hand.conflict_decisions import plan_settle, plan_settle_link
from factbook.resolve.by_hand.hand_plan import Given, HandPlan, count_version
from factbook.resolve.by_hand.identity_decisions import plan_merge, plan_review, plan_unmerge
from factbook.resolve.by_hand.record_writes import (
    plan_note,
    plan_observation,
    plan_put,
    plan_relate,
)

__all__ = [
    "Given",
    "HandPlan",
    "count_version",
    "plan_end_fact",
    "plan_end_relation",
    "plan_merge",
    "plan_note",
    "plan_observation",
    "plan_put",
    "plan_relate",
    "plan_rename",
    "plan_review",
    "plan_settle",
    "plan_settle_link",
    "plan_unmerge",
]
