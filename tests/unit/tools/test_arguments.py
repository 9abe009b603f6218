"""Arguments as models give them."""

from __future__ import annotations

from typing import Any

import pytest

from factbook import InputError
from factbook.tools.arguments import check_bounds, read_argument, refuse_unknown


@pytest.mark.parametrize(
    ("wanted", "given", "read_as"),
    [
        (str, "text", "text"),
        (str, "", ""),
        (str, None, None),
        (float, "0.8", 0.8),
        (float, " 1 ", 1.0),
        (float, 1, 1.0),
        (float, "", None),
        (float, "null", None),
        (int, "7", 7),
        (int, "7.0", 7),
        (int, 8.0, 8),
        (int, "None", None),
        (bool, True, True),
        (bool, "TRUE", True),
        (bool, "yes", True),
        (bool, 1, True),
        (bool, "no", False),
        (bool, "", False),
        (bool, 0, False),
        (bool, None, None),
    ],
)
def test_numbers_and_truth_values_may_come_as_text(
    wanted: Any, given: object, read_as: object
) -> None:
    found = read_argument("it", wanted, given)
    assert found == read_as
    assert type(found) is type(read_as)


@pytest.mark.parametrize(
    ("wanted", "given", "words"),
    [
        (str, 42, "it must be a text, not 42"),
        (str, ["a"], "it must be a text, not a list"),
        (str, {"a": 1}, "it must be a text, not an object"),
        (str, object(), "it must be a text, not a object"),
        (str, "\ud800", "half a surrogate pair"),
        (float, "high", "it must be a number such as 0.5, not 'high'"),
        (float, True, "it must be a number"),
        (float, [1], "it must be a number"),
        (float, "nan", "it must be a number"),
        (float, float("inf"), "it must be a number"),
        (float, 10**400, "it must be a number"),
        (int, "7 days", "it must be a whole number such as 7, not '7 days'"),
        (int, 1.5, "it must be a whole number such as 7, not 1.5"),
        (int, "x" * 100, "x…"),
        pytest.param(int, 10**5000, "so long a number", id="endless"),
        (bool, "perhaps", "it must be true or false, not 'perhaps'"),
        (bool, 2, "it must be true or false, not 2"),
        (bool, [], "it must be true or false, not a list"),
        (bool, "a\nb", r"not 'a\\nb'"),
    ],
)
def test_what_can_not_be_read_is_refused_with_what_to_give(
    wanted: Any, given: object, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read_argument("it", wanted, given)


def test_numbers_have_bounds() -> None:
    check_bounds("importance", 0.5, 0, 1)
    with pytest.raises(InputError, match=r"importance must be 0 to 1, not 1\.5"):
        check_bounds("importance", 1.5, 0, 1)


def test_an_argument_that_there_is_not_is_named_with_those_that_there_are() -> None:
    refuse_unknown("recall", ["query"], {"query": 1})
    with pytest.raises(InputError, match="recall takes query, limit; it has no argument 'space'"):
        refuse_unknown("recall", ["query", "limit"], {"space": "tom"})
    with pytest.raises(InputError, match="list takes no arguments; it has no argument 'x'"):
        refuse_unknown("list", [], {"x": 1})
