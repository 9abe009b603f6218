"""Shell completion of names and kinds, read from the memory that the line names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from factbook.memory.memory import Memory

_LATEST = 2000
"""So many entities are looked at, last seen first: a shell waits for the answer."""


def complete_names(context: typer.Context, incomplete: str) -> list[str]:
    """Returns the names and other names of entities that begin so, last seen first."""
    return _words_beginning(incomplete, context, _known_names)


def complete_kinds(context: typer.Context, incomplete: str) -> list[str]:
    """Returns the kinds that begin so: those of the space, built in or registered."""
    return _words_beginning(incomplete, context, lambda memory: list(memory.kinds()))


def _known_names(memory: Memory) -> list[str]:
    return [name for each in memory.entities(limit=_LATEST) for name in (each.name, *each.aliases)]


def _words_beginning(
    incomplete: str, context: typer.Context, words: Callable[[Memory], list[str]]
) -> list[str]:
    """Returns those of a memory's words that begin so; none where it can't be read, for a shell
    shows no errors.
    """
    from factbook.cli.options import open_memory
    from factbook.errors import FactbookError

    try:
        with open_memory(
            context.params.get("db"), context.params.get("space") or "default", quiet=True
        ) as memory:
            found = words(memory)
    except FactbookError:
        return []
    # As it was begun: typer drops the words that don't go on from there to the letter, and no name
    # depends on its case.
    size = len(incomplete)
    return [
        incomplete + each[size:]
        for each in dict.fromkeys(found)
        if each[:size].casefold() == incomplete.casefold()
    ]
