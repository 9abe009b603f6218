"""Jobs and leases. A lease of minus one second has run out at once: no test waits."""

from __future__ import annotations

import pytest

from factbook.errors import StaleWriteError, StoreError
from factbook.model.draft import Draft, DraftEntity, DraftFact, DraftMention, Dropped
from factbook.model.job import Job, Lease
from factbook.ports.store import Store
from tests.support.builders import START, at, commit, entity, episode, put, stamp

OVER = -1.0


def take(store: Store, seconds: float = 3600, **rest) -> Lease:
    lease = store.lease(seconds=seconds, **rest)
    assert lease is not None
    return lease


def job(store: Store, job_id: str, space: str = "ada") -> Job:
    with store.snapshot() as snapshot:
        return next(each for each in snapshot.jobs(space) if each.id == job_id)


def finish(store: Store, lease: Lease) -> None:
    commit(store, lease.job.space, lease=lease)


@pytest.fixture
def two(store: Store) -> Store:
    """A space with the jobs `e1` and `e2`."""
    store.remember("ada", [episode("One", id="e1"), episode("Two", id="e2")])
    return store


def test_without_jobs_there_is_no_lease(store: Store):
    assert store.lease(seconds=60) is None
    assert store.requeue(spaces=["ada"]) == store.requeue() == 0
    assert store.lease(seconds=60, spaces=["ada"]) is None


def test_jobs_of_a_space_run_one_at_a_time_in_order(two: Store):
    first = take(two)
    assert (first.job.id, first.job.state, first.job.attempts, first.job.space) == (
        "e1",
        "running",
        1,
        "ada",
    )
    assert two.lease(seconds=60) is None
    finish(two, first)
    assert job(two, "e1").state == "done"
    second = take(two)
    assert second.job.id == "e2"
    assert second.token != first.token
    finish(two, second)
    assert two.requeue() == 0
    assert two.lease(seconds=60) is None


def test_spaces_do_not_wait_for_each_other(two: Store):
    two.remember("tom", [episode("Three", id="e3")])
    assert [take(two).job.id, take(two).job.id] == ["e1", "e3"]
    assert two.lease(seconds=60) is None


def test_the_oldest_job_of_all_comes_first(store: Store):
    store.remember("tom", [episode("One", id="t1")])
    store.remember("ada", [episode("Two", id="a1")])
    store.remember("tom", [episode("Three", id="t2")])
    assert take(store).job.id == "t1"
    assert take(store).job.id == "a1"


def test_a_worker_takes_jobs_of_its_spaces_only(two: Store):
    two.remember("tom", [episode("Three", id="e3")])
    assert take(two, spaces=["tom", "eva"]).job.id == "e3"
    assert two.lease(seconds=60, spaces=["tom"]) is None
    assert two.lease(seconds=60, spaces=[]) is None


def test_a_commit_closes_its_job_and_keeps_no_draft(two: Store):
    lease = take(two)
    two.keep_draft(lease, Draft(episode_id="e1"))
    two.commit("ada", expected_version=0, changes=put(entity("ada")), stamp=stamp(), lease=lease)
    done = job(two, "e1")
    assert (done.state, done.error, done.attempts) == ("done", "", 1)
    with pytest.raises(StaleWriteError):
        finish(two, lease)


def test_a_lease_that_ran_out_is_taken_over_with_its_draft(two: Store):
    draft = Draft(
        episode_id="e1",
        extractor="scripted/1",
        entities=(
            DraftEntity(
                ref="a",
                name="Ada",
                mentions=(DraftMention(message_id="m", start=0, end=3, text="Ada"),),
            ),
        ),
        facts=(
            DraftFact(
                ref="a",
                attribute="plays",
                value="violin",
                message_id="m",
                quote="violin",
                valid_at=at(1),
            ),
        ),
    )
    lost = take(two)
    two.keep_draft(lost, draft)
    assert two.renew(lost, seconds=OVER)
    found = take(two)
    assert (found.job.id, found.job.attempts, found.job.draft) == ("e1", 2, draft)
    assert two.lease(seconds=60) is None
    assert job(two, "e1").draft is None


