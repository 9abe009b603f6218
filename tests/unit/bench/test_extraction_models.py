"""The bench of the extraction by a language model, on a server that plays its part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.extraction import main
from factbook.extract import local
from tests.support.faulty_server import FaultyServer, refusal, reply

TEXTS = {"a": "Tom Berger works at Globex.", "b": "ok thanks", "c": "Ada Quill is here."}
GOLD = {
    "id": "a",
    "entities": [
        {"name": "Tom Berger", "type": "person"},
        {"name": "Globex", "type": "organization"},
    ],
    "relations": [{"from": "Tom Berger", "label": "works_at", "to": "Globex"}],
}


def measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, dict[str, object]]:
    texts, gold = tmp_path / "texts.jsonl", tmp_path / "gold.jsonl"
    texts.write_text(
        "".join(json.dumps({"id": id_, "text": text}) + "\n" for id_, text in TEXTS.items())
    )
    gold.write_text(json.dumps(GOLD) + "\n")
    paths = ["--texts", str(texts), "--gold", str(gold), "--out", str(tmp_path / "out.jsonl")]
    code = main([*paths, "--json", *options])
    tables = json.loads(capsys.readouterr().out)["tables"]
    rows = [list(row.values()) for table in tables.values() for row in table]
    return code, {str(row[0]): row[1] for row in rows}


def test_a_model_is_scored_and_its_cost_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer() as server:
        empty = reply('{"entities": []}')
        server.will(empty, empty, refusal())
        options = ["--extractor", "openai:x", "--base-url", server.base_url("openai")]
        code, figures = measured(tmp_path, capsys, *options)
    assert code == 0
    assert figures["texts"] == 3
    assert figures["texts lost by ReplyRejectedError"] == 1
    assert figures["span F1"] == 0
    assert figures["calls"] == 1
    assert figures["ungrounded names in drafts"] == 0
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2


@pytest.mark.model
@pytest.mark.skipif(not local.is_installed(), reason="the local extra is not installed")
def test_of_a_hybrid_the_calls_saved_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer() as server:
        options = [
            "--extractor",
            "local+openai:x",
            "--base-url",
            server.base_url("openai"),
            "--at-once",
            "3",
        ]
        _, figures = measured(tmp_path, capsys, *options)
    assert isinstance(figures["calls saved, share of texts"], float)
    assert figures["span F1"] == 1
    assert figures["relation ends F1"] == 1


def test_a_spec_that_reads_nothing_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from factbook.errors import ConfigError

    with pytest.raises(ConfigError, match="reads nothing"):
        measured(tmp_path, capsys, "--extractor", "none")
