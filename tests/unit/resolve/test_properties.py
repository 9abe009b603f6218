"""What must hold for any drafts, in any order: checked on random ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from factbook.model.draft import Draft
from factbook.model.episode import Episode, Role
from factbook.model.record import EntityRecord, NotSame, Record, Review, SameAs
from factbook.resolve.name_match import Named, decide_names
from factbook.resolve.undo import find_dependents, invert_commits
from tests.support.builders import at
from tests.unit.resolve.world import SPACE, World, fact, link, person, thing

NAMES = ("Priya Raman", "Priya", "Priya Shah", "Bill Carter", "William Carter", "Dr. Carter")
THINGS = ("Acme", "Acme Inc.", "Globex", "Project Atlas", "Atlas")


@dataclass(frozen=True)
class Told:
    """One message with one statement about Tom."""

    day: int
    value: str
    attribute: str
    role: Role
    speaker: str
    since: int | None
    until: int | None
    retracts: bool


def learn(world: World, told: Told) -> None:
    statement = fact(
        "Tom Berger",
        told.attribute,
        told.value,
        retracts=told.retracts,
        valid_at=None if told.since is None else at(days=told.since),
        invalid_at=None if told.until is None else at(days=told.until),
    )
    world.learn(
        "Tom Berger",
        [person("Tom Berger")],
        [statement],
        day=told.day,
        role=told.role,
        speaker=told.speaker,
    )


@st.composite
def tellings(draw: st.DrawFn, *, largest: int = 6) -> list[Told]:
    """Statements on different days: of one moment's, none is first."""
    days = draw(st.lists(st.integers(1, 40), unique=True, min_size=2, max_size=largest))
    attribute = draw(st.sampled_from(["city", "likes"]))
    plain = draw(st.booleans())
    out: list[Told] = []
    for day in days:
        since = draw(st.none() | st.integers(-10, day)) if plain else None
        retracts = draw(st.integers(0, 4)) == 0
        until = (
            draw(st.none() | st.integers(since if since is not None else -10, day))
            if plain
            else None
        )
        out.append(
            Told(
                day=day,
                value=draw(st.sampled_from(["Porto", "Lisbon", "Faro"])),
                attribute=attribute,
                role=draw(st.sampled_from(["user", "user", "assistant", "tool"])),
                speaker=draw(st.sampled_from(["", "Nina"])),
                since=None if retracts else since,
                until=None if retracts else until,
                retracts=retracts,
            )
        )
    return out


def truth(world: World, attribute: str) -> list[tuple[str, float | None, float | None]]:
    return sorted(world.times("Tom Berger", attribute), key=str)


@given(tellings(largest=2))
@settings(max_examples=150, deadline=None)
def test_two_episodes_in_either_order_end_in_the_same_truth(told: list[Told]) -> None:
    one, other = World(), World()
    for each in told:
        learn(one, each)
    for each in reversed(told):
        learn(other, each)
    assert truth(one, told[0].attribute) == truth(other, told[0].attribute)


