"""What the reader is trained on: texts with names, and what may hide in a text that marks some
kinds only.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from training.labels import KINDS


@dataclass(frozen=True, slots=True)
class Span:
    """A name at `start:end` of one of `kinds`; `O` among them if it may be none at all."""

    start: int
    end: int
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A text, its names, and the kinds that its source never marks; `origin` names the source."""

    text: str
    spans: tuple[Span, ...]
    unmarked: frozenset[str]
    origin: str

    def names(self) -> Iterator[str]:
        for span in self.spans:
            yield self.text[span.start : span.end]


def source(path: Path) -> Iterator[Example]:
    """The examples of one of the sources of names, `{"text", "spans": [{"start", "end", "types"}],
    "unannotated"}`.
    """
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        spans: list[Span] = []
        for each in row["spans"]:
            start, end = each["start"], each["end"]
            # The `@` and `#` of accounts and tags are marked apart, and a full stop is often taken
            # along.
            while start < end and row["text"][start] in "@#":
                start += 1
            while start < end and row["text"][end - 1] in ".,;:!?":
                end -= 1
            if start < end:
                spans.append(Span(start, end, tuple(each["types"])))
        unmarked = (frozenset(row["unannotated"]) | {"task"}) & frozenset(KINDS)
        yield Example(row["text"], tuple(spans), unmarked, path.stem)


def with_other_names(example: Example, names: dict[str, list[str]], rng: random.Random) -> Example:
    """The example with each name of a plain kind changed for another of `names` half of the
    time.
    """
    out: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for span in example.spans:
        kind = span.kinds[0]
        name = example.text[span.start : span.end]
        if len(span.kinds) == 1 and kind in names and rng.random() < 0.6:
            other = rng.choice(names[kind])
            name = other.lower() if name.islower() else other
        before = example.text[at : span.start]
        out += [before, name]
        length += len(before)
        spans.append(Span(length, length + len(name), span.kinds))
        length += len(name)
        at = span.end
    out.append(example.text[at:])
    return Example("".join(out), tuple(spans), example.unmarked, example.origin)


def joined(examples: list[Example], rng: random.Random) -> Example:
    """Several examples as one text, each after a space or on a line of its own."""
    text = ""
    spans: list[Span] = []
    separator = rng.choice((" ", " ", "\n", "\n\n", "\n- "))
    for each in examples:
        if text:
            text += separator if separator != " " or text[-1] in ".!?" else ". "
        spans += [
            Span(len(text) + span.start, len(text) + span.end, span.kinds) for span in each.spans
        ]
        text += each.text
    unmarked = frozenset[str]().union(*(each.unmarked for each in examples))
    return Example(text, tuple(spans), unmarked, examples[0].origin)
