"""What people see on a terminal of 100 columns: colours, bars, cut lines."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.cells import cell_len

from factbook.cli import say
from factbook.model.record import Fact
from factbook.model.source import Source
from tests.integration.cli.conftest import NOW, Run, lines_of
from tests.support.models import Script, ScriptedExtractor, draft_entity

COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same commands as a terminal shows them."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *arguments, **rest: run(*arguments, "--db", "m.db", **rest)


def rows(text: str) -> list[str]:
    return [line.rstrip() for line in COLOUR.sub("", text).replace("\r", "\n").splitlines()]


def test_a_terminal_gets_colours_and_a_bar_and_a_pipe_does_not(
    terminal: Run, run: Run, talk: Path
) -> None:
    done = terminal("remember", "talk.jsonl")
    assert COLOUR.search(done.out)
    assert any(
        "Learning 4 messages" in row and "━" in row and "100%" in row for row in rows(done.out)
    )


def test_no_line_is_longer_than_the_terminal(terminal: Run, talk: Path) -> None:
    terminal("remember", "talk.jsonl")
    terminal("put", "Priya Raman", "--set", "motto=" + "never say never " * 30)
    commands = (
        ("show", "Priya"),
        ("list",),
        ("relations",),
        ("history",),
        ("recall", "who leads Atlas?", "--explain"),
    )
    for command in commands:
        shown = rows(terminal(*command).out)
        assert max(map(cell_len, shown)) <= 100
        assert len(shown) > 1


def test_a_list_is_cut_and_so_is_a_quotation_that_has_little_room(
    terminal: Run, talk: Path
) -> None:
    terminal("remember", "talk.jsonl")
    assert any(row.endswith("…") for row in rows(terminal("relations").out))
    shown = COLOUR.sub("", terminal("show", "Priya").out)
    assert "she is our engineering lead" in " ".join(shown.split())
    terminal("put", "Priya Raman", "--set", "motto=never say never again, and then again")
    assert any(row.endswith("…") for row in rows(terminal("show", "Priya").out))


def test_markup_in_what_was_said_is_text(terminal: Run, run: Run) -> None:
    terminal("put", "[bold]Acme[/bold] :smile:")
    assert "[bold]Acme[/bold] :smile:" in COLOUR.sub("", terminal("list").out)


def test_a_large_file_shows_how_far_it_is(terminal: Run, home: Path) -> None:
    (home / "large.jsonl").write_text('{"text": "%s"}\n' % ("x" * 3000) * 500)
    done = terminal("remember", "large.jsonl", "--no-wait")
    assert "Reading large.jsonl" in COLOUR.sub("", done.err)
    assert "500 messages kept." in COLOUR.sub("", done.out)


def test_waiting_shows_how_far_it_is(terminal: Run, home: Path) -> None:
    (home / "t.jsonl").write_text(
        lines_of([("", "2026-01-01T00:00:00Z", f"message {n}") for n in range(60)])
    )
    done = terminal("remember", "t.jsonl")
    assert "100%" in rows(done.out)[-3] + rows(done.out)[-2] + done.out


# ---------------------------------------------------------------- words and numbers


def test_counts_read_well() -> None:
    assert [
        say.count_noun(n, noun)
        for n, noun in ((1, "fact"), (2, "entity"), (3, "person"), (1204, "sms"))
    ] == [
        "1 fact",
        "2 entities",
        "3 people",
        "1,204 sms",
    ]
    assert (
        say.count_sorts(Counter(entities=1, facts=1200, notes=0, same_as=2))
        == "1 entity, 1,200 facts, 2 same as"
    )


def test_days_read_well() -> None:
    ages = [say.show_age(NOW - timedelta(days=days), NOW) for days in (-1, 0, 1, 12, 59, 61, 800)]
    assert ages == [
        "today",
        "today",
        "yesterday",
        "12 days ago",
        "59 days ago",
        "2 months ago",
        "2 years ago",
    ]


def test_spans_read_well() -> None:
    day = datetime(2026, 3, 2, tzinfo=UTC)
    blank = Fact(id="f", entity_id="e", attribute="role", value="lead", created_at=NOW)
    assert say.show_span(blank) == ""
    source = Source(said_at=day)
    forms = [
        Fact(id="f", entity_id="e", attribute="a", value="v", created_at=NOW, source=source),
        Fact(
            id="f",
            entity_id="e",
            attribute="a",
            value="v",
            created_at=NOW,
            valid_at=day,
            grain="month",
        ),
        Fact(
            id="f",
            entity_id="e",
            attribute="a",
            value="v",
            created_at=NOW,
            invalid_at=day,
            grain="year",
        ),
    ]
    assert [say.show_span(each) for each in forms] == [
        "said 2026-03-02",
        "since 2026-03",
        "until 2026",
    ]


def test_sizes_and_times_read_well() -> None:
    assert [say.show_size(n) for n in (812, 4_100, 4_100_000, 4_100_000_000)] == [
        "812 B",
        "4.1 kB",
        "4.1 MB",
        "4.1 GB",
    ]
    assert [say.show_seconds(n) for n in (0.04, 3.61, 125)] == ["0.0 s", "3.6 s", "2 min 5 s"]


def narrow(terminal: Run, monkeypatch: pytest.MonkeyPatch, *command: str) -> list[str]:
    """What a terminal of 80 columns shows."""
    monkeypatch.setenv("COLUMNS", "80")
    shown = rows(terminal(*command).out)
    assert max(map(cell_len, shown)) <= 80
    return shown


def test_a_review_is_whole_on_a_narrow_terminal_and_decided_by_what_is_shown(
    terminal: Run, run: Run, extractor: ScriptedExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    firms = ("Acme (Inc)", "Acme & Co", "Zenith Harbour Lines (Inc)", "Zenith Harbour Lines & Co")
    extractor.script = {
        f"{name} called.": Script(entities=[draft_entity(name, kind="organization")])
        for name in firms
    }
    for name in firms:
        terminal("remember", "--text", f"{name} called.")
        terminal("put", name, "--set", f"motto=never say {name} " + "again " * 8)
    open_ones = [each["id"] for each in run("review", "--json", "--db", "m.db").json]
    assert len(open_ones) == 2
    shown = narrow(terminal, monkeypatch, "review")
    text = " ".join(" ".join(shown).split())
    assert "…" not in text
    for each in firms:
        assert f"{each} (organization" in text
    ids = [row.split()[0] for row in shown if row and not row.startswith(" ")]
    assert all(any(each.startswith(short) for short in ids) for each in open_ones)
    assert "shall stay two" in terminal("review", ids[0], "--different").out
    assert "shall stay two" in terminal("review", ids[1], "--different").out
    assert run("review", "--json", "--db", "m.db").json == []


def test_a_cut_list_says_how_many_there_are(
    terminal: Run, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7):
        terminal("put", f"Harbour {number}", "--kind", "place")
    assert "5 of 7; --limit 7 shows all." in run("list", "--limit", "5", "--db", "m.db").err
    assert (
        "6 of 7; --limit 7 shows all."
        in run("list", "--kind", "place", "--limit", "6", "--db", "m.db").err
    )
    assert run("list", "--limit", "7", "--db", "m.db").err == ""


def test_an_unknown_name_brings_a_suggestion(terminal: Run, run: Run) -> None:
    terminal("put", "Jonas", "--kind", "person")
    done = run("show", "Jonass", "--db", "m.db")
    told = COLOUR.sub("", done.err)
    assert (done.code, told) == (
        1,
        "nothing is known of 'Jonass' in space 'default'; did you mean Jonas?\n",
    )


def completions(*line: str) -> list[str]:
    """What bash would complete the last word of the line to."""
    words = ["factbook", *line]
    asked = {
        "_FACTBOOK_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.argv[0] = 'factbook'; from factbook.cli import main; main()",
        ],
        check=False,
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    return [each for each in done.stdout.splitlines() if each]


def test_the_shell_completes_names_and_kinds(terminal: Run, home: Path) -> None:
    terminal("put", "Mira Kovac", "--kind", "person", "--alias", "Misha")
    terminal("put", "Mill Lane", "--kind", "place")
    assert sorted(completions("show", "--db", "m.db", "mi")) == ["mill Lane", "mira Kovac", "misha"]
    assert completions("merge", "--db", "m.db", "Misha", "Mil") == ["Mill Lane"]
    assert completions("list", "--db", "m.db", "--kind", "pe") == ["person"]
    assert completions("show", "--db", "none.db", "mi") == []
    assert not Path("none.db").exists()


def test_a_file_of_this_folder_is_used_and_told(run: Run, home: Path) -> None:
    run("put", "Mira Kovac", "--kind", "person", "--db", "factbook.db")
    done = run("list")
    assert "Mira Kovac" in done.out
    assert "using ./factbook.db of this folder" in done.err
