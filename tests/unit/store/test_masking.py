from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.store.masking import Mask


@pytest.mark.parametrize(
    ("name", "text", "masked"),
    [
        ("Ada", "Ada plays", "[x] plays"),
        ("Ada", "ADA, ada and Ada's", "[x], [x] and [x]'s"),
        ("Ada", "Adam, Canada, Ada2, 3Ada", "Adam, Canada, Ada2, 3Ada"),
        ("Ada", "ada_lovelace ada-like @ada ada@acme.example", "[x]_lovelace [x]-like @[x] [x]@acme.example"),
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
    spans = mask.spans(text)
    new = mask.text(text)
    for word in ("Eva", "and", "Priya"):
        start = text.index(word)
        assert new[mask.moved(start, spans) : mask.moved(start + len(word), spans, end=True)] == word


def test_a_place_within_a_masked_name_moves_to_its_edge():
    mask = Mask(["Tom Berger"], "[x]")
    text = "Hi Tom Berger!"
    spans = mask.spans(text)
    start, end = text.index("Berger"), text.index("!")
    assert mask.text(text)[mask.moved(start, spans) : mask.moved(end, spans, end=True)] == "[x]"
    assert mask.text(text)[mask.moved(3, spans) : mask.moved(6, spans, end=True)] == "[x]"


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
