"""EntityMemory by itself: document 000's behaviour, and what goes beyond it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from factbook import Entity, EntityMemory, Event, InputError
from factbook.errors import ConfigError
from factbook.facades.entity_memory.relevance import ALWAYS_A_KIND, COMMON, MOST_CANDIDATES
from factbook.text.host_ids import is_host_id
from factbook.text.names import fold
from tests.support import builders as b


def ticking() -> Any:
    """A clock that goes on a minute at each look."""
    minutes = iter(range(1_000_000))
    return lambda: b.at(next(minutes))


def memory(most: int = 50, **rest: Any) -> EntityMemory:
    return EntityMemory(most, clock=ticking(), **rest)


def person(name: str, *aliases: str, **attributes: str) -> Entity:
    return Entity(name, "person", attributes, aliases=list(aliases))


def names(em: EntityMemory) -> list[str]:
    return [each.name for each in em.get_all_entities()]


# --- the document ---------------------------------------------------------------------------------


def test_entities_are_merged_by_the_documents_table() -> None:
    em = memory()
    em.update([person("Alice", role="engineer", city="Oslo")])
    first = em.get_entity("Alice")
    assert first is not None
    assert (first.mentions, first.first_seen, first.last_seen) == (1, b.at(0), b.at(0))
    em.update([Entity("ALICE", "organization", {"city": "Seattle"}, aliases=["Ali"])])
    merged = em.get_entity("alice")
    assert merged is not None
    assert (merged.name, merged.entity_type) == ("Alice", "person")
    assert merged.attributes == {"role": "engineer", "city": "Seattle"}
    assert (merged.mentions, merged.aliases) == (2, ["Ali"])
    assert (merged.first_seen, merged.last_seen) == (b.at(0), b.at(1))


def test_the_least_recently_used_is_evicted() -> None:
    em = memory(2)
    em.update([person("A")])
    em.update([person("B")])
    em.update([person("A")])
    em.update([person("C")])
    assert em.get_entity("B") is None
    assert names(em) == ["C", "A"]


def test_within_one_update_eviction_waits_until_all_are_merged() -> None:
    em = memory(3)
    em.update([person("A"), person("B"), person("C")])
    em.update([person("D"), person("A")])
    assert names(em) == ["D", "A", "C"]
    alice = em.get_entity("A")
    assert alice is not None
    assert alice.mentions == 2


def test_the_context_is_the_documents_block_latest_first() -> None:
    em = memory()
    assert em.build_context() == ""
    em.update(
        [
            Entity("Alice", "person", {"role": "engineer", "company": "Acme Corp"}),
            Entity("Acme Corp", "organization", {"location": "Seattle"}),
        ]
    )
    em.update([Entity("Seattle", "Location")])
    assert em.build_context() == snapshot("""\
