"""What people say is kept: clauses of ordinary talk become observations of those whom they are
about.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from factbook import Memory
from factbook.extract.local import is_installed
from factbook.model.episode import Message
from factbook.model.record import Observation

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(not is_installed(), reason="needs the local extra"),
]
NOON = datetime(2026, 5, 7, 12, tzinfo=UTC)
TALK = (
    ("Ilse", "hey! so we finally moved to Uhlm last month, it was such a mess lol"),
    ("Bo", "Haha, that's great news! How's the new job going?"),
    ("Ilse", "I started at the bakery on Monday. My mother passed away in 2019 and I miss her."),
    ("Bo", "Ilse, I work at Quoin now! I only drink oat milk, I can't have lactose."),
    ("Ilse", "Thanks, have a great day!!"),
)


def told(talk: Sequence[tuple[str, str]]) -> Memory:
    memory = Memory.open("ram:", background=False)
    memory.remember(
        [
            Message(text, speaker=speaker, at=NOON + timedelta(minutes=number))
            for number, (speaker, text) in enumerate(talk)
        ],
        session="one",
    )
    memory.wait()
    return memory


def holds(rows: Sequence[Observation], words: str) -> bool:
    return any(words in row.text for row in rows)


def test_each_is_known_by_what_they_said_of_themselves_and_an_addressee_by_nothing() -> None:
    with told(TALK) as memory:
        ilse, bo = memory.observations("Ilse"), memory.observations("Bo")
    assert holds(ilse, "moved to Uhlm")
    assert holds(ilse, "started at the bakery")
    assert holds(ilse, "passed away in 2019")
    assert holds(bo, "I work at Quoin")
    assert holds(bo, "oat milk")
    assert not holds(ilse, "Quoin")
    assert not holds([*ilse, *bo], "great day")


def test_an_observation_is_its_message_s_own_words_with_time_and_worth() -> None:
    with told(TALK) as memory:
        rows = memory.observations("Ilse")
        texts = [text for _, text in TALK]
    assert all(any(row.source.quote in text for text in texts) for row in rows)
    assert all(0 < row.importance <= 1 for row in rows)
    died = next(row for row in rows if "passed away" in row.text)
    assert died.valid_at is not None
    assert died.valid_at.year == 2019


def test_a_question_and_what_an_assistant_says_are_nobody_s_observations() -> None:
    with Memory.open("ram:", background=False) as memory:
        memory.remember(
            [
                Message("Should I move to Uhlm and start at the bakery next week?"),
                Message(
                    "You could move to Uhlm in June; the bakery opens at six.", role="assistant"
                ),
            ]
        )
        memory.wait()
        assert memory.stats().get("observations", 0) == 0


def test_what_was_learned_is_forgotten_with_its_message() -> None:
    with told(TALK) as memory:
        assert memory.observations("Ilse")
        memory.forget(session="one")
        found = memory.stats().get("observations", 0)
    assert found == 0


def test_code_between_backticks_is_kept_whole() -> None:
    with told(
        [("", "No comments unless I ask. Return `Promise<void>`, never return `any`.")]
    ) as memory:
        rows = memory.observations(expired=True)
    code = [row.text for row in rows if "`" in row.text]
    assert code
    assert all(text.count("`") % 2 == 0 for text in code)
