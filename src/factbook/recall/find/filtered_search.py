"""Searches of the store under a filter, also for a time of the world (what had not begun then is
left out), and for what is verified (what is disputed is left out).

A store filters lines by when they end, not by when they begin. For `as_of`, what was said is
limited by its time, and facts and relations are asked for more broadly and looked at row by row. So
they are for conflicts, which are no part of a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from factbook.model.line import LINE_KINDS, Hit, LineFilter, LineKind
from factbook.model.record import EntityRecord, Fact, Relation
from factbook.recall.find.known_rows import read_rows
from factbook.recall.request import RecallRequest

_R = TypeVar("_R", Fact, Relation, EntityRecord)

_END = datetime.max.replace(tzinfo=UTC)
MORE = 3
"""How many times as many statements are asked for where some may not have begun, or may be
disputed.
"""
_SAID: tuple[LineKind, ...] = ("message", "note", "observation")


@dataclass(frozen=True, kw_only=True, slots=True)
class FilteredSearch:
    """The searches of one request in one space."""

    request: RecallRequest

    def words(
        self, words: Sequence[str], *, limit: int, kinds: Sequence[LineKind] = LINE_KINDS
    ) -> list[int]:
        """Numbers of lines of these kinds with any of these words, as `Snapshot.find_words`."""
        return _both(
            self.request.snapshot.find_words(self.request.space, words, where, limit=limit * more)
            for where, more in self._ways(kinds)
        )

    def vector(self, model: str, vector: bytes, *, limit: int) -> list[int]:
        """Numbers of the nearest lines."""
        return _both(
            self.request.snapshot.find_vector(
                self.request.space, model, vector, where, limit=limit * more
            )
            for where, more in self._ways()
        )

    def of_entities(
        self, ids: Sequence[str], kinds: Iterable[LineKind], *, limit: int
    ) -> list[int]:
        """Numbers of the latest lines of these kinds about these ids, per id at most `limit`."""
        return _both(
            self.request.snapshot.find_entity_lines(
                self.request.space, ids, where, limit=limit * more
            )
            for where, more in self._ways(tuple(kinds))
        )

    def around(self, numbers: Sequence[int], *, radius: int) -> list[int]:
        """Numbers of the messages near these."""
        return _both(
            self.request.snapshot.find_around(self.request.space, numbers, where, radius=radius)
            for where, _ in self._ways(("message",))
        )

    def held(self, hits: list[Hit]) -> list[Hit]:
        """The hits without what had not begun by `as_of`, and of what is to be verified without
        what is disputed.
        """
        if self.request.where.verified:
            disputed = self._disputed(hits)
            hits = [hit for hit in hits if hit.kind in _SAID or hit.id not in disputed]
        at = self.request.where.as_of
        if at is None:
            return hits
        late = {row.id for row in _rows(self.request, Fact, "fact", hits) if row.begins_after(at)}
        late |= {
            row.id
            for row in _rows(self.request, Relation, "relation", hits)
            if row.begins_after(at)
        }
        late |= {
            row.id
            for row in _rows(self.request, EntityRecord, "entity", hits)
            if not row.was_known_at(at)
        }
        return [hit for hit in hits if hit.kind in _SAID or hit.id not in late]

    def _disputed(self, hits: Sequence[Hit]) -> set[str]:
        """Ids of the facts and relations to which something contradicts, said wherever in the
        filter's projects.
        """
        ids: dict[LineKind, list[str]] = {"fact": [], "relation": []}
        for hit in hits:
            if hit.kind in ids:
                ids[hit.kind].append(hit.id)
        where = LineFilter(projects=self.request.where.projects, as_of=self.request.where.as_of)
        now = self.request.where.now or _END
        rows = read_rows(replace(self.request, where=where, now=now), ids)
        facts = {
            row.id for clash in rows.clashes.values() for claims in clash.values() for row in claims
        }
        return facts | {
            row.id for each in rows.disputes.values() for claims in each.values() for row in claims
        }

    def _ways(self, only: Sequence[LineKind] = LINE_KINDS) -> list[tuple[LineFilter, int]]:
        """The filters to search under, each with how much more to ask for; none where no kind is
        left.
        """
        where, at = self.request.where, self.request.where.as_of
        kinds = tuple(kind for kind in only if not where.kinds or kind in where.kinds)
        if at is None and not self.request.where.verified:
            # A filter without kinds lets all through, and is the cheapest.
            narrowed = where if len(kinds) == len(LINE_KINDS) else replace(where, kinds=kinds)
            return [(narrowed, 1)] if kinds else []
        by_then = at + timedelta(microseconds=1) if at is not None and at < _END else None
        until = min((each for each in (where.until, by_then) if each is not None), default=None)
        said = tuple(kind for kind in kinds if kind in _SAID)
        known = tuple(kind for kind in kinds if kind not in _SAID)
        ways = [(replace(where, kinds=said, until=until), 1)] if said else []
        return [*ways, (replace(where, kinds=known), MORE)] if known else ways


def _rows(
    request: RecallRequest, cls: type[_R], kind: LineKind, hits: Sequence[Hit]
) -> Iterable[_R]:
    ids = [hit.id for hit in hits if hit.kind == kind]
    return request.snapshot.get(request.space, cls, ids).values() if ids else ()


def _both(found: Iterable[Iterable[int]]) -> list[int]:
    return list(dict.fromkeys(number for some in found for number in some))
