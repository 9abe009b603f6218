"""Names: their folded form, and the keys under which a store finds their bearers."""

from __future__ import annotations

import unicodedata


def fold(name: str) -> str:
    """The form in which two spellings of one name are equal: case, width, spacing, Latin marks, apostrophes, hyphens."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def name_keys(name: str) -> tuple[str, ...]:
    """Keys for the store's name index; each begins with its sort and a colon. The first is `f:` + the folded name."""
    folded = fold(name)
    return (f"f:{folded}",) if folded else ()
