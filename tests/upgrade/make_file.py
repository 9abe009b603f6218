"""Makes the file of a release, and a record of what it says: `python -m tests.upgrade.make_file
NAME`.

It is run once, before a release's successor is begun, with that release's sources on the path, and
from then on `test_upgrade.py` opens the file with each later version. What it wrote is committed
and never made again.
"""

from __future__ import annotations

import json
import lzma
import sys
import tempfile
from pathlib import Path

from tests.upgrade import history, telling

FILES = Path(__file__).with_name("files")
LATER = history.START.replace(year=history.START.year + 1)
"""When the file is opened again: what expires has expired by then."""


def main(name: str) -> None:
    """Writes `files/NAME`: the database and its key, and what it says as it is and after
    undoing.
    """
    folder = FILES / name
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        database = Path(temporary) / "memory.db"
        history.make(database)
        (folder / "memory.db.xz").write_bytes(lzma.compress(database.read_bytes(), preset=9))
        (folder / "memory.db.key").write_bytes(database.with_name("memory.db.key").read_bytes())
        with history.opened(database, history.Ticks(LATER), prefix="new") as memory:
            said = {
                "as it is": telling.told(memory),
                "after undoing": telling.after_undoing(memory),
            }
    (folder / "said.json").write_text(
        json.dumps(said, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8"
    )


def unpacked(name: str, folder: Path) -> Path:
    """A copy of the release's file, with its key beside it."""
    database = folder / "memory.db"
    database.write_bytes(lzma.decompress((FILES / name / "memory.db.xz").read_bytes()))
    database.with_name("memory.db.key").write_bytes((FILES / name / "memory.db.key").read_bytes())
    return database


if __name__ == "__main__":
    main(sys.argv[1])
