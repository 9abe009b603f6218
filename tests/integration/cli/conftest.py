"""The command line with a scripted extractor, a clock that stands, and an empty folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from factbook.memory.memory import Memory
from tests.support.builders import id_maker
from tests.support.models import (
    HashEmbedder,
    Script,
    ScriptedExtractor,
    draft_entity,
    draft_fact,
    draft_relation,
)

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)

PRIYA, TOM, ATLAS = (
    draft_entity("Priya Raman"),
    draft_entity("Tom Berger"),
    draft_entity("Project Atlas", kind="project"),
)
TALK: list[tuple[Any, ...]] = [
    ("Tom Berger", "2026-02-09T09:00:00Z", "I lead Project Atlas, I am Tom Berger.", [TOM, ATLAS], [], [("Tom Berger", "leads", "Project Atlas")]),
    ("Ada", "2026-03-02T09:00:00Z", "Priya Raman leads Project Atlas now, she is our engineering lead.", [PRIYA, ATLAS], [("Priya Raman", "role", "engineering lead")], [("Priya Raman", "leads", "Project Atlas")]),
    ("Ada", "2026-03-03T09:00:00Z", "Priya Raman is our director now.", [PRIYA], [("Priya Raman", "role", "director")], []),
    ("", "2026-03-04T09:00:00Z", "The office of Priya Raman is in Lisbon.", [PRIYA], [("Priya Raman", "office", "Lisbon")], []),
]  # fmt: skip

DOUBT: list[tuple[Any, ...]] = [
    ("Ada", "2026-05-01T09:00:00Z", "Project Atlas is due in July.", [ATLAS], [("Project Atlas", "deadline", "July")], []),
    ("Tom Berger", "2026-05-01T09:00:00Z", "Project Atlas is due in August.", [ATLAS], [("Project Atlas", "deadline", "August")], []),
]  # fmt: skip

SCRIPT = {
    text: Script(
        entities=entities,
        facts=[draft_fact(*fact) for fact in facts],
        relations=[draft_relation(*relation) for relation in relations],
    )
    for _, _, text, entities, facts, relations in TALK + DOUBT
}

Run = Callable[..., "Done"]


class Done:
    """What a command printed, and how it ended."""

    def __init__(self, result: Any) -> None:
        self.out: str = result.stdout
        self.err: str = result.stderr
        self.code: int = result.exit_code

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def extractor() -> ScriptedExtractor:
    return ScriptedExtractor(script=SCRIPT)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the present one and the user's home; nothing of the environment
    shines through.
    """
    monkeypatch.chdir(tmp_path)
    for name in (
        "FACTBOOK_DB",
        "FACTBOOK_SPACE",
        "FACTBOOK_DEBUG",
        "FACTBOOK_EXTRACTOR",
        "FACTBOOK_TOKENIZER",
        "FORCE_COLOR",
        "NO_COLOR",
        "COLUMNS",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TERM", "xterm-256color")
    return tmp_path


@pytest.fixture
def run(home: Path, extractor: ScriptedExtractor, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command; errors that it raises by mistake are raised here."""
    opened = Memory.open
    ids = id_maker()

    def open_scripted(url: str, **options: Any) -> Memory:
        if options.get("extractor") in ("auto", "local"):
            options["extractor"] = extractor
        return opened(url, **options, embedder=HashEmbedder(), clock=lambda: NOW, new_id=ids)

    monkeypatch.setattr(Memory, "open", open_scripted)
    monkeypatch.setattr("factbook.cli.show_and_list.utc_now", lambda: NOW)

    def run_command(*arguments: str, stdin: str | bytes | None = None) -> Done:
        from factbook.cli.app import app

        result = CliRunner().invoke(app, arguments, input=stdin, catch_exceptions=False)
        return Done(result)

    return run_command


def lines_of(talk: Sequence[Any]) -> str:
    """The talk as JSON lines."""
    return "".join(
        json.dumps({"speaker": speaker, "timestamp": at, "text": text, "session": "atlas"}) + "\n"
        for speaker, at, text, *_ in talk
    )


@pytest.fixture
def talk(home: Path) -> Path:
    file = home / "talk.jsonl"
    file.write_text(lines_of(TALK), "utf-8")
    return file


@pytest.fixture
def told(run: Run, talk: Path) -> Run:
    """The command line, after it learned the talk into `m.db`."""
    done = run("remember", str(talk), "--db", "m.db")
    assert done.code == 0, done.err
    return lambda *arguments, **rest: run(*arguments, "--db", "m.db", **rest)
