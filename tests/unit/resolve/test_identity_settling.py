"""Two known entities that turn out to be one are made one where a rule names why, and can be parted
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from factbook.model.entity import Entity
from factbook.model.record import EntityRecord, Mention, SameAs
from factbook.resolve.undo import invert_commits
from tests.unit.resolve.world import SPACE, World, fact, person, thing


@pytest.fixture
def world() -> World:
    return World()


def one(world: World, *names: str) -> bool:
    """Whether the entities of these names read as one."""
    ids = [row.id for row in world.rows(EntityRecord) if row.name in names]
    assert len(ids) == len(names)
    with world.store.snapshot() as snapshot:
        return len(set(snapshot.canonical(SPACE, ids).values())) == 1


def two_fullers(world: World) -> None:
    world.learn("Bob is in.", [person("Bob")], session="a", speaker="Omar")
    world.learn("Robert Fuller called.", [person("Robert Fuller")], session="b", speaker="Nina")


def test_one_that_is_said_to_be_the_other_is_it(world: World) -> None:
    world.learn("Kit is in.", [person("Kit")])
    world.learn("Robert Fuller called.", [person("Robert Fuller")])
    assert world.merges() == []
    world.learn("Robert Fuller, Kit to us.", [person("Robert Fuller", aliases=("Kit",))])
    [row] = world.merges()
    assert row.evidence == ("Robert Fuller is said to be Kit",)
    assert (row.decider, one(world, "Kit", "Robert Fuller")) == ("engine", True)


def test_a_name_that_is_told_as_a_fact_does_it_too(world: World) -> None:
    world.learn("Kit is in. Robert Fuller called.", [person("Kit"), person("Robert Fuller")])
    world.learn(
        "They call Robert Fuller Kit.",
        [person("Robert Fuller")],
        [fact("Robert Fuller", "nickname", "Kit")],
    )
    assert one(world, "Kit", "Robert Fuller")


def test_a_first_name_known_among_other_people_is_asked_about(world: World) -> None:
    world.learn("Kit is in.", [person("Kit")], session="a", speaker="Omar")
    world.learn("Robert Fuller called.", [person("Robert Fuller")], session="b", speaker="Nina")
    world.learn(
        "Robert Fuller, Kit to us.",
        [person("Robert Fuller", aliases=("Kit",))],
        session="b",
        speaker="Nina",
    )
    assert world.merges() == []
    assert ("Kit", "Robert Fuller", "open") in world.reviews()


def test_several_of_that_name_are_asked_about(world: World) -> None:
    for who in ("Omar", "Nina"):
        world.learn("Kit is in.", [person("Kit")], session=who, speaker=who)
    world.learn("Robert Fuller called.", [person("Robert Fuller")], session="c", speaker="Lena")
    world.learn(
        "Robert Fuller, Kit to us.",
        [person("Robert Fuller", aliases=("Kit",))],
        session="c",
        speaker="Lena",
    )
    assert world.merges() == []
    assert len([each for each in world.reviews() if "Robert Fuller" in each]) == 2


def test_somebody_else_of_that_first_name_is_left_alone(world: World) -> None:
    world.learn("Kit Stone is in.", [person("Kit Stone", aliases=("Kit",))])
    world.learn("Robert Fuller called.", [person("Robert Fuller")])
    world.learn("Robert Fuller, Kit to us.", [person("Robert Fuller", aliases=("Kit",))])
    assert (world.merges(), world.reviews()) == ([], [])


def test_a_thing_of_that_name_is_left_alone(world: World) -> None:
    world.learn("Kit is down.", [thing("Kit", "technology")])
    world.learn("Robert Fuller, Kit to us.", [person("Robert Fuller", aliases=("Kit",))])
    assert world.merges() == []


def test_an_address_that_only_one_has_answers_a_review(world: World) -> None:
    two_fullers(world)
    world.learn("mail", [person("R. Fuller")], [fact("R. Fuller", "email", "rob@fuller.org")])
    assert ("Robert Fuller", "R. Fuller", "open") in world.reviews()
    world.learn(
        "mail",
        [person("Robert Fuller")],
        [fact("Robert Fuller", "email", "rob@fuller.org")],
        session="b",
    )
    assert ("Robert Fuller", "R. Fuller", "accepted") in world.reviews()
    [row] = world.merges()
    assert "and they agree in email" in row.evidence


def test_the_same_address_of_different_names_is_asked_about(world: World) -> None:
    world.learn("a", [person("Ana Silva")], [fact("Ana Silva", "email", "home@silva.pt")])
    world.learn("b", [person("Rui Costa")], [fact("Rui Costa", "email", "home@silva.pt")])
    assert (world.merges(), world.reviews()) == ([], [("Ana Silva", "Rui Costa", "open")])


def test_another_one_of_the_address_is_found_by_it(world: World) -> None:
    world.learn("a", [person("Ana Silva")], [fact("Ana Silva", "email", "ana@silva.pt")])
    world.learn("b", [person("A. Silva")], [fact("A. Silva", "email", "Ana@Silva.pt ")])
    assert one(world, "Ana Silva", "A. Silva")
    assert world.reviews() == []


def test_names_alone_do_not_answer_a_review(world: World) -> None:
    world.learn("a", [person("Ana Silva")])
    world.learn("b", [person("Ana M. Silva")])
    world.learn("c", [person("Ana M. Silva")], [fact("Ana M. Silva", "city", "Porto")])
    assert world.reviews() == [("Ana Silva", "Ana M. Silva", "open")]


def test_what_was_parted_by_hand_stays_two(world: World) -> None:
    world.learn("Kit is in. Robert Fuller called.", [person("Kit"), person("Robert Fuller")])
    ids = {row.name: row.id for row in world.rows(EntityRecord)}
    world.merge(ids["Kit"], ids["Robert Fuller"])
    world.unmerge(ids["Kit"], ids["Robert Fuller"])
    world.learn("Robert Fuller, Kit to us.", [person("Robert Fuller", aliases=("Kit",))])
    assert world.merges() == []


def test_a_merge_of_the_engine_is_undone_without_a_trace(world: World) -> None:
    world.learn("Kit is in. Robert Fuller called.", [person("Kit"), person("Robert Fuller")])
    before = world.record()
    world.learn(
        "They call Robert Fuller Kit.",
        [person("Robert Fuller")],
        [fact("Robert Fuller", "nickname", "Kit")],
    )
    with world.store.snapshot() as snapshot:
        last = snapshot.log(SPACE)[-1]
    world.commit(invert_commits([last]), verb="undo")
    assert world.record() == before


def test_parting_takes_along_what_was_said_of_each(world: World) -> None:
    world.put(Entity("Kit", "person"))
    world.put(Entity("Robert Fuller", "person"))
    world.put(Entity("Nina Holm", "person"))
    ids = {row.name: row.id for row in world.rows(EntityRecord)}
    world.merge(ids["Kit"], ids["Nina Holm"])
    world.learn("Robert Fuller, Kit to us.", [person("Robert Fuller", aliases=("Kit",))])
    assert one(world, "Kit", "Robert Fuller", "Nina Holm")
    world.unmerge(ids["Kit"], ids["Nina Holm"])
    assert one(world, "Kit", "Robert Fuller")
    assert not one(world, "Kit", "Nina Holm")


def test_one_that_is_the_same_as_a_third_already_takes_it_along(world: World) -> None:
    for name in ("Robert Fuller", "Kit", "Nina Holm"):
        world.put(Entity(name, "person"))
    ids = {row.name: row.id for row in world.rows(EntityRecord)}
    world.merge(ids["Nina Holm"], ids["Robert Fuller"])
    world.merge(ids["Nina Holm"], ids["Kit"])
    world.learn("Ona Reed, also known as Kit.", [person("Ona Reed", aliases=("Kit",))])
    assert one(world, "Robert Fuller", "Kit", "Nina Holm")


def test_two_groups_become_one(world: World) -> None:
    for name in ("Robert Fuller", "Kit", "Ona Reed", "Nina Holm"):
        world.put(Entity(name, "person"))
    ids = {row.name: row.id for row in world.rows(EntityRecord)}
    world.merge(ids["Robert Fuller"], ids["Kit"])
    world.merge(ids["Ona Reed"], ids["Nina Holm"])
    said = [fact("Nina Holm", "nickname", "Kit")]
    world.learn("Nina Holm, Kit to us.", [person("Nina Holm")], said)
    assert one(world, "Robert Fuller", "Kit", "Ona Reed", "Nina Holm")


def test_the_user_is_nobody_else_without_saying_so(world: World) -> None:
    world.learn("a", [person("Ana Silva")], [fact("Ana Silva", "email", "ana@silva.pt")])
    world.learn("my mail", [], [fact("self", "email", "ana@silva.pt")])
    assert (world.rows(SameAs), world.reviews()) == ([], [])


_TOLD = st.lists(
    st.tuples(
        st.sampled_from(
            ["Robert Fuller", "Bob Fuller", "R. Fuller", "Ana Silva", "Ana M. Silva", "Rui Costa"]
        ),
        st.sampled_from(["", "", "r@fuller.org", "a@silva.pt"]),
    ),
    min_size=2,
    max_size=5,
)


def who_is_one(told: Sequence[tuple[str, str]]) -> set[frozenset[str]]:
    """Names by the entity that they read as."""
    world = World()
    for name, email in told:
        facts = [fact(name, "email", email)] if email else []
        world.learn(f"About {name}.", [person(name)], facts)
    names: dict[str, set[str]] = {}
    with world.store.snapshot() as snapshot:
        mentions = world.rows(Mention)
        homes = snapshot.canonical(SPACE, {each.entity_id for each in mentions})
    for each in mentions:
        names.setdefault(homes[each.entity_id], set()).add(each.text)
    return set(map(frozenset, names.values()))


@given(_TOLD, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_who_is_one_does_not_hang_on_the_order_of_learning(
    told: list[tuple[str, str]], chance: Random
) -> None:
    shuffled = list(told)
    chance.shuffle(shuffled)
    assert who_is_one(told) == who_is_one(shuffled)


_STEPS = st.tuples(
    st.sampled_from(["Robert Fuller", "Kit", "R. Fuller", "Ana Silva", "A. Silva", "Rui Costa"]),
    st.sampled_from(["", "r@fuller.org", "a@silva.pt"]),
)


def take(world: World, step: tuple[str, str]) -> None:
    name, email = step
    world.learn(f"About {name}.", [person(name)], [fact(name, "email", email)] if email else [])


def groups(world: World) -> set[frozenset[str]]:
    """Ids of the entities that read as one."""
    out: dict[str, set[str]] = {}
    with world.store.snapshot() as snapshot:
        homes = snapshot.canonical(SPACE, [row.id for row in world.rows(EntityRecord)])
    for key, home in homes.items():
        out.setdefault(home, set()).add(key)
    return set(map(frozenset, out.values()))


def named(world: World) -> list[list[str]]:
    names = {row.id: row.name for row in world.rows(EntityRecord)}
    return sorted(sorted(names[key] for key in group) for group in groups(world))


@given(
    st.lists(_STEPS, min_size=2, max_size=3), st.lists(_STEPS, min_size=5, max_size=6), st.data()
)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_no_merge_of_the_engine_rests_on_what_is_parted_again(
    before: list[tuple[str, str]], after: list[tuple[str, str]], data: st.DataObject
) -> None:
    world, never = World(), World()
    for each in (world, never):
        for step in before:
            take(each, step)
    apart = sorted(group for group in map(min, groups(world)))
    assume(len(apart) > 1)
    left, right = data.draw(st.lists(st.sampled_from(apart), min_size=2, max_size=2, unique=True))
    world.merge(left, right)
    never.now()
    for each in (world, never):
        for step in after:
            take(each, step)
    assume(world.names() == never.names())
    assume(not any({left, right} <= group for group in groups(never)))
    world.unmerge(left, right)
    assert named(world) == named(never)  # what is made later may have other ids
