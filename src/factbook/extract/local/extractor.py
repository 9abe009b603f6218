"""The local extractor: no model call, no key."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from factbook import embed
from factbook.extract.ground import ground
from factbook.extract.local import model
from factbook.extract.local.collect import Collector
from factbook.extract.local.finder import Found, NameFinder, SpacyNames, names_known
from factbook.extract.local.languages import ForeignNames
from factbook.extract.local.naming.casing import restore
from factbook.extract.local.naming.names import names_of
from factbook.extract.local.parse import words_of
from factbook.extract.local.passages import MOST_CHARACTERS, Passage, passages
from factbook.extract.local.reader_names import ReaderNames
from factbook.extract.local.rules.beside import beside
from factbook.extract.local.rules.changes import changes
from factbook.extract.local.rules.facts import facts
from factbook.extract.local.rules.hearsay import hearsay
from factbook.extract.local.rules.introductions import introductions
from factbook.extract.local.rules.people import people
from factbook.extract.local.rules.pets import pets
from factbook.extract.local.rules.reference import resolve
from factbook.extract.local.rules.relations import relations
from factbook.extract.local.rules.statements import statements
from factbook.extract.local.scene import Finding, Scene
from factbook.extract.local.stated import network
from factbook.extract.local.stated.combine import learned
from factbook.extract.local.stated.decode import Judged
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext
from factbook.text.names import fold

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

VERSION = "3"
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
    """Finds names with our reader, and facts, relations and statements with spaCy's parse and rules of our own.

    Args:
        finder: who finds the names; our reader if none is given, or spaCy's entity recognizer where it isn't installed.
        stated: what reads relations and facts beside the rules; the model of `factbook-reader` if not given, or nothing
            where that or our reader is missing; `none` for the rules alone.
    """

    reads_fitting = False

    def __init__(
        self, finder: NameFinder | None = None, stated: network.StatedModel | Literal["none"] | None = None
    ) -> None:
        finder = finder or (SpacyNames() if embed.missing() else ReaderNames())
        if stated is None and isinstance(finder, ReaderNames) and network.is_installed():
            stated = network.StatedModel()
        self._finder = ForeignNames(finder) if isinstance(finder, ReaderNames) else finder
        self._stated = None if stated == "none" else stated
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """`local/` with the version of the rules, who finds the names, what reads beside the rules, and the pipeline that
        parses: `local/3+reader-1f2e3d4c+stated-5a6b7c8d+spacy-en_core_web_sm-3.8.0`."""
        return self._name

    @cached_property
    def _name(self) -> str:
        found = model.installed()
        parts = [
            f"local/{VERSION}",
            self._finder.name,
            f"stated-{self._stated.version}" if self._stated else "",
            f"spacy-{found.name}-{model.version(found)}" if found else "",
        ]
        return "+".join(part for part in parts if part)

    def load(self) -> None:
        """Loads what the first call would otherwise wait for.

        Raises:
            ConfigError: spaCy, its pipeline or the reader is missing or not the known one.
        """
        with self._lock:
            _ = self._nlp
            self._finder.load()
            if self._stated is not None:
                self._stated.load()

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        """One grounded draft an episode, in order; every message of all of them goes through the parse in one batch.

        Each episode is read as if those before it had been learned: their names are known in it.

        Raises:
            ConfigError: spaCy or its pipeline is missing or not the known one.
        """
        with self._lock:
            pieces = [
                [passage for message in episode.messages if message.role != "system" for passage in passages(message)]
                for episode in episodes
            ]
            known = names_known(context)
            texts = [passage.text for each in pieces for passage in each]
            found = None if self._finder.reads_parses else self._finder.find(texts, (), context)
            texts = _restored(texts, found, known, [len(each) for each in pieces])
            # Without the zone the pipeline keeps every new word that it ever read.
            with self._nlp.memory_zone():  # pyright: ignore[reportUnknownMemberType]
                docs: list[Doc] = list(self._nlp.pipe(texts, batch_size=BATCH))
                if found is None:
                    found = self._finder.find(texts, docs, context)
                read = iter(zip(docs, found, strict=True))
                drafts: list[Draft] = []
                for episode, each in zip(episodes, pieces, strict=True):
                    those = [(passage, *next(read)) for passage in each]
                    if drafts:
                        those = [
                            (passage, doc, names.again(known) if names.again else names)
                            for passage, doc, names in those
                        ]
                    drafts.append(self._draft(episode, those, context, known))
                    _learn(known, drafts[-1])
                return drafts

    @cached_property
    def _nlp(self) -> Language:
        return model.load(exclude=_PIPES - self._finder.pipes)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return model.vocabulary(self._nlp)

    def _draft(
        self,
        episode: Episode,
        read: Sequence[tuple[Passage, Doc, Found]],
        context: ExtractionContext,
        known: Mapping[str, str],
    ) -> Draft:
        collector = Collector(episode, self.name, context.user)
        for message in episode.messages:
            if len(message.text) > MOST_CHARACTERS:
                collector.drop("too_long", f"message {message.id} beyond {MOST_CHARACTERS} characters")
        parsed = [words_of(doc) for _, doc, _ in read]
        names = names_of(
            [(passage.text, words, found) for (passage, _, found), words in zip(read, parsed, strict=True)],
            known,
            self._vocabulary,
        )
        scenes = [
            Scene(passage, words, those) for (passage, _, _), words, those in zip(read, parsed, names, strict=True)
        ]
        resolve(scenes)
        for scene in scenes:
            scene.told = tuple(hearsay(scene))
        for scene in scenes:
            if scene.passage.message.role == "user":
                for name in introductions(scene):
                    collector.introduce(scene, name)
        judged = self._judged(scenes, [found for _, _, found in read])
        for scene, each in zip(scenes, judged, strict=True):
            findings: list[Finding] = []
            if scene.passage.message.role == "user":
                for rule in RULES:
                    findings.extend(rule(scene))
                findings.extend(learned(scene, each, findings))
            collector.add(scene, findings)
        return ground(collector.draft(), episode, context.kinds)

    def _judged(self, scenes: Sequence[Scene], found: Sequence[Found]) -> list[Sequence[Judged]]:
        """What is read beside the rules in what people say, for each scene."""
        out: list[Sequence[Judged]] = [()] * len(scenes)
        asked: dict[int, network.Asked] = {}
        for at, (scene, each) in enumerate(zip(scenes, found, strict=True)):
            if self._stated is not None and each.reading is not None and _may_state(scene):
                names = [
                    (scene.words[name.start].start, scene.words[name.end - 1].stop, name.kind) for name in scene.names
                ]
                asked[at] = network.Asked(scene.passage.text, each.reading, names)
        if self._stated is not None and asked:
            for at, judged in zip(asked, self._stated.read(list(asked.values())), strict=True):
                out[at] = judged
        return out


def _may_state(scene: Scene) -> bool:
    """Whether the passage is what a person says, and not a mere question."""
    said = scene.passage.text
    return scene.passage.message.role == "user" and not (said.endswith("?") and len(scene.sentences()) == 1)


def _restored(
    texts: Sequence[str], found: Sequence[Found] | None, known: Mapping[str, str], sizes: Sequence[int]
) -> list[str]:
    """The texts for the parse, with capitals where names lack them; `sizes`: how many belong to each episode."""
    if found is None:
        return [restore(text, known) for text in texts]
    met = dict(known)
    out: list[str] = []
    for size in sizes:
        these = found[len(out) : len(out) + size]
        out += [restore(text, met, each.names) for text, each in zip(texts[len(out) :], these, strict=False)]
        for name in (name for each in these for name in each.names if name.kind):
            met.setdefault(fold(name.text), name.kind)
    return out


def _learn(known: dict[str, str], draft: Draft) -> None:
    """Adds the draft's names to the known ones; a kind that is known stays."""
    for entity in draft.entities:
        key = fold(entity.name)
        if known.get(key, "other") == "other":
            known[key] = entity.kind
