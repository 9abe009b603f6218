"""Parsed texts as the network takes them: states that the installed reader gives, and what every token is.

Tokens and the reader's words differ: a token is read at the first word that begins in it, or that it stands in; of
two tokens of one word (`im`) the second is read by numbers of its own.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from factbook.extract.local.syntax.lemmas import lemma_of
from factbook.extract.local.syntax.places import places_of
from factbook.extract.local.syntax.words import known_words
from factbook.reader.reading_model import Reader
from training.parses import is_held_out

LABELS = ("tags", "poses", "deps")
RARE = 3
"""A label met less often is none."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text with its parse, as `training.parses` tells it."""

    text: str
    tokens: list[tuple[int, int]]
    labels: Mapping[str, list[str]]
    heads: list[int]
    starts: list[int]
    lemmas: list[str]


@dataclass(frozen=True, slots=True)
class SyntaxItem:
    """A text read in one window.

    Attributes:
        states: shape (pieces, 384).
        pieces: of each token, the piece at which it is read. second: 1 where the token is the second of a word.
        labels: shape (tokens, 3), numbers of tag, part of speech and how it hangs. heads: index of a token, or -1 for a root.
        starts: 1 where a sentence begins.
    """

    states: Tensor
    pieces: list[int]
    second: list[int]
    labels: list[tuple[int, ...]]
    heads: list[int]
    starts: list[int]


def read_parses(path: Path) -> tuple[list[Parsed], list[Parsed]]:
    """Returns the texts to learn from and those held out."""
    both: tuple[list[Parsed], list[Parsed]] = ([], [])
    with path.open(encoding="utf-8") as file:
        for line in file:
            row: dict[str, Any] = json.loads(line)
            both[is_held_out(row["text"])].append(
                Parsed(
                    row["text"],
                    [(start, end) for start, end in row["tokens"]],
                    {name: row[name] for name in LABELS},
                    row["heads"],
                    row["starts"],
                    row["lemmas"],
                )
            )
    return both


def labels_of(parsed: Sequence[Parsed]) -> dict[str, list[str]]:
    """Returns the labels of each sort that are met often enough, the most frequent first."""
    out: dict[str, list[str]] = {}
    for name in LABELS:
        counts = Counter(label for each in parsed for label in each.labels[name])
        out[name] = [label for label, count in counts.most_common() if count >= RARE]
    return out


def lemmas_of(parsed: Sequence[Parsed]) -> dict[str, str]:
    """Returns the base forms that the endings don't tell, by `word/tag`: of words met more than once."""
    counts = Counter(
        (text_of(each, at), tag, each.lemmas[at])
        for each in parsed
        for at, tag in enumerate(each.labels["tags"])
    )
    told: dict[tuple[str, str], tuple[int, str]] = {}
    for (word, tag, lemma), count in counts.items():
        told[word, tag] = max(told.get((word, tag), (0, "")), (count, lemma))
    known = known_words()
    return {
        f"{word}/{tag}": lemma
        for (word, tag), (count, lemma) in sorted(told.items())
        if count > 1 and word.strip() and lemma_of(word, tag, known, {}) != lemma
    }


def text_of(each: Parsed, at: int) -> str:
    """Returns a token in small letters, as words are looked up."""
    start, end = each.tokens[at]
    return each.text[start:end].lower().replace("’", "'")


def varied_parse(each: Parsed, rng: random.Random) -> Parsed:
    """The text as it is read this time: in small letters, or without its last stop."""
    text, last = each.text, len(each.tokens)
    if rng.random() < 0.6 and len(text.lower()) == len(text):
        text = text.lower()
    if (
        rng.random() < 0.4
        and text.endswith((".", "!"))
        and last > 1
        and each.heads[last - 1] != last - 1
    ):
        text, last = text[: each.tokens[-1][0]], last - 1
    if any(head >= last for head in each.heads[:last]):
        return Parsed(
            text + each.text[len(text) :],
            each.tokens,
            each.labels,
            each.heads,
            each.starts,
            each.lemmas,
        )
    return Parsed(
        text,
        each.tokens[:last],
        {name: labels[:last] for name, labels in each.labels.items()},
        each.heads[:last],
        each.starts[:last],
        each.lemmas[:last],
    )


def syntax_items(
    reader: Reader, texts: Sequence[Parsed], labels: Mapping[str, Sequence[str]]
) -> Iterator[SyntaxItem]:
    """Reads texts; those that take more than one window are left out."""
    numbers = {
        name: {label: number for number, label in enumerate(known)}
        for name, known in labels.items()
    }
    for at in range(0, len(texts), 256):
        some = texts[at : at + 256]
        for each, reading in zip(some, reader.read_texts([one.text for one in some]), strict=True):
            if len(reading.windows) != 1:
                continue
            (window,) = reading.windows
            places = places_of(each.tokens, reading.spans)
            yield SyntaxItem(
                torch.from_numpy(window.states.copy()).half(),
                [window.firsts[word] for word, _ in places],
                [second for _, second in places],
                list(
                    zip(
                        *(
                            [numbers[name].get(label, -100) for label in each.labels[name]]
                            for name in LABELS
                        ),
                        strict=True,
                    )
                ),
                [-1 if head == own else head for own, head in enumerate(each.heads)],
                each.starts,
            )
