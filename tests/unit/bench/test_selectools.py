"""The bench beside selectools: that both sides do the same work, and what is promised of it."""

from __future__ import annotations

import json

import pytest

pytest.importorskip(
    "selectools", reason="selectools is not installed: pip install 'factbook[selectools]'"
)

from bench import selectools
from bench.report import Table
from bench.selectools import MOST, WRITES, bars, main, timed


@pytest.mark.slow
def test_a_small_run_reports_every_operation_on_both_sides(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectools, "TIMES", 2)
    status = main(["--most", "100", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert status == (0 if said["kept"] else 1)
    entities, sizes, stores, together = said["tables"].values()
    assert [row["what"] for row in entities if row["selectools"] is None] == [
        "look-up by alias",
        "context, 1,000 tokens",
        "context, 1,000 tokens for a query",
        "the same, first after loading",
    ]
    assert all(row["factbook"] for row in [*entities, *stores])
    assert [row["what"] for row in stores] == [
        f"{what}, {kind} store" for kind in ("file", "sqlite") for what in ("save", "search")
    ]
    assert sizes[0]["entities"] == 100
    ours = [row for row in together if row["store"].startswith("factbook")]
    assert [(row["saves that failed"], row["entries kept"]) for row in ours] == [
        (0, 2 * WRITES)
    ] * 2
    assert [bar["name"] for bar in said["bars"]] == [f"kept by {row['store']}" for row in ours]


def test_the_bars_are_those_of_the_largest_size() -> None:
    figures = {
        f"{name} {MOST}": ms
        for name, ms in {
            "new, theirs": 110.0,
            "new, ours": 0.01,
            "context, theirs": 600.0,
            "query, ours": 20.0,
            "search file, theirs": 500.0,
            "search file, ours": 1.0,
            "search sqlite, theirs": 500.0,
            "search sqlite, ours": 1.0,
        }.items()
    }
    together = Table(title="", columns=())
    together.add("selectools' file store", 3, 11, 1.0)
    together.add("factbook's file store", 0, 399, 1.0)
    made = {bar.name: bar.met for bar in bars(figures, together, MOST)}
    assert list(made.values()) == [True, False, True, True, False]
    assert list(made)[-1] == "kept by factbook's file store"


def test_what_is_slow_is_repeated_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds, times in ((0.01, 30), (0.9, 3), (9.0, 1)):
        now = [0.0]

        def tick(seconds: float = seconds, now: list[float] = now) -> float:
            now[0] += seconds
            return now[0]

        monkeypatch.setattr("bench.selectools.time.perf_counter", tick)
        assert len(timed(lambda _: None).ms) == times
