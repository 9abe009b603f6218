"""The SQLite store."""

from factbook.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
