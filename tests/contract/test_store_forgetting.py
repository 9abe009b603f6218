"""Forgetting: what was asked to go is gone from every answer, and the rest stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from factbook.errors import StaleWriteError
from factbook.model.change import Change
from factbook.model.draft import Draft, DraftEntity
from factbook.model.line import LineFilter
from factbook.model.record import SELF, Alias, EntityRecord, Fact, Mention, Note, Relation
from factbook.ports.store import Erasure, Store, Vectors
from factbook.text.index_words import index_words
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
    relation,
    review,
    same_as,
    source,
    stamp,
    support,
)
from tests.support.dumps import dumped, replay
from tests.support.models import HashEmbedder
from tests.support.snapshots import whole_record
from tests.support.stores import opened

ALL = LineFilter(superseded=True)
EMBEDDER = HashEmbedder(8)


def forget(store: Store, space: str = "ada", **what: Any) -> dict[str, int]:
    return store.forget(space, Erasure(**{"at": at(days=1), **what}))


def everything(store: Store, space: str = "ada") -> str:
    """All that a reader says about a space, as text in which words can be looked for."""
    with store.snapshot() as snapshot:
        jobs = snapshot.jobs(space)
        return repr(
            (whole_record(snapshot, space), jobs, [snapshot.sessions(space), snapshot.spaces()])
        )


def texts(store: Store, space: str = "ada") -> list[str]:
    with store.snapshot() as snapshot:
        episodes = snapshot.episodes(space, snapshot.episode_ids(space))
        return [said.text for each in episodes.values() for said in each.messages]


FIRST = message("Tom Berger plays the violin", id="m1", key="k1", at=at(1))
SECOND = message("I saw TOM BERGER’s sister Eva", id="m2", key="k2", at=at(2))
THIRD = message("Nice weather in Oslo", id="m3", key="k3", at=at(3), speaker="Tom Berger")
FOURTH = message("Tomorrow then", id="m4", key="k4", at=at(4))


@pytest.fixture
def told(store: Store) -> Store:
    """Tom and Eva, in two episodes, with everything that can hang on them."""
    store.remember("ada", [episode(FIRST, SECOND, id="e1"), episode(THIRD, FOURTH, id="e2")])
    from_first = source(message_id="m1", episode_id="e1", quote="Tom Berger plays")
    from_second = source(message_id="m2", episode_id="e1", quote="TOM BERGER’s sister")
    commit(
        store,
        "ada",
        entity("tom", "Tom Berger", description="A violinist", source=from_first),
        entity("tommy", "Tommy"),
        entity("eva", "Eva", description="Sister of Tom Berger", source=from_second),
        alias("tom", "Fiddler", id="al"),
        mention("tom", FIRST, "Tom Berger", "e1", id="me1"),
        mention("tom", SECOND, "TOM BERGER", "e1", id="me2"),
        mention("eva", SECOND, "Eva", "e1", id="me3"),
        fact("tom", "plays", "violin", id="f1", source=from_first),
        fact("eva", "brother", "Tom Berger", id="f2", source=from_second),
        fact("eva", "lives_in", "Oslo", id="f3", source=source(message_id="m3", episode_id="e2")),
        relation("eva", "sister_of", "tom", id="r1", source=from_second),
        support("f1", id="s1", source=from_second),
        support("f3", id="s3", source=source(message_id="m3", episode_id="e2")),
        note("Violin for Tom Berger", "tom", id="n1"),
        note("Dinner with Tom Berger and Eva", "tom", "eva", id="n2"),
        same_as("tommy", "tom", id="sa", evidence=("Tom Berger",)),
        not_same("tom", "eva", id="ns"),
        review("tom", "eva", id="rv"),
        stamp=stamp(reason="Tom Berger asked"),
    )
    return store


TOM: dict[str, Any] = {"entity_ids": ("tom", "tommy"), "mask": ("Tom Berger", "Fiddler", "Tommy")}


def test_an_entity_is_forgotten_with_all_that_was_said_of_it(told: Store):
    counts = forget(told, **TOM)
    with told.snapshot() as snapshot:
        assert [row.id for row in snapshot.every("ada", EntityRecord)] == ["eva"]
        assert [row.id for row in snapshot.every("ada", Fact)] == ["f2", "f3"]
        assert not list(snapshot.every("ada", Relation))
        assert not list(snapshot.every("ada", Alias))
        assert [row.id for row in snapshot.every("ada", Mention)] == ["me3"]
        assert [(row.id, row.entity_ids) for row in snapshot.every("ada", Note)] == [
            ("n2", ("eva",))
        ]
        assert snapshot.names("ada", ["f:tom berger", "f:fiddler", "f:tommy"]) == {}
        assert snapshot.canonical("ada", ["tommy"]) == {"tommy": "tommy"}
        assert snapshot.find_entity_lines("ada", ["tom", "tommy"], ALL, limit=9) == []
        assert snapshot.supports("ada", ["f1"]) == {}
    assert counts["entities"] == 2
    assert (counts["facts"], counts["relations"], counts["notes"], counts["mentions"]) == (
        1,
        1,
        1,
        2,
    )
    assert counts["masked"] == 3


def test_no_answer_holds_a_forgotten_name(told: Store):
    forget(told, **TOM)
    said = everything(told).casefold()
    for word in ("berger", "fiddler", "tommy", "violinist"):
        assert word not in said.replace("'f:tom berger'", "")


def test_names_in_what_others_said_are_masked_and_indexed_again(told: Store):
    forget(told, **TOM)
    assert texts(told) == [
        "[forgotten] plays the violin",
        "I saw [forgotten]’s sister Eva",
        "Nice weather in Oslo",
        "Tomorrow then",
    ]
    with told.snapshot() as snapshot:
        assert snapshot.messages("ada", ["m3"])["m3"].speaker == "[forgotten]"
        assert snapshot.find_words("ada", index_words("Berger"), ALL, limit=9) == []
        assert snapshot.word_stats("ada", index_words("Berger")).frequency == {}
        (hit,) = snapshot.hits(
            "ada",
            snapshot.find_words(
                "ada", index_words("sister"), LineFilter(kinds=("message",)), limit=9
            ),
            [],
        )
        assert (hit.id, hit.entity_ids) == ("m2", ("eva",))
        (left,) = snapshot.mentions("ada", ["eva"])
        said = snapshot.messages("ada", ["m2"])["m2"].text
        assert (said[left.start : left.end], left.text) == ("Eva", "Eva")
        rows = {row.id: row for row in snapshot.every("ada", Fact)}
        assert rows["f2"].value == "[forgotten]"
        assert rows["f2"].source.quote == "[forgotten]’s sister"
        assert (
            snapshot.get("ada", EntityRecord, ["eva"])["eva"].description == "Sister of [forgotten]"
        )
        assert snapshot.get("ada", Note, ["n2"])["n2"].text == "Dinner with [forgotten] and Eva"


def test_what_was_not_touched_stays_as_it_was(told: Store):
    before = dumped(told, "ada")
    forget(told, **TOM)
    left = dumped(told, "ada")
    assert [row for row in before if row.id == "f3" and isinstance(row, Fact)] == [
        row for row in left if row.id == "f3" and isinstance(row, Fact)
    ]
    assert texts(told)[3] == FOURTH.text


def test_the_log_keeps_step_time_and_the_changes_of_the_rest(told: Store):
    with told.snapshot() as snapshot:
        (before,) = snapshot.log("ada")
    forget(told, **TOM, reason="Asked by letter")
    with told.snapshot() as snapshot:
        old, new = snapshot.log("ada")
        assert snapshot.version("ada") == 2
    assert (old.version, old.stamp.at, old.stamp.verb, old.erased) == (
        1,
        before.stamp.at,
        before.stamp.verb,
        True,
    )
    assert old.stamp.reason == "[forgotten] asked"
    assert {change.after.id for change in old.changes if change.after} == {
        "eva",
        "me3",
        "f2",
        "f3",
        "s3",
        "n2",
    }
    assert (new.version, new.stamp.at, new.stamp.verb, new.stamp.reason) == (
        2,
        at(days=1),
        "forget",
        "Asked by letter",
    )
    assert (new.changes, new.erased) == ((), True)


def test_a_note_about_nobody_stays_when_somebody_is_forgotten(told: Store):
    commit(told, "ada", note("Rice is fine", id="n3"))
    forget(told, **TOM)
    with told.snapshot() as snapshot:
        assert [row.id for row in snapshot.every("ada", Note)] == ["n2", "n3"]


def test_a_silenced_message_keeps_what_was_learned_from_it_but_none_of_its_words(told: Store):
    assert forget(told, silenced=("m2",))["masked"] == 1
    assert texts(told)[1] == "[forgotten]"
    with told.snapshot() as snapshot:
        assert [row.id for row in snapshot.mentions_in("ada", ["e1"])] == ["me1"]
        kept = snapshot.get("ada", Fact, ["f1", "f2"])
        assert (kept["f2"].value, kept["f2"].source.quote) == ("Tom Berger", "")
        assert kept["f1"].source.quote == "Tom Berger plays"
        assert snapshot.get("ada", EntityRecord, ["eva"])["eva"].source.quote == ""
        assert snapshot.supports("ada", ["f1"])["f1"][0].source.quote == ""
        assert "sister" not in repr(snapshot.log("ada")).replace("sister_of", "").replace(
            "Sister", ""
        )


def test_a_reason_loses_the_name_also_where_nothing_else_of_its_entry_does(told: Store):
    commit(
        told, "ada", fact("eva", "likes", "tea", id="f9"), stamp=stamp(reason="so says Tom Berger")
    )
    commit(told, "ada", stamp=stamp(reason="nothing"))
    forget(told, mask=("Tom Berger",))
    with told.snapshot() as snapshot:
        entry = snapshot.log("ada", after=1, limit=1)[0]
    assert (entry.stamp.reason, entry.erased, len(entry.changes)) == (
        "so says [forgotten]",
        True,
        1,
    )


def test_an_altered_row_keeps_what_it_was_before_in_the_erased_log(
    told: Store, request: pytest.FixtureRequest
):
    before, after = (
        fact("eva", "likes", "tea", id="f9"),
        fact("eva", "likes", "Tom Berger", id="f9"),
    )
    commit(told, "ada", before)
    told.commit(
        "ada", expected_version=2, changes=[Change(before=before, after=after)], stamp=stamp()
    )
    forget(told, mask=("Tom Berger",))
    with told.snapshot() as snapshot:
        [change] = snapshot.log("ada", after=2, limit=1)[0].changes
    assert change == Change(before=before, after=replace(after, value="[forgotten]"))
    with opened(request.node.callspec.params["store"]) as other:
        replay(told, other, "ada")
        assert dumped(other, "ada") == dumped(told, "ada")


def test_an_erased_log_replays_to_the_erased_record(told: Store, request: pytest.FixtureRequest):
    forget(told, **TOM)
    with opened(request.node.callspec.params["store"]) as other:
        replay(told, other, "ada")
        assert dumped(other, "ada") == dumped(told, "ada")


def test_what_was_planned_before_forgetting_can_not_be_committed_after(told: Store):
    forget(told, **TOM)
    with pytest.raises(StaleWriteError):
        told.commit(
            "ada",
            expected_version=1,
            changes=[Change(after=entity("tom", "Tom Berger"))],
            stamp=stamp(),
        )


@pytest.mark.parametrize("tombstones", [True, False])
def test_reading_the_same_messages_again_brings_nothing_back(told: Store, tombstones: bool):
    forget(told, message_ids=("m1",), tombstones=tombstones)
    again = episode(*(replace(each, id=f"{each.id}x") for each in (FIRST, SECOND, THIRD)))
    done = told.remember("ada", [again])
    assert (done.stored, done.duplicates, done.held_back) == (
        (0, 2, 1) if tombstones else (1, 2, 0)
    )
    assert ("Tom Berger plays the violin" in texts(told)) is not tombstones


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize(("who", "held_back"), [("tom", 1), (SELF, 0)])
def test_a_few_words_that_name_someone_are_known_alone_but_not_those_of_oneself(
    store: Store, who: str, held_back: int, everything: bool
):
    said = message("saw joe, I", id="m1", key="k1")
    store.remember("ada", [episode(said, id="e1")])
    commit(store, "ada", entity(who, "Joe"), mention(who, said, "joe", "e1"))
    store.forget(
        "ada",
        Erasure(everything=True, at=at(9))
        if everything
        else Erasure(message_ids=("m1",), at=at(9)),
    )
    again = store.remember(
        "ada", [episode(replace(said, id="m2", key="k2"), id="e2", session="other")]
    )
    assert again.held_back == held_back


def test_reading_masked_messages_again_brings_no_name_back(told: Store):
    forget(told, **TOM)
    again = episode(*(replace(each, id=f"{each.id}x") for each in (FIRST, SECOND, THIRD, FOURTH)))
    assert told.remember("ada", [again]).stored == 0
    assert "berger" not in everything(told).casefold().replace("'f:tom berger'", "")
    assert told.remember("tom", [episode(replace(FIRST, id="m9"))]).stored == 1


def test_a_message_is_forgotten_with_what_rests_on_it_alone(told: Store):
    counts = forget(told, message_ids=("m1",))
    assert texts(told)[0] == SECOND.text
    with told.snapshot() as snapshot:
        assert snapshot.messages("ada", ["m1"]) == {}
        kept = snapshot.get("ada", Fact, ["f1"])["f1"]
        assert (kept.value, kept.source.message_id, kept.source.quote) == (
            "violin",
            "m2",
            "TOM BERGER’s sister",
        )
        assert snapshot.supports("ada", ["f1"]) == {}
        tom = snapshot.get("ada", EntityRecord, ["tom"])["tom"]
        assert (tom.name, tom.description, tom.source.message_id) == ("Tom Berger", "", "")
        assert [row.id for row in snapshot.mentions("ada", ["tom"])] == ["me2"]
        assert "m1" not in repr(snapshot.log("ada"))
        assert [said.id for said in snapshot.episodes("ada", ["e1"])["e1"].messages] == ["m2"]
    assert (counts["messages"], counts["mentions"]) == (1, 1)


def test_an_entity_goes_with_its_last_trace(store: Store):
    said, other = message("Tom plays", id="m1"), message("Eva plays", id="m2")
    store.remember("ada", [episode(said, id="e1"), episode(other, id="e2")])
    rest = source(message_id="m1", episode_id="e1", quote="Tom plays")
    commit(
        store,
        "ada",
        entity("tom", "Tom", source=rest),
        entity("eva", "Eva", source=source(message_id="m2")),
        alias("tom", "Tom", source=rest),
        mention("tom", said, "Tom", "e1"),
        fact("tom", "plays", "well", source=rest),
        relation("tom", "knows", "eva", source=rest),
    )
    counts = forget(store, message_ids=("m1",))
    assert [row.id for row in dumped(store, "ada")] == ["eva"]
    assert "tom" not in everything(store).casefold()
    assert counts["episodes"] == 1
    with store.snapshot() as snapshot:
        assert [job.id for job in snapshot.jobs("ada")] == ["e2"]


def test_an_alias_that_another_message_has_stays(store: Store):
    said, other = message("Tom, the Fiddler", id="m1"), message("The fiddler came", id="m2")
    store.remember("ada", [episode(said, other, id="e1")])
    commit(
        store,
        "ada",
        entity("tom", "Tom"),
        alias("tom", "Fiddler", id="al", source=source(message_id="m1", quote="the Fiddler")),
        mention("tom", other, "fiddler", "e1"),
    )
    forget(store, message_ids=("m1",))
    with store.snapshot() as snapshot:
        (kept,) = snapshot.aliases("ada", ["tom"])
    assert (kept.name, kept.source.quote, kept.source.message_id) == ("Fiddler", "", "")


def test_single_rows_are_forgotten(told: Store):
    counts = forget(told, record_ids=("f1", "r1", "n1"))
    with told.snapshot() as snapshot:
        assert snapshot.get("ada", Fact, ["f1"]) == {}
        assert list(snapshot.every("ada", Relation)) == []
        assert [row.id for row in snapshot.every("ada", Note)] == ["n2"]
        assert snapshot.supports("ada", ["f1"]) == {}
        assert not snapshot.log_of("ada", ["f1", "r1", "n1", "s1"])
        assert len(list(snapshot.every("ada", EntityRecord))) == 3
    assert {sort: counts[sort] for sort in ("facts", "relations", "notes", "supports")} == {
        "facts": 1,
        "relations": 1,
        "notes": 1,
        "supports": 1,
    }


def test_a_space_is_forgotten_whole(told: Store):
    told.remember("eva", [episode(replace(FIRST, id="m9"))])
    forget(told, everything=True, reason="Account closed")
    assert dumped(told, "ada") == []
    said = everything(told).casefold().replace("'f:tom berger'", "")
    assert not any(word in said for word in ("berger", "violin", "oslo", "asked"))
    with told.snapshot() as snapshot:
        assert snapshot.spaces() == ["eva"]
        assert snapshot.jobs("ada") == []
        assert snapshot.episode_ids("ada") == []
        assert snapshot.version("ada") == 2
        assert [(entry.version, entry.changes, entry.erased) for entry in snapshot.log("ada")] == [
            (1, (), True),
            (2, (), True),
        ]
        assert {
            snapshot.stats("ada")[sort] for sort in ("messages", "lines", "vectors", "facts")
        } == {0}
    assert texts(told, "eva") == [FIRST.text]
    again = episode(replace(FIRST, id="m1x"))
    assert told.remember("ada", [again]).stored == 0


def test_a_space_may_be_forgotten_so_that_it_can_be_told_again(told: Store):
    forget(told, everything=True, tombstones=False)
    assert told.remember("ada", [episode(FIRST, id="e9")]).stored == 1
    assert commit(told, "ada", entity("tom")) == 3


def test_another_space_keeps_the_same_name(told: Store):
    told.remember("eva", [episode(replace(FIRST, id="m9"))])
    commit(told, "eva", entity("tom", "Tom Berger"))
    before = everything(told, "eva")
    forget(told, **TOM)
    assert everything(told, "eva") == before


def test_forgetting_what_is_not_there_changes_no_row(told: Store):
    before = dumped(told, "ada")
    assert (
        forget(
            told,
            entity_ids=("nobody",),
            message_ids=("none",),
            record_ids=("none",),
            mask=("Nobody",),
        )
        == {}
    )
    assert dumped(told, "ada") == before


def test_drafts_and_errors_lose_what_was_forgotten(told: Store):
    lease = told.lease(seconds=3600)
    assert lease is not None
    told.keep_draft(
        lease, Draft(episode_id="e1", entities=(DraftEntity(ref="t", name="Tom Berger"),))
    )
    told.fail(lease, "Tom Berger is too long", retry_in=0)
    forget(told, **TOM)
    again = told.lease(seconds=3600)
    assert again is not None
    assert (again.job.id, again.job.draft, again.job.error) == ("e1", None, "")


@pytest.mark.parametrize(
    "what",
    [
        {"message_ids": ("m2",)},
        {"cut": {"m2": ("sister Eva",)}},
        {"silenced": ("m2",)},
        {"mask": ("weather",)},
    ],
)
def test_the_draft_of_an_episode_that_lost_a_part_goes_whatever_it_holds(
    told: Store, what: dict[str, Any]
):
    for _ in range(2):
        lease = told.lease(seconds=3600)
        assert lease is not None
        told.keep_draft(
            lease, Draft(episode_id=lease.job.id, entities=(DraftEntity(ref="x", name="Harbour"),))
        )
        told.fail(lease, "no luck", retry_in=3600)
    forget(told, **what)
    assert told.requeue() == 2
    held = {
        each.job.id: (each.job.draft is not None, each.job.error)
        for each in told.lease_batch(seconds=60, limit=2)
    }
    lost = "e2" if "mask" in what else "e1"
    assert held[lost] == (False, "")
    assert held[{"e1": "e2", "e2": "e1"}[lost]] == (True, "no luck")


def test_a_draft_of_another_episode_goes_if_it_holds_a_forgotten_name(told: Store):
    for _ in range(2):
        lease = told.lease(seconds=3600)
        assert lease is not None
        name = {"e1": "Eva", "e2": "Tomorrow"}[lease.job.id]
        told.keep_draft(
            lease, Draft(episode_id=lease.job.id, entities=(DraftEntity(ref="x", name=name),))
        )
        told.fail(lease, f"{name} again", retry_in=3600 if lease.job.id == "e1" else None)
    forget(told, mask=("Tomorrow",))
    with told.snapshot() as snapshot:
        assert [(job.state, job.error) for job in snapshot.jobs("ada")] == [
            ("waiting", "Eva again"),
            ("failed", ""),
        ]
    assert told.requeue() == 2
    _, lease = told.lease_batch(seconds=3600, limit=2)
    assert (lease.job.id, lease.job.draft) == ("e2", None)


def test_a_worker_at_a_forgotten_episode_loses_its_lease(told: Store):
    lease = told.lease(seconds=3600)
    assert lease is not None
    forget(told, message_ids=("m1",))
    with pytest.raises(StaleWriteError):
        told.keep_draft(lease, Draft(episode_id="e1"))
    with pytest.raises(StaleWriteError):
        commit(told, "ada", lease=lease)
    assert told.lease(seconds=3600) is not None


def test_a_worker_at_another_episode_keeps_its_lease_and_plans_anew(told: Store):
    lease = told.lease(seconds=3600)
    assert lease is not None
    forget(told, message_ids=("m4",))
    with pytest.raises(StaleWriteError):
        told.commit("ada", expected_version=1, changes=[], stamp=stamp(), lease=lease)
    told.commit("ada", expected_version=2, changes=[], stamp=stamp(), lease=lease)


def test_the_vector_of_a_masked_text_goes(told: Store):
    rows = dict(zip(("m1", "m4"), EMBEDDER.embed([FIRST.text, FOURTH.text]), strict=True))
    told.put_vectors("ada", Vectors(model="hash/1", size=8, rows=rows))
    forget(told, **TOM)
    with told.snapshot() as snapshot:
        left = [line_id for _, line_id, _ in snapshot.without_vector("ada", "hash/1", limit=99)]
        assert "m1" in left
        assert "m4" not in left


def test_a_vector_that_was_made_of_a_text_before_it_was_masked_is_not_kept(told: Store):
    rows = dict(zip(("m1", "m4"), EMBEDDER.embed([FIRST.text, FOURTH.text]), strict=True))
    forget(told, **TOM)
    told.put_vectors(
        "ada",
        Vectors(model="hash/1", size=8, rows=rows, texts={"m1": FIRST.text, "m4": FOURTH.text}),
    )
    with told.snapshot() as snapshot:
        left = [line_id for _, line_id, _ in snapshot.without_vector("ada", "hash/1", limit=99)]
        assert "m1" in left
        assert "m4" not in left


def test_what_comes_after_forgetting_is_learned_as_ever(told: Store):
    forget(told, **TOM)
    told.remember("ada", [episode("Tom Berger wrote a letter")])
    commit(told, "ada", entity("tom2", "Tom Berger"))
    assert texts(told)[-1] == "Tom Berger wrote a letter"
    with told.snapshot() as snapshot:
        assert [
            hit.entity_id for hit in snapshot.names("ada", ["f:tom berger"])["f:tom berger"]
        ] == ["tom2"]
    assert told.check() == []
