"""Stores: SQLite, RAM, and opening one by its URL."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import cast

from factbook.errors import ConfigError
from factbook.ports.store import Store

__all__ = ["open_store"]

PLUGINS = "factbook.stores"
"""The entry-point group of stores from other packages: a URL's scheme as the name, a callable that
takes the URL.
"""


def open_store(url: str) -> Store:
    """Opens a store: `factbook.db`, `sqlite:///relative.db`, `sqlite:////absolute.db`, `ram:`, or a
    plug-in's URL.

    Raises:
        ConfigError: the URL or what it names is wrong. StoreError: it can't be opened; it was left
            untouched.
    """
    scheme, separator, rest = url.partition(":")
    if not separator or len(scheme) < 2:  # a path, perhaps with a drive's letter
        return _open_sqlite(url)
    if scheme == "ram":
        from factbook.store.ram import RamStore

        return RamStore()
    if scheme == "sqlite":
        if not rest.startswith("///") or len(rest) == 3:
            raise ConfigError(
                f"{url} names no file; write sqlite:///relative/path.db or "
                "sqlite:////absolute/path.db"
            )
        return _open_sqlite(rest[3:])
    return _plugin(scheme)(url)


def _open_sqlite(path: str) -> Store:
    from factbook.store.sqlite import SqliteStore

    if not path or path == ":memory:":
        raise ConfigError("a store needs a file; for one that is not kept, write ram:")
    return SqliteStore(path)


def _plugin(scheme: str) -> Callable[[str], Store]:
    found = {point.name: point for point in entry_points(group=PLUGINS)}
    if scheme not in found:
        known = ", ".join(sorted({"sqlite", "ram", *found}))
        raise ConfigError(
            f"no store is known for {scheme}: (there are {known}); a path needs no scheme"
        )
    return cast(Callable[[str], Store], found[scheme].load())
