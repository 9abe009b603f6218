"""JSON out of what models answer."""

from __future__ import annotations

import json
import time
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.llm.lenient import DEEPEST, MOST_LOSSES, Partial
from factbook.llm.replies import LONGEST_REPLY, find_json

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
).filter(lambda value: isinstance(value, list | dict))


def values(text: str) -> list[object]:
    return list(find_json(text).values)


def losses(text: str) -> list[tuple[str, str]]:
    return [(each.reason, each.what) for each in find_json(text).losses]


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
        (
            '[{"name": "Ada" "role": "the "lead" cook"} {"name": "Tom"}]',
            [{"name": "Ada", "role": 'the "lead" cook'}, {"name": "Tom"}],
        ),
        (
            '{"name": "Ada", "said": "I said "yes", then left", "x": 3}',
            {"name": "Ada", "said": 'I said "yes", then left', "x": 3},
        ),
        (
            '[{"name": "Ada, "role": "cook"}, {"name": "Tom}, {"name": "Zoe"}]',
            [{"name": "Ada", "role": "cook"}, {"name": "Tom"}, {"name": "Zoe"}],
        ),
        ('["a", "the "b" c", "d"]', ["a", 'the "b" c', "d"]),
        ("{'name': 'it's Ada', 'x': 1}", {"name": "it's Ada", "x": 1}),
        ("{“name”: “Ada”, „role“: „the cook“}", {"name": "Ada", "role": "the cook"}),
        ('{"name"："Ada"，"role"："cook"}', {"name": "Ada", "role": "cook"}),
        (
            "{name: Ada Berg, age: 31, lead: yes, // of them all\n 7: x}",
            {"name": "Ada Berg", "age": 31, "lead": "yes", "7": "x"},
        ),
        ('[ // the first\n "Ada", /* and */ "Tom" # both\n]', ["Ada", "Tom"]),
        ('["Ada" // the first, "Tom"]', ["Ada", "Tom"]),
        ('[1. {"name": "Ada"}\n2. {"name": "Tom"}]', [{"name": "Ada"}, {"name": "Tom"}]),
        ('{"entities": ["Ada", "relations": []}', {"entities": ["Ada"], "relations": []}),
        ('{"entities": ["Ada"}', {"entities": ["Ada"]}),
        ('["Ada"}, "Tom"]', ["Ada", "Tom"]),
        ('{"name" "Ada"}', {"name": "Ada"}),
        ("[1 2]", [1, 2]),
        ('"[{\\"name\\": \\"Ada \\\\\\"Lovely\\\\\\"\\"}]"', [{"name": 'Ada "Lovely"'}]),
        ('{"a": "\\u00zz \\q \\" "x" y"}', {"a": 'u00zz q " "x" y'}),
        ('{"a": "ends with \\\\"}', {"a": "ends with \\"}),
    ],
)
def test_a_value_is_read_out_of_what_stands_around_it(reply: str, expected: object) -> None:
    assert values(reply) == [] if expected is None else only(reply) == expected


def test_several_values_come_in_their_order() -> None:
    assert values('See [1]. {"name": "Ada"} and then [2]') == [[1], {"name": "Ada"}, [2]]


@pytest.mark.parametrize(
    "reply", ["", "none at all", "[the list]", "{not json}", "[nope]", "it's {x} or [y](z)"]
)
def test_what_is_no_json_is_prose(reply: str) -> None:
    assert (values(reply), losses(reply)) == ([], [])


END = ("cut_off", "the end of the reply is missing")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('[{"name": "Ada"}, {"name": "Tom", "role": "cook', [{"name": "Ada"}, {"name": "Tom"}]),
        ('[{"name": "Ada"}, {"name"', [{"name": "Ada"}]),
        ('[{"name": "Ada"}, {"na', [{"name": "Ada"}]),
        ('[{"name": "Ada"}, {"name":', [{"name": "Ada"}]),
        ('[{"name": "Ada"},', [{"name": "Ada"}]),
        ('[{"name": "Ada"', [{"name": "Ada"}]),
        ('{"ages": [3, 35', {"ages": [3]}),
        ('{"lead": tru', {}),
        ('{"lead": true', {}),
        ("[true, fals", [True]),
        ("{'name': 'Ad", {}),
        ("[", []),
        ("{", {}),
        ('```json\n[{"name": "Ada"},\n```', [{"name": "Ada"}]),
    ],
)
def test_a_cut_off_end_gives_what_it_holds_and_says_so(reply: str, expected: object) -> None:
    assert (values(reply), losses(reply)) == ([expected], [END])


def test_an_object_without_a_part_is_told_from_a_whole_one() -> None:
    (listed,) = values(
        '[{"name": "Ada"}, {"name": "Tom", ...}, {"name": "Zoe", ~ ~}, {"name": "Uma"'
    )
    assert listed == [{"name": "Ada"}, {"name": "Tom"}, {"name": "Zoe"}, {"name": "Uma"}]
    assert [isinstance(each, Partial) for each in listed] == [False, True, True, True]


