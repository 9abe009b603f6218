"""Changes: the steps of the record, uniform so that each can be undone, replayed, exported and
erased.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from factbook.errors import StoreError
from factbook.model.record import Record


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One row before and after: put in (`before` is None), altered, or taken out (`after` is None).

    Both images are of the same type and id. The inverse is the same with the two swapped. A store
    refuses a change whose `before` is not what it holds (StaleWriteError).
    """

    before: Record | None = None
    after: Record | None = None

    def row_key(self) -> tuple[type[Record], str]:
        """Returns the type and id of the row that the change is about.

        Raises:
            StoreError: it has no image, or two of different rows.
        """
        row = self.after if self.after is not None else self.before
        if row is None:
            raise StoreError("a change needs an image of its row, before or after it")
        if self.before is not None and (
            type(self.before) is not type(row) or self.before.id != row.id
        ):
            raise StoreError("the two images of a change must be of one row")
        return type(row), row.id


@dataclass(frozen=True, kw_only=True, slots=True)
class Stamp:
    """The author, time and reason of a commit.

    Attributes:
        at: when it was recorded.
        actor: `engine`, `user`, `tool` or a name that the host gives.
        verb: what was done: `learn`, `put`, `relate`, `note`, `merge`, `unmerge`, `undo`, `review`,
            `register`, …
        reason: the caller's words.
        episode_id: the episode it was learned from, if any.
        undoes: the versions whose changes this commit takes back, the newest first.
    """

    at: datetime
    actor: str = "engine"
    verb: str = "put"
    reason: str = ""
    episode_id: str = ""
    undoes: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Commit:
    """One entry of a space's log. `version` counts from 1 without gaps. `erased` ones have lost
    their changes.
    """

    version: int
    stamp: Stamp
    changes: tuple[Change, ...] = ()
    erased: bool = False
