"""The RAM store's doors: each works on a copy of the space and puts it in place at the end."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime

from factbook.errors import StaleWriteError, StoreError
from factbook.model.change import Change, Commit, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import NewEpisode, Remembered, StoredMessage
from factbook.model.job import Job, Lease
from factbook.model.named_observation import beside
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Erasure, FollowUp, Vectors
from factbook.store.erase import SORTS, Eraser, erasure_entry, lifting_entry
from factbook.store.ram.snapshot import RamSnapshot, is_among
from factbook.store.ram.space import JobRow, Space
from factbook.store.tombstones import HOST_ID, Graveyard, Tombstone, find_held_back

_LOST = "the lease on the job was lost; another worker may have it"


class RamStore:
    """Keeps the whole contract of `factbook.ports.store.Store` in plain dicts, for tests; safe for
    threads.

    `clock` stands in for the database's clock, by which leases run.
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:  # noqa: TID251 - leases run by the store's clock
        self._clock = clock
        self._lock = threading.RLock()
        self._spaces: Mapping[str, Space] = {}
        self._seen: Mapping[str, Space] = (
            self._spaces
        )  # by readers; behind while several writes go together
        self._is_together = False
        self._secret = secrets.token_bytes(32)
        self._next_line = itertools.count(1).__next__
        self._next_session = itertools.count(1).__next__
        self._next_job = itertools.count(1).__next__
        self._next_token = itertools.count(1).__next__

    def __repr__(self) -> str:
        return "RamStore()"

    @property
    def url(self) -> str:
        return "ram:"

    @contextmanager
    def snapshot(self) -> Generator[Snapshot]:
        yield RamSnapshot(self._seen, self._new_space, self._secret)

    def _new_space(self) -> Space:
        return Space(next_line=self._next_line, next_session=self._next_session)

    @contextmanager
    def _writing(self, space: str) -> Generator[Space]:
        """A copy of the space that takes its place unless an error comes."""
        with self._lock:
            held = self._spaces.get(space)
            copy = held.copy() if held else self._new_space()
            yield copy
            self._spaces = {**self._spaces, space: copy}
            if not self._is_together:
                self._seen = self._spaces

    @contextmanager
    def together(self) -> Generator[None]:
        with self._lock:
            self._is_together = True
            try:
                yield
                self._seen = self._spaces
            finally:
                self._is_together = False
                self._spaces = self._seen

    # --- the two doors ----------------------------------------------------------------------------

    def remember(
        self, space: str, episodes: Sequence[NewEpisode], *, jobs: bool = True, anyway: bool = False
    ) -> Remembered:
        stored: list[str] = []
        count = 0
        with self._writing(space) as held:
            dead = frozenset[str]() if anyway else self._dead(held, space, episodes)
            for episode in episodes:
                fresh = held.add_episode(episode, dead)
                count += fresh
                if fresh:
                    stored.append(episode.id)
                if fresh and jobs:
                    job = Job(id=episode.id, space=space, created_at=episode.created_at)
                    held.jobs[job.id] = JobRow(job=job, order=self._next_job())
        offered = sum(len(episode.messages) for episode in episodes)
        return Remembered(
            episode_ids=tuple(stored),
            stored=count,
            duplicates=offered - count - len(dead),
            held_back=len(dead),
        )

    def _dead(self, held: Space, space: str, episodes: Sequence[NewEpisode]) -> frozenset[str]:
        """Ids of the messages that were forgotten."""
        if not held.tombstones:
            return frozenset()
        return find_held_back(
            episodes,
            Graveyard(self._secret, space),
            lambda hashes: [held.tombstones[each][1] for each in hashes if each in held.tombstones],
            lambda session, message: (session, message.key) in held.keys,
        )

    def commit(  # noqa: PLR0913 - as in the port
        self,
        space: str,
        *,
        expected_version: int,
        changes: Sequence[Change],
        stamp: Stamp,
        lease: Lease | None = None,
        vectors: Vectors | None = None,
        erased: bool = False,
    ) -> int:
        with self._writing(space) as held:
            if lease is not None and lease.job.space != space:
                raise StoreError("the lease is of another space's job")
            row = self._leased(held, lease) if lease is not None else None
            if held.version != expected_version:
                raise StaleWriteError(
                    "the record changed since it was read; read again and plan anew"
                )
            _write(held, changes, stamp, erased=erased)
            if row is not None:
                done = replace(row.job, state="done", error="", next_at=None, draft=None)
                held.jobs[done.id] = JobRow(job=done, order=row.order)
            if vectors is not None:
                _keep_vectors(held, vectors)
            return held.version

    def put_vectors(self, space: str, vectors: Vectors) -> None:
        with self._writing(space) as held:
            _keep_vectors(held, vectors)

    # --- jobs -------------------------------------------------------------------------------------

    def lease(self, *, seconds: float, spaces: Sequence[str] | None = None) -> Lease | None:
        return next(iter(self.lease_batch(seconds=seconds, spaces=spaces, limit=1)), None)

    def lease_batch(
        self, *, seconds: float, spaces: Sequence[str] | None = None, limit: int
    ) -> list[Lease]:
        with self._lock:
            now = self._clock()
            ready = self._ready(spaces, now)
            if not ready:
                return []
            ready.sort(key=lambda row: row.order)
            space = ready[0].job.space
            leases: list[Lease] = []
            with self._writing(space) as held:
                for row in [row for row in ready if row.job.space == space][:limit]:
                    job = replace(
                        row.job, state="running", attempts=row.job.attempts + 1, next_at=None
                    )
                    lease = Lease(job=job, token=f"lease {self._next_token()}")
                    held.jobs[job.id] = JobRow(
                        job=job, order=row.order, token=lease.token, until=now + seconds
                    )
                    leases.append(lease)
            return leases

    def has_job(self, *, spaces: Sequence[str] | None = None) -> bool:
        with self._lock:
            return bool(self._ready(spaces, self._clock()))

    def _ready(self, spaces: Sequence[str] | None, now: float) -> list[JobRow]:
        ready: list[JobRow] = []
        for name, held in self._spaces.items():
            rows = held.jobs.values()
            if is_among(name, spaces) and not any(_is_held(row, now) for row in rows):
                ready += [row for row in rows if _is_ready(row, now)]
        return ready

    def requeue(self, *, spaces: Sequence[str] | None = None) -> int:
        done = 0
        with self._lock:
            for name in [name for name in self._spaces if is_among(name, spaces)]:
                with self._writing(name) as held:
                    again = [
                        row
                        for row in held.jobs.values()
                        if row.job.state == "failed" or row.job.next_at is not None
                    ]
                    for row in again:
                        job = replace(row.job, state="waiting", next_at=None)
                        held.jobs[job.id] = replace(row, job=job)
                        done += 1
        return done

    def renew(self, lease: Lease, *, seconds: float) -> bool:
        with self._lock:
            if not self._is_ours(lease):
                return False
            self._put_job(lease, until=self._clock() + seconds)
            return True

    def keep_draft(self, lease: Lease, draft: Draft) -> None:
        with self._lock:
            if not self._is_ours(lease):
                raise StaleWriteError(_LOST)
            self._put_job(
                lease, job=replace(self._row(lease).job, draft=draft, dropped=draft.count_dropped())
            )

    def keep_drafts(self, drafts: Sequence[tuple[Lease, Draft]]) -> list[Lease]:
        kept: list[Lease] = []
        for lease, draft in drafts:
            with suppress(StaleWriteError):
                self.keep_draft(lease, draft)
                kept.append(lease)
        return kept

    def fail(self, lease: Lease, error: str, *, retry_in: float | None) -> None:
        with self._lock:
            if not self._is_ours(lease):
                return
            job = replace(self._row(lease).job, error=error, state="failed")
            if retry_in is not None:
                job = replace(
                    job,
                    state="waiting",
                    next_at=datetime.fromtimestamp(self._clock() + retry_in, UTC),
                )
            self._put_job(lease, job=job, token="")

    def release(self, lease: Lease) -> None:
        with self._lock:
            if self._is_ours(lease):
                job = self._row(lease).job
                self._put_job(
                    lease, job=replace(job, state="waiting", attempts=job.attempts - 1), token=""
                )

    def _row(self, lease: Lease) -> JobRow:
        return self._spaces[lease.job.space].jobs[lease.job.id]

    def _is_ours(self, lease: Lease) -> bool:
        held = self._spaces.get(lease.job.space)
        row = held.jobs.get(lease.job.id) if held else None
        return row is not None and row.token == lease.token and row.until > self._clock()

    def _leased(self, held: Space, lease: Lease) -> JobRow:
        if not self._is_ours(lease):
            raise StaleWriteError(_LOST)
        return held.jobs[lease.job.id]

    def _put_job(
        self,
        lease: Lease,
        *,
        job: Job | None = None,
        token: str | None = None,
        until: float | None = None,
    ) -> None:
        row = self._row(lease)
        with self._writing(lease.job.space) as held:
            held.jobs[row.job.id] = JobRow(
                job=job or row.job,
                order=row.order,
                token=row.token if token is None else token,
                until=row.until if until is None else until,
            )

    # --- forgetting -------------------------------------------------------------------------------

    def forget(
        self, space: str, erasure: Erasure, *, follow_up: FollowUp | None = None
    ) -> dict[str, int]:
        with self._writing(space) as held:
            rows = [row for table in held.tables.values() for row in table.values()]
            eraser = Eraser(erasure, rows, held.messages.values(), held.log)
            counts: Counter[str] = Counter()
            touched = [
                message
                for message in list(held.messages.values())
                if _erase_message(held, message, eraser, counts)
            ]
            _erase_episodes(held, counts)
            for cls, table in held.tables.items():
                for row in list(table.values()):
                    left = eraser.record(row)
                    if left is None:
                        del table[row.id]
                        counts[SORTS[cls]] += beside(row) is None
                    else:
                        table[row.id] = left
            _erase_jobs(held, eraser)
            log = [eraser.commit(commit) for commit in held.log]
            counts["commits"] = sum(new is not old for new, old in zip(log, held.log, strict=True))
            held.version += 1
            held.log = [*log, erasure_entry(held.version, erasure)]
            if erasure.tombstones:
                named = {each.id for each in touched if eraser.names_someone(each)}
                graveyard = Graveyard(self._secret, space)
                for message in touched:
                    for stone in graveyard.bury(message, names_someone=message.id in named):
                        _bury(held, stone)
                for name in erasure.names:
                    _bury(held, graveyard.name(name))
            held.derive_all()
            if follow_up is not None:
                snapshot = RamSnapshot({**self._spaces, space: held}, self._new_space, self._secret)
                _write(held, follow_up.plan(snapshot), follow_up.stamp)
            return {sort: count for sort, count in counts.items() if count}

    def lift(self, space: str, *, version: int | None, at: datetime, reason: str = "") -> int:
        with self._writing(space) as held:
            gone = [key for key, (made, _) in held.tombstones.items() if version in (None, made)]
            lifted = sum(held.tombstones.pop(key)[1] != HOST_ID for key in gone)
            if lifted:
                held.version += 1
                held.log.append(lifting_entry(held.version, at, reason))
            return lifted

    # --- the rest ---------------------------------------------------------------------------------

    def check(self) -> list[str]:
        return []

    def close(self) -> None:
        """Does nothing: what it holds goes with it."""


