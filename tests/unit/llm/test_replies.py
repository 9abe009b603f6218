"""JSON out of what models answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.llm.replies import DEEPEST, MOST_TRIES, json_values

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
).filter(lambda value: isinstance(value, list | dict))


def values(text: str) -> list[object]:
    return [each.value for each in json_values(text)]


def only(text: str) -> object:
    (value,) = values(text)
    return value


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('Here they are: [{"name": "Ada"}] as you wished.', [{"name": "Ada"}]),
        ('```json\n{"name": "Ada"}\n```', {"name": "Ada"}),
        ('[{"name": "Ada",}, {"name": "Tom",},]', [{"name": "Ada"}, {"name": "Tom"}]),
        ("{'name': 'Ada', 'lead': True, 'age': None}", {"name": "Ada", "lead": True, "age": None}),
        ('{name: "Ada", "age": -3, "height": 1.6e0}', {"name": "Ada", "age": -3, "height": 1.6}),
        ('["a\nb", "it\\\'s", "\\u00e9", "a \\q"]', ["a\nb", "it's", "é", "a q"]),
        ('<think>Maybe [{"name": "x"}]?</think>[{"name": "Ada"}]', [{"name": "Ada"}]),
        ('thinking without a start [1]</think>["Ada"]', ["Ada"]),
        ('["Ada"] <thinking>or [1]?</thinking> so far', ["Ada"]),
        ('<think><think>[1]</think>["Ada"]', ["Ada"]),
        ('<reasoning>it is ["Ada"]', ["Ada"]),
        ("<think>" * 60_000, None),
        ("[]", []),
        ("{}", {}),
    ],
)
def test_a_value_is_read_out_of_what_stands_around_it(reply: str, expected: object) -> None:
    assert values(reply) == [] if expected is None else only(reply) == expected


def test_several_values_come_in_their_order() -> None:
    assert values('See [1]. {"name": "Ada"} and then [2]') == [[1], {"name": "Ada"}, [2]]


@pytest.mark.parametrize(
    "reply", ["", "none at all", "[the list]", "{not json}", '{"a" 1}', "[1 2]", "{1: 2}", "[nope]"]
)
def test_what_is_no_json_is_prose(reply: str) -> None:
    assert values(reply) == []


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('[{"name": "Ada"}, {"name": "Tom", "role": "cook', [{"name": "Ada"}, {"name": "Tom"}]),
        ('[{"name": "Ada"}, {"name"', [{"name": "Ada"}, {}]),
        ('[{"name": "Ada"}, {"name":', [{"name": "Ada"}, {}]),
        ('[{"name": "Ada"},', [{"name": "Ada"}]),
        ('[{"name": "Ada"', [{"name": "Ada"}]),
        ('{"ages": [3, 35', {"ages": [3]}),
        ('{"lead": tru', {}),
        ('{"lead": true', {}),
        ("{'name': 'Ad", {}),
        ("[", []),
    ],
)
def test_a_cut_off_end_gives_what_it_holds_and_says_so(reply: str, expected: object) -> None:
    (value,) = json_values(reply)
    assert value.cut
    assert value.value == expected


def test_depth_and_tries_have_an_end() -> None:
    assert values("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)) != []
    assert values("[x" * 5000) == []
    assert values("[x" * MOST_TRIES + '["Ada"]') == []


@given(JSON)
def test_whatever_is_json_is_read_as_json_reads_it(value: object) -> None:
    assert only("So: " + json.dumps(value) + " !") == value


@given(JSON, st.floats(0, 1))
def test_a_cut_anywhere_gives_a_part_and_never_fails(value: object, share: float) -> None:
    text = json.dumps(value)
    for found in json_values(text[: int(len(text) * share)]):
        assert found.cut or found.value is not None


@given(st.text(alphabet="[]{}\":,'\\ntrue10 "))
def test_no_text_fails(text: str) -> None:
    values(text)


def test_a_number_without_end_is_read_as_one():
    assert [each.value for each in json_values(f"[{'9' * 5000}]")] == [[float("inf")]]
