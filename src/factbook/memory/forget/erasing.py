"""Erasing for good, and letting what was forgotten be told again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from factbook.errors import InputError
from factbook.learn.gather import gather_statements
from factbook.memory.binding import Bound
from factbook.memory.forget.forget_plan import ForgetPlan, plan_forgetting
from factbook.memory.forget.wish import OwnWords, Wish
from factbook.model.change import Change, Commit, Stamp
from factbook.model.receipt import Erased
from factbook.model.record import Fact, Relation
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import FollowUp
from factbook.resolve.draft_statements import reopen_ended
from factbook.text.argument_checks import check_rows
from factbook.views.space_kinds import read_kinds
from factbook.views.view import View


class Erasing(Bound):
    """Forgetting, as a part of `Memory`."""

    def forget(
        self,
        name: str | None = None,
        *,
        topic: str | None = None,
        session: str | None = None,
        project: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        ids: Sequence[str] = (),
        everything: bool = False,
        also: Sequence[str] = (),
        words: OwnWords = "keep",
        dry_run: bool = False,
        reason: str = "",
    ) -> Erased:
        """Erases for good; the only thing that `undo` can't take back. What the erased had ended
        holds again.

        Args:
            name: an entity: all that was said of it goes, with the sentences that are about it by
                name or by a pronoun that can mean nobody else, and its names are masked in what
                others said.
            topic: words: whatever holds all of them, in whatever form (messages with what rests on
                them alone, facts, notes, entities by their names); the topic is masked in what
                stays.
            session, project: what was said or entered by hand under that label, with what rests on
                it alone.
            since, until: what was said or entered in that time; a time without a zone is read as
                UTC.
            ids: single facts, relations or notes, also ones that were taken out and stand in the
                log.
            everything: the whole space.
            also: what else goes: ids of `doubtful` sentences and namesakes, of messages, facts,
                relations, notes.
            words: what becomes of the messages that a forgotten speaker said: `keep` leaves them
                without the name, `mask` replaces their text (what was learned from it stays),
                `erase` takes them with what rests on them alone.
            dry_run: only counts what would go, lists it, and what is doubtful.

        Raises:
            InputError: nothing or more than one thing is named. NotFoundError, AmbiguousError: the
                name, or an id.
            StoreBusyError: others read or write for too long. StoreError: the disk is full. Their
                words say whether the record is erased already; it is so in all or in nothing.
        """
        engine, began, now = self._engine, time.perf_counter(), self._engine.clock()
        wish = Wish(
            name=name,
            topic=topic,
            session=session,
            project=project,
            since=since,
            until=until,
            ids=(ids,) if isinstance(ids, str) else tuple(ids),
            everything=everything,
            also=(also,) if isinstance(also, str) else tuple(also),
            words=words,
            dry_run=dry_run,
        )
        kept_reason = self._mask_reason(reason)
        wish = wish.checked()
        with engine.store.snapshot() as snapshot:
            view = View(snapshot=snapshot, space=self._space, now=now)
            plan = plan_forgetting(view, wish, kept_reason)
        foreseen = Erased(
            space=self._space,
            what=plan.subject,
            dry_run=True,
            counts=plan.counts,
            pending=plan.pending,
            lines=plan.lines,
            doubtful=plan.doubtful,
            reviews=tuple(plan.reviews[key] for key in plan.falling),
        )
        if dry_run:
            return foreseen
        counts = engine.store.forget(
            self._space, plan.erasure, follow_up=self._plan_reopening(plan, now)
        )
        if cut := plan.counts.get("sentences"):
            counts["sentences"] = cut
        with engine.store.snapshot() as snapshot:
            later = snapshot.log(self._space, after=plan.version)
            left = {row.id for row in snapshot.reviews(self._space)}
        ms = (time.perf_counter() - began) * 1000
        engine.bell.ring("forgotten", self._space, what=plan.subject, counts=counts, ms=ms)
        return replace(
            foreseen,
            dry_run=False,
            counts=counts,
            version=_version_forgotten_at(later, now),
            lines=(),
            reviews=tuple(names for key, names in plan.reviews.items() if key not in left),
        )

    def _plan_reopening(self, plan: ForgetPlan, now: datetime) -> FollowUp | None:
        """Returns what lets hold again what the erased had ended, in the erasing transaction."""
        statements = plan.statements
        if not statements:
            return None

        def plan_changes(snapshot: Snapshot) -> Sequence[Change]:
            kinds = read_kinds(snapshot, self._space)
            known = gather_statements(
                snapshot,
                self._space,
                {end for row in statements for end in _ends_of(row)},
                attributes={row.attribute for row in statements if isinstance(row, Fact)},
                labels={row.label for row in statements if isinstance(row, Relation)},
            )
            changes = reopen_ended(
                statements, known, kinds=kinds, now=now, new_id=self._engine.new_id
            )
            check_rows(changes)
            return changes

        return FollowUp(plan=plan_changes, stamp=Stamp(at=now, actor="user", verb="reopen"))

    def lift(self, what: Erased | int | None = None, *, reason: str = "") -> int:
        """Lets messages and names that were forgotten be told again; returns how many. It brings
        nothing back by itself.

        Args:
            what: a receipt of `forget`, or its version in the history; None for all that was
                forgotten of this space.

        Raises:
            InputError: the receipt is another space's, or of a dry run.
        """
        if isinstance(what, Erased):
            if what.space != self._space:
                raise InputError(f"this receipt is of space {what.space!r}, not of {self._space!r}")
            if what.version is None:
                raise InputError("a dry run forgot nothing that could be lifted")
            what = what.version
        kept_reason = self._mask_reason(reason)
        return self._engine.store.lift(
            self._space, version=what, at=self._engine.clock(), reason=kept_reason
        )


def _version_forgotten_at(log: Sequence[Commit], now: datetime) -> int | None:
    """Returns the version of the forgetting at that time, the first of these entries."""
    made = (
        entry.version for entry in log if entry.stamp.verb == "forget" and entry.stamp.at == now
    )
    return next(made, None)


def _ends_of(row: Fact | Relation) -> tuple[str, ...]:
    return (row.entity_id,) if isinstance(row, Fact) else (row.from_id, row.to_id)
