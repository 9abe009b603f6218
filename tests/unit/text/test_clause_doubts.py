"""Doubts about statements, from their words and their sentences."""

from __future__ import annotations

import pytest

from factbook.text.clause_doubts import Quoted, find_doubts, is_clause, owner_in


def stands(name: str, text: str) -> Quoted:
    start = text.index(name)
    people = [
        (at, at + len(who)) for who in ("Maya", "Pell Halloran") if (at := text.find(who)) >= 0
    ]
    return Quoted(text=text, start=start, end=start + len(name), people=people)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "invoices keep getting lost in the shared inbox",
            "Our invoices keep getting lost in the shared inbox.",
        ),
        (
            "struggling with the export feature",
            "I'm struggling with the export feature, it never finishes.",
        ),
        ("app drains my battery so fast", "The app drains my battery so fast."),
        ("Deployments take forever", "Deployments take forever and nobody knows why."),
        (
            "It's annoying that the search forgets my filters",
            "It's annoying that the search forgets my filters.",
        ),
        ("billing page is too slow", "The billing page is too slow."),
        ("Every release breaks the tests", "Every release breaks the tests."),
        ("I'm tired of chasing suppliers", "I'm tired of chasing suppliers."),
        ("This printer jams every day", "This printer jams every day."),
        ("I lost my draft again", "I lost my draft again."),
        ("delayed invoices", "delayed invoices"),
        ("Das Netz fällt ständig aus", "Das Netz fällt ständig aus."),
    ],
)
def test_a_complaint_of_a_thing_raises_no_doubt(name: str, text: str) -> None:
    assert find_doubts(name, stands(name, text), "pain_point") == set()


@pytest.mark.parametrize(
    ("name", "doubt"),
    [
        ("It really brightens my day", "vague"),
        ("It's frustrating when new things go awry so soon", "vague"),
        ("It sucks when people are so closed-minded", "vague"),
        ("It drives her crazy when he sings", "vague"),
        ("That is the worst", "vague"),
        ("can't stand it", "vague"),
        ("write about this", "vague"),
        ("include this at the beginning", "vague"),
        ("Domestic abuse is horrible", "general"),
        ("Life is such a mess sometimes", "general"),
        ("struggled with mental health", "over"),
        ("I lost all my work", "over"),
        ("we broke a window", "over"),
        ("struggling", "thin"),
        ("I will", "empty"),
        ("I get how hard it can be to find a place", "supposed"),
    ],
)
def test_what_says_little_of_anything_is_doubted(name: str, doubt: str) -> None:
    assert doubt in find_doubts(name, stands(name, f"Well. {name}. The rest."), "pain_point")


@pytest.mark.parametrize(
    ("name", "text", "doubted"),
    [
        ("a rewrite in Go", "If only we had more time, I'd prefer a rewrite in Go.", True),
        ("short answers to mails", "Do you prefer short answers to mails?", True),
        ("answer in plain English", "If possible, always answer in plain English.", False),
        (
            "short answers to mails",
            "We had a chat if you recall. I prefer short answers to mails.",
            False,
        ),
    ],
)
def test_what_is_supposed_or_asked_is_doubted(name: str, text: str, doubted: bool) -> None:
    assert ("supposed" in find_doubts(name, stands(name, text), "preference")) == doubted


@pytest.mark.parametrize(
    ("name", "text", "owner"),
    [
        (
            "async standups on Mondays",
            "I lead the team. Maya prefers async standups on Mondays.",
            "Maya",
        ),
        (
            "email to phone for questions",
            "Pell Halloran prefers email to phone for questions.",
            "Pell Halloran",
        ),
        ("hates long meetings", "Maya hates long meetings.", "Maya"),
        ("window seats at the front", "My husband prefers window seats at the front.", ""),
    ],
)
def test_a_third_persons_wish_is_theirs(name: str, text: str, owner: str) -> None:
    where = stands(name, text)
    assert "others" in find_doubts(name, where, "preference")
    span = owner_in(name, where)
    assert (text[slice(*span)] if span else "") == owner


@pytest.mark.parametrize(
    "text",
    [
        "I prefer async standups on Mondays.",
        "Maya hates meetings, so I prefer async standups on Mondays.",
        "Please always plan async standups on Mondays.",
        "Always async standups on Mondays!",
    ],
)
def test_a_wish_of_the_speaker_is_nobody_elses(text: str) -> None:
    name = "async standups on Mondays"
    assert "others" not in find_doubts(name, stands(name, text), "preference")
    assert owner_in(name, stands(name, text)) is None


@pytest.mark.parametrize(
    ("name", "over"),
    [
        ("Been running longer since our last chat", True),
        ("got to see the sea", True),
        ("running longer in the morning", False),
        ("need short answers", False),
    ],
)
def test_what_somebody_did_is_no_preference(name: str, over: bool) -> None:
    assert ("over" in find_doubts(name, None, "preference")) == over


def test_without_a_place_the_words_alone_are_judged() -> None:
    assert find_doubts("It drives me mad", None, "pain_point") == {"vague"}
    assert find_doubts("tables over charts", None, "preference") == set()


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("It's frustrating when new things go awry so soon", True),
        ("we use PostgreSQL for the ledger", True),
        ("the meeting that was moved", True),
        ("don't forget the milk", True),
        ("a long list of small words that goes on and on", True),
        ("It's a Wonderful Life", False),
        ("Tom's birthday party", False),
        ("mother's old house by the lake", False),
        ("camping trips", False),
        ("This American Life", False),
        ("東京タワー", False),
        ("", False),
    ],
)
def test_clauses_and_names(name: str, clause: bool) -> None:
    assert is_clause(name) == clause
