"""Jobs: the extraction of an episode, as a row that survives crashes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from factbook.model.draft import Draft
from factbook.model.shown import reasons, short

JobState = Literal["waiting", "running", "failed", "done"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One episode's extraction. Its id is the episode's.

    Attributes:
        state: `waiting` (also for its next try), `running` (leased), `failed` (no more tries by
            itself), `done`.
        attempts: how often it was begun.
        error: the latest failure's words, without the episode's; empty if none.
        next_at: not before this.
        draft: what the extractor found, kept so that a second worker does not extract again.
        dropped: what of it was not taken, counted by reason; stays when the job is done.
    """

    id: str
    space: str
    state: JobState = "waiting"
    attempts: int = 0
    error: str = ""
    created_at: datetime
    next_at: datetime | None = None
    draft: Draft | None = None
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])

    def __str__(self) -> str:
        tries = f" after {self.attempts} tries" if self.attempts > 1 else ""
        why = f": {short(self.error)}" if self.error else ""
        left = f"; left out: {reasons(self.dropped)}" if self.dropped else ""
        return f"job {self.id} in {short(self.space)} {self.state}{tries}{why}{left}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Lease:
    """The right to finish a job, until the store's clock passes its end. `token` is unique to this
    lease.
    """

    job: Job
    token: str
