"""Commands that ask."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from factbook import Memory
from factbook.cli.say import clean_output
from tests.integration.cli.conftest import DOUBT, Run, lines_of


def test_recall_prints_the_block_and_nothing_else(told: Run) -> None:
    done = told("recall", "who leads Project Atlas?", "--budget", "60")
    assert done.code == 0
    assert done.err == ""
    assert done.out.startswith('<memory about="Project Atlas" as-of="2026-06-14">\n')
    assert done.out.endswith("</memory>\n")
    assert "“Priya Raman leads Project Atlas now, she is our engineering lead.”\n" in done.out


def test_recall_explains_each_line(told: Run) -> None:
    done = told("recall", "who leads Project Atlas?", "--budget", "60", "--explain")
    first, *_, last = done.out.splitlines()
    assert "Priya Raman" in first
    assert " · " in first
    assert last.split(" · ")[0].endswith("of 60 tokens")
    assert "candidates" in last


def test_recall_explains_how_the_question_was_understood(told: Run) -> None:
    done = told("recall", "which projects did Pryia lead since March 2026?", "--explain")
    assert (
        'Asked: Pryia = Priya Raman · since 2026-03-01, "since March 2026" · project · list\n'
        in done.out
    )
    done = told("recall", "what does the person who leads Project Atlas do?", "--explain")
    assert "Asked: Project Atlas · Project Atlas ←leads– Priya Raman · person\n" in done.out
    done = told("recall", "how does Atlas compare between 3 May 2025 and 4 May 2025?", "--explain")
    assert "since 2025-05-03 until 2025-05-05" in done.out
    assert "Asked: by its words alone\n" in told("recall", "migration", "--explain").out


def test_recall_as_json_has_everything(told: Run) -> None:
    found = told("recall", "who leads Project Atlas?", "--json").json
    assert found["question"] == "who leads Project Atlas?"
    assert found["tokens"] <= found["budget"] == 1000
    assert set(found["lines"][0]) >= {
        "id",
        "kind",
        "text",
        "score",
        "parts",
        "because",
        "at",
        "source_id",
    }


def test_recall_takes_filters(told: Run) -> None:
    assert "Tom" not in told("recall", "who leads Project Atlas?", "--since", "2026-03-02").out
    assert told("recall", "who leads Project Atlas?", "--until", "2026-01-01T00:00+02:00").out == ""
    assert told("recall", "who leads Project Atlas?", "--session", "another").out == ""
    assert (
        "engineering lead"
        in told("recall", "role of Priya Raman", "--superseded", "--project", "x").out
    )


def test_nothing_that_fits_is_said_beside_the_output(told: Run) -> None:
    for more in ((), ("--explain",)):
        assert told("recall", "quantum chromodynamics", "--session", "none", *more).code == 0
    done = told("recall", "quantum chromodynamics", "--session", "none")
    assert (done.out, done.err) == ("", "Nothing that is known fits the question.\n")


def test_a_context_is_a_block(told: Run) -> None:
    assert told("context").out == snapshot(
        """\
<memory as-of="2026-06-14">
Priya Raman (person) — office Lisbon; role director; leads Project Atlas
</memory>
"""
    )
    assert "Project Atlas" in told("context", "Project Atlas", "--explain").out
    assert told("context", "--json").json["question"] == ""


def test_a_context_is_about_somebody_and_begins_with_rules_where_they_are_wanted(
    told: Run,
) -> None:
    with Memory.open("m.db", background=False, extractor="none") as memory:
        memory.observe("Use `pytest`, never unittest", sort="rule")
    about = ("context", "who leads Atlas?", "--about", "priya")
    assert "\nPriya Raman (person)\n- office Lisbon" in told(*about).out
    assert "pytest" not in told(*about).out
    assert told(*about, "--rules").out.splitlines()[1].startswith("Rule: Use `pytest`")
    assert "Rule: Use `pytest`" in told("context").out
    assert "pytest" not in told("context", "--no-rules").out
    done = told("context", "--about", "Nobody")
    assert (done.code, "nothing is known of 'Nobody'" in done.err) == (1, True)


def test_a_context_has_the_form_that_is_asked_for(told: Run) -> None:
    assert told("context", "--format", "known_entities").out == snapshot("""\
[Known Entities]
- Priya Raman (person): office=Lisbon, role=director, leads=Project Atlas
- Project Atlas (project)
""")
    assert "person:priya_raman" in told("context", "--format", "semantic_memory", "--explain").out
    wrong = told("context", "--format", "xml")
    assert wrong.code == 1
    assert (
        "format is one of memory, entity_memory, known_entities, semantic_memory, or a ContextForm; not xml"
        in wrong.err
    )


def test_show_tells_what_is_known_since_when_and_who_said_so(told: Run) -> None:
    told(
        "put",
        "Priya Raman",
        "--kind",
        "person",
        "--alias",
        "P. Raman",
        "--description",
        "Leads the new tracker.",
    )
    assert told("show", "priya").out == snapshot(
        """\
