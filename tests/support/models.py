"""Stand-ins for models: an extractor that plays a script, and an embedder made of hashes."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from factbook.model.draft import (
    Draft,
    DraftEntity,
    DraftFact,
    DraftMention,
    DraftObservation,
    DraftRelation,
)
from factbook.model.episode import Episode, StoredMessage
from factbook.ports.models import ChatMessage, ExtractionContext
from factbook.text.index_words import index_words


@dataclass(kw_only=True)
class Script:
    """What is found in one text. Message ids, empty quotes and mentions of names are filled in from
    the message.
    """

    entities: Sequence[DraftEntity] = ()
    facts: Sequence[DraftFact] = ()
    relations: Sequence[DraftRelation] = ()
    observations: Sequence[DraftObservation] = ()


@dataclass(kw_only=True)
class ScriptedExtractor:
    """Gives what a script says of each message's text, and nothing for texts that aren't in it.

    `error` is raised instead while it is set; `seen` are the ids of the episodes it was given.
    """

    script: Mapping[str, Script] = field(default_factory=dict[str, Script])
    error: Exception | None = None
    name: str = "scripted/1"
    seen: list[str] = field(default_factory=list[str])

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        self.seen.extend(episode.id for episode in episodes)
        if self.error is not None:
            raise self.error
        return [self._draft(episode) for episode in episodes]

    def _draft(self, episode: Episode) -> Draft:
        entities: dict[str, DraftEntity] = {}
        facts: list[DraftFact] = []
        relations: list[DraftRelation] = []
        observations: list[DraftObservation] = []
        for message in episode.messages:
            script = self.script.get(message.text, Script())
            for entity in script.entities:
                found = _located(entity, message)
                known = entities.get(entity.ref)
                mentions = (*(known.mentions if known else ()), *found.mentions)
                entities[entity.ref] = replace(known or found, mentions=mentions)
            facts += [_grounded(row, message) for row in script.facts]
            relations += [_grounded(row, message) for row in script.relations]
            observations += [_grounded(row, message) for row in script.observations]
        return Draft(
            episode_id=episode.id,
            extractor=self.name,
            entities=tuple(entities.values()),
            facts=tuple(facts),
            relations=tuple(relations),
            observations=tuple(observations),
        )


@dataclass(kw_only=True)
class ScriptedModel:
    """Answers with its replies one after the other, with the last one for ever; an exception among
    them is raised.

    `asked` are the messages and schemas that it was given.
    """

    replies: Sequence[str | dict[str, Any] | Exception] = ()
    name: str = "scripted"
    asked: list[tuple[Sequence[ChatMessage], Mapping[str, Any] | None]] = field(
        default_factory=list[tuple[Sequence[ChatMessage], Mapping[str, Any] | None]]
    )

    def complete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> str | dict[str, Any]:
        reply = self.replies[min(len(self.asked), len(self.replies) - 1)]
        self.asked.append((messages, schema))
        if isinstance(reply, Exception):
            raise reply
        return reply


@dataclass(kw_only=True)
class AwaitedModel:
    """A scripted model that can only be awaited."""

    script: ScriptedModel
    name: str = "awaited"

    async def acomplete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> str | dict[str, Any]:
        return self.script.complete(messages, schema)


def draft_entity(ref: str, name: str = "", kind: str = "person", **rest: Any) -> DraftEntity:
    return DraftEntity(**{"ref": ref, "name": name or ref, "kind": kind, **rest})


def draft_observation(quote: str, *refs: str, **rest: Any) -> DraftObservation:
    return DraftObservation(**{"refs": refs, "quote": quote, "message_id": "", **rest})


def draft_fact(ref: str, attribute: str, value: str, **rest: Any) -> DraftFact:
    default: dict[str, Any] = {
        "ref": ref,
        "attribute": attribute,
        "value": value,
        "message_id": "",
        "quote": "",
    }
    return DraftFact(**{**default, **rest})


def draft_relation(from_ref: str, label: str, to_ref: str, **rest: Any) -> DraftRelation:
    default: dict[str, Any] = {
        "from_ref": from_ref,
        "label": label,
        "to_ref": to_ref,
        "message_id": "",
        "quote": "",
    }
    return DraftRelation(**{**default, **rest})


def _located(entity: DraftEntity, message: StoredMessage) -> DraftEntity:
    start = message.text.find(entity.name)
    if entity.mentions or start < 0:
        return entity
    end = start + len(entity.name)
    return replace(
        entity,
        mentions=(
            DraftMention(message_id=message.id, start=start, end=end, text=message.text[start:end]),
        ),
    )


def _grounded(row, message: StoredMessage):
    return replace(row, message_id=row.message_id or message.id, quote=row.quote or message.text)


class HashEmbedder:
    """Bags of words as unit vectors: texts that share words are alike, the same everywhere and at
    once.
    """

    def __init__(self, size: int = 32, name: str = "hash/1") -> None:
        self.name = name
        self.size = size

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> bytes:
        numbers = [0.0] * self.size
        for word in index_words(text):
            digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
            numbers[digest[0] % self.size] += 1.0 if digest[1] % 2 else -1.0
            numbers[digest[2] % self.size] += 1.0 if digest[3] % 2 else -1.0
        length = math.sqrt(sum(number * number for number in numbers)) or 1.0
        return struct.pack(f"<{self.size}f", *(number / length for number in numbers))
