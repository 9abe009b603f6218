"""The database file: making it, opening it without harm, and saying clearly why that can't be
done.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from factbook.errors import ConfigError, FactbookError, InputError, StoreBusyError, StoreError

APPLICATION_ID = 0x46426F6B
"""`FBok`, in the header of every database of ours."""

OLDEST = (3, 35, 0)
"""The first SQLite with RETURNING."""

CACHE_KIB = 16_384
"""Page cache of each connection; another process's write empties it."""

MAPPED_BYTES = 192 << 20
"""So much of the file a reader maps into memory, where the system's cache of it is read in place: a
question over 100,000 lines, which looks at some 2,000 pages, takes a fifth less time in the store.
Writers map nothing.
"""

WAL_PAGES = 4_000
"""16 MB of write-ahead log before it is copied into the database: two syncs in some 200 small
writes.
"""

_MAGIC = b"SQLite format 3\0"
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_WORDS = {
    sqlite3.SQLITE_FULL: "the disk (or the quota) is full; nothing was stored. Free some space "
    "and try again",
    sqlite3.SQLITE_READONLY: "it can't be written: the file, its folder or the disk is read-only",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened; look at the permissions of the file and its "
    "folder",
    sqlite3.SQLITE_PERM: "it can't be opened; look at the permissions of the file and its folder",
    sqlite3.SQLITE_NOTADB: "it is no SQLite database, or it is damaged",
    sqlite3.SQLITE_CORRUPT: "the database is damaged; take the latest backup, or export what can "
    "still be read",
    sqlite3.SQLITE_IOERR: "reading or writing the disk failed",
    sqlite3.SQLITE_TOOBIG: "a text is too long to store; SQLite takes a thousand million bytes at "
    "most",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
}


def path_of(written: str | Path) -> Path:
    """Returns the path in full.

    Raises:
        ConfigError: it can't be a path.
    """
    try:
        if b"\0" not in os.fsencode(written):
            return Path(written).absolute()
    except UnicodeEncodeError:
        pass
    raise ConfigError(
        f"{str(written)!r} can't be a path: it holds a character that no path may hold"
    )


def is_empty_file(path: Path) -> bool:
    """Whether the file is there and empty: a new one, or one that was cut to nothing."""
    with suppress(OSError):
        return path.is_file() and path.stat().st_size == 0
    return False


def prepare_file(path: Path, *, is_open: bool = False) -> bool:
    """Makes an empty file where there is none, readable by its owner alone; returns whether it may
    be written.

    Args:
        is_open: this process has it open already. Then nothing but SQLite opens it: closing it
            would drop all locks of the process on it (so POSIX has it), and the next process to
            close it would take the write-ahead log away.

    Raises:
        ConfigError: the path can't be a database of ours; what is there was left untouched.
        StoreError: a memory lay there and was cut to nothing.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        raise ConfigError(
            f"this Python brings SQLite {sqlite3.sqlite_version}; factbook needs "
            f"{'.'.join(map(str, OLDEST))} or newer"
        )
    try:
        if path.is_dir():
            raise ConfigError(
                f"{path} is a folder; name a file in it, such as {path / 'factbook.db'}"
            )
        if not path.parent.is_dir():
            raise ConfigError(f"the folder {path.parent} does not exist; make it first")
        _refuse_remains(path)
    except OSError as error:
        raise ConfigError(f"{path} can't be opened: {error.strerror}") from None
    if is_open:
        return _is_writable_folder(path.parent) and os.access(path, os.W_OK)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise ConfigError(f"{path} can't be made: {error.strerror}") from None
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except OSError as error:
        raise ConfigError(f"{path} can't be read: {error.strerror}") from None
    if head and head != _MAGIC:
        raise ConfigError(f"{path} is no SQLite database; it was left untouched")
    return _is_writable(path)


def _refuse_remains(path: Path) -> None:
    """Raises StoreError for an empty file beside which a memory's companions lie: SQLite would
    delete the log.
    """
    beside = [path.with_name(path.name + end) for end in ("-wal", ".key")]
    remains = [each.name for each in beside if each.is_file() and each.stat().st_size]
    if remains and is_empty_file(path):
        raise StoreError(
            f"{path} is empty, but {' and '.join(remains)} beside it belong to a memory: it was "
            "cut to nothing. Put a"
            " backup in its place; to begin anew, move all of them away"
        )


def _is_writable(path: Path) -> bool:
    if not _is_writable_folder(path.parent):
        return False
    with suppress(OSError):
        os.close(os.open(path, os.O_RDWR))
        return True
    return False


def _is_writable_folder(folder: Path) -> bool:
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def read_header(path: Path) -> tuple[int, int] | None:
    """(application id, user version) as they stand in a file of ours, read without SQLite so that
    nothing is touched.

    None where SQLite has to be asked: for an empty file, and one beside which a write-ahead log
    lies.
    """
    with path.open("rb") as file:
        head = file.read(72)
    if len(head) < 72 or _has_wal(path):
        return None
    return int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")


def open_connection(
    path: Path, *, write: bool, writable: bool, timeout: float
) -> sqlite3.Connection:
    """A connection that neither makes the file nor begins transactions by itself.

    Where the file is `writable`, one that only reads may still tidy up when it is the last to
    close.
    """
    mode = "rw"
    if not writable:
        mode = "ro" if _is_writable_folder(path.parent) or _has_wal(path) else "ro&immutable=1"
    con = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
    )
    try:
        _set_up(con, write=write)
    except sqlite3.Error:
        con.close()
        raise
    return con


def _set_up(con: sqlite3.Connection, *, write: bool) -> None:
    con.execute("PRAGMA trusted_schema = OFF")
    con.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    if write:
        con.execute("PRAGMA synchronous = FULL")
        con.execute("PRAGMA secure_delete = ON")
        con.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
        con.execute(f"PRAGMA journal_size_limit = {16 * WAL_PAGES * 1024}")
    else:
        con.execute("PRAGMA query_only = ON")
        con.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")


def _has_wal(path: Path) -> bool:
    """Whether another process's write-ahead log lies beside the file: then it is not immutable."""
    wal = path.with_name(path.name + "-wal")
    return wal.exists() and wal.stat().st_size > 0


@contextmanager
def clear_errors(path: Path) -> Generator[None]:
    """Turns SQLite's errors into ours; its own messages name tables, never what is in them."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain_error(path, error) from error
    except UnicodeDecodeError as error:
        raise StoreError(f"{path}: {_WORDS[sqlite3.SQLITE_CORRUPT]}") from error
    except UnicodeEncodeError as error:
        if "surrogates" not in error.reason:
            raise
        raise InputError(
            "a text holds half a surrogate pair, which has no UTF-8 form; nothing was stored"
        ) from error


@contextmanager
def clear_input() -> Generator[None]:
    """Refuses in our words what SQLite has no room for."""
    try:
        yield
    except OverflowError as error:
        raise InputError("a number or a time is too large to store; nothing was stored") from error
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorname != "SQLITE_CONSTRAINT_NOTNULL":
            raise
        raise InputError(
            "a number that is none (NaN) can't be stored; nothing was stored"
        ) from error


def explain_error(path: Path, error: sqlite3.Error) -> FactbookError:
    """Explains an error of SQLite in words that say what to do."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _BUSY:
        return StoreBusyError(f"{path} was held by another process for too long; try again")
    return StoreError(f"{path}: {_WORDS.get(code, f'the database refused ({error})')}")
