"""What a store of knowledge can do, and how one that can't search is searched."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, cast, runtime_checkable

from factbook.facades.knowledge.knowledge_entry import KnowledgeEntry
from factbook.text.index_words import fold_text
from factbook.text.kind_names import snake_case

EVERY = 2**31 - 1
"""A limit that is none, for stores whose limit is a number."""


@runtime_checkable
class SearchlessStore(Protocol):
    """The least that a store does: what those of other libraries have."""

    def save(self, entry: KnowledgeEntry) -> str:
        """Keeps an entry, in place of one with its id; returns the id."""
        ...

    def get(self, entry_id: str) -> KnowledgeEntry | None:
        """The entry of that id, expired or not."""
        ...

    def query(
        self,
        category: str | None = None,
        min_importance: float = 0.0,
        since: datetime | None = None,
        limit: int = 50,
    ) -> list[KnowledgeEntry]:
        """Entries that have not expired, the most important first."""
        ...

    def delete(self, entry_id: str) -> bool:
        """Takes an entry out; False if there was none."""
        ...

    def count(self) -> int:
        """Counts the entries, expired ones too."""
        ...

    def prune(self, max_age_days: int | None = None, min_importance: float = 0.0) -> int:
        """Takes out what expired, is too old or too unimportant, but nothing persistent; returns
        how many.
        """
        ...


@runtime_checkable
class KnowledgeStore(SearchlessStore, Protocol):
    """A store of knowledge with a search over all of it."""

    def search(
        self, query: str, category: str | None = None, limit: int = 5
    ) -> builtins.list[KnowledgeEntry]:
        """The entries that match best, best first; without a query the most important. Expired ones
        are left out.
        """
        ...

    def list(
        self, category: str | None = None, limit: int | None = None
    ) -> builtins.list[KnowledgeEntry]:
        """Entries that have not expired, the latest first; all of them without a limit."""
        ...


class KnowledgeBackend(Protocol):
    """Keeps one blob: the directory of a `KnowledgeMemory` whose machine forgets its disk."""

    def load_bytes(self) -> bytes | None:
        """Returns the blob saved last; None for none."""
        ...

    def save_bytes(self, data: bytes) -> None:
        """Keeps this in place of what was there."""
        ...


def same_category(left: str, right: str) -> bool:
    """Whether two categories are one: case, spaces and signs between the words don't matter."""
    return left == right or (snake_case(left) or left) == (snake_case(right) or right)


def all_of(store: SearchlessStore, category: str | None = None) -> list[KnowledgeEntry]:
    """All entries of any store: what `query` gives without a limit, or `list` where there is no
    `query`.
    """
    query = getattr(store, "query", None)
    found = store.query(limit=EVERY) if callable(query) else cast(KnowledgeStore, store).list()
    return [entry for entry in found if category is None or same_category(entry.category, category)]


def search_in(
    store: SearchlessStore, query: str, category: str | None, limit: int
) -> list[KnowledgeEntry]:
    """Searches any store: by its own `search`, or else what it lists for the query and its words as
    parts of the text.

    Those that hold the whole query come first, then by how many of its words they hold, then the
    more important.
    """
    if callable(getattr(store, "search", None)):
        return cast(KnowledgeStore, store).search(query, category=category, limit=limit)
    return match_entries(all_of(store, category), query)[: max(limit, 0)]


def match_entries(entries: Sequence[KnowledgeEntry], query: str) -> list[KnowledgeEntry]:
    """The entries whose text holds the query or one of its words as a part, best first; all of them
    for no query.
    """
    whole = fold_text(query).strip()
    parts = whole.split()
    scored: list[tuple[bool, int, float, int]] = []
    for place, entry in enumerate(entries):
        text = f"{entry.category} {entry.content}"
        text = text.lower() if text.isascii() and "'" not in text else fold_text(text)
        held = sum(part in text for part in parts)
        if held or not parts:
            scored.append((whole in text, held, entry.importance, -place))
    return [entries[-place] for *_, place in sorted(scored, reverse=True)]
