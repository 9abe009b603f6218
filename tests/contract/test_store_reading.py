"""Reading the record, the log, entities and what was said."""

from __future__ import annotations

import pytest

from factbook.model.change import Change
from factbook.model.record import RECORD_TYPES, EntityRecord, EntityType, Fact, Note, Record
from factbook.ports.snapshot import EntityCounts, NameHit
from factbook.ports.store import Store
from tests.support.builders import (
    alias,
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    message,
    not_same,
    note,
    observation,
    relation,
    review,
    same_as,
    source,
    stamp,
    support,
)
from tests.support.dumps import dump, dumped

ROWS: list[Record] = [
    entity(
        "ada",
        description="A mathematician",
        metadata={"colour": "blue"},
        expires_at=at(days=9),
        label="Person",
    ),
    alias(
        "ada", "Countess Lovelace", id="alias", source=source(quote="the Countess", standing="web")
    ),
    fact(
        "ada",
        "plays",
        "piano",
        id="fact",
        valid_at=at(1),
        invalid_at=at(2),
        expired_at=at(3),
        grain="year",
    ),
    relation(
        "ada", "knows", "tom", id="relation", note="from London", importance=0.9, grain="month"
    ),
    support(
        "fact",
        id="support",
        source=source(message_id="m", episode_id="e", session="s", project="p"),
    ),
    note(
        "Ada likes tea",
        "ada",
        id="note",
        category="preference",
        persistent=True,
        metadata={"by": "hand"},
    ),
    observation(
        "she [Ada] has played the piano since she was five",
        "ada",
        "piano",
        id="observation",
        holds="hearsay",
        grain="year",
        valid_at=at(1),
        version=2,
        expires_at=at(9),
        record_ids=("fact",),
        metadata={"by": "hand"},
        source=source(quote="she has played the piano since she was five"),
    ),
    same_as(
        "countess", "ada", id="same", score=0.9, evidence=("alias", "same session"), decider="user"
    ),
    not_same("ada", "tom", id="not", reason="they met"),
    review("ada", "adah", id="review", evidence=("one letter",)),
    EntityType(
        id="gadget",
        attributes={"size": "single", "tags": "set"},
        other_names=("thing",),
        section="Gadgets",
    ),
]


def test_every_row_comes_back_as_it_was_put_in(store: Store):
    said = message("Ada plays")
    told = episode(said)
    store.remember("ada", [told])
    rows: list[Record] = [*ROWS[:2], mention("ada", said, "Ada", told.id, id="mention"), *ROWS[2:]]
    commit(store, "ada", *rows)
    assert {type(row) for row in rows} == set(RECORD_TYPES)
    with store.snapshot() as snapshot:
        assert dump(snapshot, "ada") == rows
        for row in rows:
            assert snapshot.get("ada", type(row), [row.id, "absent"]) == {row.id: row}


def test_rows_of_a_type_come_in_the_order_of_their_ids(store: Store):
    commit(store, "ada", note("b", id="b"), note("C", id="C"), note("a", id="a"), note("ä", id="ä"))
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.every("ada", Note)] == ["C", "a", "b", "ä"]


def test_an_empty_space_answers_with_nothing(store: Store):
    with store.snapshot() as snapshot:
        assert snapshot.version("nobody") == 0
        assert dump(snapshot, "nobody") == []
        assert snapshot.log("nobody") == []
        assert snapshot.get("nobody", Fact, ["x"]) == {}
        assert snapshot.entity_ids("nobody") == []
        assert snapshot.sessions("nobody") == []
        assert snapshot.spaces() == []
        assert not any(snapshot.stats("nobody").values())
        assert snapshot.job_counts(None) == {}


