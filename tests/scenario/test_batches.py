"""Several jobs in one turn: one call, each draft kept with its job, commits in order; nothing is
lost in between.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from factbook import Memory
from factbook.errors import ModelUnavailableError, ReplyRejectedError, StoreError
from factbook.learn.call_extractor import drive
from factbook.learn.worker_turn import JOBS_AT_ONCE
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext
from tests.scenario.child import Badges
from tests.support.models import ScriptedExtractor

TEXTS = tuple(f"Ana{number} has badge {number}" for number in range(5))


class Counting(Badges):
    """Counts the episodes of each call. `poison`: what it can't take, by a word of the text.
    `most`: of one call.
    """

    def __init__(self, poison: Exception | None = None, most: int = 0) -> None:
        self.calls: list[int] = []
        self.known: list[int] = []
        self.poison = poison
        self.most = most

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        self.calls.append(len(episodes))
        self.known.append(len(context.known))
        if self.poison is not None and any("Ana3" in each.messages[0].text for each in episodes):
            raise self.poison
        return super().extract(episodes, context)


class Batched(Counting):
    def batches(self, episodes: Sequence[Episode]) -> list[Sequence[Episode]]:
        return [episodes[first : first + self.most] for first in range(0, len(episodes), self.most)]


def opened(extractor: Any, url: str = "ram:", **rest: Any) -> Memory:
    ids = itertools.count()
    given: dict[str, Any] = {
        "embedder": "none",
        "background": False,
        "clock": lambda: datetime(2026, 3, 2, tzinfo=UTC),
        "new_id": lambda: f"id{next(ids):04d}",
    }
    return Memory.open(url, extractor=extractor, **{**given, **rest})


def tell(memory: Memory, texts: Sequence[str] = TEXTS) -> None:
    for text in texts:
        memory.remember(text, session="s")


def test_what_waits_is_extracted_in_one_call_and_committed_one_by_one_in_order() -> None:
    extractor = Counting()
    with opened(extractor) as memory:
        tell(memory)
        learned = memory.wait()
        assert extractor.calls == [5]
        assert [each.facts for each in learned] == [1] * 5
        assert [commit.stamp.episode_id for commit in memory.log()] == [
            job.id for job in memory.jobs()
        ]


def test_a_turn_takes_so_many_at_most_and_of_one_space(capsys: pytest.CaptureFixture[str]) -> None:
    extractor = Counting()
    with opened(extractor) as memory:
        tell(memory, [f"Ana{number} has badge {number}" for number in range(JOBS_AT_ONCE + 2)])
        tell(memory.within("tom"))
        assert memory.work(every_space=True) == JOBS_AT_ONCE + 2 + 5
        assert sorted(extractor.calls) == [2, 5, JOBS_AT_ONCE]


def test_the_next_turn_knows_what_the_last_one_learned() -> None:
    extractor = Batched(most=2)
    with opened(extractor) as memory:
        tell(memory)
        memory.wait()
        assert extractor.calls == [2, 2, 1]
        assert extractor.known == [0, 2, 4]
        assert [job.attempts for job in memory.jobs()] == [1] * 5


@pytest.mark.parametrize(
    "poison", [ReplyRejectedError("too much"), ZeroDivisionError("Ana's secret")]
)
def test_one_that_cannot_be_taken_does_not_take_the_others_down(poison: Exception) -> None:
    extractor = Counting(poison)
    with opened(extractor) as memory:
        tell(memory)
        memory.wait(raises=False)
        assert extractor.calls == [5, 1, 1, 1, 1, 1]
        assert [job.state for job in memory.jobs()] == ["done", "done", "done", "waiting", "done"]
        assert "secret" not in memory.jobs()[3].error


def test_an_extractor_that_gives_too_few_drafts_is_rejected_and_asked_for_each() -> None:
    class Short(Counting):
        def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
            return super().extract(episodes, context)[:1]

    extractor = Short()
    with opened(extractor) as memory:
        tell(memory)
        memory.wait()
        assert extractor.calls == [5, 1, 1, 1, 1, 1]
        assert {job.state for job in memory.jobs()} == {"done"}


@pytest.mark.parametrize("parts", [[[]], []])
def test_an_extractor_that_makes_empty_batches_is_asked_for_one_at_a_time(
    parts: list[list[Episode]],
) -> None:
    class Empty(Counting):
        def batches(self, episodes: Sequence[Episode]) -> list[list[Episode]]:
            return parts

    extractor = Empty()
    with opened(extractor) as memory:
        tell(memory)
        memory.wait()
        assert extractor.calls == [1] * 5
        assert {job.state for job in memory.jobs()} == {"done"}


@pytest.mark.parametrize("cls", [Counting, Batched])
def test_a_text_that_always_brings_the_server_down_holds_up_nobody_for_good(
    cls: type[Counting],
) -> None:
    extractor = cls(poison=ModelUnavailableError("out of memory"), most=5)
    with opened(extractor) as memory:
        tell(memory)
        for _ in range(3):
            memory.work(retry=True)
        assert extractor.calls == [5, 5, 1, 1, 1, 1, 1]
        assert [job.state for job in memory.jobs()] == ["done", "done", "done", "waiting", "done"]


def test_a_reply_that_is_rejected_after_the_model_was_away_is_asked_for_again() -> None:
    extractor = Counting(poison=ModelUnavailableError("no server"))
    with opened(extractor) as memory:
        tell(memory, TEXTS[3:4])
        for _ in range(4):
            memory.work(retry=True)
        extractor.poison = ReplyRejectedError("no JSON")
        memory.work(retry=True)
        assert [(job.state, job.attempts) for job in memory.jobs()] == [("waiting", 5)]
        memory.work(retry=True)
        assert [(job.state, job.attempts) for job in memory.jobs()] == [("failed", 6)]


def test_an_extractor_that_cannot_make_batches_leaves_jobs_that_say_so() -> None:
    class Broken(Counting):
        def batches(self, episodes: Sequence[Episode]) -> list[Sequence[Episode]]:
            raise ZeroDivisionError("Ana's secret")

    with opened(Broken()) as memory:
        tell(memory)
        memory.wait(raises=False)
        assert {(job.state, job.attempts) for job in memory.jobs()} == {("waiting", 1)}
        assert all(
            "ZeroDivisionError" in job.error and "secret" not in job.error for job in memory.jobs()
        )


def test_a_process_that_ends_between_two_commits_leaves_the_kept_drafts_to_the_next(
    tmp_path: Any,
) -> None:
    extractor = Counting()
    path = str(tmp_path / "m.db")
    with opened(extractor, path) as memory:
        store, commits = memory._engine.store, itertools.count()
        commit = store.commit

        def dying(space: str, **given: Any) -> int:
            if given.get("lease") is not None and next(commits) == 2:
                raise KeyboardInterrupt
            return commit(space, **given)

        store.commit = dying  # type: ignore[method-assign]
        release = store.release
        # As if it had been killed, and its leases had run out.
        store.release = lambda lease: store.renew(lease, seconds=-1.0)  # type: ignore[method-assign, assignment]
        tell(memory)
        with pytest.raises(KeyboardInterrupt):
            memory.wait()
        store.commit, store.release = commit, release  # type: ignore[method-assign]
        assert [job.state for job in memory.jobs()] == [
            "done",
            "done",
            "running",
            "running",
            "running",
        ]
        memory.wait()
        assert extractor.calls == [5]
        assert {job.state for job in memory.jobs()} == {"done"}
        assert memory.stats()["facts"] == 5


def test_a_stopped_turn_gives_all_its_jobs_back() -> None:
    class Stopping(Counting):
        def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
            raise KeyboardInterrupt

    with opened(Stopping()) as memory:
        tell(memory)
        with pytest.raises(KeyboardInterrupt):
            memory.wait()
        assert [(job.state, job.attempts) for job in memory.jobs()] == [("waiting", 0)] * 5


def test_a_job_forgotten_in_the_midst_of_a_call_is_left_out() -> None:
    class Forgetting(Counting):
        def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
            memory.forget(session="gone")
            return super().extract(episodes, context)

    with opened(Forgetting()) as memory:
        memory.remember("Ana0 has badge 0", session="kept")
        memory.remember("Ana1 has badge 1", session="gone")
        memory.remember("Ana2 has badge 2", session="kept")
        memory.wait()
        assert {job.state for job in memory.jobs()} == {"done"}
        assert {each.name for each in memory.entities()} == {"Ana0", "Ana2"}


def test_episodes_that_cannot_be_read_from_the_store_wait_for_another_try() -> None:
    with opened(ScriptedExtractor()) as memory:
        tell(memory, TEXTS[:2])
        store = memory._engine.store
        commit = store.commit

        def broken(space: str, **given: Any) -> int:
            raise StoreError("the disk is full")

        store.commit = broken  # type: ignore[method-assign]
        memory.wait(raises=False)
        store.commit = commit  # type: ignore[method-assign]
        assert [(job.state, job.error) for job in memory.jobs()] == [
            ("waiting", "StoreError: the disk is full")
        ] * 2
        assert memory.work(retry=True) == 2
        assert {job.state for job in memory.jobs()} == {"done"}


def test_jobs_whose_episodes_cannot_be_read_wait_for_another_try() -> None:
    with opened(ScriptedExtractor()) as memory:
        tell(memory, TEXTS[:2])
        store = memory._engine.store
        leases = store.lease_batch(seconds=60, limit=2)
        snapshot = store.snapshot
        broken = StoreError("the disk is gone")

        def gone() -> Any:
            store.snapshot = snapshot  # type: ignore[method-assign]
            raise broken

        store.snapshot = gone  # type: ignore[method-assign]
        assert drive(memory._engine.worker._learner.settle(leases)) == 2
        assert [job.error for job in memory.jobs()] == [f"StoreError: {broken}"] * 2


def test_what_the_store_refuses_while_the_text_is_read_is_no_fault_of_the_text() -> None:
    class Broken(Counting):
        def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
            memory._engine.store.keep_drafts = refuse  # type: ignore[method-assign]
            return super().extract(episodes, context)

    def refuse(drafts: Any) -> Any:
        raise StoreError("the disk is full")

    extractor = Broken()
    with opened(extractor) as memory:
        tell(memory)
        memory.wait(raises=False)
        assert extractor.calls == [5]
        assert {job.error for job in memory.jobs()} == {"StoreError: the disk is full"}


def test_an_extractor_that_cannot_be_loaded_fails_all_jobs_with_its_error() -> None:
    with opened("openai:x", model_settings={"base_url": "http://127.0.0.1:9/v1"}) as memory:
        tell(memory)

        def load() -> Any:
            raise ImportError("secret words")

        memory._engine.worker._learner._extractor = load
        memory.wait(raises=False)
        assert len({job.error for job in memory.jobs()}) == 1
        assert "ImportError" in memory.jobs()[0].error
        assert "secret" not in memory.jobs()[0].error


def test_observers_of_entities_hear_of_each_episode_of_a_batch() -> None:
    heard: list[tuple[str, int, int]] = []

    class Ears:
        def on_entity_extraction(
            self, run_id: str, entities_extracted: int, entities_total: int, entities: Any
        ) -> None:
            heard.append((run_id, entities_extracted, entities_total))

    with opened(Counting(), observers=[Ears()]) as memory:
        tell(memory)
        memory.wait()
        assert heard == [(job.id, 1, number) for number, job in enumerate(memory.jobs(), 1)]
