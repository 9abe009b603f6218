"""A file of lines that several processes and threads write: appended under a lock, or written anew
and renamed.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
import weakref
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from factbook.errors import ConfigError, StoreBusyError, StoreError

BUSY_SECONDS = 30.0
"""How long another process's lock is waited for."""
_FIRST_WAIT, _LONGEST_WAIT = 0.001, 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class News:
    """Lines that were read: the whole file, or those appended since."""

    whole: bool
    data: bytes


class LinesFile:
    """One file, and beside it the file whose lock says who may write.

    The file last read is kept open, so that its number can't become another file's: a file that was
    written anew is always told from one that grew.
    """

    def __init__(self, path: Path, *, timeout: float = BUSY_SECONDS) -> None:
        self.path = Path(os.path.realpath(path))
        self._lock_path = self.path.with_name(self.path.name + ".lock")
        self._aside = self.path.with_name(
            f"{self.path.name}.tmp"
        )  # only who holds the lock writes it
        self._timeout = timeout
        self._handle = _Handle()
        self._size = 0
        self._changed_at = -1
        self._last = b""
        if self.path.is_dir():
            raise ConfigError(f"{self.path} is a folder; a file of entries was expected there")

    @contextmanager
    def hold_lock(self, *, write: bool) -> Generator[None]:
        """Holds the lock: alone to write, beside other readers to read.

        Raises:
            StoreBusyError: another process held it for too long. StoreError: the lock can't be
                made.
        """
        with self._clear_errors("locked"):
            handle = os.open(self._lock_path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            with self._clear_errors("locked"):
                self._acquire_lock(handle, fcntl.LOCK_EX if write else fcntl.LOCK_SH)
                if write:
                    self._aside.unlink(
                        missing_ok=True
                    )  # of a process that was killed while it wrote
            yield
        finally:
            os.close(handle)

    def _acquire_lock(self, handle: int, sort: int) -> None:
        until, wait = time.monotonic() + self._timeout, _FIRST_WAIT
        while True:
            try:
                fcntl.flock(handle, sort | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise StoreBusyError(
                        f"{self.path} is locked by another process for too long; try again"
                    ) from None
                time.sleep(wait)
                wait = min(wait * 2, _LONGEST_WAIT)
            else:
                return

    def is_unchanged(self) -> bool:
        """Whether the file is as it was read last; needs no lock."""
        try:
            with self._clear_errors("read"):
                found = self.path.stat()
        except FileNotFoundError:
            return self._handle.number == -1 and not self._changed_at
        return (found.st_ino, found.st_size, found.st_mtime_ns) == (
            self._handle.number,
            self._size,
            self._changed_at,
        )

    def forget_place(self) -> None:
        """The next news are the whole file."""
        self._handle.put_handle(-1)
        self._changed_at = -1

    @property
    def ends_a_line(self) -> bool:
        """Whether what was read last ends with a line's end, or is empty."""
        return not self._last or self._last.endswith(b"\n")

    def read_news(self) -> News:
        """Reads the lines that are new since the last reading. Only under the lock."""
        try:
            with self._clear_errors("read"):
                handle = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            self._handle.put_handle(-1)
            self._size, self._changed_at, self._last = 0, 0, b""
            return News(whole=True, data=b"")
        found = os.fstat(handle)
        grew = (
            found.st_ino == self._handle.number
            and found.st_size > self._size
            and self._ends_alike(handle)
        )
        self._handle.put_handle(handle, found.st_ino)
        start = self._size if grew else 0
        data = _read_from(handle, start)
        if grew and not self.ends_a_line and not data.startswith(b"\n"):
            start, grew = 0, False  # the line that had no end went on
            data = _read_from(handle, 0)
        self._remember_place(found.st_mtime_ns, start + len(data), data)
        return News(whole=not grew, data=data)

    def append_data(self, data: bytes) -> None:
        """Writes at the end, and returns when it is durable. Only under the lock, and after the
        news were read.

        Raises:
            StoreError: it can't be written; the file is as it was.
        """
        with self._clear_errors("written"):
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            size = os.fstat(handle).st_size
            try:
                _write_all(handle, data)
                os.fsync(handle)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(handle, size)
                os.close(handle)
                raise
            found = os.fstat(handle)
            self._handle.put_handle(handle, found.st_ino)
            self._remember_place(found.st_mtime_ns, found.st_size, data)

    def read_contents(self) -> bytes:
        """The whole file. Only under the lock."""
        with self._clear_errors("read"):
            return self.path.read_bytes() if self.path.exists() else b""

    def rewrite_file(self, data: bytes) -> None:
        """Puts a new file in the place of the old one. Only under the lock.

        Raises:
            StoreError: it can't be written; the file is as it was.
        """
        new = self._aside
        with self._clear_errors("written"):
            mode = self.path.stat().st_mode & 0o777 if self.path.exists() else 0o600
            handle = os.open(new, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
            try:
                _write_all(handle, data)
                os.fsync(handle)
                new.replace(self.path)
            except OSError:
                os.close(handle)
                with suppress(OSError):
                    new.unlink()
                raise
            _sync_folder(self.path.parent)
            found = os.fstat(handle)
            self._handle.put_handle(handle, found.st_ino)
            self._remember_place(found.st_mtime_ns, found.st_size, data)

    def _remember_place(self, changed_at: int, size: int, data: bytes) -> None:
        self._changed_at, self._size = changed_at, size
        if data or not size:
            self._last = data[data.rfind(b"\n", 0, -1) + 1 :]

    def _ends_alike(self, handle: int) -> bool:
        """Whether the last line that was read still stands where it stood."""
        return os.pread(handle, len(self._last), self._size - len(self._last)) == self._last

    @contextmanager
    def _clear_errors(self, done: str) -> Generator[None]:
        """Says what went wrong in a sentence; that there is no file is left to the caller."""
        try:
            yield
        except FileNotFoundError:
            if self.path.parent.is_dir():
                raise
            raise StoreError(
                f"the folder {self.path.parent} is gone; make it again, or open the store anew"
            ) from None
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            why = "the disk (or the quota) is full" if full else os.strerror(error.errno or 0)
            raise StoreError(f"{self.path} can't be {done}: {why}; it is as it was") from None


class _Handle:
    """An open file that is closed when another takes its place, and at the end."""

    def __init__(self) -> None:
        self._held = [-1]
        self.number = -1
        weakref.finalize(self, _close_handles, self._held)

    def put_handle(self, handle: int, number: int = -1) -> None:
        _close_handles(self._held)
        self._held[0] = handle
        self.number = number


def _close_handles(held: list[int]) -> None:
    if held[0] >= 0:
        os.close(held[0])
        held[0] = -1


def _read_from(handle: int, start: int) -> bytes:
    parts: list[bytes] = []
    while part := os.pread(handle, 1 << 20, start):
        parts.append(part)
        start += len(part)
    return b"".join(parts)


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def split_lines(data: bytes) -> list[bytes]:
    """Returns the lines with their ends; only a line feed ends one."""
    parts = data.split(b"\n")
    out = [part + b"\n" for part in parts[:-1]]
    return [*out, parts[-1]] if parts[-1] else out
