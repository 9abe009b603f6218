"""Any language model as an extractor: one call a batch, and nothing in its drafts that the messages
don't bear out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from factbook.errors import ConfigError
from factbook.extract.ground import ground_draft
from factbook.extract.llm.dropped_items import Drops, bound_dropped
from factbook.extract.llm.episode_sheet import EpisodeSheet
from factbook.extract.llm.numbered_messages import NumberedMessage, number_messages
from factbook.extract.llm.prompt import VERSION, build_prompt
from factbook.extract.llm.reply_entities import ReplyEntities
from factbook.extract.llm.reply_lists import Listed, read_reply
from factbook.extract.llm.reply_observations import ReplyObservations
from factbook.extract.llm.reply_schema import reply_schema
from factbook.extract.llm.reply_statements import ReplyStatements
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.usage import Usage
from factbook.ports.models import (
    AsyncLanguageModel,
    ChatMessage,
    Closing,
    ExtractionContext,
    LanguageModel,
    Metered,
)

MOST_CHARACTERS = 12_000
"""Of messages in one prompt: some 3,000 tokens, which with the head and a reply fit a context of
8,192.
"""
BATCH_CHARACTERS = 4_000
BATCH_MESSAGES = 12
"""In one batch: its reply has to hold what all of them say, within a ceiling of 1,500 tokens."""


def batch_episodes(
    episodes: Sequence[Episode],
    *,
    most_characters: int = BATCH_CHARACTERS,
    most_messages: int = BATCH_MESSAGES,
) -> Iterator[list[Episode]]:
    """Yields the episodes in their order as batches for one call each: of one session and project,
    and within the limits.

    An episode that is beyond the limits alone is a batch of its own; of its messages as much is
    read as fits.
    """
    batch: list[Episode] = []
    characters = messages = 0
    for episode in episodes:
        size = sum(len(each.text) for each in episode.messages if each.role != "system")
        same = bool(batch) and (batch[-1].session, batch[-1].project) == (
            episode.session,
            episode.project,
        )
        fits = (
            characters + size <= most_characters
            and messages + len(episode.messages) <= most_messages
        )
        if batch and not (same and fits):
            yield batch
            batch, characters, messages = [], 0, 0
        batch.append(episode)
        characters += size
        messages += len(episode.messages)
    if batch:
        yield batch


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One call: the prompt, and the JSON schema of its reply."""

    prompt: Sequence[ChatMessage]
    form: Mapping[str, Any]


