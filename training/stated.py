"""What texts state: messages written for it, each with the relations, facts and statements that it
holds.

    #17 my sister [Ana|person] works at [Globex|organization] as a nurse
    Ana | sibling_of | self
    Ana | works_at | Globex
    Ana | .role | nurse

A text is a line that begins with `#`; what it states follows, a line each: `from | label | to`, `of
| .attribute | value`, `! decision`. An end is a name, `self` for who speaks, or words of the text;
a label that begins with `past:` has ended.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from training import written
from training.examples import Example, Span
from training.labels import KINDS

FOLDER = Path(__file__).parent / "stated"
SELF = "self"
MARKED = (*KINDS, "other")
"""What a name may be marked as: here also something else with a name."""
STATEMENTS = ("decision", "preference", "pain_point", "commitment")
_LABEL = re.compile(r"\.?(past:)?[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Stated:
    """A text with its names and what it states.

    Attributes:
        says: of each relation and fact its first end, label (`.role` for a fact), and second end or
            value.
        statements: which kinds of statement the text holds; None if nobody said.
    """

    example: Example
    says: tuple[tuple[str, str, str], ...]
    statements: frozenset[str] | None

    @property
    def text(self) -> str:
        return self.example.text


def read_all(folder: Path = FOLDER) -> Iterator[Stated]:
    """Every text of every file of a folder.

    Raises:
        ValueError: a line is malformed, or names what its text doesn't hold.
    """
    for path in sorted(folder.glob("*.txt")):
        yield from read(path)


def read(path: Path) -> Iterator[Stated]:
    """The texts of a file."""
    example: Example | None = None
    says: list[tuple[str, str, str]] = []
    statements: set[str] = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name}, line {number}"
        if not line.strip() or line.startswith("# "):
            continue
        if line.startswith("#"):
            if example is not None:
                yield Stated(example, tuple(says), frozenset(statements))
            marked = line.partition(" ")[2].replace("\\n", "\n")
            example, says, statements = written.read(marked, path.stem, MARKED), [], set()
        elif example is None:
            raise ValueError(f"{where}: there is no text yet")
        elif line.startswith("!"):
            if (kind := line[1:].strip()) not in STATEMENTS:
                raise ValueError(f"{where}: no statement {kind!r}")
            statements.add(kind)
        else:
            says.append(_said(line, example.text, where))
    if example is not None:
        yield Stated(example, tuple(says), frozenset(statements))


def _said(line: str, text: str, where: str) -> tuple[str, str, str]:
    parts = [part.strip() for part in line.split(" | ")]
    if len(parts) != 3 or not _LABEL.fullmatch(parts[1]):
        raise ValueError(
            f"{where}: neither `from | label | to` nor `of | .attribute | value`: {line!r}"
        )
    left, label, right = parts
    for end in (left, right):
        if end != SELF and find(end, text) is None:
            raise ValueError(f"{where}: {end!r} doesn't stand in the text")
    if right == SELF and label.startswith("."):
        raise ValueError(f"{where}: a value can't be the speaker")
    return left, label, right


def find(end: str, text: str, start: int = 0) -> tuple[int, int] | None:
    """Where words stand in a text from `start` on, however they are spaced; whole words where there
    are any.
    """
    pattern = r"\s+".join(map(re.escape, end.split()))
    match = re.compile(rf"(?<!\w){pattern}(?!\w)").search(text, start) or re.compile(
        pattern
    ).search(text, start)
    return match.span() if match else None


def is_held_out(stated: Stated) -> bool:
    """Whether the text is among the tenth that no training reads."""
    return hashlib.sha256(stated.text.encode()).digest()[0] < 26


def with_other_names(
    stated: Stated, names: dict[str, list[str]], rng: random.Random, share: float = 0.7
) -> Stated:
    """The same with some of the names changed for others of their kind, each everywhere alike."""
    text = stated.text
    ends = {end for left, _, right in stated.says for end in (left, right)}
    own = {text[span.start : span.end] for span in stated.example.spans}
    others: dict[str, str] = {}
    for span in stated.example.spans:
        name, kind = text[span.start : span.end], span.kinds[0]
        inside = any(name != end and name in end for end in ends) or any(
            name != each and name in each for each in own
        )
        if name not in others and kind in names and not inside and rng.random() < share:
            other = rng.choice(names[kind])
            others[name] = other.lower() if name.islower() else other
    changed: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for span in sorted(stated.example.spans, key=lambda span: span.start):
        name = text[span.start : span.end]
        name = others.get(name, name)
        before = text[at : span.start]
        changed += [before, name]
        length += len(before)
        spans.append(Span(length, length + len(name), span.kinds))
        length += len(name)
        at = span.end
    changed.append(text[at:])
    says = tuple(
        (others.get(left, left), label, others.get(right, right))
        for left, label, right in stated.says
    )
    return Stated(
        Example("".join(changed), tuple(spans), frozenset(), stated.example.origin),
        says,
        stated.statements,
    )


def in_small_letters(stated: Stated) -> Stated:
    """The same written without capitals; as it is where that would change its length."""
    lower = stated.text.lower()
    if len(lower) != len(stated.text):
        return stated
    example = Example(lower, stated.example.spans, frozenset(), stated.example.origin)
    says = tuple((left.lower(), label, right.lower()) for left, label, right in stated.says)
    return Stated(example, says, stated.statements)


def joined(pair: list[Stated], rng: random.Random) -> Stated:
    """Two texts as one; neither says anything of the other's names, and a name that both hold keeps
    them apart.
    """
    one, two = pair
    if set(one.example.names()) & set(two.example.names()) or None in (
        one.statements,
        two.statements,
    ):
        return one
    if {end for left, _, right in two.says for end in (left, right)} - {SELF} and any(
        find(end, one.text) for left, _, right in two.says for end in (left, right) if end != SELF
    ):
        return one
    if any(
        find(end, two.text) for left, _, right in one.says for end in (left, right) if end != SELF
    ):
        return one
    text = one.text if one.text[-1:] in ".!?" else one.text + rng.choice((".", ".", "!", ","))
    text += " "
    spans = [
        replace(span, start=span.start + len(text), end=span.end + len(text))
        for span in two.example.spans
    ]
    example = Example(
        text + two.text, (*one.example.spans, *spans), frozenset(), one.example.origin
    )
    return Stated(
        example,
        one.says + two.says,
        (one.statements or frozenset()) | (two.statements or frozenset()),
    )


def varied(
    each: Stated, names: dict[str, list[str]], others: Sequence[Stated], rng: random.Random
) -> Stated:
    """A text as it is read this time."""
    if rng.random() < 0.7:
        each = with_other_names(each, names, rng)
    if rng.random() < 0.15:
        pair = [each, rng.choice(others)]
        rng.shuffle(pair)
        each = joined(pair, rng)
    if rng.random() < 0.3:
        each = in_small_letters(each)
    ends_so = any(
        each.text.endswith(end)
        for end in (*each.example.names(), *(right for _, _, right in each.says))
    )
    if rng.random() < 0.15 and each.text[-1:] == "." and not ends_so:
        each = replace(each, example=replace(each.example, text=each.text[:-1]))
    return each
