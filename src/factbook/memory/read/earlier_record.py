"""Replays a space's log up to a moment into a store of its own: the record as it was then."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from factbook.memory.exchange import as_new
from factbook.model.change import Change, Commit
from factbook.model.record import Record
from factbook.ports.snapshot import Snapshot
from factbook.store.ram import RamStore


def replay_until(
    snapshot: Snapshot, spaces: Sequence[str], moment: datetime
) -> AbstractContextManager[Snapshot]:
    """Returns a snapshot of these spaces alone, as they were recorded at that moment.

    It costs a pass over their logs.

    What was forgotten since is not in it, and lines have no vectors: it is recalled by words and
    names.
    """
    store = RamStore()
    for space in spaces:
        log = _log_until(snapshot.log(space), moment)
        episodes = snapshot.episodes(space, snapshot.episode_ids(space)).values()
        told = [as_new(each) for each in episodes if each.created_at <= moment]
        if told:
            store.remember(space, told, jobs=False)
        changes = [Change(after=row) for row in _replay_rows(log).values()]
        if changes:
            store.commit(space, expected_version=0, changes=changes, stamp=log[-1].stamp)
    return store.snapshot()


def _log_until(log: Sequence[Commit], moment: datetime) -> Sequence[Commit]:
    """Returns the log up to the last entry of that time or before."""
    last = max(
        (place for place, commit in enumerate(log, 1) if commit.stamp.at <= moment), default=0
    )
    return log[:last]


def _replay_rows(log: Sequence[Commit]) -> dict[tuple[type[Record], str], Record]:
    """Returns the rows that are there after the last of these entries."""
    rows: dict[tuple[type[Record], str], Record] = {}
    for change in (change for commit in log for change in commit.changes):
        if change.before is not None:
            rows.pop((type(change.before), change.before.id), None)
        if change.after is not None:
            rows[type(change.after), change.after.id] = change.after
    return rows
