"""The record as it was: a space's log up to a moment, replayed into a store of its own in RAM."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from factbook.memory.exchange import as_new
from factbook.model.change import Change, Commit
from factbook.model.record import Record
from factbook.ports.snapshot import Snapshot
from factbook.store.ram import RamStore


def earlier(
    snapshot: Snapshot, spaces: Sequence[str], moment: datetime
) -> AbstractContextManager[Snapshot]:
    """A view of these spaces, and of no other, as they were recorded at that moment; it costs a
    pass over their logs.

    What was forgotten since is not in it, and lines have no vectors: it is recalled by words and
    names.
    """
    store = RamStore()
    for space in spaces:
        log = _until(snapshot.log(space), moment)
        episodes = snapshot.episodes(space, snapshot.episode_ids(space)).values()
        told = [as_new(each) for each in episodes if each.created_at <= moment]
        if told:
            store.remember(space, told, jobs=False)
        changes = [Change(after=row) for row in _rows(log).values()]
        if changes:
            store.commit(space, expected_version=0, changes=changes, stamp=log[-1].stamp)
    return store.snapshot()


def _until(log: Sequence[Commit], moment: datetime) -> Sequence[Commit]:
    """The log up to the last entry of that time or before."""
    last = max(
        (place for place, commit in enumerate(log, 1) if commit.stamp.at <= moment), default=0
    )
    return log[:last]


def _rows(log: Sequence[Commit]) -> dict[tuple[type[Record], str], Record]:
    rows: dict[tuple[type[Record], str], Record] = {}
    for change in (change for commit in log for change in commit.changes):
        if change.before is not None:
            rows.pop((type(change.before), change.before.id), None)
        if change.after is not None:
            rows[type(change.after), change.after.id] = change.after
    return rows
