"""Corrections and times in plain words, from the message to the prompt, with the local
extractor.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from factbook import Memory, Message

pytestmark = pytest.mark.model

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def told(memory: Memory, *texts: str, hour: int = 0) -> None:
    for number, text in enumerate(texts):
        memory.remember(
            Message(text, at=START + timedelta(hours=hour, minutes=5 * number)), session="s"
        )
    memory.wait()


@pytest.mark.parametrize(
    "correction",
    [
        "Sorry, it's Lisbon, not Porto.",
        "Sorry, I meant Lisbon.",
        "Scratch that, she lives in Lisbon.",
        "That's wrong: she lives in Lisbon.",
        "It was Lisbon, not Porto, sorry.",
    ],
)
def test_where_somebody_lives_is_put_right(tmp_path: Path, correction: str) -> None:
    with Memory.open(tmp_path / "m.db", background=False) as memory:
        told(memory, "Ana lives in Porto.", correction)
        assert [link.to_name for link in memory.neighbours("Ana")] == ["Lisbon"]
        known = [
            line.text
            for line in memory.recall("where does Ana live?").lines
            if line.kind == "relation"
        ]
        assert known == ["Ana (person) — lives in Lisbon"]
        assert memory.conflicts() == []


def test_a_deadline_and_a_number_are_put_right(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", background=False) as memory:
        told(
            memory,
            "The deadline for Project Falcon is 30 June 2026.",
            "Sorry, I meant 15 July 2026.",
        )
        told(memory, "My phone number is 555-0101.", "I meant 555-0102.", hour=1)
        assert memory.get("Project Falcon").attributes == {"deadline": "2026-07-15"}
        assert memory.get("self").attributes == {"phone": "555-0102"}


def test_what_was_scratched_and_what_never_was_is_gone_from_what_is_known(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", background=False) as memory:
        told(
            memory,
            "Ana lives in Porto.",
            "Scratch that.",
            "Tom works at Acme.",
            "Tom never worked at Acme.",
        )
        assert memory.neighbours("Ana") == []
        assert memory.neighbours("Tom") == []


def test_times_in_the_words_say_what_held_when(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", background=False) as memory:
        told(
            memory,
            "Priya has worked at Acme since March 2020.",
            "Priya works at Globex since January 2024.",
        )
        told(memory, "I used to live in Porto.", "I live in Lisbon.", hour=1)
        firms = {
            when: [link.to_name for link in memory.neighbours("Priya", as_of=when)]
            for when in ("2019", "2021", "2025")
        }
        assert firms == {"2019": [], "2021": ["Acme"], "2025": ["Globex"]}
        lives = [
            (link.label, link.to_name)
            for link in memory.neighbours("self")
            if link.label == "lives_in"
        ]
        assert lives == [("lives_in", "Lisbon")]
        told(memory, "Priya no longer works at Globex.", hour=2)
        assert [link.label for link in memory.neighbours("Priya") if link.label == "works_at"] == []
