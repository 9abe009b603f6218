"""The bench of names: what it asks the finders, and how it counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import names
from bench.names import SETS, found_projects, held_out, main
from factbook import reader

SCORER = """
import argparse, json
from pathlib import Path

parser = argparse.ArgumentParser()
for name in ("gold", "predicted", "kinds"):
    parser.add_argument("--" + name)
asked = parser.parse_args()
gold, found = ([json.loads(line) for line in Path(path).read_text().splitlines()] for path in (asked.gold, asked.predicted))
assert [row["id"] for row in gold] == [row["id"] for row in found]
right = sum(each in b["entities"] for a, b in zip(gold, found) for each in a["entities"])
share = right / sum(len(row["entities"]) for row in gold)
print(json.dumps({"span": {"f1": share}, "span_and_type": {"f1": share / 2}}))
"""


def test_held_out_messages_have_their_names_in_the_text() -> None:
    rows = list(held_out())
    assert len(rows) > 300
    assert all(each["name"] in row["text"] for row in rows for each in row["entities"])
    assert {each["type"] for row in rows for each in row["entities"]} >= {
        "person",
        "project",
        "work",
        "task",
    }


def test_projects_are_counted_found_and_with_their_kind() -> None:
    rows = [
        {"entities": [{"name": "Falcon", "type": "project"}, {"name": "Heron", "type": "project"}]}
    ]
    rows += [{"entities": [{"name": "Globex", "type": "organization"}]}]
    found = [[("falcon", "project"), ("Heron", "person")], [("Globex", "project")]]
    assert found_projects(rows, found) == {"all": 2, "found": 2, "kind": 1}


@pytest.mark.model
@pytest.mark.skipif(bool(reader.missing_modules()), reason="the local extra is not installed")
def test_every_finder_is_scored_on_every_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {
        "id": "1",
        "text": "Helena Brandt met us.",
        "entities": [{"name": "Helena Brandt", "type": "person"}],
    }
    project = {
        "id": "2",
        "text": "Project Falcon is late.",
        "entities": [{"name": "Project Falcon", "type": "project"}],
    }
    for name in SETS:
        (tmp_path / f"{name}_dev.jsonl").write_text(
            json.dumps(row) + "\n" + json.dumps(project) + "\n"
        )
    (tmp_path / "scorer.py").write_text(SCORER)
    monkeypatch.setattr(names, "held_out", lambda: [row])
    status = main(["--gold", str(tmp_path), "--scorer", str(tmp_path / "scorer.py"), "--json"])
    said = json.loads(capsys.readouterr().out)
    assert status == (0 if said["kept"] else 1)
    tables = said["tables"]
    scores, projects, costs = tables.values()
    assert [row["set"] for row in scores[:4]] == [*SETS, "held out"]
    assert scores[0][names.READER] == "1.000/0.500"
    assert projects[1]["there are"] == len(SETS)
    assert {each["figure"] for each in costs} >= {names.RATE, names.LOAD, names.RESIDENT}
    assert {bar["name"] for bar in said["bars"]} >= {
        "chat25 span",
        "wnut lost in small letters",
        "projects found",
    }
