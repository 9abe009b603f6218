"""Counting tokens without a tokenizer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.ports.models import Tokenizer
from factbook.text.tokens import Estimate

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
