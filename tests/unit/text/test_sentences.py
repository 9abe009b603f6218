"""Cutting texts where they may be cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text.sentences import LONGEST, LONGEST_UNSPACED, SHORT, split_pieces

FILLER = " ".join(f"word{number}" for number in range(SHORT))


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in split_pieces(text)]


def long(text: str) -> str:
    """A paragraph that is too long to stay whole."""
    return f"{text} So {FILLER}."


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "We met Dr. Berger, e.g. in May. Then we left!",
            ["We met Dr. Berger, e.g. in May.", "Then we left!"],
        ),
        ("It cost 3.50 on Jan. 5. Fine.", ["It cost 3.50 on Jan. 5.", "Fine."]),
        ("She said “no.” Tom agreed… Why?", ["She said “no.”", "Tom agreed…", "Why?"]),
        ("ok then. we left.", ["ok then.", "we left."]),
        ("A. Liddell came, no. 7 of ten. No.", ["A. Liddell came, no. 7 of ten.", "No."]),
        ("Wow!! Really?! Yes.", ["Wow!!", "Really?!", "Yes."]),
        ("1. first things first. And more.", ["1. first things first.", "And more."]),
    ],
)
def test_sentences_end_at_full_stops_but_not_at_those_of_abbreviations(
    text: str, sentences: list[str]
) -> None:
    assert cut(long(text))[: len(sentences)] == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "我昨天去了柏林。见到了一位老朋友！他很好。",
            ["我昨天去了柏林。", "见到了一位老朋友！", "他很好。"],
        ),
        ("昨日は雨でした。「本当？」と聞いた。", ["昨日は雨でした。", "「本当？」", "と聞いた。"]),
    ],
)
def test_other_scripts_have_full_stops_of_their_own(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences


def test_the_danda_and_the_arabic_question_mark_end_sentences() -> None:
    assert cut(long("नमस्ते दुनिया। यह अच्छा है। कैसे हो؟"))[:2] == ["नमस्ते दुनिया।", "यह अच्छा है।"]


def test_a_short_paragraph_item_or_line_of_a_transcript_stays_whole() -> None:
    text = "Tom: It rains. We stay.\nAda: Fine. See you.\n- milk. and eggs\n- bread\n\nA paragraph. Of two."
    assert cut(text) == [
        "Tom: It rains. We stay.",
        "Ada: Fine. See you.",
        "- milk. and eggs",
        "- bread",
        "A paragraph. Of two.",
    ]


def test_a_sentence_goes_on_in_the_next_line() -> None:
    text = f"this is a mail that goes on\nin the next line. Then {FILLER}"
    assert cut(text)[0] == "this is a mail that goes on\nin the next line."


CODE = """```python
def total(rows):
    # A comment. With two sentences. Or three.
    return sum(row.price for row in rows)
```"""


@pytest.mark.parametrize(
    "code",
    [
        CODE,
        "const total = rows.map(r => r.price); let n = 0;\nif (n == 0) {\n  return;\n}",
        "| item | price. |\n| --- | --- |\n| a. b. c | 1. 2. |",
        "$ ls -la. And. More.\n>>> print(1). And more.",
        "    indented. as code. is",
        "SELECT name FROM people WHERE age > 3. AND x = 4;",
        "// a comment. With a second sentence.",
    ],
)
def test_code_and_tables_are_cut_at_lines_only(code: str) -> None:
    assert cut(code) == [line.strip() for line in code.split("\n")]
    long_line = code.replace("price", "price " * 80)
    assert cut(long_line) == [line.strip() for line in long_line.split("\n")]


def test_prose_without_marks_is_cut_at_a_pause_or_else_at_a_space() -> None:
    words = " ".join(f"w{number}" for number in range(3 * LONGEST))
    assert [len(part.split()) for part in cut(words)] == [LONGEST] * 3
    paused = " ".join(f"w{number}{',' if number == 50 else ''}" for number in range(2 * LONGEST))
    assert cut(paused)[0].endswith("w50,")
    assert [len(part) for part in cut("字" * 300)] == [LONGEST_UNSPACED, LONGEST_UNSPACED, 60]
    assert cut("字" * 100 + "，" + "字" * 100)[0].endswith("，")


PARTS = """Ada went home.|it rains|Dr. B. said so!|- item. two|见面。|“Why?”|1.|e.g.|    x = 1;|```""".split(
    "|"
)
texts = st.lists(
    st.sampled_from(
        [*PARTS, "| a | b |", "\n", "\n\n", "\t", " ", ", ", "a" * 200, "字" * 150, "w " * 70]
    ),
    max_size=20,
).map(" ".join) | st.text(max_size=200)


@given(texts)
def test_the_pieces_hold_all_words_in_order_and_nothing_twice(text: str) -> None:
    found = split_pieces(text)
    assert all(start < end for start, end in found)
    assert all(left[1] <= right[0] for left, right in pairwise(found))
    assert "".join("".join(cut(text)).split()) == "".join(text.split())


def test_a_hostile_text_takes_no_long() -> None:
    for text in (
        "a(" * 50_000,
        "x = " * 30_000,
        "a.b." * 30_000,
        ", " * 30_000,
        ". " * 30_000,
        "\n" * 50_000,
        "(" * 50_000,
    ):
        assert "".join("".join(cut(text)).split()) == "".join(text.split())