Priya Raman · person · also: P. Raman · 3 mentions, last 3 months ago · id id-0008
  Leads the new tracker.
  office  Lisbon            said 2026-03-04   you: “The office of Priya Raman is in Lisbon.”
  role    director          said 2026-03-03   Ada: “Priya Raman is our director now.”
          engineering lead  until 2026-03-03  Ada: “Priya Raman leads Project Atlas now, she is our engineering lead.”
  leads   Project Atlas     said 2026-03-02   Ada: “Priya Raman leads Project Atlas now, she is our engineering lead.”
"""
    )


def test_show_tells_both_ends_of_a_relation_and_what_ended(told: Run) -> None:
    told("relate", "Tom Berger", "knows", "Priya Raman")
    out = told("show", "Tom Berger").out
    assert (
        "  leads  Project Atlas  until 2026-03-02  Tom Berger: “I lead Project Atlas, I am Tom Berger.”"
        in out
    )
    assert "knows  Priya Raman" in out
    assert "by hand" in out
    assert "  ← leads  Priya Raman" in told("show", "Project Atlas").out
    assert "           Tom Berger   until" in told("show", "Project Atlas").out
    assert "  knows   Tom Berger" in told("show", "Priya Raman").out


def test_show_as_json_has_every_fact(told: Run) -> None:
    entity = told("show", "Priya Raman", "--json").json
    assert entity["attributes"] == {"office": "Lisbon", "role": "director"}
    assert [fact["state"] for fact in entity["facts"]] == ["current", "current", "superseded"]
    assert (
        entity["facts"][0]["fact"]["source"]["quote"] == "The office of Priya Raman is in Lisbon."
    )


def test_a_bare_entity_has_one_line(run: Run) -> None:
    run("put", "Acme", "--db", "m.db")
    assert (
        run("show", "Acme", "--db", "m.db").out
        == "Acme · other · 0 mentions, last today · id id-0001\n"
    )


def test_what_nobody_knows_is_an_error(told: Run) -> None:
    for command in ("show", "relations", "history"):
        done = told(command, "Nobody")
        assert (done.code, done.out, done.err) == (
            1,
            "",
            "nothing is known of 'Nobody' in space 'default'\n",
        )


def test_list_shows_the_last_seen_first(told: Run) -> None:
    assert told("list").out == snapshot(
        """\
name           kind     mentions  last seen     known
Priya Raman    person          3  3 months ago  office Lisbon; role director
Project Atlas  project         2  3 months ago
Tom Berger     person          1  4 months ago
"""
    )
    assert [entity["name"] for entity in told("list", "--kind", "person", "--json").json] == [
        "Priya Raman",
        "Tom Berger",
    ]


def test_a_long_list_is_cut_and_says_so(told: Run) -> None:
    done = told("list", "--limit", "1")
    assert len(done.out.splitlines()) == 2
    assert done.err == "1 of 3; --limit 3 shows all.\n"


def test_an_empty_list_says_why(told: Run, run: Run) -> None:
    assert told("list", "--kind", "place").err == "Nothing of that kind is known.\n"
    assert told("list", "--space", "other").err == "Nothing is known yet.\n"


def test_relations_are_the_current_ones_unless_asked(told: Run) -> None:
    assert told("relations").out == snapshot(
        """\
from         relation  to             when             source
Priya Raman  leads     Project Atlas  said 2026-03-02  Ada: “Priya Raman leads Project Atlas now, she is our engineering lead.”
"""
    )
    assert "Tom Berger" in told("relations", "--superseded").out
    assert "Tom Berger" in told("relations", "Project Atlas", "--superseded").out
    assert [link["hops"] for link in told("relations", "Priya", "--hops", "2", "--json").json] == [
        1
    ]
    assert told("relations", "Tom Berger").err == "No relation of Tom Berger is known.\n"
    assert told("relations", "--space", "other").err == "No relation is known.\n"


def test_conflicts_show_each_value_with_who_said_it(told: Run) -> None:
    assert (told("conflicts").out, told("conflicts").err) == ("", "No conflict.\n")
    told("remember", stdin=lines_of(DOUBT))
    done = told("conflicts")
    assert done.out == snapshot(
        """\
Project Atlas · deadline
  July    2026-05-01  Ada: “Project Atlas is due in July.”
  August  2026-05-01  Tom Berger: “Project Atlas is due in August.”
