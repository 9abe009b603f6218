"""Talk as the network of clauses takes it: passages with the states that the installed reader gives
and what is kept of each.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import torch
from torch import Tensor

from factbook.extract.local.passages import passages
from factbook.model.episode import StoredMessage
from factbook.reader.reading_model import Reader
from training import model
from training.observed import HOLDS, SORTS, Clause, Talk

MOST = 24
"""Passages of a batch."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a turn with its clauses, whose characters count in it."""

    text: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A clause as words from first to last, and the numbers of what it is judged as."""

    first: int
    last: int
    judged: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Item:
    """A window of a passage: states, shape (pieces, 384), the first piece of each word, the
    characters of each word, and the clauses.
    """

    states: Tensor
    firsts: list[int]
    spans: Sequence[tuple[int, int]]
    targets: tuple[Target, ...]

    @property
    def tags(self) -> list[int]:
        """Returns a tag for each word: 0 for none, 1 for a clause's first word, 2 for others."""
        out = [0] * len(self.firsts)
        for each in self.targets:
            out[each.first : each.last + 1] = [1] + [2] * (each.last - each.first)
        return out


def passages_of(talk: Talk, kept: dict[str, list[Clause]]) -> Iterator[Passage]:
    """Yields the passages of a conversation as the extractor cuts them."""
    for turn in talk.turns:
        now = datetime(2026, 1, 1, tzinfo=UTC)
        message = StoredMessage(id="m", episode_id="e", at=now, text=turn.text)
        for cut in passages(message):
            own = [
                replace(
                    each,
                    start=max(each.start - cut.offset, 0),
                    end=min(each.end - cut.offset, len(cut.text)),
                )
                for each in kept[turn.key]
            ]
            yield Passage(cut.text, tuple(each for each in own if each.end - each.start > 1))


def varied(each: Passage, others: Sequence[Passage], rng: random.Random) -> Passage:
    """A passage as it is read this time: in small letters, without its last stop, or with another
    before or behind it.
    """
    if rng.random() < 0.4:
        small = each.text.lower()
        if len(small) == len(each.text):
            each = Passage(small, each.clauses)
    if rng.random() < 0.3 and each.text.endswith("."):
        each = Passage(each.text[:-1], tuple(c for c in each.clauses if c.end < len(each.text)))
    if rng.random() < 0.3:
        other = rng.choice(others)
        one, two = (each, other) if rng.random() < 0.5 else (other, each)
        at = len(one.text) + 1
        moved = [replace(c, start=c.start + at, end=c.end + at) for c in two.clauses]
        each = Passage(f"{one.text} {two.text}", (*one.clauses, *moved))
    return each


def items_of(reader: Reader, texts: Sequence[Passage]) -> list[Item]:
    """Reads passages; a long one comes in several windows."""
    out: list[Item] = []
    for each, reading in zip(texts, reader.read_texts([each.text for each in texts]), strict=True):
        at = 0
        for window in reading.windows:
            spans = reading.spans[at : at + len(window.firsts)]
            at += len(window.firsts)
            targets = tuple(
                target for c in each.clauses if (target := _target(c, spans)) is not None
            )
            out.append(
                Item(torch.from_numpy(window.states.copy()).half(), window.firsts, spans, targets)
            )
    return out


def _target(clause: Clause, spans: Sequence[tuple[int, int]]) -> Target | None:
    inside = [
        at for at, (start, end) in enumerate(spans) if start < clause.end and end > clause.start
    ]
    if not inside:
        return None
    about = {"speaker": 0, "you": 1}.get(clause.about[0] if clause.about else "speaker", 2)
    judged = (SORTS.index(clause.sort), HOLDS.index(clause.holds), clause.keep - 1, about)
    return Target(inside[0], inside[-1], judged)


def batches(items: Sequence[Item], rng: random.Random) -> Iterator[list[Item]]:
    """Yields items of like length together, in a random order."""
    order = sorted(items, key=lambda item: len(item.states) + rng.random() * 6)
    groups = [order[at : at + MOST] for at in range(0, len(order), MOST)]
    rng.shuffle(groups)
    yield from groups


def padded(items: Sequence[Item]) -> tuple[Tensor, Tensor]:
    """States, (items, pieces, 384), and which pieces there are, (items, pieces)."""
    longest = max(len(item.states) for item in items)
    states = torch.zeros(len(items), longest, model.WIDTH)
    mask = torch.zeros(len(items), longest)
    for row, item in enumerate(items):
        states[row, : len(item.states)] = item.states.float()
        mask[row, : len(item.states)] = 1
    return states, mask
