"""Whom a name means, as episodes are learned one after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from factbook.model.change import Change
from factbook.model.draft import DraftEntity, DraftMention
from factbook.model.entity import Entity
from factbook.model.record import SELF, Alias, EntityRecord, Mention, Review
from tests.unit.resolve.world import World, fact, link, person, thing


@pytest.fixture
def world() -> World:
    return World()


def test_a_new_name_makes_a_new_entity_with_its_mentions(world: World) -> None:
    planned = world.learn(
        "Priya Raman met Priya Raman.", [person("Priya Raman", description="An engineer.")]
    )
    row = world.entity("Priya Raman")
    assert planned.entity_ids["Priya Raman"] == row.id
    assert (row.kind, row.description, row.version) == ("person", "An engineer.", 1)
    [mention] = world.rows(Mention)
    assert (mention.entity_id, mention.text, mention.start) == (row.id, "Priya Raman", 0)


@pytest.mark.parametrize("again", ["priya raman", "Dr. Priya Raman", "Raman, Priya", "PRIYA RAMAN"])
def test_another_spelling_of_a_name_means_the_same_entity(world: World, again: str) -> None:
    world.learn("Priya Raman is here.", [person("Priya Raman")])
    world.learn(f"{again} is here.", [person(again)])
    assert world.names() == ["Priya Raman"]


def test_a_new_spelling_becomes_an_alias_once(world: World) -> None:
    world.learn("William Carter is here.", [person("William Carter")])
    for _ in range(2):
        world.learn("Bill Carter is here.", [person("Bill Carter")])
    assert world.aliases("William Carter") == ["Bill Carter"]


def test_names_that_nearly_agree_are_two_until_someone_decides(world: World) -> None:
    world.learn("James Hartley is here.", [person("James Hartley")])
    planned = world.learn("J. Hartley is here.", [person("J. Hartley")])
    assert world.names() == ["J. Hartley", "James Hartley"]
    assert world.reviews() == [("James Hartley", "J. Hartley", "open")]
    assert planned.reviews[0].evidence == ("j may stand for the given name",)


def test_different_kinds_are_different_entities(world: World) -> None:
    world.learn("Jordan is here.", [person("Jordan")])
    world.learn("Jordan is hot.", [thing("Jordan", "place")])
    assert [row.kind for row in world.rows(EntityRecord)] == ["person", "place"]
    assert world.reviews() == []


def test_an_unknown_kind_is_learned_later(world: World) -> None:
    world.learn("Atlas slips.", [thing("Atlas")])
    world.learn("Atlas is a project.", [thing("Atlas", "project")])
    row = world.entity("Atlas")
    assert (row.kind, row.version) == ("project", 2)


def test_a_kind_is_known_by_its_other_names_and_an_unheard_one_is_other(world: World) -> None:
    world.learn("Lisbon, Blorp", [thing("Lisbon", "location"), thing("Blorp", "gizmo")])
    assert world.entity("Lisbon").kind == "place"
    assert world.entity("Blorp").kind == "other"


def test_a_first_name_means_the_one_bearer_among_the_same_people(world: World) -> None:
    world.learn("Priya Raman joined.", [person("Priya Raman")], session="monday")
    world.learn("Priya is quick.", [person("Priya")], session="tuesday")
    assert world.names() == ["Priya Raman"]
    assert world.aliases("Priya Raman") == ["Priya"]


def test_a_first_name_among_other_people_is_asked_about(world: World) -> None:
    world.learn("Priya Raman joined.", [person("Priya Raman")], speaker="Tom", with_=["Ada"])
    world.learn("Priya is quick.", [person("Priya")], speaker="Nina", with_=["Omar"])
    assert world.names() == ["Priya", "Priya Raman"]
    assert world.reviews() == [("Priya Raman", "Priya", "open")]


@pytest.mark.parametrize("label", ["session", "project"])
def test_a_shared_session_or_project_is_company_too(world: World, label: str) -> None:
    world.learn(
        "Priya Raman joined.",
        [person("Priya Raman")],
        speaker="Tom",
        **dict[str, Any]({label: "atlas"}),
    )
    world.learn(
        "Priya is quick.", [person("Priya")], speaker="Nina", **dict[str, Any]({label: "atlas"})
    )
    assert world.names() == ["Priya Raman"]


def test_a_first_name_that_two_bear_is_asked_about_with_both(world: World) -> None:
    world.learn("Priya Raman and Priya Shah joined.", [person("Priya Raman"), person("Priya Shah")])
    world.learn("Priya is quick.", [person("Priya")])
    assert world.names() == ["Priya", "Priya Raman", "Priya Shah"]
    assert sorted(world.reviews()) == [
        ("Priya Raman", "Priya", "open"),
        ("Priya Shah", "Priya", "open"),
    ]


def test_a_first_name_that_stood_for_one_is_asked_about_when_a_second_bearer_comes(
    world: World,
) -> None:
    world.learn("Priya Raman joined.", [person("Priya Raman")])
    world.learn("Priya is quick.", [person("Priya")])
    world.learn("Priya Shah joined.", [person("Priya Shah")])
    world.learn("Priya is slow.", [person("Priya")])
    assert world.names() == ["Priya", "Priya Raman", "Priya Shah"]


def test_equal_first_names_among_other_people_are_two(world: World) -> None:
    world.learn("Sam is here.", [person("Sam")], speaker="Tom", with_=["Ada"])
    world.learn("Sam is here.", [person("Sam")], speaker="Nina", with_=["Omar"])
    world.learn("Sam is there.", [person("Sam")], speaker="Nina", with_=["Omar"])
    assert world.names() == ["Sam", "Sam"]


def test_a_whole_name_names_the_one_who_was_known_by_a_part_of_it(world: World) -> None:
    world.learn("Priya is quick.", [person("Priya")])
    world.learn("Priya Raman wrote it.", [person("Priya Raman")])
    row = world.entity("Priya Raman")
    assert (world.names(), world.aliases("Priya Raman"), row.version) == (
        ["Priya Raman"],
        ["Priya"],
        2,
    )


def test_a_part_of_two_whole_names_of_one_draft_is_neither(world: World) -> None:
    world.learn("Priya is quick.", [person("Priya")])
    world.learn("Priya Raman, Priya Shah", [person("Priya Raman"), person("Priya Shah")])
    assert world.names() == ["Priya", "Priya Raman", "Priya Shah"]
    assert len(world.reviews()) == 2


def test_names_of_one_draft_are_matched_among_themselves(world: World) -> None:
    entities = [
        person("Priya"),
        person("Priya Raman"),
        thing("NodeJS", "technology"),
        thing("Node.js", "technology"),
    ]
    planned = world.learn("Priya Raman asks; Priya uses NodeJS, Node.js.", entities)
    assert planned.entity_ids["Priya"] == planned.entity_ids["Priya Raman"]
    assert planned.entity_ids["NodeJS"] == planned.entity_ids["Node.js"]


def test_a_phrase_is_only_met_by_the_same_words(world: World) -> None:
    world.learn("the billing team", [thing("the billing team", phrase=True)])
    world.learn("Billing team", [thing("Billing team", phrase=True)])
    world.learn("the billing teams", [thing("the billing teams", phrase=True)])
    assert world.names() == ["the billing team", "the billing teams"]


def test_what_is_known_by_hand_is_known_to_all(world: World) -> None:
    world.put(Entity("Priya Raman", "person"))
    world.learn("Priya is quick.", [person("Priya")], speaker="Tom")
    assert world.names() == ["Priya Raman"]


def test_bearers_of_one_name_are_told_apart_by_their_company(world: World) -> None:
    world.learn("Ana Silva is here.", [person("Ana Silva")], speaker="Tom", session="one")
    first = world.entity("Ana Silva").id
    elsewhere = world.say("Ana Silva is there.", speaker="Nina", session="two")
    second = replace(world.entity("Ana Silva"), id="second")
    named = replace(world.rows(Mention)[0], id="m", entity_id="second", episode_id=elsewhere.id)
    world.commit([Change(after=second), Change(after=named)])
    for speaker, session, meant in (
        ("Nina", "two", {"second"}),
        ("Tom", "one", {first}),
        ("Omar", "three", set()),
    ):
        planned = world.learn(
            "Ana Silva again.", [person("Ana Silva")], speaker=speaker, session=session
        )
        assert {planned.entity_ids["Ana Silva"]} & {first, "second"} == meant
    assert len(world.reviews()) == 2


def test_importance_rises_at_once_and_falls_by_halves(world: World) -> None:
    for importance, kept in ((0.8, 0.8), (0.4, 0.6), (0.9, 0.9)):
        world.learn("Atlas slips.", [thing("Atlas", "project", importance=importance)])
        assert world.entity("Atlas").importance == pytest.approx(kept)
    assert world.entity("Atlas").version == 3


def test_an_upsert_keeps_what_the_new_one_does_not_say(world: World) -> None:
    world.learn("Atlas", [thing("Atlas", "project", description="A rewrite.", metadata={"a": "1"})])
    created = world.entity("Atlas").created_at
    world.learn("Atlas", [thing("Atlas", "project", metadata={"b": "2"})])
    row = world.entity("Atlas")
    assert (row.description, row.metadata, row.created_at) == (
        "A rewrite.",
        {"a": "1", "b": "2"},
        created,
    )
    assert row.updated_at > created
    world.learn("Atlas", [thing("Atlas", "project", description="A new build.")])
    assert world.entity("Atlas").description == "A new build."


def test_a_mention_without_news_writes_no_new_version(world: World) -> None:
    for _ in range(3):
        world.learn("Atlas slips.", [thing("Atlas", "project")])
    assert world.entity("Atlas").version == 1
    assert len(world.rows(Mention)) == 3


def test_the_user_gets_a_record_when_first_needed_and_a_name_when_told(world: World) -> None:
    world.learn("Hello.")
    assert world.names() == []
    world.learn("My name is Ada.", facts=[fact(SELF, "name", "Ada")])
    row = world.entity(SELF)
    assert (row.id, row.kind, world.aliases(SELF)) == (SELF, "person", ["Ada"])
    world.learn(
        "Ada works at Acme.",
        [person("Ada"), thing("Acme", "organization")],
        relations=[link("Ada", "works_at", "Acme")],
    )
    assert world.links() == [(SELF, "works_at", "Acme")]


def test_a_pronoun_is_a_mention_of_the_user(world: World) -> None:
    episode = world.say("I left.")
    pronoun = DraftMention(message_id=episode.messages[0].id, start=0, end=1, text="I")
    world.take(
        world.draft(episode, [DraftEntity(ref=SELF, name=SELF, mentions=(pronoun,))]), episode
    )
    assert [row.entity_id for row in world.rows(Mention)] == [SELF]


def test_aliases_of_a_draft_are_names_too(world: World) -> None:
    world.learn(
        "Acme Research Lab",
        [thing("Acme Research Lab", "organization", aliases=("Skunkworks", "?"))],
    )
    world.learn("Skunkworks", [thing("Skunkworks", "organization")])
    assert world.names() == ["Acme Research Lab"]
    assert [row.name for row in world.rows(Alias)] == ["Skunkworks", "?"]


def test_an_acronym_finds_its_long_form_either_way(world: World) -> None:
    world.learn("World Baking Council", [thing("World Baking Council", "organization")])
    world.learn("the WBC", [thing("WBC", "organization")])
    assert (world.names(), world.aliases("World Baking Council")) == (
        ["World Baking Council"],
        ["WBC"],
    )


def test_at_most_three_candidates_wait_for_review(world: World) -> None:
    for name in ("Jan Holt", "Jim Holt", "Joe Holt", "Jon Holt", "Jud Holt"):
        world.learn(name, [person(name)])
    world.learn("J. Holt", [person("J. Holt")])
    assert len([row for row in world.rows(Review) if row.state == "open"]) == 3


def test_the_users_own_name_and_a_person_of_that_name_wait_for_review(world: World) -> None:
    world.learn("Ada is here.", [person("Ada")])
    told = DraftEntity(ref=SELF, name="Ada", aliases=("me", "Ada"))
    world.learn("I'm Ada.", [told])
    assert (world.aliases(SELF), world.reviews()) == (["Ada"], [("Ada", SELF, "open")])