def test_nothing_can_be_done_with_a_lost_lease(two: Store):
    lost = take(two, OVER)
    ours = take(two)
    for lease in (lost, Lease(job=ours.job, token="made up")):
        assert not two.renew(lease, seconds=60)
        with pytest.raises(StaleWriteError):
            two.keep_draft(lease, Draft(episode_id="e1"))
        with pytest.raises(StaleWriteError):
            two.commit(
                "ada", expected_version=0, changes=put(entity("ada")), stamp=stamp(), lease=lease
            )
        two.fail(lease, "no luck", retry_in=None)
        two.release(lease)
    assert (job(two, "e1").state, job(two, "e1").error, job(two, "e1").attempts) == (
        "running",
        "",
        2,
    )
    with two.snapshot() as snapshot:
        assert snapshot.version("ada") == 0
    finish(two, ours)


def test_a_lease_that_ran_out_is_lost_even_if_nobody_took_it(two: Store):
    lease = take(two, OVER)
    assert not two.renew(lease, seconds=60)
    with pytest.raises(StaleWriteError):
        finish(two, lease)
    assert take(two).job.id == "e1"


def test_a_renewed_lease_holds_on(two: Store):
    lease = take(two)
    assert two.renew(lease, seconds=7200)
    finish(two, lease)


def test_a_job_that_waits_for_its_next_try_does_not_hold_up_the_others(two: Store):
    lease = take(two)
    two.fail(lease, "the model is away", retry_in=3600)
    waiting = job(two, "e1")
    assert (waiting.state, waiting.error, waiting.attempts) == ("waiting", "the model is away", 1)
    assert waiting.next_at is not None
    assert take(two).job.id == "e2"


def test_a_job_whose_time_has_come_is_tried_again_before_younger_ones(two: Store):
    two.fail(take(two), "away", retry_in=0)
    again = take(two)
    assert (again.job.id, again.job.attempts) == ("e1", 2)
    finish(two, again)
    assert job(two, "e1").error == ""


def test_a_failed_job_stays_failed_until_it_is_asked_for(two: Store):
    two.fail(take(two), "no luck", retry_in=None)
    assert (job(two, "e1").state, job(two, "e1").error, job(two, "e1").next_at) == (
        "failed",
        "no luck",
        None,
    )
    second = take(two)
    assert second.job.id == "e2"
    finish(two, second)
    assert two.lease(seconds=60) is None
    assert two.requeue(spaces=["bob"]) == 0
    assert two.requeue(spaces=["ada"]) == 1
    assert (job(two, "e1").state, job(two, "e1").error) == ("waiting", "no luck")
    again = take(two)
    assert (again.job.id, again.job.attempts) == ("e1", 2)
    with two.snapshot() as snapshot:
        assert snapshot.job_counts("ada") == {"running": 1, "done": 1}


def test_a_job_that_waits_for_its_next_try_may_be_asked_for(two: Store):
    two.fail(take(two), "away", retry_in=3600)
    assert take(two).job.id == "e2"
    assert two.requeue(spaces=["ada"]) == 1
    assert (job(two, "e1").state, job(two, "e1").error, job(two, "e1").next_at) == (
        "waiting",
        "away",
        None,
    )


def test_a_draft_outlives_a_failure(two: Store):
    lease = take(two)
    two.keep_draft(lease, Draft(episode_id="e1", extractor="x"))
    two.fail(lease, "stale", retry_in=0)
    assert take(two).job.draft == Draft(episode_id="e1", extractor="x")


def test_a_job_given_back_is_as_it_was(two: Store):
    before = job(two, "e1")
    two.release(take(two))
    assert job(two, "e1") == before
    assert take(two).job.attempts == 1


def test_a_stale_commit_keeps_the_lease_and_the_job(two: Store):
    lease = take(two)
    commit(two, "ada", entity("ada"))
    with pytest.raises(StaleWriteError):
        two.commit(
            "ada", expected_version=0, changes=put(entity("tom")), stamp=stamp(), lease=lease
        )
    assert job(two, "e1").state == "running"
    two.commit("ada", expected_version=1, changes=put(entity("tom")), stamp=stamp(), lease=lease)
    assert job(two, "e1").state == "done"


def test_a_lease_of_another_space_is_no_right_to_write_here(two: Store):
    lease = take(two)
    with pytest.raises(StoreError):
        commit(two, "tom", entity("tom"), lease=lease)
    assert job(two, "e1").state == "running"


