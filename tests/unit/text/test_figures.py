"""Figures as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text.figures import Figure, read_figure, read_figures


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("3.4%", 3.4, "%"),
        ("about 3.4 percent", 3.4, "%"),
        ("$120k", 120_000, "USD"),
        ("120,000 USD", 120_000, "USD"),
        ("$1.2 million", 1_200_000, "USD"),
        ("1.2M", 1_200_000, ""),
        ("€1.5m", 1_500_000, "EUR"),
        ("5m", 5, "m"),
        ("3 billion", 3e9, ""),
        ("1.234,56", 1234.56, ""),
        ("1,234.56", 1234.56, ""),
        ("1.234.567", 1_234_567, ""),
        ("3,4 %", 3.4, "%"),
        ("10 000", 10_000, ""),
        ("1'200", 1200, ""),
        ("-5 points", -5, "points"),
        ("$-5", -5, "USD"),
        ("−2%", -2, "%"),
        ("3.2x", 3.2, "x"),
        ("40 ms", 40, "ms"),
        ("$5,000 a month", 5000, "USD"),
        ("2 percentage points", 2, "pp"),
    ],
)
def test_a_figure_is_read_with_its_unit(text: str, value: float, unit: str) -> None:
    assert read_figure(text) == Figure(value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "low",
        "142/90",
        "3 of 5",
        "Q2",
        "v1.2.3",
        "2026-03-02",
        "3.4% in March 2026",
        "1..2",
        "1,2.3.4",
    ],
)
def test_what_is_no_single_figure_is_none(text: str) -> None:
    assert read_figure(text) is None


def test_named_figures_are_read_by_name() -> None:
    assert read_figures('{"CTR": 1.8, "cost per click": "$2"}'.replace('"$2"', "$2")) == {
        "ctr": Figure(1.8),
        "cost per click": Figure(2.0, "USD"),
    }
    assert read_figures("cost 1,200, ctr 2%; roas=3.2") == {
        "cost": Figure(1200.0),
        "ctr": Figure(2.0, "%"),
        "roas": Figure(3.2),
    }


@pytest.mark.parametrize("text", ["", "good", "ctr: 2%, fine", "ctr: much"])
def test_a_part_that_is_no_named_figure_spoils_the_list(text: str) -> None:
    assert read_figures(text) is None


@given(st.text())
def test_any_text_is_read_or_left(text: str) -> None:
    assert read_figure(text) is None or isinstance(read_figure(text), Figure)
    read_figures(text)


@given(st.integers(-(10**9), 10**9))
def test_a_whole_number_is_read_as_it_is(number: int) -> None:
    for written in (str(number), f"{number:,}"):
        found = read_figure(written)
        assert found is not None
        assert found.value == number
