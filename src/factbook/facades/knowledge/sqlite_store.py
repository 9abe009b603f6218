"""Knowledge as the notes of a space: searched by words and meaning, with history and undo."""

from __future__ import annotations

import builtins
import json
import math
import weakref
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

from factbook.facades.knowledge.knowledge_entry import KnowledgeEntry, Pruned, check_entry
from factbook.learn.clock import Clock, utc_now
from factbook.memory.memory import Memory
from factbook.model.record import Note
from factbook.model.source import Source
from factbook.ports.models import Embedder
from factbook.text.argument_checks import in_utc
from factbook.text.kind_names import snake_case

AT_ONCE = 1000
"""So many entries are written in one commit."""

_ENTRY = "knowledge_entry"
"""The name, among a note's metadata, of what a note has no place for."""
_DAY = timedelta(days=1)


class SQLiteKnowledgeStore:
    """The notes of a factbook space, as entries: what one side writes, the other reads.

    What is deleted or pruned can be brought back by `memory.undo`; `memory.forget(ids=[…])` erases
    it for good.
    """

    def __init__(
        self,
        db_path: str | Path | Memory = "knowledge.db",
        *,
        space: str | None = None,
        embedder: str | Embedder = "auto",
        clock: Clock = utc_now,
    ) -> None:
        """Opens the file, or takes a memory that is open.

        Args:
            db_path: a path or URL as in `Memory.open`, or a `Memory` bound to a space (whose clock
                and embedder count).
            space: another space than `default`, or than the memory's own.
            embedder, clock: as in `Memory.open`.

        Raises:
            ConfigError, StoreError: it can't be opened; what is there is untouched.
        """
        if isinstance(db_path, Memory):
            self.memory = db_path if space is None else db_path.within(space)
            """The memory behind it, bound to the space."""
            self._closer = None
        else:
            opened = Memory.open(
                db_path, extractor="none", embedder=embedder, background=False, clock=clock
            )
            self._closer = weakref.finalize(self, opened.close)
            self.memory = opened if space is None else opened.within(space)

    def __repr__(self) -> str:
        return f"SQLiteKnowledgeStore({self.memory!r})"

    def close(self) -> None:
        """Closes the file, if this store opened it."""
        if self._closer is not None:
            self._closer()

    def now(self) -> datetime:
        """The present moment, by the memory's clock."""
        return self.memory.now()

    # --- one entry --------------------------------------------------------------------------------

    def save(self, entry: KnowledgeEntry) -> str:
        """Keeps an entry, in place of one with its id, and returns the id when it is durable.

        Raises:
            InputError: a part of it can't be kept. StoreBusyError, StoreError: nothing was written.
        """
        return self.save_many([entry])[0]

    def save_many(self, entries: Iterable[KnowledgeEntry]) -> builtins.list[str]:
        """Like `save` for several at once, a thousand a commit."""
        given = [check_entry(entry) for entry in entries]
        for start in range(0, len(given), AT_ONCE):
            some = given[start : start + AT_ONCE]
            known = self.memory.get_notes([entry.id for entry in some])
            self.memory.put_notes([_to_note(entry, known.get(entry.id)) for entry in some])
        return [entry.id for entry in given]

    def get(self, entry_id: str) -> KnowledgeEntry | None:
        """The entry of that id, expired or not."""
        found = self.memory.get_notes([entry_id])
        return _to_entry(found[entry_id]) if found else None

    def delete(self, entry_id: str) -> bool:
        """Takes an entry out; False if there was none."""
        return bool(self.delete_many([entry_id]))

    def delete_many(self, entry_ids: Iterable[str]) -> builtins.list[KnowledgeEntry]:
        """Takes entries out in one commit; returns those that were there."""
        gone, _ = self.memory.drop_notes(entry_ids)
        return [_to_entry(note) for note in gone]

    # --- many -------------------------------------------------------------------------------------

    def query(
        self,
        category: str | None = None,
        min_importance: float = 0.0,
        since: datetime | None = None,
        limit: int = 50,
    ) -> builtins.list[KnowledgeEntry]:
        """Entries that have not expired, the most important first, of these the latest."""
        found = self.memory.notes(
            categories=_categories_of(category),
            min_importance=min_importance,
            since=in_utc(since, "since"),
            order="importance",
            limit=limit,
        )
        return [_to_entry(note) for note in found]

    def leading(self, limit: int) -> builtins.list[KnowledgeEntry]:
        """So many that have not expired: persistent ones first, then the most important, of these
        the latest.
        """
        found = self.memory.notes(persistent=True, order="importance", limit=limit)
        found += self.memory.notes(persistent=False, order="importance", limit=limit - len(found))
        return [_to_entry(note) for note in found]

    def list(
        self, category: str | None = None, limit: int | None = None
    ) -> builtins.list[KnowledgeEntry]:
        """Entries that have not expired, the latest first; all of them without a limit."""
        return [
            _to_entry(note)
            for note in self.memory.notes(categories=_categories_of(category), limit=limit)
        ]

    def search(
        self, query: str, category: str | None = None, limit: int = 5
    ) -> builtins.list[KnowledgeEntry]:
        """The entries that match best, over all of them, by words, names, and where an embedder is
        installed by meaning; without a query the most important.
        """
        return [
            _to_entry(note)
            for note in self.memory.search_notes(
                query, categories=_categories_of(category), limit=limit
            )
        ]

    def categories(self) -> dict[str, int]:
        """Counts the entries of each category, by name in snake_case; without expired ones."""
        return self.memory.note_categories()

    def count(self) -> int:
        """Counts the entries, expired ones too."""
        return self.memory.stats()["notes"]

    def prune(self, max_age_days: float | None = None, min_importance: float = 0.0) -> Pruned:
        """Takes out what expired, is older or less important, but nothing persistent; says what it
        took.
        """
        oldest = None if max_age_days is None else timedelta(days=max_age_days)
        gone, _ = self.memory.prune_notes(max_age=oldest, min_importance=min_importance)
        return Pruned(_to_entry(note) for note in gone)


