"""Writing a note by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from factbook.errors import InputError
from factbook.memory.write.writing import Writes
from factbook.model.receipt import Receipt
from factbook.model.source import Standing
from factbook.ports.snapshot import Snapshot
from factbook.resolve import by_hand
from factbook.text.argument_checks import check_share, check_table, check_text, check_texts, in_utc
from factbook.text.kind_names import snake_case


class WritesNotes(Writes):
    """The verb of `Memory` that keeps a note."""

    def note(
        self,
        text: str,
        *,
        category: str = "general",
        importance: float = 0.5,
        persistent: bool = False,
        expires_at: datetime | None = None,
        expires_in: timedelta | None = None,
        about: Sequence[str] = (),
        metadata: Mapping[str, str] | None = None,
        session: str = "",
        project: str = "",
        standing: Standing = "note",
    ) -> Receipt:
        """Keeps a free-text memory, linked to the entities that `about` names and to the known ones
        that it mentions.

        Args:
            text: as it shall be recalled. importance: 0–1. persistent: it is never pruned.
            expires_at, expires_in: when it is no longer recalled; `expires_in` counts from now. One
                of them at most.
            standing: whose word it is, as for `put`.

        Raises:
            InputError: no text, an importance outside 0–1, or a part of the wrong type.
                NotFoundError, AmbiguousError: a name of `about`.
        """
        if not check_text(text, "a note's text").strip():
            raise InputError("a note needs a text")
        check_share(importance, "importance")
        check_table({} if metadata is None else metadata, "metadata")
        check_text(category, "a category")
        names = check_texts(about, "the names in about")
        guard = self._make_guard()
        text, category, metadata = (
            guard.mask_text(text),
            guard.mask_text(category),
            guard.mask_table(metadata or {}),
        )
        expires = in_utc(expires_at, "expires_at")
        if expires_in is not None:
            if expires is not None:
                raise InputError("give expires_at or expires_in, not both")
            expires = self._engine.clock() + expires_in

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            view = self._make_view(snapshot)
            return by_hand.plan_note(
                text,
                category=snake_case(category) or "general",
                importance=importance,
                persistent=persistent,
                expires_at=expires,
                entity_ids=tuple(
                    dict.fromkeys([view.said_of(name) for name in names] + view.named_in(text))
                ),
                metadata=metadata,
                source=self._by_hand(session, project, standing),
                now=self._engine.clock(),
                new_id=self._engine.new_id,
            )

        receipt = self._write_and_ring(
            "note", plan_changes, texts=lambda: {"records": [{"content": text}]}, standing=standing
        )
        return replace(receipt, masked=dict(guard.counts))
