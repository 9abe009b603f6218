"""Judging the observations of a reply: words of one message of a user, whom they are about, and the
names that their pronouns stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast, get_args

from factbook.extract.ground import splits_word
from factbook.extract.llm import evidence, reply_lists
from factbook.extract.llm.dropped_items import Drops
from factbook.extract.llm.episode_sheet import STATEMENTS, EpisodeSheet, SheetEntity
from factbook.extract.llm.evidence import Span
from factbook.extract.llm.numbered_messages import NumberedMessage
from factbook.extract.llm.reply_lists import Item
from factbook.extract.llm.statement_proof import Proof, find_quoted
from factbook.llm.objects import first_value
from factbook.model.draft import DraftObservation
from factbook.model.record import Hold, ObservationSort
from factbook.text.kind_names import snake_case

MOST_ABOUT = 3
"""Of an observation: whom and what it is about."""
UNCLEAR = 0.3
"""The most that words are worth of whose subject nobody knows."""
_SORTS: Mapping[str, ObservationSort] = {each: each for each in get_args(ObservationSort)}
_HOLDS: Mapping[str, Hold] = {each: each for each in get_args(Hold)}
_EVENTS = frozenset({"event", "plan", "decision", "commitment"})
_PEOPLE = frozenset("he she him her his hers".split())
_THINGS = frozenset("it its".split())
_EITHER = frozenset("they them their theirs".split())
_OPEN = re.compile(rf"\b(?:{'|'.join(sorted(_PEOPLE | _EITHER))})\b(?! \[)", re.IGNORECASE)
"""A pronoun that means people, without a name beside it."""
_EQUAL = re.compile("=|:|->|→")


class ReplyObservations:
    """Takes what a reply lists as observations into the sheet of the episode that says them."""

    def __init__(
        self,
        messages: Sequence[NumberedMessage],
        sheets: Mapping[str, EpisodeSheet],
        drops: Drops,
        user: str,
    ) -> None:
        self._messages = messages
        self._sheets = sheets
        self._drops = drops
        self._user = user
        self._taken: list[Proof] = []
        self._named: dict[tuple[str, str], list[tuple[int, Span]]] = {}

    def take_observation(self, item: Item) -> None:
        proof = find_quoted(item, self._messages)
        reason = proof if isinstance(proof, str) else self._take_quoted(item, trim_proof(proof))
        if reason:
            self._drops.note_dropped(reason, reply_lists.read_text(item, reply_lists.QUOTE))

    def _take_quoted(self, item: Item, proof: Proof) -> str:
        """Takes an observation; why not, if it isn't taken."""
        sort, holds = read_sort(item), read_hold(item)
        if sort is None or holds is None:
            return "unknown_sort"
        if doubt := doubt_words(proof):
            return doubt
        if any(_is_within(proof, each) or _is_within(each, proof) for each in self._taken):
            return "said_already"
        sheet = self._sheets[proof.said.episode_id]
        told_by = proof.find_teller(item, sheet, self._user)
        if told_by is None:
            return "ungrounded"
        about = self._find_about(item, proof, sheet)
        if isinstance(about, str):
            return about
        self._taken.append(proof)
        when = proof.find_times(item, state=sort not in _EVENTS)
        if when.wrong:
            self._drops.note_dropped("wrong_date", proof.quote)
        text = self._add_names(item, proof, sheet)
        importance = reply_lists.read_weight(item)
        speaks_of_others = any(each is not sheet.speaker_of(proof.said) for each in about)
        if not speaks_of_others and _is_open(text or proof.quote, proof):
            importance = min(importance, UNCLEAR)
        sheet.add_observation(
            DraftObservation(
                refs=tuple(sheet.use_entity(each) for each in about),
                message_id=proof.said.message.id,
                quote=proof.quote,
                text=text,
                sort=sort,
                holds="hearsay" if told_by and holds == "asserted" else holds,
                valid_at=when.valid_at,
                invalid_at=when.invalid_at,
                grain=when.grain,
                importance=importance,
                told_by=told_by,
            )
        )
        return ""

    # --- whom it is about -------------------------------------------------------------------------

    def _find_about(self, item: Item, proof: Proof, sheet: EpisodeSheet) -> list[SheetEntity] | str:
        """Returns whom the words are about; a reason where that is nobody in the text.

        Who has no name (`my sister`, `she`) leaves it to the speaker.
        """
        speaker = sheet.speaker_of(proof.said)
        names = reply_lists.first_texts(item, reply_lists.WHOM)[:MOST_ABOUT]
        if not names:
            named = [each for each in sheet.entities if self._is_named_in(each, proof, sheet)]
            is_own = evidence.is_own(proof.span, proof.said.text)
            everyone = [speaker, *named] if is_own else [*named, speaker]
            return list(dict.fromkeys(everyone))[:MOST_ABOUT]
        found: dict[str, SheetEntity] = {}
        reasons: dict[str, str] = {}
        for name in names:
            end = sheet.find_end(name, proof.said, "other")
            if isinstance(end, str):
                reasons[name] = end
            elif sheet.is_spoken_of(end, name, proof.said, proof.span):
                found[end.ref] = end
            else:
                reasons[name] = "unsupported"
        if "unresolved_end" in reasons.values():
            found.setdefault(speaker.ref, speaker)
        if not found:
            return next(iter(reasons.values()))
        for name, reason in reasons.items():
            if reason != "unresolved_end":
                self._drops.note_dropped(reason, name)
        return list(found.values())

    def _is_named_in(self, entity: SheetEntity, proof: Proof, sheet: EpisodeSheet) -> bool:
        start, stop = proof.span
        return entity.kind not in STATEMENTS and any(
            number == proof.said.number and start <= at[0] and at[1] <= stop
            for number, at in self._places(entity, sheet, proof.said.episode_id)
        )

    def _places(
        self, entity: SheetEntity, sheet: EpisodeSheet, episode_id: str
    ) -> list[tuple[int, Span]]:
        """Returns where users name an entity: the numbers of messages, with the characters."""
        key = episode_id, entity.ref
        if key not in self._named:
            numbers = {each.message.id: each.number for each in self._users_of(episode_id)}
            self._named[key] = [
                (numbers[each.message_id], (each.start, each.end))
                for each in sheet.find_mentions(entity)
                if each.message_id in numbers
            ]
        return self._named[key]

    def _users_of(self, episode_id: str) -> Iterator[NumberedMessage]:
        return (each for each in self._messages if each.is_users and each.episode_id == episode_id)

    # --- what pronouns stand for ------------------------------------------------------------------

    def _add_names(self, item: Item, proof: Proof, sheet: EpisodeSheet) -> str:
        """Returns the words with the names of pronouns in brackets, where those are certain; empty
        for none.
        """
        start = proof.span[0]
        added: dict[int, str] = {}
        for word, name in read_stands(item):
            match = re.search(rf"\b{re.escape(word)}\b", proof.quote, re.IGNORECASE)
            entity = sheet.find_end(name, proof.said, "other") if match else ""
            if match is None or isinstance(entity, str) or entity.name in added.values():
                continue
            if self._is_certain(entity, word, proof, sheet, start + match.start()):
                added[match.end()] = entity.name
            else:
                self._drops.note_dropped("uncertain", f"{word}={name}")
        text = proof.quote
        for at in sorted(added, reverse=True):
            text = f"{text[:at]} [{added[at]}]{text[at:]}"
        return text if added else ""

    def _is_certain(
        self, entity: SheetEntity, word: str, proof: Proof, sheet: EpisodeSheet, at: int
    ) -> bool:
        """Returns whether a pronoun can only stand for the entity: users named it before, and
        nothing else that it could stand for; in the same message, or else in the episode.
        """
        if not _may_mean(word, entity):
            return False
        here = proof.said.number

        def is_named_since(each: SheetEntity, since: int) -> bool:
            return any(
                since <= number and (number, span[1]) <= (here, at)
                for number, span in self._places(each, sheet, proof.said.episode_id)
            )

        since = here if is_named_since(entity, here) else 0
        rivals = [each for each in sheet.entities if each is not entity and _may_mean(word, each)]
        return is_named_since(entity, since) and not any(
            is_named_since(each, since) for each in rivals
        )


