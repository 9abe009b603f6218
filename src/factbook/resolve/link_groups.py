"""Groups of relations that bear on each other: one relation said in any way, or those that exclude
each other.

A relation is one whichever name and whichever end it was said with (`model.relations.form_of`).
Rows keep the label and the direction of whoever said it first; what is compared is their form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from factbook.model.record import SELF, EntityType, Relation, Support
from factbook.model.relations import Form, ended_by, form_of, relation_type
from factbook.model.value_equality import relation_cardinality
from factbook.resolve.validity_stretches import Group

Kinds = Callable[[str], EntityType | None]
"""The kind of an entity, by its id."""


@dataclass(frozen=True, slots=True)
class LinkKey:
    """One group: an empty end stands for any. `couples`: whoever is linked to whom one of these is
    linked to, and so on.
    """

    label: str
    from_id: str = ""
    to_id: str = ""
    couples: frozenset[str] = frozenset()


def _same_id(entity_id: str) -> str:
    return entity_id


class Links:
    """The relations that are known, by group.

    Args:
        rows: all that are known of the ends that are asked about. more: further ones, which say who
            is coupled with whom.
        home: the id that stands for an entity, where several are read as one.
    """

    def __init__(
        self,
        rows: Sequence[Relation],
        supports: Mapping[str, Sequence[Support]],
        kinds: Kinds,
        *,
        more: Iterable[Relation] = (),
        home: Callable[[str], str] = _same_id,
    ) -> None:
        self._supports, self._kinds, self._home = supports, kinds, home
        self._rows = [(row, self.form_of(row)) for row in rows]
        self._ending = [
            (row, over, lapsed)
            for row in rows
            for over, lapsed in (self._both_ends(row),)
            if over or lapsed
        ]
        self._couples = self._find_couples(
            [*(form for _, form in self._rows), *map(self.form_of, more)]
        )

    def form_of(self, row: Relation) -> Form:
        """Returns the one form of a relation."""
        return form_of(row.label, self._home(row.from_id), self._home(row.to_id), self._is_person)

    def ended_forms(self, row: Relation) -> list[Form]:
        """Returns the forms of what the relation ends by being said."""
        over, lapsed = self._both_ends(row)
        return over if row.source.until is not None else [*over, *lapsed]

    def key_of(self, form: Form) -> LinkKey:
        """Returns the group that a relation of this form is in."""
        if relation_type(form.label).one_holder:
            return LinkKey(form.label, to_id=form.to_id)
        if relation_cardinality(self._kinds(form.from_id), form.label) == "single":
            if relation_type(form.label).symmetric:
                both = frozenset((form.from_id, form.to_id))
                return LinkKey(
                    form.label, couples=self._couples.get((form.label, form.from_id), both)
                )
            return LinkKey(form.label, form.from_id)
        return LinkKey(form.label, form.from_id, form.to_id)

    def group_of(self, key: LinkKey) -> Group[Relation]:
        """Returns the known statements of the group."""
        rows = [row for row, form in self._rows if self._is_of_group(form, key)]
        endings: list[Relation] = []
        supports = dict(self._supports)
        for row, over, lapsed in self._ending:
            if row.is_retraction or row.expired_at is not None:
                continue
            if any(self._is_of_group(form, key) for form in over):
                endings.append(row)
            elif row.source.until is None and any(self._is_of_group(form, key) for form in lapsed):
                endings.append(row)
                supports[row.id] = [
                    each for each in supports.get(row.id, ()) if each.source.until is None
                ]
        several = not (key.from_id and key.to_id)
        return Group(
            rows=rows,
            supports=supports,
            value=lambda row: self.value_of(key, self._meant_form(key, row)),
            cardinality="single"
            if several
            else relation_cardinality(self._kinds(key.from_id), key.label),
            endings=endings,
            excludes=_share_one if key.couples else None,
        )

    def _is_of_group(self, form: Form, key: LinkKey) -> bool:
        return form.label == key.label and self.key_of(form) == key

    def value_of(self, key: LinkKey, form: Form) -> str:
        """Returns the value that tells the relations of a group apart."""
        if key.couples:
            return f"{form.from_id} {form.to_id}"
        return form.to_id if key.from_id else form.from_id

    def _meant_form(self, key: LinkKey, row: Relation) -> Form:
        """Returns the form of the group that a row is in, or ends."""
        own = self.form_of(row)
        if own.label == key.label:
            return own
        over, lapsed = self._both_ends(row)
        return next(form for form in (*over, *lapsed) if form.label == key.label)

    def _both_ends(self, row: Relation) -> tuple[list[Form], list[Form]]:
        return ended_by(row.label, self._home(row.from_id), self._home(row.to_id), self._is_person)

    def _is_person(self, entity_id: str) -> bool:
        kind = self._kinds(entity_id)
        return entity_id == SELF or (kind is not None and kind.id == "person")

    def _find_couples(self, forms: Iterable[Form]) -> Mapping[tuple[str, str], frozenset[str]]:
        """Returns by label and end all who are linked by relations of which one has one at a
        time.
        """
        found: dict[tuple[str, str], frozenset[str]] = {}
        for form in forms:
            if not relation_type(form.label).symmetric:
                continue
            ends = (form.from_id, form.to_id)
            joined = frozenset(ends).union(*(found.get((form.label, end), ()) for end in ends))
            found |= {(form.label, each): joined for each in joined}
        return found


def _share_one(left: str, right: str) -> bool:
    """Returns whether two couples have one of the two in common."""
    return len({*left.split(" ")} & {*right.split(" ")}) == 1
