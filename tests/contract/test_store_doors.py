"""The two doors for writing: what was said, and what is known."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from factbook.errors import StaleWriteError, StoreBusyError, StoreError
from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.model.record import Record
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Store, Vectors
from tests.support.builders import (
    START,
    alias,
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    message,
    note,
    put,
    relation,
    same_as,
    stamp,
)
from tests.support.dumps import dump, dumped
from tests.support.models import HashEmbedder

EMBEDDER = HashEmbedder(8)


def messages_of(store: Store, space: str) -> list[str]:
    """Texts of all messages, in the order of storing."""
    with store.snapshot() as snapshot:
        episodes = snapshot.episodes(space, snapshot.episode_ids(space))
        return [said.text for each in episodes.values() for said in each.messages]


# --- remember -------------------------------------------------------------------------------------


def test_what_was_said_comes_back_word_for_word(store: Store):
    said = message(
        "Ich wohne in Zürich 🏡\n\tund du?",
        role="assistant",
        speaker="Łukasz",
        at=at(3),
        host_id="msg_1",
    )
    told = episode(said, session="monday", project="atlas", created_at=at(4))
    done = store.remember("ada", [told])
    assert (done.episode_ids, done.stored, done.duplicates) == ((told.id,), 1, 0)
    with store.snapshot() as snapshot:
        (kept,) = snapshot.episodes("ada", [told.id]).values()
    assert (kept.session, kept.project, kept.created_at) == ("monday", "atlas", at(4))
    (stored,) = kept.messages
    assert (stored.text, stored.role, stored.speaker, stored.at) == (
        said.text,
        "assistant",
        "Łukasz",
        at(3),
    )
    assert (stored.id, stored.key, stored.host_id) == (said.id, said.key, "msg_1")
    assert (stored.episode_id, stored.session, stored.project, stored.position) == (
        told.id,
        "monday",
        "atlas",
        0,
    )


def test_the_same_messages_are_stored_once(store: Store):
    said = [message("Hello", key="a"), message("Good morning", key="b")]
    store.remember("ada", [episode(*said)])
    again = store.remember(
        "ada", [episode(*(replace(each, id=f"{each.id}-again") for each in said))]
    )
    assert (again.episode_ids, again.stored, again.duplicates) == ((), 0, 2)
    assert messages_of(store, "ada") == ["Hello", "Good morning"]
    with store.snapshot() as snapshot:
        assert len(snapshot.jobs("ada")) == 1


def test_one_key_twice_in_a_call_is_stored_once(store: Store):
    done = store.remember(
        "ada", [episode(message("One", key="a"), message("Two", key="a")), episode("Three")]
    )
    assert (done.stored, done.duplicates) == (2, 1)


def test_only_the_new_messages_of_a_longer_transcript_are_stored(store: Store):
    store.remember("ada", [episode(message("One", key="1"))])
    longer = episode(message("One", key="1", id="x1"), message("Two", key="2", id="x2"))
    done = store.remember("ada", [longer])
    assert (done.episode_ids, done.stored, done.duplicates) == ((longer.id,), 1, 1)
    with store.snapshot() as snapshot:
        (kept,) = snapshot.episodes("ada", [longer.id]).values()
    assert [(each.text, each.position) for each in kept.messages] == [("Two", 1)]


def test_a_key_is_unique_within_its_session_only(store: Store):
    for session in ("", "monday", "tuesday"):
        assert store.remember("ada", [episode(message("Hi", key="1"), session=session)]).stored == 1
    assert store.remember("tom", [episode(message("Hi", key="1"))]).stored == 1


def test_positions_count_on_across_calls_in_each_session(store: Store):
    store.remember("ada", [episode("a", "b", session="monday"), episode("c", session="tuesday")])
    store.remember("ada", [episode("d", session="monday"), episode("e", "f", session="tuesday")])
    with store.snapshot() as snapshot:
        positions = {
            said.text: said.position
            for each in snapshot.episodes("ada", snapshot.episode_ids("ada")).values()
            for said in each.messages
        }
        assert snapshot.sessions("ada") == [("monday", "", 3), ("tuesday", "", 3)]
    assert positions == {"a": 0, "b": 1, "d": 2, "c": 0, "e": 1, "f": 2}


def test_each_episode_has_a_job_in_order_unless_none_is_wanted(store: Store):
    first, second, silent = episode("One"), episode("Two"), episode("Three")
    store.remember("ada", [first, second])
    store.remember("ada", [silent], jobs=False)
    with store.snapshot() as snapshot:
        jobs = snapshot.jobs("ada")
        assert [job.id for job in jobs] == [first.id, second.id]
        assert {(job.space, job.state, job.attempts, job.error, job.next_at) for job in jobs} == {
            ("ada", "waiting", 0, "", None)
        }
        assert snapshot.job_counts("ada") == {"waiting": 2}
        assert snapshot.episode_ids("ada") == [first.id, second.id, silent.id]


def test_remembering_nothing_leaves_nothing(store: Store):
    assert store.remember("ada", []).stored == 0
    assert store.remember("ada", [episode()]).episode_ids == ()
    with store.snapshot() as snapshot:
        assert snapshot.episode_ids("ada") == []
        assert snapshot.spaces() == []


def test_an_episode_that_cant_be_stored_takes_the_whole_call_with_it(store: Store):
    store.remember("ada", [episode(message("One", id="m1", key="k1"))])
    clash = episode(message("Another", id="m1", key="k2"))
    with pytest.raises(StoreError):
        store.remember("ada", [episode("Fine so far"), clash])
    assert messages_of(store, "ada") == ["One"]
    with store.snapshot() as snapshot:
        assert len(snapshot.jobs("ada")) == 1
        assert snapshot.stats("ada")["lines"] == 1


def test_an_episodes_id_is_used_once(store: Store):
    store.remember("ada", [episode("One", id="e1")])
    with pytest.raises(StoreError):
        store.remember("ada", [episode("Two", id="e1")])
    assert messages_of(store, "ada") == ["One"]


# --- commit ---------------------------------------------------------------------------------------


def test_a_commit_puts_rows_in_and_counts_the_versions(store: Store):
    ada = entity("ada")
    assert store.commit("ada", expected_version=0, changes=put(ada), stamp=stamp()) == 1
    assert store.commit("ada", expected_version=1, changes=put(entity("tom")), stamp=stamp()) == 2
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 2
        assert snapshot.version("tom") == 0
        assert dump(snapshot, "ada") == [ada, entity("tom")]


def test_a_row_is_altered_and_taken_out(store: Store):
    old, new = fact("ada", "employer", "Acme", id="f"), fact("ada", "employer", "Globex", id="f")
    commit(store, "ada", old)
    commit(store, "ada", Change(before=old, after=new))
    assert dumped(store, "ada") == [new]
    commit(store, "ada", Change(before=new))
    assert dumped(store, "ada") == []


def test_one_commit_may_change_a_row_several_times(store: Store):
    one, two = note("One", id="n"), note("Two", id="n")
    commit(store, "ada", one, Change(before=one, after=two), Change(before=two), one)
    assert dumped(store, "ada") == [one]


def test_rows_of_different_types_may_share_an_id(store: Store):
    rows: list[Record] = [entity("x"), fact("x", "plays", "violin", id="x"), note("Hello", id="x")]
    commit(store, "ada", *rows)
    assert dumped(store, "ada") == rows


def test_a_stale_version_is_refused(store: Store):
    commit(store, "ada", entity("ada"))
    for stale in (0, 2):
        with pytest.raises(StaleWriteError):
            store.commit("ada", expected_version=stale, changes=put(entity("tom")), stamp=stamp())
    with pytest.raises(StaleWriteError):
        store.commit("ada", expected_version=0, changes=[], stamp=stamp())
    assert len(dumped(store, "ada")) == 1


ADA = entity("ada")


@pytest.mark.parametrize(
    "wrong",
    [
        Change(after=ADA),
        Change(before=entity("ada", description="Other"), after=ADA),
        Change(before=entity("tom")),
        Change(before=replace(ADA, id="new"), after=replace(ADA, id="new", name="New")),
    ],
    ids=["is there already", "differs", "is not there", "was never there"],
)
def test_a_before_that_is_not_what_is_there_is_refused(store: Store, wrong: Change):
    commit(store, "ada", ADA)
    with pytest.raises(StaleWriteError):
        commit(store, "ada", wrong)
    assert dumped(store, "ada") == [ADA]


@pytest.mark.parametrize(
    "broken",
    [
        Change(),
        Change(before=ADA, after=entity("tom")),
        Change(before=ADA, after=note("Hi", id="ada")),
    ],
    ids=["no image", "two ids", "two types"],
)
def test_a_change_that_is_not_of_one_row_is_refused(store: Store, broken: Change):
    commit(store, "ada", ADA)
    with pytest.raises(StoreError):
        commit(store, "ada", broken)
    assert dumped(store, "ada") == [ADA]


def answers(snapshot: Snapshot) -> list[object]:
    """What indexes say, to see that a failed commit left nothing in them."""
    numbers = snapshot.find_words(
        "ada", ["violin", "ada", "person", "tom"], LineFilter(superseded=True), limit=99
    )
    return [
        dump(snapshot, "ada"),
        snapshot.version("ada"),
        snapshot.log("ada"),
        snapshot.names("ada", ["f:ada", "f:tom"]),
        snapshot.canonical("ada", ["ada", "tom"]),
        numbers,
        snapshot.hits("ada", numbers, ["violin"]),
        snapshot.word_stats("ada", ["violin", "tom"]),
        snapshot.jobs("ada"),
    ]


def test_a_commit_that_fails_in_the_middle_leaves_nothing(store: Store):
    said = message("Tom plays the violin")
    told = episode(said)
    store.remember("ada", [told])
    commit(store, "ada", ADA)
    with store.snapshot() as snapshot:
        before = answers(snapshot)
    rows: list[Record] = [
        entity("tom"),
        alias("ada", "Countess"),
        fact("tom", "plays", "violin"),
        mention("tom", said, "Tom", told.id),
        relation("ada", "knows", "tom"),
        same_as("tom", "ada"),
    ]
    with pytest.raises(StaleWriteError):
        commit(store, "ada", *rows, Change(after=ADA))
    with store.snapshot() as snapshot:
        assert answers(snapshot) == before
    assert store.check() == []


def test_a_commit_without_changes_writes_no_log_entry(store: Store):
    commit(store, "ada", ADA)
    assert commit(store, "ada") == 1
    with store.snapshot() as snapshot:
        assert len(snapshot.log("ada")) == 1


def test_an_entry_of_an_imported_log_may_be_one_that_was_erased(store: Store):
    said = stamp(verb="forget", reason="asked by letter")
    assert store.commit("ada", expected_version=0, changes=[], stamp=said, erased=True) == 1
    assert (
        store.commit("ada", expected_version=1, changes=put(ADA), stamp=stamp(), erased=True) == 2
    )
    with store.snapshot() as snapshot:
        assert [(entry.version, entry.changes, entry.erased) for entry in snapshot.log("ada")] == [
            (1, (), True),
            (2, (Change(after=ADA),), True),
        ]
        assert dump(snapshot, "ada") == [ADA]


def test_a_commit_without_changes_keeps_its_vectors(store: Store):
    said = message("Ada plays the violin")
    store.remember("ada", [episode(said)])
    vectors = Vectors(model="hash/1", size=8, rows={said.id: EMBEDDER.embed([said.text])[0]})
    assert commit(store, "ada", vectors=vectors) == 0
    with store.snapshot() as snapshot:
        assert snapshot.without_vector("ada", "hash/1", limit=9) == []
        assert snapshot.log("ada") == []


def test_the_log_keeps_who_when_and_why(store: Store):
    said = stamp(
        at=at(5), actor="user", verb="merge", reason="Ada said so", episode_id="e1", undoes=(4,)
    )
    commit(store, "ada", ADA, stamp=said)
    with store.snapshot() as snapshot:
        (entry,) = snapshot.log("ada")
    assert (entry.version, entry.stamp, entry.changes, entry.erased) == (
        1,
        said,
        (Change(after=ADA),),
        False,
    )


def test_many_writers_lose_nothing(store: Store):
    def write(name: str) -> None:
        for number in range(15):
            store.remember(
                "ada", [episode(message("Hi", id=f"{name}{number}", key=f"{name}{number}"))]
            )
            while True:
                try:
                    commit(store, "ada", note("Hi", id=f"{name}{number}"))
                    break
                except (StaleWriteError, StoreBusyError):
                    continue

    threads = [threading.Thread(target=write, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == len(snapshot.log("ada")) == 45
        assert snapshot.stats("ada")["notes"] == 45
        assert snapshot.sessions("ada") == [("", "", 45)]
        positions = [
            said.position
            for each in snapshot.episodes("ada", snapshot.episode_ids("ada")).values()
            for said in each.messages
        ]
    assert sorted(positions) == list(range(45))


def test_a_view_is_of_one_moment(store: Store):
    commit(store, "ada", ADA)
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 1
        writer = threading.Thread(target=lambda: commit(store, "ada", entity("tom")))
        writer.start()
        writer.join()
        assert snapshot.version("ada") == 1
        assert dump(snapshot, "ada") == [ADA]
    with store.snapshot() as snapshot:
        assert snapshot.version("ada") == 2


def test_times_come_back_to_the_microsecond(store: Store):
    moment = START.replace(microsecond=123456)
    row = fact("ada", "born", "1815", valid_at=moment.replace(year=1815), created_at=moment)
    commit(store, "ada", row)
    assert dumped(store, "ada") == [row]


def test_a_store_says_how_to_open_it_and_finds_no_damage_in_itself(store: Store):
    commit(store, "ada", ADA)
    assert store.url
    assert store.check() == []
    store.close()


# --- together -------------------------------------------------------------------------------------


def test_what_is_written_together_is_seen_together(store: Store):
    with store.together():
        store.remember("ada", [episode("Hello")])
        commit(store, "tom", entity("tom"))
        assert messages_of(store, "ada") == []
        with store.snapshot() as snapshot:
            assert (snapshot.spaces(), snapshot.version("tom")) == ([], 0)
    assert messages_of(store, "ada") == ["Hello"]
    with store.snapshot() as snapshot:
        assert snapshot.version("tom") == 1
    assert store.check() == []


def test_an_error_takes_back_all_that_was_written_together(store: Store):
    store.remember("ada", [episode("Before")])

    def write() -> None:
        with store.together():
            store.remember("ada", [episode("Hello")])
            store.commit("tom", expected_version=0, changes=put(entity("tom")), stamp=stamp())
            store.commit("tom", expected_version=5, changes=put(entity("ada")), stamp=stamp())

    with pytest.raises(StaleWriteError):
        write()
    assert messages_of(store, "ada") == ["Before"]
    with store.snapshot() as snapshot:
        assert (snapshot.spaces(), snapshot.version("tom")) == (["ada"], 0)
    store.remember("ada", [episode("After")])
    assert messages_of(store, "ada") == ["Before", "After"]
    assert store.check() == []


def test_an_error_that_is_caught_takes_back_its_own_part_alone(store: Store):
    with store.together():
        store.remember("ada", [episode("Hello")])
        with pytest.raises(StoreError):
            store.commit(
                "ada",
                expected_version=0,
                changes=put(entity("ada"), entity("ada", "Again")),
                stamp=stamp(),
            )
        store.commit("ada", expected_version=0, changes=put(entity("tom")), stamp=stamp())
    with store.snapshot() as snapshot:
        assert (snapshot.version("ada"), snapshot.entity_ids("ada")) == (1, ["tom"])
    assert store.check() == []


def test_other_threads_wait_for_what_is_written_together(store: Store):
    other = threading.Thread(target=lambda: store.remember("ada", [episode("Second")]))
    with store.together():
        other.start()
        store.remember("ada", [episode("First")])
    other.join()
    assert messages_of(store, "ada") == ["First", "Second"]
