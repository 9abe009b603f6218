"""Roles without a name mean whoever holds them at the time; until that is known they stay a
phrase.
"""

from __future__ import annotations

import pytest

from factbook.model.record import SELF, EntityRecord, SameAs
from factbook.resolve.unnamed_roles import UnnamedRole, parse_role
from tests.unit.resolve.world import SPACE, World, fact, link, person, thing


@pytest.fixture
def world() -> World:
    return World()


def reads_as(world: World, name: str) -> str:
    """The name of the canonical entity behind the one entity of a name."""
    with world.store.snapshot() as snapshot:
        [home] = snapshot.canonical(SPACE, [world.entity(name).id]).values()
        return snapshot.get(SPACE, EntityRecord, [home])[home].name


@pytest.mark.parametrize(
    ("name", "before", "role"),
    [
        ("my manager", "", UnnamedRole(owner=SELF, role="manager")),
        ("manager", "I asked my ", UnnamedRole(owner=SELF, role="manager")),
        ("Tom's wife", "", UnnamedRole(owner="tom", role="spouse")),
        ("the CEO of Acme", "", UnnamedRole(owner="acme", role="ceo")),
        ("my engineering manager", "", UnnamedRole(owner=SELF, role="manager")),
        ("my friend", "", UnnamedRole(owner=SELF)),
        ("my sisters", "", UnnamedRole(owner=SELF)),
        ("my managers", "", UnnamedRole(owner=SELF)),
        ("my wives", "", UnnamedRole(owner=SELF)),
        ("my own boss", "", UnnamedRole(owner=SELF)),
        ("my future wife", "", UnnamedRole(owner=SELF)),
        ("my ex wife", "", UnnamedRole(owner=SELF)),
        ("manager", "I have no ", None),
        ("the CEO", "", None),
        ("my car", "", None),
        ("Dana Osei", "", None),
        ("my", "", None),
    ],
)
def test_a_role_is_read_from_its_phrase(name: str, before: str, role: UnnamedRole | None) -> None:
    assert parse_role(name, before) == role


def manager(world: World, who: str, text: str = "", **said: object) -> None:
    links = [link("self", "reports_to", who)]
    world.learn(text or f"My manager is {who}.", [person(who)], [], links, **said)


def approves(world: World, text: str = "my manager approved it", **said: object) -> None:
    phrase = thing("my manager", phrase=True)
    world.learn(text, [phrase], [fact("my manager", "approved", "it")], **said)  # type: ignore[arg-type]


def test_named_in_the_same_breath_it_is_one_person(world: World) -> None:
    world.learn(
        "my manager approved it. My manager is Dana Osei.",
        [thing("my manager", phrase=True), person("Dana Osei")],
        [fact("my manager", "approved", "it")],
        [link("self", "reports_to", "Dana Osei")],
    )
    assert world.names() == ["Dana Osei", "self"]
    assert world.current("Dana Osei", "approved") == ["it"]


def test_without_a_name_it_stays_a_phrase_and_the_same_one(world: World) -> None:
    approves(world)
    approves(world, day=1)
    assert world.names() == ["my manager"]


def test_named_later_the_phrase_is_that_person(world: World) -> None:
    approves(world)
    manager(world, "Dana Osei", day=1)
    assert reads_as(world, "my manager") == "Dana Osei"
    assert [row.evidence for row in world.merges()] == [("my manager is Dana Osei",)]


def test_known_already_the_phrase_means_them(world: World) -> None:
    manager(world, "Dana Osei")
    approves(world, day=1)
    assert world.names() == ["Dana Osei", "self"]
    assert world.current("Dana Osei", "approved") == ["it"]


def test_after_a_succession_it_means_the_successor(world: World) -> None:
    manager(world, "Dana Osei")
    manager(world, "Tom Berger", "My new manager is Tom Berger.", day=5)
    approves(world, day=6)
    approves(world, "my manager approved that", day=2)
    assert world.current("Tom Berger", "approved") == ["it"]
    assert world.current("Dana Osei", "approved") == ["it"]


def test_a_new_one_is_not_the_one_of_whom_was_spoken_before(world: World) -> None:
    approves(world)
    manager(world, "Tom Berger", "My new manager is Tom Berger.", day=5)
    assert world.merges() == []


def test_whom_one_manages_is_not_ones_manager(world: World) -> None:
    world.learn(
        "Tom Berger reports to me.",
        [person("Tom Berger")],
        [],
        [link("Tom Berger", "reports_to", "self")],
    )
    approves(world, day=1)
    assert "my manager" in world.names()


def test_somebody_elses_wife(world: World) -> None:
    ends = [person("Tom Berger"), person("Mara Berger")]
    world.learn(
        "Mara Berger married Tom Berger", ends, [], [link("Mara Berger", "spouse_of", "Tom Berger")]
    )
    phrase = thing("Tom Berger's wife", phrase=True)
    world.learn(
        "Tom Berger's wife sings",
        [person("Tom Berger"), phrase],
        [fact("Tom Berger's wife", "hobby", "singing")],
    )
    assert world.current("Mara Berger", "hobby") == ["singing"]


def test_friends_plurals_and_what_is_to_come_are_nobody(world: World) -> None:
    for name in ("my friend", "my managers", "my own boss", "my future wife"):
        phrase = thing(name, phrase=True)
        world.learn(name, [phrase], [fact(name, "mood", "glad")], [link("self", "knows", name)])
    assert set(world.names()) <= {"self"}


def test_what_was_parted_by_hand_is_not_made_one_again(world: World) -> None:
    approves(world)
    manager(world, "Dana Osei", day=1)
    ids = [world.entity(name).id for name in ("my manager", "Dana Osei")]
    world.unmerge(ids[0], ids[1])
    manager(world, "Dana Osei", day=2)
    assert world.rows(SameAs) == []
