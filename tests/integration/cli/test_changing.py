"""Commands that write by hand, decide, take back and forget."""

from __future__ import annotations

import pytest

from tests.integration.cli.conftest import Run
from tests.support.models import Script, ScriptedExtractor, draft_entity


def test_put_writes_an_entity_and_says_how_to_take_it_back(run: Run) -> None:
    done = run(
        "put",
        "Priya Raman",
        "--kind",
        "person",
        "--set",
        "role=lead",
        "--set",
        "office = Lisbon",
        "--db",
        "m.db",
    )
    assert done.out == "Priya Raman is written down. Version 1; to take it back: factbook undo 1\n"
    entity = run("show", "Priya Raman", "--json", "--db", "m.db").json
    assert (entity["entity_type"], entity["attributes"]) == (
        "person",
        {"office": "Lisbon", "role": "lead"},
    )


def test_put_keeps_the_kind_that_is_known(told: Run) -> None:
    told("put", "Priya Raman", "--set", "team=tracking")
    entity = told("show", "Priya Raman", "--json").json
    assert (entity["entity_type"], entity["attributes"]["team"]) == ("person", "tracking")


def test_put_takes_names_and_labels(run: Run) -> None:
    options = (
        "--alias",
        "A. Liddell",
        "--description",
        "Runs it.",
        "--importance",
        "0.9",
        "--project",
        "atlas",
    )
    receipt = run(
        "put", "Alice", *options, "--session", "s1", "--reason", "why not", "--json", "--db", "m.db"
    ).json
    assert (receipt["verb"], receipt["versions"]) == ("put", [1])
    entity = run("show", "A. Liddell", "--json", "--db", "m.db").json
    assert (entity["name"], entity["description"], entity["importance"]) == (
        "Alice",
        "Runs it.",
        0.9,
    )


@pytest.mark.parametrize("written", ["role", "=lead", "role="])
def test_an_attribute_without_a_value_is_a_wrong_call(run: Run, written: str) -> None:
    done = run("put", "Alice", "--set", written, "--db", "m.db")
    assert done.code == 2
    assert "attribute=value" in done.err


def test_relate_links_two(told: Run) -> None:
    done = told(
        "relate",
        "Tom Berger",
        "works_with",
        "Priya Raman",
        "--since",
        "2026-03-01",
        "--note",
        "on customs",
    )
    assert (
        done.out
        == "Tom Berger works with Priya Raman. Version 2; to take it back: factbook undo 2\n"
    )
    [link] = [
        link
        for link in told("relations", "--json").json
        if link["relation"]["label"] == "works_with"
    ]
    assert link["relation"]["valid_at"] == "2026-03-01T00:00:00+00:00"
    assert (
        told("relate", "Tom Berger", "knows", "Nobody").err
        == "nothing is known of 'Nobody' in space 'default'\n"
    )


@pytest.mark.parametrize("written", ["soon", "2026-13-01", ""])
def test_a_date_that_is_none_is_a_wrong_call(told: Run, written: str) -> None:
    done = told("relate", "Tom Berger", "knows", "Priya Raman", "--since", written)
    assert done.code == 2
    assert "is not a date or time" in " ".join(done.err.split())


def test_note_keeps_a_note(told: Run) -> None:
    options = (
        "--category",
        "preference",
        "--about",
        "Priya Raman",
        "--importance",
        "0.9",
        "--persistent",
    )
    done = told("note", "Priya likes short answers", *options, "--expires", "2027-01-01")
    assert done.out == "Noted. Version 2; to take it back: factbook undo 2\n"
    assert "short answers" in told("recall", "short answers").out
    assert told("note", " ").err == "a note needs a text\n"


def test_merge_and_unmerge(told: Run) -> None:
    told("put", "P. R.", "--kind", "person")
    assert told("merge", "Priya Raman", "P. R.", "--reason", "same desk").out.startswith(
        "Priya Raman and P. R. are one."
    )
    assert told("show", "P. R.", "--json").json["name"] == "Priya Raman"
    assert told("unmerge", "Priya Raman", "P. R.").out.startswith("Priya Raman and P. R. are two.")
    assert told("show", "P. R.", "--json").json["name"] == "P. R."
    assert told("unmerge", "Priya Raman", "P. R.").code == 1


def test_what_is_so_already_changes_nothing(run: Run) -> None:
    firm = ("put", "Acme", "--kind", "organization", "--set", "city=Porto", "--db", "m.db")
    run(*firm)
    done = run(*firm)
    assert done.out == "Nothing to change: it was so already.\n"


FIRMS = ("Acme (Inc)", "Acme & Co")


@pytest.fixture
def doubtful(told: Run, extractor: ScriptedExtractor) -> Run:
    """Two names that may be one wait for review."""
    extractor.script = {
        f"{name} called.": Script(entities=[draft_entity(name, kind="organization")])
        for name in FIRMS
    }
    for name in FIRMS:
        told("remember", "--text", f"{name} called.")
    return told


