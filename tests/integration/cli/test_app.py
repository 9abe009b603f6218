"""The commands as a whole: help, version, where the memory lies, errors, documentation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from factbook import __version__, cli
from factbook.memory.memory import Memory
from tests.integration.cli.conftest import Run
from tests.support.cli_reference import PAGE, commands, reference

VERBS = """demo remember recall context show list relations history undo merge unmerge forget export import work jobs
    review dedupe conflicts trends stats doctor note put relate whole end rename episodes""".split()


def test_every_verb_is_there() -> None:
    assert sorted(commands()) == sorted(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_a_command_is_documented(verb: str) -> None:
    assert f"\n### {verb}\n" in PAGE.read_text("utf-8"), (
        "run: python -m tests.support.cli_reference"
    )


def test_the_documentation_is_what_the_commands_say() -> None:
    assert PAGE.read_text("utf-8") == reference(), "run: python -m tests.support.cli_reference"


@pytest.mark.parametrize("verb", VERBS)
def test_a_command_teaches_with_an_example_and_takes_json(run: Run, verb: str) -> None:
    done = run(verb, "--help")
    assert done.code == 0
    assert f"Example: factbook {verb}" in " ".join(done.out.split())
    assert "--json" in done.out


@pytest.mark.parametrize("verb", sorted({*VERBS} - {"demo", "doctor"}))
def test_a_command_takes_a_space_and_a_file(verb: str) -> None:
    assert {"space", "db"} <= {param.name for param in commands()[verb].params}


def test_help_lists_the_commands(run: Run) -> None:
    for arguments in (("--help",), ("-h",)):
        done = run(*arguments)
        assert done.code == 0
        assert all(f" {verb} " in done.out for verb in VERBS)


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").out == f"factbook {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [("nonsense",), ("recall",), ("recall", "x", "--budget", "0"), ("recall", "x", "--bad")],
)
def test_a_wrong_call_has_status_2(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).code == 2


@pytest.mark.parametrize(
    "command", [("recall", "x"), ("list",), ("undo",), ("work",), ("export",), ("merge", "a", "b")]
)
def test_nothing_is_made_where_there_is_no_memory(
    run: Run, home: Path, command: tuple[str, ...]
) -> None:
    done = run(*command, "--db", "gone.db")
    assert done.code == 1
    assert (
        done.err
        == "there is no memory at gone.db yet; begin with: factbook remember FILE, or: factbook demo\n"
    )
    assert list(home.iterdir()) == []


def test_without_options_the_memory_lies_in_the_data_folder(run: Run, home: Path) -> None:
    run("put", "Acme")
    assert (home / "data" / "factbook" / "factbook.db").exists()
    assert "Acme" in run("list").out


def test_the_environment_says_where_and_whose(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACTBOOK_DB", "sqlite:///mine.db")
    monkeypatch.setenv("FACTBOOK_SPACE", "ada")
    run("put", "Acme")
    assert (home / "mine.db").exists()
    assert "Acme" in run("list").out
    assert "Acme" in run("list", "--space", "ada", "--db", "mine.db").out
    assert run("list", "--space", "tom").out == ""


def test_a_space_that_may_not_be_named_so_is_told(run: Run) -> None:
    done = run("put", "Acme", "--space", "", "--db", "m.db")
    assert (done.code, done.err) == (1, "a space needs a name; the unnamed one is 'default'\n")


def test_a_folder_that_can_not_be_made_is_told(run: Run, home: Path) -> None:
    (home / "file").write_text("")
    done = run("put", "Acme", "--db", "file/m.db")
    assert (done.code, done.err) == (1, "the folder file can't be made: File exists\n")


def test_stopping_keeps_what_was_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(self: object, **_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "wait", stopped)
    done = run("remember", "--text", "Ada leads Atlas.", "--db", "m.db")
    assert (done.code, done.err) == (
        130,
        "Stopped. What was read is kept; what waits to be learned: factbook work\n",
    )
    assert run("stats", "--json", "--db", "m.db").json["counts"]["messages"] == 1


def test_a_defect_is_told_without_what_was_said(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(self: object) -> None:
        raise ValueError("secret words")

    run("put", "Acme", "--db", "m.db")
    monkeypatch.setattr(Memory, "stats", broken)
    monkeypatch.setattr(sys, "argv", ["factbook", "stats", "--db", "m.db"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 1
    told = capsys.readouterr().err
    assert (
        told
        == "factbook failed: ValueError. This is a defect; FACTBOOK_DEBUG=1 shows where it is.\n"
    )
    monkeypatch.setenv("FACTBOOK_DEBUG", "1")
    with pytest.raises(ValueError, match="secret words"):
        cli.main()


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['factbook', '--help']\n"
        "from factbook.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'spacy', 'onnxruntime', 'rapidfuzz', 'factbook.memory.memory'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
