"""Erasing for good, and letting what was forgotten be told again."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from factbook.errors import InputError
from factbook.memory.binding import Bound
from factbook.memory.forget import forget_plan as forgetting
from factbook.model.change import Change, Stamp
from factbook.model.receipt import Erased
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import FollowUp
from factbook.text.checks import check_rows


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
        also: Sequence[str] = (),
        words: forgetting.Words = "keep",
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
        what = forgetting.What(
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
        )
        kept_reason = self._reason(reason)
        with engine.store.snapshot() as snapshot:
            view = self._view(snapshot)
            plan = forgetting.plan(view, what, now=now, reason=kept_reason)
            version, reviews = snapshot.version(self._space), forgetting.open_reviews(view)
            sides = forgetting.told(view, reviews.values())
        foreseen = Erased(
            space=self._space,
            what=plan.what,
            dry_run=True,
            counts=plan.counts,
            pending=plan.pending,
            lines=plan.lines,
            doubtful=plan.doubtful,
            reviews=tuple(sides[key] for key in forgetting.falling(plan, reviews)),
        )
        if dry_run:
            return foreseen
        counts = engine.store.forget(
            self._space, plan.erasure, follow_up=self._holding_again(plan, now)
        )
        if cut := plan.counts.get("sentences"):
            counts["sentences"] = cut
        made, left = self._made(version, now)
        ms = (time.perf_counter() - began) * 1000
        engine.bell.ring("forgotten", self._space, what=plan.what, counts=counts, ms=ms)
        return replace(
            foreseen,
            dry_run=False,
            counts=counts,
            version=made,
            lines=(),
            reviews=tuple(names for key, names in sides.items() if key not in left),
        )

    def _holding_again(self, plan: forgetting.Plan, now: datetime) -> FollowUp | None:
        """Lets hold again what the erased had ended, in the transaction that erases it."""
        if not plan.statements:
            return None

        def changes(snapshot: Snapshot) -> Sequence[Change]:
            planned = forgetting.reopened(
                snapshot, self._space, plan.statements, self._given(snapshot)
            )
            check_rows(planned.changes)
            return planned.changes

        return FollowUp(plan=changes, stamp=Stamp(at=now, actor="user", verb="reopen"))

    def _made(self, version: int, now: datetime) -> tuple[int | None, Collection[str]]:
        """The version of the forgetting that came after this one at that time, and the open reviews
        that are left.
        """
        with self._engine.store.snapshot() as snapshot:
            later = snapshot.log(self._space, after=version)
            left = forgetting.open_reviews(self._view(snapshot))
        made = next(
            (
                each.version
                for each in later
                if each.stamp.verb == "forget" and each.stamp.at == now
            ),
            None,
        )
        return made, left

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
        kept_reason = self._reason(reason)
        return self._engine.store.lift(
            self._space, version=what, at=self._engine.clock(), reason=kept_reason
        )
