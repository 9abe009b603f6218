"""One episode's findings while a reply about it is judged: one entity a name, whoever is named how
often.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from factbook.extract.ground import name_spans
from factbook.extract.llm import denied_words, evidence
from factbook.extract.llm.episode_words import EpisodeWords
from factbook.extract.llm.evidence import Span
from factbook.extract.llm.numbered_messages import NumberedMessage
from factbook.model.draft import (
    Draft,
    DraftEntity,
    DraftFact,
    DraftMention,
    DraftObservation,
    DraftRelation,
)
from factbook.model.record import SELF
from factbook.model.relation_table import PEOPLE
from factbook.model.relations import is_symmetric
from factbook.ports.models import ExtractionContext
from factbook.text.names import find_acronyms, fold, joined_name
from factbook.text.nicknames import same_given
from factbook.text.stop_names import is_stop_name
from factbook.text.word_lists import load_words

STATEMENTS = frozenset({"decision", "preference", "pain_point", "task", "metric"})
"""Kinds that only a person's words make: their names are words of the text, which need be no
names.
"""

DETAILED = STATEMENTS - {"metric"}
"""Kinds with details of their own: of a decision, preference, pain point or task."""
_USER = load_words("extract/llm/reply_words", "user")
_NOT = re.compile(r"(?:\b(?:not|never|nobody|dont)|n['’]t)\s+$", re.IGNORECASE)
_BETWEEN = re.compile(
    r"(?<!\s)\s+(?:in|at|of|from|for|and|on|with|by|to|over)\s+|(?:(?<!\s)\s+)?[,/&]\s*"
)
_OWN = r"(?<![\"'“‘«])\b(?:i['’]?m|i am|my name is|my name['’]s|call me)\s+"
_ALSO = re.compile(
    r"(?:\b(?:a\.?k\.?a\.?|also known as|(?:is|was|are|also) (?:called|named)|goes by|short for|"
    r"known as|formerly|previously|"
    r"nicknamed|or just|abbreviated(?: as)?|renamed(?: to)?|alias|stands for|"
    r"codenamed?))[\s:,]*(?:the\s+)?[\"'“‘«]?$",
    re.IGNORECASE,
)
"""Words between two names of one thing, right before the second."""


def is_user(name: str) -> bool:
    """Returns whether a name in a reply means who writes; `US` is a country."""
    return name.strip() != "US" and fold(name).replace(" ", "_") in _USER


@dataclass(slots=True, eq=False)
class SheetEntity:
    """An entity of the draft to be. `phrase`: it is a plain noun phrase; `used`: something is said
    of it.
    """

    ref: str
    name: str
    kind: str
    phrase: bool = False
    used: bool = False
    importance: float = 0.0
    about: str = ""
    aliases: dict[str, None] = field(default_factory=dict[str, None])
    metadata: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def end_kind(self) -> str:
        """As an end of a relation: `self`, the kind, or empty for a plain phrase."""
        return SELF if self.ref == SELF else "" if self.phrase else self.kind

    def all_names(self) -> Iterator[str]:
        yield from (each for each in (self.name, *self.aliases) if each)


class EpisodeSheet:
    """Gathers what is borne out of one episode."""

    def __init__(self, context: ExtractionContext) -> None:
        self._context = context
        self._user = fold(context.user) if context.user else ""
        self.words = EpisodeWords()
        self._me = SheetEntity(ref=SELF, name="", kind="person")
        self._entities: list[SheetEntity] = []
        self._by_name: dict[str, SheetEntity] = {}
        self._facts: dict[tuple[object, ...], DraftFact] = {}
        self._relations: dict[tuple[object, ...], DraftRelation] = {}
        self._observations: list[DraftObservation] = []

    def add_message(self, said: NumberedMessage) -> None:
        self.words.messages.append(said)
        if said.is_users:
            self.speaker_of(said)

    def speaker_of(self, said: NumberedMessage) -> SheetEntity:
        """Returns the speaker of the message; the space's own user where nobody is named."""
        name = " ".join(said.message.speaker.split())
        if not name or fold(name) == self._user:
            return self._me
        return self.take_entity(name, "person")

    # --- names ------------------------------------------------------------------------------------

    def take_entity(self, name: str, kind: str, *, phrase: bool = False) -> SheetEntity:
        """Returns the entity of that name, new if there is none. A kind takes the place of
        `other`.
        """
        key = f"{kind}: {fold(name)}" if kind in STATEMENTS else fold(name)
        if key == self._user:
            self._me.name = self._me.name or name
            return self._me
        found = self._by_name.get(key)
        if found is None:
            found = SheetEntity(
                ref=f"e{len(self._entities) + 1}", name=name, kind=kind, phrase=phrase
            )
            self._entities.append(found)
            self._by_name[key] = found
        elif found.kind == "other":
            found.kind = kind
        return found

    def add_alias(self, entity: SheetEntity, alias: str) -> bool:
        """Gives an entity another name that the messages call it; not one of another entity, or
        that nothing ties to it.
        """
        found = self.words.find_name(alias)
        if found is None or is_stop_name(found) or entity.kind in STATEMENTS:
            return False
        other = self._by_name.get(fold(found))
        if other is entity:
            return True
        if other is not None or not self._is_tied(entity, found):
            return False
        entity.aliases[found] = None
        self._by_name[fold(found)] = entity
        return True

    def _is_tied(self, entity: SheetEntity, alias: str) -> bool:
        """Returns whether an alias is tied to its entity: by words, initials, a nickname, or words
        between.
        """
        short, long = sorted((fold(alias).split(), fold(entity.name).split()), key=len)
        namesakes = [
            each
            for each in self._entities
            if set(fold(alias).split()) <= set(fold(each.name).split())
        ]
        if set(short) <= set(long):
            return namesakes in ([], [entity])
        if joined_name(alias) == joined_name(entity.name):
            return True
        if not set(find_acronyms(alias)).isdisjoint(find_acronyms(entity.name)):
            return True
        if entity.kind == "person" and short[1:] == long[1:] and same_given(short[0], long[0]):
            return True
        return any(
            _are_called_one(entity.name, alias, each.text[start:stop])
            for each in self.words.messages
            for start, stop in evidence.sentence_spans(each.text)
        )

    @property
    def entities(self) -> Sequence[SheetEntity]:
        """All that is found but the space's own user."""
        return self._entities

    def kind_of(self, name: str) -> str:
        """Returns the kind of what it names; empty if that is nothing in the draft."""
        found = self._find_known(name)
        return found.kind if found else ""

    def part_joined_names(self) -> Iterator[str]:
        """Takes out names that are made of two others (`Globex in Oslo` beside `Globex` and
        `Oslo`).
        """
        for entity in list(self._entities):
            halves = _BETWEEN.split(entity.name)
            if (
                len(halves) > 1
                and entity.kind not in STATEMENTS
                and all(fold(half) in self._by_name for half in halves)
            ):
                self._entities.remove(entity)
                del self._by_name[fold(entity.name)]
                yield entity.name

    # --- who speaks -------------------------------------------------------------------------------

    def introduce_speakers(self) -> None:
        """Makes a person one with the speaker who says that it is their name."""
        for said in self.words.messages:
            for entity in (
                [each for each in self._entities if each.kind == "person"] if said.is_users else []
            ):
                pattern = rf"{_OWN}({re.escape(entity.name)})(?![\w'’])"
                match = next(
                    (
                        each
                        for each in re.finditer(pattern, said.text, re.IGNORECASE)
                        if self._is_told(each, said)
                    ),
                    None,
                )
                if match is not None and self.call_speaker(
                    self.speaker_of(said), match.group(1), said
                ):
                    self.add_fact(self._told_name(said, match))

    def _is_told(self, match: re.Match[str], said: NumberedMessage) -> bool:
        """Returns whether the words give a name, and don't only suppose or forbid it."""
        forbidden = match.group().casefold().startswith("call") and _NOT.search(
            said.text, 0, match.start()
        )
        return not forbidden and not evidence.is_supposed(match.span(), said.text)

    def _told_name(self, said: NumberedMessage, match: re.Match[str]) -> DraftFact:
        quote = said.message.text[slice(*evidence.sentences_around(match.span(), said.text))]
        return DraftFact(
            ref=self.use_entity(self.speaker_of(said)),
            attribute="name",
            value=" ".join(match.group(1).split()),
            message_id=said.message.id,
            quote=quote,
            importance=0.8,
        )

    def call_speaker(self, speaker: SheetEntity, name: str, said: NumberedMessage) -> bool:
        """Returns whether the speaker's message says that the name is theirs; it is from
        then on.
        """
        span = evidence.find_name_span(name, said.text)
        own = any(fold(each) == fold(name) for each in speaker.all_names())
        if own or span is None:
            return own
        found = " ".join(said.text[slice(*span)].split())
        pattern = re.compile(rf"{_OWN}$", re.IGNORECASE)
        match = pattern.search(said.text, max(0, span[0] - 30), span[0])
        if is_stop_name(found) or match is None or not self._is_told(match, said):
            return False
        other = self._by_name.get(fold(found))
        if other is not None and other is not speaker:
            if other.kind != "person" or other.used:
                return False
            self._entities.remove(other)
            speaker.importance = max(speaker.importance, other.importance)
            speaker.about = speaker.about or other.about
        self._by_name[fold(found)] = speaker
        if not speaker.name:
            speaker.name = found
        else:
            speaker.aliases[found] = None
        return True

    # --- ends -------------------------------------------------------------------------------------

    def find_end(self, name: str, said: NumberedMessage, likely: str) -> SheetEntity | str:
        """Returns the entity that a name in a statement means; a reason where it means nothing.

        A name that the reply doesn't list is taken in with the likely kind, and a plain noun phrase
        as what it is.
        """
        if is_user(name) or fold(name) == SELF:
            return self.speaker_of(said)
        if (known := self._find_known(name)) is not None:
            return known
        if is_stop_name(name):
            return "unresolved_end"
        found = self.words.find_name(name, users_only=True)
        if found is None:
            return "ungrounded"
        bare = evidence.without_determiner(found)
        if (known := self._find_known(bare)) is not None:
            return known
        if is_stop_name(bare) or is_user(bare.split()[0]) or not evidence.is_phrase(bare):
            return "unresolved_end"
        named = all(word[:1].isupper() or not word[:1].isalpha() for word in bare.split())
        is_short = bare == found and len(bare.split()) <= 3
        in_small = likely in PEOPLE and is_short and not self.words.is_plain(found)
        if named or in_small:
            kind = self._context.known.get(fold(bare), likely)
            return self.take_entity(bare, kind)
        return self.take_entity(bare, "other", phrase=True)

    def _find_known(self, name: str) -> SheetEntity | None:
        """Returns the entity of that name, or the only one of whose name it is a part."""
        key = fold(name)
        exact = self._by_name.get(key) or next(
            (
                self._by_name[found]
                for kind in sorted(STATEMENTS)
                if (found := f"{kind}: {key}") in self._by_name
            ),
            None,
        )
        if exact is not None or key == self._user != "":
            return exact or self._me
        words = key.split()
        whole = [
            each
            for each in self._entities
            if not each.phrase
            and each.kind not in STATEMENTS
            and _holds_words(fold(each.name).split(), words)
        ]
        named = [each for each in self._entities if [*fold(each.name).split(), each.kind] == words]
        meant = whole or named
        return meant[0] if len(meant) == 1 else None

    def names_in(self, name: str, text: str) -> bool:
        """Returns whether a name, or another name of its entity, stands in a text."""
        entity = self._find_known(name)
        names = [name, evidence.without_determiner(name), *(entity.all_names() if entity else ())]
        return any(evidence.find_name_span(each, text) for each in names)

    def is_spoken_of(
        self, entity: SheetEntity, name: str, said: NumberedMessage, span: Span
    ) -> bool:
        """Returns whether the sentences around the span speak of an entity of that name.

        They name it or are its speaker's own, or point back to it; or a user named it before, and
        they name nothing else of its kind. Of other languages than English this isn't known.
        """
        start, stop = evidence.sentences_around(span, said.text)
        text = said.text[start:stop]
        if self.names_in(name, text) or any(
            evidence.find_name_span(each, text) for each in entity.all_names()
        ):
            return True
        own = entity is self._me or entity is self.speaker_of(said)
        if own or denied_words.points_back(text) or evidence.is_foreign(said.text):
            return True
        earlier = [
            each.text for each in self.words.messages if each.is_users and each.number < said.number
        ]
        before = [*earlier, said.text[:start]]
        if not any(
            evidence.find_name_span(each, text) for each in entity.all_names() for text in before
        ):
            return False
        alike = [
            each
            for each in self._entities
            if each is not entity and each.end_kind == entity.end_kind
        ]
        return not any(
            evidence.find_name_span(each, text) for other in alike for each in other.all_names()
        )

    def use_entity(self, entity: SheetEntity) -> str:
        entity.used = True
        return entity.ref

    # --- statements -------------------------------------------------------------------------------

    def add_fact(self, fact: DraftFact) -> None:
        key = (fact.ref, fact.attribute, fold(fact.value), fact.retracts)
        self._facts.setdefault(key, fact)

    def add_relation(self, relation: DraftRelation) -> None:
        """Adds a relation; one said twice is one, with the times that either gives."""
        key = (relation.from_ref, relation.label, relation.to_ref, relation.retracts)
        turned = (relation.to_ref, relation.label, relation.from_ref, relation.retracts)
        if is_symmetric(relation.label) and turned in self._relations:
            key = turned
        known = self._relations.setdefault(key, relation)
        if known.valid_at is None and known.invalid_at is None and relation is not known:
            when = {each: getattr(relation, each) for each in ("valid_at", "invalid_at", "grain")}
            self._relations[key] = replace(known, **when)

    def add_observation(self, observation: DraftObservation) -> None:
        self._observations.append(observation)

    # --- the draft --------------------------------------------------------------------------------

    def make_draft(self, episode_id: str, extractor: str) -> Draft:
        everyone = [*([self._me] if self._me.name else []), *self._entities]
        entities = [self._draft_entity(each) for each in everyone if each.used or not each.phrase]
        return Draft(
            episode_id=episode_id,
            extractor=extractor,
            entities=tuple(entities),
            facts=tuple(self._facts.values()),
            relations=tuple(self._relations.values()),
            observations=tuple(self._observations),
        )

    def _draft_entity(self, entity: SheetEntity) -> DraftEntity:
        return DraftEntity(
            ref=entity.ref,
            name=entity.name,
            kind=entity.kind,
            aliases=tuple(entity.aliases),
            description=entity.about,
            importance=entity.importance or 0.5,
            mentions=tuple(self.find_mentions(entity)),
            phrase=entity.phrase,
            metadata=entity.metadata,
        )

    def find_mentions(self, entity: SheetEntity) -> Iterator[DraftMention]:
        """Yields the places of the entity's names, the longer name first."""
        for said in self.words.messages:
            if entity.kind in STATEMENTS and not said.is_users:
                continue
            taken: list[Span] = []
            for name in sorted(entity.all_names(), key=len, reverse=True):
                for start, stop in name_spans(name, said.text):
                    if not any(start < end and begin < stop for begin, end in taken):
                        taken.append((start, stop))
            for start, stop in sorted(taken):
                text = said.message.text[start:stop]
                yield DraftMention(message_id=said.message.id, start=start, end=stop, text=text)


def _are_called_one(name: str, alias: str, sentence: str) -> bool:
    """Returns whether the words between two names in a sentence say that they are one's."""
    one = evidence.find_name_span(name, sentence)
    two = evidence.find_name_span(alias, sentence)
    if not one or not two:
        return False
    return _ALSO.search(sentence, min(one[1], two[1]), max(one[0], two[0])) is not None


def _holds_words(words: list[str], part: list[str]) -> bool:
    """Returns whether the words hold the others one after the other."""
    most = len(words) - len(part) + 1
    return len(part) < len(words) and any(words[at : at + len(part)] == part for at in range(most))
