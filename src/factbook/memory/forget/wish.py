"""A wish to forget, as a person gives it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from factbook.errors import InputError
from factbook.model.source import Source
from factbook.text.argument_checks import in_utc

OwnWords = Literal["keep", "mask", "erase"]
"""The fate of a forgotten speaker's own words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """A wish to forget; one of name, topic, labels or times, ids, everything."""

    name: str | None = None
    topic: str | None = None
    session: str | None = None
    project: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    ids: tuple[str, ...] = ()
    everything: bool = False
    also: tuple[str, ...] = ()
    words: OwnWords = "keep"
    dry_run: bool = False

    def checked(self) -> Wish:
        """Returns the wish with its times in UTC.

        Raises:
            InputError: not exactly one sort of thing is named.
        """
        if self.words not in get_args(OwnWords):
            raise InputError(
                f"words is one of {', '.join(get_args(OwnWords))}, not {str(self.words)[:40]!r}"
            )
        if self.words != "keep" and self.name is None:
            raise InputError(
                "words says what becomes of what an entity said itself; name the entity"
            )
        labels = (self.session, self.project, self.since, self.until)
        named = (
            self.name is not None,
            self.topic is not None,
            any(each is not None for each in labels),
            bool(self.ids),
            self.everything,
        )
        if sum(named) != 1:
            raise InputError(
                "name one thing to forget: an entity, a topic, a session or project or time, ids, "
                "or everything"
            )
        return replace(self, since=in_utc(self.since, "since"), until=in_utc(self.until, "until"))

    def holds_moment(self, moment: datetime) -> bool:
        """Returns True if the moment lies in the time that is meant."""
        is_late_enough = self.since is None or moment >= self.since
        return is_late_enough and (self.until is None or moment < self.until)

    def means_source(self, source: Source, created_at: datetime) -> bool:
        """Returns True if what was entered by hand lies under the labels and in the time meant."""
        if source.message_id or not self.holds_moment(source.said_at or created_at):
            return False
        in_session = self.session in (None, source.session)
        return in_session and self.project in (None, source.project)
