"""A JSON schema in the forms that servers take it, and a prompt's parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from factbook.ports.models import ChatMessage

WRAPPER = "items"
"""The one property of the object around a schema that isn't one: most servers insist on an
object.
"""
NAME = "reply"
"""Of the schema, or of the tool that takes it."""

_KEPT = frozenset(
    "type properties required additionalProperties items enum const anyOf $ref $defs description "
    "title".split()
)
"""Keywords that strict decoding takes everywhere; bounds aren't among them."""


def as_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the schema, within an object if it isn't one itself."""
    if schema.get("type") == "object":
        return dict(schema)
    return {
        "type": "object",
        "properties": {WRAPPER: dict(schema)},
        "required": [WRAPPER],
        "additionalProperties": False,
    }


def is_strict(schema: Mapping[str, Any]) -> bool:
    """Returns whether strict decoding takes it: every object lists what it holds, needs all of it
    and allows nothing more.
    """
    if "properties" in schema or schema.get("type") == "object":
        properties = cast(Mapping[str, Any], schema.get("properties", {}))
        if schema.get("additionalProperties") is not False or set(
            schema.get("required", ())
        ) != set(properties):
            return False
    return all(is_strict(each) for each in _subschemas(schema))


def all_required(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the schema with every property of a closed object needed: what was optional may be
    null instead.
    """
    out = dict(schema)
    if isinstance(items := schema.get("items"), Mapping):
        out["items"] = all_required(cast(Mapping[str, Any], items))
    properties = cast(Mapping[str, Mapping[str, Any]], schema.get("properties", {}))
    needed = cast(Sequence[str], schema.get("required", ()))
    if schema.get("additionalProperties") is not False or not properties:
        return out
    inner = {name: all_required(each) for name, each in properties.items()}
    null = {"type": "null"}
    out["properties"] = {
        name: each if name in needed else {"anyOf": [each, null]} for name, each in inner.items()
    }
    out["required"] = list(properties)
    return out


def without_bounds(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the schema with nothing but what strict decoding takes. Its names of properties are
    left alone.
    """
    out: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            out[key] = {
                name: without_bounds(each) for name, each in cast(Mapping[str, Any], value).items()
            }
        elif key in ("items", "additionalProperties") and isinstance(value, Mapping):
            out[key] = without_bounds(cast(Mapping[str, Any], value))
        elif key == "anyOf":
            out[key] = [without_bounds(each) for each in cast(Sequence[Mapping[str, Any]], value)]
        elif key in _KEPT:
            out[key] = value
    return out


def _subschemas(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    parts: list[Any] = [
        schema.get("items"),
        schema.get("additionalProperties"),
        *schema.get("anyOf", ()),
    ]
    for key in ("properties", "$defs"):
        parts.extend(cast(Mapping[str, Any], schema.get(key, {})).values())
    return [part for part in parts if isinstance(part, Mapping)]


def chat_messages(messages: Sequence[ChatMessage]) -> list[dict[str, str]]:
    """Returns the messages as every API takes them."""
    # Half of a surrogate pair can't be sent, and a client would name the whole text in its error.
    return [
        {"role": each.role, "content": each.content.encode("utf-8", "replace").decode()}
        for each in messages
    ]


def system_apart(messages: Sequence[ChatMessage]) -> tuple[str, list[dict[str, str]]]:
    """Returns the system's words as one text, and the other messages; at least one of these, as
    Anthropic wants it.
    """
    system = "\n\n".join(
        each["content"] for each in chat_messages(messages) if each["role"] == "system"
    )
    told = [each for each in chat_messages(messages) if each["role"] != "system"]
    return (system, told) if told else ("", [{"role": "user", "content": system}])