def test_review_shows_both_names(doubtful: Run) -> None:
    done = doubtful("review")
    assert all(f"{name} (organization)" in done.out for name in FIRMS)
    assert done.err.startswith("To decide: factbook review ID --same, or --different\n")


@pytest.mark.parametrize(
    ("word", "said"),
    [("--same", "They are one."), ("--different", "They are two, and shall stay two.")],
)
def test_a_review_is_decided_by_the_beginning_of_its_id(
    doubtful: Run, word: str, said: str
) -> None:
    [waiting] = doubtful("review", "--json").json
    assert doubtful("review", waiting["id"][:-1]).code == 2
    assert doubtful("review", waiting["id"][:-1], word).out.startswith(said)
    assert doubtful("review").err == "Nothing waits for review.\n"


def test_a_review_that_does_not_wait_is_an_error(told: Run) -> None:
    done = told("review", "x1", "--same")
    assert (done.code, done.err) == (1, "no review 'x1' waits in space 'default'\n")


def test_undo_takes_the_latest_or_a_named_change_back(told: Run) -> None:
    told("put", "Acme")
    told("put", "Brightwater")
    assert (
        told("undo", "2", "--reason", "no such firm").out
        == "Taken back. Version 4; to take it back: factbook undo 4\n"
    )
    assert told("show", "Acme").code == 1
    assert told("undo", "--json").json["verb"] == "undo"
    assert told("show", "Brightwater").code == 1
    assert told("undo", "99").err == "space 'default' has no version 99\n"
    assert told("undo", "--cascade", "--space", "other").code == 1


def test_forget_tells_what_would_go_and_erases_only_when_told(told: Run) -> None:
    done = told("forget", "Tom Berger", "--dry-run")
    assert done.out == "Would be erased: 1 entity, 1 relation, 1 mention.\n"
    assert told("show", "Tom Berger").code == 0
    refused = told("forget", "Tom Berger")
    assert refused.code == 2
    assert "--yes" in refused.err
    done = told("forget", "Tom Berger", "--yes", "--reason", "asked to")
    assert done.out.startswith("Erased: ")
    assert "Not erased: backups" in done.out
    assert told("show", "Tom Berger").code == 1


