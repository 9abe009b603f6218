"""export and import."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Run


def test_an_export_is_a_copy_that_can_be_read_into_another_file(
    told: Run, run: Run, home: Path
) -> None:
    done = told("export", "copy.jsonl")
    lines = (home / "copy.jsonl").read_text("utf-8").splitlines()
    assert done.out == f"{len(lines)} lines written to copy.jsonl.\n"
    assert json.loads(lines[0])["format"] == "factbook"
    assert stat.S_IMODE((home / "copy.jsonl").stat().st_mode) == 0o600
    assert [file.name for file in home.glob("*.unfinished")] == []
    done = run("import", "copy.jsonl", "--db", "other.db", "--space", "copy")
    assert done.out == f"{len(lines)} lines read; the space holds 4 messages now.\n"
    assert (
        run("show", "Priya Raman", "--db", "other.db", "--space", "copy").out
        == told("show", "Priya Raman").out
    )


def test_an_export_goes_through_a_pipe(told: Run, run: Run) -> None:
    written = told("export").out
    done = run("import", "-", "--json", "--db", "other.db", stdin=written)
    assert done.json["lines"] == len(written.splitlines())
    assert done.json["stats"]["entities"] == 3


def test_an_export_writes_over_a_file_only_when_told(told: Run, home: Path) -> None:
    (home / "copy.jsonl").write_text("mine")
    done = told("export", "copy.jsonl")
    assert (done.code, done.err) == (1, "copy.jsonl is there already; --force writes over it\n")
    assert (home / "copy.jsonl").read_text() == "mine"
    assert told("export", "copy.jsonl", "--force", "--json").json["file"] == "copy.jsonl"
    assert (home / "copy.jsonl").read_text() != "mine"


def test_a_folder_that_is_not_there_is_told(told: Run) -> None:
    assert (
        told("export", "gone/copy.jsonl").err
        == "gone/copy.jsonl can't be written: No such file or directory\n"
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the export is empty\n"),
        (b"\xff\xfe", "copy.jsonl: not a text in UTF-8\n"),
    ],
)
def test_what_is_no_export_is_told(run: Run, home: Path, data: bytes, told: str) -> None:
    (home / "copy.jsonl").write_bytes(data)
    done = run("import", "copy.jsonl", "--db", "m.db")
    assert (done.code, done.err) == (1, told)


def test_an_export_that_is_not_there_is_told(run: Run) -> None:
    assert (
        run("import", "gone.jsonl", "--db", "m.db").err == "gone.jsonl: No such file or directory\n"
    )
