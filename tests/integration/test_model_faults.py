"""Every way in which a model's server can fail, through a whole memory: nothing is lost, nothing is
held up, all is seen.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from factbook import Memory
from factbook.learn import retries
from tests.support import faulty_server as play
from tests.support.faulty_server import Api, FaultyServer, Step
from tests.support.models import Script, ScriptedExtractor, draft_entity, draft_fact

TEXT = "Priya Raman leads Project Atlas"
REPLY = json.dumps({"entities": [{"name": "Priya Raman", "kind": "person", "quote": TEXT}]})
"""Its form doesn't matter here: what isn't in the form asked for is dropped, and the job is done
all the same.
"""

APIS: tuple[Api, ...] = ("openai", "anthropic", "ollama")


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer() as server:
        yield server


def opened(
    server: FaultyServer, api: Api = "openai", url: str | Path = "ram:", **rest: Any
) -> Memory:
    settings = {"base_url": server.base_url(api), "api_key": "k", "retries": 0, "timeout": 20.0}
    return Memory.open(
        url,
        extractor=f"{api}:some-model",
        model_settings={**settings, **rest.pop("model_settings", {})},
        **{"embedder": "none", "background": False, **rest},
    )


PASSES: dict[str, tuple[Step, str]] = {
    "no answer": (play.hang(), "did not answer within 0.5 seconds"),
    "an answer that drips": (play.drip(), "did not answer within 0.5 seconds"),
    "429": (play.status(429), ""),
    "500": (play.status(500), ""),
    "503": (play.status(503), ""),
    "a closed connection": (play.closed(), ""),
    "a cut body": (play.cut_body(), ""),
    "an empty reply": (play.empty(), "no readable reply"),
    "a key that is refused": (play.status(401), "OPENAI_API_KEY"),
    "a forbidden model": (play.status(403), ""),
    "a model that isn't there": (play.status(404), ""),
}
REJECTED: dict[str, Step] = {
    "a refusal": play.refusal(),
    "a blank reply": play.blank(),
    "prose": play.reply("I'd rather not say."),
}


@pytest.mark.parametrize(
    ("fault", "api"),
    [
        (fault, api)
        for number, fault in enumerate(PASSES)
        for api in (APIS if number < 3 else ("openai",))
    ],
)
def test_what_may_pass_leaves_the_job_waiting_with_its_error(
    server: FaultyServer, fault: str, api: Api
) -> None:
    step, words = PASSES[fault]
    with opened(
        server, api, model_settings={"timeout": 0.5} if "answer" in fault else {}
    ) as memory:
        server.will(step)
        memory.remember(TEXT)
        assert [bool(each.error) for each in memory.wait(raises=False)] == [True]
        (job,) = memory.jobs()
        assert (job.state, job.attempts, job.error.partition(":")[0]) == (
            "waiting",
            1,
            "ModelUnavailableError",
        )
        assert words in job.error
        assert job.next_at is not None
        assert "Priya" in str(memory.recall("who leads Atlas?"))


@pytest.mark.parametrize("api", APIS)
def test_a_job_that_waits_is_done_by_the_next_try(server: FaultyServer, api: Api) -> None:
    with opened(server, api) as memory:
        memory.remember(TEXT)
        server.will(play.status(500), play.reply(REPLY))
        memory.wait(raises=False)
        assert memory.work() == 0
        assert memory.work(retry=True) == 1
        assert [(job.state, job.attempts, job.error) for job in memory.jobs()] == [("done", 2, "")]


def test_a_model_may_be_away_for_long(server: FaultyServer) -> None:
    with opened(server) as memory:
        memory.remember(TEXT)
        for _ in range(20):
            server.will(play.status(503))
            memory.work(retry=True)
        (job,) = memory.jobs()
        assert (job.state, job.attempts) == ("waiting", 20)
        assert job.next_at is not None
        assert job.next_at - datetime.now(UTC) <= timedelta(minutes=10)
        server.will(play.reply(REPLY))
        memory.work(retry=True)
        assert [job.state for job in memory.jobs()] == ["done"]


def test_a_model_that_stays_away_is_given_up_in_the_end(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "MOST_AWAY", 3)
    with opened(server) as memory:
        memory.remember(TEXT)
        for _ in range(3):
            server.will(play.status(503))
            memory.work(retry=True)
        assert [(job.state, job.attempts) for job in memory.jobs()] == [("failed", 3)]


def test_a_server_that_says_when_is_asked_then(server: FaultyServer) -> None:
    with opened(server) as memory:
        server.will(play.status(429, **{"retry-after": "3600"}))
        memory.remember(TEXT)
        memory.wait(raises=False)
        (job,) = memory.jobs()
        assert job.next_at is not None
        assert job.next_at - job.created_at > timedelta(minutes=50)


@pytest.mark.parametrize("fault", REJECTED)
def test_a_reply_that_cannot_be_used_is_asked_for_three_times(
    server: FaultyServer, fault: str
) -> None:
    with opened(server) as memory:
        memory.remember(TEXT)
        states: list[tuple[str, int]] = []
        for _ in range(3):
            server.will(REJECTED[fault])
            memory.work(retry=True)
            states += [(job.state, job.attempts) for job in memory.jobs()]
        assert states == [("waiting", 1), ("waiting", 2), ("failed", 3)]
        (job,) = memory.jobs()
        assert job.error.startswith("ReplyRejectedError: ")
        assert memory.work() == 0
        server.will(play.reply(REPLY))
        assert memory.work(retry=True) == 1
        assert [job.state for job in memory.jobs()] == ["done"]


def test_an_endless_reply_is_read_as_far_as_it_came(server: FaultyServer) -> None:
    with opened(server) as memory:
        server.will(play.endless())
        memory.remember("Ada is here")
        memory.wait()
        (job,) = memory.jobs()
        assert job.state == "done" or job.error.startswith("ReplyRejectedError")
        used = memory.usage()
        assert used is not None
        assert used.cut == 1


def test_no_server_at_all_holds_up_no_turn(tmp_path: Path) -> None:
    with FaultyServer() as server:
        gone = server
    with opened(gone, url=tmp_path / "m.db", background=True) as memory:
        for number in range(20):
            assert memory.remember(f"{TEXT}, part {number}").stored == 1
        memory.wait(raises=False)
        assert {job.state for job in memory.jobs()} == {"waiting"}
        assert all(job.error.startswith("ModelUnavailableError: ") for job in memory.jobs())
        assert len(memory.recall("who leads Project Atlas?").lines) > 1


def test_a_server_that_hangs_holds_up_neither_a_turn_nor_the_closing(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("factbook.learn.worker.Worker.stop.__defaults__", (0.0,))
    server.will(play.hang())
    memory = opened(server, background=True, model_settings={"timeout": 600.0})
    memory.remember(TEXT)
    server.wait_for(1)
    assert memory.remember(f"{TEXT} now").stored == 1
    assert memory.recall("Atlas").lines
    store = memory._engine.store
    memory.close()
    with store.snapshot() as snapshot:
        assert [(job.state, job.attempts) for job in snapshot.jobs("default")] == [
            ("waiting", 0),
            ("waiting", 0),
        ]
    assert not any(
        thread.name == "factbook-worker" and thread.is_alive() for thread in threading.enumerate()
    )


def test_one_message_that_the_model_cannot_take_does_not_take_the_others_down(
    server: FaultyServer,
) -> None:
    with opened(server) as memory:
        steps = [play.unless("poison", play.reply(REPLY), play.refusal())] * 4
        server.will(*steps)
        for text in (TEXT, "the poison", "Tom Berger is here"):
            memory.remember(text, session="s")
        memory.wait(raises=False)
        assert [job.state for job in memory.jobs()] == ["done", "waiting", "done"]
        assert len(server.requests) == 4


def test_messages_that_wait_are_read_in_one_call(server: FaultyServer) -> None:
    with opened(server) as memory:
        server.will(play.reply(REPLY))
        for number in range(10):
            memory.remember(f"{TEXT}, part {number}", session="s")
        memory.wait()
        assert len(server.requests) == 1
        assert {job.state for job in memory.jobs()} == {"done"}


def test_while_the_server_is_down_a_stand_in_learns(server: FaultyServer) -> None:
    script = Script(
        entities=[draft_entity("Priya", name="Priya Raman")],
        facts=[draft_fact("Priya", "mood", "glum")],
    )
    with opened(server, stand_in=ScriptedExtractor(script={TEXT: script})) as memory:
        server.will(play.status(503))
        memory.remember(TEXT)
        assert [each.stand_in for each in memory.wait()] == [True]
        assert memory.get("Priya Raman").attributes == {"mood": "glum"}
        server.will(play.reply('{"entities": []}'))
        memory.work(retry=True)
        assert memory.entities() == []


def test_what_is_said_never_stands_in_an_error(server: FaultyServer) -> None:
    with opened(server) as memory:
        server.will(play.status(400, message=f"bad prompt: {TEXT}"), play.status(500, message=TEXT))
        for text in (TEXT, f"{TEXT}!"):
            memory.remember(text, session=text[-1])
        memory.wait(raises=False)
        assert not any("Priya" in job.error for job in memory.jobs())


def test_a_model_that_does_not_hold_to_the_text_is_counted_by_reason(server: FaultyServer) -> None:
    made_up = {
        "entities": [
            {"name": "Zanzibar Quetzal", "type": "person", "quote": "Zanzibar Quetzal is here"}
        ]
    }
    with opened(server) as memory:
        server.will(play.reply(json.dumps(made_up)))
        memory.remember(TEXT)
        (learned,) = memory.wait()
        assert sum(learned.dropped.values()) >= 1
        assert memory.entities() == []
        (job,) = memory.jobs()
        assert dict(job.dropped) == dict(learned.dropped)
        stats = memory.stats()
        assert {
            f"dropped_{reason}": count for reason, count in job.dropped.items()
        }.items() <= stats.items()
