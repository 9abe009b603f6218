"""The form of a reply. Every list and text is bounded: a small model that loops would never end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from factbook.model.record import Hold, ObservationSort
from factbook.model.relations import LABELS

_MOST = ((400, 12, 10, 6, 6), (2_000, 24, 20, 10, 14))
"""Up to so many characters of messages, so many entities, relations, facts and observations."""
_MOST_OF_ALL = (60, 60, 30, 40)
MOST_PROPOSALS = 60
_MOST_VERDICTS = (4, 12, 30, MOST_PROPOSALS)
OTHER = "other"
JUDGED: Mapping[str, Any] = {
    "sort": {"type": "string", "enum": list(get_args(ObservationSort))},
    "holds": {"type": "string", "enum": list(get_args(Hold))},
}
"""The properties of an observation that are judged."""


def reply_schema(kinds: Iterable[str], characters: int) -> Mapping[str, Any]:
    """Returns the JSON schema: no references, patterns or alternatives, which not every server
    knows.

    It has three sizes by the characters of the messages, so that servers can keep what they make of
    it.

    A label that isn't in the vocabulary is `other`, with `verb` beside.
    """
    entities, relations, facts, observations = next(
        (most for longest, *most in _MOST if characters <= longest), _MOST_OF_ALL
    )
    said = {
        "msg": {"type": "integer"},
        "quote": _text_form(200),
        "since": _text_form(10),
        "until": _text_form(10),
        "ended": {"type": "boolean"},
        "told_by": _text_form(60),
        "weight": {"type": "number"},
    }
    entity = {
        "name": _text_form(120),
        "kind": {"type": "string", "enum": list(kinds)},
        "aliases": {"type": "array", "maxItems": 4, "items": _text_form(60)},
        "about": _text_form(160),
        "weight": {"type": "number"},
    }
    relation = {
        "from": _text_form(80),
        "label": {"type": "string", "enum": [*LABELS, OTHER]},
        "verb": _text_form(30),
        "to": _text_form(80),
        "note": _text_form(160),
        **said,
    }
    fact = {"of": _text_form(120), "key": _text_form(40), "value": _text_form(200), **said}
    observation = {
        "quote": _text_form(300),
        "msg": {"type": "integer"},
        "about": {"type": "array", "maxItems": 3, "items": _text_form(80)},
        **JUDGED,
        "weight": {"type": "number"},
        "when": _text_form(10),
        "told_by": _text_form(60),
        "stands": {"type": "array", "maxItems": 3, "items": _text_form(80)},
    }
    needed = ["quote", "msg", "about", "sort", "holds", "weight"]
    return _object_form(
        {
            "entities": _list_form(entity, ["name", "kind"], entities),
            "relations": _list_form(relation, ["from", "label", "to", "msg", "quote"], relations),
            "facts": _list_form(fact, ["of", "key", "value", "msg", "quote"], facts),
            "observations": _list_form(observation, needed, observations),
        },
        ["entities", "relations", "facts", "observations"],
    )


def with_judged(form: Mapping[str, Any], proposals: int) -> Mapping[str, Any]:
    """Returns the form with a list of verdicts on so many observations."""
    verdict = {
        "n": {"type": "integer"},
        "keep": {"type": "boolean"},
        "weight": {"type": "number"},
        **JUDGED,
    }
    most = next(size for size in _MOST_VERDICTS if proposals <= size)
    return {
        **form,
        "properties": {**form["properties"], "judged": _list_form(verdict, ["n", "keep"], most)},
        "required": [*form["required"], "judged"],
    }


def judged_form(proposals: int) -> Mapping[str, Any]:
    """Returns the form of a reply that only judges."""
    return with_judged(_object_form({}, []), proposals)


def _text_form(longest: int) -> Mapping[str, Any]:
    return {"type": "string", "maxLength": longest}


def _list_form(properties: Mapping[str, Any], required: list[str], most: int) -> Mapping[str, Any]:
    return {"type": "array", "maxItems": most, "items": _object_form(properties, required)}


def _object_form(properties: Mapping[str, Any], required: list[str]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
