"""Writing an observation by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import get_args

from factbook.errors import InputError
from factbook.memory.write.writing import Writes
from factbook.model.receipt import Receipt
from factbook.model.record import SELF, EntityRecord, Hold, ObservationSort
from factbook.model.source import Standing
from factbook.ports.snapshot import Snapshot
from factbook.resolve import by_hand
from factbook.text.argument_checks import check_share, check_table, check_text, check_texts, in_utc
from factbook.text.names import fold
from factbook.views.view import SELF_NAMES

SORTS: tuple[str, ...] = get_args(ObservationSort)
HOLDS: tuple[str, ...] = get_args(Hold)


class WritesObservations(Writes):
    """The verb of `Memory` for observations by hand, beside those of extractors."""

    def observe(
        self,
        text: str,
        *,
        about: str | Sequence[str] = "self",
        sort: ObservationSort = "state",
        holds: Hold = "asserted",
        importance: float = 0.5,
        expires_at: datetime | None = None,
        metadata: Mapping[str, str] | None = None,
        session: str = "",
        project: str = "",
        standing: Standing = "note",
    ) -> Receipt:
        """Keeps something said of somebody, word for word: `observe("only drinks oat milk",
        about="Ada", sort="preference")`.

        The same words of the same entities are one observation: written again, its version counts
        on and what differs is replaced.

        Args:
            text: the words. about: names or ids, whose statement, opinion or plan it is first;
                without any, the space's own user.
            sort: `event`, `plan`, `state`, `opinion`, `preference`, `rule`, `decision`,
                `commitment`, `complaint` or `figure`.
            holds: `asserted`, `denied`, `planned` or `hearsay`.
            importance: how much it is worth keeping, 0-1.
            expires_at: when it is no longer told. standing: whose word it is, as for `put`.

        Raises:
            InputError: no text, no such sort, an importance outside 0-1, or a part of the wrong
                type. NotFoundError, AmbiguousError: a name of `about`.
        """
        if not check_text(text, "an observation's text").strip():
            raise InputError("an observation needs a text")
        check_share(importance, "importance")
        check_table({} if metadata is None else metadata, "metadata")
        _check_word(sort, SORTS, "a sort of observation")
        _check_word(holds, HOLDS, "what an observation holds")
        names = [about] if isinstance(about, str) else check_texts(about, "the names in about")
        guard = self._make_guard()
        text, metadata = guard.mask_text(text), guard.mask_table(metadata or {})
        expires = in_utc(expires_at, "expires_at")

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            view = self._make_view(snapshot)
            ids = [SELF if fold(name) in SELF_NAMES else view.said_of(name) for name in names]
            has_user = bool(snapshot.get(self._space, EntityRecord, [SELF]))
            return by_hand.plan_observation(
                text,
                entity_ids=tuple(dict.fromkeys(ids)) or (SELF,),
                known=snapshot.observations(self._space, ids or [SELF]),
                has_user=has_user,
                sort=sort,
                holds=holds,
                importance=importance,
                expires_at=expires,
                metadata=metadata,
                source=self._by_hand(session, project, standing),
                now=self._engine.clock(),
                new_id=self._engine.new_id,
            )

        receipt = self._write_and_ring(
            "observe",
            plan_changes,
            texts=lambda: {"records": [{"content": text}]},
            standing=standing,
        )
        return replace(receipt, masked=dict(guard.counts))


def _check_word(word: object, words: Sequence[str], what: str) -> None:
    if word not in words:
        raise InputError(f"{what} is one of {', '.join(words)}, not {str(word)[:40]}")
