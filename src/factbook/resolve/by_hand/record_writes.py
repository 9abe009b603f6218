"""Entities, relations and notes written by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from factbook.errors import AmbiguousError, InputError
from factbook.model.change import Change
from factbook.model.entity import Entity
from factbook.model.record import (
    SELF,
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Hold,
    Note,
    Observation,
    ObservationSort,
    Relation,
)
from factbook.model.source import STANDING_RANK, Source
from factbook.model.value_equality import attribute_cardinality
from factbook.resolve.by_hand.hand_plan import HandPlan, count_version, hand_plan
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.draft_statements import Timelines
from factbook.resolve.entity_linking import merge_importance
from factbook.resolve.known_record import KnownRecord
from factbook.resolve.name_match import are_kinds_compatible
from factbook.text.host_ids import stored_form
from factbook.text.kind_names import declared_kind, snake_case
from factbook.text.names import fold
from factbook.text.value_forms import describe_form, fit_value

LONGEST_SHOWN = 40
"""So much of a refused value stands in the error."""


def plan_put(
    entity: Entity,
    known: KnownRecord,
    *,
    source: Source,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
    strict: bool = True,
) -> HandPlan:
    """Plans an upsert by an id of the host, or else by name or alias and kind. Of one name but
    different ids they are two.

    A new value of a single attribute closes the one before; equal ones support it; of a set, values
    parted by "; " are added. The kind stays as it was first written, unless that was `other`. A new
    name becomes an alias; the description and the metadata are replaced where new ones are given
    and the source stands no lower than the first.

    A value must have the form that the kind's schema asks for (`EntityType.forms`). An entity of a
    kind with a lifespan shows in recall for so long from now.

    Args:
        entity: an importance of 0.5 means that none was given. known: of its names.
        strict: False to keep a value of another form as it is written.

    Raises:
        InputError: a value hasn't the form that it must have; says which. AmbiguousError: several
            entities of a fitting kind bear the name.
    """
    sheet = ChangeSheet()
    kind = declared_kind(entity.entity_type, kinds) or snake_case(entity.entity_type) or "other"
    before = _find_bearer(entity, kind, known)
    schema = kinds.get(before.kind if before is not None and before.kind != "other" else kind)
    entity = _form_entity(entity, schema, strict=strict)
    row = _upsert_row(before, entity, kind, now, new_id, source)
    if schema is not None:
        row = replace(row, expires_at=schema.find_expiry(now, row.expires_at))
    if row != before:
        sheet.put_row(row, before=before)
    _put_aliases(row, entity, known, sheet, source, now, new_id)
    _put_host_ids(row, entity, known, sheet, source, now, new_id)
    timelines = Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id)
    facts = [
        (
            Fact(
                id="",
                entity_id=row.id,
                attribute=attribute,
                value=value,
                created_at=now,
                source=source,
            ),
            False,
        )
        for name, text in entity.attributes.items()
        if (attribute := snake_case(name))
        and not _shows_values(text, attribute, row.id, known, now)
        for value in _split_values(text, attribute, kinds.get(row.kind))
    ]
    timelines.add_facts(facts, {**known.entities, row.id: row})
    if before is not None and row.version == before.version:
        count_version(sheet, row, now)
    return hand_plan(sheet, (known.home_of(row.id),))


def _find_bearer(entity: Entity, kind: str, known: KnownRecord) -> EntityRecord | None:
    """Returns the one entity that the name means: by its own name before an alias, of an equal kind
    before an open one.
    """
    if entity.id and entity.id in known.entities:
        return known.entities[entity.id]
    borne = {
        known.home_of(key): known.entities[key]
        for key, ids in known.host_ids.items()
        if key in known.entities and ids.items() & entity.ids.items()
    }
    if len(borne) > 1:
        described = [f"{row.name} ({row.kind}, id {row.id})" for row in borne.values()]
        raise AmbiguousError(f"these ids are those of {' and '.join(described)}", described)
    if borne:
        return next(iter(borne.values()))
    wanted = fold(entity.name)
    aliased = {alias.entity_id for alias in known.aliases if fold(alias.name) == wanted}
    by_name = [row for row in known.entities.values() if fold(row.name) == wanted]
    by_alias = [row for row in known.entities.values() if row.id in aliased]
    for rows in (by_name, by_alias):
        for fitting in (
            [row for row in rows if row.kind == kind],
            [row for row in rows if are_kinds_compatible(row.kind, kind)],
        ):
            fitting = [row for row in fitting if not _has_another_id(row, entity, known)]
            homes = {known.home_of(row.id) for row in fitting}
            if len(homes) > 1:
                described = [f"{row.name} ({row.kind}, id {row.id})" for row in fitting]
                raise AmbiguousError(
                    f"{entity.name!r} may be {' or '.join(described)}; give the id", described
                )
            if fitting:
                return max(fitting, key=lambda row: row.id in homes)
    return None


def _has_another_id(row: EntityRecord, entity: Entity, known: KnownRecord) -> bool:
    """Returns whether the host knows it by another id than the entity's in one of its
    namespaces.
    """
    ids = {
        (space, value)
        for key, some in known.host_ids.items()
        if known.home_of(key) == known.home_of(row.id)
        for space, value in some.items()
    }
    return any(space in entity.ids and entity.ids[space] != value for space, value in ids)


def _put_host_ids(
    row: EntityRecord,
    entity: Entity,
    known: KnownRecord,
    sheet: ChangeSheet,
    source: Source,
    now: datetime,
    new_id: Callable[[], str],
) -> None:
    """Keeps the ids that the entity has not yet.

    Raises:
        InputError: it has another one in a namespace.
    """
    if _has_another_id(row, entity, known):
        raise InputError(
            f"{row.name} has another id already: {dict(known.host_ids.get(row.id, {}))}"
        )
    has = {
        item
        for key, ids in known.host_ids.items()
        if known.home_of(key) == known.home_of(row.id)
        for item in ids.items()
    }
    for item in entity.ids.items():
        if item not in has:
            sheet.put_row(
                Alias(
                    id=new_id(),
                    entity_id=row.id,
                    name=stored_form(*item),
                    created_at=now,
                    source=source,
                )
            )


def _form_entity(entity: Entity, kind: EntityType | None, *, strict: bool) -> Entity:
    """Returns the entity with its attributes and metadata in the forms of its kind; `strict` False
    keeps others as written.

    Raises:
        InputError: one has another form; says which, and what it may be.
    """
    if kind is None or not kind.forms:
        return entity
    attributes = {
        name: _form_value(name, value, kind, strict=strict)
        for name, value in entity.attributes.items()
    }
    metadata = {
        name: _form_value(name, value, kind, strict=strict)
        for name, value in entity.metadata.items()
    }
    return replace(entity, attributes=attributes, metadata=metadata)


def _form_value(name: str, value: str, kind: EntityType, *, strict: bool) -> str:
    form = kind.forms.get(snake_case(name))
    if form is None or not value.strip():
        return value
    found = fit_value(value, form)
    if found is None and strict:
        shown = value if len(value) <= LONGEST_SHOWN else f"{value[:LONGEST_SHOWN]}…"
        raise InputError(f"{name} of a {kind.id} is {describe_form(form)}, not {shown!r}")
    return value if found is None else found


def _upsert_row(
    before: EntityRecord | None,
    entity: Entity,
    kind: str,
    now: datetime,
    new_id: Callable[[], str],
    source: Source,
) -> EntityRecord:
    label = "" if entity.entity_type == kind else entity.entity_type
    if before is None:
        return EntityRecord(
            id=SELF if fold(entity.name) == SELF else new_id(),
            name=entity.name,
            kind=kind,
            label=label,
            description=entity.description,
            importance=entity.importance,
            created_at=now,
            updated_at=now,
            metadata=dict(entity.metadata),
            source=source,
        )
    outranked = STANDING_RANK[source.standing] < STANDING_RANK[before.source.standing]
    row = replace(
        before,
        description=(before.description or entity.description)
        if outranked
        else (entity.description or before.description),
        metadata={**entity.metadata, **before.metadata}
        if outranked
        else {**before.metadata, **entity.metadata},
        importance=before.importance
        if entity.importance == Entity("").importance
        else merge_importance(before.importance, entity.importance),
    )
    if before.kind == "other" and kind != "other":
        row = replace(row, kind=kind, label=label)
    return before if row == before else replace(row, version=before.version + 1, updated_at=now)


def _put_aliases(
    row: EntityRecord,
    entity: Entity,
    known: KnownRecord,
    sheet: ChangeSheet,
    source: Source,
    now: datetime,
    new_id: Callable[[], str],
) -> None:
    has = {
        fold(row.name),
        *(fold(alias.name) for alias in known.aliases_of(row.id)),
    }
    for name in (entity.name, *entity.aliases):
        if fold(name) and fold(name) not in has:
            has.add(fold(name))
            sheet.put_row(
                Alias(id=new_id(), entity_id=row.id, name=name, created_at=now, source=source)
            )


def _split_values(text: str, attribute: str, kind: EntityType | None) -> list[str]:
    if attribute_cardinality(kind, attribute) != "set":
        return [text] if text.strip() else []
    return [value for part in text.split(";") if (value := part.strip())]


def _shows_values(
    text: str, attribute: str, entity_id: str, known: KnownRecord, now: datetime
) -> bool:
    """Returns whether the text is how an `Entity` shows several current values: putting it back
    says nothing new.
    """
    current = {
        fact.value
        for fact in known.facts_of(entity_id, attribute)
        if fact.state_at(now) == "current"
    }
    return (
        len(current) > 1
        and len("; ".join(current)) == len(text)
        and all(value in text for value in current)
    )


def plan_relate(
    from_id: str,
    label: str,
    to_id: str,
    known: KnownRecord,
    *,
    note: str = "",
    valid_at: datetime | None = None,
    source: Source,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Links two known entities; said again it is supported, and a label that holds one at a
    time closes the other.

    Raises:
        InputError: both ends are one entity.
    """
    if known.home_of(from_id) == known.home_of(to_id):
        raise InputError("a relation needs two different entities")
    sheet = ChangeSheet()
    relation = Relation(
        id="",
        from_id=from_id,
        label=label,
        to_id=to_id,
        note=note,
        created_at=now,
        source=replace(source, since=valid_at),
    )
    timelines = Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id)
    timelines.add_relations([(relation, False)], known.entities)
    return hand_plan(sheet, (known.home_of(from_id), known.home_of(to_id)))


