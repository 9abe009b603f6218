"""The demo: what a newcomer sees first."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from factbook import reader
from factbook.extract import local
from factbook.text.transcript_files import read_transcript
from tests.integration.cli.conftest import Run


def test_the_conversation_is_shipped_and_whole() -> None:
    with (files("factbook.cli") / "demo.jsonl").open("rb") as file:
        read = list(read_transcript(file))
    assert 40 <= len(read) <= 60
    assert len({each.session for each in read}) > 4
    times = [each.message.at for each in read]
    assert None not in times
    assert times == sorted(times)  # type: ignore[type-var]


def test_the_demo_wants_a_new_file(run: Run, home: Path) -> None:
    (home / "d.db").write_text("mine")
    done = run("demo", "--db", "d.db")
    assert (done.code, done.err) == (1, "d.db is there already; the demo wants a new file\n")
    assert (home / "d.db").read_text() == "mine"


def test_without_an_extractor_the_demo_still_recalls(run: Run) -> None:
    done = run("demo", "--db", "d.db")  # the scripted extractor knows none of these texts
    assert done.code == 0
    assert "Who leads Project Atlas?" in done.out
    assert "Priya will lead Project Atlas from now on" in done.out
    assert "Who and what was talked about" not in done.out
    assert "What changed over time" not in done.out


def test_the_demo_makes_a_file_of_its_own(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACTBOOK_DB", "mine.db")
    monkeypatch.setattr("tempfile.tempdir", str(home))
    found = run("demo", "--json").json
    assert Path(found["file"]).parent.parent == home
    assert not (home / "mine.db").exists()
    assert found["messages"] >= 40
    assert len(found["answers"]) == 3


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.skipif(
    bool(reader.missing_modules()) or not local.is_installed(),
    reason="the local extra is not installed",
)
def test_the_demo_shows_the_main_job(home: Path) -> None:
    from typer.testing import CliRunner

    from factbook.cli.app import app

    shown = CliRunner().invoke(app, ["demo", "--db", "d.db"], catch_exceptions=False)
    assert shown.exit_code == 0
    out = shown.stdout
    parts = re.split(r"\n\n", out)
    headings = [part.splitlines()[0] for part in parts]
    assert headings[1:] == [
        *[heading for heading in headings if heading.startswith("Learning")],
        "Who and what was talked about",
        "How they relate",
        "Who leads Project Atlas?",
        "When is the Atlas deadline?",
        "Who has a food allergy?",
        "What changed over time, and who said so",
        "What next",
    ]
    assert "Priya Raman (person) — leads Project Atlas" in " ".join(out.split())
    assert len(re.findall(r"\d+ of 200 tokens · \d+ of \d+ candidates", out)) == 3
    changed = parts[-2]
    assert "until" in changed
    assert "factbook show 'Priya Raman' --db d.db" in parts[-1]