def test_questions_about_nothing_have_no_answers(store: Store):
    commit(store, "ada", *ROWS)
    with store.snapshot() as snapshot:
        assert snapshot.get("ada", Fact, []) == {}
        assert snapshot.names("ada", []) == {}
        for ask in (
            snapshot.facts,
            snapshot.relations,
            snapshot.aliases,
            snapshot.mentions,
            snapshot.mentions_in,
            snapshot.supports,
            snapshot.counts,
            snapshot.canonical,
            snapshot.members,
            snapshot.log_of,
            snapshot.log_of_episodes,
            snapshot.episodes,
            snapshot.messages,
        ):
            assert not ask("ada", [])


# --- the log --------------------------------------------------------------------------------------


def test_the_log_is_read_in_parts(store: Store):
    for number in range(5):
        commit(store, "ada", note("Hi", id=f"n{number}"))
    with store.snapshot() as snapshot:
        assert [entry.version for entry in snapshot.log("ada")] == [1, 2, 3, 4, 5]
        assert [entry.version for entry in snapshot.log("ada", after=2)] == [3, 4, 5]
        assert [entry.version for entry in snapshot.log("ada", after=2, limit=2)] == [3, 4]
        assert snapshot.log("ada", limit=0) == snapshot.log("ada", after=5) == []


def test_the_log_of_a_row_has_only_its_changes(store: Store):
    old, new = note("One", id="n"), note("Two", id="n")
    commit(store, "ada", old, note("Other", id="other"))
    commit(store, "ada", entity("x"))
    commit(store, "ada", Change(before=old, after=new))
    commit(store, "ada", Change(before=new))
    with store.snapshot() as snapshot:
        log = snapshot.log_of("ada", ["n"])
        assert [(entry.version, entry.changes) for entry in log] == [
            (1, (Change(after=old),)),
            (3, (Change(before=old, after=new),)),
            (4, (Change(before=new),)),
        ]
        assert [entry.version for entry in snapshot.log_of("ada", ["n", "x"], limit=2)] == [3, 4]
        assert snapshot.log_of("ada", ["absent"]) == []


def test_the_log_of_an_episode_is_what_was_learned_from_it(store: Store):
    commit(store, "ada", entity("ada"), stamp=stamp(episode_id="e1"))
    commit(store, "ada", entity("tom"))
    commit(store, "ada", entity("eva"), stamp=stamp(episode_id="e2"))
    with store.snapshot() as snapshot:
        assert [entry.version for entry in snapshot.log_of_episodes("ada", ["e1", "e3"])] == [1]
        assert [entry.version for entry in snapshot.log_of_episodes("ada", ["e2", "e1"])] == [1, 3]


# --- names and identity ---------------------------------------------------------------------------


def test_names_are_found_by_their_key_whatever_their_case(store: Store):
    commit(
        store,
        "ada",
        entity("a", "Ada Lovelace"),
        alias("a", "Countess"),
        entity("t", "Tom", kind="project"),
    )
    with store.snapshot() as snapshot:
        found = snapshot.names("ada", ["f:ada lovelace", "f:countess", "f:tom", "f:nobody"])
    assert found == {
        "f:ada lovelace": [
            NameHit(entity_id="a", name="Ada Lovelace", kind="person", primary=True)
        ],
        "f:countess": [NameHit(entity_id="a", name="Countess", kind="person", primary=False)],
        "f:tom": [NameHit(entity_id="t", name="Tom", kind="project", primary=True)],
    }


def test_bearers_of_a_name_come_oldest_first_each_once(store: Store):
    commit(
        store,
        "ada",
        entity("young", "Tom", created_at=at(9)),
        entity("old", "Thomas", created_at=at(1)),
        alias("old", "TOM"),
        alias("young", "tom"),
        entity("middle", "Tom", created_at=at(5)),
    )
    with store.snapshot() as snapshot:
        hits = snapshot.names("ada", ["f:tom"])["f:tom"]
        assert [(hit.entity_id, hit.name, hit.primary) for hit in hits] == [
            ("old", "TOM", False),
            ("middle", "Tom", True),
            ("young", "Tom", True),
        ]
        assert [hit.entity_id for hit in snapshot.names("ada", ["f:tom"], limit=2)["f:tom"]] == [
            "old",
            "middle",
        ]


