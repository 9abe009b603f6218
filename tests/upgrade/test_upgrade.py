"""Files of earlier releases, opened by this one: they say the same, go on where they were left, and
survive kill -9.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from factbook import Memory
from factbook.store.sqlite.file import migrating
from tests.support.older_files import lower
from tests.upgrade import history, telling
from tests.upgrade.make_file import FILES, LATER, unpacked

CHILD = Path(__file__).with_name("child.py")
RELEASES = sorted(each.name for each in FILES.iterdir())
ROUNDS = 50


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def said(release: str) -> dict[str, Any]:
    return json.loads((FILES / release / "said.json").read_text("utf-8"))


def opened(database: Path, *, refuses: bool = True) -> Memory:
    return history.opened(database, history.Ticks(LATER), prefix="new", refuses=refuses)


def schema_of(database: Path) -> int:
    with closing(sqlite3.connect(database)) as con:
        return con.execute("PRAGMA user_version").fetchone()[0]


def assert_says(memory: Memory, recorded: dict[str, Any]) -> None:
    """The memory says what was recorded; of what was found for a question then, the best line is
    found still.
    """
    now = json.loads(json.dumps(telling.told(memory)))
    for space, before in recorded.items():
        for question, lines in before["recall"].items():
            assert lines[:1] == [
                line for line in now[space]["recall"][question] if line in lines[:1]
            ], question
        for part in before.keys() - {"recall"}:
            assert now[space][part] == before[part], (space, part)
    assert memory._engine.store.check() == []


def test_a_file_of_an_earlier_release_says_what_it_said_then(release: str, tmp_path: Path) -> None:
    with opened(unpacked(release, tmp_path)) as memory:
        assert_says(memory, said(release)["as it is"])


def test_what_was_done_in_an_earlier_release_is_undone_as_it_was_then(
    release: str, tmp_path: Path
) -> None:
    with opened(unpacked(release, tmp_path)) as memory:
        assert (
            json.loads(json.dumps(telling.after_undoing(memory))) == said(release)["after undoing"]
        )
        assert memory._engine.store.check() == []


def test_jobs_of_an_earlier_release_are_learned(release: str, tmp_path: Path) -> None:
    with opened(unpacked(release, tmp_path), refuses=False) as memory:
        ada = memory.within("ada")
        ada.work(retry=True)
        assert ada.get("Orla Brandt").attributes == {"job": "baker"}
        assert {job.state for job in ada.jobs()} == {"done"}


def test_what_an_earlier_release_forgot_stays_forgotten(release: str, tmp_path: Path) -> None:
    database = unpacked(release, tmp_path)
    with opened(database) as memory:
        ada = memory.within("ada")
        assert ada.remember(history.FORGOTTEN, session="private").stored == 0
        for question, word in (("where is the spare key?", "pot"), ("the lighthouse", "white")):
            assert word not in str(ada.recall(question, budget=4000))
        assert b"heather" not in database.read_bytes()
        ada.lift()
        assert ada.remember(history.FORGOTTEN, session="private").stored == 2


def test_an_export_of_an_earlier_releases_file_holds_its_record(
    release: str, tmp_path: Path
) -> None:
    with opened(unpacked(release, tmp_path)) as memory:
        memory.within("ada").export(tmp_path / "ada.jsonl")
    with opened(tmp_path / "other.db") as memory:
        ada = memory.within("ada")
        ada.import_(tmp_path / "ada.jsonl")
        recorded = said(release)["as it is"]["ada"]
        assert json.loads(json.dumps(telling.entities(ada))) == recorded["entities"]
        assert json.loads(json.dumps(telling.history(ada))) == recorded["history"]


OLDEST_RELEASE, ITS_SCHEMA = "0.1.0-d4b0420", 7
"""Older schemas than its own are made by taking its migrations back."""


def taken_back(schema_number: int, database: Path) -> Path:
    """The oldest release's file under an older schema."""
    with closing(sqlite3.connect(database)) as con:
        lower(con, schema_number)
    return database


def said_under(schema_number: int) -> dict[str, Any]:
    """What it says then: what was recorded, without what that schema had no room for."""
    recorded = json.loads(json.dumps(said(OLDEST_RELEASE)["as it is"]))
    for space in recorded.values() if schema_number < 3 else ():
        for job in space["jobs"].values():
            job[-1] = {}
    return recorded


def columns(con: sqlite3.Connection) -> dict[str, list[Any]]:
    names = con.execute(
        "SELECT type, name FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'"
    ).fetchall()
    return {
        f"{kind} {name}": con.execute(f"PRAGMA {kind}_xinfo({name})").fetchall()
        for kind, name in names
    }


@pytest.mark.parametrize("number", range(1, ITS_SCHEMA + 1))
def test_a_file_taken_back_has_the_tables_that_the_migrations_made(
    number: int, tmp_path: Path
) -> None:
    database = taken_back(number, unpacked(OLDEST_RELEASE, tmp_path))
    with (
        closing(sqlite3.connect(database)) as older,
        closing(sqlite3.connect(tmp_path / "new.db", isolation_level=None)) as new,
    ):
        for step, script in migrating.read_migrations()[:number]:
            assert step <= number
            new.executescript(script)
        assert columns(older) == columns(new)


@pytest.mark.parametrize("number", range(1, ITS_SCHEMA))
def test_a_file_of_an_older_schema_says_the_same(number: int, tmp_path: Path) -> None:
    database = taken_back(number, unpacked(OLDEST_RELEASE, tmp_path))
    with opened(database) as memory:
        assert_says(memory, said_under(number))
    assert schema_of(database) == migrating.latest_number()


def start(database: Path, step: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(database), str(step)], stdout=subprocess.PIPE, text=True
    )


def migrated(database: Path) -> tuple[int, float]:
    """How many steps of SQLite's machine the migration takes, and how many seconds."""
    with start(database, 0) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "migrating\n"
        began = time.monotonic()
        return int(process.stdout.read()), time.monotonic() - began


def killed(database: Path, step: int, seconds: float) -> None:
    """Opens the file in a process that is killed at that step, or else after so long."""
    with start(database, step) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "migrating\n"
        if not step:
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
    assert process.returncode in (-signal.SIGKILL, 0)


@pytest.mark.slow
def test_fifty_kills_in_the_middle_of_a_migration_lose_nothing(tmp_path: Path) -> None:
    chance, older = (
        random.Random(9),
        [number for number in range(1, ITS_SCHEMA + 1) if number < migrating.latest_number()],
    )
    steps: dict[int, int] = {}
    took: dict[int, float] = {}
    for number in older:
        folder = tmp_path / f"measured {number}"
        folder.mkdir()
        steps[number], took[number] = migrated(taken_back(number, unpacked(OLDEST_RELEASE, folder)))
    for each in range(ROUNDS):
        number = older[each % len(older)]
        folder = tmp_path / str(each)
        folder.mkdir()
        database = taken_back(number, unpacked(OLDEST_RELEASE, folder))
        step = (
            chance.randint(1, steps[number] - 1) if each % 3 else 0
        )  # every third round: also in a sync, or too late
        killed(database, step, chance.uniform(0, took[number]))
        assert schema_of(database) in ((number,) if step else (number, migrating.latest_number()))
        with opened(database) as memory:
            assert_says(memory, said_under(number))
        shutil.rmtree(folder)
