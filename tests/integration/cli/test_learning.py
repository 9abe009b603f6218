"""remember, work and jobs."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from factbook.errors import ConfigError, ModelUnavailableError
from factbook.text.transcript_files import FileMessage, read_transcript
from tests.integration.cli.conftest import TALK, Run, lines_of
from tests.support.faulty_server import FaultyServer, reply, status
from tests.support.models import ScriptedExtractor


def messages_in(run: Run, *options: str) -> int:
    return run("stats", "--json", *options).json["counts"]["messages"]


def test_a_file_is_learned_and_what_was_found_is_told(run: Run, talk: Path) -> None:
    done = run("remember", "talk.jsonl", "--db", "m.db")
    first, *rest = done.out.splitlines()
    assert first.startswith("Learning 4 messages  ")
    assert rest == ["  3 entities (2 people, 1 project)", "  3 facts · 2 relations"]
    assert (done.code, done.err) == (0, "")


def test_the_same_file_three_times_is_one_copy(told: Run, talk: Path) -> None:
    for _ in range(2):
        assert told("remember", "talk.jsonl").out == "4 messages read, all known already.\n"
    assert messages_in(told) == 4


def test_a_file_that_grew_is_read_from_its_new_end(told: Run, talk: Path) -> None:
    with talk.open("a") as file:
        file.write('{"text": "One more thing.", "session": "atlas"}\n')
    done = told("remember", "talk.jsonl")
    assert "Learning 1 message " in done.out
    assert "  4 messages known already" in done.out
    assert messages_in(told) == 5


def test_a_copy_of_what_was_forgotten_is_held_back_unless_it_is_wanted_anyway(
    told: Run, talk: Path
) -> None:
    told("forget", "--session", "atlas", "--yes")
    talk.rename(talk.with_name("copy.jsonl"))
    done = told("remember", "copy.jsonl", "--session", "again")
    assert done.out == "  4 messages held back: forgotten once (--anyway stores them)\n"
    assert told("remember", "copy.jsonl", "--json").json["held_back"] == 4
    assert told("remember", "copy.jsonl", "--anyway", "--json").json["stored"] == 4


WHATSAPP = "02.03.26, 10:15 - Ada: hello\n02.03.26, 10:16 - Tom: hi\n"


def test_a_chat_of_others_becomes_ones_own_words_only_where_that_is_said(
    run: Run, home: Path
) -> None:
    (home / "chat.txt").write_text(WHATSAPP)
    done = run("remember", "chat.txt", "--db", "m.db")
    assert done.code == 1
    assert done.err.startswith(
        "chat.txt: it looks like a chat of others (Ada, Tom) in a form that is not read; --mine takes"
    )
    assert messages_in(run, "--db", "m.db") == 0
    assert run("remember", "chat.txt", "--mine", "--no-wait", "--db", "m.db").code == 0
    assert run("remember", "--text", WHATSAPP + "and more", "--no-wait", "--db", "m.db").code == 0
    assert messages_in(run, "--db", "m.db") == 2


@pytest.mark.parametrize(("answer", "kept"), [("n", 0), ("y", 1)])
def test_on_a_terminal_one_is_asked_whether_a_chat_is_ones_own_words(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, kept: int
) -> None:
    (home / "chat.txt").write_text(WHATSAPP)
    monkeypatch.setattr("factbook.cli.learning.is_terminal", lambda: True)
    done = run("remember", "chat.txt", "--no-wait", "--db", "m.db", stdin=answer)
    assert "Take all of it as your own words?" in done.out
    assert (messages_in(run, "--db", "m.db"), done.code) == (kept, 1 - kept)


def test_the_result_as_json_is_complete(run: Run, talk: Path) -> None:
    done = run("remember", "talk.jsonl", "--json", "--db", "m.db").json
    assert (done["messages"], done["stored"], done["duplicates"], done["fault"]) == (4, 4, 0, None)
    assert done["learned"] == {
        "entities": 3,
        "facts": 3,
        "relations": 2,
        "mentions": 6,
        "reviews": 0,
        "conflicts": 0,
    }
    assert done["jobs"] == {"waiting": 0, "failed": 0}


def test_what_is_piped_in_is_remembered(run: Run) -> None:
    assert run("remember", "--db", "m.db", stdin=TALK[0][2]).code == 0
    assert run("remember", "-", "--db", "m.db", stdin=lines_of(TALK[1:])).code == 0
    assert {each["name"] for each in run("list", "--db", "m.db", "--json").json} >= {
        "Priya Raman",
        "Tom Berger",
    }


def test_a_text_can_be_given_on_the_line(run: Run) -> None:
    done = run(
        "remember", "--text", TALK[0][2], "--session", "s1", "--project", "p1", "--db", "m.db"
    )
    assert "2 entities (1 person, 1 project)" in done.out
    assert (
        "Tom"
        in run(
            "recall", "who leads Atlas", "--session", "s1", "--project", "p1", "--db", "m.db"
        ).out
    )
    assert run("remember", "talk.jsonl", "--text", "x", "--db", "m.db").code == 2


def test_messages_go_to_the_session_that_the_file_the_option_or_its_name_says(
    run: Run, home: Path
) -> None:
    (home / "notes.txt").write_text("Priya Raman is our director now.")
    (home / "talk.jsonl").write_text(lines_of(TALK))
    for arguments in (("notes.txt",), ("talk.jsonl",), ("talk.jsonl", "--session", "mine")):
        run("remember", *arguments, "--db", "m.db")
    found = {
        session: run(
            "recall", "Priya Raman director", "--session", session, "--db", "m.db", "--json"
        ).json["lines"]
        for session in ("notes", "atlas", "mine", "talk")
    }
    assert {session: bool(lines) for session, lines in found.items()} == {
        "notes": True,
        "atlas": True,
        "mine": True,
        "talk": False,
    }


def test_repeated_words_are_as_many_messages_as_were_said(run: Run, home: Path) -> None:
    said = "".join(
        f'{{"role": "user", "content": "{"ok" if n % 2 else f"step {n}"}"}}\n' for n in range(800)
    )
    (home / "long.jsonl").write_text(said)
    assert (
        run("remember", "long.jsonl", "--no-wait", "--json", "--db", "m.db").json["stored"] == 800
    )
    assert run("remember", "long.jsonl", "--no-wait", "--json", "--db", "m.db").json["stored"] == 0
    with (home / "long.jsonl").open("a") as file:
        file.write('{"role": "user", "content": "ok"}\n')
    assert run("remember", "long.jsonl", "--no-wait", "--json", "--db", "m.db").json["stored"] == 1


def test_messages_with_ids_are_left_to_them(run: Run, home: Path) -> None:
    (home / "a.jsonl").write_text(
        '{"id": "1", "text": "a"}\n{"id": "1", "text": "a"}\n{"id": "2", "text": "a"}\n'
    )
    done = run("remember", "a.jsonl", "--json", "--db", "m.db").json
    assert (done["stored"], done["duplicates"]) == (2, 1)


def test_secrets_are_masked_and_told(run: Run) -> None:
    done = run("remember", "--text", "my password is Blue42!x", "--db", "m.db")
    assert "  1 masked: password" in done.out
    assert "[secret:password]" in run("recall", "password", "--db", "m.db").out


def test_without_waiting_the_words_are_kept_and_work_learns(run: Run, talk: Path) -> None:
    done = run("remember", "talk.jsonl", "--no-wait", "--db", "m.db")
    assert (done.out, done.err) == ("4 messages kept.\n", "1 job waits: factbook work\n")
    assert "Priya Raman" in run("recall", "who leads Project Atlas?", "--db", "m.db").out
    assert run("jobs", "--json", "--db", "m.db").json[0]["state"] == "waiting"
    told = run("work", "--db", "m.db").out
    assert told == "1 job taken.\n  3 entities (2 people, 1 project)\n  3 facts · 2 relations\n"
    assert run("work", "--db", "m.db").out == "Nothing waits.\n"
    assert run("list", "--json", "--db", "m.db").json != []


# ---------------------------------------------------------------- bad input


def test_a_broken_line_is_told_and_what_stands_before_it_is_learned(run: Run, home: Path) -> None:
    whole = lines_of(TALK)
    file = home / "notes.jsonl"
    file.write_text(whole + '{"text": "half')
    told = "notes.jsonl, line 5: not JSON (unterminated string). 4 messages were learned; run again to go on from line 5.\n"
    for _ in range(2):
        done = run("remember", "notes.jsonl", "--db", "m.db")
        assert (done.code, done.err) == (1, told)
    assert len(run("list", "--json", "--db", "m.db").json) == 3
    file.write_text(whole + '{"text": "half and whole"}\n')
    done = run("remember", "notes.jsonl", "--json", "--db", "m.db")
    assert (done.code, done.json["stored"], done.json["duplicates"]) == (0, 1, 4)


def test_a_first_line_that_is_broken_keeps_nothing(run: Run, home: Path) -> None:
    (home / "a.jsonl").write_text('{"text": "half\n{"text": "whole"}\n')
    done = run("remember", "a.jsonl", "--db", "m.db")
    assert (done.code, done.out, done.err) == (
        1,
        "",
        "a.jsonl, line 1: not JSON (unterminated string).\n",
    )


def test_one_message_before_a_fault_is_one(run: Run, home: Path) -> None:
    (home / "a.jsonl").write_bytes(b'{"text": "whole"}\n{"text": "\xff"}\n')
    done = run("remember", "a.jsonl", "--no-wait", "--json", "--db", "m.db")
    assert done.json["fault"] == "a.jsonl, line 2: not text in UTF-8"
    assert done.err == (
        "a.jsonl, line 2: not text in UTF-8. 1 message was kept; run again to go on from line 2.\n"
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "a.txt: there is no text in it.\n"),
        (b"\x7fELF\0\0", "a.txt: not text, but a binary file.\n"),
        (b"[]", "a.txt: there are no messages in it.\n"),
    ],
)
def test_a_file_without_messages_is_told(run: Run, home: Path, data: bytes, told: str) -> None:
    (home / "a.txt").write_bytes(data)
    done = run("remember", "a.txt", "--db", "m.db")
    assert (done.code, done.out, done.err) == (1, "", told)


def test_later_files_wait_for_the_broken_one(run: Run, home: Path) -> None:
    (home / "a.txt").write_text("Ada leads Atlas.")
    (home / "b.txt").write_bytes(b"")
    done = run("remember", "a.txt", "b.txt", "a.txt", "--json", "--db", "m.db")
    assert (done.code, done.json["messages"]) == (1, 1)


def test_files_that_are_not_there_are_told_before_anything_is_read(
    run: Run, home: Path, talk: Path
) -> None:
    done = run("remember", "talk.jsonl", "gone.txt", "--db", "m.db")
    assert (done.code, done.err) == (
        1,
        "gone.txt is not there; to remember a text: factbook remember --text '…'\n",
    )
    assert not (home / "m.db").exists()
    assert "is a folder" in run("remember", str(home), "--db", "m.db").err


def test_a_file_that_can_not_be_opened_is_told(
    run: Run, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def refuse(file: Path, mode: str = "r") -> object:
        if file.name == "talk.jsonl":
            raise PermissionError(13, "Permission denied")
        return opened(file, mode)

    monkeypatch.setattr(Path, "open", refuse)
    assert (
        run("remember", "talk.jsonl", "--db", "m.db").err
        == "talk.jsonl can't be read: Permission denied\n"
    )


def test_a_file_that_breaks_off_while_it_is_read_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, talk: Path
) -> None:
    def broken(file: IO[bytes], **_: object) -> Iterator[FileMessage]:
        yield from read_transcript(io.BytesIO(b'{"text": "whole"}'))
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("factbook.cli.feeding.read_transcript", broken)
    told = "talk.jsonl can't be read: Input/output error. 1 message was learned.\n"
    assert run("remember", "talk.jsonl", "--db", "m.db").err == told


def test_a_terminal_without_a_file_is_a_wrong_call(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "factbook.cli.learning.sys",
        type("Sys", (), {"stdin": type("In", (), {"isatty": lambda self: True})()}),
    )
    done = run("remember", "--db", "m.db")
    assert done.code == 2
    assert "pipe something in" in done.err


# ---------------------------------------------------------------- jobs


def test_failed_jobs_are_told_and_tried_again(
    run: Run, talk: Path, extractor: ScriptedExtractor
) -> None:
    extractor.error = ConfigError("no extractor is installed: pip install 'factbook[local]'")
    done = run("remember", "talk.jsonl", "--db", "m.db")
    assert done.code == 0
    assert (
        done.err
        == "1 job failed: no extractor is installed: pip install 'factbook[local]'. Then: factbook work --retry\n"
    )
    assert done.out.endswith("4 messages kept.\n")
    jobs = run("jobs", "--db", "m.db")
    assert "failed" in jobs.out
    assert "no extractor is installed" in jobs.out
    extractor.error = None
    assert run("work", "--db", "m.db").out == "Nothing waits.\n"
    done = run("work", "--retry", "--json", "--db", "m.db").json
    learned = {
        "entities": 3,
        "facts": 3,
        "relations": 2,
        "mentions": 6,
        "reviews": 0,
        "conflicts": 0,
    }
    assert done == {"taken": 1, "learned": learned, "jobs": {}, "model": None}
    assert run("jobs", "--db", "m.db").err == "Nothing waits, runs or failed.\n"


def test_jobs_that_will_be_tried_again_are_told(
    run: Run, talk: Path, extractor: ScriptedExtractor
) -> None:
    extractor.error = ModelUnavailableError("not now")
    done = run("remember", "talk.jsonl", "--db", "m.db")
    assert done.err == "1 job will be tried again by factbook work\n"
    assert run("jobs", "--state", "waiting", "--json", "--db", "m.db").json[0]["attempts"] == 1


def test_work_can_learn_for_every_space(run: Run, talk: Path) -> None:
    for space in ("ada", "tom"):
        run("remember", "talk.jsonl", "--no-wait", "--db", "m.db", "--space", space)
    done = run("work", "--all-spaces", "--db", "m.db").out
    assert done == "2 jobs taken.\n  6 entities\n  6 facts · 4 relations\n"


def test_jobs_in_an_unknown_state_are_a_wrong_call(told: Run) -> None:
    assert told("jobs", "--state", "lost").code == 2
    assert told("jobs", "--state", "failed").err == "No job is in that state.\n"
    assert [job["state"] for job in told("jobs", "--state", "done", "--json").json] == ["done"]


def test_in_a_large_space_kinds_are_not_counted(
    run: Run, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("factbook.cli.learning._KINDS_COUNTED", 0)
    run("put", "Acme", "--db", "m.db")
    assert "  3 entities\n" in run("remember", "talk.jsonl", "--db", "m.db").out


def test_what_waits_for_a_decision_is_told(told: Run) -> None:
    from tests.integration.cli.conftest import DOUBT

    done = told("remember", stdin=lines_of(DOUBT))
    assert "1 conflict (factbook conflicts)" in done.out


def test_reviews_are_told() -> None:
    from collections import Counter

    from factbook.cli.learning import print_learned

    counts = {"entities": 1, "facts": 0, "relations": 0, "reviews": 2, "conflicts": 0}
    print_learned(counts, Counter({"person": 1}))
    print_learned({**counts, "reviews": 1}, Counter("abcd"))


def test_a_session_needs_a_name_that_may_be_used(run: Run, talk: Path) -> None:
    done = run("remember", "talk.jsonl", "--session", "a\nb", "--db", "m.db")
    assert done.code == 1
    assert json.dumps("a\nb")[1:-1] in done.err


def test_a_model_is_named_by_an_option_and_its_cost_is_told(
    run: Run, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FaultyServer() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        monkeypatch.setenv("FACTBOOK_LLM_RETRIES", "0")
        monkeypatch.setenv("FACTBOOK_LLM_INPUT_PRICE", "1")
        monkeypatch.setenv("FACTBOOK_LLM_OUTPUT_PRICE", "1")
        server.will(status(503))
        options = ("--extractor", "ollama:x", "--db", "m.db")
        done = run("remember", str(talk), *options)
        assert "1 job will be tried again by factbook work" in done.err
        assert "The model: 1 call" in done.err
        shown = run("jobs", "--db", "m.db")
        assert "next try" in shown.out
        assert "ollama:x" in shown.out
        (job,) = run("jobs", "--json", "--db", "m.db").json
        assert (job["state"], job["attempts"], bool(job["next_at"])) == ("waiting", 1, True)
        server.will(
            reply('{"entities": [{"name": "Zanzibar", "type": "place", "quote": "in Zanzibar"}]}')
        )
        found = run("work", "--retry", "--json", *options).json
        assert (found["taken"], found["model"]["calls"], found["model"]["cost"] is None) == (
            1,
            1,
            False,
        )
    assert (
        "Not taken of what their extractors gave: "
        in run("jobs", "--state", "done", "--db", "m.db").err
    )
    stats = run("stats", "--json", "--db", "m.db").json["counts"]
    assert any(name.startswith("dropped_") for name in stats)


def test_a_stand_in_learns_while_the_model_is_away(
    run: Run, talk: Path, extractor: ScriptedExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("factbook.extract.local.LocalExtractor", lambda: extractor)
    with FaultyServer() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        monkeypatch.setenv("FACTBOOK_LLM_RETRIES", "0")
        server.will(status(503))
        done = run("remember", str(talk), "--extractor", "ollama:x", "--stand-in", "--db", "m.db")
    assert "entities" in done.out
    assert "1 job will be tried again" in done.err


def test_an_extractor_that_is_none_is_refused_before_anything_is_kept(
    run: Run, talk: Path, home: Path
) -> None:
    done = run("remember", str(talk), "--extractor", "magic", "--db", "m.db")
    assert done.code == 1
    assert "no extractor 'magic'" in done.err
    assert not (home / "m.db").exists()
