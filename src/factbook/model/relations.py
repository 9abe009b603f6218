"""Relations by their labels: which label another name means, the one form of a relation, and what
it ends.

A label that isn't in the table links anything, holds beside others, and says something else the
other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache

from factbook.model.record import Cardinality, Relation
from factbook.model.relation_table import RELATIONS, RelationType

LABELS: Mapping[str, str] = {each.label: each.says for each in RELATIONS if each.says}
"""The vocabulary: what each label links, from its first end to its second. Written out in
docs/extraction.md.
"""

_READ: dict[str, tuple[str, bool]] = {
    each.label: (each.broader or each.label, False) for each in RELATIONS
}
_OWN: dict[str, tuple[str, bool]] = {}
_TYPES: dict[str, RelationType] = {each.label: each for each in RELATIONS}
for _each in RELATIONS:
    _READ.update(dict.fromkeys(f"{_each.same} {_each.like}".split(), (_each.label, False)))
    _READ.update(dict.fromkeys(f"{_each.turned} {_each.turned_like}".split(), (_each.label, True)))
    _OWN.update(dict.fromkeys([_each.label, *_each.same.split()], (_each.label, False)))
    _OWN.update(dict.fromkeys(_each.turned.split(), (_each.label, True)))
    for _was in _each.was.split():
        _TYPES[_was] = RelationType(
            label=_was,
            first=_each.first,
            second=_each.second,
            symmetric=_each.symmetric,
            past_of=(_each.label,),
        )
_PLAIN = RelationType(label="")

PAST_FORMS: Mapping[str, str] = {
    each.past_of[0]: each.label for each in RELATIONS if len(each.past_of) == 1
}
"""By label of the vocabulary, the label of the vocabulary that says it of the past."""
PRESENT_FORMS: Mapping[str, str] = {past: present for present, past in PAST_FORMS.items()}
PASTS: frozenset[str] = frozenset(each.label for each in RELATIONS if each.past_of)
"""The labels of the vocabulary that say of another that it holds no longer."""
INVERSES: Mapping[str, str] = {
    each.label: each.inverse for each in RELATIONS if each.inverse and not each.inverse_of_people
}
"""Labels that say the same from the other end as another, whatever their ends, by label."""


def own_label(label: str) -> str:
    """Returns the label that other names of just the same relation stand for."""
    return _own(label)[0]


def relation_type(label: str) -> RelationType:
    """Returns the row of exactly this relation; of a label that the table doesn't know, one that
    says nothing.
    """
    return _TYPES.get(_own(label)[0], _PLAIN)


def _own(label: str) -> tuple[str, bool]:
    return _OWN.get(label, (label, False))


def known_label(label: str) -> tuple[str, bool]:
    """Returns the label of the vocabulary that a written one (in snake_case) means, and whether its
    ends change places.

    One that means none is given back as it is.
    """
    for form in (
        label,
        label.removeprefix("is_"),
        label.removeprefix("was_"),
        label.removeprefix("has_been_"),
    ):
        if form in _READ and _READ[form][0] in LABELS:
            return _READ[form]
    return label, False


@cache
def names_of_label(label: str) -> tuple[str, ...]:
    """Returns a label of the vocabulary with all that is read as it, either way round; of any
    other, only itself.
    """
    return (
        (label, *(name for name, (known, _) in _READ.items() if known == label != name))
        if label in LABELS
        else (label,)
    )


def is_symmetric(label: str) -> bool:
    """Returns whether the relation says the same when its ends change places."""
    return relation_type(label).symmetric


def inverse_of(label: str) -> str:
    """Returns the label that says the same of two people from the other end; empty where there is
    none.
    """
    others = (each.label for each in RELATIONS if each.inverse == label)
    return relation_type(label).inverse or next(others, "")


def turned_to_main(left: str, label: str, right: str) -> tuple[str, str, str]:
    """Returns the relation by the label of its inverse where that is the main one: `parent_of` for
    `child_of`.
    """
    return (right, INVERSES[label], left) if label in INVERSES else (left, label, right)


def single_labels(kind: str) -> Mapping[str, Cardinality]:
    """Returns the labels of which entities of a kind have one at a time."""
    return {
        each.label: each.cardinality
        for each in RELATIONS
        if each.cardinality == "single" and kind in each.first
    }


@dataclass(frozen=True, slots=True)
class Form:
    """The one form of a relation: equal ones have equal forms, whichever name and whichever end
    they were said with.
    """

    label: str
    from_id: str
    to_id: str


def form_of(label: str, from_id: str, to_id: str, is_person: Callable[[str], bool]) -> Form:
    """Returns the one form of a relation. `is_person` tells the kind of an end, by its id."""
    own, turned = _own(label)
    if turned:
        from_id, to_id = to_id, from_id
    row = _TYPES.get(own, _PLAIN)
    if row.inverse and (not row.inverse_of_people or is_person(to_id)):
        own, from_id, to_id = row.inverse, to_id, from_id
    elif row.symmetric and from_id > to_id:
        from_id, to_id = to_id, from_id
    return Form(own, from_id, to_id)


def seen_from(row: Relation, ids: Collection[str]) -> Relation | None:
    """Returns the relation as it is said of one of these entities; None where it is said of its
    other end alone.
    """
    form = form_of(row.label, row.from_id, row.to_id, lambda _: True)
    if form.from_id in ids:
        return replace(row, label=form.label, from_id=form.from_id, to_id=form.to_id)
    if form.to_id in ids and relation_type(form.label).symmetric:
        return replace(row, label=form.label, from_id=form.to_id, to_id=form.from_id)
    return None


def ended_by(
    label: str, from_id: str, to_id: str, is_person: Callable[[str], bool]
) -> tuple[list[Form], list[Form]]:
    """Returns the forms that such a relation says to hold no longer, and those that are over
    because it holds.
    """
    own, turned = _own(label)
    if turned:
        from_id, to_id = to_id, from_id
    over = [form_of(present, from_id, to_id, is_person) for present in _row_of_past(own).past_of]
    lapsed = [form_of(each.label, from_id, to_id, is_person) for each in _lapsing(own)]
    return over, lapsed


@cache
def bearing_labels(label: str) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the written labels that bear upon relations of a label: those that go its way, and
    those that go the other.

    These are the other names of it, of what it ends, and of what ends any of these. A symmetric one
    goes both ways.
    """
    touched = {_main(label)} | _ends(label)
    names = {label, *_TYPES, *_OWN, *_READ}
    near = touched | {_main(name) for name in names if not touched.isdisjoint(_ends(name))}
    along, against = set[str](), set[str]()
    for name in names:
        if _main(name) not in near:
            continue
        own, turned = _own(name)
        row = _TYPES.get(own, _PLAIN)
        both = row.symmetric or row.inverse_of_people
        if both or turned == bool(row.inverse):
            along.add(name)
        if both or turned != bool(row.inverse):
            against.add(name)
    return frozenset(along), frozenset(against)


def _main(label: str) -> str:
    own = _own(label)[0]
    return _TYPES.get(own, _PLAIN).inverse or own


def _ends(label: str) -> set[str]:
    """Returns the labels, of the form, of all that a label may end."""
    own = _own(label)[0]
    return {_main(present) for present in _row_of_past(own).past_of} | {
        each.label for each in _lapsing(own)
    }


def _row_of_past(own: str) -> RelationType:
    """Returns the row that tells what a label ends. What says more than a past form ("left") says
    that form, too.
    """
    return _TYPES.get(own) or _TYPES.get(_READ.get(own, ("", False))[0], _PLAIN)


def _lapsing(own: str) -> list[RelationType]:
    return [each for each in RELATIONS if each.lapses and own in each.past_of]
