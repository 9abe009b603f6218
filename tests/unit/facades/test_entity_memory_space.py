"""EntityMemory with a space behind it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from factbook import AsyncMemory, Entity, EntityMemory, Event, Memory
from factbook.errors import ConfigError, SpaceError, StoreBusyError
from factbook.facades.entity_memory.backing import WORKING_SET
from tests.support import builders as b


@pytest.fixture(params=["ram:", "sqlite"])
def space(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = request.param if request.param == "ram:" else tmp_path / "factbook.db"
    with Memory.open(url, extractor="none", embedder="none", background=False) as memory:
        yield memory.within("ada")


def over(space: Memory, most: int = 50, **rest: Any) -> EntityMemory:
    return EntityMemory(most, memory=space, **rest)


def person(name: str, *aliases: str, **attributes: str) -> Entity:
    return Entity(name, "person", attributes, aliases=list(aliases))


def got(em: EntityMemory, name: str) -> Entity:
    found = em.get_entity(name)
    assert found is not None
    return found


def test_what_is_updated_stands_in_the_space_with_its_history(space: Memory) -> None:
    em = over(space, session="s1")
    em.update(
        [
            Entity("Alice", "Person", {"employer": "Acme"}, aliases=["Ali"]),
            Entity("Seattle", "location"),
        ]
    )
    em.update([person("Ali", employer="Globex")])
    stored = space.get("Alice")
    assert stored.attributes == {"employer": "Globex"}
    assert stored.aliases == ["Ali"]
    assert [(fact.value, fact.state) for fact in stored.facts] == [
        ("Globex", "current"),
        ("Acme", "superseded"),
    ]
    assert {fact.source.session for fact in stored.facts} == {"s1"}
    assert space.get("Seattle").entity_type == "location"
    assert got(em, "Alice").attributes == {"employer": "Globex"}
    assert got(em, "Alice").id == stored.id


def test_an_evicted_entity_is_found_again_and_goes_on_where_it_was(space: Memory) -> None:
    em = over(space, 2)
    em.update([person("Alice Moran", "Ali", city="Oslo", role="cook")])
    em.update([person("Tom"), person("Priya")])
    assert [each.name for each in em.entities] == ["Tom", "Priya"]
    assert got(em, "ali").attributes == {"city": "Oslo", "role": "cook"}
    assert em.get_entity("Alice") is None  # a part of a name is no name
    assert em.get_entity("Nobody") is None
    em.update([person("Ali", city="Bern")])
    assert em.build_context().splitlines()[1] == "- Alice Moran (person): city=Bern, role=cook"
    assert space.get("Alice Moran").attributes == {"city": "Bern", "role": "cook"}
    assert len(space.entities()) == 3


@pytest.mark.parametrize(
    "query",
    [
        "What does Alice Moran do?",
        "and alice moran's city?",
        "Where is Ali now?",
        "who is the cook?",
        "who lives in Oslo?",
        "Who knows about sourdough?",
        "does Tom know Alice Moran",
    ],
)
def test_an_evicted_entity_comes_into_the_context_of_a_question_about_it(
    space: Memory, query: str
) -> None:
    em = over(space, 2)
    em.update([person("Alice Moran", "Ali", city="Oslo", role="cook", bakes="sourdough")])
    em.update([person("Tom", city="Bern"), person("Priya", role="rower")])
    assert (
        "- Alice Moran (person): bakes=sourdough, city=Oslo, role=cook"
        in em.build_context(query).splitlines()
    )
    assert "- Alice Moran (person): bakes=sourdough" in em.build_context(query, budget=60)
    assert "Alice" not in em.build_context()
    assert "Alice" not in em.build_context("What does Priya row?")
    assert [each.name for each in em.entities] == ["Tom", "Priya"], "asking tracks nobody"


def test_what_was_forgotten_or_is_of_another_space_comes_into_no_context(space: Memory) -> None:
    em = over(space, 1)
    em.update([person("Alice", city="Oslo")])
    em.update([person("Tom", city="Oslo")])
    assert "Alice" in em.build_context("Who is Alice?")
    space.forget("Alice")
    assert (
        em.build_context("Who is Alice in Oslo?") == "[Known Entities]\n- Tom (person): city=Oslo"
    )
    assert em.build_context("Alice?") == ""


def test_a_conversation_knows_what_the_space_knew_before(space: Memory) -> None:
    space.put(person("Alice", city="Oslo"))
    em = over(space)
    assert em.build_context() == ""
    assert got(em, "alice").attributes == {"city": "Oslo"}
    em.update([Entity("Alice", attributes={"role": "cook"})])
    assert em.build_context() == "[Known Entities]\n- Alice (person): city=Oslo, role=cook"


def test_a_differing_type_is_left_to_a_review(space: Memory) -> None:
    em = over(space)
    em.update([person("Mercury", band="Queens")])
    em.update(
        [
            Entity("Mercury", "planet", {"orbit": "88 days"}),
            Entity("Mercury", "planet", {"moons": "none"}),
        ]
    )
    mercury = got(em, "Mercury")
    assert (mercury.entity_type, mercury.mentions) == ("person", 3)
    assert mercury.attributes == {"band": "Queens", "orbit": "88 days", "moons": "none"}
    (review,) = space.reviews()
    assert review.left_id == mercury.id
    assert review.evidence == ("one name for person and planet",)
    by_type = {each.entity_type: each.attributes for each in space.entities()}
    assert by_type == {
        "person": {"band": "Queens"},
        "planet": {"orbit": "88 days", "moons": "none"},
    }
    space.decide(review, same=False)
    em.update([Entity("Mercury", "planet", {"moons": "0"})])
    assert space.reviews() == []


def test_a_merged_pair_is_not_asked_about_again(space: Memory) -> None:
    em = over(space)
    em.update([person("Mercury")])
    em.update([Entity("Mercury", "planet", {"moons": "none"})])
    space.decide(space.reviews()[0], same=True)
    em.update([Entity("Mercury", "planet", {"moons": "0"})])
    assert space.reviews() == []


def test_of_two_evicted_ones_of_a_name_the_type_tells_which_and_else_the_first(
    space: Memory,
) -> None:
    em = over(space, 1)
    em.update([person("Mercury", band="Queens")])
    em.update([Entity("Mercury", "planet", {"moons": "none"})])
    em.update([Entity("Tom")])
    assert got(em, "Mercury").entity_type == "person"
    em.update([Entity("Mercury", "planet", {"moons": "0"})])
    assert got(em, "Mercury").entity_type == "planet"
    assert len(space.entities()) == 3
    em.update([Entity("Tom")])
    em.update([Entity("Mercury", "song")])
    assert [each.entity_type for each in space.entities() if each.name == "Mercury"].count(
        "song"
    ) == 1


def twins(space: Memory) -> None:
    """Two people of one name."""
    space.put(person("Alex Reed", "Alex"))
    space.put(person("Alex Noll", "Alex"))


def test_who_may_be_several_of_the_space_stays_here_and_is_reported(space: Memory) -> None:
    twins(space)
    em = over(space, 1)
    em.update([person("Alex", role="cook")])
    assert [(each.reason, each.what) for each in em.dropped] == [("ambiguous", "Alex")]
    assert got(em, "Alex").attributes == {"role": "cook"}
    em.update([person("Alex", city="Oslo")])
    assert got(em, "Alex").mentions == 2
    assert all(not each.attributes for each in space.entities())
    em.update([person("Tom")])
    assert em.dropped[-1].what == "Alex"
    assert em.get_entity("Alex") is not None  # one of the two that the space knows


def test_a_name_that_is_an_alias_in_the_space_alone_keeps_to_whom_it_means(space: Memory) -> None:
    space.put(person("Alice Moran", "Ali"))
    em = EntityMemory.from_dict(
        {"entities": [{"name": "Alice Moran", "entity_type": "person"}]}, memory=space
    )
    em.update([person("Ali", role="cook")])
    assert [(each.name, each.aliases, each.attributes) for each in em.entities] == [
        ("Alice Moran", ["Ali"], {"role": "cook"})
    ]
    space.put(Entity("Alice Moran", "ship"))
    em = over(space)
    em.update([Entity("Alice Moran", "ship", {"masts": "3"})])
    em.update([person("Ali", city="Oslo")])
    assert [(each.name, each.attributes) for each in em.entities] == [
        ("Ali", {"city": "Oslo"}),
        ("Alice Moran", {"masts": "3"}),
    ]
    assert {each.entity_type: each.attributes for each in space.entities()} == {
        "person": {"role": "cook", "city": "Oslo"},
        "ship": {"masts": "3"},
    }


def test_what_was_tracked_before_the_space_came_enters_it_when_it_is_used_evicted_or_saved(
    space: Memory,
) -> None:
    plain = EntityMemory(3)
    plain.update([person("Alice", city="Oslo"), person("Tom", role="cook"), person("Priya")])
    em = EntityMemory.from_dict(plain.to_dict(), memory=space, session="s1")
    assert space.entities() == []
    em.update([person("Alice", role="pilot")])
    assert space.get("Alice").attributes == {"city": "Oslo", "role": "pilot"}
    em.update([person("Zoe")])
    assert space.get("Tom").attributes == {"role": "cook"}
    em.save()
    assert {each.name for each in space.entities()} == {"Alice", "Tom", "Priya", "Zoe"}
    twins(space)
    em = EntityMemory.from_dict(
        {"entities": [{"name": "Alex", "entity_type": "person"}]}, memory=space
    )
    em.update([person("Alex")])
    assert em.dropped[0].reason == "ambiguous"


# --- sessions -------------------------------------------------------------------------------------


def test_a_session_is_saved_and_restored(space: Memory) -> None:
    with over(space, 3, session="s1") as em:
        em.update([person("Alice", "Ali", city="Oslo"), person("Tom")])
        em.update([person("Alice")])
    em.save()
    space.put(Entity("Alice", "person", {"city": "Bern"}))
    again = over(space, 3, session="s1")
    assert [
        (each.name, each.mentions, each.first_seen, each.last_seen) for each in again.entities
    ] == [(each.name, each.mentions, each.first_seen, each.last_seen) for each in em.entities]
    assert got(again, "ali").attributes == {"city": "Bern"}
    assert over(space, session="s2").entities == []
    assert over(space, 1, session="s1").get_all_entities()[0].name == "Alice"
    again.update([person("Zoe"), person("Priya")])
    assert [each.name for each in again.entities] == ["Zoe", "Priya", "Alice"]


def test_the_saved_session_shows_nowhere_else(space: Memory) -> None:
    with over(space, session="s1") as em:
        em.update([person("Alice")])
    assert space.notes() == []
    assert "working" not in space.context("working memory of a session").text
    (note,) = space.notes(expired=True)
    assert note.category == WORKING_SET
    assert "Alice" not in str(note.metadata)


def test_saving_needs_a_space_and_a_session(space: Memory) -> None:
    for em in (EntityMemory(), over(space)):
        with em, pytest.raises(ConfigError, match="saving needs a space and a session"):
            em.save()
    with pytest.raises(SpaceError):
        over(space, session="a\nb")


def test_a_dictionary_restores_with_the_space_as_it_is_now(space: Memory) -> None:
    em = over(space)
    em.update([person("Alice", city="Oslo"), person("Tom")])
    em.update([person("Alice")])
    data = em.to_dict()
    space.put(person("Alice", city="Bern"))
    space.forget("Tom")
    again = EntityMemory.from_dict(data, memory=space)
    assert [(each.name, each.mentions, each.attributes) for each in again.entities] == [
        ("Alice", 2, {"city": "Bern"})
    ]


# --- forgetting -----------------------------------------------------------------------------------


def test_what_the_space_forgets_is_forgotten_here(space: Memory) -> None:
    em = over(space, session="s1")
    em.update([person("Alice", city="Oslo"), person("Tom", friend="Alice")])
    em.save()
    assert "Oslo" in em.build_context("Alice")
    space.forget("Alice")
    assert em.build_context() == "[Known Entities]\n- Tom (person): friend=[forgotten]"
    assert em.get_entity("Alice") is None
    assert em.build_context("Alice Oslo") == ""
    assert "Alice" not in str(em.to_dict())
    assert "Alice" not in str(over(space, session="s1").to_dict())
    em.update([person("Zoe")])
    assert [each.name for each in em.entities][:1] == ["Zoe"]


def test_forgetting_everything_leaves_nothing_here(space: Memory) -> None:
    twins(space)
    em = over(space)
    em.update([person("Alice"), person("Alex")])
    assert em.dropped
    space.forget(everything=True)
    assert (em.entities, em.dropped) == ([], ())


def test_what_others_write_meanwhile_takes_nothing_away(space: Memory) -> None:
    em, other = over(space), over(space)
    em.update([person("Alice", city="Oslo")])
    other.update([person("Alice", role="cook"), person("Tom")])
    space.put(person("Priya"))
    em.update([person("Alice", city="Bern")])
    assert em.build_context() == "[Known Entities]\n- Alice (person): city=Bern"
    assert space.get("Alice").attributes == {"city": "Bern", "role": "cook"}


def test_what_is_undone_in_the_space_is_undone_here(space: Memory) -> None:
    em = over(space)
    em.update([person("Alice", city="Oslo")])
    em.update([person("Alice", city="Bern"), person("Tom")])
    space.undo()
    assert em.get_entity("Tom") is None
    space.undo()
    assert got(em, "Alice").attributes == {"city": "Oslo"}
    space.undo()
    assert em.entities == []
    em.update([person("Alice", role="cook")])
    assert space.get("Alice").attributes == {"role": "cook"}


def test_an_entity_that_goes_while_it_is_written_is_written_anew(space: Memory) -> None:
    em = over(space)
    em.update([person("Alice", city="Oslo")])
    em._set.registry.rows["alice"].id = "gone"
    em.update([person("Alice", role="cook")])
    assert got(em, "Alice").id == space.get("Alice").id


def test_two_that_are_merged_in_the_space_are_one_here(space: Memory) -> None:
    em = over(space)
    em.update([person("Alice", city="Oslo"), person("Alicia", role="cook")])
    space.merge("Alice", "Alicia")
    (alice,) = em.entities
    assert (alice.mentions, alice.attributes) == (2, {"city": "Oslo", "role": "cook"})
    assert em.get_entity("Alicia") == em.get_entity("Alice")


# --- the rest -------------------------------------------------------------------------------------


def test_an_id_says_who_is_meant(space: Memory) -> None:
    twins(space)
    reed = space.get("Alex Reed")
    em = over(space)
    em.update([Entity("Alex", "person", {"role": "cook"}, id=reed.id)])
    assert space.get("Alex Reed").attributes == {"role": "cook"}
    assert [each.name for each in em.entities] == ["Alex Reed"]
    em.update([Entity("Tom", id="gone")])
    assert space.get("Tom").id != "gone"


def test_spaces_are_kept_apart(space: Memory) -> None:
    over(space).update([person("Alice")])
    assert over(space.within("tom")).get_entity("Alice") is None


def test_an_async_memory_serves_as_well(space: Memory) -> None:
    em = EntityMemory(memory=AsyncMemory(space))
    em.update([person("Alice")])
    assert space.get("Alice").entity_type == "person"


def test_what_the_store_refuses_is_not_taken_here_either(
    space: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    em = over(space, 1)

    def busy(*_: object, **__: object) -> int:
        raise StoreBusyError("held")

    em.update([person("Alice")])
    with monkeypatch.context() as patched:
        patched.setattr(type(em._set.backing._engine.store), "commit", busy)  # type: ignore[union-attr]
        with pytest.raises(StoreBusyError):
            em.update([person("Tom")])
    assert [each.name for each in em.entities] == ["Alice"]


def test_events_name_the_space(space: Memory) -> None:
    heard: list[Event] = []

    class Watcher:
        def on_event(self, event: Event) -> None:
            heard.append(event)

    em = over(
        space,
        provider=lambda asked: [{"name": "Tom"}],
        observers=[Watcher()],
        clock=lambda: b.at(0),
    )
    em.learn("Tom came.")
    assert [(each.name, each.space, each.at) for each in heard] == [("extracted", "ada", b.at(0))]


def test_threads_share_a_space(space: Memory) -> None:
    em = over(space, 5)

    def work(number: int) -> None:
        for turn in range(6):
            em.update([person("Shared", **{f"k{number}": str(turn)}), person(f"p{number}-{turn}")])
            em.build_context()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert got(em, "Shared").mentions == 24
    assert len(space.entities()) == 25
