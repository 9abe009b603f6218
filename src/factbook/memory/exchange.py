"""Exchange: a space as JSON lines, and back.

The first line says what it is; then come the episodes as they were said, then the log of what is known. Importing
passes through the same two doors as everything else, keeps ids and history, and goes on where it broke off.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, cast

from factbook.errors import InputError
from factbook.model.change import Commit, Stamp
from factbook.model.codec import from_json, pack_change, to_json, unpack_change
from factbook.model.episode import Episode, NewEpisode, NewMessage
from factbook.ports.store import Reader, Store

FORMAT = "factbook"
FORMAT_VERSION = 1
EPISODES_AT_ONCE = 50
_SQLITE = b"SQLite format 3\0"


def export(reader: Reader, space: str, target: str | Path | IO[str]) -> int:
    """Writes the space; returns how many lines."""
    with _opened(target, "w") as file:
        written = 0
        for line in _lines(reader, space):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            written += 1
    return written


def _lines(reader: Reader, space: str) -> Iterator[dict[str, Any]]:
    yield {"format": FORMAT, "format_version": FORMAT_VERSION, "space": space}
    ids = reader.episode_ids(space)
    for start in range(0, len(ids), EPISODES_AT_ONCE):
        part = ids[start : start + EPISODES_AT_ONCE]
        episodes = reader.episodes(space, part)
        yield from ({"episode": to_json(episodes[key])} for key in part)
    version = 0
    while commits := reader.log(space, after=version, limit=EPISODES_AT_ONCE):
        yield from (_pack(commit) for commit in commits)
        version = commits[-1].version


def _pack(commit: Commit) -> dict[str, Any]:
    changes = [pack_change(change) for change in commit.changes]
    return {"commit": commit.version, "stamp": to_json(commit.stamp), "changes": changes, "erased": commit.erased}


def import_(store: Store, space: str, source: str | Path | IO[str]) -> int:
    """Reads an export into the space; returns how many lines.

    Raises:
        InputError: says the line that can't be read, or that the space holds another history.
    """
    read = 0
    with _opened(source, "r") as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                _take(store, space, json.loads(text), first=read == 0)
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                raise InputError(f"line {number}: not a line of an export ({type(error).__name__})") from None
            except InputError as error:
                raise InputError(f"line {number}: {error}") from None
            read += 1
    if not read:
        raise InputError("the export is empty")
    return read


def _take(store: Store, space: str, parsed: object, *, first: bool) -> None:
    if not isinstance(parsed, dict):
        raise TypeError("an object was expected")
    line = cast(dict[str, Any], parsed)
    if first:
        if line.get("format") != FORMAT:
            raise InputError("this is not an export of factbook")
        if line["format_version"] > FORMAT_VERSION:
            raise InputError("this export was written by a newer factbook; upgrade with: pip install -U factbook")
    elif "episode" in line:
        store.remember(space, [as_new(from_json(Episode, line["episode"]))], jobs=False)
    else:
        _replay(store, space, line)


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


def _replay(store: Store, space: str, line: Mapping[str, Any]) -> None:
    number = int(line["commit"])
    changes, erased = tuple(unpack_change(each) for each in line["changes"]), line.get("erased") is True
    with store.reading() as reader:
        version = reader.version(space)
        there = reader.log(space, after=number - 1, limit=1) if number <= version else []
    if there:
        if (there[0].changes, there[0].erased) != (changes, erased):
            raise InputError(f"space {space!r} has another history than this export; import it into an empty space")
        return
    if number != version + 1:
        raise InputError(f"commit {number} can't follow version {version}; the export is damaged")
    stamp = from_json(Stamp, line["stamp"])
    store.commit(space, expected_version=version, changes=changes, stamp=stamp, erased=erased)


def _refuse_database(path: Path) -> None:
    """Raises InputError where an export would be written over a database, such as the memory itself."""
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(_SQLITE)) == _SQLITE:
                raise InputError(f"{path} is a database; name another file for the export")


@contextlib.contextmanager
def _opened(target: str | Path | IO[str], mode: str) -> Generator[IO[str]]:
    if not isinstance(target, str | Path):
        yield target
        return
    try:
        if mode == "w":
            _refuse_database(Path(target))
        # What is made is for its owner alone, as the database is; a byte order mark is no part of the first line.
        encoding = "utf-8" if mode == "w" else "utf-8-sig"
        with open(target, mode, encoding=encoding, opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            yield file
    except OSError as error:
        raise InputError(f"{target}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{target}: not a text in UTF-8") from None
