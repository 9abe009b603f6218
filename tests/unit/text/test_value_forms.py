"""The forms of a schema."""

from __future__ import annotations

import pytest

from factbook.text.value_forms import describe_form, fit_value, is_form


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        ("High", "low|medium|high", "high"),
        ("severe", "low|medium|high", "high"),
        ("terrible", "low|medium|high", None),
        ("Reports", "communication|analysis|risk|reporting", "reporting"),
        ("risk tolerance", "communication|analysis|risk|reporting", "risk"),
        ("3", "count", "3"),
        ("twice", "count", "2"),
        ("three times", "count", "3"),
        ("4x", "count", "4"),
        ("1,200", "count", "1200"),
        ("2.0", "count", "2"),
        ("often", "count", None),
        ("-1", "count", None),
        ("0.9", "share", "0.9"),
        ("90%", "share", "0.9"),
        ("high", "share", "0.9"),
        ("1.2", "share", None),
        ("$1", "share", None),
        ("yes", "yes_no", "true"),
        ("not yet", "yes_no", "false"),
        ("maybe", "yes_no", None),
        ("$120k", "number", "$120k"),
        ("a lot", "number", None),
        ("ctr: 1.8%", "figures", "ctr: 1.8%"),
        ("fine", "figures", None),
    ],
)
def test_a_value_is_brought_into_its_form(value: str, form: str, expected: str | None) -> None:
    assert fit_value(value, form) == expected


def test_a_form_says_what_it_is() -> None:
    assert describe_form("low|medium|high") == "low, medium or high"
    assert describe_form("one") == "one"
    assert describe_form("share") == "a number from 0 to 1"
    assert is_form("number")
    assert is_form("a|b")
    assert not is_form("a||b")
