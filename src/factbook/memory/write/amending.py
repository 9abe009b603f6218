"""Amending a memory by hand: ending what holds, and renaming."""

from __future__ import annotations

from dataclasses import replace

from factbook.errors import InputError
from factbook.learn.gather import gather_names
from factbook.memory.write.writing import Writes
from factbook.model.receipt import Receipt
from factbook.model.source import Standing
from factbook.ports.snapshot import Snapshot
from factbook.resolve import by_hand
from factbook.text.argument_checks import check_text
from factbook.text.date_arguments import Moment, moment_of
from factbook.text.host_ids import is_host_id
from factbook.text.kind_names import snake_case
from factbook.text.names import fold
from factbook.views.view import SELF_NAMES


class Amending(Writes):
    """The amending verbs of `Memory`: commits that `undo` takes back."""

    def end(
        self,
        name: str,
        *,
        attribute: str = "",
        value: str = "",
        relation: str = "",
        to: str = "",
        at: Moment | None = None,
        reason: str = "",
        session: str = "",
        project: str = "",
        standing: Standing = "note",
    ) -> Receipt:
        """Says that something holds no longer: it stays in the history, as what held until then.

        Args:
            attribute: what ends: all of its values, or the one `value`.
            relation: the same of a relation, with everybody or with the one that `to` names; from
                whichever end it was said.
            at: when it ended (a period stands for its beginning), now where it isn't given.
            standing: whose word it is, as for `put`; it can't end what a higher one said.

        Raises:
            NotFoundError, AmbiguousError: a name has no one bearer. InputError: neither or both of
                an attribute and a relation are given, nothing of it holds, it began later, or a
                higher standing said it.
        """
        what, label = (
            snake_case(check_text(attribute, "an attribute")),
            snake_case(check_text(relation, "a relation")),
        )
        if bool(what) == bool(label):
            raise InputError("ending needs either an attribute or a relation")
        if value if label else to:
            raise InputError("value= goes with an attribute, to= with a relation")
        wanted, said = check_text(value, "a value"), self._mask_reason(reason)
        moment = moment_of(at, "at", self._engine.clock(), first=True)

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            view, source, given = (
                self._make_view(snapshot),
                self._by_hand(session, project, standing),
                self._read_given(snapshot),
            )
            key, when = view.resolve(name), moment or given["now"]
            if what:
                known = gather_names(snapshot, self._space, [], ids=[key], attributes=[what])
                return by_hand.plan_end_fact(
                    key, what, wanted, known, at=when, source=source, **given
                )
            other = view.resolve(to) if to else ""
            known = gather_names(
                snapshot, self._space, [], ids=[key, *([other] if other else [])], labels=[label]
            )
            return by_hand.plan_end_relation(
                key, label, other, known, at=when, source=source, **given
            )

        return self._write_and_ring("end", plan_changes, said, standing=standing)

    def rename(self, name: str, new_name: str, *, reason: str = "") -> Receipt:
        """Gives an entity another name; the one before stays as an alias, and finds it.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: the new name is
                empty, one of the words for the space's own user, or that of another entity of the
                kind.
        """
        guard = self._make_guard()
        wanted = guard.mask_text(check_text(new_name, "a name")).strip()
        if not fold(wanted) or fold(wanted) in SELF_NAMES or is_host_id(new_name):
            raise InputError(f"{new_name!r} is no name for an entity")
        said = self._mask_reason(reason)

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            key = self._make_view(snapshot).resolve(name)
            known = gather_names(snapshot, self._space, [wanted], ids=[key])
            source, given = self._by_hand("", ""), self._read_given(snapshot)
            return by_hand.plan_rename(
                key, wanted, known, source=source, now=given["now"], new_id=given["new_id"]
            )

        return replace(
            self._write_and_ring("rename", plan_changes, said), masked=dict(guard.counts)
        )
