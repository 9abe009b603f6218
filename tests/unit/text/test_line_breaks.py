"""Which texts are shown line by line."""

from __future__ import annotations

import pytest

from factbook.text.line_breaks import keeps_lines


@pytest.mark.parametrize(
    "text",
    [
        "Take this:\n```\nx = 1\n```",
        "def f(x):\n    return x",
        "Milk:\n\tthe red one",
        "- a\n- b",
        "1. a\n2. b",
        "[ ] a\n[x] b",
        "| a | b |\n|---|---|",
        "SELECT a\nFROM b;\nDELETE FROM c;",
        "a\r\n\r\n  b",
    ],
)
def test_lines_of_code_lists_and_tables_stay(text: str) -> None:
    assert keeps_lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line",
        "    one line",
        "\n\none line\n",
        "We met\nand went home.",
        "Hi!\n\nI'm back.\n\nTom",
        "- a\nand that was it",
    ],
)
def test_lines_of_prose_do_not(text: str) -> None:
    assert not keeps_lines(text)
