"""Texts as the network of what is stated takes them: passages with their pieces, names and answers,
in batches.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from factbook.extract.local.passages import passages
from factbook.extract.local.stated import parties as who
from factbook.model.episode import StoredMessage
from factbook.model.record import SELF
from factbook.model.relations import is_symmetric, turned_to_main
from factbook.reader import reading_model as room
from factbook.reader.word_pieces import pieces_of, shapes_of, tokenizer_of
from factbook.text.names import fold
from training import labels, stated

LONGEST = 224
BATCH_PIECES = 640
MOST = 32
"""Texts of a batch, at most."""
Pair = tuple[str, str]
"""Two parties by their folded names; who speaks has an empty one."""


@dataclass(frozen=True, slots=True)
class Item:
    """A passage as the network takes it; `gold` are the labels by pair of folded names, `marked`
    the words of its plain ends and values.
    """

    text: str
    ids: list[int]
    shapes: list[int]
    firsts: list[int]
    spans: list[tuple[int, int]]
    names: list[tuple[int, int, str]]
    marked: list[tuple[int, int]]
    gold: dict[Pair, frozenset[str]]
    statements: frozenset[str] | None
    sure: float = 1.0


class Encoder:
    """Makes items of texts."""

    def __init__(self) -> None:
        self._tokenizer = tokenizer_of(Path(room.__file__).with_name("vocab.txt").read_bytes())
        self.lost = 0

    def __call__(self, each: stated.Stated, sure: float = 1.0) -> list[Item]:
        now = datetime(2026, 1, 1, tzinfo=UTC)
        message = StoredMessage(id="m", episode_id="e", at=now, text=each.text)
        cut = list(passages(message))
        says = set(each.says)
        items: list[Item] = []
        for passage in cut:
            item, taken = self._item(each, passage.offset, passage.text, len(cut) == 1, sure)
            says -= taken
            if item.firsts:
                items.append(item)
        self.lost += len(says)
        return items

    def _item(
        self, each: stated.Stated, offset: int, text: str, whole: bool, sure: float
    ) -> tuple[Item, set[tuple[str, str, str]]]:
        pieces = pieces_of(self._tokenizer, text, LONGEST)
        spans = pieces.spans
        counts = np.diff([*pieces.firsts, len(pieces.ids) - 1]) if spans else np.zeros(0, int)
        names: list[tuple[int, int, str]] = []
        for span in each.example.spans:
            inside = who.words_in(spans, span.start - offset, span.end - offset)
            if inside and offset <= span.start and span.end <= offset + len(text):
                names.append((*inside, span.kinds[0]))
        keys = {
            at: _key(text, spans, first, last)
            for first, last, _ in names
            for at in range(first, last + 1)
        }
        known = set(keys.values())
        marked: list[tuple[int, int]] = []
        gold: dict[Pair, set[str]] = defaultdict(set)
        taken: set[tuple[str, str, str]] = set()
        for said in each.says:
            left, label, right = turned_to_main(*said)
            ends = [self._end(end, text, spans, keys, known, marked) for end in (left, right)]
            if ends[0] is None or ends[1] is None:
                continue
            taken.add(said)
            gold[ends[0], ends[1]].add(label)
            if is_symmetric(label):
                gold[ends[1], ends[0]].add(label)
        shapes = [0, *np.repeat(shapes_of(text, spans), counts).tolist(), 0]
        frozen = {pair: frozenset(those) for pair, those in gold.items()}
        statements = each.statements if whole else None
        return (
            Item(
                text,
                pieces.ids,
                shapes,
                pieces.firsts,
                spans,
                names,
                marked,
                frozen,
                statements,
                sure,
            ),
            taken,
        )

    def _end(
        self,
        end: str,
        text: str,
        spans: list[tuple[int, int]],
        keys: dict[int, str],
        known: set[str],
        marked: list[tuple[int, int]],
    ) -> str | None:
        """The folded name of a party; what is no name is entered among the words marked."""
        if end == SELF:
            return ""
        if fold(end) in known:
            return fold(end)
        there = stated.find(end, text)
        words = who.words_in(spans, *there) if there else None
        if words is None:
            return None
        if all(at in keys for at in range(words[0], words[1] + 1)):
            return keys[words[0]]
        if words not in marked:
            marked.append(words)
        return _key(text, spans, *words)


def _key(text: str, spans: Sequence[tuple[int, int]], first: int, last: int) -> str:
    return fold(" ".join(text[spans[first][0] : spans[last][1]].split()))


@dataclass(slots=True)
class Batch:
    items: list[Item]
    ids: Tensor
    mask: Tensor
    shapes: Tensor
    marks: Tensor
    rows: Tensor
    firsts: Tensor


def batch_of(items: list[Item]) -> Batch:
    width = max(len(item.ids) for item in items)
    ids, mask, shapes, marks = (torch.zeros(len(items), width, dtype=torch.long) for _ in range(4))
    for row, item in enumerate(items):
        length = len(item.ids)
        ids[row, :length] = torch.tensor(item.ids)
        mask[row, :length] = 1
        shapes[row, :length] = torch.tensor(item.shapes)
        counts = np.diff([*item.firsts, length - 1])
        taken = {at for first, last, _ in item.names for at in range(first, last + 1)}
        speaker = [at for at in who.speaking(item.text, item.spans) if at not in taken]
        by_word = who.marks(len(item.spans), item.names, speaker)
        marks[row, 1 : length - 1] = torch.tensor(np.repeat(by_word, counts))
    rows = torch.cat([torch.full((len(item.firsts),), row) for row, item in enumerate(items)])
    firsts = torch.cat([torch.tensor(item.firsts) for item in items])
    return Batch(items, ids, mask, shapes, marks, rows, firsts)


@dataclass(slots=True)
class Pairs:
    """All pairs of mentions of a batch: the rows of their words' first pieces in the flattened
    batch, and the number of the pair of parties that each belongs to.
    """

    left: Tensor
    right: Tensor
    places: Tensor
    group: Tensor
    parties: list[tuple[int, str, str]]
    """Of each pair of parties its item and the folded names."""


def pairs_of(
    items: Sequence[Item], width: int, marked: Sequence[Sequence[tuple[int, int]]]
) -> Pairs:
    left: list[tuple[int, int]] = []
    right: list[tuple[int, int]] = []
    places: list[int] = []
    group: list[int] = []
    pairs: list[tuple[int, str, str]] = []
    for row, (item, words) in enumerate(zip(items, marked, strict=True)):
        there = who.parties(item.text, item.spans, item.names, words)

        def piece(word: int, item: Item = item, row: int = row) -> int:
            return row * width + (0 if word == who.OPENING else item.firsts[word])

        for one in there:
            for other in there:
                if one is other or not (one.kind or other.kind or one.mentions != other.mentions):
                    continue
                pairs.append((row, fold(one.name), fold(other.name)))
                for a, a_last in one.mentions:
                    for b, b_last in other.mentions:
                        left.append((piece(a), piece(a_last)))
                        right.append((piece(b), piece(b_last)))
                        places.append(who.place(a, b))
                        group.append(len(pairs) - 1)
    return Pairs(
        torch.tensor(left).view(-1, 2),
        torch.tensor(right).view(-1, 2),
        torch.tensor(places),
        torch.tensor(group),
        pairs,
    )


def with_noise(item: Item, rng: random.Random) -> Item:
    """The item with the mistakes that are made with names: some are mistyped."""
    names = [
        (first, last, rng.choice(labels.KINDS) if rng.random() < 0.06 else kind)
        for first, last, kind in item.names
    ]
    return replace(item, names=names)


def packed(items: list[Item], rng: random.Random) -> list[list[Item]]:
    """Batches of items of like length."""
    items = sorted(items, key=lambda item: (len(item.ids), rng.random()))
    out: list[list[Item]] = [[]]
    for item in items:
        if out[-1] and ((len(out[-1]) + 1) * len(item.ids) > BATCH_PIECES or len(out[-1]) >= MOST):
            out.append([])
        out[-1].append(item)
    rng.shuffle(out)
    return out
