"""Every store that the contract suite runs over, opened empty and closed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from factbook.ports.store import Store

KINDS = ("ram", "sqlite")


@contextmanager
def opened(kind: str) -> Iterator[Store]:
    """A new, empty store of that kind."""
    if kind == "ram":
        from factbook.store.ram import RamStore

        yield RamStore()
        return
    from factbook.store import open_store

    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "contract.db"))
        try:
            yield store
        finally:
            store.close()