def trim_proof(proof: Proof) -> Proof:
    """Returns the proof without marks and white space at its ends."""
    start, stop = proof.span
    text = proof.said.text[start:stop]
    left = len(text) - len(text.lstrip(" \t\n,;:!?…"))
    right = len(text) - len(text.rstrip(" \t\n.,;:!?…"))
    return Proof(proof.said, (start + left, stop - right))


def doubt_words(proof: Proof) -> str:
    """Returns why words of a message can't be an observation; empty if they can."""
    start, stop = proof.span
    whole = proof.said.message.text
    if stop - start > evidence.LONGEST_QUOTE:
        return "too_long"
    hidden = evidence.folded_words(proof.said.text[start:stop]) != evidence.folded_words(
        proof.quote
    )
    if hidden or splits_word(whole, start) or splits_word(whole, stop):
        return "ungrounded"
    return "asked" if evidence.is_asked(proof.span, proof.said.text) else ""


def read_sort(item: Item, default: ObservationSort = "state") -> ObservationSort | None:
    """Returns the sort, the default where none is given; None for one that there isn't."""
    return _SORTS.get(_read_word(item, reply_lists.SORT) or default)


def read_hold(item: Item, default: Hold = "asserted") -> Hold | None:
    """Returns how it holds, the default where nothing is given; None for a word that there isn't."""
    return _HOLDS.get(_read_word(item, reply_lists.HOLDS) or default)


def read_stands(item: Item) -> list[tuple[str, str]]:
    """Returns pairs of a pronoun and its name, from `["she=Ana"]` or `{"she": "Ana"}`."""
    given: object = first_value(item, reply_lists.STANDS)
    if isinstance(given, Mapping):
        table = cast(Mapping[object, Any], given)
        pairs = [(str(word), name) for word, name in table.items() if isinstance(name, str)]
    else:
        texts = reply_lists.first_texts(item, reply_lists.STANDS)
        parts = [_EQUAL.split(each, maxsplit=1) for each in texts]
        pairs = [(each[0], each[1]) for each in parts if len(each) == 2]
    return [(word.strip().casefold(), name.strip()) for word, name in pairs][:MOST_ABOUT]


def _read_word(item: Item, keys: tuple[str, ...]) -> str:
    return snake_case(reply_lists.read_text(item, keys))


def _may_mean(word: str, entity: SheetEntity) -> bool:
    """Returns whether a pronoun goes with the entity's kind."""
    if entity.kind in STATEMENTS:
        return False
    if word in _PEOPLE:
        return entity.kind == "person"
    return word in _EITHER or (word in _THINGS and entity.kind != "person")


def _is_within(inner: Proof, outer: Proof) -> bool:
    return (
        inner.said.number == outer.said.number
        and outer.span[0] <= inner.span[0]
        and inner.span[1] <= outer.span[1]
    )


def _is_open(text: str, proof: Proof) -> bool:
    """Returns whether the words speak of somebody whom they don't name, and not of who writes."""
    return _OPEN.search(text) is not None and not evidence.is_own(proof.span, proof.said.text)
