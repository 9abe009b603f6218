"""Writes by hand: upserts, links, merging, unmerging, reviews, and taking commits back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from factbook.errors import AmbiguousError, InputError
from factbook.learn.gather import gather_names
from factbook.model.change import Change, Commit, Stamp
from factbook.model.entity import Entity
from factbook.model.record import (
    SELF,
    EntityRecord,
    EntityType,
    Fact,
    NotSame,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.model.source import Source
from factbook.resolve.as_one import facts_as_one, relations_as_one, written_apart
from factbook.resolve.by_hand import plan_note
from factbook.resolve.link_groups import Links
from factbook.resolve.undo import find_dependents, invert_commits
from tests.support.builders import alias, at, entity, mention, message, relation, support
from tests.support.builders import fact as fact_row
from tests.unit.resolve.world import KINDS, SPACE, World, fact, person, thing


@pytest.fixture
def world() -> World:
    return World()


def test_putting_a_new_entity_keeps_all_that_is_given(world: World) -> None:
    given = Entity(
        "Priya Raman",
        "Person",
        {"Role": "engineer", "likes": "tea; coffee", "": "?", "age": " "},
        aliases=["Pri", "priya raman", ""],
        description="An engineer.",
        importance=0.8,
        metadata={"badge": "7"},
    )
    planned = world.put(given)
    row = world.entity("Priya Raman")
    assert planned.entity_ids == (row.id,)
    assert (row.kind, row.label, row.description, row.importance) == (
        "person",
        "Person",
        "An engineer.",
        0.8,
    )
    assert (row.metadata, row.source.standing, world.aliases("Priya Raman")) == (
        {"badge": "7"},
        "note",
        ["Pri"],
    )
    assert world.current("Priya Raman", "role") == ["engineer"]
    assert world.current("Priya Raman", "likes") == ["tea", "coffee"]
    assert len(world.rows(Fact)) == 3


def test_putting_it_again_changes_what_is_new_only(world: World) -> None:
    world.put(
        Entity("Priya Raman", "person", {"role": "engineer"}, description="x", importance=0.8)
    )
    assert world.put(Entity("PRIYA RAMAN", "person", {"role": "Engineer"})).changes == ()
    world.put(
        Entity("Priya Raman", "person", {"role": "lead"}, importance=0.4, metadata={"a": "1"})
    )
    row = world.entity("Priya Raman")
    assert (row.description, row.version) == ("x", 2)
    assert row.importance == pytest.approx(0.6)
    assert world.current("Priya Raman", "role") == ["lead"]
    world.put(Entity("Priya Raman", "person", {"role": "engineer"}))
    assert [value for value, *_ in world.times("Priya Raman", "role")] == [
        "engineer",
        "lead",
        "engineer",
    ]


def test_an_upsert_finds_by_alias_by_id_and_within_its_kind(world: World) -> None:
    world.put(Entity("Priya Raman", "person", aliases=["Pri"]))
    world.put(Entity("Pri", "person", {"role": "lead"}))
    world.put(Entity("Pri", "project"))
    key = world.entity("Priya Raman").id
    world.put(Entity("P. R.", "person", id=key))
    assert world.current("Priya Raman", "role") == ["lead"]
    assert [row.kind for row in world.rows(EntityRecord)] == ["person", "project"]


def test_the_kind_stays_as_it_was_first_written_unless_it_was_open(world: World) -> None:
    world.put(Entity("Atlas", "other"))
    world.put(Entity("Atlas", "Moon Base"))
    assert (world.entity("Atlas").kind, world.entity("Atlas").label) == ("moon_base", "Moon Base")
    world.put(Entity("Atlas", ""))
    assert world.entity("Atlas").kind == "moon_base"


def test_a_name_that_two_bear_needs_an_id(world: World) -> None:
    world.commit(
        [Change(after=entity("one", "Sam Stone")), Change(after=entity("two", "Sam Stone"))]
    )
    with pytest.raises(AmbiguousError) as caught:
        world.put(Entity("Sam Stone", "person"))
    assert [each[:9] for each in caught.value.candidates] == ["Sam Stone", "Sam Stone"]
    world.merge("one", "two")
    assert world.put(Entity("Sam Stone", "person", {"role": "cook"})).entity_ids == ("one",)


def test_the_user_can_be_put(world: World) -> None:
    world.put(Entity("self", "person", {"city": "Porto"}))
    assert world.entity("self").id == SELF


def test_a_link_by_hand_holds_and_closes_like_a_said_one(world: World) -> None:
    world.commit(
        [
            Change(after=entity(key, kind=kind))
            for key, kind in (("tom", "person"), ("acme", "organization"))
        ]
    )
    world.commit([Change(after=entity("globex", kind="organization"))])
    world.relate("tom", "works_at", "acme", valid_at=at(days=-100), note="as cook")
    world.relate("tom", "works_at", "globex")
    assert world.links() == [("Tom", "works_at", "Globex")]
    [old] = [row for row in world.rows(Relation) if row.to_id == "acme"]
    assert (old.valid_at, old.note) == (at(days=-100), "as cook")
    with pytest.raises(InputError, match="two different"):
        world.relate("tom", "knows", "tom")


def test_a_note_is_one_new_row() -> None:
    planned = plan_note(
        "Rotate the keys.",
        category="ops",
        importance=0.7,
        persistent=True,
        expires_at=None,
        entity_ids=("tom",),
        metadata={"a": "1"},
        source=Source(standing="note"),
        now=at(0),
        new_id=lambda: "n",
    )
    assert planned.ids == ("n",)
    assert planned.entity_ids == ("tom",)


# --- merging --------------------------------------------------------------------------------------


@pytest.fixture
def carters(world: World) -> World:
    world.commit([Change(after=entity("bill", "Bill Carter", created_at=at(1)))])
    world.commit([Change(after=entity("william", "William Carter", created_at=at(0)))])
    world.commit([Change(after=entity("will", "Will Carter", created_at=at(2)))])
    return world


def merged(world: World) -> dict[str, str]:
    with world.store.snapshot() as snapshot:
        return snapshot.canonical(SPACE, ["bill", "william", "will", SELF])


def test_the_one_named_more_often_or_else_the_older_is_canonical(carters: World) -> None:
    planned = carters.merge("bill", "william", reason="one badge")
    assert planned.entity_ids == ("william",)
    [row] = carters.merges()
    assert (row.id, row.entity_id, row.evidence, row.decider) == (
        "bill",
        "bill",
        ("one badge",),
        "user",
    )
    said = message("Will Carter is here.", id="m1")
    carters.commit([Change(after=mention("will", said, "Will Carter"))])
    carters.merge("bill", "will")
    assert set(merged(carters).values()) == {"will", SELF}


def test_the_user_is_canonical_before_anyone(carters: World) -> None:
    carters.commit([Change(after=entity(SELF, "self", created_at=at(9)))])
    carters.merge("william", SELF)
    assert merged(carters)["william"] == SELF


def test_what_is_one_already_is_not_merged_again(carters: World) -> None:
    carters.merge("bill", "william")
    for left, right in (("bill", "william"), ("bill", "bill")):
        with pytest.raises(InputError, match="one entity already"):
            carters.merge(left, right)


def test_unmerging_takes_the_latest_link_away_and_remembers(carters: World) -> None:
    carters.merge("bill", "william")
    carters.merge("william", "will")
    carters.unmerge("bill", "will", reason="brothers")
    assert merged(carters) == {"bill": "william", "william": "william", "will": "will", SELF: SELF}
    [row] = carters.rows(NotSame)
    assert (row.left_id, row.right_id, row.reason) == ("bill", "will", "brothers")
    with pytest.raises(InputError, match="not the same"):
        carters.merge("will", "william")
    carters.merge("will", "william", force=True)
    assert len(set(merged(carters).values())) == 2
    assert carters.rows(NotSame) == []


def test_only_what_is_merged_can_be_unmerged(carters: World) -> None:
    for left, right in (("bill", "william"), ("bill", "bill")):
        with pytest.raises(InputError, match="not merged"):
            carters.unmerge(left, right)


def asked(world: World) -> Review:
    world.learn("James Hartley", [person("James Hartley")])
    world.learn("J. Hartley", [person("J. Hartley")])
    [review] = world.rows(Review)
    assert isinstance(review, Review)
    return review


def test_accepting_a_review_merges(world: World) -> None:
    planned = world.decide(asked(world), same=True)
    assert {row.state for row in world.rows(Review)} == {"accepted"}
    assert len(world.merges()) == 1
    assert world.rows(Review)[0].id in planned.ids


def test_refusing_a_review_keeps_them_apart_for_ever(world: World) -> None:
    review = asked(world)
    world.decide(review, same=False)
    assert {row.state for row in world.rows(Review)} == {"refused"}
    assert [row.id for row in world.rows(NotSame)] == [review.id]
    world.commit([Change(before=world.rows(Review)[0], after=review)])
    world.decide(review, same=False)
    assert len(world.rows(NotSame)) == 1


def test_merging_by_hand_answers_the_review(world: World) -> None:
    review = asked(world)
    world.merge(review.left_id, review.right_id)
    [decided] = world.rows(Review)
    assert decided.state == "accepted"
    world.decide(replace(decided, state="accepted"), same=True)
    assert len(world.merges()) == 1


# --- merged entities read as one ------------------------------------------------------------------


def test_what_was_said_of_one_ends_what_was_said_of_the_other_when_read() -> None:
    rows = [
        fact_row(
            "bill", "city", "Porto", id="f1", valid_at=at(days=1), source=Source(said_at=at(days=1))
        ),
        fact_row(
            "william",
            "city",
            "Lisbon",
            id="f2",
            valid_at=at(days=5),
            source=Source(said_at=at(days=5)),
        ),
        fact_row("bill", "likes", "tea", id="f3"),
        fact_row("william", "likes", "tea", id="f4"),
        fact_row("bill", "age", "30", id="f5"),
        fact_row("bill", "city", "Faro", id="f6", invalid_at=at(9), expired_at=at(9)),
    ]
    read = {row.id: row for row in facts_as_one(rows, {}, KINDS["person"])}
    assert read["f1"].invalid_at == at(days=5)
    assert {key: row for key, row in read.items() if key != "f1"} == {
        row.id: row for row in rows if row.id != "f1"
    }
    again = support("f1", id="s", source=Source(said_at=at(days=9)))
    times = [
        (row.value, row.valid_at, row.invalid_at)
        for row in facts_as_one(rows[:2], {"f1": [again]}, KINDS["person"])
    ]
    assert times == [
        ("Porto", at(days=1), at(days=5)),
        ("Lisbon", at(days=5), at(days=9)),
        ("Porto", at(days=9), None),
    ]


def test_links_of_merged_entities_are_read_as_one_too() -> None:
    rows = [
        relation("bill", "works_at", "acme", id="r1", source=Source(said_at=at(days=1))),
        relation("william", "works_at", "globex", id="r2", source=Source(said_at=at(days=5))),
        relation("bill", "knows", "tom", id="r3"),
        relation("other", "works_at", "acme", id="r4"),
    ]
    home = {
        "bill": "william",
        "william": "william",
        "acme": "acme",
        "globex": "globex",
        "tom": "tom",
        "other": "other",
    }

    def kind_of(key: str) -> EntityType:
        return KINDS["organization" if key in ("acme", "globex") else "person"]

    apart = written_apart(rows, home, kind_of)
    assert [row.id for row in apart] == ["r1", "r2"]
    read = relations_as_one(Links(rows, {}, kind_of, home=home.__getitem__), apart)
    assert [read[key][0].row.invalid_at for key in ("r1", "r2")] == [at(days=5), None]


# --- undo -----------------------------------------------------------------------------------------


def commit(version: int, *changes: Change) -> Commit:
    return Commit(version=version, stamp=Stamp(at=at(version)), changes=changes)


def made(row: Record) -> Change:
    return Change(after=row)


def test_commits_are_taken_back_latest_first_and_each_row_once() -> None:
    tom = entity("tom")
    older = commit(1, made(tom), made(fact_row("tom", "a", "1", id="f")))
    newer = commit(2, Change(before=tom, after=replace(tom, version=2)))
    assert invert_commits([older, newer]) == [
        Change(before=replace(tom, version=2)),
        Change(before=fact_row("tom", "a", "1", id="f")),
    ]
    assert invert_commits([commit(3, made(tom)), commit(4, Change(before=tom))]) == []


def test_what_touches_or_refers_to_undone_rows_rests_on_them() -> None:
    tom, link = entity("tom"), relation("tom", "knows", "ada", id="r")
    undone = [commit(1, made(tom), made(fact_row("tom", "a", "1", id="f")))]
    rows: list[Record] = [
        alias("tom", "T."),
        relation("ada", "knows", "tom", id="r"),
        support("f"),
        SameAs(id="x", entity_id="ada", canonical_id="tom", created_at=at(0)),
        NotSame(id="x", left_id="ada", right_id="tom", created_at=at(0)),
        mention("tom", message("Tom"), "Tom"),
        replace(tom, name="Thomas"),
    ]
    for row in rows:
        assert find_dependents(undone, [commit(2, made(row))]) == [2]
    assert (
        find_dependents(
            undone, [commit(2, made(entity("ada"))), commit(3, made(fact_row("self", "a", "1")))]
        )
        == []
    )
    chain = [
        commit(2, made(link)),
        commit(3, made(Support(id="s", record_id="r", created_at=at(0)))),
    ]
    assert find_dependents(undone, chain) == [2, 3]


def test_what_was_taken_back_again_holds_nothing_up() -> None:
    tom = entity("tom")
    renamed = replace(tom, name="Thomas")
    later = [
        commit(2, Change(before=tom, after=renamed)),
        commit(3, Change(before=renamed, after=tom)),
    ]
    assert find_dependents([commit(1, made(tom))], later) == []


def test_a_learned_episode_is_undone_to_the_row(world: World) -> None:
    world.learn("Tom, Porto", [person("Tom Berger")], [fact("Tom Berger", "city", "Porto")], day=1)
    before = world.record()
    world.learn(
        "Tom, Lisbon",
        [person("Tom Berger", importance=0.9), thing("Atlas")],
        [fact("Tom Berger", "city", "Lisbon")],
    )
    with world.store.snapshot() as snapshot:
        [latest] = snapshot.log(SPACE, after=snapshot.version(SPACE) - 1)
    world.commit(invert_commits([latest]), verb="undo")
    assert world.record() == before


def test_a_hand_is_told_only_what_it_asks_for(world: World) -> None:
    world.put(Entity("Tom Berger", "person"))
    with world.store.snapshot() as snapshot:
        known = gather_names(snapshot, SPACE, ["Nobody"])
    assert known.entities == {}
