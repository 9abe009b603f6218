"""Knowledge as a block for a prompt, in the format that selectools gives it; one line an entry, escaped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from factbook.memory.knowledge.entry import GENERAL, KnowledgeEntry
from factbook.render.escape import inline

IMPORTANT = 0.7
"""From here on an entry stands under the first heading."""
_CUT = "\n... (truncated)"

Fits = Callable[[str], bool]


def block(entries: Sequence[KnowledgeEntry], fits: Fits) -> str:
    """The entries under their headings, in the order given; whole lines are left out at the end until it fits."""
    lines: list[str] = []
    for heading, part in (
        ("[Important Knowledge]", [entry for entry in entries if entry.importance >= IMPORTANT]),
        ("[General Knowledge]", [entry for entry in entries if entry.importance < IMPORTANT]),
    ):
        if part:
            lines += ([""] if lines else []) + [heading] + [line(entry) for entry in part]
    return cut(lines, fits)


def line(entry: KnowledgeEntry) -> str:
    """One entry: its category, unless it is the general one, and its content."""
    tag = f"[{inline(entry.category)}] " if entry.category != GENERAL else ""
    return f"- {tag}{inline(entry.content)}"


def cut(lines: Sequence[str], fits: Fits) -> str:
    """As many of the lines as fit, with a mark where some are left out; nothing if not even one fits."""
    whole = "\n".join(lines)
    if not lines or fits(whole):
        return whole
    low, high = 0, len(lines) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if fits(_shortened(lines, middle)):
            low = middle
        else:
            high = middle - 1
    return _shortened(lines, low) if low and any(each.startswith("- ") for each in lines[:low]) else ""


def _shortened(lines: Sequence[str], count: int) -> str:
    kept = list(lines[:count])
    while kept and not kept[-1].startswith("- "):
        kept.pop()
    return "\n".join(kept) + _CUT
