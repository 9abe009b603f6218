"""The local extractor: no model call, no key."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeVar

from factbook import reader
from factbook.errors import StoppedError
from factbook.extract.ground import ground_draft
from factbook.extract.local import model
from factbook.extract.local.clauses import network as clauses
from factbook.extract.local.clauses.decode import Clause
from factbook.extract.local.clauses.observed import observed
from factbook.extract.local.collect import Collector
from factbook.extract.local.finder import Found, NameFinder, SpacyNames, names_known
from factbook.extract.local.languages import ForeignNames
from factbook.extract.local.naming.casing import restore
from factbook.extract.local.naming.names import names_of
from factbook.extract.local.naming.speakers import with_speakers
from factbook.extract.local.parse import Word, words_of
from factbook.extract.local.passages import MOST_CHARACTERS, Passage, passages
from factbook.extract.local.reader_names import ReaderNames
from factbook.extract.local.rules.addressees import without_addressees
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
from factbook.reader.native_gate import GATE
from factbook.text.names import fold

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from factbook.reader.reading_model import Reading

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
"""What is read out of what a person says; of the assistant's and tools' messages only the names
are.
"""

_PIPES = frozenset({"ner", "senter"})
PASSAGES_AT_ONCE = 64
"""Episodes are read together up to so many passages; what was read of them is not lost when the
next are broken off.
"""
CHARACTERS_AT_ONCE = 4_000
"""So much goes through the parse, or to the finder, before anybody asks whether to go on: a tenth
of a second.
"""


class LocalExtractor:
    """Finds names with our reader, and facts, relations and statements with spaCy's parse and rules
    of our own.

    Args:
        finder: who finds the names; our reader if none is given, or spaCy's entity recognizer where
            it isn't installed.
        stated: what reads relations and facts beside the rules; the model of `factbook-reader` if
            not given, or nothing where that or our reader is missing; `none` for the rules alone.
        clause_model: what marks the clauses that are worth keeping; likewise.
    """

    reads_fitting = False

    def __init__(
        self,
        finder: NameFinder | None = None,
        stated: network.StatedModel | Literal["none"] | None = None,
        clause_model: clauses.ClauseModel | Literal["none"] | None = None,
    ) -> None:
        finder = finder or (SpacyNames() if reader.missing_modules() else ReaderNames())
        if stated is None and isinstance(finder, ReaderNames) and network.is_installed():
            stated = network.StatedModel()
        if clause_model is None and isinstance(finder, ReaderNames) and clauses.is_installed():
            clause_model = clauses.ClauseModel()
        self._clauses = None if clause_model == "none" else clause_model
        self._finder = ForeignNames(finder) if isinstance(finder, ReaderNames) else finder
        self._stated = None if stated == "none" else stated
        self.after_fork()
        _ALL.add(self)

    def after_fork(self) -> None:
        """Makes ready to read in a child process: whoever held the lock doesn't live there."""
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """`local/` with the version of the rules, who finds the names, what reads beside the rules,
        and the pipeline that parses:
        `local/3+reader-1f2e3d4c+stated-5a6b7c8d+clauses-9e0f1a2b+spacy-en_core_web_sm-3.8.0`.
        """
        return self._name

    @cached_property
    def _name(self) -> str:
        found = model.installed()
        parts = [
            f"local/{VERSION}",
            self._finder.name,
            f"stated-{self._stated.version}" if self._stated else "",
            f"clauses-{self._clauses.version}" if self._clauses else "",
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
            if self._clauses is not None:
                self._clauses.load()

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        """One grounded draft an episode, in order; messages go through the parse together, a
        stretch at a time.

        Each episode is read as if those before it had been learned: their names are known in it.

        Raises:
            ConfigError: spaCy or its pipeline is missing or not the known one. StoppedError:
                `context.check` broke it off.
        """
        with self._lock:
            known = names_known(context)
            drafts: list[Draft] = []
            try:
                for group in _groups(episodes):
                    self._read(group, context, known, drafts)
            except StoppedError as error:
                raise StoppedError(str(error), done=drafts) from None
            return drafts

    def _read(
        self,
        group: Sequence[tuple[Episode, list[Passage]]],
        context: ExtractionContext,
        known: dict[str, str],
        drafts: list[Draft],
    ) -> None:
        """Appends the drafts of some episodes, and learns their names; `drafts` are those of the
        episodes before.
        """
        context.check()
        texts = [passage.text for _, each in group for passage in each]
        found = None if self._finder.reads_parses else self._found(texts, context)
        texts = _restored(texts, found, known, [len(each) for _, each in group])
        parsed, seen = self._parsed(texts, context)
        read = iter(zip(parsed, seen if found is None else found, strict=True))
        for episode, each in group:
            those = [(passage, *next(read)) for passage in each]
            if drafts:
                those = [
                    (passage, words, names.again(known) if names.again else names)
                    for passage, words, names in those
                ]
            drafts.append(self._draft(episode, those, context, known))
            _learn(known, drafts[-1])

    def _found(self, texts: Sequence[str], context: ExtractionContext) -> list[Found]:
        found: list[Found] = []
        for stretch in _stretches(texts, len):
            context.check()
            with GATE.visit():
                found += self._finder.find(stretch, (), context)
        return found

    def _parsed(
        self, texts: Sequence[str], context: ExtractionContext
    ) -> tuple[list[list[Word]], list[Found]]:
        """The words of each text, and the names of a finder that looks at parses. No parse outlives
        this.
        """
        words: list[list[Word]] = []
        found: list[Found] = []
        for stretch in _stretches(texts, len):
            context.check()
            # Without the zone the pipeline keeps every new word that it ever read.
            with GATE.visit(), self._nlp.memory_zone():  # pyright: ignore[reportUnknownMemberType]
                docs: list[Doc] = list(self._nlp.pipe(stretch))
                words += [words_of(doc) for doc in docs]
                if self._finder.reads_parses:
                    found += self._finder.find(stretch, docs, context)
        return words, found

    @cached_property
    def _nlp(self) -> Language:
        with GATE.visit():
            return model.load(exclude=_PIPES - self._finder.pipes)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        with GATE.visit():
            return model.vocabulary(self._nlp)

    def _draft(
        self,
        episode: Episode,
        read: Sequence[tuple[Passage, list[Word], Found]],
        context: ExtractionContext,
        known: Mapping[str, str],
    ) -> Draft:
        collector = Collector(episode, self.name, context.user)
        for message in episode.messages:
            if len(message.text) > MOST_CHARACTERS:
                collector.drop(
                    "too_long", f"message {message.id} beyond {MOST_CHARACTERS} characters"
                )
        names = names_of(
            [(passage.text, words, found) for passage, words, found in read],
            with_speakers(known, episode.messages),
            self._vocabulary,
        )
        scenes = [
            Scene(passage, words, those)
            for (passage, words, _), those in zip(read, names, strict=True)
        ]
        resolve(scenes)
        for scene in scenes:
            context.check()
            scene.told = tuple(hearsay(scene))
        for scene in scenes:
            if scene.passage.message.role == "user":
                for name in introductions(scene):
                    collector.introduce(scene, name)
        judged = self._judged(scenes, [found for _, _, found in read], context)
        marked = self._marked(scenes, [found for _, _, found in read], context)
        for scene, each, those in zip(scenes, judged, marked, strict=True):
            context.check()
            findings: list[Finding] = []
            if scene.passage.message.role == "user":
                for rule in RULES:
                    findings.extend(rule(scene))
                findings.extend(learned(scene, each, findings))
                findings = without_addressees(findings, scene)
                findings.extend(observed(scene, those))
            collector.add(scene, findings)
        return ground_draft(collector.draft(), episode, context.kinds)

    def _judged(
        self, scenes: Sequence[Scene], found: Sequence[Found], context: ExtractionContext
    ) -> list[Sequence[Judged]]:
        """What is read beside the rules in what people say, for each scene."""
        out: list[Sequence[Judged]] = [()] * len(scenes)
        asked: dict[int, network.Asked] = {}
        for at, (scene, each) in enumerate(zip(scenes, found, strict=True)):
            if self._stated is not None and each.reading is not None and _may_state(scene):
                names = [
                    (scene.words[name.start].start, scene.words[name.end - 1].stop, name.kind)
                    for name in scene.names
                ]
                asked[at] = network.Asked(scene.passage.text, each.reading, names)
        for stretch in _stretches(list(asked), lambda at: len(asked[at].text)):
            assert self._stated is not None, "nothing is asked without it"
            context.check()
            for at, judged in zip(
                stretch, self._stated.read([asked[at] for at in stretch]), strict=True
            ):
                out[at] = judged
        return out

    def _marked(
        self, scenes: Sequence[Scene], found: Sequence[Found], context: ExtractionContext
    ) -> list[Sequence[tuple[int, int, Clause]]]:
        """The clauses worth keeping of what people say, for each scene."""
        out: list[Sequence[tuple[int, int, Clause]]] = [()] * len(scenes)
        asked: dict[int, Reading] = {}
        for at, (scene, each) in enumerate(zip(scenes, found, strict=True)):
            if self._clauses is not None and each.reading is not None and _may_state(scene):
                asked[at] = each.reading
        for stretch in _stretches(list(asked), lambda at: len(scenes[at].passage.text)):
            assert self._clauses is not None, "nothing is asked without it"
            context.check()
            for at, those in zip(
                stretch, self._clauses.find([asked[at] for at in stretch]), strict=True
            ):
                out[at] = those
        return out


def _groups(episodes: Sequence[Episode]) -> Iterator[list[tuple[Episode, list[Passage]]]]:
    """The episodes with their passages, as many together as are read at once."""
    group: list[tuple[Episode, list[Passage]]] = []
    for episode in episodes:
        pieces = [
            passage
            for message in episode.messages
            if message.role != "system"
            for passage in passages(message)
        ]
        if group and sum(len(each) for _, each in group) + len(pieces) > PASSAGES_AT_ONCE:
            yield group
            group = []
        group.append((episode, pieces))
    if group:
        yield group


T = TypeVar("T")


def _stretches(items: Sequence[T], length: Callable[[T], int]) -> Iterator[list[T]]:
    """The items in order, cut where they have more characters than are read before anybody asks
    whether to go on.
    """
    stretch: list[T] = []
    total = 0
    for each in items:
        if stretch and total + length(each) > CHARACTERS_AT_ONCE:
            yield stretch
            stretch, total = [], 0
        stretch.append(each)
        total += length(each)
    if stretch:
        yield stretch


def _may_state(scene: Scene) -> bool:
    """Whether the passage is what a person says, and not a mere question."""
    said = scene.passage.text
    return scene.passage.message.role == "user" and not (
        said.endswith("?") and len(scene.sentences()) == 1
    )


def _restored(
    texts: Sequence[str],
    found: Sequence[Found] | None,
    known: Mapping[str, str],
    sizes: Sequence[int],
) -> list[str]:
    """The texts for the parse, with capitals where names lack them; `sizes`: how many belong to
    each episode.
    """
    if found is None:
        return [restore(text, known) for text in texts]
    met = dict(known)
    out: list[str] = []
    for size in sizes:
        these = found[len(out) : len(out) + size]
        out += [
            restore(text, met, each.names)
            for text, each in zip(texts[len(out) :], these, strict=False)
        ]
        for name in (name for each in these for name in each.names if name.kind):
            met.setdefault(fold(name.text), name.kind)
    return out


def _learn(known: dict[str, str], draft: Draft) -> None:
    """Adds the draft's names to the known ones; a kind that is known stays."""
    for entity in draft.entities:
        key = fold(entity.name)
        if known.get(key, "other") == "other":
            known[key] = entity.kind


_ALL: weakref.WeakSet[LocalExtractor] = weakref.WeakSet()


def _after_fork() -> None:
    for each in list(_ALL):
        each.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
