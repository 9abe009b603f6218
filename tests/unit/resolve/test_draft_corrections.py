"""Whose statement a correction takes back, and what it says instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from factbook.learn.gather import gather_known
from factbook.learn.recent_statements import with_corrections
from factbook.model.draft import DraftEntity
from factbook.model.record import SELF, Fact, Relation
from factbook.resolve.draft_corrections import correct_draft
from factbook.resolve.plan import DraftPlan, plan_draft
from tests.unit.resolve.world import KINDS, SPACE, World, fact, link, person, thing

ANA = person("Ana")
PORTO, LISBON, ACME = (
    thing("Porto", "place"),
    thing("Lisbon", "place"),
    thing("Acme", "organization"),
)


@pytest.fixture
def world() -> World:
    return World()


def tell(
    world: World,
    *texts: str,
    entities: Sequence[DraftEntity] = (),
    facts: Sequence[Mapping[str, Any]] = (),
    relations: Sequence[Mapping[str, Any]] = (),
    **said: Any,
) -> DraftPlan:
    """Says the texts in one episode and learns what is given of the first, with what they correct.

    `of=number` in a statement is the message that it stands in.
    """
    episode = world.say(*texts, session=said.pop("session", "s"), **said)

    def placed(each: Mapping[str, Any]) -> dict[str, Any]:
        rest = dict(each)
        message = episode.messages[rest.pop("of", 0)]
        return {"message_id": message.id, "quote": message.text, **rest}

    draft = world.draft(episode, entities, [*map(placed, facts)], [*map(placed, relations)])
    with world.store.snapshot() as snapshot:
        draft = with_corrections(snapshot, SPACE, draft, episode, KINDS)
        known = gather_known(snapshot, SPACE, draft, episode)
    planned = plan_draft(draft, episode, known, kinds=KINDS, now=world.now(), new_id=world.new_id)
    world.commit(planned.changes, verb="learn", episode_id=episode.id)
    return planned


def held(world: World) -> list[tuple[str, ...]]:
    """What holds: (who, what) of facts and (who, label, whom) of links."""
    names = {row.id: row.name for row in world.rows(type(world.entity("Ana")))}
    names[SELF] = SELF
    facts = [
        (names[row.entity_id], row.value)
        for row in world.rows(Fact)
        if row.invalid_at is None and not row.expired_at
    ]
    links = [
        (names[row.from_id], row.label, names[row.to_id])
        for row in world.rows(Relation)
        if row.invalid_at is None and not row.expired_at
    ]
    return sorted([*facts, *links])


def denied(world: World) -> int:
    """How many retractions there are."""
    return sum(row.is_retraction for row in (*world.rows(Fact), *world.rows(Relation)))


LIVES: dict[str, Any] = {"entities": [ANA, PORTO], "relations": [link("Ana", "lives_in", "Porto")]}


@pytest.mark.parametrize(
    "correction",
    [
        "Sorry, it's Lisbon, not Porto.",
        "Sorry, I meant Lisbon.",
        "Scratch that, she lives in Lisbon.",
        "That was Lisbon, not Porto, sorry.",
        "No wait, it's Lisbon.",
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_the_other_end_of_a_link_is_put_right(
    world: World, correction: str, together: bool
) -> None:
    if together:
        tell(
            world,
            "Ana lives in Porto.",
            correction,
            entities=[ANA, PORTO, LISBON],
            relations=LIVES["relations"],
        )
    else:
        tell(world, "Ana lives in Porto.", **LIVES)
        tell(world, correction, entities=[LISBON], day=0.01)
    assert held(world) == [("Ana", "lives_in", "Lisbon")]


def test_whom_it_leads_to_is_made_where_nobody_found_the_name(world: World) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    tell(world, "Sorry, it's Lisbon, not Porto.", day=0.01)
    assert held(world) == [("Ana", "lives_in", "Lisbon")]
    assert world.entity("Lisbon").kind == "place"
    tell(world, "Sorry, it's in the hills, not Lisbon.", day=0.02)
    assert held(world) == []


@pytest.mark.parametrize(
    ("said", "value", "correction", "right"),
    [
        (
            "The deadline is 30 June 2026.",
            "2026-06-30",
            "Sorry, I meant 15 July 2026.",
            "2026-07-15",
        ),
        (
            "The deadline is 30 June 2026.",
            "2026-06-30",
            "It's 15 July 2026, not 30 June 2026, sorry.",
            "2026-07-15",
        ),
        ("Her number is 555-0101.", "555-0101", "I meant 555-0102.", "555-0102"),
        ("Ana's favourite is blue.", "blue", "Correction: green.", "green"),
        ("Ana's team is Red Kites.", "Red Kites", "Oops, it's Blue Kites.", "Blue Kites"),
    ],
)
def test_values_are_put_right_in_the_form_that_they_had(
    world: World, said: str, value: str, correction: str, right: str
) -> None:
    tell(world, f"Ana. {said}", entities=[ANA], facts=[fact("Ana", "x", value)])
    tell(world, correction, day=0.01)
    assert held(world) == [("Ana", right)]


def test_within_one_message_too(world: World) -> None:
    text = "Ana lives in Porto. Sorry, it's Lisbon, not Porto."
    tell(world, text, entities=[ANA, PORTO, LISBON], relations=LIVES["relations"])
    assert held(world) == [("Ana", "lives_in", "Lisbon")]


def test_scratching_takes_back_what_the_last_message_of_the_speaker_said(world: World) -> None:
    tell(world, "Ana likes tea.", entities=[ANA], facts=[fact("Ana", "likes", "tea")])
    both = [fact("Ana", "likes", "jazz"), fact("Ana", "age", "30")]
    tell(world, "Ana is 30 and likes jazz.", entities=[ANA], facts=both, day=0.01)
    tell(
        world,
        "Ana likes cake.",
        entities=[ANA],
        facts=[fact("Ana", "likes", "cake")],
        day=0.02,
        speaker="Tom",
    )
    tell(world, "Scratch that.", day=0.03)
    assert held(world) == [("Ana", "cake"), ("Ana", "tea")]


@pytest.mark.parametrize("found", [True, False])
def test_what_was_said_of_the_wrong_one_is_said_of_the_right_one(world: World, found: bool) -> None:
    tell(
        world,
        "Maria lives in Porto and is 30. Ana too.",
        entities=[person("Maria"), ANA, PORTO],
        facts=[fact("Maria", "age", "30")],
        relations=[link("Maria", "lives_in", "Porto")],
    )
    tell(
        world,
        "Sorry, I meant Ana, not Maria.",
        entities=[ANA, person("Maria")] if found else [],
        day=0.01,
    )
    assert held(world) == [("Ana", "30"), ("Ana", "lives_in", "Porto")]
    tell(world, "Sorry, I meant Ana, not Omar.", day=0.02)
    assert held(world) == [("Ana", "30"), ("Ana", "lives_in", "Porto")]


def test_the_word_that_scratches_is_nobody(world: World) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    tell(world, "Scratch that.", entities=[thing("Scratch", "technology")], day=0.01)
    assert world.names() == ["Ana", "Porto"]


def test_scratching_takes_it_back_whatever_is_said_instead(world: World) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    tell(world, "Scratch that, she met Lisbon.", entities=[LISBON], day=0.01)
    assert held(world) == []
    tell(world, "Ana is 30.", entities=[ANA], facts=[fact("Ana", "age", "30")], day=0.02)
    tell(
        world,
        "Scratch that. Ana is 30.",
        entities=[ANA],
        facts=[fact("Ana", "age", "30")],
        day=0.03,
    )
    assert held(world) == [("Ana", "30")]


def test_what_is_said_anew_takes_back_what_was_said_of_the_same(world: World) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    tell(world, "Ana is 30.", entities=[ANA], facts=[fact("Ana", "age", "30")], day=0.01)
    anew = [link("Ana Diaz", "lives_in", "Lisbon")]
    tell(
        world,
        "That's wrong: Ana Diaz lives in Lisbon.",
        entities=[person("Ana Diaz"), LISBON],
        relations=anew,
        day=0.02,
    )
    assert denied(world) == 1


def test_sorry_before_a_statement_takes_back_only_what_it_must(world: World) -> None:
    tell(world, "Ana likes tea.", entities=[ANA], facts=[fact("Ana", "likes", "tea")])
    tell(
        world,
        "Sorry, Ana likes cake.",
        entities=[ANA],
        facts=[fact("Ana", "likes", "cake")],
        day=0.01,
    )
    assert held(world) == [("Ana", "cake"), ("Ana", "tea")]
    tell(
        world,
        "That's wrong: Ana likes jam.",
        entities=[ANA],
        facts=[fact("Ana", "likes", "jam")],
        day=0.02,
    )
    assert held(world) == [("Ana", "jam"), ("Ana", "tea")]


def test_a_contrast_ends_the_other_where_it_was_known(world: World) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    now: dict[str, Any] = {
        "entities": [ANA, LISBON, PORTO],
        "relations": [link("Ana", "lives_in", "Lisbon")],
    }
    tell(world, "Ana lives in Lisbon, not Porto.", day=9, **now)
    assert held(world) == [("Ana", "lives_in", "Lisbon")]
    assert ("Ana", "lives_in", "Porto", 0.0, 9.0) in world.spans()
    tell(world, "Ana is 30, not 31.", entities=[ANA], facts=[fact("Ana", "age", "30")], day=10)
    assert ("Ana", "30") in held(world)
    tell(
        world,
        "Ana works at Acme, not Globex.",
        entities=[ANA, ACME],
        relations=[link("Ana", "works_at", "Acme")],
        day=11,
    )
    assert ("Ana", "works_at", "Acme") in held(world)
    retractions = denied(world)
    tell(world, "It rains in Oslo, not here in Porto.", day=12)
    assert denied(world) == retractions


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I'm late.",
        "Sorry, it's late.",
        "I meant tomorrow.",
        "Sorry, it's 17, not 18.",
        "Correction: Monday.",
        "I meant the one with the very long description of what it is for.",
        "No wait, she met Lisbon.",
        "Forget that.",
        "I meant Porto.",
    ],
)
def test_what_fits_nothing_changes_nothing(world: World, text: str) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    tell(world, text, entities=[LISBON] if "Lisbon" in text else [], day=0.01)
    assert held(world) == [("Ana", "lives_in", "Porto")]


def test_several_values_of_a_sort_are_left_alone(world: World) -> None:
    both = [fact("Ana", "born", "2001-05-05"), fact("Ana", "due", "2026-06-06")]
    tell(world, "Ana was born on 5 May 2001 and is due on 6 June 2026.", entities=[ANA], facts=both)
    tell(world, "I meant 7 June 2026.", day=0.01)
    assert held(world) == [("Ana", "2001-05-05"), ("Ana", "2026-06-06")]


@pytest.mark.parametrize(("session", "day"), [("other", 0.01), ("", 9.0)])
def test_a_correction_reaches_back_within_its_talk_alone(
    world: World, session: str, day: float
) -> None:
    tell(world, "Ana lives in Porto.", session=session and "s", **LIVES)
    tell(world, "Sorry, I meant Lisbon.", entities=[LISBON], session=session, day=day)
    assert held(world) == [("Ana", "lives_in", "Porto")]


def test_the_assistant_corrects_nobody(world: World) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    tell(world, "Sorry, it's Lisbon, not Porto.", entities=[LISBON], role="assistant", day=0.01)
    assert held(world) == [("Ana", "lives_in", "Porto")]


def test_what_is_restated_can_be_corrected(world: World) -> None:
    tell(
        world,
        "I live in Porto. Ana.",
        entities=[ANA, PORTO],
        relations=[link(SELF, "lives_in", "Porto")],
    )
    tell(
        world,
        "I live in Porto, yes.",
        entities=[PORTO],
        relations=[link(SELF, "lives_in", "Porto")],
        day=0.01,
    )
    tell(world, "Sorry, I meant Lisbon.", entities=[LISBON], day=0.02)
    assert held(world) == [(SELF, "lives_in", "Lisbon")]


def test_what_is_denied_with_never_was_never_so(world: World) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    never: dict[str, Any] = {
        "entities": [ANA, PORTO],
        "relations": [link("Ana", "lives_in", "Porto", retracts=True)],
    }
    tell(world, "Ana never lived in Porto.", day=9, **never)
    assert world.spans() == []
    tell(world, "Ana likes tea.", entities=[ANA], facts=[fact("Ana", "likes", "tea")])
    tell(
        world,
        "Ana never liked tea.",
        entities=[ANA],
        facts=[fact("Ana", "likes", "tea", retracts=True)],
        day=9,
    )
    assert world.times("Ana", "likes") == []


def test_a_draft_that_corrects_nothing_is_itself(world: World) -> None:
    episode = world.say("Ana lives in Porto.")
    draft = world.draft(episode, [ANA, PORTO], relations=LIVES["relations"])
    assert correct_draft(draft, episode, ()) is draft


def test_what_only_the_correction_names_is_of_the_sort_of_the_wrong_one(world: World) -> None:
    tell(world, "Ana lives in Porto.", **LIVES)
    tell(
        world,
        "Sorry, it's Lisbon, not Porto.",
        entities=[replace(LISBON, kind="technology")],
        day=0.01,
    )
    assert world.entity("Lisbon").kind == "place"
