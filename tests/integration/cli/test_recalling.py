"""Recall and context on the command line: filters, several spaces, a tokenizer, and why a line is
missing.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from tokenizers import Tokenizer, models, pre_tokenizers

from tests.integration.cli.conftest import Run

COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

ASKED = "who leads Project Atlas?"


@pytest.mark.parametrize("command", ["recall", "context"])
def test_every_filter_is_an_option(told: Run, command: str) -> None:
    told("note", "Project Atlas needs a new lead", "--project", "atlas", "--importance", "0.9")
    found = {
        options: told(command, ASKED, *options, "--json").json["lines"]
        for options in (
            ("--kind", "note"),
            ("--kind", "note", "--kind", "relation"),
            ("--min-importance", "0.8"),
            ("--verified", "--kind", "message"),
            ("--project", "orion"),
            ("--session", "atlas"),
            ("--since", "2026-03-02", "--until", "2026-03-03"),
        )
    }
    assert {line["kind"] for line in found["--kind", "note"]} == {"note"}
    assert {line["kind"] for line in found["--kind", "note", "--kind", "relation"]} == {
        "note",
        "relation",
    }
    assert {line["kind"] for line in found["--min-importance", "0.8"]} == {"note"}
    assert {line["kind"] for line in found["--verified", "--kind", "message"]} == {"message"}
    assert all(line["general"] for line in found["--project", "orion"])
    assert {line["session"] for line in found["--session", "atlas"]} == {"atlas"}
    assert {
        line["at"][:10] for line in found["--since", "2026-03-02", "--until", "2026-03-03"]
    } == {"2026-03-02"}


@pytest.mark.parametrize(
    ("options", "code", "error"),
    [
        (("--kind", "person"), 2, "'person' is none of message, fact"),
        (("--min-importance", "1.5"), 2, "--min-importance"),
        (("--since", "2026-03-04", "--until", "2026-03-02"), 1, "nothing lies between them"),
        (("--since", "sometime"), 2, "is not a date or time"),
        (
            ("--tokenizer", "none.json"),
            1,
            "the tokenizer none.json can't be read: No such file or directory",
        ),
        (("--reads", " "), 1, "a space may not"),
    ],
)
def test_a_filter_that_can_not_be_is_told(
    told: Run, options: tuple[str, ...], code: int, error: str
) -> None:
    done = told("recall", ASKED, *options)
    assert done.code == code
    assert error in " ".join(done.err.replace("│", " ").split())


def test_other_spaces_are_looked_into_and_marked(told: Run) -> None:
    told("note", "Project Atlas is led by a rota in August", "--space", "team")
    found = told("recall", ASKED, "--reads", "team", "--reads", "nobody")
    assert "team] Note: “Project Atlas is led by a rota in August”" in found.out
    assert "rota" not in told("recall", ASKED).out
    assert "Asked in team: " in told("recall", ASKED, "--reads", "team", "--explain").out
    assert "Asked: Project Atlas" in told("recall", ASKED, "--explain").out


def test_a_tokenizer_json_counts(told: Run, home: Path) -> None:
    words = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    words.save(str(home / "tokenizer.json"))
    for command in ("recall", "context"):
        found = told(command, ASKED, "--tokenizer", "tokenizer.json", "--json").json
        assert found["tokens"] == len(found["text"].split())


def test_explain_tells_what_was_cut_by_the_budget(told: Run) -> None:
    out = told("recall", ASKED, "--budget", "45", "--explain").out
    assert "Cut by the budget:" in out
    assert "tokens · " in out.split("Cut by the budget:")[1]


def test_explain_tells_what_is_said_already_and_what_holds_no_longer(told: Run) -> None:
    out = told("recall", "what is the role of Priya Raman?", "--explain").out
    assert "Said already by a line above:" in out
    told("put", "Priya Raman", "--set", "office=Porto")
    out = told("recall", "which office has Priya Raman?", "--explain").out
    assert "formerly office Lisbon" in out.split("Holds no longer (--superseded brings it in):")[1]


def test_explain_tells_what_a_filter_kept_out_in_json_too(told: Run) -> None:
    out = told("recall", ASKED, "--since", "2026-03-02", "--explain").out
    assert "I lead Project Atlas" in out.split("Kept out by a filter:")[1]
    near = told("recall", ASKED, "--since", "2026-03-02", "--explain", "--json").json["near"]
    assert "filter" in {line["left_out"] for line in near}
    near = told("recall", ASKED, "--since", "2026-03-02", "--json").json["near"]
    assert "filter" not in {line["left_out"] for line in near}


def test_explain_tells_why_nothing_is_said(told: Run) -> None:
    out = told("recall", "quantum chromodynamics", "--explain").out
    assert "Nothing in default fits well enough: the best fit is " in out
    assert "0 of 1000 tokens · 0 of " in out
    (silent,) = told("recall", "quantum chromodynamics", "--json").json["silent"]
    assert silent["fit"] < silent["least"]


@pytest.mark.parametrize("columns", ["80", "120"])
def test_an_explanation_fits_the_terminal(
    told: Run, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", columns)
    rows = COLOUR.sub("", told("recall", ASKED, "--budget", "60", "--explain").out).splitlines()
    assert max(map(cell_len, rows)) <= int(columns)
    assert not any(row.rstrip().endswith("…") for row in rows)  # no part of a score is cut in two


def test_a_line_that_was_cut_is_shown_whole(run: Run) -> None:
    text = " ".join(
        f"Item {number} of the minutes was put off to the next time." for number in range(60)
    )
    run(
        "remember",
        "--text",
        f"{text} The budget of Atlas is 40,000 euros.",
        "--extractor",
        "none",
        "--db",
        "m.db",
    )
    (line,) = run(
        "recall", "what is the budget of Atlas?", "--budget", "150", "--json", "--db", "m.db"
    ).json["lines"]
    assert line["cut"]
    assert (
        run("whole", line["id"], "--db", "m.db").out.strip()
        == f"{text} The budget of Atlas is 40,000 euros."
    )
    assert run("whole", line["id"], "--json", "--db", "m.db").json["id"] == line["id"]
    missing = run("whole", "nothing", "--db", "m.db")
    assert missing.code == 1
    assert "no such message or note" in missing.err
