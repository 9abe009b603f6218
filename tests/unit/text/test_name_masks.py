from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text.name_masks import Mask, moved


@pytest.mark.parametrize(
    ("name", "text", "masked"),
    [
        ("Ada", "Ada plays", "[x] plays"),
        ("Ada", "ADA, ada and Ada's", "[x], [x] and [x]'s"),
        ("Ada", "Adam, Canada, Ada2, 3Ada", "Adam, Canada, Ada2, 3Ada"),
        (
            "Ada",
            "ada_lovelace ada-like @ada ada@acme.example",
            "[x]_lovelace [x]-like @[x] [x]@acme.example",
        ),
        ("Tom Berger", "Tom\n  Berger; Tom-Berger; tom.berger; tom_berger", "[x]; [x]; [x]; [x]"),
        ("Tom Berger", "Tom and Berger", "Tom and Berger"),
        ("Zoë", "Zoë, Zoe\u0308, ZOE", "[x], [x], [x]"),
        ("Zoe", "Zoë", "[x]"),
        ("Łukasz Groß", "lukasz GROSS", "[x]"),
        ("Ada", "A\u200bd\u00ada\u200d!", "[x]!"),
        ("Ada", "Ａｄａ", "[x]"),
        ("O'Brien", "O’Brien and OBrien", "[x] and [x]"),
        ("C++", "C++ and C+", "[x] and C+"),
        ("...", "well... no", "well[x] no"),
        ("王伟", "我认识王伟很久了", "我认识[x]很久了"),
        ("Ada", "", ""),
        ("", "nothing", "nothing"),
        (" \u200b", "nothing", "nothing"),
        ("'", "it's", "it[x]s"),
    ],
)
def test_names_are_masked_as_people_write_them(name: str, text: str, masked: str):
    assert Mask([name], "[x]").text(text) == masked


def test_the_longest_name_is_masked_first():
    assert Mask(["Ada", "Ada Lovelace"], "[x]").text("Ada Lovelace met Ada") == "[x] met [x]"


def test_a_mask_of_no_names_finds_nothing():
    assert Mask([], "[x]").spans("Ada") == []


def test_places_after_a_masked_name_move_with_the_text():
    mask = Mask(["Tom Berger"], "[x]")
    text = "Eva, Tom Berger and Priya"
    edits = mask.edits(text)
    new = mask.text(text)
    for word in ("Eva", "and", "Priya"):
        start = text.index(word)
        assert new[moved(start, edits) : moved(start + len(word), edits, end=True)] == word


def test_a_place_within_a_masked_name_moves_to_its_edge():
    mask = Mask(["Tom Berger"], "[x]")
    text = "Hi Tom Berger!"
    edits = mask.edits(text)
    start, end = text.index("Berger"), text.index("!")
    assert mask.text(text)[moved(start, edits) : moved(end, edits, end=True)] == "[x]"
    assert mask.text(text)[moved(3, edits) : moved(6, edits, end=True)] == "[x]"


@given(st.text(alphabet="aAdD aß\u200b\u0301'-.", max_size=40))
def test_what_was_masked_needs_no_second_mask(text: str):
    mask = Mask(["Ada", "D'a"], "#")
    once = mask.text(text)
    assert mask.text(once) == once


@given(st.text(max_size=40), st.text(max_size=5), st.text(max_size=5))
def test_spans_stand_in_the_text_in_order(text: str, one: str, two: str):
    spans = Mask([one, two], "#").spans(text)
    places = [place for span in spans for place in span]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in spans)


@pytest.mark.parametrize("count", [0, 40])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Tom Berger", "saw TOM\u00a0berger."),
        ("O'Brien", "an OBrien, an O’Brien"),
        ("José", "jose\u0301"),
        ("山田", "昨日山田さん"),
        ("!!!", "what!!!"),
        ("Anna-Lena", "\n\tanna lena"),
    ],
)
def test_a_name_is_found_among_many_as_by_itself(name: str, text: str, count: int) -> None:
    alone = Mask([name], "[forgotten]")
    among = Mask([name, *(f"Nobody{number} Whoever" for number in range(count))], "[forgotten]")
    assert among.spans(text) == alone.spans(text) != []
    for written in (
        text,
        json.dumps(text, ensure_ascii=False),
        json.dumps(f"\x1f{text}", ensure_ascii=False),
    ):
        assert among.may_hold(written)
    assert among.may_hold("nobody that whoever knew") == (
        name == "!!!"
    )  # of which the quick look knows nothing
    assert (
        among.text("Tomb ergers, Nobody1x Whoever, and others")
        == "Tomb ergers, Nobody1x Whoever, and others"
    )


def test_many_texts_of_many_names_keep_but_so_many_patterns() -> None:
    mask = Mask([f"Nobody{number}" for number in range(1100)], "x")
    assert [mask.text(f"a nobody{number} b") for number in range(1100)] == ["a x b"] * 1100
