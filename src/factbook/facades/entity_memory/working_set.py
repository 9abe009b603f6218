"""What an `EntityMemory` holds, and how it stands to the space behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from factbook.errors import AmbiguousError
from factbook.facades.entity_memory.backing import Backing
from factbook.facades.entity_memory.registry import Registry, Row
from factbook.facades.entity_memory.relevance import Relevance
from factbook.model.draft import Dropped
from factbook.model.entity import Entity
from factbook.text.names import fold

_TAKES_AWAY = frozenset({"forget", "undo", "merge", "unmerge", "review"})
"""Verbs of the space after which what is held here may stand there no longer, or as another."""


class WorkingSet:
    """The tracked entities, their words, and the space that they are written to. Its owner locks.

    What is tracked stands in the space first: nothing is here that would be lost by its eviction,
    but for what is reported.
    """

    def __init__(self, most: int, backing: Backing | None) -> None:
        self.most = most
        self.backing = backing
        self.registry = Registry()
        self.relevance = Relevance()
        self.dropped: tuple[Dropped, ...] = ()
        self._turn = 0

    def update_entities(self, entities: Iterable[Entity], now: datetime) -> None:
        """Merges the entities of one update, then evicts what is too much."""
        self._turn += 1
        try:
            for entity in entities:
                self._take_entity(entity, now)
        finally:
            self._evict_oldest()

    def begin_with(self, registry: Registry) -> None:
        """Tracks these instead."""
        self.registry = registry
        self.relevance = Relevance()
        for row in registry.rows.values():
            self.relevance.mark_row(row)
            self._turn = max(self._turn, row.turn)
        self._evict_oldest()

    def find_entity(self, name: str) -> Entity | None:
        """The tracked entity of that name or alias, else the space's."""
        row = self.registry.find_row(name)
        if row is not None:
            return row.to_entity()
        found = self.backing.find_named(name) if self.backing else []
        return found[0] if found else None

    def rank_rows(self, query: str, now: datetime) -> list[Row]:
        """Returns the entities that the query is about, best first: tracked, or in the space alone.
        The latter stay untracked.
        """
        tracked = {row.id for row in self.registry.rows.values()}
        found = self.backing.find_about(query) if self.backing else []
        others = [
            Row.of_entity(
                each,
                mentions=each.mentions,
                first_seen=each.first_seen or now,
                last_seen=each.last_seen or now,
                turn=0,
            )
            for each in found
            if each.id not in tracked and fold(each.name) not in self.registry.rows
        ]
        return self.relevance.rank_rows(self.registry, query, now, others)

    def stay_true(self) -> bool:
        """Lets go of what was forgotten or undone in the space; whether anything was forgotten
        since the last call.
        """
        done = self.backing.done_since() if self.backing else set[str]()
        forgot = "forget" in done
        if done & _TAKES_AWAY:
            self.refresh_rows(unsaved=not forgot)
        if forgot:
            self.dropped = ()
        return forgot

    def refresh_rows(self, *, unsaved: bool = False) -> None:
        """Every row as the space has it now. What the space has no longer goes; so does, unless
        wished otherwise, what it never had: nobody could say whether that was meant.
        """
        assert self.backing is not None
        standing = self.backing.read_standing(
            [row.id for row in self.registry.rows.values() if row.id]
        )
        registry = Registry()
        for row in self.registry.rows.values():
            if entity := standing.get(row.id):
                back = Row.of_entity(
                    entity,
                    mentions=row.mentions,
                    first_seen=row.first_seen,
                    last_seen=row.last_seen,
                    turn=row.turn,
                )
                back.entity_type = row.entity_type
                registry.bring_row(back)
            elif unsaved and not row.id:
                registry.bring_row(row)
        self.begin_with(registry)

    def restore_rows(self) -> None:
        """The working set of the session, as `save` left it."""
        registry = Registry()
        for saved, entity in self.backing.read_saved() if self.backing else ():
            registry.bring_row(
                Row.of_entity(
                    entity,
                    mentions=saved.mentions,
                    first_seen=saved.first_seen,
                    last_seen=saved.last_seen,
                    turn=saved.turn,
                )
            )
        self.begin_with(registry)

    def save_rows(self) -> None:
        """Keeps the working set with its session in the space."""
        assert self.backing is not None
        for row in self.registry.rows.values():
            self._keep_row(row)
        self.backing.save_rows(list(self.registry.rows.values()))

    def report_dropped(self, reason: str, what: str) -> None:
        """Says that something was not taken."""
        self.dropped = (*self.dropped, Dropped(reason=reason, what=what))

    def _take_entity(self, entity: Entity, now: datetime) -> None:
        row = self.registry.match_row(entity)
        if self.backing is not None:
            row, entity = self._put_entity(self.backing, row, entity, now)
        if row is None:
            row = self.registry.add_entity(entity, now, self._turn)
        else:
            self.registry.merge_entity(row, entity, now, self._turn)
        self.relevance.mark_row(row)

    def _put_entity(
        self, backing: Backing, row: Row | None, entity: Entity, now: datetime
    ) -> tuple[Row | None, Entity]:
        """Writes an entity to the space: the row that it belongs to, brought back if it was
        evicted, and the entity with its id. One that may be several of the space's stays here
        alone.
        """
        if row is not None:
            self._keep_row(row)
            if row.id:
                row.id = backing.upsert(replace(entity, id=row.id))
            return row, entity
        try:
            stored = backing.find_meant(entity)
            key = backing.upsert(replace(entity, id=stored.id if stored else ""))
        except AmbiguousError:
            self.report_dropped("ambiguous", entity.name)
            return None, replace(entity, id="")
        if stored is None:
            return None, replace(entity, id=key)
        if tracked := self.registry.rows.get(fold(stored.name)):
            self._keep_row(tracked)
            return (tracked, entity) if tracked.id == key else (None, replace(entity, id=key))
        first = stored.first_seen or now
        back = Row.of_entity(
            stored, mentions=stored.mentions, first_seen=first, last_seen=now, turn=self._turn
        )
        return self.registry.add_row(back), entity

    def _keep_row(self, row: Row) -> None:
        """Writes a row that the space doesn't have yet."""
        if self.backing is None or row.id:
            return
        try:
            stored = self.backing.find_meant(row.to_entity())
            row.id = self.backing.upsert(replace(row.to_entity(), id=stored.id if stored else ""))
        except AmbiguousError:
            self.report_dropped("ambiguous", row.name)

    def _evict_oldest(self) -> None:
        while len(self.registry) > self.most:
            row = self.registry.oldest_row()
            self._keep_row(row)
            self.registry.remove_row(row)
            self.relevance.drop_row(row)
