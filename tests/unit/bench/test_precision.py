"""The bench on what must never be returned, over beliefs of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import main


def belief(key: str, content: str, **rest: Any) -> dict[str, Any]:
    return {
        "_id": key,
        "user_id": "test-user",
        "type": "entity",
        "canonical_name": key,
        "aliases": [],
        "content": content,
        "scope": ["domain:garden"],
        "epistemic_status": "active",
        "confidence": 0.9,
        "pinned": False,
        "resolved_at": None,
        "superseded_by": None,
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-02T00:00:00Z",
        **rest,
    }


BELIEFS = [
    belief(
        "roses_old",
        "Roses are watered daily.",
        superseded_by="roses",
        epistemic_status="superseded",
    ),
    belief("roses", "Roses are watered weekly <T>."),
    belief("roses_city", "Roses stand on the roof.", scope=["domain:city"]),
    belief("roses_tom", "Roses are hated.", user_id="tom"),
    belief("q", "Roses or tulips?", type="open_question", resolved_at="2026-01-01T12:00:00Z"),
    belief("manners", "Answers are short.", type="preference", scope=["user:universal"]),
]
CASES = [
    {
        "caseId": "one",
        "scope": ["domain:garden"],
        "query": "how often are the roses watered?",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["roses"]}},
    },
    {
        "caseId": "none",
        "scope": ["domain:garden"],
        "query": "who won the match?",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}},
    },
    {"caseId": "free", "scope": ["domain:city"], "query": "roses", "userId": "tom", "expect": {}},
]


def test_nothing_superseded_or_of_others_is_returned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beliefs, cases, out = tmp_path / "b.json", tmp_path / "c.json", tmp_path / "out.jsonl"
    beliefs.write_text(json.dumps(BELIEFS))
    cases.write_text(json.dumps(CASES))
    arguments = [
        "precision",
        "--beliefs",
        str(beliefs),
        "--cases",
        str(cases),
        "--out",
        str(out),
        "--json",
    ]
    assert main(arguments) == 0
    returned = {
        each["caseId"]: each["returned"] for each in map(json.loads, out.read_text().splitlines())
    }
    assert set(returned) == {"one", "none", "free"}
    assert "roses" in returned["one"]
    assert not {"roses_old", "roses_city", "roses_tom", "q"} & set(returned["one"])
    shown = json.loads(capsys.readouterr().out)
    assert [bar["value"] for bar in shown["bars"]] == [0, 0, 0, 1.0, 1.0, 1.0]
    assert shown["recall"] == 1.0
