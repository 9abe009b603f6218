"""An entity in selectools' form, and the way there and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self, cast

from factbook.learn.clock import utc_now
from factbook.model.entity import Entity as OurEntity
from factbook.text.escape import inline, lead


@dataclass
class Entity:
    """An entity as selectools has it.

    Attributes:
        first_mentioned, last_mentioned: seconds since 1970.
        aliases: ours: its other names.
    """

    name: str
    entity_type: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    first_mentioned: float = field(default_factory=lambda: utc_now().timestamp())
    last_mentioned: float = field(default_factory=lambda: utc_now().timestamp())
    mention_count: int = 1
    aliases: list[str] = field(default_factory=list[str])

    def to_dict(self) -> dict[str, Any]:
        """As values that JSON knows; `aliases` only where there are any."""
        packed: dict[str, Any] = {
            "name": self.name,
            "entity_type": self.entity_type,
            "attributes": self.attributes,
            "first_mentioned": self.first_mentioned,
            "last_mentioned": self.last_mentioned,
            "mention_count": self.mention_count,
        }
        return packed | ({"aliases": self.aliases} if self.aliases else {})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Makes one from the result of `to_dict`, ours or theirs."""
        return cls(
            name=data["name"],
            entity_type=data.get("entity_type", "unknown"),
            attributes=data.get("attributes", {}),
            first_mentioned=data.get("first_mentioned", 0),
            last_mentioned=data.get("last_mentioned", 0),
            mention_count=data.get("mention_count", 1),
            aliases=data.get("aliases", []),
        )


def as_theirs(entity: OurEntity, entity_type: str = "") -> Entity:
    now = utc_now()
    return Entity(
        entity.name,
        entity_type or entity.entity_type,
        dict(entity.attributes),
        (entity.first_seen or now).timestamp(),
        (entity.last_seen or now).timestamp(),
        entity.mentions or 1,
        list(entity.aliases),
    )


def as_ours(entity: Any) -> OurEntity:
    """Converts the argument to an entity of ours; the tracker says what is wrong with it."""
    if isinstance(entity, OurEntity) or not hasattr(entity, "mention_count"):
        return cast(OurEntity, entity)
    first: float = entity.first_mentioned
    return OurEntity(
        entity.name,
        entity.entity_type,
        entity.attributes,
        entity.mention_count,
        datetime.fromtimestamp(first, UTC) if first else None,
        aliases=list(getattr(entity, "aliases", ())),
    )


def rename_fields(packed: Mapping[str, Any]) -> dict[str, Any]:
    """A saved entity of ours under selectools' names."""
    rest = {
        key: value
        for key, value in packed.items()
        if key not in {"mentions", "first_seen", "last_seen"}
    }
    return {
        **rest,
        "first_mentioned": datetime.fromisoformat(packed["first_seen"]).timestamp(),
        "last_mentioned": datetime.fromisoformat(packed["last_seen"]).timestamp(),
        "mention_count": packed["mentions"],
    }


_SQUARE = str.maketrans("[]", "()")
_IN_KEY = re.compile(r"[,:()\s]+")
_ANOTHER_PAIR = re.compile(r",(?=[^,:]*:)")


def original_line(entity: OurEntity) -> str:
    """An entity as the original shows it. No part of it can pass for another line, type or pair."""
    kind = inline(entity.entity_type).translate(_SQUARE) or "other"
    head = f"- {lead(entity.name).translate(_SQUARE) or '?'} [{kind}]"
    pairs = ", ".join(_attribute_pair(key, value) for key, value in entity.attributes.items())
    return f"{head} ({pairs})" if pairs else head


def _attribute_pair(key: str, value: str) -> str:
    return (
        f"{_IN_KEY.sub(' ', inline(key)).strip() or '?'}: {_ANOTHER_PAIR.sub(';', inline(value))}"
    )
