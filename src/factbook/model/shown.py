"""Values for people: what `print` shows, in a few lines, bounded, without control characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

LONGEST = 200
MOST = 8
"""Of a list; the rest is counted."""


def short(text: str, most: int = LONGEST) -> str:
    """Returns a text on one line, printable, cut with ` …` where it is longer."""
    line = "".join(char if char.isprintable() else " " for char in text[: 2 * most])
    line = " ".join(line.split())
    return line if len(line) <= most and len(text) <= 2 * most else f"{line[:most].rstrip()} …"


def listed(parts: Iterable[str], most: int = MOST) -> list[str]:
    """Returns the first parts, and how many more there are."""
    every = list(parts)
    return every if len(every) <= most else [*every[:most], f"… {len(every) - most} more"]


def counted(counts: Mapping[str, int]) -> str:
    """Returns `2 entities, 1 fact`, without what there is none of; the plural is the key."""
    return ", ".join(listed(several(number, name) for name, number in counts.items() if number))


def several(number: int, plural: str) -> str:
    """Returns `1 entity` or `2 entities`."""
    singular = f"{plural[:-3]}y" if plural.endswith("ies") else plural.removesuffix("s")
    return f"{number} {singular if number == 1 else plural}"


def reasons(counts: Mapping[str, int]) -> str:
    """Returns `ungrounded 2, cut_off`."""
    return ", ".join(
        listed(
            short(name) if number == 1 else f"{short(name)} {number}"
            for name, number in counts.items()
        )
    )


def shown_day(at: datetime | None) -> str:
    """Returns `2026-03-02`; empty for none."""
    return at.date().isoformat() if at else ""
