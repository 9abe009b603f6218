"""What of a reply was left out, with the reasons, for the receipt."""

from __future__ import annotations

from collections.abc import Sequence

from factbook.model.draft import Dropped

MOST_DROPPED = 100
"""So many are listed one by one in a draft; the last one tells how many more there were."""
LONGEST_WHAT = 200


class Drops:
    """Gathers what is left out while a reply is judged."""

    def __init__(self) -> None:
        self.every: list[Dropped] = []

    def note_dropped(self, reason: str, *what: str) -> None:
        self.every.append(
            Dropped(reason=reason, what=" ".join(" ".join(what).split())[:LONGEST_WHAT])
        )


def bound_dropped(dropped: Sequence[Dropped]) -> tuple[Dropped, ...]:
    """Returns the first of them, and how many more there were."""
    if len(dropped) <= MOST_DROPPED:
        return tuple(dropped)
    more = Dropped(reason="more", what=f"{len(dropped) - MOST_DROPPED + 1} more")
    return (*dropped[: MOST_DROPPED - 1], more)
