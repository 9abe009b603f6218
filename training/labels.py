"""The kinds that the reader tells apart, and their tags. A service is a product, a ticket a task, a
work a book, film, song or game.
"""

from __future__ import annotations

from factbook.extract.local.reader_decode import KINDS, TAGS

__all__ = ["KINDS", "OUTSIDE", "TAGS", "first", "further"]

OUTSIDE = 0


def first(kind: str) -> int:
    """The tag of a name's first word."""
    return 1 + 2 * KINDS.index(kind)


def further(kind: str) -> int:
    """The tag of a name's further words."""
    return 2 + 2 * KINDS.index(kind)
