"""Counting tokens without a tokenizer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.ports.models import Tokenizer
from factbook.text.token_estimate import Estimate

count = Estimate().count
texts = st.text(st.sampled_from("abcXYZ 019.,;:!?'’“”—-_/ünßяж日本語한글مرحبا😀‍\n\t"), max_size=60)


def test_it_is_a_tokenizer() -> None:
    assert isinstance(Estimate(), Tokenizer)


@given(texts)
def test_a_word_never_costs_less_than_one_and_a_third(text: str) -> None:
    assert count(text) >= 1.3 * len(text.split()) - 1e-9


@given(st.lists(texts, max_size=6))
def test_a_text_costs_no_more_than_its_parts_and_no_less_than_one_of_them(parts: list[str]) -> None:
    whole = count("\n".join(parts))
    assert whole <= sum(map(count, parts))
    assert all(whole >= count(part) for part in parts)


# What o200k_base and cl100k_base give for the text, whichever is more.
@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("", 0),
        ("Priya will own the migration, Tom is moving to billing.", 12),
        ("[2026-06-02] Tom: “we can't make July, August 15 is realistic”", 23),
        ("550e8400-e29b-41d4-a716-446655440000", 18),
        ("https://example.com/a/b?x=1234567890&y=abcdef0123456789", 21),
        ("Größere Straßenbahnverbindungen führten früher über die Münchner Innenstadt.", 25),
        ("我昨天去了柏林，见到了一位老朋友。", 21),
        ("안녕하세요, 저는 어제 베를린에 있었습니다.", 22),
        ("Привет, как дела? Я вчера был в Берлине и встретил старого друга.", 31),
        ("مرحبا، كيف حالك؟ كنت في برلين أمس.", 27),
    ],
)
def test_it_is_near_what_real_tokenizers_count_and_mostly_above(text: str, real: int) -> None:
    assert 0.95 * real <= count(text) <= 2.2 * real


@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("Wczoraj byłem w Warszawie i spotkałem dawnego przyjaciela.", 22),
        ("Eilen kävin Helsingissä ja tapasin vanhan ystäväni.", 19),
        ("Gisteren was ik in Rotterdam en ik heb een oude vriend ontmoet.", 18),
        ("Hij heeft gisteren de nieuwe begroting voor het project goedgekeurd.", 19),
    ],
)
def test_words_of_other_languages_cost_more_than_english_ones(text: str, real: int) -> None:
    assert real <= count(text) <= 2.5 * real


def test_a_name_at_the_beginning_of_a_line_costs_more_than_within_one() -> None:
    assert count("\n".join(["Melanie: yes"] * 20)) > count(" ".join(["Melanie: yes"] * 20))


def test_what_looks_like_a_key_costs_by_its_length() -> None:
    assert count("aGVsbG8gd29ybGQhIDEyMzQ1Njc4OTAgYWJjZGVmZ2hpamtsbW5v") >= 36


def test_a_line_that_is_too_long_to_be_kept_costs_the_same() -> None:
    line = "Ada went to Lisbon on 12 May. " * 80
    assert len(line) > 2000
    assert count(line) == count(f"{line}\n\n")
