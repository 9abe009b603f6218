"""Learning in the background: what fails is seen, what is defect does not end the worker."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from factbook import Entity, InputError, Memory
from factbook.errors import ModelUnavailableError, ReplyRejectedError, StaleWriteError, StoreError
from factbook.learn.call_extractor import drive
from factbook.learn.engine import Engine
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext
from tests.support.models import HashEmbedder, Script, ScriptedExtractor, draft_entity, draft_fact

TEXT = "Ana has badge 17"
SCRIPT = {TEXT: Script(entities=[draft_entity("Ana")], facts=[draft_fact("Ana", "badge", "17")])}


def opened(**given: Any) -> Memory:
    ids = itertools.count()
    default: dict[str, Any] = {
        "extractor": ScriptedExtractor(script=SCRIPT),
        "embedder": "none",
        "background": False,
        "clock": lambda: datetime(2026, 3, 2, tzinfo=UTC),
        "new_id": lambda: f"id{next(ids):04d}",
    }
    return Memory.open("ram:", **{**default, **given})


def engine(memory: Memory) -> Engine:
    return memory._engine


def test_a_draft_with_a_value_that_cannot_be_stored_fails_for_good_and_visibly() -> None:
    script = {TEXT: Script(entities=[draft_entity("Ana", metadata={"a": 5})])}
    with opened(extractor=ScriptedExtractor(script=script)) as memory:
        memory.remember(TEXT)
        assert [bool(each.error) for each in memory.wait(raises=False)] == [True]
        (job,) = memory.jobs()
        assert (job.state, job.error.partition(":")[0]) == ("failed", ReplyRejectedError.__name__)


def test_a_commit_that_others_were_faster_than_is_planned_again_and_not_extracted_again() -> None:
    extractor = ScriptedExtractor(script=SCRIPT)
    with opened(extractor=extractor) as memory:
        store, others = engine(memory).store, iter(range(3))
        commit = store.commit

        def late(space: str, **given: Any) -> int:
            if given.get("lease") is not None and next(others, None) is not None:
                memory.note("another was faster")
            return commit(space, **given)

        store.commit = late  # type: ignore[method-assign]
        memory.remember(TEXT)
        assert [each.facts for each in memory.wait()] == [1]
        assert len(extractor.seen) == 1
        assert memory.stats()["notes"] == 3


def test_a_space_that_others_write_all_the_time_gives_the_job_back() -> None:
    with opened() as memory:
        store = engine(memory).store
        commit = store.commit

        def late(space: str, **given: Any) -> int:
            if given.get("lease") is not None:
                memory.note("another was faster")
            return commit(space, **given)

        store.commit = late  # type: ignore[method-assign]
        memory.remember(TEXT)
        assert [bool(each.error) for each in memory.wait(raises=False)] == [True]
        (job,) = memory.jobs()
        assert (job.state, "times in a row" in job.error) == ("waiting", True)


def test_a_lost_lease_is_not_planned_again() -> None:
    with opened() as memory:
        store = engine(memory).store
        commit = store.commit

        def lost(space: str, **given: Any) -> int:
            if given.get("lease") is not None:
                raise StaleWriteError("the lease was lost")
            return commit(space, **given)

        store.commit = lost  # type: ignore[method-assign]
        memory.remember(TEXT)
        assert [bool(each.error) for each in memory.wait(raises=False)] == [True]
        assert [job.state for job in memory.jobs()] == ["waiting"]


def test_writing_by_hand_gives_up_where_others_write_all_the_time() -> None:
    with opened() as memory:
        put = memory.put(Entity("Ana", "person"))

        def stale(space: str, **given: Any) -> int:
            raise StaleWriteError("the record changed")

        engine(memory).store.commit = stale  # type: ignore[method-assign]
        with pytest.raises(StaleWriteError, match="try again"):
            memory.note("x")
        with pytest.raises(StaleWriteError, match="try again"):
            memory.undo(put)


def test_a_job_whose_episode_was_forgotten_meanwhile_ends() -> None:
    class Forgetful(ScriptedExtractor):
        pass

    with opened(extractor=Forgetful(script=SCRIPT)) as memory:
        memory.remember(TEXT)
        store = engine(memory).store
        lease = store.lease(seconds=60)
        assert lease is not None
        memory.forget(everything=True)
        assert drive(engine(memory).worker._learner.settle([lease])) == 1
        assert memory.stats()["entities"] == 0


def test_the_background_worker_goes_on_after_a_defect(caplog: pytest.LogCaptureFixture) -> None:
    met = threading.Event()
    with opened(background=True) as memory:
        store = engine(memory).store
        lease = store.lease_batch

        def broken(**given: Any) -> Any:
            store.lease_batch = lease  # type: ignore[method-assign]
            met.set()
            raise RuntimeError("secret words")

        store.lease_batch = broken  # type: ignore[method-assign]
        memory.remember(TEXT)
        assert met.wait(10)
        assert [each.facts for each in memory.wait()] == [1]
    assert "the worker failed: RuntimeError" in caplog.text
    assert "secret" not in caplog.text


def test_a_worker_that_fails_every_time_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    tries = threading.Semaphore(0)
    with opened(background=True) as memory:

        def broken(**given: Any) -> Any:
            tries.release()
            raise StoreError("the file is gone")

        engine(memory).store.lease_batch = broken  # type: ignore[method-assign]
        memory.remember(TEXT)
        for number in range(3):
            assert tries.acquire(timeout=10)
            if number < 2:
                memory._engine.worker.start()
    assert caplog.text.count("the worker failed: StoreError") == 1


def test_a_closed_memory_starts_no_thread() -> None:
    memory = opened(background=True)
    memory.close()
    engine(memory).worker.start()
    assert not engine(memory).worker.is_running


def test_a_worker_may_be_stopped_from_its_own_thread() -> None:
    class Closing:
        def on_event(self, event: Any) -> None:
            if event.name == "learned":
                engine(memory).worker.stop()

    memory = opened(background=True, observers=[Closing()])
    memory.remember(TEXT)
    assert memory.wait() is not None
    memory.close()


def test_a_conflict_is_rung_for() -> None:
    heard: list[str] = []

    class Ears:
        def on_event(self, event: Any) -> None:
            heard.append(event.name)

    texts = {
        f"Ana has badge {number}": Script(
            entities=[draft_entity("Ana")], facts=[draft_fact("Ana", "badge", str(number))]
        )
        for number in (1, 2)
    }
    with opened(extractor=ScriptedExtractor(script=texts), observers=[Ears()]) as memory:
        memory.remember(
            [
                {"speaker": name, "text": text}
                for name, text in zip(("Tom", "Kim"), texts, strict=True)
            ]
        )
        memory.wait()
    assert "conflict" in heard


def test_a_renewal_that_fails_disturbs_nobody() -> None:
    class Slow(ScriptedExtractor):
        def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
            assert renewed.wait(10)
            return super().extract(episodes, context)

    renewed = threading.Event()
    answers = iter([StoreError("busy"), False])

    def renew(*given: Any, **more: Any) -> bool:
        answer = next(answers, False)
        if isinstance(answer, Exception):
            raise answer
        renewed.set()
        return bool(answer)

    with opened(
        extractor=Slow(script=SCRIPT), lease_seconds=0.03, embedder=HashEmbedder()
    ) as memory:
        engine(memory).store.renew = renew  # type: ignore[method-assign]
        memory.remember(TEXT)
        memory.wait()


def test_a_reason_is_a_text() -> None:
    with opened() as memory:
        put = memory.put(Entity("Ana", "person"))
        with pytest.raises(InputError, match="reason"):
            memory.undo(put, reason=5)  # type: ignore[arg-type]


def test_reviews_are_decided_either_way() -> None:
    from tests.support.builders import commit, review

    with opened() as memory:
        memory.put(Entity("Ana", "person"))
        memory.put(Entity("Anna", "person"))
        ids = [each.id for each in memory.entities()]
        commit(engine(memory).store, "default", review(*ids, id="r1"))
        memory.decide("r1", same=True)
        assert len(memory.entities()) == 1
        memory.undo()
        memory.decide(memory.reviews()[0], same=False)
        assert memory.reviews() == []
        with pytest.raises(InputError, match="not the same"):
            memory.merge("Ana", "Anna")


def test_the_history_calls_everyone_by_name() -> None:
    with opened() as memory:
        memory.put(Entity("Ana", "person", aliases=["Annie"]))
        memory.put(Entity("Bob", "person"))
        memory.relate("Ana", "knows", "Bob")
        memory.merge("Ana", "Bob")
        (merged, *_) = memory.history(limit=1)
        memory.unmerge("Ana", "Bob")
        lines = {line for entry in memory.history() for line in entry.lines}
    assert [line.endswith(("the same as Ana", "the same as Bob")) for line in merged.lines] == [
        True
    ]
    assert {"+ Ana, also Annie", "+ Ana knows Bob", "+ Ana is not Bob"} <= lines


def test_a_model_that_is_away_is_not_asked_anew_for_every_message() -> None:
    asked = threading.Event()

    class Away(ScriptedExtractor):
        def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
            asked.set()
            return super().extract(episodes, context)

    extractor = Away(error=ModelUnavailableError("away"))
    with opened(extractor=extractor, background=True) as memory:
        memory.remember(TEXT)
        assert asked.wait(10)
        first = len(extractor.seen)
        for number in range(5):
            memory.remember(f"{TEXT}, part {number}")
    assert len(extractor.seen) == first == 1
    with opened(extractor=extractor) as memory:
        memory.remember(TEXT)
        assert memory.work() == 1
        memory.remember(f"{TEXT} now")
        assert memory.work() == 1
