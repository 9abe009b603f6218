"""A program may end however it likes while it learns: it ends by itself, and its jobs are there for
whoever comes next.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bench.ways_to_end import WAYS, Slow, left
from factbook import Memory
from factbook.errors import StoppedError
from factbook.extract.local import is_installed
from factbook.learn import interpreter_exit as ending
from factbook.learn import worker_turn as turn
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext
from factbook.reader import native_gate as native
from tests.support.models import HashEmbedder

ROOT = Path(__file__).parents[2]


def ended(way: str, database: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.ways_to_end", way, str(database), *more]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("way", sorted(WAYS))
def test_however_a_program_ends_its_jobs_can_be_had_at_once(way: str, tmp_path: Path) -> None:
    if way == "forks" and not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    ran = ended(way, tmp_path / "m.db", "--extractor", "slow", "--seconds", "0.4")
    assert ran.returncode == (1 if way == "raises" else 0), ran.stderr
    assert left(tmp_path / "m.db") == 0
    with Memory.open(
        tmp_path / "m.db", extractor="none", embedder="none", background=False
    ) as memory:
        counts = memory.stats()
        waiting = counts.get("jobs_waiting", 0)
        assert waiting + counts.get("jobs_done", 0) == counts["messages"] > 0
        assert waiting or way == "goes_on_in_a_thread"
        assert (memory._engine.store.lease(seconds=60) is not None) == bool(waiting)


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.skipif(not is_installed(), reason="needs the local extra")
@pytest.mark.parametrize("seconds", ["0", "3", "6"])
def test_a_program_that_falls_off_in_the_midst_of_the_models_ends_by_itself(
    seconds: str, tmp_path: Path
) -> None:
    ran = ended("falls_off", tmp_path / "m.db", "--seconds", seconds)
    assert ran.returncode == 0, ran.stderr
    assert left(tmp_path / "m.db") == 0


class Reads:
    """Reads until it is told not to; drafts of the episodes before are whole."""

    name = "reads/1"

    def __init__(self, whole: int = 0) -> None:
        self.whole = whole
        self.begun = threading.Event()

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        drafts = [Draft(episode_id=episode.id, extractor=self.name) for episode in episodes]
        if len(episodes) <= self.whole:
            return drafts
        self.begun.set()
        try:
            while True:
                context.check()
        except StoppedError as error:
            raise StoppedError(str(error), done=drafts[: self.whole]) from None


def opened(path: Path | str = "ram:", **given: Any) -> Memory:
    return Memory.open(path, **{"embedder": "none", "background": False, **given})


def test_closing_breaks_off_what_is_read_and_keeps_what_was_read(tmp_path: Path) -> None:
    extractor = Reads(whole=1)
    memory = opened(tmp_path / "m.db", extractor=extractor, background=True)
    memory.remember([{"content": text} for text in ("one", "two")])
    for text in ("three", "four"):
        memory.remember(text)
    assert extractor.begun.wait(10)
    memory.close()
    with opened(tmp_path / "m.db", extractor="none") as later:
        assert {(job.state, job.attempts, job.error) for job in later.jobs()} <= {
            ("waiting", 0, ""),
            ("done", 1, ""),
        }
        lease = later._engine.store.lease(seconds=60)
        assert lease is not None
        assert lease.job.draft is not None


def test_a_thread_that_waits_on_leases_nothing_more_once_it_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with opened(extractor=Slow()) as memory:
        memory.remember("one")
        worker, store = memory._engine.worker, memory._engine.store
        leased, lease_batch = list[object](), store.lease_batch

        def counted(**given: Any) -> Any:
            leased.append(given)
            return lease_batch(**given)

        monkeypatch.setattr(store, "lease_batch", counted)
        worker.stop()
        assert worker.work_once() == 0
        assert leased == []
        assert [job.state for job in memory.jobs()] == ["waiting"]


def test_a_text_that_takes_long_goes_to_the_back_while_other_spaces_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turn, "READING_SECONDS", 0.05)
    monkeypatch.setattr(turn, "LOOK_SECONDS", 0.01)

    class Mixed(Reads):
        def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
            slow = any(
                "slow" in message.text for episode in episodes for message in episode.messages
            )
            self.whole = 0 if slow else 99
            return super().extract(episodes, context)

    with opened(extractor=Mixed()) as memory:
        memory.within("ana").remember("slow")
        memory.within("bob").remember("quick")
        worker = memory._engine.worker
        assert worker.work_once() == 1
        (job,) = memory.within("ana").jobs()
        assert (job.state, job.error.partition(":")[0]) == ("waiting", "StoppedError")
        assert "other spaces wait" in job.error
        assert worker.work_once() == 1
        assert [job.state for job in memory.within("bob").jobs()] == ["done"]
        assert memory.within("ana")._find_due() == [job.id]


def test_a_text_that_takes_long_is_read_to_its_end_where_nobody_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turn, "READING_SECONDS", 0.01)
    monkeypatch.setattr(turn, "LOOK_SECONDS", 0.01)
    with opened(extractor=Slow()) as memory:
        memory.remember("slow")
        memory.wait()
        assert [job.state for job in memory.jobs()] == ["done"]


def test_what_was_read_before_the_slow_one_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "READING_SECONDS", 0.02)
    with opened(extractor=Reads(whole=2)) as memory:
        for text in ("one", "two", "slow"):
            memory.within("ana").remember(text)
        memory.within("bob").remember("quick")
        assert memory._engine.worker.work_once() == 2
        states = [(job.state, job.error) for job in memory.within("ana").jobs()]
        assert states == [("done", ""), ("done", ""), ("waiting", "")]


def test_vectors_are_broken_off_too() -> None:
    class Stops(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> list[bytes]:
            made = super().embed(texts)
            memory._engine.worker._stopped = True
            return made

    memory = opened(extractor="none", embedder=Stops())
    for number in range(40):
        memory.remember(f"message {number}")
    with pytest.raises(StoppedError):
        memory._engine.worker.embed_once()
    assert memory.stats()["messages"] == 40


def test_only_the_main_thread_gets_through_a_gate_that_is_shut() -> None:
    gate, met = native.Gate(), list[object]()

    def visit() -> None:
        try:
            with gate.visit(), gate.visit():
                met.append("in")
        except StoppedError as error:
            met.append(str(error))

    def visited() -> None:
        thread = threading.Thread(target=visit)
        thread.start()
        thread.join(10)

    visited()
    with gate.visit():
        assert gate.shut(0.01)  # one's own visit is nobody's to wait for
    visited()
    visit()
    assert met == ["in", "the program ends", "in"]


def test_a_gate_waits_for_whoever_is_inside_but_not_for_ever() -> None:
    gate, inside, out = native.Gate(), threading.Event(), threading.Event()

    def visit() -> None:
        with suppress(StoppedError), gate.visit():
            inside.set()
            out.wait(10)

    thread = threading.Thread(target=visit)
    thread.start()
    assert inside.wait(10)
    gate.hold(0.01)
    waiting = threading.Thread(target=visit)
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    gate.release()
    assert not gate.shut(0.01)
    out.set()
    thread.join(10)
    waiting.join(10)
    assert gate.shut(0.01)
    gate.after_fork()
    with gate.visit():
        gate.after_fork()


def test_the_end_waits_for_the_hosts_threads_and_then_for_the_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ending, "_over", over := list[bool]())
    monkeypatch.setattr(ending, "GATE", native.Gate())
    extractor = Reads()
    memory = opened(extractor=extractor, background=True)
    memory.remember("one")
    assert extractor.begun.wait(10)
    host, may_end = threading.Event(), threading.Event()

    def is_the_hosts(_: threading.Thread) -> bool:
        host.set()
        return not may_end.is_set()

    is_it = ending._is_the_hosts
    monkeypatch.setattr(ending, "_is_the_hosts", is_the_hosts)
    ending._main_is_through()
    assert host.wait(10)
    assert not over
    may_end.set()
    for thread in threading.enumerate():
        if thread.name == "factbook-end":
            thread.join(10)
    assert over
    assert not memory._engine.worker.is_running
    assert not memory._engine.worker.start()
    assert [job.state for job in memory.jobs()] == ["waiting"]
    memory.close()
    assert not is_it(threading.current_thread())