class LlmExtractor:
    """Asks a model who and what the messages name and what is said of them.

    All episodes given go into one prompt and one call: `batches` forms what fits. What the reply
    says is judged against the messages: what they don't bear out is in the drafts' `dropped`.

    Args:
        model: whom to ask; one that can only be awaited is asked with `aextract`.
        most_characters: so much of the messages is put into one prompt; what is beyond is dropped
            as `too_long`.
    """

    def __init__(
        self, model: LanguageModel | AsyncLanguageModel, *, most_characters: int = MOST_CHARACTERS
    ) -> None:
        self._model = model
        self._most_characters = most_characters

    @property
    def name(self) -> str:
        """The model's name with the version of prompt and judge: `openai:gpt-…/1`."""
        return f"{self._model.name}/{VERSION}"

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        """Returns one grounded draft an episode, in order, by one call; none where there is nothing
        to read.

        Raises:
            ModelUnavailableError: try again later. ReplyRejectedError: don't; the reply has not the
                form asked for.
            ConfigError: the model can only be awaited.
        """
        messages = self.number_messages(episodes)
        asked = reading_request(messages, context)
        listed = self.ask(asked) if messages else Listed()
        return self.make_drafts(listed, messages, episodes, context)

    async def aextract(
        self, episodes: Sequence[Episode], context: ExtractionContext
    ) -> list[Draft]:
        """Like `extract`, without holding up the event loop.

        Raises:
            ModelUnavailableError, ReplyRejectedError: as `extract`.
        """
        messages = self.number_messages(episodes)
        asked = reading_request(messages, context)
        listed = await self.aask(asked) if messages else Listed()
        return self.make_drafts(listed, messages, episodes, context)

    def number_messages(
        self, episodes: Sequence[Episode], *, after: Sequence[NumberedMessage] = ()
    ) -> list[NumberedMessage]:
        """Returns the messages of the episodes as one prompt can hold them, after others."""
        left = self._most_characters - sum(len(each.text) for each in after)
        return number_messages(episodes, max(0, left), len(after) + 1)

    def ask(self, request: Request) -> Listed:
        """Returns the lists of the model's reply.

        Raises:
            As `extract`.
        """
        if not isinstance(self._model, LanguageModel):
            raise ConfigError(f"{self._model.name} is asynchronous; await aextract")
        return read_reply(self._model.complete(request.prompt, request.form))

    async def aask(self, request: Request) -> Listed:
        """Like `ask`, without holding up the event loop."""
        if isinstance(self._model, AsyncLanguageModel):
            return read_reply(await self._model.acomplete(request.prompt, request.form))
        return read_reply(
            await asyncio.to_thread(self._model.complete, request.prompt, request.form)
        )

    def make_drafts(
        self,
        listed: Listed,
        messages: Sequence[NumberedMessage],
        episodes: Sequence[Episode],
        context: ExtractionContext,
    ) -> list[Draft]:
        """Returns one grounded draft an episode, from what a reply lists of the messages."""
        if not messages:
            return [Draft(episode_id=each.id, extractor=self.name) for each in episodes]
        return ReplyJudge(messages, context).make_drafts(listed, episodes, self.name)

    @property
    def awaits(self) -> bool:
        """Whether the model can only be awaited."""
        return not isinstance(self._model, LanguageModel) or bool(
            getattr(self._model, "awaited", False)
        )

    def batches(self, episodes: Sequence[Episode]) -> list[list[Episode]]:
        """Returns the episodes in parts for one call each."""
        return list(
            batch_episodes(episodes, most_characters=min(BATCH_CHARACTERS, self._most_characters))
        )

    def usage(self) -> Usage:
        """Counts the model's calls, where it counts them."""
        return self._model.usage() if isinstance(self._model, Metered) else Usage()

    def close(self) -> None:
        """Ends the model's connections."""
        if isinstance(self._model, Closing):
            self._model.close()


def reading_request(messages: Sequence[NumberedMessage], context: ExtractionContext) -> Request:
    """Returns the request to read the messages."""
    return Request(
        prompt=build_prompt(messages, context),
        form=reply_schema(context.kinds, sum(len(each.text) for each in messages)),
    )


class ReplyJudge:
    """Judges one reply about one batch: its entities first, then what is said of them."""

    def __init__(self, messages: Sequence[NumberedMessage], context: ExtractionContext) -> None:
        self._messages = messages
        self._context = context
        self._drops = Drops()
        self._sheets = {each.episode_id: EpisodeSheet(context) for each in messages}
        self._entities = ReplyEntities(context, list(self._sheets.values()), self._drops)
        self._statements = ReplyStatements(
            messages, context, self._sheets, self._entities, self._drops
        )
        self._observations = ReplyObservations(messages, self._sheets, self._drops, context.user)

    def make_drafts(
        self, listed: Listed, episodes: Sequence[Episode], extractor: str
    ) -> list[Draft]:
        """Returns one draft an episode. What was dropped of the reply as a whole stands in the
        first.
        """
        for each in self._messages:
            if each.is_cut:
                self._drops.note_dropped(
                    "too_long", f"message {each.message.id} beyond {len(each.text)} characters"
                )
            self._sheets[each.episode_id].add_message(each)
        for item in listed.entities:
            self._entities.take_entity(item)
        for sheet in self._sheets.values():
            for name in sheet.part_joined_names():
                self._drops.note_dropped("compound", name)
            sheet.introduce_speakers()
        for item in listed.facts:
            self._statements.take_fact(item)
        for item in listed.relations:
            self._statements.take_relation(item)
        for item in listed.observations:
            self._observations.take_observation(item)
        drafts = [self._make_draft(each, extractor) for each in episodes]
        dropped = [*listed.dropped, *self._drops.every, *drafts[0].dropped]
        return [replace(drafts[0], dropped=bound_dropped(dropped)), *drafts[1:]]

    def _make_draft(self, episode: Episode, extractor: str) -> Draft:
        sheet = self._sheets.get(episode.id)
        if sheet is None:
            return Draft(episode_id=episode.id, extractor=extractor)
        draft = sheet.make_draft(episode.id, extractor)
        grounded = ground_draft(draft, episode, self._context.kinds)
        return replace(grounded, dropped=bound_dropped(grounded.dropped))