[Known Entities]
- Seattle (Location)
- Alice (person): role=engineer, company=Acme Corp
- Acme Corp (organization): location=Seattle\
""")


def test_a_saved_memory_comes_back_as_it_was() -> None:
    em = memory(3, extraction_model="small")
    em.update(
        [
            person("Alice", "Ali", role="engineer"),
            Entity("Acme", importance=0.9, description="A firm."),
        ]
    )
    em.update([person("Tom"), person("Alice")])
    data = json.loads(json.dumps(em.to_dict()))
    again = EntityMemory.from_dict(data)
    assert again.get_all_entities() == em.get_all_entities()
    assert again.build_context() == em.build_context()
    assert again.get_entity("ali") == em.get_entity("Alice")
    assert again.to_dict() == data
    assert (again.max_entities, again.extraction_model) == (3, "small")
    again.update([person("Zoe")])
    assert names(again) == ["Zoe", "Tom", "Alice"]


def test_clear_leaves_nothing() -> None:
    em = memory()
    em.update([Entity("Tea", "preference"), person("Alice")])
    em.clear()
    assert (em.entities, em.build_context(), em.build_context("Alice"), len(em), bool(em)) == (
        [],
        "",
        "",
        0,
        True,
    )
    em.update([person("Tom")])
    assert names(em) == ["Tom"]


# --- one name, many spellings ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "spelling",
    ["ÉLODIE  Martin", "E\u0301lodie Martin", "Élodie\u00a0Martin", "Ｅ\u0301lodie Ｍartin"],
)
def test_case_form_width_and_spacing_make_no_other_name(spelling: str) -> None:
    em = memory()
    em.update([person("Élodie Martin")])
    em.update([person(spelling)])
    assert [(each.name, each.mentions, each.aliases) for each in em.entities] == [
        ("Élodie Martin", 2, [])
    ]
    assert em.get_entity(spelling) == em.get_entity("Élodie Martin")


def test_an_alias_leads_to_its_bearer_both_ways() -> None:
    em = memory()
    em.update([person("Alice Smith", "Ali")])
    em.update([person("ali", role="cook")])
    em.update([person("Alice S.", "Alice Smith")])
    assert [(each.name, each.mentions, each.aliases) for each in em.entities] == [
        ("Alice Smith", 3, ["Ali", "Alice S."])
    ]


def test_an_alias_does_not_join_what_is_of_another_type() -> None:
    em = memory()
    em.update([person("Mercury Jones", "Mercury")])
    em.update([Entity("Mercury", "product")])
    assert names(em) == ["Mercury", "Mercury Jones"]
    found = em.get_entity("mercury")
    assert found is not None
    assert found.entity_type == "product"


def test_an_alias_of_two_joins_neither() -> None:
    em = memory()
    em.update([person("Alex Reed", "Alex"), person("Alexandra Noll", "Alex")])
    first = em.get_entity("Alex")
    assert first is not None
    assert first.name == "Alex Reed"
    em.update([person("Alex"), person("Lex", "alex")])
    assert [(each.name, each.mentions) for each in em.entities] == [
        ("Alex", 1),
        ("Lex", 1),
        ("Alex Reed", 1),
        ("Alexandra Noll", 1),
    ]


def test_a_bare_first_name_joins_no_two_whole_names_but_a_whole_former_name_does() -> None:
    em = memory()
    em.update([person("Alex", "Alex Reed")])
    em.update([person("Alexandra Noll", "Alex")])
    em.update([person("Alexandra Reed-Noll", "Alexandra Noll")])
    assert [(each.name, each.mentions) for each in em.entities] == [
        ("Alexandra Noll", 2),
        ("Alex", 1),
    ]
    em.update([Entity("International Business Machines", "organization", aliases=["Big Blue"])])
    em.update([Entity("IBM", "company", aliases=["big blue"])])
    assert names(em)[0] == "International Business Machines"


def test_an_evicted_bearer_takes_its_aliases_with_it() -> None:
    em = memory(2)
    em.update([person("Alex Reed", "Alex", "Lex"), person("Alexandra Noll", "Alex")])
    em.update([person("Tom")])
    found = em.get_entity("Alex")
    assert found is not None
    assert found.name == "Alexandra Noll"
    assert em.get_entity("Lex") is None


# --- what is handed in and out --------------------------------------------------------------------


def test_the_callers_objects_are_left_alone_and_ours_are_copies() -> None:
    given = person("Alice", "Ali", role="cook")
    before = dataclasses.replace(
        given, attributes=dict(given.attributes), aliases=list(given.aliases)
    )
    em = memory()
    em.update([given])
    em.update([person("Alice", "Al", role="baker")])
    assert given == before
    taken = em.get_entity("Alice")
    assert taken is not None
    taken.attributes["role"] = "spy"
    taken.aliases.append("Spy")
    given.attributes["role"] = "spy"
    again = em.get_entity("Alice")
    assert again is not None
    assert (again.attributes, again.aliases) == ({"role": "baker"}, ["Ali", "Al"])
    assert em.get_entity("Spy") is None


def test_counts_and_times_that_are_handed_in_are_kept() -> None:
    em = memory()
    em.update(
        [
            Entity(
                "Alice",
                "person",
                mentions=4,
                first_seen=datetime(2020, 1, 1),
                last_seen=b.at(9),
                metadata={"k": "v"},
            )
        ]
    )
    em.update([Entity("Alice", importance=0.9, description="A cook.", metadata={"l": "w"})])
    found = em.get_entity("Alice")
    assert found is not None
    assert (found.mentions, found.first_seen, found.last_seen) == (
        5,
        datetime(2020, 1, 1, tzinfo=UTC),
        b.at(1),
    )
    assert (found.importance, found.description, found.metadata) == (
        0.9,
        "A cook.",
        {"k": "v", "l": "w"},
    )


def test_one_entity_alone_and_anything_like_one_are_taken() -> None:
    em = memory()
    em.update(person("Alice"))  # type: ignore[arg-type]
    em.update(
        [SimpleNamespace(name="Tom", entity_type="person", attributes={"age": 31, "lead": True})]  # type: ignore[list-item]
    )
    em.update(iter([Entity("Acme", "")]))
    assert (
        em.build_context()
        == "[Known Entities]\n- Acme (other)\n- Tom (person): age=31, lead=true\n- Alice (person)"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        3,
        "Alice",
        Entity(""),
        Entity("\u200b"),
        Entity("\ud800"),
        Entity(3),  # type: ignore[arg-type]
        Entity("Tom", 3),  # type: ignore[arg-type]
        Entity("Tom", attributes={"a": object()}),  # type: ignore[dict-item]
        Entity("Tom", attributes=["a"]),  # type: ignore[arg-type]
        Entity("Tom", aliases="Al"),  # type: ignore[arg-type]
        Entity("Tom", importance=3),
        Entity("Tom", mentions=-1),
        Entity("Tom", id=3),  # type: ignore[arg-type]
        Entity("Tom", first_seen="now"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_entity_is_refused_and_nothing_of_its_update_is_taken(wrong: Any) -> None:
    em = memory()
    with pytest.raises(InputError, match=r"entity 2|first_seen"):
        em.update([person("Alice"), wrong])
    assert em.entities == []


@pytest.mark.parametrize("most", [0, -1, True, 2.5, None, "9"])
def test_a_capacity_is_a_whole_number_from_one_on(most: Any) -> None:
    with pytest.raises(ConfigError, match="max_entities"):
        EntityMemory(most)


def test_names_and_queries_are_texts_and_budgets_numbers() -> None:
    em = memory()
    assert em.get_entity("") is None
    with pytest.raises(InputError):
        em.get_entity(None)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        em.build_context(3)  # type: ignore[arg-type]
    for budget in (0, True, "9"):
        with pytest.raises(InputError, match="budget"):
            em.build_context("Alice", budget)  # type: ignore[arg-type]


# --- a context for a question ---------------------------------------------------------------------


def world() -> EntityMemory:
    em = memory()
    em.update([person("Alice", "Ali", works_at="Acme"), person("Tom", role="cook", city="Oslo")])
    em.update(
        [Entity("Acme", "organization", {"city": "Bern"}), Entity("short answers", "preference")]
    )
    em.update(
        [Entity("slow builds", "Pain Point", {"severity": "high"}), person("Priya", role="cook")]
    )
    return em


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("where does Ali work?", ["Alice"]),
        ("Tell me about ACME", ["Acme", "Alice"]),
        ("who is a cook", ["Priya", "Tom"]),
        ("anything of dragons?", []),
        ("who is it", []),
    ],
)
def test_a_question_is_answered_by_whom_it_is_about(query: str, expected: list[str]) -> None:
    lines = world().build_context(query).splitlines()
    assert lines[:3] == [
        "[Known Entities]",
        "- short answers (preference)",
        "- slow builds (Pain Point): severity=high",
    ]
    assert [line.split()[1] for line in lines[3:]] == expected


def test_a_blank_question_is_none() -> None:
    em = world()
    assert em.build_context("  ") == em.build_context()
    assert sorted(em.build_context(budget=10_000).splitlines()) == sorted(
        em.build_context().splitlines()
    )


def test_within_a_budget_the_latest_enter_and_preferences_take_a_fifth() -> None:
    em = world()
    for budget in range(1, 120):
        for query in (None, "cook"):
            block = em.build_context(query, budget)
            assert em._tokenizer.count(block) <= budget
            assert not block or len(block.splitlines()) > 1
    assert em.build_context(None, 27) == snapshot("""\
