"""The bench of identity decisions, on pairs of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.identity import main

PAIRS = "person\tBill Carter\tWilliam Carter\nperson|place\tAustin\tAustin\n# a remark\norganization\tAcme\tAcme Europe\n"


def test_decisions_are_written_in_the_order_of_the_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "out.tsv"
    pairs.write_text(PAIRS)
    assert main(["--pairs", str(pairs), "--out", str(out), "--json"]) == 0
    assert out.read_text().split() == ["merge", "separate", "ask"]
    assert json.loads(capsys.readouterr().out)["decisions"] == ["merge", "separate", "ask"]


def test_too_few_of_one_thing_merged_misses_the_bar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, gold, out = tmp_path / "pairs.tsv", tmp_path / "gold.tsv", tmp_path / "out.tsv"
    pairs.write_text(PAIRS)
    rows = zip(
        ("same", "different", "different"),
        (line for line in PAIRS.splitlines() if line[0] != "#"),
        strict=True,
    )
    gold.write_text("".join(f"{verdict}\t{line}\twhy\n" for verdict, line in rows))
    assert main(["--pairs", str(pairs), "--out", str(out), "--gold", str(gold)]) == 1
    assert "MISSED: same merged 1" in capsys.readouterr().out


def test_a_line_that_is_no_pair_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("person\tAda\n")
    assert main(["--pairs", str(pairs), "--out", str(tmp_path / "out")]) == 2
    assert "pairs.tsv, pair 1" in capsys.readouterr().err


def test_first_names_are_told_apart_between_conversations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def conversation(name: str, *talk: tuple[str, str]) -> dict[str, object]:
        turns = [
            {"speaker": speaker, "text": text, "dia_id": f"{name}:{n}"}
            for n, (speaker, text) in enumerate(talk)
        ]
        return {"sample_id": name, "conversation": {"session_1": turns, "session_2": turns[:1]}}

    told = [
        conversation("a", ("Ana", "I met Robert again."), ("Lena", "How is Robert?")),
        conversation("b", ("Omar", "We saw Robert there."), ("Nina", "Oh, Robert!")),
    ]
    (tmp_path / "talk.json").write_text(json.dumps(told))
    assert main(["--conversations", str(tmp_path), "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["tables"]["Recurring first names"]
    assert (row["name"], row["entities"], row["split"], row["shared"]) == ("Robert", 2, 0, 0)


def test_either_pairs_or_conversations_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "--conversations" in capsys.readouterr().err
