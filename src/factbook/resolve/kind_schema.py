"""What a kind's schema asks of what is said: the form of values, and how long it shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from factbook.errors import InputError
from factbook.model.entity import Entity
from factbook.model.record import EntityType
from factbook.text.kind_names import snake_case
from factbook.text.value_forms import describe_form, fit_value

LONGEST_SHOWN = 40
"""So much of a refused value stands in the error."""


def form_entity(entity: Entity, kind: EntityType | None, *, strict: bool) -> Entity:
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


def find_expiry(
    kind: EntityType | None, said: datetime, before: datetime | None = None
) -> datetime | None:
    """Returns the expiry for an entity of the kind that was spoken of at that time; never an
    earlier one.
    """
    if kind is None or kind.lifespan is None:
        return before
    try:
        until = said + kind.lifespan
    except OverflowError:
        return None
    return until if before is None else max(before, until)
