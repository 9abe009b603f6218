"""The local extractor: no model call, no key."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeVar

from factbook.errors import StoppedError
from factbook.extract.ground import ground_draft
from factbook.extract.local.clauses import network as clauses
from factbook.extract.local.clauses.decode import Clause
from factbook.extract.local.clauses.observed import observed
from factbook.extract.local.collect import Collector
from factbook.extract.local.finder import Found, NameFinder, names_known
from factbook.extract.local.languages import ForeignNames
from factbook.extract.local.naming.casing import restore
from factbook.extract.local.naming.names import names_of
from factbook.extract.local.naming.speakers import with_speakers
from factbook.extract.local.parse import Word
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
from factbook.extract.local.syntax.decode import parse_text
from factbook.extract.local.syntax.words import known_words
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext
from factbook.reader.native_gate import GATE
from factbook.reader.reading_model import Reader, shared_reader
from factbook.text.names import fold

if TYPE_CHECKING:
    from factbook.reader.reading_model import Reading

VERSION = "4"
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

PASSAGES_AT_ONCE = 64
"""Episodes are read together up to so many passages; what was read of them is not lost when the
next are broken off.
"""
CHARACTERS_AT_ONCE = 4_000
"""So much goes through a network before anybody asks whether to go on: a tenth of a second."""


@dataclass(frozen=True, slots=True)
class PassageRead:
    """A passage as the networks read it: its parse, its names, the reader's states, and its clauses."""

    passage: Passage
    words: list[Word]
    found: Found
    reading: Reading
    clauses: Sequence[tuple[int, int, Clause]]

    def again(self, known: Mapping[str, str]) -> PassageRead:
        """The same with other known names."""
        return replace(self, found=self.found.again(known)) if self.found.again else self


