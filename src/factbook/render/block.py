"""The block that enters a prompt: cards, then single lines, then what was said, by day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from factbook.render.dates import day
from factbook.render.escape import attribute

CLOSING = "</memory>"
MOST_NAMES = 5
"""Names in the block's opening."""

Shape = Literal["card", "line", "said"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A line that was chosen, escaped already (see `lines`).

    Attributes:
        shape: `card` (a part of its entity's card), `line` (stands alone) or `said` (under its day).
        heading: of the card or the day; empty for a `line`. text: the rest; empty for a card without a part.
        group: what is put together under one heading: the entity's id, the day; headings alone may be equal by chance.
        order: place among its like; cards and lines keep their order, what was said is sorted by it.
    """

    shape: Shape
    heading: str = ""
    text: str
    group: str = ""
    order: tuple[float, ...] = ()


def opening(about: Sequence[str], now: datetime) -> str:
    """`<memory about="Alice, Project Atlas" as-of="2026-06-14">`."""
    names = ", ".join(attribute(name) for name in list(dict.fromkeys(about))[:MOST_NAMES])
    subject = f' about="{names}"' if names else ""
    return f'<memory{subject} as-of="{day(now)}">'


def alone(entry: Entry) -> str:
    """The entry as a line of its own."""
    if entry.shape == "card":
        return f"{entry.heading} — {entry.text}" if entry.text else entry.heading
    return f"{entry.heading} {entry.text}" if entry.heading else entry.text


def block(entries: Sequence[Entry], about: Sequence[str], now: datetime) -> str:
    """The whole block, empty for no entries."""
    if not entries:
        return ""
    cards = _grouped([entry for entry in entries if entry.shape == "card"])
    said = _grouped(sorted((entry for entry in entries if entry.shape == "said"), key=lambda entry: entry.order))
    lines = [
        opening(about, now),
        *map(_card, cards),
        *(alone(entry) for entry in entries if entry.shape == "line"),
        *map(_day, said),
        CLOSING,
    ]
    return "\n".join(lines)


def _grouped(entries: Sequence[Entry]) -> list[list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return list(groups.values())


def _card(group: Sequence[Entry]) -> str:
    text = "; ".join(dict.fromkeys(entry.text for entry in group if entry.text))
    return f"{group[0].heading} — {text}" if text else group[0].heading


def _day(group: Sequence[Entry]) -> str:
    if len(group) == 1:
        return alone(group[0])
    return "\n".join([group[0].heading, *(entry.text for entry in group)])
