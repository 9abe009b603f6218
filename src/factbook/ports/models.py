"""Ports of what reads, measures and compares text, and of who listens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from factbook.model.draft import Draft
from factbook.model.entity import Entity
from factbook.model.episode import Episode
from factbook.model.receipt import Event
from factbook.model.record import EntityType
from factbook.model.usage import Usage


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownName:
    """An entity of the space, as an extractor is told of it: `description` is one line."""

    name: str
    kind: str = "other"
    aliases: tuple[str, ...] = ()
    description: str = ""


def carry_on() -> None:
    """Lets the reader go on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExtractionContext:
    """The input of an extractor besides the text.

    Attributes:
        kinds: the space's kinds by id. known: kinds of names that the space knows already, by
            folded name.
        user: the name of the space's own user, if it is known.
        fitting: the entities of the space that these episodes may mean, the likeliest first.
        check: raises `StoppedError` once nobody waits any longer. An extractor that reads for more
            than a moment calls it between two pieces, and gives the drafts that it has with the
            error.
    """

    kinds: Mapping[str, EntityType]
    known: Mapping[str, str] = field(default_factory=dict[str, str])
    user: str = ""
    fitting: Sequence[KnownName] = ()
    check: Callable[[], None] = field(default=carry_on, repr=False, compare=False)


@runtime_checkable
class Extractor(Protocol):
    """Turns episodes into drafts. Safe to call from any thread, one call at a time."""

    @property
    def name(self) -> str:
        """Its name and version, as it stands in drafts: `local/1`, `openai:gpt-…`."""
        ...

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        """One draft an episode, in order.

        Raises:
            ModelUnavailableError: try again later. ReplyRejectedError: don't.
        """
        ...


@runtime_checkable
class Batching(Protocol):
    """An extractor that doesn't read any number of episodes in one call. Optional."""

    def batches(self, episodes: Sequence[Episode]) -> Sequence[Sequence[Episode]]:
        """The episodes, in order, in parts of at least one: each goes into one call of
        `extract`.
        """
        ...


@runtime_checkable
class AsyncExtractor(Protocol):
    """An extractor that can be awaited, for callers on an event loop. Optional."""

    @property
    def awaits(self) -> bool:
        """Whether it can only be awaited."""
        ...

    async def aextract(
        self, episodes: Sequence[Episode], context: ExtractionContext
    ) -> list[Draft]:
        """Like `Extractor.extract`."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of a fixed size."""

    @property
    def name(self) -> str:
        """The model's name and version; vectors of another name are never compared."""
        ...

    @property
    def size(self) -> int:
        """Numbers a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text, in order: `size` little-endian 32-bit floats of length 1 (all 0 for an
        empty text).
        """
        ...


@runtime_checkable
class Tokenizer(Protocol):
    """Counts tokens."""

    def count(self, text: str) -> int:
        """Counts the tokens of the text; never fewer than of a part of it cut at white space."""
        ...


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message to a language model."""

    content: str
    role: Literal["system", "user", "assistant"] = "user"


@runtime_checkable
class LanguageModel(Protocol):
    """A model that answers messages. Safe to call from any thread."""

    @property
    def name(self) -> str:
        """Its provider and name, as it stands in drafts: `openai:gpt-…`."""
        ...

    def complete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> str | dict[str, Any]:
        """The answer: its text, or the object itself where the model answers in the form of the
        JSON schema.

        Raises:
            ModelUnavailableError: try again later. ReplyRejectedError: don't.
        """
        ...


@runtime_checkable
class AsyncLanguageModel(Protocol):
    """A language model that is awaited."""

    @property
    def name(self) -> str:
        """Like `LanguageModel.name`."""
        ...

    async def acomplete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> str | dict[str, Any]:
        """Like `LanguageModel.complete`."""
        ...


@runtime_checkable
class Metered(Protocol):
    """A model or extractor that counts what it asks. Optional: who wants the figures looks for
    it.
    """

    def usage(self) -> Usage:
        """Counts the calls since it was opened. Safe to call from any thread."""
        ...


@runtime_checkable
class Loading(Protocol):
    """An extractor or embedder whose models take time to load. Optional."""

    def load(self) -> None:
        """Loads what the first call would otherwise wait for."""
        ...


@runtime_checkable
class Closing(Protocol):
    """A model or extractor that holds connections. Optional."""

    def close(self) -> None:
        """Ends them; calls under way fail."""
        ...


@runtime_checkable
class Observer(Protocol):
    """Hears of what happened, after it did, in the thread where it did. What it raises is swallowed
    and logged.

    One whose attribute `wants_texts` is true is given what was said, too (`Event.texts`).
    """

    def on_event(self, event: Event) -> None: ...


@runtime_checkable
class EntityObserver(Protocol):
    """Hears of the entities that were found, by name; an observer may be this one, the other, or
    both.
    """

    def on_entity_extraction(
        self, run_id: str, entities_extracted: int, entities_total: int, entities: list[Entity]
    ) -> None:
        """Entities were extracted and merged with what is known.

        Args:
            run_id: of the run or episode. entities_extracted: how many. entities_total: how many
                are known now.
            entities: those that were found.
        """
        ...


Listener = Observer | EntityObserver