def _is_held(row: JobRow, now: float) -> bool:
    return row.job.state == "running" and row.until > now


def _is_ready(row: JobRow, now: float) -> bool:
    match row.job.state:
        case "waiting":
            return row.job.next_at is None or row.job.next_at.timestamp() <= now
        case "running":
            return row.until <= now
        case "failed" | "done":
            return False


def _keep_vectors(held: Space, vectors: Vectors) -> None:
    lines = {each.line.id: each.line.embed for each in held.lines.values()}
    held.vectors.update(
        {
            line_id: (vectors.model, vector)
            for line_id, vector in vectors.rows.items()
            if line_id in lines and vectors.texts.get(line_id) in (None, lines[line_id])
        }
    )


def _write(held: Space, changes: Sequence[Change], stamp: Stamp, *, erased: bool = False) -> None:
    held.apply(changes)
    if changes or erased:
        held.version += 1
        held.log.append(
            Commit(version=held.version, stamp=stamp, changes=tuple(changes), erased=erased)
        )


def _bury(held: Space, stone: Tombstone) -> None:
    """Keeps a tombstone as of the forgetting that was logged last."""
    _, sort = held.tombstones.get(stone.hash, (0, stone.sort))
    held.tombstones[stone.hash] = (held.version, min(sort, stone.sort))


