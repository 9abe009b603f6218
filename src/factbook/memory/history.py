"""History and undo: the log as people read it, and what taking a commit back means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from factbook.errors import InputError, NotFoundError
from factbook.memory.views import View
from factbook.model.change import Change, Commit
from factbook.model.receipt import Receipt
from factbook.model.record import (
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Mention,
    Note,
    NotSame,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.ports.store import Reader
from factbook.resolve.undo import dependents, invert


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryEntry:
    """One commit, or what of it concerns one entity.

    Attributes:
        version, commit: which one. lines: its changes in words, one each. quotes: the words they rest on.
    """

    version: int
    commit: Commit
    lines: tuple[str, ...]
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Undoing:
    """The changes that take these versions back."""

    versions: tuple[int, ...]
    changes: tuple[Change, ...]


def history(view: View, name: str | None, limit: int) -> list[HistoryEntry]:
    """The latest commits, newest first, of one entity or of the whole space."""
    if name is None:
        version = view.reader.version(view.space)
        commits = view.reader.log(view.space, after=max(0, version - max(limit, 0)))
    else:
        commits = view.reader.log_of(view.space, _rows_of(view, view.resolve(name)), limit=limit)
    names = view.names_of(_mentioned(commits))
    return [_entry(commit, names) for commit in reversed(commits)]


def _rows_of(view: View, entity_id: str) -> list[str]:
    """Ids of all rows about a canonical entity, mentions apart (they would drown the rest)."""
    reader, space = view.reader, view.space
    members = reader.members(space, [entity_id]).get(entity_id, (entity_id,))
    facts = [fact.id for fact in reader.facts(space, members)]
    relations = [row.id for row in reader.relations(space, members)]
    aliases = [alias.id for alias in reader.aliases(space, members)]
    merges = [row.id for row in reader.every(space, SameAs) if {row.entity_id, row.canonical_id} & set(members)]
    return [*members, *facts, *relations, *aliases, *merges]


def _mentioned(commits: Sequence[Commit]) -> set[str]:
    ids: set[str] = set()
    for commit in commits:
        for change in commit.changes:
            for row in (change.before, change.after):
                if isinstance(row, Fact | Alias | Mention | SameAs):
                    ids.add(row.entity_id)
                if isinstance(row, SameAs):
                    ids.add(row.canonical_id)
                if isinstance(row, Relation):
                    ids |= {row.from_id, row.to_id}
                if isinstance(row, NotSame | Review):
                    ids |= {row.left_id, row.right_id}
    return ids


def _entry(commit: Commit, names: Mapping[str, str]) -> HistoryEntry:
    quotes = [
        change.after.source.quote
        for change in commit.changes
        if isinstance(change.after, Fact | Relation | Support) and change.after.source.quote
    ]
    lines = [line for change in commit.changes if (line := describe(change, names))]
    if commit.erased:
        lines.append("forgotten: the contents are gone")
    return HistoryEntry(version=commit.version, commit=commit, lines=tuple(lines), quotes=tuple(dict.fromkeys(quotes)))


def describe(change: Change, names: Mapping[str, str]) -> str:
    """A change in a few words; empty for one that a reader of the history does not look for (mentions, supports)."""
    row = change.after or change.before
    words = _words(row, names) if row is not None else ""
    if not words or _is_counted(change):
        return ""
    if change.before is None:
        return f"+ {words}"
    if change.after is None:
        return f"− {words}"
    return f"~ {words}{_ended(change)}"


def _is_counted(change: Change) -> bool:
    """Whether an upsert only counted the entity's version on: what it brought stands beside it."""
    before, after = change.before, change.after
    if not (isinstance(before, EntityRecord) and isinstance(after, EntityRecord)):
        return False
    return after == replace(before, version=after.version, updated_at=after.updated_at, expires_at=after.expires_at)


