"""The bench of identity decisions, on pairs of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.identity import main

PAIRS = (
    "person\tBill Carter\tWilliam Carter\nperson|place\tAustin\tAustin\n# a remark\norganization\tAcme\tAcme Europe\n"
)


def test_decisions_are_written_in_the_order_of_the_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "out.tsv"
    pairs.write_text(PAIRS)
    assert main(["--pairs", str(pairs), "--out", str(out), "--json"]) == 0
    assert out.read_text().split() == ["merge", "separate", "ask"]
    assert json.loads(capsys.readouterr().out)["decisions"] == ["merge", "separate", "ask"]


def test_too_few_of_one_thing_merged_misses_the_bar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, gold, out = tmp_path / "pairs.tsv", tmp_path / "gold.tsv", tmp_path / "out.tsv"
    pairs.write_text(PAIRS)
    rows = zip(("same", "different", "different"), (line for line in PAIRS.splitlines() if line[0] != "#"), strict=True)
    gold.write_text("".join(f"{verdict}\t{line}\twhy\n" for verdict, line in rows))
    assert main(["--pairs", str(pairs), "--out", str(out), "--gold", str(gold)]) == 1
    assert "MISSED: same merged 1" in capsys.readouterr().out


def test_a_line_that_is_no_pair_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("person\tAda\n")
    assert main(["--pairs", str(pairs), "--out", str(tmp_path / "out")]) == 2
    assert "pairs.tsv, pair 1" in capsys.readouterr().err
