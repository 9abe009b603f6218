"""Entities out of a text: the document's prompt, what a reply holds, and what of it the text bears
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, cast, get_args

from factbook.extract.ground import LONGEST_VALUE, ground_draft, nearest_kind
from factbook.llm.objects import Taken, first_value, read_pairs
from factbook.llm.replies import find_json
from factbook.model.draft import Draft, DraftEntity, Dropped
from factbook.model.entity import Entity
from factbook.model.episode import Episode, StoredMessage
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.model.values import in_words
from factbook.ports.models import ChatMessage
from factbook.text.names import clean_name, fold

EntityKind = Literal["person", "organization", "location", "product", "concept", "event", "other"]
"""The types of document 000."""

KINDS = {kind.id: kind for kind in BUILT_IN}
MOST_ENTITIES = 200
"""Of one reply."""
LONGEST_ATTRIBUTE = 80

_TYPE_OF: Mapping[str, EntityKind] = {
    "person": "person",
    "organization": "organization",
    "place": "location",
    "project": "product",  # as in the document's own example
    "technology": "product",
    "product": "product",
    "concept": "concept",
    "event": "event",
}
_UNNAMED = frozenset({"preference", "pain_point", "decision", "metric", "task"})
"""Kinds of the local extractor whose names are sentences of its own making."""
_NAME = ("name", "entity", "entity_name")
_TYPE = ("entity_type", "type", "kind", "category")
_ATTRIBUTES = ("attributes", "properties", "facts", "metadata", "details")
_CALLED = frozenset({"arguments", "parameters", "input", "function"})
"""The keys of a tool call, beside the tool's name."""
_LIST_OF = ("entities", "results", "result", "items", "data", *sorted(_CALLED))
LONGEST_WHAT = 160

SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "maxItems": 50,
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 160},
            "entity_type": {"type": "string", "enum": list(get_args(EntityKind))},
            "attributes": {
                "type": "object",
                "additionalProperties": {"type": "string", "maxLength": 300},
            },
        },
        "required": ["name", "entity_type", "attributes"],
    },
}
"""The form of a reply, for models that can be held to one."""