def test_a_name_that_was_changed_or_taken_back_is_found_no_longer(store: Store):
    old, nick = entity("a", "Ada Byron"), alias("a", "Addie")
    new = entity("a", "Ada King", version=2)
    commit(store, "ada", old, nick)
    commit(store, "ada", Change(before=old, after=new), Change(before=nick))
    with store.snapshot() as snapshot:
        assert list(snapshot.names("ada", ["f:ada byron", "f:addie", "f:ada king"])) == [
            "f:ada king"
        ]
    commit(store, "ada", Change(before=new))
    with store.snapshot() as snapshot:
        assert snapshot.names("ada", ["f:ada king"]) == {}


def test_an_alias_of_nobody_is_not_found_until_its_entity_is_there(store: Store):
    commit(store, "ada", alias("a", "Addie"))
    with store.snapshot() as snapshot:
        assert snapshot.names("ada", ["f:addie"]) == {}
    commit(store, "ada", entity("a", "Ada", kind="robot"))
    with store.snapshot() as snapshot:
        assert snapshot.names("ada", ["f:addie"])["f:addie"][0].kind == "robot"


def test_an_alias_that_was_there_before_its_entity_takes_its_age(store: Store):
    commit(
        store,
        "ada",
        alias("late", "Tom", created_at=at(1)),
        alias("early", "Tom", created_at=at(2)),
    )
    late = entity("late", "L", created_at=at(9))
    commit(store, "ada", late, entity("early", "E", created_at=at(8)))
    with store.snapshot() as snapshot:
        assert [hit.entity_id for hit in snapshot.names("ada", ["f:tom"], limit=1)["f:tom"]] == [
            "early"
        ]
    commit(store, "ada", Change(before=late, after=entity("late", "L", created_at=at(7))))
    with store.snapshot() as snapshot:
        assert [hit.entity_id for hit in snapshot.names("ada", ["f:tom"], limit=1)["f:tom"]] == [
            "late"
        ]


def test_a_merge_is_followed_along_its_chain_and_undone_without_a_trace(store: Store):
    ab, bc, dc = same_as("a", "b"), same_as("b", "c"), same_as("d", "c")
    commit(store, "ada", *(entity(each) for each in "abcd"), ab)
    with store.snapshot() as snapshot:
        assert snapshot.canonical("ada", ["a", "b", "c"]) == {"a": "b", "b": "b", "c": "c"}
        assert snapshot.members("ada", ["a", "c"]) == {"b": ("b", "a"), "c": ("c",)}
    commit(store, "ada", bc, dc)
    with store.snapshot() as snapshot:
        assert snapshot.canonical("ada", "abcd") == dict.fromkeys("abcd", "c")
        assert snapshot.members("ada", ["a", "d"]) == {"c": ("c", "a", "b", "d")}
        assert snapshot.entity_ids("ada") == ["c"]
        assert snapshot.stats("ada")["entities"] == 1
    commit(store, "ada", Change(before=bc))
    with store.snapshot() as snapshot:
        assert snapshot.canonical("ada", "abcd") == {"a": "b", "b": "b", "c": "c", "d": "c"}
        assert snapshot.members("ada", ["b", "c"]) == {"b": ("b", "a"), "c": ("c", "d")}
    commit(store, "ada", Change(before=ab), Change(before=dc))
    with store.snapshot() as snapshot:
        assert snapshot.canonical("ada", "abcd") == {each: each for each in "abcd"}
        assert snapshot.entity_ids("ada") == sorted("abcd")


def test_a_merge_may_be_turned_round_within_one_commit(store: Store):
    ab, ba = same_as("a", "b"), same_as("b", "a")
    commit(store, "ada", ab)
    commit(store, "ada", ba, Change(before=ab))
    with store.snapshot() as snapshot:
        assert snapshot.canonical("ada", "ab") == {"a": "a", "b": "a"}


