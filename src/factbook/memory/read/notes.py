"""Notes of a space, one by one and by the thousand: listing, searching, altering, taking out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from factbook.errors import InputError
from factbook.memory.binding import Bound
from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.model.receipt import Receipt
from factbook.model.record import Note
from factbook.ports.models import Embedder
from factbook.ports.snapshot import Snapshot
from factbook.recall.find.candidates import gather_candidates
from factbook.recall.measure.signals import Measured
from factbook.recall.request import RecallRequest
from factbook.recall.understand.question_entities import follow
from factbook.recall.weights import DEFAULT
from factbook.resolve.by_hand import HandPlan
from factbook.text.argument_checks import check_share, check_text, in_utc
from factbook.text.kind_names import snake_case
from factbook.views.space_kinds import read_kinds

FEWEST, MOST = 100, 1000
"""Lines that a search looks at, by words."""
A_WANTED = 10
"""So many lines for each one wanted."""
MEANT = 0.18
"""From this cosine on a note without a word or name of the query is found by meaning. With our
embedder, notes that answer a question in other words lie at 0.21 to 0.56 from it, others mostly
below 0.15 (eleven questions).
"""


class Notes(Bound):
    """The verbs of `Memory` for notes, besides writing one (`note`)."""

    def now(self) -> datetime:
        """The present moment, by the memory's clock."""
        return self._engine.clock()

    def notes(
        self,
        *,
        categories: Sequence[str] = (),
        project: str | Sequence[str] = (),
        persistent: bool | None = None,
        min_importance: float = 0.0,
        since: datetime | None = None,
        order: Literal["latest", "importance"] = "latest",
        limit: int | None = None,
        expired: bool = False,
    ) -> list[Note]:
        """The space's notes, the latest first, or the most important.

        Args:
            categories: only of these. project: only of these projects and of none. persistent: only
                those that are, or that are not. min_importance: 0–1. since: created then or later.
                expired: those too.
        """
        with self._engine.store.snapshot() as snapshot:
            return snapshot.notes(
                self._space,
                categories=_category_keys(categories),
                projects=_as_names(project),
                persistent=persistent,
                min_importance=min_importance,
                since=in_utc(since, "since"),
                now=None if expired else self._engine.clock(),
                order=order,
                limit=limit,
            )

    def get_notes(self, ids: Iterable[str]) -> dict[str, Note]:
        """Notes by id, expired ones too; absent ones are left out."""
        with self._engine.store.snapshot() as snapshot:
            return snapshot.get(self._space, Note, ids)

    def note_categories(self) -> dict[str, int]:
        """Counts the notes of each category, by name; without expired ones."""
        with self._engine.store.snapshot() as snapshot:
            return snapshot.note_categories(self._space, now=self._engine.clock())

    def search_notes(
        self,
        query: str,
        *,
        categories: Sequence[str] = (),
        project: str | Sequence[str] = (),
        min_importance: float = 0.0,
        limit: int = 5,
    ) -> list[Note]:
        """The notes that match best, best first: by words, by the names of whom they are about, and
        where an embedder is installed by meaning. Without a query the most important; where no word
        matches, those whose text holds it.

        Args:
            categories: only of these. project: only of these projects and of none. min_importance:
                0–1.

        Raises:
            InputError: the query is no text.
        """
        began = time.perf_counter()
        where = LineFilter(
            kinds=("note",),
            categories=_category_keys(categories),
            projects=_as_names(project),
            min_importance=min_importance,
            now=self._engine.clock(),
        )
        asked = check_text(query, "a query").strip()
        embedder = self._engine.embedder() if asked else None
        with self._engine.store.snapshot() as snapshot:
            best = self._find_best(snapshot, query, where, embedder, limit) if asked else []
            found = (
                list(snapshot.get(self._space, Note, best).values())
                if best
                else snapshot.notes(
                    self._space,
                    categories=where.categories,
                    projects=where.projects,
                    min_importance=min_importance,
                    now=where.now,
                    containing=asked,
                    order="importance",
                    limit=limit,
                )
            )
        self._engine.bell.ring(
            "recalled",
            self._space,
            lambda: {
                "query": query,
                "records": [{"id": note.id, "content": note.text} for note in found],
            },
            verb="search",
            lines=len(found),
            ms=(time.perf_counter() - began) * 1000,
        )
        return found

    def _find_best(
        self,
        snapshot: Snapshot,
        query: str,
        where: LineFilter,
        embedder: Embedder | None,
        limit: int,
    ) -> list[str]:
        request = RecallRequest(
            snapshot=snapshot,
            spaces=(self._space,),
            space=self._space,
            question=query,
            budget=A_WANTED * max(limit, 1),
            where=where,
            kinds=read_kinds(snapshot, self._space),
            now=self._engine.clock(),
            tokenizer=self._engine.tokenizer,
            embedder=embedder,
        )
        breadth = max(FEWEST, min(MOST, A_WANTED * limit))
        pool = gather_candidates(request, follow(request), breadth=breadth)
        return _rank_notes(pool.measured)[: max(limit, 0)]

    def put_notes(self, notes: Sequence[Note]) -> Receipt:
        """Writes notes as they are, each in place of one with its id (the last of several), all in
        one commit.

        One without `entity_ids` is linked to the known entities that its text names; its category
        becomes snake_case.

        Raises:
            InputError: one has no text or id, or a part that can't be stored.
        """
        for note in notes:
            if not check_text(note.text, "a note's text").strip() or not note.id:
                raise InputError("a note needs an id and a text")
            check_text(note.category, "a category")
            check_share(note.importance, "importance")
        guard = self._make_guard()
        notes = [guard.mask_note(note) for note in notes]

        def plan_changes(snapshot: Snapshot) -> HandPlan:
            view = self._make_view(snapshot)
            known = snapshot.get(self._space, Note, [note.id for note in notes])
            has_names = bool(snapshot.entity_ids(self._space, limit=1))
            changes: list[Change] = []
            for note in {note.id: note for note in notes}.values():
                about = note.entity_ids or (tuple(view.named_in(note.text)) if has_names else ())
                before = known.get(note.id)
                after = replace(
                    note, entity_ids=about, category=snake_case(note.category) or "general"
                )
                if after != before:
                    changes.append(Change(before=before, after=after))
            return HandPlan(changes=tuple(changes), ids=tuple(note.id for note in notes))

        began = time.perf_counter()
        receipt = self._write_by_hand("note", plan_changes)
        self._engine.bell.ring(
            "remembered",
            self._space,
            lambda: {"records": [{"id": note.id, "content": note.text} for note in notes]},
            verb="note",
            ids=receipt.ids,
            versions=receipt.versions,
            ms=(time.perf_counter() - began) * 1000,
        )
        return replace(receipt, masked=dict(guard.counts))

    def drop_notes(self, ids: Iterable[str], *, reason: str = "") -> tuple[list[Note], Receipt]:
        """Takes notes out, and gives those that were there. `undo` brings them back; what erases
        them is `forget`.
        """
        wanted = list(dict.fromkeys(ids))
        gone: list[Note] = []

        def plan_changes(snapshot: Snapshot) -> HandPlan:
            gone[:] = snapshot.get(self._space, Note, wanted).values()
            return HandPlan(
                changes=tuple(Change(before=note) for note in gone),
                ids=tuple(note.id for note in gone),
            )

        receipt = self._write_by_hand("drop", plan_changes, reason)
        return gone, receipt

    def prune_notes(
        self, *, max_age: timedelta | None = None, min_importance: float = 0.0, reason: str = ""
    ) -> tuple[list[Note], Receipt]:
        """Takes out the notes that expired, are older or less important, but nothing persistent;
        gives them.

        `undo` brings them back; what erases them is `forget`.
        """
        now = self._engine.clock()
        oldest = None if max_age is None else now - max_age

        def is_spent(note: Note) -> bool:
            if note.is_expired_at(now) or note.importance < min_importance:
                return True
            return oldest is not None and note.created_at < oldest

        every = self.notes(expired=True)
        gone = [note.id for note in every if not note.persistent and is_spent(note)]
        return self.drop_notes(gone, reason=reason)


def _as_names(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _category_keys(categories: Sequence[str]) -> tuple[str, ...]:
    return tuple(snake_case(name) or "general" for name in _as_names(categories))


def _rank_notes(measured: Measured) -> list[str]:
    """Ids of the lines that say anything to the question, best first."""
    columns = [(getattr(DEFAULT, name), column) for name, column in measured.columns.items()]
    names = measured.columns["name"]
    found: list[tuple[float, int, str]] = []
    for place, hit in enumerate(measured.hits):
        if hit.counts or names[place] or (hit.cosine or 0.0) >= MEANT:
            score = sum(weight * column[place] for weight, column in columns)
            found.append((score, hit.no, hit.id))
    return [note_id for *_, note_id in sorted(found, reverse=True)]
