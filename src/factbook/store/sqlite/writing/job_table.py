"""Jobs as a lease table, by the database's clock."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from factbook.errors import StaleWriteError, StoreError
from factbook.model.codec import from_json, to_json
from factbook.model.draft import Draft
from factbook.model.job import Job, JobState, Lease
from factbook.store.sqlite.row_codecs import from_micros, pack_json

NOW = "CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)"
"""The database's clock in microseconds since 1970 (it ticks in milliseconds)."""

_COLUMNS = "j.id, s.name, j.state, j.attempts, j.error, j.created_at, j.next_at, j.dropped"
_READY = (
    "(j.state = 'waiting' AND coalesce(j.next_at, 0) <= :now) OR (j.state = 'running' AND "
    "j.leased_to <= :now)"
)
_LOST = "the lease on the job was lost; another worker may have it"


def read_jobs(
    con: sqlite3.Connection, space: str | None, states: Sequence[JobState], limit: int | None
) -> list[Job]:
    """Jobs, oldest first, without drafts."""
    conditions: list[str] = ["1"]
    values: list[object] = []
    if space is not None:
        conditions.append("s.name = ?")
        values.append(space)
    if states:
        conditions.append(f"j.state IN ({', '.join('?' * len(states))})")
        values.extend(states)
    rows = con.execute(
        f"SELECT {_COLUMNS} FROM jobs j JOIN spaces s ON s.no = j.space_no"
        f" WHERE {' AND '.join(conditions)} ORDER BY j.no LIMIT ?",
        (*values, -1 if limit is None else limit),
    )
    return [_job(row) for row in rows]


def count_jobs(con: sqlite3.Connection, space: str | None) -> dict[JobState, int]:
    """Jobs by state."""
    if space is None:
        return dict(con.execute("SELECT state, count(*) FROM jobs GROUP BY state").fetchall())
    return dict(
        con.execute(
            "SELECT state, count(*) FROM jobs WHERE space_no = (SELECT no FROM spaces WHERE name "
            "= ?) GROUP BY state",
            (space,),
        ).fetchall()
    )


def add_jobs(con: sqlite3.Connection, rows: Iterable[tuple[int, str, int]]) -> None:
    """Waiting jobs: space's number, episode's id, time of making."""
    con.executemany("INSERT INTO jobs (space_no, id, created_at) VALUES (?, ?, ?)", rows)


def find_job(con: sqlite3.Connection, *, spaces: Sequence[str] | None) -> tuple[Any, ...] | None:
    """The next job to lease: the columns above, its draft, its number and the present time."""
    (now,) = con.execute(f"SELECT {NOW}").fetchone()
    row: tuple[Any, ...] | None = con.execute(
        f"""
        SELECT {_COLUMNS}, j.draft, j.no, :now FROM jobs j INDEXED BY jobs_open CROSS JOIN spaces s ON s.no = j.space_no
        WHERE j.state <> 'done' AND ({_READY})
        AND j.space_no NOT IN (SELECT space_no FROM jobs WHERE state = 'running' AND leased_to > :now)
        AND (:spaces IS NULL OR s.name IN (SELECT value FROM json_each(:spaces)))
        ORDER BY j.no LIMIT 1
        """,
        {"now": now, "spaces": None if spaces is None else pack_json(list(spaces))},
    ).fetchone()
    return row


def requeue_jobs(con: sqlite3.Connection, spaces: Sequence[str] | None) -> int:
    """Failed jobs wait again, and those that wait for their next try are due; how many."""
    changed = con.execute(
        "UPDATE jobs AS j INDEXED BY jobs_open SET state = 'waiting', next_at = NULL"
        " WHERE state <> 'done' AND (state = 'failed' OR next_at IS NOT NULL) AND (:spaces IS NULL"
        " OR space_no IN (SELECT no FROM spaces WHERE name IN (SELECT value FROM "
        "json_each(:spaces))))",
        {"spaces": None if spaces is None else pack_json(list(spaces))},
    )
    return changed.rowcount


def take_jobs(
    con: sqlite3.Connection, *, seconds: float, spaces: Sequence[str] | None, limit: int = 1
) -> list[Lease]:
    """Leases the next job, and those of its space that follow it, within a transaction."""
    first = find_job(con, spaces=spaces)
    if first is None:
        return []
    *_, no, now = first
    rows = [first, *_following(con, no, now, limit - 1)] if limit > 1 else [first]
    return [_leased(con, row, seconds) for row in rows]


