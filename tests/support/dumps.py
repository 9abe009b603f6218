"""A space's record as one comparable value."""

from __future__ import annotations

from factbook.model.change import Change
from factbook.model.record import RECORD_TYPES, Record
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Store


def dump(snapshot: Snapshot, space: str) -> list[Record]:
    """All rows of the record, by type and id: two records are the same if their dumps are equal."""
    return [row for cls in RECORD_TYPES for row in snapshot.every(space, cls)]


def dumped(store: Store, space: str) -> list[Record]:
    """`dump` in a view of its own."""
    with store.snapshot() as snapshot:
        return dump(snapshot, space)


def inverse(changes: tuple[Change, ...]) -> list[Change]:
    """The changes that take these back."""
    return [Change(before=change.after, after=change.before) for change in reversed(changes)]


def replay(source: Store, target: Store, space: str) -> None:
    """Commits the log of one store into another that is empty, entry by entry."""
    with source.snapshot() as snapshot:
        log = snapshot.log(space)
    for commit in log:
        target.commit(
            space,
            expected_version=commit.version - 1,
            changes=commit.changes,
            stamp=commit.stamp,
            erased=commit.erased,
        )