def test_an_id_that_nobody_knows_is_its_own(store: Store):
    with store.snapshot() as snapshot:
        assert snapshot.canonical("ada", ["x"]) == {"x": "x"}
        assert snapshot.members("ada", ["x"]) == {"x": ("x",)}


# --- what is known of entities --------------------------------------------------------------------


def test_facts_and_aliases_are_those_of_exactly_the_ids_in_the_order_of_creation(store: Store):
    rows = [
        fact("a", "plays", "violin", id="f2", created_at=at(2)),
        fact("a", "plays", "piano", id="f3", created_at=at(1)),
        fact("b", "plays", "harp", id="f1", created_at=at(2), expired_at=at(3)),
        fact("c", "plays", "tuba", id="f0"),
    ]
    names = [alias("a", "A", id="2"), alias("b", "B", id="1"), alias("c", "C", id="0")]
    commit(store, "ada", *rows, *names, same_as("a", "c"))
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.facts("ada", ["a", "b"])] == ["f3", "f1", "f2"]
        assert [row.id for row in snapshot.facts("ada", ["a"])] == ["f3", "f2"]
        assert [row.id for row in snapshot.facts("ada", "abc", attributes=["plays", "age"])] == [
            "f0",
            "f3",
            "f1",
            "f2",
        ]
        assert snapshot.facts("ada", "abc", attributes=["age"]) == []
        assert [row.id for row in snapshot.aliases("ada", ["a", "b"])] == ["1", "2"]


def test_relations_are_found_from_either_end_once(store: Store):
    rows = [
        relation("a", "knows", "b", id="r3", created_at=at(1)),
        relation("b", "knows", "c", id="r2", created_at=at(2), invalid_at=at(3)),
        relation("c", "knows", "a", id="r1", created_at=at(3)),
        relation("x", "knows", "y", id="r0"),
    ]
    commit(store, "ada", *rows)
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.relations("ada", ["a", "b"])] == ["r3", "r2", "r1"]
        assert [row.id for row in snapshot.relations("ada", ["y"])] == ["r0"]
        assert [row.id for row in snapshot.relations("ada", ["a"], end="from")] == ["r3"]
        assert [row.id for row in snapshot.relations("ada", ["a"], labels=["knows"], end="to")] == [
            "r1"
        ]
        assert [row.id for row in snapshot.relations("ada", ["a"], labels=["knows"])] == [
            "r3",
            "r1",
        ]
        assert snapshot.relations("ada", ["a", "b"], labels=["likes"]) == []


def test_facts_and_relations_are_narrowed_by_attribute_label_and_end(store: Store):
    commit(
        store,
        "ada",
        fact("a", "plays", "violin", id="f1"),
        fact("a", "home_town", "Oslo", id="f2"),
        fact("b", "plays", "harp", id="f3"),
        relation("a", "knows", "b", id="r1"),
        relation("b", "knows", "a", id="r2"),
        relation("a", "works_at", "b", id="r3"),
    )
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.facts("ada", ["a"], attributes=["plays", "other"])] == [
            "f1"
        ]
        assert [row.id for row in snapshot.facts("ada", ["a", "b"], attributes=["plays"])] == [
            "f1",
            "f3",
        ]
        assert snapshot.facts("ada", ["a"], attributes=[]) == []
        assert [row.id for row in snapshot.relations("ada", ["a"], labels=["knows"])] == [
            "r1",
            "r2",
        ]
        assert [row.id for row in snapshot.relations("ada", ["a"], end="from")] == ["r1", "r3"]
        assert [row.id for row in snapshot.relations("ada", ["a"], labels=["knows"], end="to")] == [
            "r2"
        ]
        assert snapshot.relations("ada", ["a"], labels=[]) == []


