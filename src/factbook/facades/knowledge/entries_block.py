"""Knowledge as a block for a prompt, in the format that selectools gives it; one line an entry,
escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from factbook.facades.knowledge.knowledge_entry import GENERAL, KnowledgeEntry
from factbook.text.escape import inline
from factbook.text.quoted_lines import below, shortened_lines
from factbook.text.shorten import shorten_text

IMPORTANT = 0.7
"""From here on an entry stands under the first heading."""
LONGEST_CUT = 600
"""Characters of an entry that doesn't fit whole."""
SHORTEST_CUT = 24
"""Less of an entry says nothing."""
MOST_MISSES = 20
"""Entries that fit neither whole nor cut, after which no more are tried."""

_CUT = "\n... (truncated)"
_IMPORTANT, _GENERAL = "[Important Knowledge]", "[General Knowledge]"
LONG_TERM, RECENT = "[Long-term Memory]", "[Recent Memory]"
_HEADINGS = frozenset({_IMPORTANT, _GENERAL, LONG_TERM, RECENT})

Fits = Callable[[str], bool]


def context_block(entries: Sequence[KnowledgeEntry], fits: Fits) -> str:
    """The entries under their headings, in the order given, as `cut` leaves them."""
    lines: list[str] = []
    for heading, part in (
        (_IMPORTANT, [entry for entry in entries if entry.importance >= IMPORTANT]),
        (_GENERAL, [entry for entry in entries if entry.importance < IMPORTANT]),
    ):
        if part:
            lines += ([""] if lines else []) + [heading] + [entry_line(entry) for entry in part]
    return cut_line(lines, fits)


def entry_line(entry: KnowledgeEntry) -> str:
    """One entry: its category, unless it is the general one, and its content; code and lists keep
    their lines.
    """
    tag = f"[{inline(entry.category)}] " if entry.category != GENERAL else ""
    return f"- {tag}{below(entry.content)}"


def cut_line(lines: Sequence[str], fits: Fits) -> str:
    """Returns as many of the lines as fit, with a mark at the end where something is missing.

    A long line that doesn't fit is cut, a short one is left out, and those behind it have their
    chance. Where no line fits, the first one is cut to what does. Empty only where not even that
    says anything.
    """
    whole = "\n".join(lines)
    if fits(whole):
        return whole
    kept: list[str] = []
    at = misses = 0
    while at < len(lines) and misses < MOST_MISSES:
        run = _count_fitting(kept, lines[at:], fits)
        kept += lines[at : at + run]
        at += run
        if at < len(lines):
            others = any(not _is_heading(each) for each in lines[at + 1 :])
            part = (
                _cut_part(kept, lines[at], fits, 2 if others else 1)
                if len(lines[at]) > LONGEST_CUT
                else ""
            )
            kept += [part] if part else []
            misses += not part
            at += 1
    if not _join_shown(kept):
        kept = _cut_first(lines, fits)
    return _join_shown(kept)


def _count_fitting(kept: Sequence[str], lines: Sequence[str], fits: Fits) -> int:
    return _largest_holding(lambda count: fits(_join_shown([*kept, *lines[:count]])), len(lines))


def _largest_holding(holds: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` for which it holds; it holds for none above one for which it
    doesn't.
    """
    low = 0
    while low < most:
        middle = (low + most + 1) // 2
        if holds(middle):
            low = middle
        else:
            most = middle - 1
    return low


def _cut_part(kept: Sequence[str], long: str, fits: Fits, shares: int = 1) -> str:
    """Cuts a line to the room that it may take: one of so many shares."""
    length = _largest_holding(
        lambda length: fits(_join_shown([*kept, _shorten_line(long, length)])), len(long) - 1
    )
    length = min(length, max(length // shares, SHORTEST_CUT), LONGEST_CUT)
    return _shorten_line(long, length) if length >= SHORTEST_CUT else ""


def _shorten_line(long: str, length: int) -> str:
    return (shortened_lines(long, length) if "\n" in long else "") or shorten_text(
        inline(long), length
    )


def _cut_first(lines: Sequence[str], fits: Fits) -> list[str]:
    """A heading and what fits of the first entry that can be cut so far."""
    heading: list[str] = []
    for each in lines[:MOST_MISSES]:
        if _is_heading(each):
            heading = [each] if each else []
        elif part := _cut_part(heading, each, fits):
            return [*heading, part]
    return []


def _join_shown(kept: Sequence[str]) -> str:
    """The block of these lines, headings without an entry left out; empty without any."""
    out: list[str] = []
    for each in kept:
        while each and out and 0 < _level_of(out[-1]) <= _level_of(each):
            out.pop()
        if each or out:
            out.append(each)
    while out and _is_heading(out[-1]):
        out.pop()
    return "\n".join(out) + _CUT if out else ""


def _is_heading(text: str) -> bool:
    return not text or _level_of(text) > 0


def _level_of(text: str) -> int:
    """2 for the heading of a part, 1 for that of a day, 0 for anything else."""
    return 2 if text in _HEADINGS else int(text.startswith("=== ") and text.endswith(" ==="))
