"""Judging what a reply lists: what the messages bear out becomes drafts, the rest is listed as
dropped, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from factbook.extract.ground import ground_draft
from factbook.extract.llm.drops import Drops, bound_dropped
from factbook.extract.llm.entities import ReplyEntities
from factbook.extract.llm.messages import NumberedMessage
from factbook.extract.llm.reply import Listed
from factbook.extract.llm.sheet import EpisodeSheet
from factbook.extract.llm.statements import ReplyStatements
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext


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

    def make_drafts(
        self, listed: Listed, episodes: Sequence[Episode], extractor: str
    ) -> list[Draft]:
        """One draft an episode. What was dropped of the reply as a whole stands in the first."""
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
