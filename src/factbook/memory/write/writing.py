"""Writing a memory by hand: entities, relations, notes, identity, and taking changes back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from factbook.errors import InputError, NotFoundError
from factbook.learn.gather import gather_names
from factbook.learn.namesakes import namesakes
from factbook.learn.observers import Texts
from factbook.memory.binding import Bound
from factbook.memory.history import UndoPlan, foresee_undo, plan_undo
from factbook.memory.write.known_alike import with_alike
from factbook.model.change import Change, Stamp
from factbook.model.entity import Conflict, Entity
from factbook.model.receipt import Receipt
from factbook.model.record import SELF, EntityType, Review
from factbook.model.source import Standing
from factbook.ports.snapshot import Snapshot
from factbook.resolve import by_hand
from factbook.text.argument_checks import (
    as_entity,
    check_text,
    in_utc,
)
from factbook.text.date_arguments import Moment, moment_of
from factbook.text.host_ids import stored_form
from factbook.text.kind_names import snake_case
from factbook.text.names import fold
from factbook.text.value_forms import is_form
from factbook.views.short_ids import LEAST, the_one
from factbook.views.view import SELF_NAMES


class Writes(Bound):
    """The writing half of `Memory`: everything here is a commit that `undo` takes back."""

    def put(
        self,
        entity: Entity | Mapping[str, Any],
        *,
        session: str = "",
        project: str = "",
        reason: str = "",
        standing: Standing = "note",
    ) -> Receipt:
        """Writes an entity by hand: an upsert by name or alias and kind. Attributes become facts;
        nothing is lost.

        A new entity whose attributes are those of a known one (the same e-mail address, say) is
        made one with it, or put up for review; the merge is a part of this change.

        Args:
            entity: values may be numbers, truth values, lists and tables of figures; a mapping is
                read as a record of document 002, its `metadata` as attributes (see
                `docs/kinds.md`).
            standing: whose word it is. `note`, the user's own hand, stands as high as what the user
                says; what an `assistant`, a `tool` or the `web` says lies beside that as a
                conflict, and closes nothing of it.

        Raises:
            InputError: the name is empty, or a part is of another type than `Entity` says.
                AmbiguousError: several entities bear the name.
        """
        guard = self._make_guard()
        entity = guard.mask_entity(as_entity(entity))
        if fold(entity.name) in SELF_NAMES and entity.entity_type.strip().casefold() == "person":
            entity = replace(entity, name=SELF)  # as every read takes these words

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            known = gather_names(
                snapshot,
                self._space,
                [
                    entity.name,
                    *entity.aliases,
                    *(stored_form(*item) for item in entity.ids.items()),
                ],
                ids=[entity.id] * bool(entity.id),
                attributes={snake_case(name) for name in entity.attributes},
            )
            source, given = self._by_hand(session, project, standing), self._read_given(snapshot)
            planned = by_hand.plan_put(entity, known, source=source, **given)
            planned = with_alike(
                planned, snapshot, self._space, kinds=given["kinds"], now=given["now"]
            )
            if standing in ("note", "user"):
                return planned  # whoever writes by hand knows whom
            found = namesakes(snapshot, self._space, planned.changes, now=given["now"])
            changes = (*planned.changes, *(Change(after=row) for row in found))
            return replace(planned, changes=changes, ids=(*planned.ids, *(row.id for row in found)))

        return replace(
            self._write_and_ring("put", plan_changes, reason, standing=standing),
            masked=dict(guard.counts),
        )

    def relate(
        self,
        a: str,
        label: str,
        b: str,
        *,
        note: str = "",
        valid_at: datetime | None = None,
        session: str = "",
        project: str = "",
        standing: Standing = "note",
    ) -> Receipt:
        """Links two known entities, `a` to `b`, by a label in snake_case.

        Args:
            note: what else is worth knowing of it. valid_at: since when; a time without a zone is
                UTC.
            standing: whose word it is, as for `put`.

        Raises:
            NotFoundError, AmbiguousError: a name has no one bearer. InputError: no label.
        """
        since = in_utc(valid_at, "valid_at")
        guard = self._make_guard()
        label = guard.mask_text(check_text(label, "a label"))
        if not snake_case(label):
            raise InputError("a relation needs a label, a verb in snake_case such as works_at")
        note = guard.mask_text(check_text(note, "a note"))

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            view = self._make_view(snapshot)
            ends = (view.said_of(a), view.said_of(b))
            known = gather_names(snapshot, self._space, [], ids=ends, labels=[snake_case(label)])
            return by_hand.plan_relate(
                ends[0],
                snake_case(label),
                ends[1],
                known,
                note=note,
                valid_at=since,
                source=self._by_hand(session, project, standing),
                **self._read_given(snapshot),
            )

        return replace(
            self._write_and_ring("relate", plan_changes, standing=standing),
            masked=dict(guard.counts),
        )

    def register(self, kind: EntityType) -> Receipt:
        """Makes a kind of one's own known to this space (or changes one).

        Raises:
            InputError: its id is not in snake_case, or a part is of the wrong type.
        """
        if not kind.id or snake_case(kind.id) != kind.id:
            raise InputError(f"a kind's id is in snake_case, not {kind.id!r}")
        for attribute, form in kind.forms.items():
            if not is_form(form):
                raise InputError(
                    f"{attribute} has no form that is known: {form!r}; see "
                    "factbook.text.value_forms"
                )

        guard = self._make_guard()
        after = guard.mask_kind(kind)

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            before = snapshot.get(self._space, EntityType, [kind.id]).get(kind.id)
            changes = () if before == after else (Change(before=before, after=after),)
            return by_hand.HandPlan(changes=changes, ids=(kind.id,))

        return replace(self._write_by_hand("register", plan_changes), masked=dict(guard.counts))

    def merge(self, a: str, b: str, *, reason: str = "") -> Receipt:
        """Says that two entities are one; reads show them as one, and what was said of each stays
        where it was said.

        Raises:
            NotFoundError, AmbiguousError: a name has no one bearer. InputError: they are one
                already.
        """
        said = self._mask_reason(reason)

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            view = self._make_view(snapshot)
            left, right = view.resolve(a), view.resolve(b)
            known = gather_names(snapshot, self._space, [], ids=(left, right))
            return by_hand.plan_merge(left, right, known, reason=said, **self._read_given(snapshot))

        receipt = self._write_by_hand("merge", plan_changes, said)
        self._ring_merged(receipt)
        return receipt

    def unmerge(self, a: str, b: str, *, reason: str = "") -> Receipt:
        """Says that two entities that were merged are two, and that the engine shall not merge them
        again.

        Names that both share need their ids (`history` shows them).

        Raises:
            NotFoundError, AmbiguousError: a name is not known. InputError: they are not merged.
        """
        said = self._mask_reason(reason)

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            view = self._make_view(snapshot)
            left, right = view.own_id(a), view.own_id(b)
            known = gather_names(snapshot, self._space, [], ids=(left, right))
            return by_hand.plan_unmerge(
                left, right, known, reason=said, **self._read_given(snapshot)
            )

        return self._write_by_hand("unmerge", plan_changes, said)

    def decide(self, review: str | Review, *, same: bool, reason: str = "") -> Receipt:
        """Decides a review: merges its two entities, or remembers that they must never be.

        Args:
            review: of `reviews()`, or its id, or the id's beginning.

        Raises:
            NotFoundError: no such review is open. AmbiguousError: several ids begin so.
        """
        said = self._mask_reason(reason)
        wanted = review if isinstance(review, str) else review.id

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            waiting = {each.id: each for each in snapshot.reviews(self._space)}
            key = the_one(wanted, waiting) if len(wanted) >= LEAST else wanted
            if key not in waiting:
                raise NotFoundError(f"no review {wanted!r} waits in space {self._space!r}")
            found = waiting[key]
            known = gather_names(snapshot, self._space, [], ids=(found.left_id, found.right_id))
            return by_hand.plan_review(
                found, known, same=same, reason=said, **self._read_given(snapshot)
            )

        receipt = self._write_by_hand("review", plan_changes, said)
        if same:
            self._ring_merged(receipt)
        return receipt

    def settle(
        self, conflict: Conflict | str, value: str, *, attribute: str = "", reason: str = ""
    ) -> Receipt:
        """Decides a conflict: this value holds, and the others never did. It may be one of them, or
        another.

        Args:
            conflict: of `conflicts()`, or the name of its entity; then with the attribute (or
                label), if it has several.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer, or the attribute no conflict;
                or a relation shall lead to who isn't known. InputError: no value, or several
                conflicts and no attribute.
        """
        chosen = check_text(value, "a value").strip()
        if not chosen:
            raise InputError("settling a conflict needs the value that holds")
        if isinstance(conflict, Conflict):
            name, wanted = conflict.entity_id, conflict.attribute
        else:
            name, wanted = (
                check_text(conflict, "a name"),
                snake_case(check_text(attribute, "an attribute")),
            )

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            view = self._make_view(snapshot)
            key = view.resolve(name)
            found = _one_conflict(view.conflicts([key]), wanted, name)
            source, given = self._by_hand("", ""), self._read_given(snapshot)
            if found.facts:
                known = gather_names(
                    snapshot, self._space, [], ids=[key], attributes=[found.attribute]
                )
                holds = self._make_guard().mask_value(found.attribute, chosen)
                return by_hand.plan_settle(
                    key, found.attribute, holds, found.values, known, source=source, **given
                )
            ends = [row.to_id for row in found.relations]
            claimed = [
                end
                for end, name in zip(ends, found.values, strict=True)
                if fold(name) == fold(chosen)
            ]
            end = claimed[0] if claimed else view.said_of(chosen)
            known = gather_names(
                snapshot, self._space, [], ids=[key, *ends, end], labels=[found.attribute]
            )
            return by_hand.plan_settle_link(
                key, found.attribute, end, ends, known, source=source, **given
            )

        return self._write_and_ring("settle", plan_changes, reason)

    def undo(
        self,
        what: Receipt | int | None = None,
        *,
        since: Moment | None = None,
        cascade: bool = False,
        reason: str = "",
    ) -> Receipt:
        """Takes changes back: of a receipt, of one version, or the latest that is not an undo
        itself; or all `since`.

        Of `remember`'s receipt, it takes back what was learned from those messages; they stay
        recallable as text.

        Args:
            since: everything that was changed then or later, undoings too; a day, month or year
                counts from its beginning. What was forgotten doesn't come back.
            cascade: also takes back the later changes that rest on these (`foresee_undo` lists
                them).

        Raises:
            InputError: later changes rest on these (says which), or there is nothing to undo.
        """
        said = self._mask_reason(reason)
        begin = moment_of(since, "since", self._engine.clock(), first=True)
        undone, versions = self._commit_planned(
            lambda snapshot: plan_undo(snapshot, self._space, what, since=begin, cascade=cascade),
            lambda planned: Stamp(
                at=self._engine.clock(),
                actor="user",
                verb="undo",
                reason=said,
                undoes=planned.versions,
            ),
        )
        self._engine.bell.ring("undone", self._space, versions=undone.versions)
        return Receipt(space=self._space, verb="undo", versions=versions)

    def foresee_undo(
        self, what: Receipt | int | None = None, *, since: Moment | None = None
    ) -> UndoPlan:
        """Returns the changes that `undo` would take back, and later ones that go along with
        `cascade`; changes nothing.

        Raises:
            InputError, NotFoundError: there is nothing to undo, or no such version.
        """
        begin = moment_of(since, "since", self._engine.clock(), first=True)
        with self._engine.store.snapshot() as snapshot:
            return foresee_undo(self._make_view(snapshot), what, since=begin)

    def _write_and_ring(
        self,
        verb: str,
        plan: Callable[[Snapshot], by_hand.HandPlan],
        reason: str = "",
        texts: Texts | None = None,
        *,
        standing: Standing = "note",
    ) -> Receipt:
        began = time.perf_counter()
        receipt = self._write_by_hand(verb, plan, reason, standing=standing)
        self._engine.bell.ring(
            "remembered",
            self._space,
            texts,
            verb=verb,
            entities=receipt.entity_ids,
            ids=receipt.ids,
            versions=receipt.versions,
            ms=(time.perf_counter() - began) * 1000,
        )
        return receipt

    def _ring_merged(self, receipt: Receipt) -> None:
        bell = self._engine.bell
        if not bell.is_heard or not receipt.entity_ids:
            return
        bell.ring(
            "merged",
            self._space,
            verb=receipt.verb,
            entities=receipt.entity_ids,
            versions=receipt.versions,
        )
        with self._engine.store.snapshot() as snapshot:
            view = self._make_view(snapshot)
            conflicts = view.conflicts(
                list(dict.fromkeys(snapshot.canonical(self._space, receipt.entity_ids).values()))
            )
        new = [
            each
            for each in conflicts
            if len(
                {fact.entity_id for fact in each.facts} | {row.from_id for row in each.relations}
            )
            > 1
        ]
        if new:
            bell.ring("conflict", self._space, count=len(new), entities=receipt.entity_ids)


def _one_conflict(found: Sequence[Conflict], attribute: str, name: str) -> Conflict:
    """The conflict of that attribute; without one, the only one.

    Raises:
        NotFoundError: there is none. InputError: there are several, and no attribute was named.
    """
    fitting = [each for each in found if attribute in ("", each.attribute)]
    if not fitting:
        raise NotFoundError(f"no conflict is open on {attribute or 'anything'} of {name!r}")
    if len(fitting) > 1:
        raise InputError(
            "several attributes are in conflict "
            f"({', '.join(each.attribute for each in fitting)}); name one"
        )
    return fitting[0]