def plan_note(
    text: str,
    *,
    category: str,
    importance: float,
    persistent: bool,
    expires_at: datetime | None,
    entity_ids: tuple[str, ...],
    metadata: Mapping[str, str],
    source: Source,
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Plans a new note."""
    row = Note(
        id=new_id(),
        text=text,
        category=category,
        importance=importance,
        persistent=persistent,
        created_at=now,
        expires_at=expires_at,
        entity_ids=entity_ids,
        metadata=dict(metadata),
        source=source,
    )
    return HandPlan(changes=(Change(after=row),), entity_ids=entity_ids, ids=(row.id,))


def plan_observation(
    text: str,
    *,
    entity_ids: tuple[str, ...],
    known: Sequence[Observation],
    has_user: bool,
    sort: ObservationSort,
    holds: Hold,
    importance: float,
    expires_at: datetime | None,
    metadata: Mapping[str, str],
    source: Source,
    now: datetime,
    new_id: Callable[[], str],
) -> HandPlan:
    """Plans a new observation, or another version of one by hand with the same words of the same
    entities.

    Args:
        known: observations about any of them. has_user: the space's own user has a row already.
    """
    sheet = ChangeSheet()
    if SELF in entity_ids and not has_user:
        user = EntityRecord(
            id=SELF, name=SELF, kind="person", created_at=now, updated_at=now, source=source
        )
        sheet.put_row(user)
    by_hand = (row for row in known if not row.source.message_id)
    same = (row for row in by_hand if row.entity_ids == entity_ids and fold(row.text) == fold(text))
    before = next(same, None)
    row = Observation(
        id=before.id if before is not None else new_id(),
        text=text,
        entity_ids=entity_ids,
        sort=sort,
        holds=holds,
        importance=importance,
        version=before.version + 1 if before is not None else 1,
        created_at=before.created_at if before is not None else now,
        expires_at=expires_at,
        record_ids=before.record_ids if before is not None else (),
        metadata={**(before.metadata if before is not None else {}), **metadata},
        source=source,
    )
    sheet.put_row(row, before=before)
    return HandPlan(changes=sheet.list_changes(), entity_ids=entity_ids, ids=(row.id,))
