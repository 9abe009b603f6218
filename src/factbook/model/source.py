"""The provenance of a row, and the behaviour of rows that have one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

Standing = Literal["user", "note", "hearsay", "assistant", "tool", "web"]
"""Whose word a statement is. `user` and `note` (made by hand) outrank `hearsay` (what a user passes
on of somebody else) and `assistant`, which outrank `tool` and `web`.
"""


STANDING_RANK: Mapping[Standing, int] = {
    "user": 2,
    "note": 2,
    "hearsay": 1,
    "assistant": 1,
    "tool": 0,
    "web": 0,
}


Grain = Literal["instant", "day", "month", "year"]
"""How exactly `valid_at` and `invalid_at` are known."""


NEVER = datetime.min.replace(tzinfo=UTC)
"""As the end of a value: it never held, from the beginning of time on."""


ALWAYS = float("-inf")
"""As the end of a line: it never held; the moment before every other."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """The provenance of a statement.

    Attributes:
        standing: whose word it is.
        speaker: the name of who said it; empty for the space's own user.
        said_at: when it was said (the message's time).
        session, project: the labels of the episode that it was said in; empty for none.
        episode_id, message_id: where it stands; empty for what was made by hand.
        position: the message's place in its session, which orders what was said at one moment.
        quote: the words it rests on, as they stand in the message.
        since, until, grain: the times that the words give, as opposed to those that follow from
            other statements.
    """

    standing: Standing = "user"
    speaker: str = ""
    said_at: datetime | None = None
    session: str = ""
    project: str = ""
    episode_id: str = ""
    message_id: str = ""
    position: int = 0
    quote: str = ""
    since: datetime | None = None
    until: datetime | None = None
    grain: Grain = "instant"

    @property
    def is_grounded(self) -> bool:
        """True for a statement made by hand, or by the user in words that are kept with it."""
        if self.standing == "note":
            return True
        return self.standing == "user" and bool(self.message_id and self.quote)


class Sourced:
    """The behaviour of rows that have a source and a time of creation."""

    __slots__ = ()

    source: Source
    created_at: datetime

    @property
    def said_at(self) -> datetime:
        """The time of the statement: when it was said, or else recorded."""
        return self.source.said_at or self.created_at

    @property
    def is_verified(self) -> bool:
        """True for what stands above hearsay by its own words (see `LineFilter.verified`).

        So do messages of role `user`, and facts and relations that somebody states again in words
        that are kept (`is_grounded` of a `Support`'s source).
        """
        return self.source.is_grounded


class Lasting(Sourced):
    """The behaviour of statements that hold for a time: facts and relations."""

    __slots__ = ()

    valid_at: datetime | None
    invalid_at: datetime | None
    expired_at: datetime | None

    @property
    def is_retraction(self) -> bool:
        """True for a row that says that its value holds no longer, or never did: it never held."""
        if self.expired_at is None:
            return False
        return self.valid_at is None and self.invalid_at is not None

    @property
    def ends_at(self) -> float | None:
        """The moment from which the statement holds no longer, in seconds since 1970, UTC.

        `ALWAYS` for what never held; None while it holds.
        """
        if self.expired_at is not None:
            return ALWAYS
        return self.invalid_at.timestamp() if self.invalid_at is not None else None

    def state_at(self, at: datetime, *, then: bool = False) -> str:
        """Returns `current`, `superseded` (its validity ended), `upcoming` or `retracted`.

        A retracted statement never held; an upcoming one begins later.

        Args:
            then: whether the world's time is asked for: what begins after `at` is upcoming whenever
                it was said. Else only what was said of a time to come is.
        """
        if self.expired_at is not None:
            return "retracted"
        if self.is_over_at(at):
            return "superseded"
        if self.valid_at is not None and self.valid_at > at:
            return "upcoming" if then or self.valid_at > self.said_at else "current"
        return "current"

    def holds_at(self, at: datetime) -> bool:
        """Returns True for a statement that has begun to hold and holds still."""
        return self.holds_then_or_later(at) and not self.begins_after(at)

    def holds_then_or_later(self, at: datetime) -> bool:
        """Returns True for a statement that isn't over by then, begun or not."""
        return self.expired_at is None and not self.is_over_at(at)

    def is_over_at(self, now: datetime) -> bool:
        """Returns True for a statement that holds no longer."""
        return self.invalid_at is not None and self.invalid_at <= now

    def begins_after(self, at: datetime) -> bool:
        """Returns True for a statement that had not begun to hold by then."""
        return self.valid_at is not None and self.valid_at > at
