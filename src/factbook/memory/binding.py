"""What reading and writing share: one engine, one space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from factbook.errors import ConfigError, InputError, StaleWriteError
from factbook.learn.committing import vectors_of
from factbook.learn.engine import Engine
from factbook.learn.planned_rows import as_rows
from factbook.memory.masking import Guard, Redact, sorts_of
from factbook.model.change import Change, Stamp
from factbook.model.receipt import Receipt
from factbook.model.source import STANDING_RANK, Source, Standing
from factbook.model.space import DEFAULT_SPACE, check_label
from factbook.ports.snapshot import Snapshot
from factbook.recall.weights import DEFAULT, Weights
from factbook.resolve import by_hand
from factbook.text.argument_checks import check_rows, check_text
from factbook.views.space_kinds import read_kinds
from factbook.views.view import View

TRIES_AT_A_COMMIT = 50
"""Other writers of the space may come first so many times in a row."""


class _Planned(Protocol):
    @property
    def changes(self) -> tuple[Change, ...]: ...


P = TypeVar("P", bound=_Planned)


class Bound:
    """An engine bound to a space; `reads` are more spaces that recall may look into, `weights` what
    it ranks by.

    `is_host` holds for the memory that `open` returns, and for none that is bound from it.
    """

    def __init__(
        self,
        engine: Engine | None = None,
        space: str = DEFAULT_SPACE,
        reads: Sequence[str] = (),
        redact: Redact = False,
        weights: Weights = DEFAULT,
        *,
        is_host: bool = False,
    ) -> None:
        if not isinstance(engine, Engine):
            raise ConfigError("a memory is opened: Memory.open('factbook.db')")
        self._engine = engine
        self._redact = sorts_of(redact)
        self._weights = weights
        self._is_host = is_host
        self._space = check_label(space)
        others = (reads,) if isinstance(reads, str) else reads
        self._reads = tuple(dict.fromkeys(check_label(name) for name in others if name != space))

    def __repr__(self) -> str:
        store = self._engine.store
        ours = type(store).__module__.startswith("factbook.")  # another's may show a password
        reads = f", reads={list(self._reads)!r}" if self._reads else ""
        return (
            f"{type(self).__name__}({store if ours else type(store).__name__!s}, "
            f"space={self._space!r}{reads})"
        )

    @property
    def space(self) -> str:
        """The space's name."""
        return self._space

    @property
    def redacts(self) -> tuple[str, ...]:
        """The sorts of personal data that are masked before it is stored; none unless it was
        wished.
        """
        return self._redact

    def _make_guard(self) -> Guard:
        """Masks the texts of one write."""
        return Guard(sorts=self._redact, space=self._space)

    def _mask_reason(self, reason: str) -> str:
        """A reason as it may be kept."""
        return self._make_guard().mask_text(check_text(reason, "a reason"))

    def _make_view(self, snapshot: Snapshot) -> View:
        return View(snapshot=snapshot, space=self._space, now=self._engine.clock())

    def _by_hand(self, session: str, project: str, standing: Standing = "note") -> Source:
        check_label(session, "session")
        check_label(project, "project")
        if standing not in STANDING_RANK:
            raise InputError(
                f"a standing is one of {', '.join(STANDING_RANK)}, not {str(standing)[:40]}"
            )
        return Source(
            standing=standing, said_at=self._engine.clock(), session=session, project=project
        )

    def _read_given(self, snapshot: Snapshot) -> by_hand.Given:
        return {
            "kinds": read_kinds(snapshot, self._space),
            "now": self._engine.clock(),
            "new_id": self._engine.new_id,
        }

    def _write_by_hand(
        self,
        verb: str,
        plan: Callable[[Snapshot], by_hand.HandPlan],
        reason: str = "",
        *,
        standing: Standing = "note",
    ) -> Receipt:
        reason = self._mask_reason(reason)

        def checked(snapshot: Snapshot) -> by_hand.HandPlan:
            planned = plan(snapshot)
            changes = as_rows(snapshot, self._space, planned.changes)
            check_rows(changes)
            return replace(planned, changes=changes)

        actor = "user" if standing == "note" else standing
        planned, versions = self._commit_planned(
            checked, lambda _: Stamp(at=self._engine.clock(), actor=actor, verb=verb, reason=reason)
        )
        return Receipt(
            space=self._space,
            verb=verb,
            versions=versions,
            entity_ids=planned.entity_ids,
            ids=planned.ids,
        )

    def _commit_planned(
        self, plan: Callable[[Snapshot], P], stamp: Callable[[P], Stamp]
    ) -> tuple[P, tuple[int, ...]]:
        """Reads, plans and commits, and does so again while others come first; the version that it
        made, if any.
        """
        engine = self._engine
        for _ in range(TRIES_AT_A_COMMIT):
            with engine.store.snapshot() as snapshot:
                version = snapshot.version(self._space)
                planned = plan(snapshot)
            try:
                made = engine.store.commit(
                    self._space,
                    expected_version=version,
                    changes=planned.changes,
                    stamp=stamp(planned),
                    vectors=vectors_of(engine.embedder(), planned.changes),
                )
            except StaleWriteError:
                continue
            return planned, (made,) if made != version else ()
        raise StaleWriteError("others wrote this space all the time; try again")
