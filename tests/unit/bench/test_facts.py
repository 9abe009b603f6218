"""The bench of facts: what counts as right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.facts import ANSWERS, SETS, main, related, wanted

ROW = {
    "id": "1",
    "text": "My sister Ana works at Globex. Ana is allergic to peanuts.",
    "entities": [{"name": "Ana", "type": "person"}, {"name": "Globex", "type": "organization"}],
    "relations": [
        {"from": "self", "label": "sibling_of", "to": "Ana"},
        {"from": "Ana", "label": "works_at", "to": "Globex"},
        {"from": "Ana", "label": "lives_in", "to": "Oslo"},
    ],
    "facts": [{"of": "Ana", "attribute": "allergies", "value": "peanuts"}],
    "statements": [],
}


def test_symmetric_and_inverse_relations_are_equal() -> None:
    assert related("self", "sibling_of", "Ana") == related("ana", "sibling_of", "self")
    assert related("Max", "child_of", "Ana") == related("Ana", "parent_of", "Max")
    assert related("Ana", "works_at", "Globex") != related("Globex", "works_at", "Ana")


@pytest.mark.model
def test_what_is_found_is_counted_against_the_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    assert main(["--answers", str(path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["tables"]["few"]
    by_name = {row["what"]: (row["answers"], row["found"], row["right"]) for row in rows}
    assert by_name == {
        "entities": (2, 2, 2),
        "relations": (3, 2, 2),
        "facts": (1, 1, 1),
        "statements": (0, 0, 0),
    }
    assert main(["--answers", str(path), "--misses"]) == 0
    assert "missed relations: ana, lives_in, oslo" in capsys.readouterr().out


def test_the_answers_stand_in_their_texts() -> None:
    for path in (ANSWERS / f"{name}.jsonl" for name in SETS):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert all(each["name"].lower() in row["text"].lower() for each in row["entities"]), (
                row["id"]
            )
            assert wanted(row)["entities"] or not row["entities"]
