"""The chat messages that were written and labelled by hand: `[Mira|person] moved to
[Tallinn|place]`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from training.examples import Example, Span
from training.labels import KINDS

FOLDER = Path(__file__).parent / "written"
_MARK = re.compile(r"\[([^\[\]|]+)\|(\w+)\]")


def examples(folder: Path = FOLDER) -> Iterator[Example]:
    """The messages of every file, one a line; `\\n` stands for a line's end, and `#` begins a
    comment line.

    Raises:
        ValueError: a mark names a kind that there is not.
    """
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("# "):
                yield read(line.replace("\\n", "\n"), path.stem)


def is_held_out(example: Example) -> bool:
    """Whether the message is among the tenth that no training reads, for measuring: by its text, so
    for every seed.
    """
    return hashlib.sha256(example.text.encode()).digest()[0] < 26


def read(line: str, origin: str = "written", kinds: Collection[str] = KINDS) -> Example:
    """One marked message."""
    text = ""
    spans: list[Span] = []
    at = 0
    for mark in _MARK.finditer(line):
        name, kind = mark.groups()
        if kind not in kinds:
            raise ValueError(f"no kind {kind!r} in {line!r}")
        text += line[at : mark.start()]
        spans.append(Span(len(text), len(text) + len(name), (kind,)))
        text += name
        at = mark.end()
    return Example(text + line[at:], tuple(spans), frozenset(), origin)
