"""Injected memory, quotations and code are blanked, at the same length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text.injected_memory import blank_injected


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hi. <memory about='Ada'>Ada lives in Porto</memory> Thanks!", "Hi. Thanks!"),
        ("<entity_memory>\n- Tom (person)\n</entity_memory>\nWho is Tom?", "Who is Tom?"),
        ("<MEMORY>a</MEMORY>b", "b"),
        ("Hello <memory>never closed, Tom is here", "Hello"),
        ("<memory>a</entity_memory> b</memory> c", "c"),
        ("[Known Entities]\n- Tom [person]\n- Acme [organization]\n\nWho is Tom?", "Who is Tom?"),
        ("[Known Entities]:\n  * Tom\n    role: chef\nWho?", "Who?"),
        ("## Semantic Memory\nTom is a chef.\n---\nWho is Tom?", "Who is Tom?"),
        ("## Semantic Memory\nTom is a chef.", ""),
        ("Look:\n```python\nTom = 1\n```\nDone.", "Look: Done."),
        ("~~~\nTom\n~~~\nDone.", "Done."),
        ("```\nnever closed", ""),
        ("> Tom said so\nI didn't.", "I didn't."),
        ("run `rm -rf build` now", "run now"),
        ("ask about `auth-service` please", "ask about `auth-service` please"),
        ("nothing to see", "nothing to see"),
        ("a memory of Tom, <b>bold</b>", "a memory of Tom, <b>bold</b>"),
    ],
)
def test_what_was_put_into_the_prompt_is_not_read(text: str, kept: str) -> None:
    blanked = blank_injected(text)
    assert " ".join(blanked.split()) == kept
    assert len(blanked) == len(text)


@given(
    st.lists(
        st.sampled_from(
            ["<memory>", "</memory>", "```", "`", "\n", "> ", "Tom", " ", "---", "[Known Entities]"]
        )
    ).map("".join)
)
def test_length_and_lines_stay(text: str) -> None:
    blanked = blank_injected(text)
    assert len(blanked) == len(text)
    assert [i for i, c in enumerate(blanked) if c == "\n"] == [
        i for i, c in enumerate(text) if c == "\n"
    ]
    assert all(c in {" ", text[i]} for i, c in enumerate(blanked))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("`ledger` depends on `rates`", "`ledger` depends on `rates`"),
        ("`ledger` runs `make all` on `rates`", "`ledger` runs on `rates`"),
        ("run `rm -rf x` now, `ok`", "run now, `ok`"),
    ],
)
def test_what_stands_between_two_names_in_back_quotes_is_no_code(text: str, kept: str) -> None:
    assert " ".join(blank_injected(text).split()) == kept
