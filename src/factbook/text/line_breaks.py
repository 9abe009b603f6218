"""Whether a text's line breaks mean something: in code, lists and tables they do, in prose they
don't.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from factbook.text.sentences import is_code

MOST_CHARACTERS = 100_000
"""A text is judged by its beginning."""

_FENCE = re.compile(r"\s{0,20}(?:`{3,}|~{3,})")
_ITEM = re.compile(r"\s{0,20}(?:[-*+•–—‣◦☐☑✓✗]|\[[ xX]\]|\d{1,3}[.)]|\|)\s?")
_INDENTED = re.compile(r"(?:\t| {2,40})\S")
_FEW = 2


def keeps_lines(text: str) -> bool:
    """Returns whether a text is to be shown line by line: it holds a fence, an indented line, a
    list or table, or code.
    """
    if "\n" not in text and "\r" not in text:
        return False
    rows = [row for row in text[:MOST_CHARACTERS].splitlines() if row.strip()]
    if len(rows) < _FEW:
        return False
    if any(_FENCE.match(row) for row in rows) or any(_INDENTED.match(row) for row in rows[1:]):
        return True
    return _are_many(_ITEM.match(row) is not None for row in rows) or _are_many(
        is_code(row) for row in rows
    )


def _are_many(found: Iterable[bool]) -> bool:
    return sum(found) >= _FEW
