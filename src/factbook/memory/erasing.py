"""Erasing for good, and letting what was forgotten be told again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

from factbook.errors import InputError
from factbook.memory import forgetting
from factbook.memory.bound import Bound
from factbook.memory.checks import check_rows
from factbook.model.change import Change, Stamp
from factbook.model.receipt import Erased
from factbook.ports.store import FollowUp, Reader


class Erasing(Bound):
    """What `Memory` forgets."""

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
        dry_run: bool = False,
        reason: str = "",
    ) -> Erased:
        """Erases for good; the only thing that `undo` can't take back. What the erased had ended holds again.

        Args:
            name: an entity: all that was said of it goes, and its names are masked in what others said.
            topic: words: whatever holds all of them, in whatever form (messages with what rests on them alone, facts,
                notes, entities by their names); the topic is masked in what stays.
            session, project: what was said or entered by hand under that label, with what rests on it alone.
            since, until: what was said or entered in that time; a time without a zone is read as UTC.
            ids: single facts, relations or notes, also ones that were taken out and stand in the log.
            everything: the whole space.
            dry_run: only counts what would go, and lists it for a topic.

        Raises:
            InputError: nothing or more than one thing is named. NotFoundError, AmbiguousError: the name, or an id.
            StoreBusyError: others read or write for too long. StoreError: the disk is full. Their words say whether
                the record is erased already; it is so in all or in nothing.
        """
        engine, began, now = self._engine, time.perf_counter(), self._engine.clock()
        what = forgetting.What(
            name=name,
            topic=topic,
            session=session,
            project=project,
            since=since,
            until=until,
            ids=(ids,) if isinstance(ids, str) else tuple(ids),
            everything=everything,
        )
        kept_reason = self._reason(reason)
        with engine.store.reading() as reader:
            plan = forgetting.plan(self._view(reader), what, now=now, reason=kept_reason)
            version = reader.version(self._space)
        if dry_run:
            return Erased(space=self._space, what=plan.what, dry_run=True, counts=plan.counts, lines=plan.lines)
        counts = engine.store.forget(self._space, plan.erasure, follow_up=self._holding_again(plan, now))
        made = self._made(version, now)
        ms = (time.perf_counter() - began) * 1000
        engine.bell.ring("forgotten", self._space, what=plan.what, counts=counts, ms=ms)
        pending = forgetting.PENDING
        return Erased(space=self._space, what=plan.what, counts=counts, pending=pending, version=made)

    def _holding_again(self, plan: forgetting.Plan, now: datetime) -> FollowUp | None:
        """Lets hold again what the erased had ended, in the transaction that erases it."""
        if not plan.statements:
            return None

        def changes(reader: Reader) -> Sequence[Change]:
            planned = forgetting.reopened(reader, self._space, plan.statements, self._given(reader))
            check_rows(planned.changes)
            return planned.changes

        return FollowUp(plan=changes, stamp=Stamp(at=now, actor="user", verb="reopen"))

    def _made(self, version: int, now: datetime) -> int | None:
        """The version of the forgetting that came after this one at that time."""
        with self._engine.store.reading() as reader:
            later = reader.log(self._space, after=version)
        return next((each.version for each in later if each.stamp.verb == "forget" and each.stamp.at == now), None)

    def lift(self, what: Erased | int | None = None, *, reason: str = "") -> int:
        """Lets messages and names that were forgotten be told again; returns how many. It brings nothing back by itself.

        Args:
            what: a receipt of `forget`, or its version in the history; None for all that was forgotten of this space.

        Raises:
            InputError: the receipt is another space's, or of a dry run.
        """
        if isinstance(what, Erased):
            if what.space != self._space:
                raise InputError(f"this receipt is of space {what.space!r}, not of {self._space!r}")
            if what.version is None:
                raise InputError("a dry run forgot nothing that could be lifted")
            what = what.version
        kept_reason = self._reason(reason)
        return self._engine.store.lift(self._space, version=what, at=self._engine.clock(), reason=kept_reason)
