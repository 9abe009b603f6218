"""The command that shows how things went."""

from __future__ import annotations

import pytest

from factbook.cli.courses import draw_sparkline
from tests.integration.cli.conftest import Run


def test_trends_draws_figures_and_tells_where_they_went(run: Run) -> None:
    for value in ("3.4%", "3.1%", "2.9%"):
        assert (
            run("put", "churn", "--kind", "metric", "--set", f"value={value}", "--db", "m.db").code
            == 0
        )
    run(
        "put",
        "Target CPA",
        "--kind",
        "decision",
        "--set",
        "action=switch",
        "--set",
        "rationale=cost",
        "--db",
        "m.db",
    )
    run("put", "slow export", "--kind", "pain_point", "--set", "severity=high", "--db", "m.db")
    done = run("trends", "--db", "m.db")
    assert "churn" in done.out
    assert "↓" in done.out
    assert "down 15%; from 3.4% in 2026-06-14" in done.out
    assert "action: switch; rationale: cost" in done.out
    (trend,) = run("trends", "churn", "--json", "--db", "m.db").json
    assert (trend["direction"], [point["text"] for point in trend["points"]]) == (
        "down",
        ["3.4%", "3.1%", "2.9%"],
    )
    assert run("trends", "--kind", "campaign", "--db", "m.db").out == ""
    assert run("trends", "nobody", "--db", "m.db").code == 1


@pytest.mark.parametrize(
    ("figures", "drawn"),
    [([1, 2, 3], "▁▅█"), ([2, 2], "▄▄"), ([-1, 7], "▁█"), ([0.1, 0.2, 0.15], "▁█▄")],
)
def test_a_line_of_bars_goes_from_the_least_to_the_greatest(
    figures: list[float], drawn: str
) -> None:
    assert draw_sparkline(figures) == drawn
