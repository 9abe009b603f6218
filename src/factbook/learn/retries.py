"""Waits between the tries of a failed job, and the number of tries that it has."""

from __future__ import annotations

from factbook.errors import ConfigError, InputError, ModelUnavailableError, ReplyRejectedError
from factbook.model.job import Job

FIRST_WAIT_SECONDS = 10.0
"""After the first try; each further wait is twice as long."""
LONGEST_WAIT_SECONDS = 600.0
AWAY_SECONDS = 5.0
"""For so long no other space asks a model that was away just now."""
MOST_TRIES = 8
MOST_AWAY = 150
"""A model may be away for about a day before its jobs have failed."""
MOST_REJECTED = 3
"""A reply that can't be used is asked for again so often: models don't always say the same."""


def find_wait(error: Exception, job: Job) -> float | None:
    """Returns the seconds until a job that met this error is tried again; None for never."""
    if isinstance(error, ConfigError | InputError) or job.attempts >= _most_tries(error, job):
        return None
    doublings = min(job.attempts, MOST_TRIES) - 1
    wait: float = min(FIRST_WAIT_SECONDS * 2.0**doublings, LONGEST_WAIT_SECONDS)
    asked_for: float | None = getattr(error, "retry_after", None)
    return max(wait, asked_for or 0.0)


def _most_tries(error: Exception, job: Job) -> int:
    """Returns the tries that a job has that met this error. Tries while the model was away say
    nothing of its replies.
    """
    if isinstance(error, ModelUnavailableError):
        return MOST_AWAY
    if not isinstance(error, ReplyRejectedError):
        return MOST_TRIES
    return MOST_REJECTED if job.error.startswith(ReplyRejectedError.__name__) else MOST_AWAY
