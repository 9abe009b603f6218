"""Feeding files to a memory: in parts, up to the line that is broken, and the same messages
once.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from factbook.errors import InputError
from factbook.model.episode import Message
from factbook.model.space import LONGEST_LABEL
from factbook.text.transcript_files import FileMessage, read_transcript

if TYPE_CHECKING:
    from factbook.memory.memory import Memory

MESSAGES_AT_ONCE = 192
"""Stored in one transaction; a multiple of the messages of an episode."""


@dataclass(slots=True, kw_only=True)
class Fed:
    """The progress of feeding; `in_file` counts the messages of the last file, `line` is where its
    fault is.
    """

    read: int = 0
    in_file: int = 0
    stored: int = 0
    duplicates: int = 0
    held_back: int = 0
    masked: Counter[str] = field(default_factory=Counter[str])
    skipped: Counter[str] = field(default_factory=Counter[str])
    episode_ids: list[str] = field(default_factory=list[str])
    fault: str = ""
    line: int = 0

    @property
    def is_all_known(self) -> bool:
        """True where messages were read, without a fault, and each was in the store before."""
        return self.read > 0 and not any((self.stored, self.held_back, self.fault))


def feed_file(
    memory: Memory,
    stream: IO[bytes],
    name: str,
    *,
    fed: Fed,
    session: str | None,
    force: bool,
    project: str,
    anyway: bool = False,
    is_own: Callable[[Sequence[str]], bool] | None = None,
    tell: Callable[[int], None],
) -> None:
    """Remembers a file's messages, in parts; a fault in it is noted in `fed`, after all that stands
    before it is kept.

    Args:
        session: the label for what the file gives none, None for an empty one; with `force`, for
            everything.
        anyway: stores also what was forgotten.
        is_own: asked, with their names, whether a text that looks like a chat of others is the
            user's own.
        tell: hears how many bytes are read.
    """
    fed.in_file = 0
    part: list[Message] = []
    label = session or ""
    with closing(_Repeats()) as repeats:
        for each in _until_fault(stream, name, fed, is_own):
            wanted = session or "" if force or not each.session else each.session
            if part and (wanted != label or len(part) >= MESSAGES_AT_ONCE):
                _remember_part(memory, part, label, project, fed, anyway=anyway)
                part = []
                tell(each.offset)
            label = wanted
            part.append(repeats.told_apart(each.message, label))
        if part:
            _remember_part(memory, part, label, project, fed, anyway=anyway)
    if not (fed.in_file or fed.fault):
        fed.fault = f"{name}: there are no messages in it"


def _until_fault(
    stream: IO[bytes], name: str, fed: Fed, is_own: Callable[[Sequence[str]], bool] | None
) -> Iterator[FileMessage]:
    try:
        yield from read_transcript(stream, is_own=is_own)
    except InputError as error:
        where = str(error)
        fed.fault = f"{name}, {where}" if where.startswith("line ") else f"{name}: {where}"
        fed.line = int(where.split()[1].rstrip(":")) if where.startswith("line ") else 0
    except OSError as error:
        fed.fault = f"{name} can't be read: {error.strerror}"


def _remember_part(
    memory: Memory, part: list[Message], session: str, project: str, fed: Fed, *, anyway: bool
) -> None:
    receipt = memory.remember(part, session=session, project=project, anyway=anyway)
    fed.read += len(part)
    fed.in_file += len(part)
    fed.stored += receipt.stored
    fed.duplicates += receipt.duplicates
    fed.held_back += receipt.held_back
    fed.masked.update(receipt.masked)
    fed.skipped.update(receipt.skipped)
    fed.episode_ids.extend(receipt.episode_ids)


def label_of(name: str) -> str:
    """The session that a file's messages belong to where it names none: the file's name."""
    return (
        "".join(char for char in Path(name).stem if char.isprintable())
        .strip()[:LONGEST_LABEL]
        .strip()
    )


class _Repeats:
    """Tells apart what stands in a file more than once: an "ok" said three times is three messages.

    `Memory.remember` does so for the messages of one call; this does for the parts of a file, and
    gives the second and later ones an id by their number, so that reading the file again finds
    them. The counts lie in a temporary file of SQLite's: a file of millions of messages takes no
    memory.
    """

    def __init__(self) -> None:
        self._counts = sqlite3.connect("", isolation_level=None)
        self._counts.execute("PRAGMA journal_mode = OFF")
        self._counts.execute(
            "CREATE TABLE seen (digest BLOB PRIMARY KEY, times INTEGER) WITHOUT ROWID"
        )
        self._counts.execute("BEGIN")

    def told_apart(self, message: Message, session: str) -> Message:
        """The message, with an id if it is a repetition."""
        if message.id:
            return message
        parts = (
            session,
            message.role,
            message.speaker,
            message.at.isoformat() if message.at else "",
            message.text,
        )
        digest = hashlib.blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=16)
        [times] = self._counts.execute(
            "INSERT INTO seen VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING "
            "times",
            (digest.digest(),),
        ).fetchone()
        return message if times == 1 else replace(message, id=f"{digest.hexdigest()}:{times}")

    def close(self) -> None:
        """Lets the temporary file go."""
        self._counts.close()
