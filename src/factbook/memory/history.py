"""History and undo: the log as people read it, and what taking a commit back means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.errors import InputError, NotFoundError
from factbook.memory.history_words import describe_change
from factbook.model.change import Change, Commit
from factbook.model.named_observation import CONVERT, beside
from factbook.model.receipt import Receipt
from factbook.model.record import (
    Alias,
    EntityRecord,
    EntityType,
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
from factbook.model.shown import listed, short
from factbook.ports.snapshot import Snapshot
from factbook.resolve.undo import find_dependents, invert_commits
from factbook.text.names import fold
from factbook.views.view import View

WINDOW = 500
"""So many entries of the log are read at a time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryEntry:
    """One commit, or what of it concerns one entity.

    Attributes:
        version, commit: which one. lines: its changes in words, one each.
        quotes: the words they rest on. speakers: who said them, by name or else by standing
            (`user`, `assistant`, …).
        undone: it is taken back now.
    """

    version: int
    commit: Commit
    lines: tuple[str, ...]
    quotes: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    undone: bool = False

    def __str__(self) -> str:
        stamp = self.commit.stamp
        undone = ", undone since" if self.undone else ""
        head = (
            f"version {self.version}, {stamp.at:%Y-%m-%d %H:%M} {stamp.verb} by "
            f"{stamp.actor}{undone}"
        )
        return "\n".join([head, *(f"  {each}" for each in listed(map(short, self.lines)))])


