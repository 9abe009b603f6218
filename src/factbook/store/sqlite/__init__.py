"""The SQLite store: each folder is one idea, and `store` puts them together."""

from factbook.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
