"""A quotation whose lines stay lines: code, lists, tables.

Each line of it stands behind an indentation of ours, which no line of a block begins with, and
between our quotation marks, which no text can hold: so none of its lines can be taken for a line of
the block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from factbook.text.escape import inline, item, row
from factbook.text.line_breaks import keeps_lines

INDENT = "  "
_BREAK = "\n"
LEFT_OUT = "…"

_FENCE = re.compile(r" *(`{3,}|~{3,})")
_OPENS = re.compile(r"(?: |`{3}|~{3}|[-*+•–—‣◦|]\s?|\d{1,3}[.)]\s)")


def in_lines(parts: Sequence[str]) -> str:
    """`“…”` over several lines, with a line `…` between parts and where something is left out;
    blank lines are dropped.
    """
    rows: list[str] = []
    for number, part in enumerate(parts):
        shown = _rows(part)
        # Of what is cut, a fence may lie in what is left out.
        whole = (
            _closed(shown)
            if len(parts) == 1
            else [each for each in shown if not _FENCE.match(each)]
        )
        rows += [LEFT_OUT] * bool(number) + whole
    if not rows:
        return "“”"
    ends = [INDENT] if _FENCE.match(rows[-1]) else []  # the mark behind a fence would leave it open
    return f"“{_BREAK.join([_laid(rows), *ends])}”"


def below(text: str) -> str:
    """Returns a text behind a bullet: on one line, or `“…”` over several where its lines mean
    something.
    """
    return in_lines([text]) if keeps_lines(text) else inline(text)


def shortened_lines(text: str, length: int) -> str:
    """Returns as many lines of what `below` gave as `length` characters hold, with a mark; empty
    for less than two.
    """
    rows = [each for each in text.split(_BREAK) if not _FENCE.match(each)]
    kept: list[str] = []
    left = length - len(f"{INDENT}{LEFT_OUT}”")
    for each in rows:
        left -= len(each) + 1
        if left < 0:
            break
        kept.append(each)
    return _BREAK.join([*kept, f"{INDENT}{LEFT_OUT}”"]) if len(kept) > 1 else ""


def _laid(rows: Sequence[str]) -> str:
    """Returns the lines, each but the first behind our indentation; the first too where it would
    open a list or a block.
    """
    head, *rest = rows
    same_line = _OPENS.match(head) is None and not (rest and rest[0].startswith(" "))
    behind = rest if same_line else rows
    return _BREAK.join([head if same_line else "", *(INDENT + each for each in behind)])


def part(text: str) -> str:
    """Returns a part of a card: like `item`, but `“…”` over several lines where its lines mean
    something. What was made so already stays as it is.
    """
    if is_in_lines(text):
        return text
    return in_lines([text]) if keeps_lines(text) else item(text)


def is_in_lines(text: str) -> bool:
    """Returns whether the text has a quotation over several lines already, and all of it is
    escaped.
    """
    head, opened, rest = text.partition("“")
    body, closed, tail = rest.rpartition("”")
    if not (opened and closed and "\n" in body):
        return False
    if item(head) != head.strip() or item(tail) != tail.strip():
        return False
    first, *behind = body.split("\n")
    return row(first) == first.rstrip() and all(
        each.startswith(INDENT) and row(each) == each.rstrip() for each in behind
    )


def _rows(text: str) -> list[str]:
    """Its lines, escaped, without the indentation that all of them share."""
    rows = [shown for line in text.splitlines() if (shown := row(line))]
    shared = min((len(each) - len(each.lstrip()) for each in rows), default=0)
    return [each[shared:] for each in rows]


def _closed(rows: Sequence[str]) -> list[str]:
    """Returns the lines with a fence closed that was left open, lest it take in what follows."""
    out = list(rows)
    fence = ""
    for each in out:
        found = _FENCE.match(each)
        if not found:
            continue
        if not fence:
            fence = found[1]
        elif found[1].startswith(fence) and each.strip() == found[1]:
            fence = ""
    return [*out, fence] if fence else out