def test_forget_lists_what_is_doubtful_and_takes_it_if_told(told: Run) -> None:
    said = "Priya Raman met Tom Berger in Bergen. He has a dog."
    told("remember", "--text", said, "--session", "later")
    told("merge", "Tom Berger", "Atlas", "--reason", "no")
    told("unmerge", "Tom Berger", "Atlas")
    foreseen = told("forget", "Tom Berger", "--dry-run")
    assert "Not erased: " in foreseen.out
    assert "“He has a dog.” (the pronoun may mean another)." in foreseen.out
    [asked] = [
        each["id"] for each in told("forget", "Tom Berger", "--dry-run", "--json").json["doubtful"]
    ]
    assert f"--also {asked}" in foreseen.err
    done = told("forget", "Tom Berger", "--also", asked, "--words", "erase", "--yes")
    assert "sentence" in done.out
    assert "dog" not in told("recall", "who has a dog?").out
    assert told("forget", "Priya Raman", "--words", "drop", "--yes").code == 1


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_on_a_terminal_forgetting_asks(
    told: Run, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    monkeypatch.setattr("factbook.cli.forgetting.sys", _Terminal())
    done = told("forget", "--everything", stdin=answer)
    assert "will be erased for good. Go on?" in done.out
    assert done.code == code
    assert told("stats", "--json").json["counts"]["messages"] == (4 if code else 0)


class _Terminal:
    stdin = type("Stdin", (), {"isatty": lambda self: True})()


def test_forget_takes_sessions_times_and_ids(told: Run) -> None:
    assert told("forget", "--session", "atlas", "--dry-run", "--json").json["counts"] == {
        "messages": 4
    }
    assert told(
        "forget", "--since", "2026-03-03", "--until", "2026-03-04", "--dry-run", "--json"
    ).json["counts"] == {"messages": 1}
    assert told("forget", "--project", "none", "--dry-run").out == "Would be erased: nothing.\n"
    unknown = told("forget", "--id", "x", "--dry-run")
    assert (unknown.code, unknown.out) == (1, "")
    assert "'x'" in unknown.err
    assert told("forget", "--dry-run").code == 1


def test_forget_lists_what_a_topic_would_take_and_lifts_it_again(told: Run) -> None:
    done = told("forget", "--topic", "offices Lisbon", "--dry-run")
    assert done.out.startswith("- The office of Priya Raman is in Lisbon.\n")
    done = told("forget", "--topic", "offices Lisbon", "--yes", "--json")
    version = done.json["version"]
    assert told("forget", "--lift", f"{version}", "--json").json == {"lifted": 1}
    assert told("forget", "--lift", "all").out == "Nothing was forgotten then.\n"
    assert told("forget", "--session", "atlas", "--yes").err.startswith(
        "Reading it again brings nothing back"
    )
    assert told("forget", "--lift", "all").out == "3 messages and names may be told again.\n"
    assert told("forget", "--lift", "some").code == 2


def test_personal_data_is_masked_where_it_is_wished(run: Run) -> None:
    run(
        "put",
        "Tom Berger",
        "--kind",
        "person",
        "--set",
        "phone=555-0132",
        "--redact",
        "usual",
        "--db",
        "m.db",
    )
    assert "[phone]" in run("show", "Tom Berger", "--db", "m.db").out
    run("note", "tom@example.org", "--redact", "email", "--db", "m.db")
    done = run(
        "remember",
        "--text",
        "call +44 20 7946 0958",
        "--redact",
        "all",
        "--no-wait",
        "--db",
        "m.db",
    )
    assert "1 masked: phone" in done.out
    assert run("note", "x", "--redact", "shoe", "--db", "m.db").code == 1


def test_dedupe_shows_then_merges_the_sure_and_asks_of_the_doubtful(told: Run) -> None:
    for name, kind in (
        ("Globex", "organization"),
        ("Globex GmbH", "organization"),
        ("L. Vogt", "person"),
    ):
        told("put", name, "--kind", kind)
    told("put", "Lena Vogt", "--kind", "person")
    dry = told("dedupe", "--dry-run")
    assert "would be merged" in dry.out
    assert "1 to merge, 1 to ask" in dry.err
    assert told("review", "--json").json == []
    done = told("dedupe", "--json").json
    [[pair, receipt]] = done["merged"]
    assert {pair["left_name"], pair["right_name"]} == {"Globex", "Globex GmbH"}
    assert pair["evidence"] == ["the same but for the legal form"]
    [waiting] = told("review", "--json").json
    assert {waiting["left"]["name"], waiting["right"]["name"]} == {"L. Vogt", "Lena Vogt"}
    assert "1 wait for your word" in told("dedupe").err
    assert told("undo", str(receipt["versions"][0])).code == 0
    assert "merged" in told("dedupe").out
    assert told("dedupe", "--kind", "project").err == "No duplicates.\n"


def test_a_review_shows_what_is_known_of_both_sides(told: Run) -> None:
    told("put", "Lena Vogt", "--kind", "person", "--set", "city=Porto", "--alias", "Leni")
    told("put", "L. Vogt", "--kind", "person", "--set", "city=Oslo")
    told("dedupe")
    assert "Lena Vogt (person, also Leni; city: Porto)" in told("review").out


def test_many_duplicates_are_cut_and_a_terminal_shows_how_far_it_is(
    told: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Globex", "Globex GmbH", "Initech", "Initech Ltd"):
        told("put", name, "--kind", "organization")
    monkeypatch.setattr("factbook.cli.doubting._SHOWN", 1)
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    done = told("dedupe", "--dry-run")
    assert "… and 1 more" in done.err


def test_end_says_that_something_holds_no_longer(told: Run) -> None:
    told("put", "Priya Raman", "--set", "desk=4 B")
    done = told("end", "Priya Raman", "desk", "--reason", "moved")
    assert done.out.startswith("Priya Raman, desk: holds no longer. Version ")
    assert "desk" not in told("show", "Priya Raman", "--json").json["attributes"]
    told("relate", "Tom Berger", "works_with", "Priya Raman")
    told("end", "Priya Raman", "--relation", "works_with", "--to", "Tom Berger")
    links = [
        each
        for each in told("relations", "--json").json
        if each["relation"]["label"] == "works_with"
    ]
    assert "current" not in {each["state"] for each in links}
    assert "no desk holds" in told("end", "Priya Raman", "desk").err


def test_rename_gives_another_name(told: Run) -> None:
    done = told("rename", "Priya Raman", "Priya Costa")
    assert done.out.startswith("Priya Raman is called Priya Costa. Version ")
    assert told("show", "Priya Raman", "--json").json["name"] == "Priya Costa"


def test_put_takes_an_id_of_the_host(run: Run) -> None:
    run("put", "Spring Sale", "--kind", "campaign", "--host-id", "crm=111", "--db", "m.db")
    run("put", "Spring Sale", "--kind", "campaign", "--host-id", "crm=222", "--db", "m.db")
    assert run("show", "crm:222", "--json", "--db", "m.db").json["ids"] == {"crm": "222"}


def test_episodes_shows_what_was_said_of_an_entity(told: Run) -> None:
    assert told("episodes", "Priya Raman").out
    assert isinstance(told("episodes", "Priya Raman", "--json").json, list)
    told("put", "Quiet One", "--kind", "person")
    assert "in no episode" in told("episodes", "Quiet One").err + told("episodes", "Quiet One").out
