"""Exchange: a space as JSON lines, and back.

The first line says what it is and how much follows; then come the episodes as they were said, then
the log of what is known. An import reads everything before it writes, passes through the same two
doors as everything else in one transaction, and keeps ids and history.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from factbook.errors import InputError, StaleWriteError
from factbook.model.change import Commit, Stamp
from factbook.model.codec import from_json, pack_change, to_json, unpack_change
from factbook.model.episode import Episode, NewEpisode, NewMessage
from factbook.model.named_observation import SORT_OF_KIND, converted, stamp_conversion
from factbook.model.record import SELF, EntityRecord
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Store

FORMAT = "factbook"
FORMAT_VERSION = 1
EPISODES_AT_ONCE = 50
_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Line:
    """A line of an export below its first, and its number in the file."""

    number: int
    value: Episode | Commit


def export_space(snapshot: Snapshot, space: str, target: str | Path | IO[str]) -> int:
    """Writes the space; returns how many lines."""
    with _open_target(target) as file:
        written = 0
        for line in _write_lines(snapshot, space):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            written += 1
    return written


def _write_lines(snapshot: Snapshot, space: str) -> Iterator[dict[str, Any]]:
    ids = snapshot.episode_ids(space)
    counts = {"episodes": len(ids), "commits": snapshot.version(space)}
    yield {"format": FORMAT, "format_version": FORMAT_VERSION, "space": space, **counts}
    for start in range(0, len(ids), EPISODES_AT_ONCE):
        part = ids[start : start + EPISODES_AT_ONCE]
        episodes = snapshot.episodes(space, part)
        yield from ({"episode": to_json(episodes[key])} for key in part)
    version = 0
    while commits := snapshot.log(space, after=version, limit=EPISODES_AT_ONCE):
        yield from (_pack_commit(commit) for commit in commits)
        version = commits[-1].version


def _pack_commit(commit: Commit) -> dict[str, Any]:
    changes = [pack_change(change) for change in commit.changes]
    return {
        "commit": commit.version,
        "stamp": to_json(commit.stamp),
        "changes": changes,
        "erased": commit.erased,
    }


def import_space(store: Store, space: str, source: str | Path | IO[str]) -> int:
    """Reads an export into the space, all of it or nothing; returns how many lines.

    Raises:
        InputError: says the line that can't be read, or that the export is cut short, or that the
            space holds another memory. Nothing was written.
    """
    with _open_source(source) as again:
        ids: set[str] = set()
        commits = 0
        for line in _parse_lines(again()):
            if isinstance(line.value, Episode):
                ids.add(line.value.id)
            else:
                commits += 1
        read = 1
        left = _Left()
        with store.together(), store.snapshot() as snapshot:
            _refuse_another_memory(snapshot, space, ids, commits)
            is_news = snapshot.version(space) <= commits
            for line in _parse_lines(again()):
                with _told_of(line.number):
                    _put_value(store, snapshot, space, line.value)
                if isinstance(line.value, Commit):
                    left.note(line.value)
                read += 1
            if is_news:
                left.convert(store, space)
    return read


@dataclass(kw_only=True, slots=True)
class _Left:
    """Entities in the log of an export that are observations by now; the last state of each."""

    last: Commit | None = None
    rows: dict[str, EntityRecord] = field(default_factory=dict[str, EntityRecord])
    people: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, commit: Commit) -> None:
        self.last = commit
        for change in commit.changes:
            before, after = change.before, change.after
            if isinstance(before, EntityRecord):
                self.rows.pop(before.id, None)
            if isinstance(after, EntityRecord) and after.kind in SORT_OF_KIND:
                self.rows[after.id] = after
            elif isinstance(after, EntityRecord) and after.kind == "person":
                self.people.setdefault(after.name, after.id)

    def convert(self, store: Store, space: str) -> None:
        """Makes observations of them, in a commit of its own."""
        if self.last is not None and self.rows:
            store.commit(
                space,
                expected_version=self.last.version,
                changes=converted(self.rows.values(), self.people, SELF),
                stamp=stamp_conversion(self.last.stamp.at),
            )


def _parse_lines(lines: Iterable[str]) -> Iterator[_Line]:
    """Yields the lines below the first.

    Raises:
        InputError: a line can't be read; at the end, that lines are missing.
    """
    promised: Mapping[str, Any] | None = None
    found: Counter[str] = Counter()
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        with _told_of(number):
            parsed = _parse_object(text)
            if promised is None:
                promised = _checked_head(parsed)
                continue
            value = _read_value(parsed)
            if isinstance(value, Commit) and value.version != found["commits"] + 1:
                raise InputError(
                    f"commit {value.version} can't follow version {found['commits']}; the export "
                    "is damaged"
                )
            found["episodes" if isinstance(value, Episode) else "commits"] += 1
        yield _Line(number=number, value=value)
    if promised is None:
        raise InputError("the export is empty")
    for sort in ("episodes", "commits"):
        if promised.get(sort, found[sort]) != found[sort]:
            raise InputError(
                f"the export is cut short or damaged: it was written with {promised[sort]} {sort} "
                f"and holds {found[sort]}"
            )


@contextlib.contextmanager
def _told_of(number: int) -> Generator[None]:
    """Says the line in what is raised of it."""
    try:
        yield
    except StaleWriteError:
        raise InputError(
            f"line {number}: it doesn't fit what stands before it; the export is damaged"
        ) from None
    except InputError as error:
        raise InputError(f"line {number}: {error}") from None
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        raise InputError(
            f"line {number}: not a line of an export ({type(error).__name__})"
        ) from None


def _parse_object(text: str) -> dict[str, Any]:
    parsed = json.loads(text)
    if not isinstance(parsed, dict):
        raise TypeError("an object was expected")
    return cast(dict[str, Any], parsed)


def _checked_head(line: dict[str, Any]) -> dict[str, Any]:
    if line.get("format") != FORMAT:
        raise InputError("this is not an export of factbook")
    if line["format_version"] > FORMAT_VERSION:
        raise InputError(
            "this export was written by a newer factbook; upgrade with: pip install -U factbook"
        )
    return line


def _read_value(line: Mapping[str, Any]) -> Episode | Commit:
    """The line's episode or commit."""
    if "episode" in line:
        return from_json(Episode, line["episode"])
    version = line["commit"]
    if type(version) is not int:
        raise TypeError("a commit's version is a whole number")
    changes = tuple(unpack_change(each) for each in line["changes"])
    stamp = from_json(Stamp, line["stamp"])
    return Commit(version=version, stamp=stamp, changes=changes, erased=line.get("erased") is True)


