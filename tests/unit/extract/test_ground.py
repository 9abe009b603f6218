"""Grounding: what the episode doesn't bear out is dropped, with its reason."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.extract.ground import find_name, find_quote, ground_draft, nearest_kind
from factbook.model.draft import Draft, DraftEntity, DraftFact, DraftMention, DraftRelation
from factbook.model.record import SELF, EntityType
from tests.support.drafts import KINDS, episode

TEXT = "Priya  Raman leads\nProject Atlas at Acme, and Tom uses redis. 田中さんは東京にいます。"
EPISODE = episode(TEXT, ("Wei Lin", "I agree."))


def entity(ref: str, name: str, **rest: Any) -> DraftEntity:
    return DraftEntity(ref=ref, name=name, **rest)


def fact(
    ref: str,
    attribute: str = "role",
    value: str = "lead",
    quote: str = "Tom uses redis.",
    **rest: Any,
) -> DraftFact:
    return DraftFact(
        **{
            "ref": ref,
            "attribute": attribute,
            "value": value,
            "message_id": "m1",
            "quote": quote,
            **rest,
        }
    )


def relation(
    left: str, label: str, right: str, quote: str = "Tom uses redis.", **rest: Any
) -> DraftRelation:
    return DraftRelation(
        **{
            "from_ref": left,
            "label": label,
            "to_ref": right,
            "message_id": "m1",
            "quote": quote,
            **rest,
        }
    )


def check(*entities: DraftEntity, facts: Any = (), relations: Any = ()) -> Draft:
    given_draft = Draft(
        episode_id="e", entities=entities, facts=tuple(facts), relations=tuple(relations)
    )
    return ground_draft(given_draft, EPISODE, KINDS)


def reasons(draft: Draft) -> list[tuple[str, str]]:
    return [(each.reason, each.what) for each in draft.dropped]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Tom", "Tom"),
        ("priya raman", "Priya Raman"),
        ("Project Atlas", "Project Atlas"),
        ("Redis", "redis"),
        ("Wei Lin", "Wei Lin"),
        ("東京", "東京"),
    ],
)
def test_a_name_that_stands_in_a_message_is_kept_as_the_text_writes_it(
    name: str, written: str
) -> None:
    assert [each.name for each in check(entity("a", name)).entities] == [written]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Grace", "ungrounded"),
        ("Pri", "ungrounded"),
        ("riya", "ungrounded"),
        ("", "stop_name"),
        ("hey", "stop_name"),
        ("Monday", "stop_name"),
        ("I", "stop_name"),
        ("42", "stop_name"),
        ("next week", "stop_name"),
        ("x" * 500, "too_long"),
        ("Tom\u202e", "unprintable"),
        ("Tom\x00", "unprintable"),
    ],
)
def test_a_name_that_does_not_stand_there_or_names_nothing_is_dropped(
    name: str, reason: str
) -> None:
    found = check(entity("a", name))
    assert not found.entities
    assert [each.reason for each in found.dropped] == [reason]


def test_aliases_must_stand_there_too() -> None:
    found = check(entity("a", "Priya Raman", aliases=("Priya", "Pri", "Priya Raman", "Priya")))
    assert found.entities[0].aliases == ("Priya",)
    assert reasons(found) == [("ungrounded", "Pri")]


def test_a_ref_names_one_entity() -> None:
    found = check(entity("a", "Tom"), entity("a", "Acme"))
    assert [each.name for each in found.entities] == ["Tom"]
    assert reasons(found) == [("duplicate_ref", "a: Acme")]


def test_a_mention_stands_at_its_span() -> None:
    right = DraftMention(message_id="m1", start=0, end=5, text="Priya")
    wrong = [
        DraftMention(message_id="m1", start=1, end=6, text="Priya"),
        DraftMention(message_id="m9", start=0, end=5, text="Priya"),
        DraftMention(message_id="m1", start=3, end=3, text=""),
        DraftMention(message_id="m1", start=0, end=9999, text="Priya"),
    ]
    found = check(entity("a", "Priya Raman", mentions=(right, *wrong)))
    assert found.entities[0].mentions == (right,)
    assert [reason for reason, _ in reasons(found)] == ["wrong_span"] * 4


@pytest.mark.parametrize(
    ("given_kind", "kind"),
    [
        ("person", "person"),
        ("Location", "place"),
        ("Companies", "organization"),
        ("software project", "project"),
        ("Pain Points", "pain_point"),
        ("people", "person"),
        ("spaceship", "other"),
        ("", "other"),
    ],
)
def test_an_unknown_kind_becomes_the_nearest_declared_one(given_kind: str, kind: str) -> None:
    assert nearest_kind(given_kind, KINDS) == kind
    assert check(entity("a", "Tom", kind=given_kind)).entities[0].kind == kind


def test_a_kind_of_ones_own_is_declared_too() -> None:
    assert (
        nearest_kind("Vessel", {**KINDS, "ship": EntityType(id="ship", other_names=("vessel",))})
        == "ship"
    )


@pytest.mark.parametrize(
    ("importance", "kept"), [(0.3, 0.3), (7.0, 1.0), (-1.0, 0.0), (math.nan, 0.5)]
)
def test_importance_lies_between_0_and_1(importance: float, kept: float) -> None:
    found = check(
        entity("a", "Tom", importance=importance), facts=[fact("a", importance=importance)]
    )
    assert found.entities[0].importance == found.facts[0].importance == kept


def test_facts_and_relations_need_their_ends_labels_and_quotes() -> None:
    found = check(
        entity("a", "Tom"),
        entity("b", "redis"),
        entity("gone", "Grace"),
        facts=[
            fact("a", "Job Title", " tech   lead "),
            fact(SELF),
            fact("gone"),
            fact("a", "!!"),
            fact("a", value=" "),
            fact("a", value="v" * 2000),
            fact("a", quote="Tom uses mysql."),
            fact("a", quote=""),
            fact("a", message_id="m7"),
        ],
        relations=[
            relation("a", "Works With", "b", quote="Tom  uses\tredis."),
            relation("a", "uses", "gone"),
            relation("gone", "uses", "b"),
            relation("a", "is", "a"),
            relation("a", "", "b"),
            relation("a", "uses", "b", quote="nobody said this"),
        ],
    )
    assert [(each.ref, each.attribute, each.value) for each in found.facts] == [
        ("a", "job_title", "tech lead"),
        (SELF, "role", "lead"),
    ]
    assert [(each.from_ref, each.label, each.to_ref, each.quote) for each in found.relations] == [
        ("a", "works_with", "b", "Tom uses redis.")
    ]
    assert [reason for reason, _ in reasons(found)] == [
        "ungrounded",
        "unknown_end",
        "no_label",
        "no_value",
        "too_long",
        "ungrounded",
        "ungrounded",
        "unknown_message",
        "unknown_end",
        "unknown_end",
        "same_ends",
        "no_label",
        "ungrounded",
    ]


def test_a_quote_is_given_back_with_the_white_space_of_the_text() -> None:
    found = check(
        entity("a", "Priya Raman"), facts=[fact("a", quote="Priya Raman leads Project Atlas")]
    )
    assert found.facts[0].quote == "Priya  Raman leads\nProject Atlas"


def test_what_an_extractor_dropped_itself_stays_listed() -> None:
    before = ground_draft(Draft(episode_id="e", entities=(entity("a", "Grace"),)), EPISODE, KINDS)
    again = ground_draft(before, EPISODE, KINDS)
    assert again == before


@given(st.text(max_size=40), st.text(max_size=80))
def test_a_name_that_is_found_stands_there(name: str, text: str) -> None:
    found = find_name(name, text)
    assert found is None or found in " ".join(text.split())
    quote = find_quote(name, text)
    assert quote is None or quote in text
