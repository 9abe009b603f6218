"""The local extractor first; a model reads where it may add something, and judges what is worth
keeping.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from factbook.errors import ModelUnavailableError, ReplyRejectedError, StoppedError
from factbook.extract.llm.dropped_items import bound_dropped
from factbook.extract.llm.extractor import LlmExtractor, Request, reading_request
from factbook.extract.llm.joined_drafts import join_drafts
from factbook.extract.llm.judge_prompt import build_judge_prompt, with_judging
from factbook.extract.llm.numbered_messages import NumberedMessage
from factbook.extract.llm.proposals import Proposals, find_proposals
from factbook.extract.llm.reason_to_ask import reason_to_ask
from factbook.extract.llm.reply_lists import Listed
from factbook.extract.llm.reply_schema import judged_form, with_judged
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.usage import Usage
from factbook.ports.models import ExtractionContext, Extractor, Loading

Decide = Callable[[Episode, Draft], str | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Batch:
    """The work on one batch.

    Attributes:
        drafts: the local ones. chosen: the episodes that the model reads, too; read: their
            messages. proposals: the observations that it judges.
    """

    drafts: Sequence[Draft]
    chosen: Sequence[Episode]
    read: Sequence[NumberedMessage]
    proposals: Proposals

    def find_request(self, context: ExtractionContext) -> Request | None:
        """Returns the one call that the batch needs; None where it needs none."""
        count = len(self.proposals.every)
        if not self.read:
            return (
                Request(prompt=build_judge_prompt(self.proposals), form=judged_form(count))
                if count
                else None
            )
        reading = reading_request(self.read, context)
        if not count:
            return reading
        return Request(
            prompt=with_judging(reading.prompt, self.proposals),
            form=with_judged(reading.form, count),
        )


class HybridExtractor:
    """Joins what two extractors find, by at most one call a batch.

    Args:
        local: asked about every episode. model: reads those that `decide` gives a reason for, and
            judges the observations of all local drafts.
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
        """Both names: `local/2+…+openai:gpt-…/2`. A draft for which no model was asked, or gave no
        answer, has the local one's.
        """
        return f"{self._local.name}+{self._model.name}"

    @property
    def counts(self) -> Mapping[str, int]:
        """Episodes: `not_asked`, those of which only observations were `judged`, and those that the
        model was asked to read by the reason why.
        """
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
        """Returns one draft an episode, in order, by at most one call. Where observations were only
        to be judged and the call fails, they stay as they are.

        Raises:
            ModelUnavailableError: try again later. ReplyRejectedError: don't.
        """
        batch = self._begin_batch(episodes, self._extract_locally(episodes, context))
        request = batch.find_request(context)
        if request is None:
            return self._finish(batch, None, context)
        try:
            listed = self._model.ask(request)
        except (ModelUnavailableError, ReplyRejectedError):
            if batch.read:
                raise
            listed = None
        return self._finish(batch, listed, context)

    async def aextract(
        self, episodes: Sequence[Episode], context: ExtractionContext
    ) -> list[Draft]:
        """Like `extract`; the model is awaited, and the local extractor works in a thread."""
        drafts = await asyncio.to_thread(self._extract_locally, episodes, context)
        batch = self._begin_batch(episodes, drafts)
        request = batch.find_request(context)
        if request is None:
            return self._finish(batch, None, context)
        try:
            listed = await self._model.aask(request)
        except (ModelUnavailableError, ReplyRejectedError):
            if batch.read:
                raise
            listed = None
        return self._finish(batch, listed, context)

    def _extract_locally(
        self, episodes: Sequence[Episode], context: ExtractionContext
    ) -> list[Draft]:
        try:
            return self._local.extract(episodes, context)
        except StoppedError as error:
            raise StoppedError(
                str(error)
            ) from None  # half of a draft is none: the model wasn't asked

    def _begin_batch(self, episodes: Sequence[Episode], drafts: Sequence[Draft]) -> _Batch:
        reasons = [
            self._decide(episode, draft) for episode, draft in zip(episodes, drafts, strict=True)
        ]
        chosen = [each for each, reason in zip(episodes, reasons, strict=True) if reason]
        read = self._model.number_messages(chosen)
        further = partial(self._model.number_messages, after=read)
        proposals = find_proposals(episodes, drafts, read, further)
        for episode, reason in zip(episodes, reasons, strict=True):
            is_judged = episode.id in proposals.episode_ids
            self._counts[reason or ("judged" if is_judged else "not_asked")] += 1
        return _Batch(drafts=drafts, chosen=chosen, read=read, proposals=proposals)

    def _finish(
        self, batch: _Batch, listed: Listed | None, context: ExtractionContext
    ) -> list[Draft]:
        """Returns the drafts with what a reply says; without one, as they are."""
        found = self._model.make_drafts(listed or Listed(), batch.read, batch.chosen, context)
        by_episode = {each.episode_id: each for each in found}
        out: list[Draft] = []
        for each in batch.proposals.judge(batch.drafts, listed.judged if listed else ()):
            if each.episode_id in by_episode:
                out.append(join_drafts(each, by_episode[each.episode_id], context, self.name))
            elif listed and each.episode_id in batch.proposals.episode_ids:
                out.append(replace(each, extractor=self.name))
            else:
                out.append(each)
        if listed and not batch.read:
            lost = bound_dropped([*out[0].dropped, *listed.dropped])
            out[0] = replace(out[0], dropped=lost)
        return out
