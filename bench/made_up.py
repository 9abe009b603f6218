"""Made-up lines for benches: seeded Zipf text, clustered vectors, five lines an entity. Nothing in
it means anything.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache

from factbook.model.episode import NewMessage
from factbook.model.record import EntityRecord, Fact, Mention, Note, Record, Relation
from factbook.model.source import Source

VOCABULARY = 30_000
SKEW = 1.05
"""Exponent of Zipf's law; English talk lies between 1 and 1.1."""
WORDS_A_LINE = (12, 28)
LINES_AN_ENTITY = 5
CLUSTER_LINES = 200
SPREAD = 0.8
"""Length of the noise that is added to a cluster's centre of length 1."""
START = datetime(2023, 1, 2, 8, 0, tzinfo=UTC)
SESSIONS = 40
KINDS = ("person", "organization", "project", "product", "place")

_ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl qu r s sh st t tr v w z".split()
_VOWELS = "a e i o u ai ea io ou".split()
_CODAS = ("", "", "n", "r", "l", "s", "t", "m", "nd", "ck")


@dataclass(kw_only=True)
class Block:
    """An entity's five lines: itself, two messages that name it, a fact, and a relation or a note.

    `texts` are what their vectors would be made from, by id.
    """

    messages: list[NewMessage] = field(default_factory=list)
    rows: list[Record] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    name: str = ""


@cache
def vocabulary() -> tuple[list[str], list[float]]:
    """Made-up words, the commonest first, with their cumulated weights. Common ones are short."""
    rng = random.Random("vocabulary")
    seen: set[str] = set()
    out: list[str] = []
    while len(out) < VOCABULARY:
        syllables = 1 + (len(out) > 300) + (len(out) > 6000)
        word = "".join(
            rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(syllables)
        )
        if word not in seen:
            seen.add(word)
            out.append(word)
    weights = itertools.accumulate(1 / rank**SKEW for rank in range(1, VOCABULARY + 1))
    return out, list(weights)


def text(rng: random.Random, least: int = WORDS_A_LINE[0], most: int = WORDS_A_LINE[1]) -> str:
    """A line of so many words."""
    words, weights = vocabulary()
    return " ".join(rng.choices(words, cum_weights=weights, k=rng.randint(least, most)))


def name_of(seed: int, number: int) -> str:
    """The name of the entity with that number: two words, hardly ever the same twice."""
    rng = random.Random(f"{seed}/name/{number}")
    words, _ = vocabulary()
    return f"{rng.choice(words[300:]).title()} {rng.choice(words[6000:]).title()}"


def block(seed: int, number: int, entities: int) -> Block:
    """The lines of one entity, of so many in the space; the same for the same seed."""
    rng = random.Random(f"{seed}/{number}")
    name = name_of(seed, number)
    own = f"e{number}"
    at = START + timedelta(minutes=7 * number)
    out = Block(name=name)
    description = text(rng)
    out.rows.append(
        EntityRecord(
            id=own,
            name=name,
            kind=rng.choice(KINDS),
            description=description,
            importance=round(rng.random(), 2),
            created_at=at,
            updated_at=at,
        )
    )
    out.texts[own] = description
    for part in range(2):
        said = f"{name} {text(rng)}"
        message_id = f"m{number}.{part}"
        speaker = rng.choice(("", "", "Tom Berger", "Priya Raman"))
        moment = at + timedelta(minutes=part)
        out.messages.append(
            NewMessage(id=message_id, key=message_id, speaker=speaker, at=moment, text=said)
        )
        out.rows.append(
            Mention(
                id=f"n{number}.{part}",
                entity_id=own,
                episode_id=f"ep{number}",
                message_id=message_id,
                start=0,
                end=len(name),
                text=name,
                at=moment,
            )
        )
        out.texts[message_id] = said
    out.rows += _statements(rng, number, own, at, out, entities)
    return out


def _statements(
    rng: random.Random, number: int, own: str, at: datetime, out: Block, entities: int
) -> Iterator[Record]:
    said = out.messages[0]
    source = Source(
        said_at=said.at,
        episode_id=f"ep{number}",
        message_id=said.id,
        session=session_of(number),
        quote=said.text[:40],
    )
    words, _ = vocabulary()
    attribute = f"{rng.choice(words[:200])}_{rng.choice(words[:200])}"
    ended = at + timedelta(days=9) if rng.random() < 0.1 else None
    yield Fact(
        id=f"f{number}",
        entity_id=own,
        attribute=attribute,
        value=text(rng),
        valid_at=at,
        invalid_at=ended,
        created_at=at,
        source=source,
    )
    # A few entities are linked with everybody, as in life.
    other = (
        f"e{min(int(rng.paretovariate(0.5)), entities) - 1}"
        if rng.random() < 0.3
        else f"e{rng.randrange(entities)}"
    )
    if number % 2:
        yield Relation(
            id=f"r{number}",
            from_id=own,
            label=rng.choice(("works_at", "knows", "part_of", "uses")),
            to_id=other,
            note=text(rng),
            created_at=at,
            source=source,
        )
    else:
        note = text(rng)
        out.texts[f"o{number}"] = note
        yield Note(
            id=f"o{number}",
            text=note,
            entity_ids=(own, other),
            created_at=at,
            importance=round(rng.random(), 2),
        )


def session_of(number: int) -> str:
    """The session that the entity's messages were said in: a few dozen entities share one."""
    return f"session {number // SESSIONS}"


def questions(seed: int, entities: int, count: int) -> list[str]:
    """Questions of 4–8 words, drawn from one entity's lines; every second one names the entity."""
    rng = random.Random(f"{seed}/questions")
    out: list[str] = []
    for number in range(count):
        asked = block(seed, rng.randrange(entities), entities)
        words = rng.choice(sorted(asked.texts.values())).split()
        length = rng.randint(4, 8)
        chosen = rng.sample(words, length)
        if number % 2:
            chosen[:2] = [asked.name]
        out.append(" ".join(chosen) + "?")
    return out


class Vectors:
    """Unit vectors around seeded centres, one cluster for every 200 lines. Needs numpy."""

    def __init__(self, seed: int, size: int, lines: int) -> None:
        import numpy as np

        self._rng = np.random.default_rng(seed)
        self._size = size
        centres = self._rng.standard_normal((max(20, lines // CLUSTER_LINES), size))
        self._centres = (centres / np.linalg.norm(centres, axis=1, keepdims=True)).astype("<f4")

    def take(self, count: int) -> list[bytes]:
        """So many more of them."""
        import numpy as np

        chosen = self._centres[self._rng.integers(len(self._centres), size=count)]
        noise = self._rng.standard_normal((count, self._size)) * (SPREAD / self._size**0.5)
        rows = chosen + noise
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return [row.tobytes() for row in rows.astype("<f4")]
