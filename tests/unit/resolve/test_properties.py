"""What must hold for any drafts, in any order: checked on random ones."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from factbook.model.episode import Role
from tests.support.builders import at
from tests.unit.resolve.world import World, fact, person

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
    world.learn("Tom Berger", [person("Tom Berger")], [statement], day=told.day, role=told.role, speaker=told.speaker)


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
        until = draw(st.none() | st.integers(since if since is not None else -10, day)) if plain else None
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
def test_any_order_of_learning_ends_in_the_same_truth(told: list[Told], chance: object) -> None:
    shuffled = list(told)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = World(), World()
    for each in told:
        learn(one, each)
    for each in shuffled:
        learn(other, each)
    assert truth(one, told[0].attribute) == truth(other, told[0].attribute)
