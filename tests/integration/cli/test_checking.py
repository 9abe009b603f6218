"""stats and doctor."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from factbook import Memory, reader
from factbook.errors import ConfigError
from factbook.extract import local
from tests.integration.cli.conftest import Run
from tests.support.faulty_server import FaultyServer, reply
from tests.support.models import ScriptedExtractor


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model is loaded."""
    monkeypatch.setattr(local, "is_installed", lambda: True)
    monkeypatch.setattr(local.LocalExtractor, "load", lambda self: None)
    monkeypatch.setattr(reader, "missing_modules", list)
    monkeypatch.setattr(reader.Reader, "load", lambda self: None)


def checks(run: Run, *options: str) -> dict[str, tuple[str, str, str]]:
    """(state, what was found, advice) by check."""
    findings = run("doctor", "--json", *options).json["findings"]
    return {each["check"]: (each["state"], each["found"], each["advice"]) for each in findings}


def test_stats_count_and_say_where(told: Run, home: Path) -> None:
    done = told("stats")
    assert done.out.startswith("default in ~/m.db (")
    assert "\nentities       3\n" in done.out
    found = told("stats", "--json").json
    assert found["bytes"] > 0
    assert found["counts"]["messages"] == 4
    assert found["counts"]["jobs_done"] == 1


def test_stats_of_a_memory_without_a_file(run: Run) -> None:
    assert run("stats", "--db", "ram:").out.startswith("default in ram:\n")
    assert run("stats", "--json", "--db", "ram:").json["bytes"] is None


def test_a_whole_installation_is_well(told: Run, light: None) -> None:
    done = told("doctor")
    assert done.code == 0
    assert [line[0] for line in done.out.splitlines()] == ["✓"] * 6
    assert "1 space" in done.out
    assert told("doctor", "--json").json["ok"] is True


@pytest.mark.model
@pytest.mark.skipif(
    bool(reader.missing_modules()) or not local.is_installed(),
    reason="the local extra is not installed",
)
def test_the_real_models_are_loaded_and_known(run: Run) -> None:
    found = checks(run)
    assert found["extractor"][0] == found["embedder"][0] == "ok"
    assert "its files are the known ones" in found["embedder"][1]


def test_a_missing_file_and_missing_packages_are_no_fault_but_told(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "is_installed", lambda: False)
    monkeypatch.setattr(reader, "missing_modules", lambda: ["onnxruntime"])
    done = run("doctor")
    assert done.code == 0
    assert "~/data/factbook/factbook.db is not there yet" in done.out
    assert done.out.count("→ pip install 'factbook[local]'") == 2


def test_models_that_do_not_load_are_a_fault(
    told: Run, light: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: object) -> None:
        raise ConfigError("its files are not the known ones")

    monkeypatch.setattr(local.LocalExtractor, "load", refuse)
    monkeypatch.setattr(reader.Reader, "load", refuse)
    done = told("doctor")
    assert done.code == 1
    assert done.out.count("✗") == 2


