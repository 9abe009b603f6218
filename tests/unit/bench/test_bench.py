from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import __main__ as dispatch
from bench import loading, made_up, plain_texts
from bench.report import Bar, Table, percentile, report, verdict


def bar(value: float | None, sign="≤") -> Bar:
    return Bar(name="recall", value=value, limit=25, sign=sign, unit="ms")


@pytest.mark.parametrize(
    ("made", "met"),
    [
        (bar(25), True),
        (bar(26), False),
        (bar(None), False),
        (bar(26, "≥"), True),
        (bar(24, "≥"), False),
        (bar(25, "="), True),
    ],
)
def test_a_bar_is_met_by_its_sign(made: Bar, met: bool):
    assert made.met is met


def test_the_last_line_names_what_was_missed_and_the_status_says_so(
    capsys: pytest.CaptureFixture[str],
):
    assert verdict([bar(20), bar(30)]) == 1
    assert capsys.readouterr().out == "MISSED: recall 30 ms (bar ≤ 25 ms)\n"
    assert verdict([bar(20)]) == 0
    assert verdict([]) == 0
    assert (
        capsys.readouterr().out == "bars kept: recall 20 ms (bar ≤ 25 ms)\nbars kept: none apply\n"
    )


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]):
    table = Table(title="Times", columns=("what", "ms"))
    table.add("recall", None)
    assert report([table], [bar(30)], as_json=True, lines=5) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["tables"] == {"Times": [{"what": "recall", "ms": None}]}
    assert (told["lines"], told["kept"], told["bars"][0]["met"]) == (5, False, False)


def test_tables_come_before_the_verdict(capsys: pytest.CaptureFixture[str]):
    table = Table(title="Times", columns=("what", "ms"))
    table.add("recall", 12345.6)
    assert report([table], [], as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "12,346" in "".join(lines[:-1])
    assert lines[-1] == "bars kept: none apply"


def test_a_percentile_is_one_of_the_values():
    values = [float(number) for number in range(1, 101)]
    assert [percentile(values, rank) for rank in (1, 50, 95, 100)] == [1, 50, 95, 100]
    assert percentile([3.0], 95) == 3.0
    assert percentile([], 95) == 0.0


def test_an_entity_has_five_lines_the_same_for_the_same_seed():
    one, two = made_up.block(7, 3, 10), made_up.block(7, 3, 10)
    assert one == two
    assert one != made_up.block(8, 3, 10)
    lines = len(one.messages) + sum(type(row).__name__ != "Mention" for row in one.rows)
    assert lines == made_up.LINES_AN_ENTITY


def test_every_bench_is_listed(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        dispatch.main(["--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("locomo", "extraction", "identity", "scale"))


@pytest.mark.slow
def test_scale_loads_asks_and_says_how_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(loading, "SINGLE_WRITES", 2)
    arguments = "--lines 50 --spaces-beside 1 --words-only --questions 4 --json --db"
    status = dispatch.main(["scale", *arguments.split(), str(tmp_path / "s.db")])
    told = json.loads(capsys.readouterr().out)
    assert status == (0 if told["kept"] else 1)
    recall, candidates, cost, first = told["tables"].values()
    assert [(row["by"], row["answered"]) for row in recall] == [
        ("words, alone", 4),
        ("words, 1 spaces of as many beside", 4),
    ]
    assert candidates[0]["share"] == 1
    assert cost[0] == {"what": "lines loaded", "figure": 50, "unit": ""}
    assert [row["model loaded"] for row in first] == ["no", "no"]


def test_plain_texts_are_the_same_for_the_same_seed_and_each_there_once():
    texts = plain_texts.texts(300)
    assert texts == plain_texts.texts(300)
    assert len(set(texts)) == 300
    assert texts != plain_texts.texts(300, seed=8)