[Known Entities]
- slow builds (Pain Point): severity=high
- Priya (person): role=cook\
""")
    assert em.build_context(None, 70).splitlines()[1] == "- short answers (preference)"


def test_a_tokenizer_whose_parts_cost_less_than_the_whole_is_heeded() -> None:
    class Greedy:
        def count(self, text: str) -> int:
            return len(text.split()) + 2 * text.strip("\n").count("\n") ** 2

    em = memory(tokenizer=Greedy())
    em.update([Entity("Tea", "preference"), *(person(f"p{number}") for number in range(9))])
    for budget in range(1, 60):
        assert Greedy().count(em.build_context(None, budget)) <= budget


def test_more_than_five_of_a_kind_do_not_enter_always() -> None:
    em = memory()
    em.update([Entity(f"taste {number}", "preference") for number in range(ALWAYS_A_KIND + 3)])
    em.update([Entity("taste 0", "preference"), person("Alice")])
    lines = em.build_context("Alice").splitlines()[1:]
    assert [line.split()[2] for line in lines[:-1]] == ["0", "7", "6", "5", "4"]


def test_the_index_follows_every_change() -> None:
    em = memory(2)
    em.update([person("Alice", role="cook"), person("Tom")])
    assert "Alice" in em.build_context("cook")
    em.update([person("Alice", role="baker")])
    assert em.build_context("cook") == ""
    assert "Alice" in em.build_context("baker")
    em.update([Entity("Tea", "preference"), person("Priya")])
    assert em.build_context("baker") == "[Known Entities]\n- Tea (preference)"
    em.update([person("Zoe"), person("Tom")])
    assert em.build_context("baker") == ""
    em.update([person("Zoe", role="pilot")])
    em.update([person("Uma"), person("Vera")])
    assert em.build_context("pilot tea") == ""


def test_a_word_that_all_have_finds_the_latest() -> None:
    count = COMMON + 500
    em = EntityMemory(count)
    for number in range(count):
        em.update([person(f"n{number}", role="cook")])
    lines = em.build_context("cook").splitlines()[1:]
    assert len(lines) == MOST_CANDIDATES
    assert lines[0].startswith(f"- n{count - 1} ")
    assert len(em.build_context("n7 cook").splitlines()) == 2
    rare = [Entity(f"r{number}", "person", {"role": "pilot"}) for number in range(MOST_CANDIDATES)]
    em.update(rare)
    assert len(em.build_context("pilot cook").splitlines()) == MOST_CANDIDATES + 1


# --- a naive model of it --------------------------------------------------------------------------


@dataclass
class Naive:
    """The document read literally: a list, the least recent first."""

    most: int
    rows: list[dict[str, Any]] = field(default_factory=list)

    def update(self, entities: Sequence[Entity], now: datetime) -> None:
        for entity in entities:
            row = next(
                (row for row in self.rows if row["name"].lower() == entity.name.lower()), None
            )
            if row is None:
                row = {
                    "name": entity.name,
                    "type": entity.entity_type,
                    "attributes": {},
                    "mentions": 0,
                    "aliases": [],
                }
            else:
                self.rows.remove(row)
            row["attributes"] |= entity.attributes
            row["mentions"] += 1
            row["aliases"] += [alias for alias in entity.aliases if alias not in row["aliases"]]
            row["last"] = now
            self.rows.append(row)
        del self.rows[: max(0, len(self.rows) - self.most)]


NAMES = st.sampled_from(["Ada", "ADA", "Tom", "tom", "Priya", "Acme", "Bern", "ACME"])
ENTITIES = st.builds(
    Entity,
    NAMES,
    st.sampled_from(["person", "place", "organization"]),
    st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz"), max_size=2),
    aliases=st.lists(st.sampled_from(["q1", "q2"]), max_size=0),
)


@given(st.integers(1, 4), st.lists(st.lists(ENTITIES, max_size=4), max_size=12))
def test_it_does_what_a_naive_model_does(most: int, updates: list[list[Entity]]) -> None:
    em, naive = memory(most), Naive(most)
    ticks = ticking()
    for entities in updates:
        em.update(entities)
        naive.update(entities, ticks())
        shown = [
            (e.name, e.entity_type, e.attributes, e.mentions, e.last_seen)
            for e in em.get_all_entities()
        ]
        wanted = [
            (r["name"], r["type"], r["attributes"], r["mentions"], r["last"]) for r in naive.rows
        ]
        assert {row[0]: row for row in shown} == {row[0]: row for row in wanted}
        assert [row[4] for row in shown] == sorted((row[4] for row in wanted), reverse=True)
        assert EntityMemory.from_dict(em.to_dict()).get_all_entities() == em.get_all_entities()


@given(
    st.integers(1, 4),
    st.lists(
        st.tuples(st.lists(ENTITIES, max_size=4), st.sampled_from(["ada x", "acme", "place"]))
    ),
)
def test_a_question_finds_what_it_would_in_a_memory_made_anew(
    most: int, steps: list[tuple[list[Entity], str]]
) -> None:
    em = EntityMemory(most, clock=lambda: b.at(0))
    for entities, query in steps:
        em.update(entities)
        anew = EntityMemory.from_dict(em.to_dict(), clock=lambda: b.at(0))
        assert em.build_context(query) == anew.build_context(query)


ANY_NAME = st.text(min_size=1, max_size=6).filter(
    lambda name: bool(fold(name)) and not is_host_id(name)
)


@given(
    st.integers(1, 5), st.lists(st.tuples(ANY_NAME, st.lists(ANY_NAME, max_size=2)), max_size=25)
)
def test_every_name_and_alias_of_a_tracked_entity_finds_a_bearer(
    most: int, entities: list[tuple[str, list[str]]]
) -> None:
    em = memory(most)
    for name, aliases in entities:
        em.update([person(name, *aliases)])
        assert len(em) <= most
    for entity in em.entities:
        assert em.get_entity(entity.name) == entity
        for alias in entity.aliases:
            assert em.get_entity(alias) is not None
    held = {row for bearers in em._set.registry._bearers.values() for row in bearers}
    assert held <= em._set.registry.rows.keys()


# --- several at once ------------------------------------------------------------------------------


def test_threads_lose_no_mention_and_break_nothing() -> None:
    em = EntityMemory(40)

    def work(number: int) -> None:
        for turn in range(60):
            em.update(
                [person("Shared", role=str(turn)), person(f"p{number}-{turn}", f"alias {turn}")]
            )
            em.build_context("Shared", 100)
            em.get_entity(f"p{number}-{turn}")
            em.to_dict()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    shared = em.get_entity("Shared")
    assert shared is not None
    assert shared.mentions == 360
    assert len(em) == 40


# --- forms of saving ------------------------------------------------------------------------------


def test_selectools_own_form_is_read() -> None:
    data = {
        "max_entities": 2,
        "relevance_window": 10,
        "model": "small",
        "entities": [
            {
                "name": name,
                "entity_type": "person",
                "attributes": {"age": 31},
                "first_mentioned": 1714986000.5,
                "last_mentioned": 1714986000.5 + seconds,
                "mention_count": 3,
            }
            for name, seconds in (("Ada", 60), ("Tom", 0), ("ADA", 30), ("Priya", 90))
        ],
    }
    em = EntityMemory.from_dict(data)
    assert names(em) == ["Priya", "Ada"]
    ada = em.get_entity("Ada")
    assert ada is not None
    assert (ada.mentions, ada.attributes, em.extraction_model) == (6, {"age": "31"}, "small")
    assert ada.first_seen == datetime(2024, 5, 6, 9, 0, 0, 500000, tzinfo=UTC)
    assert ada.last_seen == ada.first_seen + timedelta(seconds=60)


def test_a_bare_form_is_enough() -> None:
    em = EntityMemory.from_dict(
        {"entities": {"ada": {"name": "Ada", "last_mentioned": 0}}}, clock=lambda: b.at(3)
    )
    assert [(e.name, e.entity_type, e.mentions, e.last_seen) for e in em.entities] == [
        ("Ada", "other", 1, b.at(3))
    ]
    assert EntityMemory.from_dict({}).entities == []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "a table"),
        ({"entities": 3}, "are a list"),
        ({"entities": ["Ada"]}, "entity 1 of a saved entity memory is a table"),
        ({"entities": [{"name": "Ada"}, {}]}, "entity 2 .*needs a name"),
        ({"entities": [{"name": "\u200b"}]}, "needs a name"),
        ({"entities": [{"name": "Ada", "mentions": "many"}]}, "whole number"),
        ({"entities": [{"name": "Ada", "last_seen": "yesterday"}]}, "a time in entity 1"),
        ({"entities": [{"name": "Ada", "last_seen": 1e30}]}, "a time in entity 1"),
        ({"version": 2, "entities": []}, "newer factbook"),
        ({"version": "x", "entities": []}, "newer factbook"),
    ],
)
def test_what_can_not_be_read_back_says_where(data: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        EntityMemory.from_dict(data)


# --- who listens ----------------------------------------------------------------------------------


class Watcher:
    def __init__(self) -> None:
        self.heard: list[tuple[str, int, int, list[str]]] = []
        self.events: list[Event] = []

    def on_entity_extraction(
        self, run_id: str, entities_extracted: int, entities_total: int, entities: list[Entity]
    ) -> None:
        self.heard.append(
            (run_id, entities_extracted, entities_total, [each.name for each in entities])
        )

    def on_event(self, event: Event) -> None:
        self.events.append(event)


def reply(*names: str) -> Any:
    return lambda prompt: [{"name": name, "entity_type": "person"} for name in names]


def test_observers_hear_of_what_was_extracted_and_merged() -> None:
    watcher = Watcher()
    em = memory(provider=reply("Ada", "Zed"), observers=[watcher])
    em.update([person("Tom")])
    extracted = em.extract_entities("Ada came.")
    assert watcher.heard == []
    em.update(extracted, run_id="run-1")
    em.update(extracted)
    assert watcher.heard == [("run-1", 1, 2, ["Ada"])]
    (event,) = watcher.events
    assert (event.name, event.space) == ("extracted", "")
    assert event.data == {
        "run_id": "run-1",
        "entities_extracted": 1,
        "entities_total": 2,
        "dropped": {"ungrounded": 1},
    }


def test_learning_is_both_in_one_and_is_heard_of_even_where_nothing_was_found() -> None:
    watcher = Watcher()
    em = memory(provider=reply("Ada"), observers=[watcher])
    assert [each.name for each in em.learn("Ada came.", run_id="run-1")] == ["Ada"]
    assert em.learn("Nobody came.", run_id="run-2") == []
    em.learn("Ada left.")
    assert [(each[0], each[1]) for each in watcher.heard[:2]] == [("run-1", 1), ("run-2", 0)]
    assert watcher.heard[2][0]


def test_an_observer_that_fails_disturbs_nobody() -> None:
    class Broken:
        def on_entity_extraction(self, *_: object) -> None:
            raise RuntimeError("no")

    watcher = Watcher()
    em = memory(provider=reply("Ada"), observers=[Broken(), watcher])
    em.learn("Ada came.")
    assert len(watcher.heard) == 1


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What is logged never holds what was said."""
    yield
    assert "Zed" not in caplog.text


def test_a_long_attribute_is_cut_where_it_does_not_fit() -> None:
    em = EntityMemory()
    em.update([Entity("Ada", "person", {"bio": "born in Oslo and " * 300, "role": "cook"})])
    assert len(em.build_context()) > 5000
    for query in (None, "who is Ada?"):
        context = em.build_context(query, budget=100)
        assert context.splitlines()[1].startswith("- Ada (person): bio=born in Oslo and born")
        assert "…, role=cook" in context
