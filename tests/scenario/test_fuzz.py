"""Recall, context, remember and learning raise nothing, whatever is asked or said.

Questions are made from templates, words from random letters of many scripts, and texts from the
development sets where they are here. Few are drawn on a run, so that the suite stays within
seconds; they are new ones each time, but in CI.
"""

from __future__ import annotations

import itertools
import json
import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from factbook import Entity, Memory

DATA = Path(__file__).parents[3] / "shared" / "data"
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
DRAWN = 25
"""Questions, or rounds of remembering and asking, of each sort."""

CUES = (
    "between",
    "after",
    "before",
    "since",
    "until",
    "till",
    "by the time of",
    "during",
    "while",
    "when",
    "following",
    "prior to",
    "on the day of",
    "around the time of",
    "two weeks before",
    "the weekend after",
    "couple of months before",
)
PRONOUNS = (
    *"I me my mine myself we us our you your he him his she her it they them their this that these who it".split(),
    "one another",
)
OTHERS = (
    *(
        "my partner",
        "the wedding",
        "Tom",
        "Ana's birthday",
        "us",
        "will",
        "May",
        "x",
        "the",
        "date",
        "now",
        "''",
        "…",
    ),
    *(
        "Christmas",
        "29 February",
        "the 31st of April",
        "999999999 days ago",
        "9999",
        "99/99/9999",
        "漢字",
        "🙂",
        "\u200d",
    ),
)
SCRIPTS = (
    *(
        "abcXYZ",
        "абвгд",
        "αβγδ",
        "漢字仮名",
        "かなカナ",
        "한글",
        "ไทยภาษา",
        "العربية",
        "עברית",
        "हिन्दी",
        "ብአማ",
    ),
    *(
        "\u200b\u200d\u202e\u00ad",
        "0123456789٣٤٥",
        "!?.,;:'\"()[]{}<>|\\/@#$%^&*-_=+~`…“”’",
        "\n\t\r\x0b\x0c\u2028\u2029 ",
    ),
    *("🙂👩‍👩‍👧🇩🇪", "e\u0301\u0308", "ﬁⅣ①²", "\ud800", "\x00\x1b\x7f"),
)


@pytest.fixture
def memory() -> Iterator[Memory]:
    ids = itertools.count()
    with Memory.open(
        "ram:",
        extractor="local",
        embedder="none",
        background=False,
        clock=lambda: NOW,
        new_id=lambda: f"id-{next(ids):05}",
    ) as opened:
        opened.remember(
            [
                "My partner Ana and I got married on 3 May 2023.",
                "Tom moved to Lisbon after the wedding, between us.",
                "We share a car and a flat, she and I.",
            ]
        )
        opened.put(
            Entity(
                name="Ana",
                entity_type="person",
                attributes={"birthday": "3 May 1990", "date": "soon"},
            )
        )
        yield opened


@pytest.fixture
def draw() -> random.Random:
    seed = 20 if os.environ.get("CI") else random.randrange(10**6)
    print(f"drawn from the seed {seed}")  # pytest shows it where the test fails
    return random.Random(seed)


@pytest.mark.parametrize("heading", ["What is shared", "When was it that we met,"])
def test_a_question_that_dates_by_pronouns_is_answered(
    memory: Memory, heading: str, draw: random.Random
) -> None:
    """`What is shared between me and my partner?` once divided by nothing: such an event has no
    words.
    """
    memory.recall(f"{heading} between me and my partner?", budget=100)
    for cue, who in draw.sample(list(itertools.product(CUES, PRONOUNS)), DRAWN):
        memory.recall(f"{heading} {cue} {who} and my partner?", budget=100)


def test_a_question_that_dates_by_anything_is_answered(memory: Memory, draw: random.Random) -> None:
    for cue, first, second in draw.sample(list(itertools.product(CUES, OTHERS, OTHERS)), 2 * DRAWN):
        memory.context(f"what happened {cue} {first} and {second}", budget=60)


def test_random_text_of_many_scripts_is_remembered_learned_and_asked(
    memory: Memory, draw: random.Random
) -> None:
    for _ in range(DRAWN):
        text = _random_text(draw)
        memory.remember(
            {
                "role": draw.choice(["user", "assistant"]),
                "speaker": _random_text(draw)[:20],
                "text": text,
            }
        )
        memory.recall(_random_text(draw), budget=draw.choice([1, 30, 400]))
        memory.context(text, budget=draw.choice([1, 30, 400]))
    memory.work()
    assert not memory.jobs(["failed"])


def test_texts_of_the_development_sets_are_remembered_learned_and_asked(
    memory: Memory, draw: random.Random
) -> None:
    texts = _texts()
    if not texts:
        pytest.skip("the development sets are not here (../shared/data)")
    for _ in range(DRAWN):
        text = draw.choice(texts)
        begin = draw.randrange(len(text))
        part = text[begin : begin + draw.choice([1, 5, 20, 80, 300])]
        memory.remember({"speaker": draw.choice(["", "Tom"]), "text": text[:300]})
        memory.recall(part, budget=draw.choice([1, 30, 400]))
        memory.context(f"{draw.choice(CUES)} {part}", budget=draw.choice([1, 30, 400]))
    memory.work()
    assert not memory.jobs(["failed"])


def _random_text(draw: random.Random) -> str:
    letters = "".join(draw.sample(SCRIPTS, draw.choice([1, 2, 3]))) + "  "
    return "".join(draw.choices(letters, k=draw.choice([1, 2, 3, 5, 8, 20, 60])))


def _texts() -> list[str]:
    """Texts of some letters, from the first lines of every set."""
    out: list[str] = []
    for path in sorted(DATA.rglob("*.json*")):
        written = path.read_text("utf-8")
        parts = written.splitlines()[:100] if path.suffix == ".jsonl" else [written]
        out += [text for part in parts for text in _strings(json.loads(part)) if len(text) > 2]
    return out


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for each in value.values() for text in _strings(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in _strings(each))
