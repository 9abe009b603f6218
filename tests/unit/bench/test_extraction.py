"""The bench of the extraction, on texts of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.extraction import main

pytestmark = pytest.mark.model

TEXTS = {
    "a": "I work at Globex and prefer tea over coffee.",
    "b": "Tom Berger no longer uses Jenkins.",
    "c": "Hi, I'm Ada Quill and I live in Oslo.",
}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    path.write_text(
        "".join(json.dumps({"id": id_, "text": text}) + "\n" for id_, text in TEXTS.items())
    )
    return path


def test_findings_are_written_in_the_form_that_scorers_read(texts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    main(["--texts", str(texts), "--out", str(out), "--json"])
    rows = {row["id"]: row for row in map(json.loads, out.read_text().splitlines())}
    assert list(rows) == list(TEXTS)
    assert {"name": "Globex", "type": "organization"} in rows["a"]["entities"]
    assert {"from": "self", "label": "works_at", "to": "Globex"} in rows["a"]["relations"]
    assert "preference" in rows["a"]["kinds"]
    assert "tea" not in [each["name"] for each in rows["a"]["entities"]]
    assert [each["label"] for each in rows["b"]["relations"]] == ["used"], (
        "what is taken back is no finding"
    )
    assert rows["c"]["relations"] == [{"from": "Ada Quill", "label": "lives_in", "to": "Oslo"}]
    assert all(row["ms"] > 0 for row in rows.values())


def test_it_prints_tables_and_how_it_stands(
    texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(
        json.dumps({"id": "a", "entities": [{"name": "Globex", "type": "organization"}]}) + "\n"
    )
    main(["--texts", str(texts), "--out", str(tmp_path / "out.jsonl"), "--gold", str(gold)])
    printed = capsys.readouterr().out
    assert "against the answers" in printed
    assert "speed beyond the embedder" in printed.splitlines()[-1]
