from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench import locomo

CHAT: dict[str, Any] = {
    "sample_id": "chat-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Tom",
        "session_10_date_time": "9:05 am on 2 June, 2026",
        "session_10": [
            {"speaker": "Tom", "dia_id": "D10:1", "text": "The pottery class was great."}
        ],
        "session_2_date_time": "1:56 pm on 8 May, 2026",
        "session_2": [
            {"speaker": "Ada", "dia_id": "D2:1", "text": "Are you going to the pottery class?"},
            {"speaker": "Tom", "dia_id": "D2:2", "text": " "},
            {
                "speaker": "Tom",
                "dia_id": "D2:3",
                "text": "Yes, on Friday.",
                "blip_caption": "a bowl",
            },
        ],
        "session_2_summary": "left out",
    },
    "qa": [
        {"question": "How was the pottery class?"},
        {"question": "What is the capital of Mongolia?"},
    ],
}


def test_sessions_come_in_order_with_their_times_ids_and_speakers() -> None:
    (first, early), (second, late) = locomo.sessions(CHAT["conversation"])
    assert (first, second) == ("session_2", "session_10")
    assert [(each.id, each.speaker, each.text) for each in early] == [
        ("D2:1", "Ada", "Are you going to the pottery class?"),
        ("D2:3", "Tom", "Yes, on Friday."),
    ]
    assert early[0].at == datetime(2026, 5, 8, 13, 56, tzinfo=UTC)
    assert early[1].at == datetime(2026, 5, 8, 13, 56, 2, tzinfo=UTC)
    assert late[0].at == datetime(2026, 6, 2, 9, 5, tzinfo=UTC)


def test_a_time_of_another_form_is_none() -> None:
    assert locomo.when("") is None
    assert locomo.when("noon") is None
    assert locomo.when("1:56 pm on 8 Aug, 2023") == datetime(2023, 8, 8, 13, 56, tzinfo=UTC)


def test_a_context_a_question_is_written_and_the_bars_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data.json").write_text(json.dumps([CHAT]))
    out = tmp_path / "out.jsonl"
    arguments = ["--data", str(tmp_path / "data.json"), "--out", str(out), "--budget", "100"]
    arguments += ["--extractor", "none", "--embedder", "none"]
    assert locomo.main(arguments) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["question_id"] for row in rows] == ["chat-1:0", "chat-1:1"]
    assert "Tom: “The pottery class was great.”" in rows[0]["context"]
    assert rows[1]["context"] == ""
    assert all(row["ms"] > 0 for row in rows)
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1].startswith("bars kept: largest context")
    assert "1/1 chat-1: 3 messages" in shown.err


def test_its_report_as_json_and_a_kept_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data.json").write_text(json.dumps([CHAT]))
    arguments = [
        "--data",
        str(tmp_path / "data.json"),
        "--out",
        str(tmp_path / "out.jsonl"),
        "--json",
    ]
    arguments += ["--db", str(tmp_path / "kept"), "--extractor", "none", "--embedder", "none"]
    assert locomo.main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["kept"]
    assert (tmp_path / "kept" / "locomo.db").exists()
    assert locomo.main(arguments) == 0
