"""Decisions, preferences, pain points and tasks."""

from __future__ import annotations

import pytest

from tests.support.drafts import draft, statements

pytestmark = pytest.mark.model


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # decisions
        ("We decided to use Terraform.", ["decision: use Terraform"]),
        ("Decided to pause the launch because CTR fell.", ["decision: pause the launch"]),
        ("I've decided on the blue tiles.", ["decision: blue tiles"]),
        ("We agreed to ship on Friday.", ["decision: ship on Friday"]),
        ("She chose to wait.", ["decision: wait"]),
        ("We're going with Terraform, final decision.", ["decision: going with Terraform"]),
        ("We picked Globex for the audit.", ["decision: picked Globex for the audit"]),
        ("They adopted the same convention.", []),
        ("Ana adopted the same convention.", ["decision: adopted the same convention"]),
        ("Adopting the new standard.", ["decision: Adopting the new standard"]),
        ("Decision: ship it on Friday.", ["decision: ship it on Friday"]),
        ("We decided: ship it on Friday, no later.", ["decision: ship it on Friday, no later"]),
        ("Decision: - ", []),
        ("We talked about the decision", []),
        ("Decision made on the tiles.", ["decision: Decision made on the tiles"]),
        ("We decided nothing yet, did we?", []),
        ("We haven't decided to move.", []),
        ("If we decide to move, I'll tell you.", []),
        ("You chose a nice color!", []),
        ("We adopted a puppy.", []),
        ("I picked up a book.", []),
        ("I'm going with Ana to the beach.", []),
        ("It's a big decision, but I'm ready.", []),
        # preferences
        ("I prefer tea over coffee.", ["preference: tea over coffee"]),
        ("Ivo prefers receiving reports on Mondays.", ["preference: receiving reports on Mondays"]),
        ("I would prefer to fly.", ["preference: fly"]),
        ("I'd rather walk home.", ["preference: walk home"]),
        ("Please always answer in English.", ["preference: answer in English"]),
        ("Never use emojis.", ["preference: Never use emojis"]),
        ("I hate long meetings.", ["preference: hate long meetings"]),
        ("Lena wants a summary, not a table.", ["preference: summary, not a table"]),
        ("I can't stand meetings before nine.", ["preference: can't stand meetings before nine"]),
        ("I prefer Monday.", ["preference: prefer Monday"]),
        ("I prefer tea to coffee.", ["preference: tea to coffee"]),
        ("Lena wants tea rather than coffee.", ["preference: tea rather than coffee"]),
        ("They always make us smile, so never give up!", []),
        ("Do you prefer tea?", []),
        ("I don't prefer tea.", []),
        ("They prefer the shade.", []),
        ("Lena wants a summary.", []),
        # tasks
        (
            "I'll send the contract to Helena tomorrow.",
            ["task: send the contract to Helena tomorrow"],
        ),
        ("We are going to paint the fence.", ["task: paint the fence"]),
        ("Will share the notes with Ana.", ["task: share the notes with Ana"]),
        ("I promised to review the draft.", ["task: review the draft"]),
        (
            "Promised Ana I'd have the draft ready by Friday.",
            ["task: have the draft ready by Friday"],
        ),
        ("I'm committing to fixing the roof.", ["task: fixing the roof"]),
        ("Committed to one round of feedback.", ["task: one round of feedback"]),
        ("I told Tom I'd call the bank.", ["task: call the bank"]),
        ("I need to fix the roof before June.", ["task: fix the roof before June"]),
        ("Remind me to water the plants.", ["task: water the plants"]),
        ("I'll have the figures by Friday.", ["task: have the figures by Friday"]),
        ("They remind me to slow down.", []),
        ("I'll be there for you, I'll think about it.", []),
        ("Maybe I'll paint the fence.", []),
        ("I'll add it to my list.", []),
        ("Tom told me he'd call the bank.", []),
        ("I won't sell the car.", []),
        ("He promised to call.", ["task: call"]),
        ("Will you send the contract?", []),
        ("the tools that we'll use for painting", []),
        # pain points
        (
            "The biggest problem is that the nightly build keeps failing.",
            ["pain_point: nightly build keeps failing"],
        ),
        ("My printer keeps crashing.", ["pain_point: printer keeps crashing"]),
        ("I struggle with the new form.", ["pain_point: struggle with the new form"]),
        ("The login page is really annoying.", ["pain_point: login page is really annoying"]),
        ("We keep going.", []),
        ("Nothing to see here.", []),
    ],
)
def test_statements_are_noticed_and_turns_of_speech_are_not(text: str, found: list[str]) -> None:
    assert statements(draft(text)) == found


def test_a_statement_carries_what_the_text_gives_with_it() -> None:
    decided = draft("We decided to pause the launch because CTR fell below 1%.").entities[-1]
    assert dict(decided.metadata) == {"rationale": "CTR fell below 1%"}
    promised = draft("I'll send the contract tomorrow.", "I'll fix the roof in June.").entities
    assert [dict(each.metadata) for each in promised] == [
        {"owner": "self", "deadline": "2024-05-16"},
        {"owner": "self", "deadline": "June"},
    ]


def test_explicit_statements_matter_most() -> None:
    found = draft(
        "We decided to use Terraform. I prefer tea. I'll send the notes to Ana. Our tests keep failing."
    )
    importance = {
        each.kind: each.importance
        for each in found.entities
        if each.kind not in {"other", "person"}
    }
    assert importance == {
        "technology": 0.5,
        "decision": 0.9,
        "preference": 0.9,
        "task": 0.6,
        "pain_point": 0.7,
    }


def test_a_statement_said_twice_is_one_with_two_mentions() -> None:
    found = draft("I prefer tea over coffee.", "As I said, I prefer tea over coffee.")
    preferences = [each for each in found.entities if each.kind == "preference"]
    assert [(each.name, len(each.mentions)) for each in preferences] == [("tea over coffee", 2)]