def _following(con: sqlite3.Connection, no: int, now: int, limit: int) -> list[tuple[Any, ...]]:
    """Jobs of the same space that are ready and come later than that one."""
    return con.execute(
        f"""
        SELECT {_COLUMNS}, j.draft, j.no, :now FROM jobs j INDEXED BY jobs_open CROSS JOIN spaces s ON s.no = j.space_no
        WHERE j.state <> 'done' AND j.no > :no AND j.space_no = (SELECT space_no FROM jobs WHERE no = :no)
        AND ({_READY}) ORDER BY j.no LIMIT :limit
        """,
        {"now": now, "no": no, "limit": limit},
    ).fetchall()


def _leased(con: sqlite3.Connection, row: tuple[Any, ...], seconds: float) -> Lease:
    draft, no, now = row[8:]
    (token,) = con.execute(
        "UPDATE jobs SET state = 'running', attempts = attempts + 1, next_at = NULL, leased_to = ?,"
        " token = lower(hex(randomblob(16))) WHERE no = ? RETURNING token",
        (now + int(seconds * 1e6), no),
    ).fetchall()[0]
    job = _job((*row[:6], None, row[7]), draft)
    return Lease(job=replace(job, state="running", attempts=job.attempts + 1), token=token)


def renew_lease(con: sqlite3.Connection, lease: Lease, seconds: float) -> bool:
    """Lengthens a lease that is still its own."""
    return _change(con, lease, f"leased_to = {NOW} + ?", int(seconds * 1e6))


def keep_draft(con: sqlite3.Connection, lease: Lease, draft: Draft) -> None:
    """Raises StaleWriteError if the lease was lost."""
    if not store_draft(con, lease, draft):
        raise StaleWriteError(_LOST)


def store_draft(con: sqlite3.Connection, lease: Lease, draft: Draft) -> bool:
    """Keeps the draft and what of it was dropped; False if the lease was lost."""
    dropped = draft.count_dropped()
    return _change(
        con,
        lease,
        "draft = ?, dropped = ?",
        pack_json(to_json(draft)),
        pack_json(dropped) if dropped else "",
    )


def count_dropped(con: sqlite3.Connection, space: str) -> dict[str, int]:
    """Sums over all jobs of a space, by reason."""
    return dict(
        con.execute(
            "SELECT each.key, sum(each.value) AS number FROM jobs j INDEXED BY jobs_dropped, "
            "json_each(j.dropped) AS each"
            " WHERE j.space_no = (SELECT no FROM spaces WHERE name = ?) AND j.dropped <> ''"
            " GROUP BY each.key ORDER BY number DESC, each.key",
            (space,),
        ).fetchall()
    )


def fail_job(con: sqlite3.Connection, lease: Lease, error: str, retry_in: float | None) -> None:
    """Ends the lease with an error."""
    if retry_in is None:
        _change(con, lease, "state = 'failed', leased_to = NULL, token = NULL, error = ?", error)
    else:
        step = f"state = 'waiting', leased_to = NULL, token = NULL, next_at = {NOW} + ?, error = ?"
        _change(con, lease, step, int(retry_in * 1e6), error)


def release_job(con: sqlite3.Connection, lease: Lease) -> None:
    """Gives the job back."""
    _change(
        con, lease, "state = 'waiting', leased_to = NULL, token = NULL, attempts = attempts - 1"
    )


def close_job(con: sqlite3.Connection, lease: Lease) -> None:
    """Closes the job. Raises StaleWriteError if the lease was lost."""
    done = (
        "state = 'done', leased_to = NULL, token = NULL, next_at = NULL, error = '', draft = NULL"
    )
    if not _change(con, lease, done):
        raise StaleWriteError(_LOST)


def _change(con: sqlite3.Connection, lease: Lease, step: str, *values: object) -> bool:
    changed = con.execute(
        f"UPDATE jobs SET {step} WHERE space_no = (SELECT no FROM spaces WHERE name = ?) AND id = "
        "? AND token = ?"
        f" AND leased_to > {NOW}",
        (*values, lease.job.space, lease.job.id, lease.token),
    )
    return changed.rowcount == 1


def unpack_draft(stored: str) -> Draft:
    """The draft that is kept with a job."""
    try:
        return from_json(Draft, json.loads(stored))
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise StoreError("the database is damaged: the draft of a job can't be read") from error


def _job(row: Sequence[Any], draft: str | None = None) -> Job:
    job_id, space, state, attempts, error, created_at, next_at, dropped = row
    return Job(
        id=job_id,
        space=space,
        state=state,
        attempts=attempts,
        error=error,
        created_at=from_micros(created_at),
        next_at=None if next_at is None else from_micros(next_at),
        draft=None if draft is None else unpack_draft(draft),
        dropped=json.loads(dropped) if dropped else {},
    )
