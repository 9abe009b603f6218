"""A process of its own that opens a file, to be killed while the file is brought up to date:
`child.py DATABASE STEP`.

With STEP 0 it prints how many steps of SQLite's machine the migration took; with another it kills
itself at that step.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from pathlib import Path

from factbook.store import open_store
from factbook.store.sqlite.file import migrating

STEPS_AT_ONCE = 10


def main(database: str, last: int) -> None:
    """Opens the store, and counts what the migration does."""
    done, migrate = 0, migrating.migrate_file

    def count() -> int:
        nonlocal done
        done += STEPS_AT_ONCE
        if last and done >= last:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def counted(con: sqlite3.Connection, path: Path) -> None:
        con.set_progress_handler(count, STEPS_AT_ONCE)
        print("migrating", flush=True)
        migrate(con, path)
        con.set_progress_handler(None, 0)

    migrating.migrate_file = counted
    open_store(database).close()
    print(done, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