@given(tellings(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_any_order_of_learning_ends_in_the_same_truth(told: list[Told], chance: Random) -> None:
    shuffled = list(told)
    chance.shuffle(shuffled)
    one, other = World(), World()
    for each in told:
        learn(one, each)
    for each in shuffled:
        learn(other, each)
    assert truth(one, told[0].attribute) == truth(other, told[0].attribute)


# --- drafts of several names ----------------------------------------------------------------------

_STEP = st.fixed_dictionaries(
    {
        "people": st.lists(st.sampled_from(NAMES), unique=True, max_size=3),
        "things": st.lists(st.sampled_from(THINGS), unique=True, max_size=2),
        "city": st.none() | st.sampled_from(["Porto", "Lisbon"]),
        "label": st.sampled_from(["works_at", "worked_at", "advises", "leads"]),
        "retracts": st.booleans(),
        "speaker": st.sampled_from(["", "Nina", "Omar"]),
        "importance": st.sampled_from([0.2, 0.5, 0.9]),
        "day": st.integers(0, 30),
    }
)


def drafted(world: World, step: dict[str, Any]) -> tuple[Draft, Episode]:
    """An episode that names them all, with a statement about the first person and a link to the
    first thing.
    """
    people = [person(name, importance=step["importance"]) for name in step["people"]]
    things = [
        thing(name, "project" if "Atlas" in name else "organization") for name in step["things"]
    ]
    said = ", ".join(each.name for each in (*people, *things)) or "Hello."
    episode = world.say(said, day=step["day"], speaker=step["speaker"])
    facts = (
        [fact(people[0].ref, "city", step["city"], retracts=step["retracts"])]
        if people and step["city"]
        else []
    )
    links = [link(people[0].ref, step["label"], things[0].ref)] if people and things else []
    return world.draft(episode, [*people, *things], facts, links), episode


def keyed(world: World) -> dict[tuple[type, str], Record]:
    return {(type(row), row.id): row for row in world.record()}


@given(st.lists(_STEP, min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_planning_a_draft_a_second_time_changes_nothing(steps: list[dict[str, Any]]) -> None:
    world = World()
    taken = [drafted(world, step) for step in steps]
    for draft, episode in taken:
        world.take(draft, episode)
        before = keyed(world)
        assert world.take(draft, episode).changes == ()
        assert keyed(world) == before


@given(st.lists(_STEP, min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_undoing_every_commit_leaves_nothing_and_replaying_the_log_the_same_record(
    steps: list[dict[str, Any]],
) -> None:
    world, other = World(), World()
    for step in steps:
        world.take(*drafted(world, step))
    with world.store.snapshot() as snapshot:
        log = snapshot.log(SPACE)
    for commit in log:
        other.commit(commit.changes)
    assert keyed(other) == keyed(world)
    for commit in reversed(log):
        assert find_dependents([commit], []) == []
        world.commit(invert_commits([commit]), verb="undo")
    assert keyed(world) == {}
    other.commit(invert_commits(log), verb="undo")
    assert keyed(other) == {}


@given(st.lists(_STEP, min_size=1, max_size=3), st.lists(_STEP, max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_after_a_merge_and_its_end_both_are_as_if_they_had_never_been_one(
    before: list[dict[str, Any]], after: list[dict[str, Any]], data: st.DataObject
) -> None:
    world, never = World(), World()
    for each in (world, never):
        for step in before:
            each.take(*drafted(each, step))
    ids = sorted(row.id for row in world.rows(EntityRecord))
    if len(ids) < 2:
        return
    left, right = data.draw(st.lists(st.sampled_from(ids), min_size=2, max_size=2, unique=True))
    world.merge(left, right)
    never.now()
    for each in (world, never):
        known = {row.name for row in each.rows(EntityRecord)}
        for step in after:
            named = {
                key: [name for name in step[key] if name in known] for key in ("people", "things")
            }
            each.take(*drafted(each, {**step, **named}))
    planned = world.unmerge(left, right)
    assert [type(change.before or change.after) for change in planned.changes] == [SameAs, NotSame]
    untold = {
        key: row for key, row in keyed(world).items() if not isinstance(row, NotSame | Review)
    }
    assert untold == {key: row for key, row in keyed(never).items() if not isinstance(row, Review)}


@given(
    st.lists(_STEP, min_size=1, max_size=4, unique_by=lambda step: str(step["day"]))
)  # of one moment's, none is first
@settings(max_examples=100, deadline=None)
def test_learning_everything_once_more_changes_nothing(steps: list[dict[str, Any]]) -> None:
    world = World()
    taken = [drafted(world, step) for step in steps]
    for draft, episode in taken:
        world.take(draft, episode)
    before = keyed(world)
    for draft, episode in taken:
        world.take(draft, episode)
    assert keyed(world) == before


# --- decisions ------------------------------------------------------------------------------------

_WORDS = st.sampled_from(
    "Ada J. R. van Beek Dr. Jr. II Inc. GmbH (Ohio) Acme & Sons Project 2 v1.2 C# k8s the of UK Bill William 計画 “x” , .".split()
)
_NAMES = st.lists(_WORDS, max_size=5).map(" ".join) | st.text(max_size=12)
_KINDS = st.sampled_from(["person", "organization", "place", "technology", "other"])


@given(_NAMES, _NAMES, _KINDS)
@settings(max_examples=400, deadline=None)
def test_a_decision_is_the_same_from_either_side_and_a_name_is_itself(
    left: str, right: str, kind: str
) -> None:
    one, other = Named(name=left, kind=kind), Named(name=right, kind=kind)
    there, back = decide_names(one, other), decide_names(other, one)
    assert (there.verdict, there.score) == (back.verdict, back.score)
    assert decide_names(one, one).verdict == "merge"
    assert 0 <= there.score <= 1


_LINKS = st.lists(
    st.tuples(
        st.integers(1, 40),
        st.sampled_from(["Tom Berger", "Priya Raman"]),
        st.sampled_from(["works_at", "worked_at", "leads", "led", "advises"]),
        st.sampled_from(["Acme", "Globex"]),
        st.booleans(),
    ),
    unique_by=lambda step: step[0],
    min_size=2,
    max_size=6,
)


def linked(steps: Sequence[tuple[int, str, str, str, bool]]) -> World:
    world = World()
    for day, who, label, to, retracts in steps:
        ends = [person(who), thing(to, "organization")]
        world.learn(
            f"{who}, {to}", ends, relations=[link(who, label, to, retracts=retracts)], day=day
        )
    return world


def test_an_ending_that_is_said_again_ends_what_began_again_in_between() -> None:
    steps = [
        (day, "Tom Berger", label, "Acme", False)
        for day, label in enumerate(["leads", "led", "leads", "led"], 1)
    ]
    truth = linked(steps).spans()
    assert [span[-1] for span in truth if span[1] == "leads"] == [2.0, 4.0]
    for order in permutations(steps):
        assert linked(order).spans() == truth


@given(_LINKS, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_links_learned_in_any_order_end_in_the_same_truth(
    steps: list[tuple[int, str, str, str, bool]], chance: Random
) -> None:
    shuffled = list(steps)
    chance.shuffle(shuffled)
    one, other = linked(sorted(steps)), linked(shuffled)
    assert one.spans() == other.spans()