def test_jobs_are_listed_by_space_and_state_oldest_first(two: Store):
    two.remember("tom", [episode("Three", id="e3", created_at=at(1))])
    two.fail(take(two), "no luck", retry_in=None)
    with two.snapshot() as snapshot:
        assert [each.id for each in snapshot.jobs(None)] == ["e1", "e2", "e3"]
        assert [each.id for each in snapshot.jobs("ada")] == ["e1", "e2"]
        assert [each.id for each in snapshot.jobs(None, states=["waiting", "running"])] == [
            "e2",
            "e3",
        ]
        assert [each.id for each in snapshot.jobs(None, states=["failed"])] == ["e1"]
        assert [each.id for each in snapshot.jobs(None, limit=1)] == ["e1"]
        assert [(each.space, each.created_at) for each in snapshot.jobs("tom")] == [("tom", at(1))]
        assert snapshot.job_counts(None) == {"failed": 1, "waiting": 2}
        assert snapshot.jobs("nobody") == []
        assert snapshot.jobs("ada")[0].created_at == START


# --- several at once ------------------------------------------------------------------------------


def take_batch(store: Store, limit: int, seconds: float = 3600, **rest) -> list[Lease]:
    return store.lease_batch(seconds=seconds, limit=limit, **rest)


def test_a_batch_is_the_next_job_and_those_of_its_space_that_follow_it(two: Store):
    two.remember("tom", [episode("Three", id="e3")])
    two.remember("ada", [episode("Four", id="e4"), episode("Five", id="e5")])
    leases = take_batch(two, 3)
    assert [(each.job.id, each.job.attempts, each.job.state) for each in leases] == [
        ("e1", 1, "running"),
        ("e2", 1, "running"),
        ("e4", 1, "running"),
    ]
    assert len({each.token for each in leases}) == 3
    assert [each.job.id for each in take_batch(two, 8)] == ["e3"]
    assert take_batch(two, 8) == []
    for lease in leases:
        finish(two, lease)
    assert [each.job.id for each in take_batch(two, 8, spaces=["ada"])] == ["e5"]


def test_no_other_job_of_the_space_runs_while_one_of_a_batch_is_leased(two: Store):
    two.remember("ada", [episode("Three", id="e3")])
    first, second = take_batch(two, 2)
    finish(two, first)
    assert two.lease(seconds=60) is None
    two.release(second)
    assert [each.job.id for each in take_batch(two, 2)] == ["e2", "e3"]


def test_a_batch_leaves_out_what_waits_for_its_next_try_or_failed(two: Store):
    two.remember("ada", [episode("Three", id="e3"), episode("Four", id="e4")])
    first, second, third = take_batch(two, 3)
    two.fail(first, "away", retry_in=3600)
    two.fail(second, "no luck", retry_in=None)
    two.fail(third, "away", retry_in=0)
    assert [each.job.id for each in take_batch(two, 4)] == ["e3", "e4"]


def test_a_batch_takes_over_leases_that_ran_out_with_their_drafts(two: Store):
    lost = take_batch(two, 2)
    two.keep_drafts([(each, Draft(episode_id=each.job.id, extractor="x")) for each in lost])
    for each in lost:
        assert two.renew(each, seconds=OVER)
    found = take_batch(two, 2)
    assert [(each.job.id, each.job.attempts) for each in found] == [("e1", 2), ("e2", 2)]
    assert [each.job.draft.extractor for each in found if each.job.draft] == ["x", "x"]


def test_of_several_drafts_those_are_kept_whose_lease_holds(two: Store):
    first, second = take_batch(two, 2)
    two.renew(first, seconds=OVER)
    assert two.keep_drafts([(each, Draft(episode_id=each.job.id)) for each in (first, second)]) == [
        second
    ]
    two.release(second)
    assert [each.job.draft is None for each in take_batch(two, 2)] == [True, False]


def test_what_was_dropped_of_drafts_is_counted_by_reason_and_outlives_them(two: Store):
    first, second = take_batch(two, 2)
    dropped = [
        Dropped(reason="ungrounded", what="Zanzibar"),
        Dropped(reason="ungrounded", what="Oslo"),
    ]
    two.keep_draft(
        first, Draft(episode_id="e1", dropped=(*dropped, Dropped(reason="Not a: word", what="x")))
    )
    two.keep_drafts(
        [(second, Draft(episode_id="e2", dropped=(Dropped(reason="stop_name", what="it"),)))]
    )
    finish(two, first)
    assert job(two, "e1").dropped == {"ungrounded": 2, "other": 1}
    with two.snapshot() as snapshot:
        assert snapshot.dropped("ada") == {"ungrounded": 2, "other": 1, "stop_name": 1}
        assert snapshot.dropped("tom") == {}
