"""Greeted people: what the speaker tells of themselves lands on nobody who is only called."""

from __future__ import annotations

import pytest

from factbook import Memory
from factbook.extract.local import is_installed
from factbook.model.episode import Message

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(not is_installed(), reason="needs the local extra"),
]

CALLED = (
    "Priya, I work at Globex now",
    "So Priya, I'm married to Sofia",
    "Priya, my birthday is on May 3",
    "Hi Priya, we moved to Ghent last year",
    "I live in Porto these days, Priya",
    "Good evening Priya, I joined Acme in May",
    "Priya! I'm a nurse at Saint Mary Hospital",
    "Priya, could you call me? I live in Ghent",
)
TOLD = (
    ("Priya lives in Oslo", "lives_in"),
    ("Priya, my sister, lives in Oslo", "lives_in"),
    ("Priya, who works at Acme, is away.", "works_at"),
    ("Last year Priya joined Acme", "works_at"),
)


def known_of(text: str) -> list[str]:
    """Labels and attributes that hold of Priya after the text."""
    with Memory.open("ram:", background=False) as memory:
        memory.remember([Message("Hello there", speaker="Priya"), Message(text, speaker="Zed")])
        memory.wait()
        priya = memory.get("Priya")
    links = [each.label for each in priya.links if each.state == "current"]
    return links + [each.attribute for each in priya.facts if each.state == "current"]


@pytest.mark.parametrize("text", CALLED)
def test_nothing_is_known_of_who_is_called(text: str) -> None:
    assert known_of(text) == []


@pytest.mark.parametrize(("text", "label"), TOLD)
def test_what_is_said_of_somebody_by_name_is_known(text: str, label: str) -> None:
    assert label in known_of(text)