class LocalExtractor:
    """Reads a passage once: names, parse, what is stated and the clauses worth keeping come from networks on the
    reader's states, further facts, relations and statements from rules of our own.

    Args:
        model: reads the texts; the process's own reader if none is given.
        finder: who finds the names; our reader if none is given.
        stated: what reads relations and facts beside the rules; the model of `factbook-reader` if
            not given, or nothing where that is missing; `none` for the rules alone.
        clause_model: what parses and marks clauses; the model of `factbook-reader` if not given.
        observe: whether clauses that are worth keeping become observations.
    """

    reads_fitting = False

    def __init__(
        self,
        finder: NameFinder | None = None,
        stated: network.StatedModel | Literal["none"] | None = None,
        clause_model: clauses.ClauseModel | None = None,
        *,
        model: Reader | None = None,
        observe: bool = True,
    ) -> None:
        if stated is None and finder is None and network.is_installed():
            stated = network.StatedModel()
        self._reader = model or shared_reader()
        self._finder = finder or ForeignNames(ReaderNames())
        self._stated = None if stated == "none" else stated
        self._clauses = clause_model or clauses.ClauseModel()
        self._observe = observe
        self.after_fork()
        _ALL.add(self)

    def after_fork(self) -> None:
        """Makes ready to read in a child process: whoever held the lock doesn't live there."""
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """`local/` with the version of the rules, the reader, who else finds names, what reads beside the rules,
        and what parses and marks clauses: `local/4+reader-1f2e3d4c+stated-5a6b7c8d+clauses-9e0f1a2b`.
        """
        return self._name

    @cached_property
    def _name(self) -> str:
        parts = [
            f"local/{VERSION}",
            f"reader-{self._reader.version}",
            self._finder.name,
            f"stated-{self._stated.version}" if self._stated else "",
            f"clauses-{self._clauses.version}",
            "" if self._observe else "unobserved",
        ]
        return "+".join(part for part in parts if part)

    def load(self) -> None:
        """Loads what the first call would otherwise wait for.

        Raises:
            ConfigError: a model is missing or not the known one.
        """
        with self._lock:
            self._reader.load()
            self._clauses.load()
            if self._stated is not None:
                self._stated.load()

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        """One grounded draft an episode, in order; messages go through the parse together, a
        stretch at a time.

        Each episode is read as if those before it had been learned: their names are known in it.

        Raises:
            ConfigError: a model is missing or not the known one. StoppedError:
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
        passages_read = self._read_passages(group, context, known)
        for episode, each in group:
            those = list(islice(passages_read, len(each)))
            if drafts:
                those = [one.again(known) for one in those]
            drafts.append(self._draft(episode, those, context, known))
            _learn(known, drafts[-1])

    def _read_passages(
        self,
        group: Sequence[tuple[Episode, list[Passage]]],
        context: ExtractionContext,
        known: Mapping[str, str],
    ) -> Iterator[PassageRead]:
        """Yields what the networks make of every passage, in order."""
        all_passages = [passage for _, each in group for passage in each]
        readings: list[Reading] = []
        found: list[Found] = []
        marked: list[clauses.Marked] = []
        for stretch in _stretches([passage.text for passage in all_passages], len):
            context.check()
            with GATE.visit():
                read = self._reader.read_texts(stretch)
                readings += read
                found += self._finder.find(stretch, read, context)
                marked += self._clauses.read(read)
        texts = _restored(
            [passage.text for passage in all_passages],
            found,
            known,
            [len(each) for _, each in group],
        )
        for passage, text, reading, names, each in zip(
            all_passages, texts, readings, found, marked, strict=True
        ):
            context.check()
            words = parse_text(text, reading.spans, each.windows, self._clauses.grammar)
            yield PassageRead(passage, words, names, reading, each.clauses)

    def _draft(
        self,
        episode: Episode,
        read: Sequence[PassageRead],
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
            [(each.passage.text, each.words, each.found) for each in read],
            with_speakers(known, episode.messages),
            known_words().keys(),
        )
        scenes = [
            Scene(each.passage, each.words, those) for each, those in zip(read, names, strict=True)
        ]
        resolve(scenes)
        for scene in scenes:
            context.check()
            scene.told = tuple(hearsay(scene))
        for scene in scenes:
            if scene.passage.message.role == "user":
                for name in introductions(scene):
                    collector.introduce(scene, name)
        judged = self._judged(scenes, read, context)
        for scene, each, stated in zip(scenes, read, judged, strict=True):
            context.check()
            findings: list[Finding] = []
            if scene.passage.message.role == "user":
                for rule in RULES:
                    findings.extend(rule(scene))
                findings.extend(learned(scene, stated, findings))
                findings = without_addressees(findings, scene)
                if self._observe and _may_state(scene):
                    findings.extend(observed(scene, each.clauses))
            collector.add(scene, findings)
        return ground_draft(collector.draft(), episode, context.kinds)

    def _judged(
        self, scenes: Sequence[Scene], read: Sequence[PassageRead], context: ExtractionContext
    ) -> list[Sequence[Judged]]:
        """What is read beside the rules in what people say, for each scene."""
        out: list[Sequence[Judged]] = [()] * len(scenes)
        if self._stated is None:
            return out
        asked: dict[int, network.Asked] = {}
        for at, (scene, each) in enumerate(zip(scenes, read, strict=True)):
            if _may_state(scene):
                names = [
                    (scene.words[name.start].start, scene.words[name.end - 1].stop, name.kind)
                    for name in scene.names
                ]
                asked[at] = network.Asked(scene.passage.text, each.reading, names)
        for stretch in _stretches(list(asked), lambda at: len(asked[at].text)):
            context.check()
            given = self._stated.read([asked[at] for at in stretch])
            for at, judged in zip(stretch, given, strict=True):
                out[at] = judged
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
    found: Sequence[Found],
    known: Mapping[str, str],
    sizes: Sequence[int],
) -> list[str]:
    """The texts with capitals where names lack them; `sizes`: how many belong to each episode."""
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
