"""Taking changes back: the inverse of commits, and what later rests on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from factbook.model.change import Change, Commit
from factbook.model.named_observation import beside
from factbook.model.record import (
    SELF,
    Alias,
    EntityRecord,
    Fact,
    Mention,
    Note,
    NotSame,
    Observation,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)

_Key = tuple[type[Record], str]


def invert_commits(commits: Sequence[Commit]) -> list[Change]:
    """Returns the changes that take these commits back, the latest commit's first; a row touched
    several times once.
    """
    rows: dict[_Key, tuple[Record | None, Record | None]] = {}
    for commit in sorted(commits, key=lambda each: -each.version):
        for change in reversed(commit.changes):
            key = change.row_key()
            held = rows[key][0] if key in rows else change.after
            rows[key] = (held, change.before)
    return [
        Change(before=before, after=after) for before, after in rows.values() if before != after
    ]


def find_dependents(undone: Sequence[Commit], later: Sequence[Commit]) -> list[int]:
    """Versions of the later commits that rest on the undone ones, directly or by each other, oldest
    first.

    A commit rests on another if it touches a row that the other touched, or refers to a row that it
    made. What later commits did and took back again among themselves doesn't count.
    """
    touched, made = set[_Key](), set[_Key]()
    for commit in undone:
        _note_rows(commit, touched, made)
    ordered = sorted(later, key=lambda each: each.version)
    final = find_final_rows(change for commit in ordered for change in commit.changes)
    left = {key: after for key, (before, after) in final.items() if before != after}
    found: list[int] = []
    for commit in ordered:
        keys = [key for change in commit.changes if (key := change.row_key()) in left]
        if any(key in touched or made.intersection(_referred_rows(left[key])) for key in keys):
            found.append(commit.version)
            _note_rows(commit, touched, made)
    return found


def find_final_rows(changes: Iterable[Change]) -> dict[_Key, tuple[Record | None, Record | None]]:
    """Returns every row that the changes, in order, touch: as they find it, and as they
    leave it.
    """
    rows: dict[_Key, tuple[Record | None, Record | None]] = {}
    for change in changes:
        key = change.row_key()
        rows[key] = (rows[key][0] if key in rows else change.before, change.after)
    return rows


def _note_rows(commit: Commit, touched: set[_Key], made: set[_Key]) -> None:
    for change in commit.changes:
        touched.add(change.row_key())
        if change.before is None:
            made.add(change.row_key())
            if (entity := beside(change.after)) is not None:
                made.add((EntityRecord, entity.id))


def _referred_rows(row: Record | None) -> Iterable[_Key]:
    """Returns the rows that a row refers to; the space's own user is there without a row."""
    ids: tuple[str, ...] = ()
    match row:
        case Alias() | Mention() | Fact():
            ids = (row.entity_id,)
        case Relation():
            ids = (row.from_id, row.to_id)
        case SameAs():
            ids = (row.entity_id, row.canonical_id)
        case NotSame() | Review():
            ids = (row.left_id, row.right_id)
        case Note() | Observation():
            ids = row.entity_ids
        case Support():
            return [(Fact, row.record_id), (Relation, row.record_id)]
        case _:
            return []
    return [(EntityRecord, each) for each in ids if each != SELF]
