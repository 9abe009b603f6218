"""What form of answer a question wants, of which kinds, and which attributes."""

from __future__ import annotations

import pytest

from factbook.model.kinds import BUILT_IN
from factbook.text.index_words import fold_text
from factbook.text.question.answer_shapes import (
    attributes_of,
    kind_called,
    kinds_of,
    only_a_kind,
    only_a_time,
    shape_of,
    spreads,
)
from factbook.text.question.question_words import split_question

KINDS = {kind.id: kind for kind in BUILT_IN}


@pytest.mark.parametrize(
    ("question", "shape", "spread"),
    [
        ("how long has Ada lived in Porto?", "how_long", False),
        ("For how many years has Ada known Tom?", "how_long", False),
        ("how many weeks passed between the two", "how_long", False),
        ("how many projects has Ada led?", "count", True),
        ("do Ada and Tom both climb?", "comparison", True),
        ("who is older, Ada or Tom?", "comparison", True),
        ("is Ada better than Tom at chess", "comparison", True),
        ("what is the difference between them", "comparison", True),
        ("when was the first time Ada sang?", "first", False),
        ("what did Ada say first about all of it", "first", True),
        ("what is Ada's first name?", "open", False),
        ("what was the last book Ada read?", "last", False),
        ("what is the latest on the office", "last", False),
        ("where was Ada last week?", "open", False),
        ("what was Ada's last name?", "open", False),
        ("where did Ada go last Sunday?", "open", False),
        ("is Ada here", "yes_no", True),
        ("which projects use Rust?", "list", True),
        ("which language does it use", "open", False),
    ],
)
def test_the_shape_and_whether_the_answer_lies_in_several_places(
    question: str, shape: str, spread: bool
) -> None:
    assert shape_of(fold_text(question)) == shape
    assert spreads(fold_text(question)) is spread


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("which companies did we meet", {"organization"}),
        ("list our clients", {"organization"}),
        ("what todos are left", {"task"}),
        ("which action items are open", {"task"}),
        ("what to-dos are open", {"task"}),
        ("what did we decide", {"decision"}),
        ("why was Rust chosen", {"decision"}),
        ("what does Ada like?", {"preference"}),
        ("what is it like?", set[str]()),
        ("what is her favourite", {"preference"}),
        ("which meetings are there", {"event"}),
        ("what problems are there", {"pain_point"}),
        ("which tools does she use", {"technology"}),
        ("what people came", {"person"}),
        ("tell me where she lives", {"place"}),
        ("who placed it", {"person"}),
    ],
)
def test_kinds_are_asked_for_in_everyday_words(question: str, kinds: set[str]) -> None:
    assert set(kinds_of(fold_text(question), split_question(question), KINDS, frozenset())) == kinds


def test_a_word_within_a_name_asks_for_no_kind() -> None:
    question = "how is the Company of Wolves"
    assert kinds_of(fold_text(question), split_question(question), KINDS, frozenset({3})) == ()


def test_kinds_of_nouns() -> None:
    assert kind_called("companies") == "organization"
    assert kind_called("wolves") is None


def test_attributes_that_are_asked_for() -> None:
    assert attributes_of(split_question("when is it due?"))["due"][0] == "deadline"
    assert attributes_of(split_question("when is it?")) == {}


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("list all decisions", True),
        ("What decisions are there?", True),
        ("which companies do we know?", True),
        ("what decision was made about Kubernetes?", False),
        ("which companies does Ada like?", False),
        ("what is there?", False),
    ],
)
def test_a_question_may_ask_for_a_kind_and_nothing_else(question: str, alone: bool) -> None:
    assert only_a_kind(split_question(question), KINDS) is alone


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("What happened in April?", True),
        ("what did we talk about in the last three weeks?", True),
        ("Anything new since 3 May 2026?", True),
        ("what did we cook in April?", False),
        ("what happened to Tom last year?", False),
    ],
)
def test_a_question_that_asks_for_what_was_at_a_time_and_no_more(
    question: str, alone: bool
) -> None:
    assert only_a_time(split_question(question)) is alone
