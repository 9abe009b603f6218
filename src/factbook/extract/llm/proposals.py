"""Observations that the local reader proposes, and a model's verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from factbook.extract.llm import evidence, reply_lists
from factbook.extract.llm.dropped_items import bound_dropped
from factbook.extract.llm.numbered_messages import NumberedMessage
from factbook.extract.llm.reply_lists import Item
from factbook.extract.llm.reply_observations import read_hold, read_sort
from factbook.extract.llm.reply_schema import MOST_PROPOSALS
from factbook.model.draft import Draft, DraftObservation, Dropped
from factbook.model.episode import Episode

Place = tuple[str, int]
"""An episode's id, and the place of an observation in its draft."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """An observation of a local draft; `message` is the number of its message."""

    place: Place
    message: int
    observation: DraftObservation


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposals:
    """The observations to be judged in one call, at most `MOST_PROPOSALS`.

    Attributes:
        shown: their messages, without those that are read in the same call.
    """

    every: Sequence[Proposal]
    shown: Sequence[NumberedMessage]

    @property
    def episode_ids(self) -> frozenset[str]:
        return frozenset(each.place[0] for each in self.every)

    def judge(self, drafts: Sequence[Draft], verdicts: Sequence[Item]) -> list[Draft]:
        """Returns the drafts without what is not to be kept, and with the model's importance, sort
        and hold of the others.

        An observation without a clear verdict stays as it is. `dropped` tells what went
        (`not_kept`), and of how many nothing was said (`not_judged`).
        """
        said = _read_verdicts(verdicts, len(self.every))
        judged: dict[Place, DraftObservation | None] = {
            each.place: _judge_one(each.observation, said[number])
            for number, each in enumerate(self.every, 1)
            if number in said
        }
        return [self._judge_draft(each, judged) for each in drafts]

    def _judge_draft(self, draft: Draft, judged: Mapping[Place, DraftObservation | None]) -> Draft:
        if draft.episode_id not in self.episode_ids:
            return draft
        kept: list[DraftObservation] = []
        dropped = list(draft.dropped)
        for number, each in enumerate(draft.observations):
            found = judged.get((draft.episode_id, number), each)
            if found is not None:
                kept.append(found)
            else:
                dropped.append(Dropped(reason="not_kept", what=each.quote))
        asked = [each.place for each in self.every if each.place[0] == draft.episode_id]
        missing = sum(place not in judged for place in asked)
        if missing:
            dropped.append(Dropped(reason="not_judged", what=f"{missing} observations"))
        return replace(draft, observations=tuple(kept), dropped=bound_dropped(dropped))


def find_proposals(
    episodes: Sequence[Episode],
    drafts: Sequence[Draft],
    read: Sequence[NumberedMessage],
    number_further: Callable[[Sequence[Episode]], Sequence[NumberedMessage]],
) -> Proposals:
    """Returns the observations of the drafts whose words a model can see.

    Args:
        read: the messages that are read in the same call. number_further: numbers the messages of
            further episodes after them.
    """
    are_read = {each.episode_id for each in read}
    told = {(each.episode_id, one.message_id) for each in drafts for one in each.observations}
    further = number_further(
        [
            replace(each, messages=tuple(one for one in each.messages if (each.id, one.id) in told))
            for each in episodes
            if each.id not in are_read
        ]
    )
    seen = {(each.episode_id, each.message.id): each for each in (*read, *further)}
    every: list[Proposal] = []
    for draft in drafts:
        for number, each in enumerate(draft.observations):
            said = seen.get((draft.episode_id, each.message_id))
            if said is not None and evidence.find_quote_span(each.quote, said.text):
                place = (draft.episode_id, number)
                every.append(Proposal(place=place, message=said.number, observation=each))
    del every[MOST_PROPOSALS:]
    used = {each.message for each in every}
    return Proposals(every=every, shown=[each for each in further if each.number in used])


def _read_verdicts(verdicts: Sequence[Item], most: int) -> dict[int, Item]:
    """Returns the first clear verdict on each number."""
    out: dict[int, Item] = {}
    for item in verdicts:
        number = reply_lists.read_message_number(item, reply_lists.NUMBER) or 0
        is_clear = reply_lists.read_yes_or_no(item, reply_lists.KEEP) is not None
        if is_clear and 1 <= number <= most:
            out.setdefault(number, item)
    return out


def _judge_one(observation: DraftObservation, verdict: Item) -> DraftObservation | None:
    if not reply_lists.read_yes_or_no(verdict, reply_lists.KEEP):
        return None
    return replace(
        observation,
        importance=reply_lists.read_weight(verdict, observation.importance),
        sort=read_sort(verdict, observation.sort) or observation.sort,
        holds=read_hold(verdict, observation.holds) or observation.holds,
    )
