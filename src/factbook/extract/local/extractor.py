"""The local extractor: no model call, no key."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from factbook.extract.ground import ground
from factbook.extract.local import model
from factbook.extract.local.collect import Collector
from factbook.extract.local.finder import FoundName, NameFinder, SpacyNames
from factbook.extract.local.naming.casing import restore
from factbook.extract.local.naming.names import names_of
from factbook.extract.local.parse import words_of
from factbook.extract.local.passages import MOST_CHARACTERS, Passage, passages
from factbook.extract.local.rules.beside import beside
from factbook.extract.local.rules.changes import changes
from factbook.extract.local.rules.facts import facts
from factbook.extract.local.rules.introductions import introductions
from factbook.extract.local.rules.people import people
from factbook.extract.local.rules.pets import pets
from factbook.extract.local.rules.reference import resolve
from factbook.extract.local.rules.relations import relations
from factbook.extract.local.rules.statements import statements
from factbook.extract.local.scene import Finding, Scene
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

VERSION = "1"
"""Goes up when the rules change what is found."""

RULES: tuple[Callable[[Scene], Iterable[Finding]], ...] = (
    people,
    beside,
    changes,
    relations,
    pets,
    facts,
    statements,
)
"""What is read out of what a person says; of the assistant's and tools' messages only the names are."""

_PIPES = frozenset({"ner", "senter"})
BATCH = 64


class LocalExtractor:
    """Finds names, facts, relations and statements with spaCy's parse and rules of our own.

    Args:
        finder: who finds the names; spaCy's entity recognizer if none is given.
    """

    def __init__(self, finder: NameFinder | None = None) -> None:
        self._finder = finder or SpacyNames()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """`local/` with the version of the rules, and the pipeline that is used: `local/1+spacy-en_core_web_sm-3.8.0`."""
        found = model.installed()
        return f"local/{VERSION}+spacy-{found.name}-{model.version(found)}" if found else f"local/{VERSION}"

    def load(self) -> None:
        """Loads what the first call would otherwise wait for.

        Raises:
            ConfigError: spaCy or its pipeline is missing or not the known one.
        """
        with self._lock:
            _ = self._nlp

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        """One grounded draft an episode, in order; every message of all of them goes through the parse in one batch.

        Raises:
            ConfigError: spaCy or its pipeline is missing or not the known one.
        """
        with self._lock:
            pieces = [
                [passage for message in episode.messages if message.role != "system" for passage in passages(message)]
                for episode in episodes
            ]
            texts = [restore(passage.text, context.known) for each in pieces for passage in each]
            # Without the zone the pipeline keeps every new word that it ever read.
            with self._nlp.memory_zone():  # pyright: ignore[reportUnknownMemberType]
                docs: list[Doc] = list(self._nlp.pipe(texts, batch_size=BATCH))
                found = self._finder.find(texts, docs, context)
                read = iter(zip(docs, found, strict=True))
                return [
                    self._draft(episode, [(passage, *next(read)) for passage in each], context)
                    for episode, each in zip(episodes, pieces, strict=True)
                ]

    @cached_property
    def _nlp(self) -> Language:
        return model.load(exclude=_PIPES - self._finder.pipes)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return model.vocabulary(self._nlp)

    def _draft(
        self, episode: Episode, read: Sequence[tuple[Passage, Doc, Sequence[FoundName]]], context: ExtractionContext
    ) -> Draft:
        collector = Collector(episode, self.name, context.user)
        for message in episode.messages:
            if len(message.text) > MOST_CHARACTERS:
                collector.drop("too_long", f"message {message.id} beyond {MOST_CHARACTERS} characters")
        parsed = [words_of(doc) for _, doc, _ in read]
        names = names_of(
            [(passage.text, words, found) for (passage, _, found), words in zip(read, parsed, strict=True)],
            context.known,
            self._vocabulary,
        )
        scenes = [
            Scene(passage, words, those) for (passage, _, _), words, those in zip(read, parsed, names, strict=True)
        ]
        resolve(scenes)
        for scene in scenes:
            if scene.passage.message.role == "user":
                for name in introductions(scene):
                    collector.introduce(scene, name)
        for scene in scenes:
            findings: list[Finding] = []
            if scene.passage.message.role == "user":
                for rule in RULES:
                    findings.extend(rule(scene))
            collector.add(scene, findings)
        return ground(collector.draft(), episode, context.kinds)
