"""Texts that say nothing that a better one doesn't."""

from __future__ import annotations

import pytest

from factbook.text.coverage import Covered, covered, sentences


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("I moved to Lisbon. It is warm.", "i moved to lisbon! it is  WARM"),
        ("Hi all! We moved to Lisbon.", "We moved to Lisbon. Thanks!"),
        ("Fwd: The office moved to Lisbon.", "> The office moved to **Lisbon**."),
        ("I moved to Lisbon. It is warm.", "It is warm. I moved to Lisbon."),
        ("我去了柏林。他很好。", "我去了柏林。\n他很好。"),
    ],
)
def test_case_spacing_greetings_and_marks_of_forwarding_make_no_difference(
    text: str, other: str
) -> None:
    assert covered([("tom", text), ("tom", other)]) == {1: Covered(by=0, both=True)}
    assert sentences(text) == sentences(other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The budget is 1.5 million.", "The budget is 15 million."),
        ("It fell by -5 points.", "It fell by 5 points."),
        ("I like tea.", "I never said: I like tea."),
        ("I like tea.", "I don't like tea."),
        ("Ada likes tea.", "Eda likes tea."),
        ("We meet at 9:30.", "We meet at 930."),
        ("I moved to Lisbon in March.", "I moved to Lisbon."),
        ("It grew by 5%.", "It grew by 5."),
        ("It works.", "It works?"),
        ("I write C# at work.", "I write C at work."),
        ("Send it if (!ready).", "Send it if (ready)."),
        ("It takes ~5 days.", "It takes 5 days."),
    ],
)
def test_a_number_a_name_a_negation_or_a_word_more_keeps_both(text: str, other: str) -> None:
    assert covered([("tom", text), ("tom", other)]) == {}
    assert covered([("tom", other), ("tom", text)]) == {}


def test_what_a_better_text_holds_whole_is_covered_but_not_the_other_way_round() -> None:
    short, long = "We moved to Lisbon.", "Big news! We moved to Lisbon. The office is by the river."
    assert covered([("tom", long), ("tom", short)]) == {1: Covered(by=0, both=False)}
    assert covered([("tom", short), ("tom", long)]) == {}


def test_nobodys_words_are_covered_by_anothers() -> None:
    assert covered([("tom", "I like tea."), ("ada", "I like tea.")]) == {}


def test_all_of_a_text_stands_in_one_other() -> None:
    assert (
        covered(
            [
                ("t", "One is here. More."),
                ("t", "Two is there. More."),
                ("t", "One is here. Two is there."),
            ]
        )
        == {}
    )


def test_of_greetings_one_is_enough_and_a_text_of_signs_stands_for_itself() -> None:
    assert covered([("t", "Good morning!"), ("t", "good morning")]) == {1: Covered(by=0, both=True)}
    assert covered([("t", "..."), ("t", "...")]) == {}