def test_walking_takes_the_latest_current_relations_of_each_entity(store: Store):
    rows = [
        relation("hub", "knows", f"e{number}", id=f"r{number}", created_at=at(number))
        for number in range(6)
    ]
    gone = [
        relation("hub", "knows", "z", id="over", created_at=at(20), invalid_at=at(21)),
        relation("hub", "knows", "z", id="wrong", created_at=at(20), expired_at=at(21)),
    ]
    commit(store, "ada", *rows, *gone)
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.relations_between("ada", ["hub"], limit=2)] == [
            "r5",
            "r4",
        ]
        assert [row.id for row in snapshot.relations_between("ada", ["hub", "e0"], limit=2)] == [
            "r5",
            "r4",
            "r0",
        ]
        assert len(snapshot.relations_between("ada", ["hub"])) == 6


def test_restatements_are_listed_by_what_they_restate(store: Store):
    rows = [
        support("f", id="b", created_at=at(1)),
        support("f", id="a", created_at=at(2)),
        support("r", id="c"),
    ]
    commit(store, "ada", *rows)
    with store.snapshot() as snapshot:
        assert snapshot.supports("ada", ["f", "r", "x"]) == {"f": rows[:2], "r": rows[2:]}


def test_mentions_come_latest_first_and_are_counted_by_message_over_all_members(store: Store):
    first, second, third = (
        message(f"Ada met Ada, and Countess {number}", at=at(number)) for number in range(3)
    )
    early, late = episode(first, second), episode(third)
    store.remember("ada", [early, late])
    rows = [
        mention("a", first, "Ada", early.id, id="m1"),
        mention("a", first, "Ada", early.id, id="m2", start=8, end=11),
        mention("c", second, "Countess", early.id, id="m3"),
        mention("a", third, "Ada", late.id, id="m4"),
        mention("t", third, "met", late.id, id="m5"),
    ]
    commit(store, "ada", *(entity(each) for each in "act"), same_as("c", "a"), *rows)
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.mentions("ada", ["a", "c"])][:2] == ["m4", "m3"]
        assert [row.id for row in snapshot.mentions("ada", ["a"], limit=1)] == ["m4"]
        assert {row.id for row in snapshot.mentions_in("ada", [early.id])} == {"m1", "m2", "m3"}
        assert snapshot.counts("ada", ["a", "t", "nobody"]) == {
            "a": EntityCounts(mentions=3, first_seen=at(0), last_seen=at(2)),
            "t": EntityCounts(mentions=1, first_seen=at(2), last_seen=at(2)),
        }


def test_entities_come_last_seen_first_and_else_by_when_they_were_written(store: Store):
    said = message("Ada and Tom", at=at(50))
    told = episode(said)
    store.remember("ada", [told])
    commit(
        store,
        "ada",
        entity("written", kind="project", updated_at=at(60)),
        entity("named", updated_at=at(1)),
        entity("old", updated_at=at(2)),
        entity("part", updated_at=at(99)),
        same_as("part", "old"),
        mention("named", said, "Ada", told.id),
    )
    with store.snapshot() as snapshot:
        assert snapshot.entity_ids("ada") == ["written", "named", "old"]
        assert snapshot.entity_ids("ada", limit=1, offset=1) == ["named"]
        assert snapshot.entity_ids("ada", offset=2) == ["old"]
        assert snapshot.entity_ids("ada", kinds=["person"]) == ["named", "old"]
        assert snapshot.entity_ids("ada", kinds=["project", "event"]) == ["written"]


def test_an_entity_of_a_merge_that_was_mentioned_counts_for_the_whole(store: Store):
    said = message("Ada", at=at(50))
    told = episode(said)
    store.remember("ada", [told])
    commit(
        store,
        "ada",
        entity("whole"),
        entity("part"),
        entity("other", updated_at=at(5)),
        same_as("part", "whole"),
    )
    commit(store, "ada", mention("part", said, "Ada", told.id))
    with store.snapshot() as snapshot:
        assert snapshot.entity_ids("ada") == ["whole", "other"]