@pytest.mark.parametrize(
    ("reply", "expected", "lost"),
    [
        ('[{"name": "Ada"}, ... and 3 more]', [[{"name": "Ada"}]], [("abridged", "... and 3 more")]),
        ('{"name": "Ada", "home": …}', [{"name": "Ada"}], [("abridged", "…")]),
        (
            '[{"name": "Ada", "type": "person", {"name": "Tom"}]',
            [[{"name": "Ada", "type": "person"}, {"name": "Tom"}]],
            [("unreadable", '{"name": "Ada", "type": "person", {"name')],
        ),
        ('{"name": "Ada"]', [{"name": "Ada"}], [("unreadable", '{"name": "Ada"]')]),
        ('{"name": "Ada", ~~ [1, 2] ~~, "age": 3}', [{"name": "Ada", "age": 3}], [("unreadable", '~~ [1, 2] ~~, "age": 3}')]),
        ('{"name": "Ada", "age": }', [{"name": "Ada"}], [("unreadable", '"age": }')]),
        ('{"name": "Ada", "age": ::, "x": 1}', [{"name": "Ada", "x": 1}], [("unreadable", '"age": ::, "x": 1}')]),
        ('{"name": "Ada", "name": "Tom"}', [{"name": "Tom"}], [("unreadable", "name twice: Ada")]),
        ('["Ada", x y, 3]', [["Ada", 3]], [("unreadable", "x y, 3]")]),
        ('"name": "Ada"}, {"name": "Tom"}', [{"name": "Tom"}], [("unreadable", '"name": "Ada"},')]),
        ('["Ada"\n// {"name": "Tom"}\n]', [["Ada"]], [("unreadable", '// {"name": "Tom"} ]')]),
        ('[{"name": "Ada}]', [[]], [END]),
        ('["Ada", \'Tom, "Zoe"]', [["Ada"]], [END]),
        ('{"name": "Ada", "role', [{"name": "Ada"}], [END]),
    ],
)  # fmt: skip
def test_what_can_not_be_read_is_listed(
    reply: str, expected: list[object], lost: list[tuple[str, str]]
) -> None:
    assert (values(reply), losses(reply)) == (expected, lost)


def test_what_is_beyond_the_longest_reply_is_reported() -> None:
    text = '{"name": "Ada"}'
    assert losses(text + " " * LONGEST_REPLY) == [
        ("cut_off", f"{len(text)} characters of the reply")
    ]


def test_depth_and_the_list_of_losses_have_an_end() -> None:
    assert values("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)) != []
    assert losses("[" * (DEEPEST + 1) + "1" + "]" * (DEEPEST + 1))[0][0] == "unreadable"
    assert len(losses("[1, x, 2, " * 300)) == MOST_LOSSES + 1


HOSTILE = (
    *(("", part) for part in "[{\"'`.#/*\\,:-1a } "),
    *(("[", part) for part in ("\"", "x\" y, \"", "/*", "//", "/*{\"", "a' ", "... ", "1. ", "~[", "\\", "``` ", "9", "#{\"")),
    *(("[", part) for part in ('"a", x ', '"a", x "', "'a', x ", '"a" x, ')),
    *(('{"a": "', part) for part in ('x", "y" ', '" ', '} , { "', '" , "b": ', " " * 60 + '"b": ', '", b: ', '\\"')),
    *(("", part) for part in ('{"a":', '["', '{"', '"k": ', "{a:", '{a: "', '[{"name": "Ada}, ', "<think>", "{“a”:“")),
    *(("", part) for part in ("[1 ", "{'a':'", '{"a": 1, ~ ', '{"a" ', '["a', '{"a": "b" c, ')),
)  # fmt: skip


def test_time_grows_with_the_length_of_a_reply_alone() -> None:
    slow: dict[str, float] = {}
    for head, part in HOSTILE:
        small, large = (_cost(head + part * (size // len(part))) for size in (10_000, 80_000))
        if (
            large > 0.3 and large > 32 * small
        ):  # eight times the text: the square would cost 64 times
            slow[head + part] = large / small
    assert slow == {}


def _cost(text: str) -> float:
    began = time.process_time()
    find_json(text)
    return time.process_time() - began


@given(JSON)
def test_whatever_is_json_is_read_as_json_reads_it(value: object) -> None:
    assert only("So: " + json.dumps(value) + " !") == value


@given(
    st.lists(
        st.dictionaries(st.text(), st.text() | st.integers(), min_size=1, max_size=3), max_size=4
    ),
    st.data(),
)
def test_a_cut_anywhere_keeps_what_is_whole_and_reports_the_rest(
    value: list[dict[str, object]], data: st.DataObject
) -> None:
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    at = data.draw(st.integers(1, len(text)))
    read, lost = values(text[:at]), losses(text[:at])
    found = cast(list[dict[str, object]], read[0])
    whole = [each for each in found if not isinstance(each, Partial)]
    assert whole == value[: len(whole)]
    assert len(found) - len(whole) <= 1
    assert lost == ([] if at == len(text) else [END])


@given(st.text(alphabet="[]{}\":,'\\ntrue10 /*#.“”`~\n-"))
def test_no_text_fails(text: str) -> None:
    values(text)


def test_a_number_without_end_is_read_as_one() -> None:
    assert values(f"[{'9' * 5000}]") == [[float("inf")]]
