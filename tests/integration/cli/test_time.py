"""What held then, what was known then, settling a conflict, and what an undo would take back."""

from __future__ import annotations

from inline_snapshot import snapshot

from tests.integration.cli.conftest import DOUBT, Run, lines_of


def test_show_tells_what_held_then(told: Run) -> None:
    now = told("show", "Priya", "--json").json["facts"]
    assert {row["fact"]["value"] for row in now if row["state"] == "current"} == {
        "director",
        "Lisbon",
    }
    then = told("show", "Priya", "--as-of", "2026-03-02").out
    assert "engineering lead" in then
    assert "director" not in then
    states = {
        row["fact"]["value"]: row["state"]
        for row in told("show", "Priya", "--as-of", "2026-03-02", "--json").json["facts"]
    }
    assert states == {"engineering lead": "current", "director": "upcoming", "Lisbon": "upcoming"}


def test_relations_and_lists_of_a_time(told: Run) -> None:
    assert "Tom Berger" in told("relations", "--as-of", "2026-02").out
    assert "Priya" not in told("relations", "--as-of", "2026-02").out
    assert (
        "Tom Berger"
        in told("relations", "Project Atlas", "--hops", "2", "--as-of", "2026-02-28").out
    )
    assert "Priya" not in told("list", "--as-of", "2026-02").out
    assert "Priya" in told("list", "--as-of", "2026").out


def test_recall_and_context_of_a_time(told: Run) -> None:
    asked = ("recall", "who leads Project Atlas?")
    assert "Tom Berger (person) — leads Project Atlas" in told(*asked, "--as-of", "2026-02").out
    assert "Priya" not in told(*asked, "--as-of", "2026-02").out
    assert "Priya" not in told("context", "--as-of", "2026-02").out
    assert (
        told(*asked, "--recorded-as-of", "2026-06-13").err
        == "Nothing that is known fits the question.\n"
    )
    assert "Priya" in told(*asked, "--recorded-as-of", "2026-06-14").out


def test_what_was_known_before_anything_was_learned_is_nothing(told: Run) -> None:
    done = told("show", "Priya", "--recorded-as-of", "2026-06-01")
    assert (done.code, "nothing is known of 'Priya'" in done.err) == (1, True)
    assert told("list", "--recorded-as-of", "2026-06-01").err == "Nothing is known yet.\n"


def test_a_date_that_is_none_is_said(told: Run) -> None:
    done = told("show", "Priya", "--as-of", "2026-13")
    assert done.code == 1
    assert "as_of is a date or time such as 2024, 2024-03, 2024-03-05" in done.err.replace(
        "\n", " "
    )


def test_a_conflict_is_settled_by_one_command(told: Run) -> None:
    told("remember", stdin=lines_of(DOUBT))
    assert told("conflicts", "Project Atlas", "--json").json[0]["attribute"] == "deadline"
    assert told("conflicts", "Tom Berger").err == "No conflict.\n"
    settled = told(
        "conflicts", "Project Atlas", "deadline", "--keep", "august", "--reason", "the plan says so"
    )
    assert settled.out == snapshot(
        "Settled: Project Atlas, august. Version 3; to take it back: factbook undo 3\n"
    )
    assert told("conflicts").err == "No conflict.\n"
    assert "August" in told("show", "Project Atlas").out
    assert told("conflicts", "Project Atlas", "--keep", "July").code == 1
    assert told("conflicts", "--keep", "July").code == 2
    told("undo", "3")
    assert (
        told("conflicts", "Project Atlas", "--keep", "September", "--json").json["verb"] == "settle"
    )


def test_an_undo_is_foreseen(told: Run) -> None:
    told("put", "Tom Berger", "--kind", "person", "--set", "team=billing")
    assert told("undo", "1", "--dry-run").out == snapshot("""\
Would be taken back:
1  2026-06-14 12:00  learn by engine, said by Ada, user, Tom Berger
    + Tom Berger (person)
    + Project Atlas (project)
    + Priya Raman (person)
    + Priya Raman: role = engineering lead
    + Priya Raman: role = director
    + Priya Raman: office = Lisbon
    + Tom Berger leads Project Atlas
    + Priya Raman leads Project Atlas
    “Priya Raman leads Project Atlas now, she is our engineering lead.”
    “Priya Raman is our director now.”
    “The office of Priya Raman is in Lisbon.”
What rests on it, and goes along with --cascade alone:
2  2026-06-14 12:00  put by user
    + Tom Berger: team = billing
""")
    assert told("undo", "--dry-run", "--json").json["entries"][0]["version"] == 2
    assert "Tom Berger: team" in told("undo", "--since", "2026-06-14", "--dry-run").out
    told("undo", "--since", "2026-06-14")
    assert told("list").err == "Nothing is known yet.\n"
    assert "undone" in told("history").out
