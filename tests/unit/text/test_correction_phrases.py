"""Words that take back what was said."""

from __future__ import annotations

import pytest

from factbook.text.correction_phrases import find_corrections, has_cue, says_never


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("Sorry, it's Lisbon, not Porto.", "Porto", "Lisbon"),
        ("I meant Lisbon, not Porto", "Porto", "Lisbon"),
        ("That's not right, it's not Porto but Lisbon.", "Porto", "Lisbon"),
        ("Sorry, not Porto, Lisbon.", "Porto", "Lisbon"),
        ("That was Lisbon, not Porto, sorry.", "Porto", "Lisbon"),
        ("Oops, 18, not 17.", "17", "18"),
        ("Oh no, sorry: Tuesday, not Monday", "Monday", "Tuesday"),
        ("That should be 15 July 2026, not 30 June 2026.", "30 June 2026", "15 July 2026"),
        ("I made a mistake: it's $4.5M instead of $3M.", "$3M", "$4.5M"),
        ("Sorry, I meant Lisbon.", "", "Lisbon"),
        ("Correction: green.", "", "green"),
        ("no wait, it's Lisbon", "", "Lisbon"),
        ("Scratch that. It's Lisbon.", "", "Lisbon"),
        ("Scratch that, she lives in Lisbon.", "", "she lives in Lisbon"),
        ("Scratch that.", "", ""),
        ("Sorry, I'm late.", "", ""),
        ("Sorry, that.", "", ""),
    ],
)
def test_what_a_cue_takes_back(text: str, wrong: str, right: str) -> None:
    (found,) = find_corrections(text)
    assert (found.wrong, found.right, found.cued) == (wrong, right, True)
    assert text[found.start : found.stop].strip() == found.quote
    assert has_cue(text)


@pytest.mark.parametrize(
    ("text", "strong"), [("Scratch that.", True), ("I misspoke", True), ("Sorry, I'm late.", False)]
)
def test_some_cues_can_mean_nothing_else(text: str, strong: bool) -> None:
    assert [each.strong for each in find_corrections(text)] == [strong]


@pytest.mark.parametrize(
    ("text", "scratches"),
    [("Strike that.", True), ("Forget what I just said.", True), ("Forget that.", False)],
)
def test_some_take_back_all_that_was_said(text: str, scratches: bool) -> None:
    assert [each.scratches for each in find_corrections(text)] == [scratches]


def test_a_contrast_is_no_correction_of_what_was_said() -> None:
    (found,) = find_corrections("I had tea. Ana lives in Lisbon, not Porto.")
    assert (found.wrong, found.right, found.cued) == ("Porto", "Ana lives in Lisbon", False)
    assert found.quote == "Ana lives in Lisbon, not Porto."


@pytest.mark.parametrize(
    "text",
    [
        "Ana lives in Porto.",
        "We use Postgres rather than MySQL.",
        "Make the tests green, not that.",
        "It is not easy to say why this was chosen and by whom and when exactly it was, not at all for all of those people",
        "",
    ],
)
def test_other_texts_correct_nothing(text: str) -> None:
    assert find_corrections(text) == []


def test_what_never_was_and_what_is_no_more() -> None:
    assert says_never("Ana never lived in Porto.")
    assert not says_never("Ana will never live in Porto again.")
    assert not says_never("Ana lives in Porto.")
