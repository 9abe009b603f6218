"""How likely it is that anything answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.model.line import Hit
from factbook.recall.measure.signals import Measured
from factbook.recall.rank.ranking import likelihood

UNIT = st.floats(0.0, 1.0)


def measured(*lines: tuple[float | None, float, float, float]) -> Measured:
    """Lines by cosine, fit, name and speaker."""
    hits = [
        Hit(no=number, id=str(number), kind="message", cosine=line[0])
        for number, line in enumerate(lines)
    ]
    columns = {"name": [line[2] for line in lines], "speaker": [line[3] for line in lines]}
    return Measured(
        hits=hits, columns=columns, fit=[line[1] for line in lines], covered=[0.0] * len(lines)
    )


def test_nothing_answers_where_there_is_nothing() -> None:
    assert likelihood(measured()) == 0.0


def test_the_likeliest_line_counts() -> None:
    far, near = (0.1, 0.1, 0.0, 0.0), (0.6, 0.5, 0.0, 0.0)
    assert likelihood(measured(far)) < 0.01
    assert likelihood(measured(far, near)) == likelihood(measured(near)) > 0.9


def test_a_line_without_a_vector_goes_by_its_words() -> None:
    assert likelihood(measured((None, 0.1, 0.0, 0.0))) < 0.05
    assert likelihood(measured((None, 0.8, 0.0, 0.0))) > 0.95
    assert likelihood(measured((None, 0.2, 1.0, 0.0))) > likelihood(measured((None, 0.2, 0.0, 0.0)))


def test_who_was_asked_about_speaking_makes_it_likelier() -> None:
    assert likelihood(measured((0.35, 0.3, 0.0, 1.0))) > 3 * likelihood(
        measured((0.35, 0.3, 0.0, 0.0))
    )


@given(
    st.lists(st.tuples(st.none() | UNIT, UNIT, UNIT, UNIT), max_size=5),
    st.tuples(st.none() | UNIT, UNIT, UNIT, UNIT),
)
def test_one_more_line_never_makes_it_less_likely(
    lines: list[tuple[float | None, float, float, float]],
    one: tuple[float | None, float, float, float],
) -> None:
    before, after = likelihood(measured(*lines)), likelihood(measured(*lines, one))
    assert 0.0 <= before <= after <= 1.0
    assert after == pytest.approx(max(before, likelihood(measured(one))))