@dataclass(frozen=True, kw_only=True, slots=True)
class Undoing:
    """The changes that take these versions back."""

    versions: tuple[int, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class UndoPlan:
    """The changes that an undo would take back, the latest first.

    Attributes:
        entries: what is meant. resting: later changes that rest on it, which go along with
            `cascade` alone.
    """

    entries: tuple[HistoryEntry, ...]
    resting: tuple[HistoryEntry, ...] = ()

    @property
    def versions(self) -> tuple[int, ...]:
        """All versions, the newest first."""
        return tuple(
            sorted((each.version for each in (*self.entries, *self.resting)), reverse=True)
        )


def list_history(view: View, name: str | None, limit: int) -> list[HistoryEntry]:
    """The latest commits, newest first, of one entity or of the whole space; also what was undone
    since.
    """
    members = None if name is None else _find_members(view, name)
    undone: set[int] = set()
    found: list[Commit] = []
    for commit in _read_backwards(view):
        if len(found) >= max(limit, 0):
            break
        if commit.version not in undone:
            undone.update(commit.stamp.undoes)
        kept = commit if members is None else _commit_about(commit, members)
        if kept is not None:
            found.append(kept)
    names = _read_names(view, found)
    return [_make_entry(commit, names, undone=commit.version in undone) for commit in found]


def _read_backwards(view: View) -> Iterator[Commit]:
    """The log from its end."""
    end = view.snapshot.version(view.space)
    while end > 0:
        begin = max(0, end - WINDOW)
        yield from reversed(view.snapshot.log(view.space, after=begin, limit=end - begin))
        end = begin


def _find_members(view: View, name: str) -> set[str]:
    """Ids of all that is one with the entity; of one that was undone, those that the log knows by
    that name.

    Raises:
        NotFoundError, AmbiguousError: the name has no one bearer, now or in the log.
    """
    try:
        key = view.resolve(name)
    except NotFoundError:
        wanted = fold(name)
        rows = (
            row
            for commit in _read_backwards(view)
            for change in commit.changes
            for row in (change.before, change.after)
        )
        known = {
            row.id
            for row in (beside(row) or row for row in rows)
            if isinstance(row, EntityRecord) and (fold(row.name) == wanted or row.id == name)
        }
        if not known:
            raise
        return known
    return set(view.snapshot.members(view.space, [key])[key])


def _commit_about(commit: Commit, members: Set[str]) -> Commit | None:
    """Returns the changes of a commit that concern these entities, mentions apart (they would drown
    the rest); None for none.
    """
    changes = tuple(
        change
        for change in commit.changes
        if any(
            row is not None and not members.isdisjoint(entities_of(row))
            for row in (change.before, change.after)
        )
    )
    return replace(commit, changes=changes) if changes else None


def entities_of(row: Record) -> tuple[str, ...]:
    """Ids of the entities that a row is about; none for a mention, a kind, and what restates
    another row.
    """
    match row:
        case EntityRecord():
            return (row.id,)
        case Alias() | Fact():
            return (row.entity_id,)
        case Relation():
            return (row.from_id, row.to_id)
        case Observation() if row.name:
            return (row.id, *row.entity_ids)
        case Note() | Observation():
            return row.entity_ids
        case SameAs():
            return (row.entity_id, row.canonical_id)
        case NotSame() | Review():
            return (row.left_id, row.right_id)
        case Mention() | Support() | EntityType():
            return ()


def _read_names(view: View, commits: Sequence[Commit]) -> dict[str, str]:
    """Names by id: the present ones, and of what is gone those of the log."""
    names: dict[str, str] = {}
    for change in (change for commit in commits for change in commit.changes):
        row = change.after or change.before
        if isinstance(row := beside(row) or row, EntityRecord):
            names.setdefault(row.id, row.name)
    return {**names, **view.names_of(_ids_mentioned(commits))}


def _ids_mentioned(commits: Sequence[Commit]) -> set[str]:
    rows = (
        row
        for commit in commits
        for change in commit.changes
        for row in (change.before, change.after)
    )
    return {key for row in rows if row is not None for key in entities_of(row)}


def _make_entry(commit: Commit, names: Mapping[str, str], *, undone: bool) -> HistoryEntry:
    sources = [
        change.after.source
        for change in commit.changes
        if isinstance(change.after, Fact | Relation | Observation | Support)
        and change.after.source.quote
    ]
    lines = [line for change in commit.changes if (line := describe_change(change, names))]
    if commit.erased:
        lifted = commit.stamp.verb == "lift"
        lines.append(
            "what was forgotten may be told again" if lifted else "forgotten: the contents are gone"
        )
    return HistoryEntry(
        version=commit.version,
        commit=commit,
        lines=tuple(lines),
        quotes=tuple(dict.fromkeys(source.quote for source in sources)),
        speakers=tuple(dict.fromkeys(source.speaker or source.standing for source in sources)),
        undone=undone,
    )


def plan_undo(
    snapshot: Snapshot,
    space: str,
    what: Receipt | int | None,
    *,
    since: datetime | None = None,
    cascade: bool,
) -> Undoing:
    """Plans the inverses of the versions that are meant, newest first.

    Args:
        since: everything from the first commit of that time or later on, undoings too.

    Raises:
        InputError: there is nothing to undo, it was erased, or later changes rest on it.
            NotFoundError: no such version.
    """
    meant = _find_meant(snapshot, space, what, since)
    if meant.resting and not cascade:
        listed = ", ".join(str(commit.version) for commit in meant.resting)
        raise InputError(
            f"later changes rest on this (versions {listed}); undo them first, or all with cascade"
        )
    commits = sorted([*meant.commits, *meant.resting], key=lambda commit: -commit.version)
    return Undoing(
        versions=tuple(commit.version for commit in commits), changes=tuple(invert_commits(commits))
    )


def foresee_undo(
    view: View, what: Receipt | int | None, *, since: datetime | None = None
) -> UndoPlan:
    """Returns the changes that an undo of that would take back.

    Raises:
        InputError, NotFoundError: as `plan_undo`, but for what rests on it.
    """
    meant = _find_meant(view.snapshot, view.space, what, since)
    names = _read_names(view, [*meant.commits, *meant.resting])
    entries, resting = (
        tuple(
            _make_entry(commit, names, undone=False)
            for commit in sorted(some, key=lambda commit: -commit.version)
        )
        for some in (meant.commits, meant.resting)
    )
    return UndoPlan(entries=entries, resting=resting)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Meant:
    """The commits that an undo takes back, and later ones that rest on them."""

    commits: Sequence[Commit]
    resting: Sequence[Commit] = ()


def _find_meant(
    snapshot: Snapshot, space: str, what: Receipt | int | None, since: datetime | None
) -> _Meant:
    if since is not None:
        if what is not None:
            raise InputError("give what to undo, or a time since when, not both")
        return _meant_since(snapshot, space, since)
    log = _read_since(snapshot, space, what)
    wanted = _meant_versions(snapshot, space, what, log)
    by_version = {commit.version: commit for commit in log}
    for version in wanted:
        if version not in by_version:
            raise NotFoundError(f"space {space!r} has no version {version}")
        if by_version[version].erased:
            raise InputError(f"version {version} was forgotten; there is nothing left to undo")
    undone = _versions_undone(log)
    if undone & set(wanted):
        raise InputError(f"version {min(v for v in wanted if v in undone)} was undone already")
    later = [
        commit
        for commit in log
        if commit.version > min(wanted) and commit.version not in {*wanted, *undone}
        if not commit.stamp.undoes or min(commit.stamp.undoes) <= min(wanted)
    ]
    commits = [by_version[version] for version in wanted]
    return _Meant(
        commits=commits,
        resting=[by_version[version] for version in find_dependents(commits, later)],
    )


def _meant_since(snapshot: Snapshot, space: str, since: datetime) -> _Meant:
    """All commits from the first of that time on, undoings too: the record is then as it was before
    them.
    """
    log = snapshot.log(space)
    begin = next((place for place, commit in enumerate(log) if commit.stamp.at >= since), len(log))
    # Of what was forgotten the rest is taken back: the log holds together without it.
    commits = [commit for commit in log[begin:] if commit.changes]
    if not commits:
        raise InputError(f"nothing was changed since {since:%Y-%m-%d %H:%M}")
    return _Meant(commits=commits)


def _versions_undone(log: Sequence[Commit]) -> set[int]:
    """The versions that are taken back now; what an undo took back holds again when the undo is
    undone itself.
    """
    undone: set[int] = set()
    for commit in reversed(log):
        if commit.version not in undone:
            undone.update(commit.stamp.undoes)
    return undone


def _read_since(snapshot: Snapshot, space: str, what: Receipt | int | None) -> list[Commit]:
    """The log from the oldest version that can be meant."""
    if isinstance(what, int):
        return snapshot.log(space, after=max(0, what - 1))
    if isinstance(what, Receipt) and what.versions:
        return snapshot.log(space, after=min(what.versions) - 1)
    return snapshot.log(space)


def _meant_versions(
    snapshot: Snapshot, space: str, what: Receipt | int | None, log: Sequence[Commit]
) -> list[int]:
    if isinstance(what, int):
        return [what]
    if isinstance(what, Receipt):
        if what.space != space:
            raise InputError(f"this receipt is of space {what.space!r}, not of {space!r}")
        versions = what.versions or [
            each.version for each in snapshot.log_of_episodes(space, what.episode_ids)
        ]
    else:
        undone = _versions_undone(log)
        plain = [
            c.version
            for c in log
            if not c.stamp.undoes and c.version not in undone and not c.erased
            if c.stamp.verb != CONVERT  # nobody did it, and it hides what somebody did last
        ]
        versions = plain[-1:]
    if not versions:
        raise InputError("there is nothing to undo")
    return list(versions)