def _ended(change: Change) -> str:
    before, after = change.before, change.after
    if isinstance(before, Fact | Relation) and isinstance(after, Fact | Relation):
        if after.invalid_at is not None and after.invalid_at != before.invalid_at:
            return f", until {after.invalid_at:%Y-%m-%d}"
        if after.expired_at is not None and before.expired_at is None:
            return ", retracted"
    return ""


def _name(names: Mapping[str, str], key: str) -> str:
    return names.get(key, key)


def _words(row: Record, names: Mapping[str, str]) -> str:
    match row:
        case EntityRecord():
            return f"{row.name} ({row.kind})"
        case Alias():
            return f"{_name(names, row.entity_id)}, also {row.name}"
        case Fact():
            return f"{_name(names, row.entity_id)}: {row.attribute} = {row.value}"
        case Relation():
            return f"{_name(names, row.from_id)} {row.label} {_name(names, row.to_id)}"
        case Note():
            return f"note ({row.category}): {row.text}"
        case SameAs():
            return f"{_name(names, row.entity_id)} is the same as {_name(names, row.canonical_id)}"
        case NotSame():
            return f"{_name(names, row.left_id)} is not {_name(names, row.right_id)}"
        case Review():
            return f"{_name(names, row.left_id)} / {_name(names, row.right_id)}: review {row.state}"
        case EntityType():
            return f"kind {row.id}"
        case Mention() | Support():
            return ""


def plan_undo(reader: Reader, space: str, what: Receipt | int | None, *, cascade: bool) -> Undoing:
    """What takes back the versions that are meant, newest first.

    Raises:
        InputError: there is nothing to undo, it was erased, or later changes rest on it. NotFoundError: no such version.
    """
    log = _since(reader, space, what)
    wanted = _versions(reader, space, what, log)
    by_version = {commit.version: commit for commit in log}
    for version in wanted:
        if version not in by_version:
            raise NotFoundError(f"space {space!r} has no version {version}")
        if by_version[version].erased:
            raise InputError(f"version {version} was forgotten; there is nothing left to undo")
    undone = _undone(log)
    if undone & set(wanted):
        raise InputError(f"version {min(v for v in wanted if v in undone)} was undone already")
    later = [
        commit
        for commit in log
        if commit.version > min(wanted)
        and commit.version not in {*wanted, *undone}
        and not (commit.stamp.undoes and min(commit.stamp.undoes) > min(wanted))
    ]
    resting = dependents([by_version[version] for version in wanted], later)
    if resting and not cascade:
        listed = ", ".join(str(version) for version in resting)
        raise InputError(f"later changes rest on this (versions {listed}); undo them first, or all with cascade")
    versions = tuple(sorted({*wanted, *resting}, reverse=True))
    return Undoing(versions=versions, changes=tuple(invert([by_version[version] for version in versions])))


def _undone(log: Sequence[Commit]) -> set[int]:
    """The versions that are taken back now; what an undo took back holds again when the undo is undone itself."""
    undone: set[int] = set()
    for commit in reversed(log):
        if commit.version not in undone:
            undone.update(commit.stamp.undoes)
    return undone


def _since(reader: Reader, space: str, what: Receipt | int | None) -> list[Commit]:
    """The log from the oldest version that can be meant."""
    if isinstance(what, int):
        return reader.log(space, after=max(0, what - 1))
    if isinstance(what, Receipt) and what.versions:
        return reader.log(space, after=min(what.versions) - 1)
    return reader.log(space)


def _versions(reader: Reader, space: str, what: Receipt | int | None, log: Sequence[Commit]) -> list[int]:
    if isinstance(what, int):
        return [what]
    if isinstance(what, Receipt):
        if what.space != space:
            raise InputError(f"this receipt is of space {what.space!r}, not of {space!r}")
        versions = what.versions or [each.version for each in reader.log_of_episodes(space, what.episode_ids)]
    else:
        undone = _undone(log)
        plain = [c.version for c in log if not c.stamp.undoes and c.version not in undone and not c.erased]
        versions = plain[-1:]
    if not versions:
        raise InputError("there is nothing to undo")
    return list(versions)
