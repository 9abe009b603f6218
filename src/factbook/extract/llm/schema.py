"""The form of a reply. Every list and text is bounded: a small model that loops would never end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from factbook.model.relations import LABELS

_MOST = ((400, 12, 10, 6), (2_000, 24, 20, 10))
"""Up to so many characters of messages, so many entities, relations and facts."""
_MOST_OF_ALL = (60, 60, 30)
OTHER = "other"


def schema(kinds: Iterable[str], characters: int) -> Mapping[str, Any]:
    """The JSON schema: no references, patterns or alternatives, which not every server knows.

    It has three sizes by the characters of the messages, so that servers can keep what they make of
    it.

    A label that isn't in the vocabulary is `other`, with `verb` beside.
    """
    entities, relations, facts = next(
        (most for longest, *most in _MOST if characters <= longest), _MOST_OF_ALL
    )
    said = {
        "msg": {"type": "integer"},
        "quote": _text(200),
        "since": _text(10),
        "until": _text(10),
        "ended": {"type": "boolean"},
        "told_by": _text(60),
        "weight": {"type": "number"},
    }
    entity = {
        "name": _text(120),
        "kind": {"type": "string", "enum": list(kinds)},
        "aliases": {"type": "array", "maxItems": 4, "items": _text(60)},
        "about": _text(160),
        "weight": {"type": "number"},
    }
    relation = {
        "from": _text(80),
        "label": {"type": "string", "enum": [*LABELS, OTHER]},
        "verb": _text(30),
        "to": _text(80),
        "note": _text(160),
        **said,
    }
    fact = {"of": _text(120), "key": _text(40), "value": _text(200), **said}
    return _object(
        {
            "entities": _list(entity, ["name", "kind"], entities),
            "relations": _list(relation, ["from", "label", "to", "msg", "quote"], relations),
            "facts": _list(fact, ["of", "key", "value", "msg", "quote"], facts),
        },
        ["entities", "relations", "facts"],
    )


def _text(longest: int) -> Mapping[str, Any]:
    return {"type": "string", "maxLength": longest}


def _list(properties: Mapping[str, Any], required: list[str], most: int) -> Mapping[str, Any]:
    return {"type": "array", "maxItems": most, "items": _object(properties, required)}


def _object(properties: Mapping[str, Any], required: list[str]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
