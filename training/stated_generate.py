"""Texts and what they state, out of `stated_templates.txt`."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from training import stated
from training.examples import Example, Span
from training.generate import Generator
from training.reserved import is_reserved

FILE = Path(__file__).with_name("stated_templates.txt")
KINDS = {
    "p": "person",
    "o": "organization",
    "c": "place",
    "j": "project",
    "t": "technology",
    "d": "product",
    "k": "task",
    "e": "event",
    "w": "work",
    "g": "campaign",
}
_SLOT = re.compile(r"\{([a-z]+)(\d)\}")
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")


class Maker:
    """Makes texts of one to three sentences; equal seeds make equal ones."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._names = Generator(seed)
        self._lists: dict[str, list[str]] = {}
        section = ""
        for line in FILE.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                section = line.strip("[]")
                self._lists[section] = []
            elif line.strip() and not line.startswith("# "):
                entries = [line] if section == "sentences" else line.split(", ")
                self._lists[section] += [entry.strip() for entry in entries]

    def texts(self, count: int) -> Iterator[stated.Stated]:
        while count:
            many = self._rng.choices((1, 2, 3), (0.6, 0.28, 0.12))[0]
            made = self._text([self._rng.choice(self._lists["sentences"]) for _ in range(many)])
            if not any(is_reserved(name) for name in made.example.names()):
                count -= 1
                yield made

    def _text(self, templates: list[str]) -> stated.Stated:
        text = ""
        spans: list[Span] = []
        says: list[tuple[str, str, str]] = []
        statements: set[str] = set()
        used: set[str] = set()
        for template in templates:
            sentence, _, meaning = template.partition(" => ")
            meaning, _, statement = meaning.partition(" ! ")
            statements |= {statement} if statement else set()
            sentence = self._chosen(sentence)
            if text:
                text += self._rng.choice((". ", ". ", ". ", "! ", ", ", "\n"))
            filled, own, ends = self._filled(sentence, len(text), used)
            text += filled
            spans += own
            for said in filter(None, meaning.split("; ")):
                left, label, right = said.split(" ")
                pair = [end if end == stated.SELF else ends.get(end) for end in (left, right)]
                if pair[0] and pair[1]:
                    says.append((pair[0], label, pair[1]))
        if self._rng.random() < 0.6 and text[-1] not in "?.!":
            text += "."
        return stated.Stated(
            Example(text, tuple(spans), frozenset(), "templates"),
            tuple(says),
            frozenset(statements),
        )

    def _filled(
        self, sentence: str, start: int, used: set[str]
    ) -> tuple[str, list[Span], dict[str, str]]:
        """The sentence with its slots filled, its names, and the filling of each slot; no filling
        is used twice.
        """
        out = ""
        at = 0
        spans: list[Span] = []
        ends: dict[str, str] = {}
        small = self._rng.random() < 0.1
        for slot in _SLOT.finditer(sentence):
            out += sentence[at : slot.start()]
            at = slot.end()
            key, kind = slot[1] + slot[2], KINDS.get(slot[1])
            while key not in ends:
                made = self._names.name(kind) if kind else self._rng.choice(self._lists[slot[1]])
                if made.lower() not in used and not any(
                    made.lower() in each or each in made.lower() for each in used
                ):
                    used.add(made.lower())
                    ends[key] = made.lower() if small and kind else made
            if kind:
                spans.append(Span(start + len(out), start + len(out) + len(ends[key]), (kind,)))
            out += ends[key]
        out += sentence[at:]
        if (
            self._rng.random() < 0.5
            and out[:1].islower()
            and not (spans and spans[0].start == start)
        ):
            out = out[0].upper() + out[1:]
            ends = {key: self._raised(end, out) for key, end in ends.items()}
        return out, spans, ends

    def _raised(self, end: str, text: str) -> str:
        """An end as it is written where it opens the sentence."""
        return end if stated.find(end, text) else end[0].upper() + end[1:]

    def _chosen(self, template: str) -> str:
        while found := _CHOICE.search(template):
            template = (
                template[: found.start()]
                + self._rng.choice(found[1].split("|"))
                + template[found.end() :]
            )
        return re.sub(r"  +", " ", template).strip()