_PROMPT = '''Extract all named entities from the following text.
For each entity, provide:
- name: the canonical name
- entity_type: one of {types}
- attributes: key-value pairs of facts mentioned about the entity

Respond as a JSON array.

Text:
"""
{text}
"""'''


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """The entities of a text, and the dropped parts with their reasons."""

    entities: tuple[Entity, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def entity_prompt(text: str) -> tuple[ChatMessage, ...]:
    """The document's prompt; the text can't end its own quotation."""
    types = ", ".join(f'"{each}"' for each in get_args(EntityKind))
    return (ChatMessage(_PROMPT.format(types=types, text=text.replace('"""', "'''"))),)


def read_entities(reply: str | Mapping[str, Any], text: str, now: datetime) -> Extraction:
    """The entities of a model's reply that stand in the text.

    Args:
        reply: as it came: the text with JSON anywhere in it, or the object itself.
    """
    found, dropped = _objects_of(reply)
    read = _TextReading(dropped=dropped)
    for one in found[:MOST_ENTITIES]:
        read.take_object(one)
    if len(found) > MOST_ENTITIES:
        read.drop_part("too_many", f"{len(found) - MOST_ENTITIES} entities")
    return read.ground_entities(text, now)


def entities_of_draft(draft: Draft) -> Extraction:
    """The entities of an extractor's draft, its facts and relations as their attributes."""
    read = _TextReading(dropped=list(draft.dropped))
    attributes = _attributes_of_draft(draft, read)
    entities: dict[str, Entity] = {}
    for each in draft.entities:
        if each.kind in _UNNAMED or (each.phrase and each.ref not in attributes):
            read.drop_part("not_named", each.name)
            continue
        stated_of = {
            key: "; ".join(dict.fromkeys(values))
            for key, values in attributes.get(each.ref, {}).items()
        }
        entity = Entity(
            each.name,
            _TYPE_OF.get(each.kind, "other"),
            stated_of,
            aliases=list(each.aliases),
            description=each.description,
            importance=each.importance,
        )
        _gather_entity(entities, entity)
    return Extraction(entities=tuple(entities.values()), dropped=tuple(read.dropped))


@dataclass(frozen=True, slots=True)
class _Stated:
    """A fact or relation of a draft as an attribute of its entity."""

    ref: str
    attribute: str
    value: str
    retracts: bool


def _attributes_of_draft(draft: Draft, read: _TextReading) -> dict[str, dict[str, list[str]]]:
    """Returns the values by ref and attribute; the rest is noted as dropped."""
    names = {entity.ref: entity.name for entity in draft.entities}
    stated = [_Stated(each.ref, each.attribute, each.value, each.retracts) for each in draft.facts]
    stated += [
        _Stated(each.from_ref, each.label, names.get(each.to_ref, ""), each.retracts)
        for each in draft.relations
    ]
    attributes: dict[str, dict[str, list[str]]] = {}
    for each in stated:
        name = names.get(each.ref, "")
        said = f"{each.attribute} {each.value}"
        if each.attribute == "name" and fold(each.value) == fold(name):
            continue
        if each.retracts:
            read.drop_part("retracted", f"{names.get(each.ref, each.ref)} {said}")
        elif not each.value:
            read.drop_part("about_user", f"{names.get(each.ref, each.ref)} {said}")
        elif each.ref == SELF and SELF not in names:
            read.drop_part("about_user", said)
        else:
            of_entity = attributes.setdefault(each.ref, {})
            of_entity.setdefault(each.attribute, []).append(each.value)
    return attributes


def episode_of(text: str, now: datetime) -> Episode:
    """The text as an episode of one message."""
    message = StoredMessage(id="text", episode_id="text", at=now, text=text)
    return Episode(id="text", created_at=now, messages=(message,))


def _gather_entity(entities: dict[str, Entity], entity: Entity) -> None:
    """Adds an entity; one of the same name takes its attributes and aliases, and is one mention
    still.
    """
    key = fold(entity.name)
    known = entities.get(key)
    if known is None:
        entities[key] = entity
        return
    entities[key] = replace(
        known,
        attributes={**known.attributes, **entity.attributes},
        aliases=list(dict.fromkeys([*known.aliases, *entity.aliases])),
    )


@dataclass(slots=True)
class _TextReading:
    """Judges the objects of a reply one by one."""

    dropped: list[Dropped] = field(default_factory=list[Dropped])
    drafted: list[DraftEntity] = field(default_factory=list[DraftEntity])
    attributes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def drop_part(self, reason: str, what: str) -> None:
        self.dropped.append(Dropped(reason=reason, what=clean_name(what)[:LONGEST_ATTRIBUTE]))

    def take_object(self, one: object) -> None:
        if not isinstance(one, Mapping):
            self.drop_part("no_object", str(one))
            return
        given = cast(Mapping[str, Any], one)
        name = first_value(given, _NAME)
        if not isinstance(name, str) or not name.strip():
            self.drop_part("no_name", ", ".join(map(str, given)))
            return
        kind = first_value(given, _TYPE)
        ref = str(len(self.drafted))
        self.attributes[ref] = {
            attribute: value
            for key in _ATTRIBUTES
            for attribute, value in self._read_attributes(name, given.get(key))
        }
        aliases = self._read_aliases(name, given.get("aliases"))
        said = kind if isinstance(kind, str) else "other"
        self.drafted.append(DraftEntity(ref=ref, name=name, kind=said, aliases=tuple(aliases)))

    def _read_aliases(self, name: str, given: object) -> Iterable[str]:
        for each in cast(list[object], given) if isinstance(given, list) else [given]:
            if isinstance(each, str) and each.strip():
                yield each
            elif each not in (None, ""):
                self.drop_part("no_alias", f"{name}: {each}")

    def _read_attributes(self, name: str, given: object) -> Iterable[tuple[str, str]]:
        table = read_pairs(given)
        if given is not None and table is None:
            self.drop_part("no_attributes", f"{name} {given}")
        for key, value in (table or {}).items():
            attribute, text = clean_name(str(key)), clean_name(in_words(value))
            if not attribute or not text:
                self.drop_part("no_value", f"{name} {attribute}")
            elif len(attribute) > LONGEST_ATTRIBUTE or len(text) > LONGEST_VALUE:
                self.drop_part("too_long", f"{name} {attribute}")
            else:
                yield attribute, text

    def ground_entities(self, text: str, now: datetime) -> Extraction:
        draft = ground_draft(
            Draft(episode_id="text", entities=tuple(self.drafted)), episode_of(text, now), KINDS
        )
        entities: dict[str, Entity] = {}
        for each in draft.entities:
            kind = _TYPE_OF.get(nearest_kind(each.kind, KINDS), "other")
            _gather_entity(
                entities,
                Entity(each.name, kind, self.attributes[each.ref], aliases=list(each.aliases)),
            )
        return Extraction(
            entities=tuple(entities.values()), dropped=(*self.dropped, *draft.dropped)
        )


@dataclass(slots=True)
class _EntityListing:
    """The objects of a reply: of all the values in it, in order."""

    out: list[object] = field(default_factory=list[object])
    taken: Taken = field(default_factory=Taken)

    def take_value(self, value: object, depth: int = 4, kind: str = "") -> None:
        """Takes the objects of a list, of a wrapper around one, of a table by name, or the single
        object itself.

        Args:
            kind: what a list stands under, for objects that don't say their own.
        """
        if isinstance(value, list):
            for each in cast(list[object], value):
                if not isinstance(each, list):
                    self._take_one(each, depth, kind)
                elif depth:
                    self.take_value(cast(object, each), depth - 1, kind)
        else:
            self._take_one(value, depth, kind)

    def _take_one(self, value: object, depth: int, kind: str) -> None:
        if not isinstance(value, Mapping):
            self.out.append(value)
            return
        given = cast(Mapping[str, Any], value)
        inner = _lists_in(given)
        if isinstance(first_value(given, _NAME), str) and not set(inner) & _CALLED:
            self._add_entity(given, kind)
        elif inner and depth:
            self.taken.open(given)
            for key in inner:
                self.take_value(given[key], depth - 1, "" if key in _LIST_OF else key)
        elif tables := _table_by_name(given):
            for key, table in tables.items():
                self.taken.add(table)
                self._add_entity({"name": key, **table}, kind)
        elif given:
            self._add_entity(given, kind)

    def _add_entity(self, given: Mapping[str, Any], kind: str) -> None:
        self.taken.add(given)
        self.out.append(
            {"entity_type": kind, **given} if kind and first_value(given, _TYPE) is None else given
        )


def _objects_of(reply: str | Mapping[str, Any]) -> tuple[list[object], list[Dropped]]:
    """The objects that a reply lists, and what of it could not be read."""
    found = find_json(reply)
    listing = _EntityListing()
    with_objects: list[object] = []
    without: list[object] = []
    for value in found.values:
        listing.take_value(value)
        has_one = any(isinstance(each, Mapping) for each in listing.out)
        (with_objects if has_one else without).extend(listing.out)
        listing.out.clear()
    dropped = list(found.losses)
    if not found.values and isinstance(reply, str):
        dropped.append(Dropped(reason="no_json", what=f"a reply of {len(reply)} characters"))
    lost = (left for value in found.values for left in listing.taken.left_over(value))
    dropped += [
        Dropped(reason="unknown_form", what=clean_name(in_words(left))[:LONGEST_WHAT])
        for left in lost
    ]
    return with_objects or without, dropped


def _lists_in(given: Mapping[str, Any]) -> list[str]:
    """The keys under which entities stand: by the key's name, or since what is listed there has
    names.
    """
    known = [key for key in _LIST_OF if isinstance(given.get(key), list | Mapping)]
    named = [
        key
        for key, each in given.items()
        if isinstance(each, list) and _is_named(cast(list[object], each))
    ]
    if not known and not named and first_value(given, _NAME) is None:
        named = [key for key, each in given.items() if isinstance(each, list)][:1]
    return list(dict.fromkeys([*known, *named]))


def _is_named(listed: Sequence[object]) -> bool:
    tables = [cast(Mapping[str, Any], each) for each in listed if isinstance(each, Mapping)]
    return any(isinstance(first_value(table, _NAME), str) for table in tables)


def _table_by_name(given: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    tables = {
        key: cast(Mapping[str, Any], each)
        for key, each in given.items()
        if isinstance(each, Mapping)
    }
    return tables if len(tables) == len(given) else {}
