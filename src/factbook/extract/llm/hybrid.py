"""The local extractor first, and a model only where it may add something."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from factbook.errors import StoppedError
from factbook.extract.llm.extractor import LlmExtractor
from factbook.extract.llm.joined_drafts import join_drafts
from factbook.extract.llm.reason_to_ask import reason_to_ask
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.usage import Usage
from factbook.ports.models import ExtractionContext, Extractor, Loading

Decide = Callable[[Episode, Draft], str | None]


class HybridExtractor:
    """Joins what two extractors find; of the model, nothing is asked where the local draft most
    likely holds it all.

    Args:
        local: asked about every episode. model: asked, in one call, about those of a batch that
            `decide` gives a reason for.
        decide: from an episode and its local draft to a reason to ask, or None.
    """

    def __init__(
        self, local: Extractor, model: LlmExtractor, *, decide: Decide = reason_to_ask
    ) -> None:
        self._local = local
        self._model = model
        self._decide = decide
        self._counts: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """Both names: `local/2+…+openai:gpt-…/1`. A draft for which no model was asked has the
        local one's.
        """
        return f"{self._local.name}+{self._model.name}"

    @property
    def counts(self) -> Mapping[str, int]:
        """Episodes: `not_asked`, and those that the model was asked about by the reason why."""
        return dict(self._counts)

    @property
    def awaits(self) -> bool:
        """Whether the model can only be awaited."""
        return self._model.awaits

    def batches(self, episodes: Sequence[Episode]) -> list[list[Episode]]:
        """Returns the episodes in parts for one call each, if the model were asked about all."""
        return self._model.batches(episodes)

    def load(self) -> None:
        """Loads what the local extractor's first call would otherwise wait for."""
        if isinstance(self._local, Loading):
            self._local.load()

    def usage(self) -> Usage:
        """Counts the model's calls."""
        return self._model.usage()

    def close(self) -> None:
        """Ends the model's connections."""
        self._model.close()

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        """Returns one draft an episode, in order, by at most one call.

        Raises:
            ModelUnavailableError: try again later. ReplyRejectedError: don't.
        """
        drafts = self._extract_locally(episodes, context)
        chosen = self._choose_episodes(episodes, drafts)
        found = self._model.extract(chosen, context) if chosen else []
        return self._join_drafts(drafts, found, context)

    async def aextract(
        self, episodes: Sequence[Episode], context: ExtractionContext
    ) -> list[Draft]:
        """Like `extract`; the model is awaited, and the local extractor works in a thread."""
        drafts = await asyncio.to_thread(self._extract_locally, episodes, context)
        chosen = self._choose_episodes(episodes, drafts)
        found = await self._model.aextract(chosen, context) if chosen else []
        return self._join_drafts(drafts, found, context)

    def _extract_locally(
        self, episodes: Sequence[Episode], context: ExtractionContext
    ) -> list[Draft]:
        try:
            return self._local.extract(episodes, context)
        except StoppedError as error:
            raise StoppedError(
                str(error)
            ) from None  # half of a draft is none: the model wasn't asked

    def _choose_episodes(
        self, episodes: Sequence[Episode], drafts: Sequence[Draft]
    ) -> list[Episode]:
        out: list[Episode] = []
        for episode, draft in zip(episodes, drafts, strict=True):
            reason = self._decide(episode, draft)
            self._counts[reason or "not_asked"] += 1
            if reason:
                out.append(episode)
        return out

    def _join_drafts(
        self, drafts: Sequence[Draft], found: Sequence[Draft], context: ExtractionContext
    ) -> list[Draft]:
        by_episode = {each.episode_id: each for each in found}
        return [
            join_drafts(each, by_episode[each.episode_id], context, self.name)
            if each.episode_id in by_episode
            else each
            for each in drafts
        ]
