"""What holds when, from what was said when: facts and relations as episodes are learned in any
order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from factbook.model.entity import Entity
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF, Fact, Relation, Support
from factbook.model.source import NEVER
from factbook.resolve.as_one import facts_as_one
from tests.support.builders import at
from tests.unit.resolve.world import KINDS, World, fact, link, person, thing

TOM = person("Tom Berger")


@pytest.fixture
def world() -> World:
    return World()


def told(world: World, value: str, day: float, attribute: str = "city", **rest: Any) -> None:
    """Someone says on that day where Tom lives."""
    said = {key: rest.pop(key) for key in ("speaker", "role", "session") if key in rest}
    world.learn(
        f"Tom Berger: {value}",
        [TOM],
        [fact("Tom Berger", attribute, value, **rest)],
        day=day,
        **said,
    )


def test_a_fact_holds_from_when_it_was_said(world: World) -> None:
    told(world, "Porto", 1)
    [row] = world.facts("Tom Berger", "city")
    assert (row.valid_at, row.invalid_at, row.source.said_at) == (at(days=1), None, at(days=1))
    assert (row.source.quote, row.source.standing) == ("Tom Berger: Porto", "user")


def test_a_newer_value_closes_the_older_one(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "Lisbon", 5)
    assert world.times("Tom Berger", "city") == [("Porto", 1, 5), ("Lisbon", 5, None)]


def test_an_old_transcript_learned_late_ends_in_the_same_truth(world: World) -> None:
    told(world, "Lisbon", 5)
    told(world, "Porto", 1)
    assert world.times("Tom Berger", "city") == [("Porto", 1, 5), ("Lisbon", 5, None)]


def test_the_same_value_again_is_support(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "porto.", 5)
    assert world.times("Tom Berger", "city") == [("Porto", 1, None)]
    [support] = world.rows(Support)
    assert (support.record_id, support.source.said_at) == (
        world.facts("Tom Berger", "city")[0].id,
        at(days=5),
    )


def test_an_earlier_statement_of_the_same_value_moves_its_beginning(world: World) -> None:
    told(world, "porto", 5)
    told(world, "Porto", 1)
    assert [(first, last) for _, first, last in world.times("Tom Berger", "city")] == [(1, None)]
    [row], [support] = world.facts("Tom Berger", "city"), world.rows(Support)
    assert (row.source.said_at, support.source.said_at) == (at(days=1), at(days=5))


def test_a_value_that_came_between_parts_the_one_around_it(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "Porto", 9)
    told(world, "Porto", 10)
    told(world, "Lisbon", 5)
    assert world.times("Tom Berger", "city") == [
        ("Porto", 1, 5),
        ("Lisbon", 5, 9),
        ("Porto", 9, None),
    ]
    [support] = world.rows(Support)
    assert (support.record_id, support.source.said_at) == (
        world.facts("Tom Berger", "city")[2].id,
        at(days=10),
    )


def test_since_gives_the_beginning_and_closes_the_other_there(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "Lisbon", 9, valid_at=at(days=5), grain="month")
    assert world.times("Tom Berger", "city") == [("Porto", 1, 5), ("Lisbon", 5, None)]
    assert world.facts("Tom Berger", "city")[1].grain == "month"


def test_since_a_time_before_the_other_was_mentioned_still_closes_it(world: World) -> None:
    told(world, "Porto", 6)
    told(world, "Lisbon", 9, valid_at=at(days=5))
    assert world.times("Tom Berger", "city") == [("Lisbon", 5, None), ("Porto", 6, 6)]


def test_a_later_word_on_an_earlier_time_enters_closed(world: World) -> None:
    told(world, "Lisbon", 8, valid_at=at(days=5))
    told(world, "Porto", 9, valid_at=at(days=2))
    assert world.times("Tom Berger", "city") == [("Porto", 2, 5), ("Lisbon", 5, None)]


def test_since_when_may_be_said_later(world: World) -> None:
    told(world, "Porto", 5)
    told(world, "Porto", 6, valid_at=at(days=1), grain="year")
    [row] = world.facts("Tom Berger", "city")
    assert (row.valid_at, row.invalid_at, row.grain) == (at(days=1), None, "year")


def test_until_closes_and_its_beginning_is_unknown(world: World) -> None:
    told(world, "Porto", 5, invalid_at=at(days=2))
    assert world.times("Tom Berger", "city") == [("Porto", None, 2)]
    told(world, "Lisbon", 6)
    told(world, "Madrid", 7, valid_at=at(days=-9), invalid_at=at(days=-5))
    assert world.current("Tom Berger", "city") == ["Lisbon"]


def test_until_may_be_said_of_what_is_known(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "Porto", 5, valid_at=at(days=0), invalid_at=at(days=3))
    assert world.times("Tom Berger", "city") == [("Porto", 0, 3)]


def test_a_lower_standing_never_closes_a_higher_one(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "Lisbon", 5, role="assistant")
    assert world.current("Tom Berger", "city") == ["Porto", "Lisbon"]
    told(world, "Madrid", 6, role="tool")
    told(world, "Porto", 7)
    assert world.current("Tom Berger", "city") == ["Porto"]


def test_a_higher_standing_closes_a_lower_one(world: World) -> None:
    told(world, "Lisbon", 1, role="tool")
    told(world, "Porto", 2, role="assistant")
    told(world, "Madrid", 3)
    assert world.current("Tom Berger", "city") == ["Madrid"]


def test_two_people_who_disagree_on_one_day_are_a_conflict_until_one_gives_in(world: World) -> None:
    told(world, "July 1", 1, "deadline", speaker="Ada")
    planned = world.learn(
        "Tom Berger: August 15",
        [TOM],
        [fact("Tom Berger", "deadline", "August 15")],
        day=1.1,
        speaker="Omar",
    )
    assert planned.conflicts == 1
    assert world.current("Tom Berger", "deadline") == ["July 1", "August 15"]
    told(world, "August 15", 1.2, "deadline", speaker="Ada")
    assert world.current("Tom Berger", "deadline") == ["August 15"]


def test_a_day_later_anyone_may_bring_news(world: World) -> None:
    told(world, "July 1", 1, "deadline", speaker="Ada")
    told(world, "August 15", 2, "deadline", speaker="Omar")
    assert world.current("Tom Berger", "deadline") == ["August 15"]


def test_at_one_moment_a_speaker_corrects_themselves_in_a_later_message_only(world: World) -> None:
    episode = world.say("It's Porto.", "Sorry, Lisbon.", "Or Faro, or Braga.", day=1)
    first, second, third = (message.id for message in episode.messages)
    facts = [
        fact("Tom Berger", "city", value, message_id=key)
        for value, key in (("Braga", third), ("Porto", first), ("Lisbon", second), ("Faro", third))
    ]
    world.take(world.draft(episode, [TOM], facts), episode)
    assert sorted(world.current("Tom Berger", "city")) == ["Braga", "Faro"]


def test_two_episodes_of_one_moment_are_a_conflict(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "Lisbon", 1)
    assert sorted(world.current("Tom Berger", "city")) == ["Lisbon", "Porto"]


def test_a_set_holds_its_values_side_by_side(world: World) -> None:
    for day, value in enumerate(("tea", "coffee", "Tea")):
        told(world, value, day, "likes")
    assert world.current("Tom Berger", "likes") == ["tea", "coffee"]


def test_an_event_happens_each_time_that_it_is_told_of(world: World) -> None:
    cpa = thing("CPA", "metric")
    for day in (1, 2):
        world.learn("CPA is 3.2", [cpa], [fact("CPA", "value", "3.2")], day=day)
    world.learn("CPA was 3.2", [cpa], [fact("CPA", "value", "3.2", valid_at=at(days=2))], day=3)
    world.learn("CPA was 3.2", [cpa], [fact("CPA", "value", "3.2", valid_at=at(days=0))], day=3)
    assert world.times("CPA", "value") == [("3.2", 0, None), ("3.2", 1, None), ("3.2", 2, None)]
    assert len(world.rows(Support)) == 1


def test_a_retraction_closes_what_it_takes_back(world: World) -> None:
    told(world, "tea", 1, "likes")
    told(world, "coffee", 1, "likes")
    told(world, "tea", 5, "likes", retracts=True)
    assert world.times("Tom Berger", "likes") == [("tea", 1, 5), ("coffee", 1, None)]
    told(world, "tea", 6, "likes", retracts=True)
    told(world, "tea", 7, "likes")
    assert world.times("Tom Berger", "likes") == [
        ("tea", 1, 5),
        ("coffee", 1, None),
        ("tea", 7, None),
    ]


def test_a_retraction_learned_first_ends_in_the_same_truth(world: World) -> None:
    told(world, "tea", 5, "likes", retracts=True)
    assert world.current("Tom Berger", "likes") == []
    told(world, "tea", 1, "likes")
    assert world.times("Tom Berger", "likes") == [("tea", 1, 5)]
    told(world, "tea", 9, "likes")
    assert world.current("Tom Berger", "likes") == ["tea"]


def test_a_retraction_of_no_value_ends_all_of_them(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "", 5, retracts=True, invalid_at=at(days=4))
    assert world.times("Tom Berger", "city") == [("Porto", 1, 4)]


def test_a_retraction_of_lower_standing_closes_nothing(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "Porto", 5, retracts=True, role="assistant")
    assert world.current("Tom Berger", "city") == ["Porto"]


def test_learning_a_draft_again_changes_nothing(world: World) -> None:
    episode = world.say(
        "Tom Berger lives in Porto and likes tea.", "No, he doesn't like tea.", day=1
    )
    later = {"message_id": episode.messages[1].id}
    draft = world.draft(
        episode,
        [TOM, thing("Acme", "organization", importance=0.2)],
        [
            fact("Tom Berger", "city", "Porto"),
            fact("Tom Berger", "likes", "tea"),
            fact("Tom Berger", "likes", "tea", retracts=True, **later),
            fact("Tom Berger", "likes", "milk", retracts=True, **later),
        ],
        [link("Tom Berger", "works_at", "Acme")],
    )
    world.take(draft, episode)
    before = world.record()
    assert world.take(draft, episode).changes == ()
    assert world.record() == before


# --- relations ------------------------------------------------------------------------------------


def linked(
    world: World, label: str, to: str, day: float, who: str = "Tom Berger", **rest: Any
) -> None:
    ends = [person(who), thing(to, "organization")]
    world.learn(f"{who} {label} {to}", ends, relations=[link(who, label, to, **rest)], day=day)


def test_a_new_employer_closes_the_old_one_whatever_the_order(world: World) -> None:
    linked(world, "works_at", "Globex", 5)
    linked(world, "works_at", "Acme", 1)
    assert world.links() == [("Tom Berger", "works_at", "Globex")]
    assert len(world.links(current=False)) == 2


def test_a_link_of_a_set_holds_beside_others_and_again_is_support(world: World) -> None:
    linked(world, "advises", "Globex", 1)
    linked(world, "advises", "Acme", 2)
    linked(world, "advises", "Acme", 3)
    assert len(world.links()) == 2
    assert len(world.rows(Support)) == 1


@pytest.mark.parametrize("first", ["works_at", "worked_at"])
def test_a_link_in_the_past_tense_ends_the_present_one(world: World, first: str) -> None:
    for label in (first, "worked_at" if first == "works_at" else "works_at"):
        linked(world, label, "Acme", {"works_at": 1, "worked_at": 5}[label])
    assert world.links() == [("Tom Berger", "worked_at", "Acme")]
    [row] = [row for row in world.rows(Relation) if row.label == "works_at"]
    assert row.invalid_at == at(days=5)


def test_work_long_ago_does_not_end_work_now(world: World) -> None:
    linked(world, "works_at", "Acme", 1)
    linked(world, "worked_at", "Acme", 5, valid_at=at(days=-900), invalid_at=at(days=-300))
    assert ("Tom Berger", "works_at", "Acme") in world.links()


def test_a_thing_has_one_leader_at_a_time(world: World) -> None:
    linked(world, "leads", "Atlas", 1)
    linked(world, "leads", "Atlas", 5, who="Priya Raman")
    linked(world, "leads", "Borealis", 6, who="Priya Raman")
    assert world.links() == [
        ("Priya Raman", "leads", "Atlas"),
        ("Priya Raman", "leads", "Borealis"),
    ]


def test_two_leaders_named_in_one_message_hold_both(world: World) -> None:
    ends = [person("Tom Berger"), person("Priya Raman"), thing("Atlas", "project")]
    both = [link("Tom Berger", "leads", "Atlas"), link("Priya Raman", "leads", "Atlas")]
    world.learn("Tom Berger and Priya Raman lead Atlas", ends, relations=both)
    assert len(world.links()) == 2


def test_a_link_can_be_retracted(world: World) -> None:
    linked(world, "advises", "Acme", 1)
    linked(world, "advises", "Acme", 5, retracts=True)
    assert world.links() == []


def test_a_link_without_direction_is_one_link(world: World) -> None:
    ends = [person("Tom Berger"), person("Priya Raman")]
    world.learn(
        "Tom Berger, Priya Raman", ends, relations=[link("Tom Berger", "sibling_of", "Priya Raman")]
    )
    world.learn(
        "Tom Berger, Priya Raman",
        ends,
        relations=[link("Priya Raman", "sibling_of", "Tom Berger")],
        day=2,
    )
    assert world.links() == [("Tom Berger", "sibling_of", "Priya Raman")]


def test_a_link_of_the_user_makes_its_record(world: World) -> None:
    world.learn(
        "I work at Acme.",
        [thing("Acme", "organization")],
        relations=[link(SELF, "works_at", "Acme")],
    )
    assert world.links() == [(SELF, "works_at", "Acme")]


def test_ends_that_are_one_or_unknown_make_no_link(world: World) -> None:
    ends = [person("Priya"), person("Priya Raman")]
    relations = [
        link("Priya", "knows", "Priya Raman"),
        link("Priya", "knows", "nobody"),
        link(SELF, "knows", "who"),
    ]
    world.learn("Priya Raman", ends, [fact("nobody", "age", "3")], relations)
    assert (world.links(), world.rows(Fact)) == ([], [])


def test_an_undeclared_kind_has_single_attributes() -> None:
    world = World({kind.id: kind for kind in BUILT_IN if kind.id != "person"})
    told(world, "tea", 1, "likes")
    told(world, "coffee", 2, "likes")
    assert world.entity("Tom Berger").kind == "other"
    assert world.current("Tom Berger", "likes") == ["tea", "coffee"]


def test_a_kind_of_ones_own_declares_how_many_values_hold() -> None:
    person_kind = replace(KINDS["person"], attributes={"city": "set"})
    world = World({**KINDS, "person": person_kind})
    told(world, "Porto", 1)
    told(world, "Lisbon", 2)
    assert world.current("Tom Berger", "city") == ["Porto", "Lisbon"]


def test_a_hand_made_value_overrides_what_was_said_today(world: World) -> None:
    told(world, "Porto", 1001.5, speaker="Omar")
    world.put(Entity("Tom Berger", "person", {"city": "Lisbon"}))
    assert world.current("Tom Berger", "city") == ["Lisbon"]


# --- corrections ----------------------------------------------------------------------------------


def test_a_corrected_value_never_held_and_gives_back_what_it_had_closed(world: World) -> None:
    told(world, "Faro", 1)
    told(world, "Porto", 5)
    told(world, "Porto", 9, retracts=True, never=True)
    assert world.times("Tom Berger", "city") == [("Faro", 1, None)]
    told(world, "Porto", 3)
    assert world.times("Tom Berger", "city") == [("Faro", 1, None)]
    told(world, "Porto", 12)
    assert world.times("Tom Berger", "city") == [("Faro", 1, 12), ("Porto", 12, None)]


def test_a_correction_means_the_latest_time_in_which_the_value_held(world: World) -> None:
    for day, value in ((1, "Porto"), (3, "Faro"), (5, "Porto")):
        told(world, value, day)
    told(world, "Porto", 9, retracts=True, never=True)
    assert world.times("Tom Berger", "city") == [("Porto", 1, 3), ("Faro", 3, None)]


def test_a_correction_of_no_value_means_all_that_is_open(world: World) -> None:
    told(world, "Porto", 1, speaker="Nina")
    told(world, "Lisbon", 1, speaker="Omar")
    told(world, "", 5, retracts=True, never=True)
    assert world.times("Tom Berger", "city") == []


def test_a_correction_of_what_nobody_said_changes_nothing(world: World) -> None:
    told(world, "Porto", 1)
    told(world, "Lisbon", 5, retracts=True, never=True)
    assert world.times("Tom Berger", "city") == [("Porto", 1, None)]


def test_two_that_are_one_are_corrected_as_one(world: World) -> None:
    told(world, "Porto", 1)
    world.learn(
        "William Carter",
        [person("William Carter")],
        [fact("William Carter", "city", "Faro")],
        day=3,
    )
    [porto, faro] = sorted(world.rows(Fact), key=lambda row: row.value, reverse=True)
    source = replace(porto.source, said_at=at(days=5), message_id="m9", until=NEVER)
    gone = at(days=1005)
    denial = replace(
        porto,
        id="d",
        value="Faro",
        valid_at=None,
        invalid_at=NEVER,
        created_at=gone,
        expired_at=gone,
        source=source,
    )
    one = {row.id: row for row in facts_as_one([porto, faro, denial], {}, KINDS["person"])}
    assert (one[porto.id].invalid_at, one[porto.id].expired_at) == (None, None)
    assert (one[faro.id].invalid_at, one[faro.id].expired_at) == (None, gone)
    assert one["d"] == denial
