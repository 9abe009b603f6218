"""How often `remember` syncs to the disk: counted by strace over many calls, the database's opening
apart.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.report import Bar, Table, report

CALLS = 3
"""The column of strace's summary: % time, seconds, usecs/call, calls."""
CHILD = """
import sys
from factbook import Memory
memory = Memory.open(sys.argv[1], extractor="none", embedder="none", background=False)
for number in range(int(sys.argv[2])):
    memory.remember(f"message {number} of Ada about the Atlas migration, a sentence of an ordinary length")
"""


def syncs(database: Path, messages: int) -> int:
    """fsync and fdatasync calls of a process that remembers so many messages, one a call."""
    command = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync", sys.executable, "-c", CHILD]
    ran = subprocess.run(
        [*command, str(database), str(messages)], capture_output=True, text=True, check=True
    )
    rows = [line.split() for line in ran.stderr.splitlines()]
    return sum(int(row[CALLS]) for row in rows if row and row[-1] in ("fsync", "fdatasync"))


def main(argv: list[str]) -> int:
    """Prints the figure; its bar is 2 a call."""
    parser = argparse.ArgumentParser(prog="python -m bench durability", description=__doc__)
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    if shutil.which("strace") is None:
        raise SystemExit("strace is not installed; on Debian and Ubuntu: apt-get install strace")
    with tempfile.TemporaryDirectory() as folder:
        idle = syncs(Path(folder) / "idle.db", 0)
        busy = syncs(Path(folder) / "busy.db", args.messages)
    each = (busy - idle) / args.messages
    table = Table(
        title="durability of remember",
        columns=("messages", "syncs", "of opening", "syncs a message"),
    )
    table.add(args.messages, busy, idle, each)
    bars = [
        Bar(name="syncs a message", value=each, limit=1.0, sign="≥"),
        Bar(name="syncs a message", value=each, limit=2.0, sign="≤"),
    ]
    return report([table], bars, as_json=args.json)
