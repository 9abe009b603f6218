"""Amendments by hand: what holds is ended, an entity gets another name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from factbook.errors import InputError
from factbook.model.record import SELF, Alias, EntityType, Fact, Relation
from factbook.model.relations import form_of, is_symmetric
from factbook.model.source import STANDING_RANK, Source
from factbook.model.value_equality import fold_value
from factbook.resolve.by_hand.hand_plan import HandPlan, count_version, hand_plan
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.draft_statements import Timelines
from factbook.resolve.known_record import KnownRecord
from factbook.text.names import fold


def plan_end_fact(
    entity_id: str,
    attribute: str,
    value: str,
    known: KnownRecord,
    *,
    at: datetime,
    source: Source,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Ends what holds of an attribute at that time: this value, or every one where it is empty.

    Raises:
        InputError: nothing of it holds, or it began later.
    """
    held = [
        row
        for row in known.facts_of(entity_id, attribute)
        if row.holds_then_or_later(now)
        and (not value or fold_value(row.value) == fold_value(value))
    ]
    if not held:
        raise InputError(
            f"no {attribute}{f' {value!r}' if value else ''} holds that could be ended"
        )
    _check_may_end(held, at, source)
    over = replace(source, until=at)
    said = [(replace(row, id="", source=over), True) for row in _each_once(held)]
    sheet = ChangeSheet()
    Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id).add_facts(
        said, known.entities
    )
    count_version(sheet, known.entities.get(entity_id), now)
    return hand_plan(sheet, (known.home_of(entity_id),))


def _check_may_end(rows: Sequence[Fact] | Sequence[Relation], at: datetime, source: Source) -> None:
    if any(STANDING_RANK[row.source.standing] > STANDING_RANK[source.standing] for row in rows):
        raise InputError(f"the user said so, which the word of the {source.standing} does not end")
    late = [row.valid_at for row in rows if row.valid_at is not None and row.valid_at > at]
    if late:
        raise InputError(
            f"it holds since {max(late):%Y-%m-%d %H:%M}, and can't have ended before, on "
            f"{at:%Y-%m-%d}"
        )


def _each_once(facts: list[Fact]) -> list[Fact]:
    return list({(row.entity_id, fold_value(row.value)): row for row in facts}.values())


def plan_end_relation(
    entity_id: str,
    label: str,
    other_id: str,
    known: KnownRecord,
    *,
    at: datetime,
    source: Source,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Ends the relations of that label at that time: with one other entity, or with all where it is
    empty.

    Raises:
        InputError: none holds, or it began later.
    """
    says = _says_label(entity_id, label, known)
    held = [row for row in known.relations if says(row) and row.holds_then_or_later(now)]
    if other_id:
        held = [row for row in held if known.home_of(other_id) in known.homes_of(row)]
    if not held:
        raise InputError(f"no relation {label} holds that could be ended")
    _check_may_end(held, at, source)
    over = replace(source, until=at)
    said = [(replace(row, id="", note="", source=over), True) for row in held]
    sheet = ChangeSheet()
    Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id).add_relations(
        said, known.entities
    )
    return hand_plan(sheet, tuple(dict.fromkeys(chain.from_iterable(map(known.homes_of, held)))))


def _says_label(entity_id: str, label: str, known: KnownRecord) -> Callable[[Relation], bool]:
    """Tells whether a relation says this label of the entity, under whichever name and from
    whichever end.
    """
    home = known.home_of(entity_id)
    wanted = form_of(label, home, "", _always)

    def says(row: Relation) -> bool:
        form = form_of(row.label, *known.homes_of(row), _always)
        if form.label != wanted.label:
            return False
        if is_symmetric(label):
            return home in (form.from_id, form.to_id)
        return home == (form.from_id if wanted.from_id == home else form.to_id)

    return says


def _always(_: str) -> bool:
    return True


def plan_rename(
    entity_id: str,
    name: str,
    known: KnownRecord,
    *,
    source: Source,
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Gives a canonical entity another name; the one before becomes an alias.

    Raises:
        InputError: it is the space's own user, whose name is `self`; or another entity bears the
            name.
    """
    row = known.entities[entity_id]
    if entity_id == SELF:
        raise InputError(
            "the space's own user is always self; give another name with put(aliases=[…])"
        )
    namesakes = [each for each in known.entities.values() if fold(each.name) == fold(name)]
    others = [
        each for each in namesakes if each.kind == row.kind and known.home_of(each.id) != entity_id
    ]
    if others:
        raise InputError(
            f"{name!r} is the name of another {row.kind} (id {others[0].id}); merge the two, or "
            "give another name"
        )
    if row.name == name:
        return HandPlan()
    sheet = ChangeSheet()
    sheet.put_row(replace(row, name=name, version=row.version + 1, updated_at=now), before=row)
    aliases = known.aliases_of(entity_id)
    for alias in aliases:
        if fold(alias.name) == fold(name):
            sheet.take_row(alias)
    if fold(row.name) not in {fold(name), *(fold(each.name) for each in aliases)}:
        sheet.put_row(
            Alias(id=new_id(), entity_id=entity_id, name=row.name, created_at=now, source=source)
        )
    return hand_plan(sheet, (entity_id,))
