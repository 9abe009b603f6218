"""Signs as a keyboard has them, each at its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text.plain_signs import plain_signs


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("plain - text 1", "plain - text 1"),
        ("a\u00a0b\u202fc\u3000d", "a b c d"),
        ("1\u20102\u20113\u20134\u2014", "1-2-3-4-"),
        ("٠١٢ ४२ ４２", "012 42 42"),
        ("＋４９＠ａ", "+49@a"),
        ("Zoë 山田 🙂", "Zoë 山田 🙂"),
    ],
)
def test_signs_become_what_a_keyboard_has(text: str, plain: str) -> None:
    assert plain_signs(text) == plain


@given(st.text())
def test_every_sign_keeps_its_place(text: str) -> None:
    assert len(plain_signs(text)) == len(text)