def _refuse_another_memory(snapshot: Snapshot, space: str, ids: set[str], commits: int) -> None:
    """Raises InputError where the space holds anything, and nothing shows that it is what the
    export was made of.

    Where both have a log, its entries are compared one by one instead.
    """
    held, version = set(snapshot.episode_ids(space)), snapshot.version(space)
    is_held, is_given = bool(held or version), bool(ids or commits)
    meet = held & ids or (version and commits)
    if is_held and is_given and not meet:
        raise InputError(
            f"space {space!r} holds another memory than this export; import it into an empty space"
        )


def _put_value(store: Store, snapshot: Snapshot, space: str, value: Episode | Commit) -> None:
    """Writes an episode or a commit, unless the space had it before."""
    if isinstance(value, Episode):
        store.remember(space, [as_new(value)], jobs=False)
        return
    if value.version <= snapshot.version(space):
        (there,) = snapshot.log(space, after=value.version - 1, limit=1)
        if (there.changes, there.erased) != (value.changes, value.erased):
            raise InputError(
                f"space {space!r} has another history than this export; import it into an empty "
                "space"
            )
        return
    expected = value.version - 1
    store.commit(
        space,
        expected_version=expected,
        changes=value.changes,
        stamp=value.stamp,
        erased=value.erased,
    )


def as_new(episode: Episode) -> NewEpisode:
    """A stored episode as it goes in through the store's first door, with its ids and keys."""
    return NewEpisode(
        id=episode.id,
        session=episode.session,
        project=episode.project,
        created_at=episode.created_at,
        messages=tuple(
            NewMessage(
                id=message.id,
                key=message.key,
                role=message.role,
                speaker=message.speaker,
                at=message.at,
                text=message.text,
                host_id=message.host_id,
            )
            for message in episode.messages
        ),
    )


def _refuse_database(path: Path) -> None:
    """Raises InputError where an export would be written over a database, such as the memory
    itself.
    """
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(_SQLITE)) == _SQLITE:
                raise InputError(f"{path} is a database; name another file for the export")


def _read_path(written: str | Path) -> Path:
    """Returns the path; raises InputError where it can't be one."""
    try:
        if b"\0" not in os.fsencode(written):
            return Path(written)
    except UnicodeEncodeError:
        pass
    raise InputError(
        f"{str(written)!r} can't be a path: it holds a character that no path may hold"
    )


@contextlib.contextmanager
def _open_target(target: str | Path | IO[str]) -> Generator[IO[str]]:
    """A file to write to, for its owner alone; it takes the target's place when it is whole."""
    if not isinstance(target, str | Path):
        yield target
        return
    with _clear_errors(target, "can't be written: "):
        path = _read_path(target).resolve()
        _refuse_database(path)
        is_plain = (
            path.is_file() or not path.exists()
        )  # anything else, such as a pipe, is written as it stands
        unfinished = path.with_name(f"{path.name}.unfinished") if is_plain else path
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                yield file
            if is_plain:
                unfinished.replace(path)
        except BaseException:
            if is_plain:
                unfinished.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def _open_source(source: str | Path | IO[str]) -> Generator[Callable[[], Iterable[str]]]:
    """Gives the lines, from the first on each time that they are asked for."""
    if not isinstance(source, str | Path):
        with _clear_errors("the export"):
            lines = list(source)
        yield lambda: lines
        return
    with (
        _clear_errors(source),
        _read_path(source).open(encoding="utf-8-sig") as file,
    ):  # a byte order mark is no text

        def again() -> Iterable[str]:
            file.seek(0)
            return file

        yield again


@contextlib.contextmanager
def _clear_errors(name: str | Path, what: str = "") -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{name}{' ' if what else ': '}{what}{error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{name}: not a text in UTF-8") from None