def _erase_message(held: Space, old: StoredMessage, eraser: Eraser, counts: Counter[str]) -> bool:
    """Erases or alters a message; returns False if it stays as it is."""
    new = eraser.message(old)
    if new == old:
        return False
    counts["messages" if new is None else "masked"] += 1
    held.keys.discard((old.session, old.key))
    if new is None:
        del held.messages[old.id]
    else:
        held.messages[old.id] = new
        held.keys.add((new.session, new.key))
    return True


def _erase_episodes(held: Space, counts: Counter[str]) -> None:
    """Brings episodes and jobs in line with the messages that are left."""
    for episode in list(held.episodes.values()):
        left = tuple(
            held.messages[message.id] for message in episode.messages if message.id in held.messages
        )
        if left:
            held.episodes[episode.id] = replace(episode, messages=left)
        else:
            del held.episodes[episode.id]
            held.jobs.pop(episode.id, None)
            counts["episodes"] += 1


def _erase_jobs(held: Space, eraser: Eraser) -> None:
    for row in list(held.jobs.values()):
        job = replace(row.job, error=eraser.error(row.job.id, row.job.error))
        if job.draft is not None:
            job = replace(job, draft=eraser.draft(job.draft))
        if job.id in eraser.touched and job.state == "running":
            held.jobs[job.id] = JobRow(job=replace(job, state="waiting"), order=row.order)
        else:
            held.jobs[job.id] = replace(row, job=job)
