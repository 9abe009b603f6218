"""Short names for things that are told by a clause: decisions and tasks."""

from __future__ import annotations

from factbook.text.index_words import index_words

MOST_WORDS = 8
"""Words of a name at most."""
FEWEST_WORDS = 3
"""A name is cut before a phrase only where so many are left."""


def shorten_clause(clause: str) -> str:
    """Returns the beginning of a clause, `MOST_WORDS` long at most and cut before a phrase: `move
    the weekly meeting with Globex` of `move the weekly meeting with Globex to Monday at nine`.
    """
    words = clause.split()
    if len(words) <= MOST_WORDS:
        return " ".join(words)
    ends = [
        place
        for place in range(FEWEST_WORDS, MOST_WORDS + 1)
        if index_words(words[place - 1]) and not index_words(words[place])
    ]
    pauses = [
        place for place in range(FEWEST_WORDS, MOST_WORDS + 1) if words[place - 1][-1] in ",;:"
    ]
    return " ".join(words[: (pauses or ends or [MOST_WORDS])[-1]]).rstrip(",;:")