def _categories_of(category: str | None) -> tuple[str, ...]:
    return () if category is None else (category,)


def _to_note(entry: KnowledgeEntry, known: Note | None) -> Note:
    """The entry as a note; what it doesn't say stays as it is known."""
    metadata = {
        name: value
        for name, value in entry.metadata.items()
        if isinstance(value, str) and name != _ENTRY
    }
    rest: dict[str, Any] = {}
    if typed := {name: value for name, value in entry.metadata.items() if name not in metadata}:
        rest["metadata"] = typed
    if entry.updated_at != entry.created_at:
        rest["updated_at"] = entry.updated_at.isoformat()
    if snake_case(entry.category) != entry.category:
        rest["category"] = entry.category
    if isinstance(entry.ttl_days, float):
        rest["ttl_days"] = entry.ttl_days
    if rest:
        metadata[_ENTRY] = json.dumps(rest, ensure_ascii=False)
    expires = entry.expires_at
    if known is not None and (entry.created_at, entry.ttl_days) == (
        known.created_at,
        _to_entry(known).ttl_days,
    ):
        expires = known.expires_at
    return Note(
        id=entry.id,
        text=entry.content,
        category=entry.category,
        importance=entry.importance,
        persistent=entry.persistent,
        created_at=entry.created_at,
        expires_at=expires,
        entity_ids=known.entity_ids if known is not None and known.text == entry.content else (),
        metadata=metadata,
        source=known.source
        if known is not None
        else Source(standing="note", said_at=entry.created_at),
    )


def _to_entry(note: Note) -> KnowledgeEntry:
    """The note as an entry; a part of a day until its expiry counts as a day."""
    metadata: dict[str, Any] = dict(note.metadata)
    rest = _read_rest(metadata.pop(_ENTRY, ""))
    typed = rest.get("metadata")
    if isinstance(typed, dict):
        metadata.update(cast(dict[str, Any], typed))
    ttl: float | None = None
    if note.expires_at is not None:
        ttl = rest.get("ttl_days") or math.ceil((note.expires_at - note.created_at) / _DAY)
    updated = rest.get("updated_at")
    return KnowledgeEntry(
        id=note.id,
        content=note.text,
        category=rest.get("category", note.category),
        importance=note.importance,
        persistent=note.persistent,
        ttl_days=ttl,
        created_at=note.created_at,
        updated_at=datetime.fromisoformat(updated) if updated else note.created_at,
        metadata=metadata,
    )


def _read_rest(text: str) -> Mapping[str, Any]:
    try:
        held: object = json.loads(text) if text else {}
    except ValueError:
        return {}
    return cast(Mapping[str, Any], held) if isinstance(held, dict) else {}
