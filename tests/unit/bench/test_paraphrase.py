"""The benches over chats of our own, on small ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from bench import ablation, told
from bench.__main__ import main
from bench.ablation import CHOICES, CONSTANTS, SIGNALS, markdown, turns_asked, unlisted, variants
from factbook.recall.weights import DEFAULT, Weights

CHAT: Sequence[Mapping[str, Any]] = [
    {
        "chat": "club",
        "session": "club-01",
        "at": "2025-05-01T10:00:00+00:00",
        "messages": [
            {"id": "1", "speaker": "Ada", "text": "The pottery kiln broke on Friday."},
            {"id": "2", "speaker": "Tom", "text": "I ordered clay for the summer course."},
            {"id": "3", "speaker": "User", "text": "My bowl has a crack."},
            {"id": "4", "speaker": "Assistant", "text": "Bowls can be mended with glue."},
        ],
    },
    {
        "question": "What broke on Friday?",
        "chat": "club",
        "kind": "single",
        "evidence": ["1"],
        "split": "dev",
    },
    {
        "question": "Which clay is for my bowl?",
        "chat": "club",
        "kind": "multi",
        "evidence": ["2", "3"],
        "split": "held",
    },
    {
        "question": "Who sings opera in Vienna?",
        "chat": "club",
        "kind": "none",
        "evidence": [],
        "split": "dev",
    },
]
RIDDLES: Sequence[Mapping[str, Any]] = [
    CHAT[0],
    {"question": "What broke on Friday?", "evidence": ["1"], "split": "dev"},
    {"question": "Who sings opera in Vienna?", "evidence": ["2"], "split": "held"},
]
TALK: Mapping[str, Any] = {
    "sample_id": "talk-1",
    "conversation": {
        "session_1_date_time": "9:05 am on 2 June, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "The kiln broke."},
            {"speaker": "Tom", "dia_id": "D1:2", "text": "I ordered clay."},
        ],
    },
    "qa": [
        {"question": "What broke?", "category": 1, "evidence": ["D1:1; D:1:02", "D9:9"]},
        {"question": "Who sings?", "category": 5, "evidence": ["D1:1"]},
        {"question": "Where is it?", "category": 4},
    ],
}


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rows in (("CHATS", CHAT), ("PARAPHRASES", RIDDLES)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        monkeypatch.setattr(told, name, path)


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_roles_are_no_speakers_and_messages_are_a_minute_apart() -> None:
    (session,) = told.sessions(told.CHATS)
    assert [(each.speaker, each.role) for each in session.messages] == [
        ("Ada", "user"),
        ("Tom", "user"),
        ("", "user"),
        ("", "assistant"),
    ]
    times = [each.at for each in session.messages if each.at is not None]
    assert [(each - times[0]).seconds for each in times] == [0, 60, 120, 180]


def test_a_paraphrase_is_found_where_its_message_comes_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, db = tmp_path / "out.jsonl", tmp_path / "told.db"
    status = main(["paraphrase", "--out", str(out), "--db", str(db), "--json"])
    told_of = json.loads(capsys.readouterr().out)
    assert status == 1
    assert [(bar["name"], bar["value"]) for bar in told_of["bars"]] == [("R@1", 0.5)]
    rows = rows_of(out)
    assert len(rows) == 8
    assert {(row["haystack"], row["embedder"]) for row in rows} == {
        (haystack, embedder)
        for haystack in ("everything", "alone")
        for embedder in ("auto", "none")
    }
    assert [row["place"] for row in rows if row["split"] == "dev"] == [1, 1, 1, 1]
    assert [row["inside"] for row in rows if row["split"] == "dev"] == [True] * 4
    assert main(["paraphrase", "--out", str(out), "--db", str(db), "--split", "dev"]) == 0
    assert len(rows_of(out)) == 4


def test_chats_tell_what_share_of_the_evidence_is_found_and_how_often_nothing_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, db = tmp_path / "out.jsonl", tmp_path / "chats.db"
    assert main(["chats", "--out", str(out), "--db", str(db), "--embedder", "none", "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    by_kind = {
        row["kind"]: row
        for row in tables["Chats by kind of question: evidence recall, R@1, tokens"]
    }
    assert by_kind["all (dev)"]["at 500"] == 1.0
    assert by_kind["none (dev)"]["at 500"] == 1.0
    assert by_kind["none (dev)"]["R@1"] is None
    assert by_kind["multi (held)"]["questions"] == 1
    assert {row["budget"] for row in rows_of(out)} == {300, 500, 1000}
    assert main(["chats", "--out", str(out), "--db", str(db), "--split", "held"]) == 0
    assert {row["kind"] for row in rows_of(out)} == {"multi"}


def test_every_weight_is_switched_off_by_a_row_or_is_a_constant() -> None:
    assert unlisted() == set()
    known = {each.name for each in fields(Weights)}
    listed = [name for some in (*SIGNALS.values(), *CHOICES.values()) for name in some]
    assert known >= {*listed, *CONSTANTS}
    assert len(listed) == len(set(listed))


def test_a_row_differs_from_the_whole_in_what_it_switches_off_alone() -> None:
    rows = {each.name: each for each in variants()}
    assert rows["all"].weights == DEFAULT
    assert rows["meaning"].weights == replace(DEFAULT, meaning=0.0)
    assert rows["neighbours"].weights == replace(DEFAULT, near=0.0, beside=0.0)
    assert not rows["vectors"].vectors
    assert rows["question without names"].names


def test_evidence_is_read_in_the_forms_it_comes_in_and_other_questions_are_left_out() -> None:
    (query,) = turns_asked([TALK])
    assert query.evidence == ["The kiln broke.", "I ordered clay."]
    assert query.multi


def test_the_table_tells_what_is_lost_without_each() -> None:
    rows = [("all", {"recall": 86.71, "R@1": 50.0}), ("words", {"recall": 85.5, "R@1": 50.01})]
    assert markdown(rows).splitlines()[2:] == [
        "| (all signals) | 86.7 | 50.0 |",
        "| words | −1.2 | 0 |",
    ]


def test_an_ablation_asks_all_three_materials(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "data.json", tmp_path / "out.md"
    data.write_text(json.dumps([TALK]), "utf-8")
    arguments = [
        "--data",
        str(data),
        "--truth",
        str(data),
        "--out",
        str(out),
        "--db",
        str(tmp_path / "dbs"),
    ]
    only = ["--budgets", "200", "--only", "words", "vectors", "question without names"]
    assert main(["ablation", *arguments, *only]) == 0
    lines = out.read_text("utf-8").splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        "| (all signals)",
        "| words",
        "| question without names",
        "| vectors",
    ]
    assert "LoCoMo 200" in lines[0]
    assert "chats silence" in lines[0]
    assert "words" in capsys.readouterr().err
    assert ablation.MULTI_HOP == 1
