"""Commands that write a space to a file and read it back."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated

import typer

from factbook.cli import say
from factbook.cli.options import Db, Json, Space, open_memory
from factbook.errors import ConfigError


def write_export(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Where to; without it, or as -, the output.")
    ] = "-",
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Write a space as JSON lines: what was said, and the whole history of what is known."""
    with open_memory(db, space) as memory:
        if file == "-":
            memory.export(sys.stdout)
            return
        if Path(file).exists() and not force:
            raise ConfigError(f"{file} is there already; --force writes over it")
        lines = memory.export(file)
    if json:
        say.as_json({"file": file, "lines": lines})
    else:
        say.print_line(f"{say.count_noun(lines, 'line')} written to {say.clean_output(file)}.")


def read_import(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="What export wrote; - for the input.")
    ],
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Read an export into a space, with its history: all of it or nothing; again, only what is new
    in it.
    """
    with open_memory(db, space, new=True) as memory:
        source = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8") if file == "-" else Path(file)
        lines = memory.import_(source)
        stats = memory.stats()
    if json:
        say.as_json({"lines": lines, "stats": stats})
    else:
        say.print_line(
            f"{say.count_noun(lines, 'line')} read; the space holds "
            f"{say.count_noun(stats['messages'], 'message')} now."
        )