"""
    )
    assert done.err == "To settle one: factbook conflicts NAME ATTRIBUTE --keep VALUE\n"
    assert told("conflicts", "--json").json[0]["attribute"] == "deadline"
    assert "CONFLICT" in told("show", "Project Atlas").out


def test_history_tells_what_changed_and_why(told: Run) -> None:
    told("put", "Tom Berger", "--kind", "person", "--set", "team=billing", "--reason", "he said so")
    told("undo")
    assert told("history", "--limit", "2").out == snapshot(
        """\
3  2026-06-14 12:00  undo of 2 by user
    − Tom Berger: team = billing
2  2026-06-14 12:00  put by user · he said so · undone
    + Tom Berger: team = billing
"""
    )
    entries = told("history", "Priya Raman", "--json").json
    assert [entry["version"] for entry in entries] == [1]
    assert entries[0]["changes"][0]["after"]["type"] == "EntityRecord"
    assert "Ada" not in entries[0]["lines"][0]
    assert "Priya Raman is our director now." in entries[0]["quotes"]
    assert told("history", "--space", "other").err == "Nothing has changed yet.\n"


def test_a_long_change_is_cut(run: Run) -> None:
    sets = [part for n in range(20) for part in ("--set", f"a{n}=1")]
    run("put", "Acme", *sets, "--db", "m.db")
    assert run("history", "--db", "m.db").out.splitlines()[-1] == "    … 9 more"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada \x1b[31mred\x1b[0m", "Ada �[31mred�[0m"),
        ("one\ntwo\tthree", "one two three"),
        ("abc\u202edef\u200b", "abcdef"),
        ("naïve 日本 👩\u200d💻", "naïve 日本 👩\u200d💻"),
        ("\x9b2J", "�2J"),
    ],
)
def test_nothing_that_is_remembered_commands_the_terminal(text: str, shown: str) -> None:
    assert clean_output(text) == shown


def test_names_with_escapes_are_shown_harmlessly(run: Run) -> None:
    run("put", "Ada \x1b]0;owned\x07", "--set", "x=\x1b[2J", "--db", "m.db")
    for command in (("list",), ("show", "ada"), ("history",), ("context",), ("recall", "Ada")):
        done = run(*command, "--db", "m.db")
        assert done.code == 0
        assert "\x1b" not in done.out
    assert "\x9b" not in run("list", "--json", "--db", "m.db").out


def test_show_tells_what_was_corrected_once(told: Run) -> None:
    told("remember", "--text", "The office of Priya Raman is in Lisbon.", "--session", "s")
    told("remember", "--text", "Sorry, it's Porto, not Lisbon.", "--session", "s")
    lines = told("show", "Priya Raman").out.splitlines()
    assert [" ".join(line.split()[:3]) for line in lines if "Porto" in line.split("“")[0]] == [
        "office Porto since"
    ]
    assert [" ".join(line.split()[:2]) for line in lines if "Lisbon" in line.split("“")[0]] == [
        "Lisbon retracted"
    ]


def test_show_tells_what_is_worth_knowing_by_sort_and_date(told: Run) -> None:
    with Memory.open("m.db", background=False, extractor="none") as memory:
        memory.observe("hates olives", about="Priya", sort="preference")
        memory.observe("is allergic to nuts", about="Priya", importance=0.9)
        memory.observe("speaks no Dutch", about="Priya", holds="denied")
    said = told("show", "priya").out.partition("\n\n")[2]
    assert said == snapshot("""\
  state       2026-06-14  “is allergic to nuts”  by hand
              2026-06-14  “speaks no Dutch”  not so, by hand
  preference  2026-06-14  “hates olives”  by hand
""")
    assert "hates olives" not in told("show", "priya", "--as-of", "2020").out


def test_show_holds_to_a_budget_and_gives_scripts_the_ids(told: Run) -> None:
    with Memory.open("m.db", background=False, extractor="none") as memory:
        for each in range(20):
            memory.observe(f"collects stamps of the year {1900 + each}", about="Priya")
        ids = {row.id for row in memory.observations("Priya")}
    few = told("show", "priya", "--budget", "80").out
    assert 0 < few.count("stamps") < told("show", "priya", "--budget", "200").out.count("stamps")
    lines = told("show", "priya", "--json").json["profile"]
    assert {line["kind"] for line in lines} == {"fact", "relation", "observation"}
    assert ids.intersection(key for line in lines for key in line["ids"])
    assert told("show", "priya", "--budget", "0").code == 2
    assert told("show", "priya", "--as-of", "2026-03-02", "--json").json["profile"] == []


def test_show_tells_the_latest_of_what_holds_no_longer(run: Run) -> None:
    for each in range(9):
        run("put", "Acme", "--set", f"city=Port {each}", "--db", "m.db")
    out = run("show", "Acme", "--db", "m.db").out
    assert out.count("until") == 6
    assert "Port 8" in out
