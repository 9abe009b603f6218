"""The command line as a shell runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.cli.conftest import TALK, lines_of

_HEEDS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""A shell starts what runs in the background with interrupts ignored, and its children inherit
that.
"""

FACTBOOK = Path(sys.executable).with_name("factbook")


def factbook(home: Path, *arguments: str, **rest: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from factbook.cli import main; main()", *arguments],
        cwd=home,
        env={**os.environ, "FACTBOOK_DB": "m.db"},
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
        **rest,  # type: ignore[call-overload]
    )


@pytest.mark.skipif(not FACTBOOK.exists(), reason="factbook is not installed as a command here")
def test_the_command_is_installed(home: Path) -> None:
    done = subprocess.run([FACTBOOK, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("factbook ")


def test_words_come_through_pipes(home: Path) -> None:
    done = factbook(home, "remember", "--no-wait", "--json", input=lines_of(TALK))
    assert json.loads(done.stdout)["stored"] == 4
    done = factbook(home, "recall", "who leads Project Atlas?")
    assert done.stdout.startswith("<memory ")
    assert "\x1b" not in done.stdout


def test_an_error_is_one_line_and_a_status(home: Path) -> None:
    done = factbook(home, "recall", "x")
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr
        == "there is no memory at m.db yet; begin with: factbook remember FILE, or: factbook demo\n"
    )


def test_a_reader_that_leaves_is_no_error(home: Path) -> None:
    factbook(home, "remember", "--no-wait", input=lines_of(TALK))
    command = (
        f"{sys.executable} -c 'from factbook.cli import main; main()' export --db m.db | head -n 1"
    )
    done = subprocess.run(
        ["sh", "-c", command], cwd=home, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith('{"format"')
    assert "Traceback" not in done.stderr


def test_another_encoding_of_the_terminal_is_no_error(home: Path) -> None:
    factbook(home, "put", "Zoë 日本")
    done = subprocess.run(
        [sys.executable, "-c", "from factbook.cli import main; main()", "list", "--db", "m.db"],
        cwd=home,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=True,
    )
    assert b"Zo? ??" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
def test_an_interrupt_leaves_everything_that_was_read(home: Path) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"{_HEEDS}from factbook.cli import main; main()",
            "remember",
            "--no-wait",
        ],
        cwd=home,
        # Unmeasured: an interrupt that comes while the tracer itself runs is swallowed there.
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith("COVERAGE")},
            "FACTBOOK_DB": "m.db",
        },
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    # More than a pipe holds: when it is written, the command is reading.
    process.stdin.write(
        "".join(f'{{"text": "message number {n} of many"}}\n' for n in range(20_000))
    )
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told == "Stopped. What was read is kept; what waits to be learned: factbook work\n"
    assert factbook(home, "stats", "--json").returncode == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_commands(home: Path, shell: str) -> None:
    words = {"bash": "COMP_WORDS", "zsh": "_TYPER_COMPLETE_ARGS", "fish": "_TYPER_COMPLETE_ARGS"}[
        shell
    ]
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.argv[0] = 'factbook'; from factbook.cli import main; main()",
        ],
        env={
            **os.environ,
            "_FACTBOOK_COMPLETE": f"complete_{shell}",
            words: "factbook rec",
            "COMP_CWORD": "1",
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        },
        capture_output=True,
        check=True,
        text=True,
    )
    assert "recall" in done.stdout
