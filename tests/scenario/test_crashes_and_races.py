"""Nothing acknowledged is lost and nothing is learned twice: not by kill -9, not by several
processes at once.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from factbook import Memory
from factbook.memory.write.intake import Said
from tests.scenario.child import Badges
from tests.support.models import HashEmbedder

ROOT = Path(__file__).parents[2]
ROUNDS = 50


def start(action: str, database: Path, name: str = "Ana", count: int = 0) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "tests.scenario.child",
        action,
        str(database),
        name,
        str(count),
    ]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def read(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    lines = process.stdout.read().splitlines()
    process.wait()
    process.stdout.close()
    return lines


def opened(database: Path) -> Memory:
    return Memory.open(
        database, extractor=Badges(), embedder="none", background=False, lease_seconds=0.5
    )


def names_and_badges(memory: Memory) -> Counter[tuple[str, str]]:
    return Counter((each.name, each.attributes.get("badge", "")) for each in memory.entities())


def stored_ids(memory: Memory) -> set[str]:
    with memory._engine.store.snapshot() as snapshot:
        episodes = snapshot.episodes("default", snapshot.episode_ids("default"))
    return {message.host_id for episode in episodes.values() for message in episode.messages}


@pytest.mark.slow
def test_fifty_kills_in_the_middle_of_remembering_lose_nothing_acknowledged(tmp_path: Path) -> None:
    database, chance, acknowledged = tmp_path / "m.db", random.Random(7), set[str]()
    for number in range(ROUNDS):
        process = start("remember", database, f"Ana{number}x", 10_000)
        assert process.stdout is not None
        acknowledged.add(process.stdout.readline().strip())
        time.sleep(chance.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        acknowledged |= {line for line in read(process) if line.rpartition("-")[2].isdecimal()}
    with opened(database) as memory:
        kept = stored_ids(memory)
        assert acknowledged <= kept
        assert memory.stats()["messages"] == memory.stats()["jobs_waiting"] == len(kept)
        with memory._engine.store.snapshot():
            assert memory._engine.store.check() == []


@pytest.mark.slow
def test_fifty_kills_in_the_middle_of_extraction_lose_no_job_and_learn_nothing_twice(
    tmp_path: Path,
) -> None:
    database, chance = tmp_path / "m.db", random.Random(8)
    people = 200
    with opened(database) as memory:
        for number in range(people):
            memory.remember(f"Ana{number} has badge {number}")
    for _ in range(ROUNDS):
        process = start("work", database)
        assert process.stdout is not None
        if process.stdout.readline():
            time.sleep(chance.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        read(process)
    with opened(database) as memory:
        memory.wait()
        assert memory.stats()["jobs_done"] == people
        assert names_and_badges(memory) == Counter({(f"Ana{n}", str(n)): 1 for n in range(people)})
        assert memory.stats()["facts"] == people


@pytest.mark.slow
def test_kills_while_the_embedding_model_changes_leave_each_line_one_vector_and_all_that_was_said(
    tmp_path: Path,
) -> None:
    database, chance = tmp_path / "m.db", random.Random(9)
    lines = 1500
    with opened(database) as memory:
        memory.remember(
            [{"content": f"Ana{n} keeps boat {n} in the harbour of Uhlm"} for n in range(lines)]
        )
        memory.note("the ferry to Uhlm leaves at nine", category="plan")
    killed = 0
    rounds = 20
    for number in range(rounds):
        process = start("embed", database, f"hash/{number % 3}")
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        read(process)
        killed += process.returncode == -signal.SIGKILL
        if number % 10 == 0:
            with Memory.open(
                database, extractor="none", embedder=HashEmbedder(name="hash/1"), background=False
            ) as memory:
                assert memory._engine.store.check() == []
                assert (
                    "boat 77 " in memory.recall("Where does Ana77 keep boat 77?", budget=200).text
                )
    assert killed > rounds / 2
    with Memory.open(
        database, extractor="none", embedder=HashEmbedder(name="hash/9"), background=False
    ) as memory:
        while memory._engine.worker.embed_once():
            pass
        store = memory._engine.store
        assert store.check() == []
        assert memory.stats()["messages"] == lines
        with store.snapshot() as snapshot:
            assert snapshot.without_vector("default", "hash/9", limit=10) == []
        assert "boat 1234 " in memory.recall("Who keeps boat 1234?", budget=200).text
    with closing(sqlite3.connect(database)) as con:
        held = "SELECT m.name, count(*) FROM vectors v JOIN models m ON m.no = v.model_no GROUP BY m.name"
        assert dict(con.execute(held).fetchall()) == {"hash/9": lines + 1}
        assert con.execute(
            "SELECT count(*) FROM codes c JOIN models m ON m.no = c.model_no"
        ).fetchone() == (
            con.execute(
                "SELECT count(*) FROM codes c JOIN models m ON m.no = c.model_no WHERE m.name = 'hash/9'"
            ).fetchone()
        )


def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    database = tmp_path / "m.db"
    writers = [start("remember", database, name, 200) for name in ("Ana", "Bo")]
    acknowledged = [line for process in writers for line in read(process)]
    assert len(acknowledged) == 400
    with opened(database) as memory:
        assert stored_ids(memory) == set(acknowledged)


def test_two_processes_that_commit_at_once_lose_nothing(tmp_path: Path) -> None:
    database = tmp_path / "m.db"
    writers = [start("put", database, name, 200) for name in ("Ana", "Bo")]
    assert sum(len(read(process)) for process in writers) == 400
    with opened(database) as memory:
        assert memory.stats()["notes"] == 400
        assert [commit.version for commit in memory.log()] == list(range(1, 401))


def test_two_workers_on_one_space_make_no_entity_twice(tmp_path: Path) -> None:
    database = tmp_path / "m.db"
    with opened(database) as memory:
        for number in range(60):
            memory.remember(f"Ana{number % 20} has badge {number % 20}", session=f"s{number}")
    workers = [start("work", database) for _ in range(2)]
    for process in workers:
        read(process)
    with opened(database) as memory:
        memory.wait()
        assert names_and_badges(memory) == Counter({(f"Ana{n}", str(n)): 1 for n in range(20)})
        assert memory.stats()["jobs_done"] == 60


def test_the_same_transcript_remembered_three_times_is_kept_once(tmp_path: Path) -> None:
    transcript: list[Said] = [
        "Ana has badge 1",
        "ok",
        {"role": "assistant", "content": "Noted."},
        "ok",
    ]
    with opened(tmp_path / "m.db") as memory:
        receipts = [memory.remember(transcript, session="s") for _ in range(3)]
        memory.wait()
        assert [receipt.stored for receipt in receipts] == [4, 0, 0]
        assert [receipt.duplicates for receipt in receipts] == [0, 4, 4]
        assert memory.stats()["messages"] == 4
        assert memory.get("Ana").mentions == 1
