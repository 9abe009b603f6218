"""Bare first names of several conversations in one space: who is taken for whom.

Every conversation is learned under sessions of its own, with its own speakers. Its people are who
speaks, and whom the texts name by a given name alone. A name that recurs in other conversations
must be one entity within each, and another one across.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from bench.locomo import sessions
from bench.report import Bar, Table
from factbook.memory.memory import Memory
from factbook.model.draft import Draft, DraftEntity, DraftMention
from factbook.model.episode import Episode, StoredMessage
from factbook.model.record import Mention
from factbook.ports.models import ExtractionContext
from factbook.text.nicknames import is_known_given

_WORD = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-Z][a-z]{2,}\b")
"""A capitalized word that doesn't begin a sentence."""


class GivenNames:
    """An extractor of speakers' and given names alone."""

    name = "given-names/1"

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        del context
        return [self._read(episode) for episode in episodes]

    def _read(self, episode: Episode) -> Draft:
        speakers = {message.speaker for message in episode.messages}
        found: dict[str, list[DraftMention]] = {name: [] for name in sorted(speakers) if name}
        for message in episode.messages:
            for name, mention in _named(message, speakers):
                found.setdefault(name, []).append(mention)
        return Draft(
            episode_id=episode.id,
            extractor=self.name,
            entities=tuple(
                DraftEntity(ref=name, name=name, kind="person", mentions=tuple(mentions))
                for name, mentions in found.items()
                if mentions
            ),
        )


def _named(message: StoredMessage, speakers: set[str]) -> Iterator[tuple[str, DraftMention]]:
    for each in _WORD.finditer(message.text):
        name = each.group()
        if name in speakers or is_known_given(name.casefold()):
            yield (
                name,
                DraftMention(message_id=message.id, start=each.start(), end=each.end(), text=name),
            )


def learned(conversations: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, set[str]]]:
    """By name, the canonical entities that it was taken for in each conversation."""
    out: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    with Memory.open("ram:", extractor=GivenNames(), embedder="none", background=False) as memory:
        for conversation in conversations:
            for session, messages in sessions(conversation["conversation"]):
                memory.remember(messages, session=f"{conversation['sample_id']}/{session}")
        memory.work()
        with memory._engine.store.snapshot() as snapshot:  # pyright: ignore[reportPrivateUsage]
            mentions = list(snapshot.every(memory.space, Mention))
            homes = snapshot.canonical(memory.space, {mention.entity_id for mention in mentions})
            where = {
                key: episode.session.partition("/")[0]
                for key, episode in snapshot.episodes(
                    memory.space, {m.episode_id for m in mentions}
                ).items()
            }
        for mention in mentions:
            out[mention.text][where[mention.episode_id]].add(homes[mention.entity_id])
    return out


def measure(folder: Path) -> tuple[list[Table], list[Bar]]:
    """Learns the conversations of every JSON file of the folder in one space, and counts."""
    read: list[Any] = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))
    ]
    dicts = [
        cast("dict[str, Any]", each) for some in read for each in some if isinstance(each, dict)
    ]
    conversations = [each for each in dicts if "conversation" in each]
    names = {name: held for name, held in learned(conversations).items() if len(held) > 1}
    table = Table(
        title="Recurring first names",
        columns=["name", "conversations", "entities", "split", "shared"],
    )
    split = shared = 0
    for name, held in sorted(names.items()):
        own_split = sum(len(ids) > 1 for ids in held.values())
        every = [key for ids in held.values() for key in ids]
        own_shared = len(every) - len(set(every))
        table.add(name, len(held), len(set(every)), own_split, own_shared)
        split, shared = split + own_split, shared + own_shared
    return [table], [
        Bar(name="recurring names", value=len(names), limit=1, sign="≥"),
        Bar(name="split within a conversation", value=split, limit=0, sign="="),
        Bar(name="shared across conversations", value=shared, limit=0, sign="="),
    ]