def test_a_python_without_full_text_search_is_a_fault(
    told: Run, light: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Plain:
        def execute(self, _: str) -> None:
            raise sqlite3.OperationalError("no such module: fts5")

        def close(self) -> None:
            """Nothing is open."""

    fake = type(
        "Sqlite",
        (),
        {"connect": lambda _: Plain(), "Error": sqlite3.Error, "sqlite_version": "3.0"},
    )
    monkeypatch.setattr("factbook.cli.checking.sqlite3", fake)
    assert checks(told)["SQLite"][:2] == ("bad", "3.0 without full-text search")


def test_a_file_that_is_no_database_is_a_fault(run: Run, home: Path, light: None) -> None:
    (home / "m.db").write_bytes(b"something else entirely " * 100)
    done = run("doctor", "--db", "m.db")
    assert done.code == 1
    assert "no SQLite database" in done.out
    assert (home / "m.db").read_bytes().startswith(b"something else")


@pytest.mark.skipif(sys.platform == "win32", reason="modes are another matter there")
def test_a_file_that_others_may_read_is_told(told: Run, home: Path, light: None) -> None:
    (home / "m.db").chmod(0o644)
    state, found, advice = checks(told)["file"]
    assert (state, advice) == ("note", "chmod 600 m.db")
    assert found.endswith("others may read it")


def test_jobs_that_wait_or_failed_are_told(
    run: Run, talk: Path, light: None, extractor: ScriptedExtractor
) -> None:
    run("remember", "talk.jsonl", "--no-wait", "--db", "m.db")
    assert checks(run, "--db", "m.db")["jobs"] == (
        "note",
        "1 waiting",
        "factbook work --all-spaces",
    )
    extractor.error = ConfigError("no extractor is installed")
    run("work", "--db", "m.db")
    state, found, advice = checks(run, "--db", "m.db")["jobs"]
    assert (state, advice) == ("note", "factbook work --retry --all-spaces")
    assert found == "1 failed; ConfigError: no extractor is installed"


def test_damage_is_a_fault(told: Run, light: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from factbook.store.sqlite import SqliteStore

    monkeypatch.setattr(SqliteStore, "check", lambda self: ["row 7 of facts is missing"])
    done = told("doctor")
    assert done.code == 1
    assert "row 7 of facts is missing" in done.out


def test_a_memory_without_a_file_can_be_checked(run: Run, light: None) -> None:
    assert checks(run, "--db", "ram:")["file"] == ("ok", "ram:", "")


def test_doctor_looks_for_the_server_of_a_model_and_asks_it_only_when_told(
    run: Run, light: None
) -> None:
    with FaultyServer() as server:
        server.will(reply("yes"))
        options = ("--extractor", "ollama:qwen2.5:3b")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("OLLAMA_HOST", server.url)
            state, found, _ = checks(run, *options)["model"]
            assert (state, found.partition(",")[0]) == (
                "ok",
                f"ollama:qwen2.5:3b at {server.url} is there",
            )
            assert server.requests == []
            state, found, _ = checks(run, *options, "--ask")["model"]
            assert (state, " answered, " in found) == ("ok", True)
            assert len(server.requests) == 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", server.url)
        state, found, advice = checks(run, *options)["model"]
    assert (state, f"no server answers at {server.url}" in found) == ("bad", True)
    assert "factbook work --retry" in advice


def test_doctor_says_what_is_wrong_with_a_spec_or_a_key(
    run: Run, light: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert checks(run, "--extractor", "openai:x")["model"][0] == "bad"
    state, found, _ = checks(run, "--extractor", "magic")["extractor"]
    assert (state, "no extractor 'magic'" in found) == ("bad", True)
    assert checks(run, "--extractor", "none")["extractor"][0] == "ok"
    both = checks(run, "--extractor", "local+openai:x")
    assert (both["extractor"][0], both["model"][0]) == ("ok", "bad")


def test_doctor_counts_what_an_earlier_version_forgot(run: Run, light: None) -> None:
    run(
        "remember",
        "--text",
        "The violin is in the cellar of the house.",
        "--db",
        "m.db",
        "--no-wait",
    )
    run("forget", "--everything", "--yes", "--db", "m.db")
    assert "forgotten" not in checks(run, "--db", "m.db")
    with closing(sqlite3.connect("m.db")) as con:
        con.execute("UPDATE tombstones SET sort = 0")
        con.commit()
    state, found, advice = checks(run, "--db", "m.db")["forgotten"]
    assert (state, found[:23]) == ("note", "1 of what an earlier ve")
    assert "under another session" in advice


def test_a_write_ahead_log_that_has_grown_is_told_and_why(
    told: Run, home: Path, light: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("factbook.cli.checking.LARGE_LOG", 1000)
    assert "log" not in checks(told)
    path = home / "m.db"
    with Memory.open(path, background=False) as memory:
        memory.remember("Bo lives in Uhlm")
        with memory._engine.store.snapshot() as reader:
            assert reader.spaces()
            memory.remember("Cy lives in Uhlm")
            state, found, advice = checks(told)["log"]
            assert state == "note"
            assert "m.db-wal has grown to" in found
            assert "an older state" in found
            assert "until that reading ends" in advice
        assert "copied into the database" in checks(told)["log"][1]
