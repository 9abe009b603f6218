"""The one value that goes through recall: a question with everything that answering it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from factbook.errors import ConfigError
from factbook.model.line import LineFilter
from factbook.model.recollection import ContextFormat
from factbook.model.record import EntityType
from factbook.ports.models import Embedder, Tokenizer
from factbook.ports.snapshot import Snapshot
from factbook.recall.weights import DEFAULT, Weights
from factbook.render.custom import FormMaker

Rules = Literal["none", "by_hand", "all"]
"""Working rules that a context tells; `by_hand` are those that somebody wrote as such."""
MOST_LOOKED_AT = 2_000
"""Entities, where a filter leaves nothing of those seen last."""


class CachedEmbedder:
    """Embeds each text once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, bytes] = {}

    @property
    def name(self) -> str:
        """As `Embedder.name`."""
        return self._embedder.name

    @property
    def size(self) -> int:
        """As `Embedder.size`."""
        return self._embedder.size

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """As `Embedder.embed`."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            self._known.update(zip(fresh, self._embedder.embed(fresh), strict=True))
        return [self._known[text] for text in texts]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallRequest:
    """A question, or a context that is wanted, on its way through recall.

    Attributes:
        snapshot: one consistent view of the store.
        spaces: the first is the asker's own; lines of the others are marked.
        space: the one of them that a step reads.
        question: as it was asked; empty for a context without one.
        budget: most tokens of the text, by `tokenizer`, headings and tags included.
        where: which lines may be said. kinds: of the first space, by id.
        embedder: None to go by words alone.
        whole: a context is made, which tells what kinds have of their own.
        form: of a context: `memory` shows lines; any other, whole entities.
        learns: a context tells what waits to be learned, too.
        about: canonical ids, in the first space, of those whose profile a context tells. rules:
            which of the agent's working rules it tells.
    """

    snapshot: Snapshot
    spaces: Sequence[str]
    space: str = ""
    question: str = ""
    budget: int
    where: LineFilter
    kinds: Mapping[str, EntityType]
    now: datetime
    tokenizer: Tokenizer
    embedder: Embedder | None = None
    weights: Weights = DEFAULT
    whole: bool = False
    form: ContextFormat | FormMaker = "memory"
    learns: bool = False
    about: Sequence[str] = ()
    rules: Rules = "none"

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise ConfigError(f"a budget is a number of tokens above 0, not {self.budget}")

    @property
    def asked(self) -> str:
        """The question as it is understood: that of a context without the space around it."""
        return self.question.strip() if self.whole else self.question

    @property
    def mark(self) -> str:
        """The mark of the lines of the space that is read; empty for the asker's own."""
        return "" if self.space == self.spaces[0] else self.space

    def split_spaces(self) -> list[RecallRequest]:
        """Returns the request for each of its spaces."""
        return [replace(self, space=space) for space in self.spaces]

    def entity_pages(self, size: int, kinds: Sequence[str] = ()) -> Iterator[list[str]]:
        """Yields the space's entities, last seen first, a page at a time, as far as a filter may
        make one look; each page after the first is as long as those before it together.
        """
        seen, more = 0, size
        while seen < MOST_LOOKED_AT and (
            ids := self.snapshot.entity_ids(self.space, kinds=kinds, limit=more, offset=seen)
        ):
            yield ids
            seen += len(ids)
            if len(ids) < more:
                return
            more = seen
