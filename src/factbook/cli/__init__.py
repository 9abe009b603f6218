"""The command line. Importing this room loads nothing; `main` loads what the command needs.

Its modules are groups of commands, as `--help` shows them, and three that all of them use: `options`,
`say` (printing) and `feeding` (files to messages).
"""

from __future__ import annotations

import io
import os
import sys


def main() -> None:
    """Runs the command that `sys.argv` names, and exits: 0 if it did it, 1 with one sentence if
    not, 2 for a wrong call.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                errors="replace"
            )  # a terminal in another encoding shows "?" rather than failing
    from factbook.cli.app import app

    try:
        app()
    except Exception as error:
        if os.environ.get("FACTBOOK_DEBUG"):
            raise
        # Its words may hold what was said, which has no place in a log; its type can't.
        print(
            f"factbook failed: {type(error).__name__}. This is a defect; FACTBOOK_DEBUG=1 shows "
            "where it is.",
            file=sys.stderr,
        )
        sys.exit(1)