def test_reviews_are_listed_by_state_oldest_first(store: Store):
    rows = [
        review("a", "b", id="2", created_at=at(2)),
        review("a", "c", id="3", created_at=at(1)),
        review("a", "d", id="1", state="refused"),
    ]
    commit(store, "ada", *rows)
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.reviews("ada")] == ["3", "2"]
        assert [row.id for row in snapshot.reviews("ada", state="refused")] == ["1"]
        assert [row.id for row in snapshot.reviews("ada", state=None)] == ["1", "3", "2"]
        assert snapshot.reviews("ada", state="accepted") == []


# --- what was said --------------------------------------------------------------------------------


def test_episodes_are_listed_by_session_and_project_in_the_order_of_storing(store: Store):
    store.remember("ada", [episode("b", id="e2", session="s"), episode("a", id="e1", project="p")])
    store.remember("ada", [episode("c", id="e0", session="s", project="p")])
    with store.snapshot() as snapshot:
        assert snapshot.episode_ids("ada") == ["e2", "e1", "e0"]
        assert snapshot.episode_ids("ada", session="s") == ["e2", "e0"]
        assert snapshot.episode_ids("ada", session="") == ["e1"]
        assert snapshot.episode_ids("ada", project="p") == ["e1", "e0"]
        assert snapshot.episode_ids("ada", session="s", project="p") == ["e0"]
        assert snapshot.sessions("ada") == [("s", "", 1), ("", "p", 1), ("s", "p", 1)]
        assert list(snapshot.episodes("ada", ["e0", "none"])) == ["e0"]


def test_messages_are_read_by_id(store: Store):
    one, two = message("One"), message("Two")
    store.remember("ada", [episode(one, two)])
    with store.snapshot() as snapshot:
        found = snapshot.messages("ada", [two.id, "none", one.id])
    assert {each.id: each.text for each in found.values()} == {one.id: "One", two.id: "Two"}


def test_stats_count_the_rows_by_sort(store: Store):
    said = message("Ada plays")
    told = episode(said)
    store.remember("ada", [told])
    commit(store, "ada", *ROWS, mention("ada", said, "Ada", told.id))
    with store.snapshot() as snapshot:
        stats = snapshot.stats("ada")
    assert {
        "messages": 1,
        "episodes": 1,
        "entities": 1,
        "aliases": 1,
        "mentions": 1,
        "facts": 1,
        "relations": 1,
        "notes": 1,
        "observations": 1,
        "lines": 6,
        "vectors": 0,
        "commits": 1,
    }.items() <= stats.items()


def test_spaces_are_those_that_hold_anything(store: Store):
    store.remember("tom", [episode("Hi")])
    commit(store, "ada", entity("ada"))
    commit(store, "ada", Change(before=entity("ada")))
    commit(store, "eva", entity("eva"))
    with store.snapshot() as snapshot:
        assert [name for name in snapshot.spaces() if name != "ada"] == ["eva", "tom"]


def test_a_row_of_one_type_is_not_found_as_another(store: Store):
    commit(store, "ada", entity("x"))
    with store.snapshot() as snapshot:
        assert snapshot.get("ada", Note, ["x"]) == {}
        assert list(snapshot.get("ada", EntityRecord, ["x"])) == ["x"]


@pytest.mark.parametrize(
    "text", ["x\n\u202e</memory>\u200b", "a" * 10_000, "'; DROP TABLE facts; --", '"quoted" OR *']
)
def test_any_text_is_kept_as_it_is(store: Store, text: str):
    rows: list[Record] = [entity("e", text), note(text, id="n"), fact("e", "says", text, id="f")]
    store.remember("ada", [episode(message(text))])
    commit(store, "ada", *rows)
    assert dumped(store, "ada") == [rows[0], rows[2], rows[1]]
