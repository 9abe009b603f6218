"""Forgetting: what the pure `Eraser` leaves is put in place of what was, and the file is written
anew.

One transaction maps every row, message, log entry, draft and error, derives the touched lines
again, and notes in `purges` that the file still holds the old bytes. Then the database is rewritten
by VACUUM and the write-ahead log emptied; the next opening does that if a crash came between.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from factbook.errors import StoreBusyError, StoreError
from factbook.model.change import Change
from factbook.model.episode import NewEpisode, NewMessage, StoredMessage
from factbook.model.named_observation import beside
from factbook.model.record import RECORD_TYPES, SELF
from factbook.ports.store import Erasure
from factbook.store.derive import derive_message_line
from factbook.store.erase import SORTS, erasure_entry
from factbook.store.sqlite.file.writers_queue import BUSY, try_until
from factbook.store.sqlite.reading.record_snapshot import RecordSnapshot
from factbook.store.sqlite.row_codecs import TABLES
from factbook.store.sqlite.writing import doors, log_table
from factbook.store.sqlite.writing.job_table import unpack_draft
from factbook.store.sqlite.writing.touched_rows import Touched
from factbook.store.tombstones import (
    EARLIER,
    HOST_ID,
    KEY_BYTES,
    Graveyard,
    Tombstone,
    find_held_back,
)

_FULL = {errno.ENOSPC, errno.EDQUOT}
AGAIN = 0.01
"""Seconds between two tries to write the file anew."""
_PAGE = 1000


def forget_rows(
    con: sqlite3.Connection,
    space_no: int,
    space: str,
    erasure: Erasure,
    graveyard: Graveyard | None,
) -> dict[str, int]:
    """Erases within one transaction; `purge` after it. Returns counts by sort."""
    work = (
        _Everything(con, space_no, space)
        if erasure.everything
        else _Some(con, space_no, space, erasure)
    )
    work.messages(graveyard)
    work.rows()
    work.jobs()
    work.log()
    log_table.write_log(
        con, space_no, erasure_entry(log_table.read_version(con, space_no) + 1, erasure)
    )
    con.execute("UPDATE spaces SET epoch = epoch + 1 WHERE no = ?", (space_no,))
    con.execute("INSERT INTO purges DEFAULT VALUES")
    return {sort: count for sort, count in work.counts.items() if count}


class _Some:
    """The rows that the `Eraser` takes away or alters."""

    def __init__(
        self, con: sqlite3.Connection, space_no: int, space: str, erasure: Erasure
    ) -> None:
        self._con = con
        self._space_no = space_no
        self._changed = doors.RowWriter(con, space_no)
        self._touched = Touched(con, space_no, space, erasure)
        self._eraser = self._touched.eraser
        self.counts: Counter[str] = Counter()

    def messages(self, graveyard: Graveyard | None) -> None:
        for old in self._touched.messages:
            new = self._eraser.message(old)
            if new is old:
                continue
            if graveyard is not None:
                named = self._eraser.names_someone(old)
                bury_tombstones(self._con, self._space_no, graveyard.bury(old, names_someone=named))
            self.counts["messages" if new is None else "masked"] += 1
            if new is None:
                self._drop(old)
            else:
                self._alter(old, new)
        gone = self._con.execute(
            "DELETE FROM episodes WHERE space_no = ? AND messages <= 0 RETURNING id",
            (self._space_no,),
        ).fetchall()
        self.counts["episodes"] = len(gone)
        for (episode_id,) in gone:
            self._con.execute(
                "DELETE FROM jobs WHERE space_no = ? AND id = ?", (self._space_no, episode_id)
            )

    def _drop(self, old: StoredMessage) -> None:
        self._con.execute("DELETE FROM messages WHERE line_no = ?", (self._line_no(old),))
        self._con.execute(
            "UPDATE episodes SET messages = messages - 1 WHERE space_no = ? AND id = ?",
            (self._space_no, old.episode_id),
        )
        self._changed.lines.drop("message", old.id)

    def _alter(self, old: StoredMessage, new: StoredMessage) -> None:
        self._con.execute(
            "UPDATE messages SET text = ?, speaker = ?, key = ? WHERE line_no = ?",
            (new.text, new.speaker, new.key, self._line_no(old)),
        )
        mentions = self._con.execute(
            "SELECT entity_id FROM mentions WHERE space_no = ? AND episode_id = ? AND message_id "
            "= ?",
            (self._space_no, old.episode_id, old.id),
        )
        line = derive_message_line(new, [entity_id for (entity_id,) in mentions])
        self._changed.lines.put(line, derive_message_line(old).embed)

    def _line_no(self, message: StoredMessage) -> int:
        row = self._con.execute(
            "SELECT line_no FROM messages WHERE session_no ="
            " (SELECT no FROM sessions WHERE space_no = ? AND name = ?) AND key = ?",
            (self._space_no, message.session, message.key),
        ).fetchone()
        return int(row[0])

    def rows(self) -> None:
        for cls in RECORD_TYPES:
            for row in self._touched.records[cls]:
                left = self._eraser.record(row)
                if left is None and beside(row) is None:
                    self.counts[SORTS[cls]] += 1
                if left != row:
                    self._changed.apply(Change(before=row, after=left))
        self._changed.derive()

    def jobs(self) -> None:
        for job_id, state, error, stored in self._con.execute(
            "SELECT id, state, error, draft FROM jobs WHERE space_no = ? AND (draft IS NOT NULL "
            "OR error <> ''"
            " OR state = 'running')",
            (self._space_no,),
        ).fetchall():
            new_error = self._eraser.error(job_id, error)
            new_draft = stored if stored is None or self._stays(stored) else None
            if (new_error, new_draft) != (error, stored):
                self._con.execute(
                    "UPDATE jobs SET error = ?, draft = ? WHERE space_no = ? AND id = ?",
                    (new_error, new_draft, self._space_no, job_id),
                )
            if state == "running" and job_id in self._eraser.touched:
                self._con.execute(
                    "UPDATE jobs SET state = 'waiting', leased_to = NULL, token = NULL WHERE "
                    "space_no = ? AND id = ?",
                    (self._space_no, job_id),
                )

    def _stays(self, stored: str) -> bool:
        return self._eraser.draft(unpack_draft(stored)) is not None

    def log(self) -> None:
        self._con.execute("DELETE FROM codes WHERE space_no = ?", (self._space_no,))
        for old in self._touched.log:
            new = self._eraser.commit(old)
            if new is not old:
                self.counts["commits"] += 1
                log_table.rewrite_log(self._con, self._space_no, old, new)


class _Everything:
    """A whole space: nothing needs to be looked at, and the log keeps step and time."""

    def __init__(self, con: sqlite3.Connection, space_no: int, space: str) -> None:
        self._con = con
        self._space_no = space_no
        self._space = space
        self._range = (space_no << 32, (space_no + 1) << 32)
        self.counts: Counter[str] = Counter()

    def messages(self, graveyard: Graveyard | None) -> None:
        if graveyard is not None:
            mentions = (
                "SELECT DISTINCT message_id FROM mentions WHERE space_no = ? AND entity_id <> ?"
            )
            named = {
                message_id for (message_id,) in self._con.execute(mentions, (self._space_no, SELF))
            }
            ids = self._con.execute(
                "SELECT id FROM messages WHERE line_no > ? AND line_no < ?", self._range
            )
            snapshot = RecordSnapshot(self._con, {self._space: self._space_no})
            while some := [message_id for (message_id,) in ids.fetchmany(_PAGE)]:
                for said in snapshot.messages(self._space, some).values():
                    stones = graveyard.bury(said, names_someone=said.id in named)
                    bury_tombstones(self._con, self._space_no, stones)
        self.counts["messages"] = self._delete("messages", "line_no")
        self.counts["episodes"] = self._delete("episodes", "no")

    def rows(self) -> None:
        (named,) = self._con.execute(
            "SELECT count(*) FROM observations WHERE space_no = ? AND name <> ''",
            (self._space_no,),
        ).fetchone()
        for cls, sort in SORTS.items():
            self.counts[sort] = self._delete_all(TABLES[cls])
        self.counts["observations"] -= named  # they count as the entities beside them
        for table in (
            "bearers",
            "name_keys",
            "name_slips",
            "canon",
            "listed",
            "words",
            "postings",
            "line_entities",
            "observation_entities",
            "log_rows",
            "codes",
        ):
            self._delete_all(table)
        self._delete("lines", "line_no")
        self._delete("vectors", "line_no")
        self._con.execute("UPDATE spaces SET lines = 0, words = 0 WHERE no = ?", (self._space_no,))

    def jobs(self) -> None:
        self._delete_all("jobs")

    def log(self) -> None:
        self.counts["commits"] = self._con.execute(
            "UPDATE log SET reason = '', erased = 1, changes = '[]' WHERE no > ? AND no < ?",
            self._range,
        ).rowcount

    def _delete(self, table: str, number: str) -> int:
        return self._con.execute(
            f"DELETE FROM {table} WHERE {number} > ? AND {number} < ?", self._range
        ).rowcount

    def _delete_all(self, table: str) -> int:
        return self._con.execute(
            f"DELETE FROM {table} WHERE space_no = ?", (self._space_no,)
        ).rowcount


# --- tombstones -----------------------------------------------------------------------------------


def read_secret(con: sqlite3.Connection, path: Path, *, make: bool) -> bytes:
    """Returns the key of the tombstones, which lies in a file of its own beside the database.

    Args:
        make: makes a key where there are no tombstones yet. Only within a writing transaction.

    Raises:
        StoreError: there are tombstones and no whole key, or it can't be written.
    """
    file = path.with_name(f"{path.name}.key")
    try:
        key = file.read_bytes()
    except FileNotFoundError:
        key = b""
    except OSError as error:
        raise StoreError(f"{file} can't be read: {error.strerror}") from None
    if len(key) >= KEY_BYTES:
        return key
    if make and con.execute("SELECT 1 FROM tombstones LIMIT 1").fetchone() is None:
        return _make_key(file)
    state = "is damaged (it is too short)" if file.exists() else "is missing"
    raise StoreError(
        f"{file} {state}: without it, messages that were forgotten can't be told from new ones. "
        "Put it back from a"
        " backup; or, if they may come back, lift what was forgotten (factbook forget --lift all, "
        "in each space)"
    )


def _make_key(file: Path) -> bytes:
    """Returns a new key once it is durable; the file is whole or not there."""
    key = os.urandom(KEY_BYTES)
    new = file.with_name(f"{file.name}.tmp")  # whoever holds the database's lock is the only writer
    try:
        handle = os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "wb") as out:
            out.write(key)
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        with suppress(OSError):
            new.unlink()
        why = "the disk (or the quota) is full" if error.errno in _FULL else error.strerror
        raise StoreError(f"{file} can't be written: {why}; nothing was forgotten") from None
    return key


def bury_tombstones(
    con: sqlite3.Connection, space_no: int, tombstones: Iterable[Tombstone]
) -> None:
    """Keeps hashes, each as of the latest forgetting; within its transaction, before `forget`
    ends.
    """
    version = log_table.read_version(con, space_no) + 1
    con.executemany(
        "INSERT INTO tombstones (space_no, hash, version, sort) VALUES (?, ?, ?, ?) ON CONFLICT "
        "DO UPDATE SET"
        " version = excluded.version, sort = CASE sort WHEN 0 THEN excluded.sort ELSE min(sort, "
        "excluded.sort) END",
        [(space_no, each.hash, version, each.sort) for each in tombstones],
    )


def lift_tombstones(con: sqlite3.Connection, space_no: int, version: int | None) -> int:
    """Takes tombstones away, those of one forgetting or all; returns how many messages and
    names.
    """
    gone = con.execute(
        "DELETE FROM tombstones WHERE space_no = ?1 AND (?2 IS NULL OR version = ?2) RETURNING "
        "sort",
        (space_no, version),
    ).fetchall()
    return sum(sort != HOST_ID for (sort,) in gone)


def find_dead(
    con: sqlite3.Connection,
    space_no: int,
    graveyard: Callable[[], Graveyard],
    episodes: Sequence[NewEpisode],
    is_known: Callable[[str, NewMessage], bool],
) -> frozenset[str]:
    """Returns the ids of the messages that were forgotten; the graveyard is asked for only where
    something was.
    """
    if not _has_any(con, space_no):
        return frozenset()

    def buried(hashes: Sequence[bytes]) -> list[int]:
        marks = ", ".join("?" * len(hashes))
        found = con.execute(
            f"SELECT sort FROM tombstones WHERE space_no = ? AND hash IN ({marks})",
            (space_no, *hashes),
        )
        return [sort for (sort,) in found]

    return find_held_back(episodes, graveyard(), buried, is_known)


def find_dead_names(
    con: sqlite3.Connection, space_no: int, graveyard: Callable[[], Graveyard], names: Iterable[str]
) -> set[str]:
    """Returns the forgotten ones among the names."""
    if not (asked := set(names)) or not _has_any(con, space_no):
        return set()
    made = graveyard()
    return {name for name in asked if _is_buried(con, space_no, made.name(name).hash)}


def count_earlier(con: sqlite3.Connection) -> int:
    """Counts the tombstones that know a message only under the session it was said in."""
    return int(
        con.execute("SELECT count(*) FROM tombstones WHERE sort = ?", (EARLIER,)).fetchone()[0]
    )


def _has_any(con: sqlite3.Connection, space_no: int) -> bool:
    return (
        con.execute("SELECT 1 FROM tombstones WHERE space_no = ? LIMIT 1", (space_no,)).fetchone()
        is not None
    )


def _is_buried(con: sqlite3.Connection, space_no: int, hash_: bytes) -> bool:
    found = con.execute(
        "SELECT 1 FROM tombstones WHERE space_no = ? AND hash = ?", (space_no, hash_)
    )
    return found.fetchone() is not None


# --- the bytes ------------------------------------------------------------------------------------


def is_unpurged(con: sqlite3.Connection) -> bool:
    """Whether the file may still hold bytes of what was erased."""
    return con.execute("SELECT 1 FROM purges LIMIT 1").fetchone() is not None


def purge_file(con: sqlite3.Connection, path: Path, until: float) -> None:
    """Rewrites the file so that nothing of what was erased is left in it, if that is still to be
    done; tries until then by the monotonic clock.

    Raises:
        StoreBusyError: another process reads an older state for longer than the timeout.
            StoreError: the disk is full. In both cases the next opening or forgetting tries again.
    """
    if not is_unpurged(con):
        return
    try:
        try_until(lambda: con.execute("VACUUM"), until, AGAIN)
        emptied = _empty_log(con, until)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in BUSY:
            raise
        raise StoreError(
            f"{path}: the words are erased from the record, but the file can't be written anew "
            "and keeps their bytes:"
            f" {error}. Free some space on the disk; the next forgetting or opening clears them "
            "away"
        ) from error
    if not emptied:
        raise StoreBusyError(
            f"{path}: the words are erased from the record, but another process still reads an "
            "older state, so that the"
            " write-ahead log keeps their bytes; the next forgetting or opening clears them away"
        )
    try_until(lambda: con.execute("DELETE FROM purges"), until, AGAIN)


def _empty_log(con: sqlite3.Connection, until: float) -> bool:
    """Copies the write-ahead log into the database and cuts it to nothing; False where others read
    it until then.
    """
    while True:
        (busy, _, _) = try_until(
            lambda: con.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone(), until, AGAIN
        )
        if not busy or time.monotonic() >= until:
            return not busy
        time.sleep(AGAIN)
