"""Whether the file that is open is the one that the path names: who deletes or replaces it, SQLite
doesn't notice.

It would go on writing into a file without a name, or into a write-ahead log that nobody else reads.
Files are told apart by device and inode, which costs some microseconds.
"""

from __future__ import annotations

from pathlib import Path

from factbook.errors import StoreError

Identity = tuple[int, int]


class Place:
    """A database's path, and which files lay there.

    Args:
        path: of a file that is there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database = _identity(path)
        self._companions: dict[Path, Identity | None] = {}

    def holds(self, path: Path) -> bool:
        """Whether the path names the same file, under whatever name."""
        return self._database is not None and _identity(path) == self._database

    def meet_companions(self) -> None:
        """Keeps which write-ahead log and index belong to a connection that has just begun to
        write.
        """
        if not self._companions:
            names = (f"{self._path.name}-wal", f"{self._path.name}-shm")
            self._companions = {file: _identity(file) for file in map(self._path.with_name, names)}

    def leave_companions(self) -> None:
        """Forgets them: the connection is closed, and the last to close takes them away."""
        self._companions = {}

    def check(self, *, acknowledges: bool = False) -> None:
        """Compares; where it `acknowledges`, what was written since the last time may be lost.

        Raises:
            StoreError: another file lies there, or none.
        """
        if _identity(self._path) != self._database:
            raise StoreError(
                f"{self._path} was deleted, moved or replaced while it was open; "
                f"{_lost(acknowledges)}"
            )
        for file, known in self._companions.items():
            if known is not None and _identity(file) != known:
                raise StoreError(
                    f"{file} was deleted or replaced while {self._path.name} was open, and what "
                    "was written lately may be"
                    f" lost with it; {_lost(acknowledges)}"
                )


def _lost(acknowledges: bool) -> str:
    first = "take it that nothing was stored" if acknowledges else "nothing was read or stored"
    return f"{first}. Put the file back, or close the memory and open it anew"


def _identity(path: Path) -> Identity | None:
    """Device and inode; None where nothing is."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
