"""Grounding: what a draft says must stand in the text. Every extractor's draft passes through here,
ours included.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from factbook.model.draft import (
    Draft,
    DraftEntity,
    DraftFact,
    DraftMention,
    DraftObservation,
    DraftRelation,
    Dropped,
)
from factbook.model.episode import Episode
from factbook.model.record import SELF, EntityType
from factbook.text.kind_names import declared_kind, snake_case
from factbook.text.stop_names import is_stop_name
from factbook.text.value_forms import fit_value

LONGEST_NAME = 200
LONGEST_VALUE = 1000
_BRACKETED = re.compile(r"\s*\[[^\[\]]*\]")
"""Additions of an observation to its words."""

_PLURALS = (("ies", "y"), ("es", ""), ("s", ""))
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def ground_draft(draft: Draft, episode: Episode, kinds: Mapping[str, EntityType]) -> Draft:
    """Returns the part of a draft that the episode bears out.

    Names stand in a message of the episode (or are its speaker's), quotes in the message that they
    name, mentions at their span; white space and, for names, case are folded for the comparison,
    and what is returned is written as the text writes it. Ends of facts and relations exist. Kinds
    are declared ones, labels in snake_case, importance in 0–1. What is left out is listed in
    `dropped`, with a reason: `ungrounded`, `unprintable`, `too_long`, `stop_name`, `duplicate_ref`,
    `wrong_span`, `unknown_message`, `unknown_end`, `same_ends`, `no_label`, `no_value`,
    `wrong_form` (a value, of metadata too, that the schema of its kind doesn't take).
    """
    check = _Check(episode=episode, kinds=kinds)
    entities = tuple(check.keep_entities(draft.entities))
    refs = {SELF} | {entity.ref for entity in entities}
    forms = {entity.ref: kinds[entity.kind].forms for entity in entities if entity.kind in kinds}
    facts = tuple(
        fact
        for each in draft.facts
        if (fact := check.check_fact(each, refs, forms.get(each.ref, {})))
    )
    relations = tuple(
        link for each in draft.relations if (link := check.check_relation(each, refs))
    )
    return replace(
        draft,
        entities=entities,
        facts=facts,
        relations=relations,
        observations=tuple(check.keep_observations(draft.observations, refs)),
        dropped=(*draft.dropped, *check.dropped),
    )


def nearest_kind(kind: str, kinds: Mapping[str, EntityType]) -> str:
    """Returns the declared kind that is meant: by name, as a plural, or by the last word
    (`software_project`); else `other`.
    """
    wanted = snake_case(kind)
    last = wanted.rpartition("_")[2]
    for form in (wanted, *_singular_forms(wanted), last, *_singular_forms(last)):
        if form and (found := declared_kind(form, kinds)):
            return found
    return "other"


def find_name(name: str, text: str) -> str | None:
    """Returns the name as the text writes it, standing on its own; None when it isn't there."""
    span = next(name_spans(name, text), None)
    return " ".join(text[slice(*span)].split()) if span else None


def name_spans(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Finds the places of a name on its own, as it is written; in any case where there is none."""
    words = name.split()
    if not words:
        return
    pattern = r"\s+".join(map(re.escape, words))
    stands = False
    for flags in (0, re.IGNORECASE):
        for match in re.finditer(pattern, text, flags):
            if not splits_word(text, match.start()) and not splits_word(text, match.end()):
                stands = True
                yield match.span()
        if stands:
            return


def find_quote(quote: str, text: str) -> str | None:
    """Returns the quote as the text has it, its white space included; None when it isn't there."""
    if quote and quote in text:
        return quote
    words = quote.split()
    match = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return match.group() if match else None


def splits_word(text: str, at: int) -> bool:
    """Returns whether a place lies within a written word; of scripts without spaces none does."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    if not (left.isalnum() and right.isalnum()):
        return False
    return not (_is_unspaced(left) or _is_unspaced(right))


def _is_unspaced(char: str) -> bool:
    """Letters of scripts without capitals, where a word's end can't be told (Han, Thai) or takes
    endings (Hindi).
    """
    return unicodedata.category(char) in {"Lo", "Mc", "Mn"}


@dataclass(slots=True)
class _Check:
    episode: Episode
    kinds: Mapping[str, EntityType]
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    texts: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.texts = {message.id: message.text for message in self.episode.messages}

    def note_dropped(self, reason: str, what: str) -> None:
        self.dropped.append(Dropped(reason=reason, what=" ".join(what.split())[:LONGEST_NAME]))

    def keep_entities(self, entities: Iterable[DraftEntity]) -> Iterable[DraftEntity]:
        seen: set[str] = set()
        for entity in entities:
            if entity.ref in seen:
                self.note_dropped("duplicate_ref", f"{entity.ref}: {entity.name}")
            elif kept := self.check_entity(entity):
                seen.add(entity.ref)
                yield kept

    def check_entity(self, entity: DraftEntity) -> DraftEntity | None:
        name = self.find_written(entity.name)
        if name is None:
            return None
        aliases = tuple(
            alias for alias in map(self.find_written, entity.aliases) if alias and alias != name
        )
        kind = nearest_kind(entity.kind, self.kinds)
        forms: Mapping[str, str] = self.kinds[kind].forms if kind in self.kinds else {}
        return replace(
            entity,
            name=name,
            kind=kind,
            metadata={
                key: kept
                for key, value in entity.metadata.items()
                if (kept := self.fit_form(key, value, forms)) is not None
            },
            aliases=tuple(dict.fromkeys(aliases)),
            importance=_clamp_importance(entity.importance),
            mentions=tuple(mention for mention in entity.mentions if self.is_mentioned(mention)),
        )

    def fit_form(self, attribute: str, value: str, forms: Mapping[str, str]) -> str | None:
        """Returns the value in the form that the schema asks for."""
        form = forms.get(attribute)
        found = value if form is None else fit_value(value, form)
        if found is None:
            self.note_dropped("wrong_form", f"{attribute} {value}")
        return found

    def find_written(self, name: str) -> str | None:
        reason, found = "ungrounded", None
        if len(name) > LONGEST_NAME:
            reason = "too_long"
        elif any(
            unicodedata.category(char) == "Cc" or char in _BIDI for char in " ".join(name.split())
        ):
            reason = "unprintable"
        elif is_stop_name(name):
            reason = "stop_name"
        else:
            found = self.find_standing(name)
        if found is None:
            self.note_dropped(reason, name)
        return found

    def find_standing(self, name: str) -> str | None:
        for text in self.texts.values():
            if found := find_name(name, text):
                return found
        for message in self.episode.messages:
            if message.speaker and find_name(name, message.speaker) == " ".join(
                message.speaker.split()
            ):
                return find_name(name, message.speaker)
        return None

    def is_mentioned(self, mention: DraftMention) -> bool:
        text = self.texts.get(mention.message_id)
        stands = (
            text is not None
            and 0 <= mention.start < mention.end <= len(text)
            and text[mention.start : mention.end] == mention.text
        )
        if not stands:
            self.note_dropped("wrong_span", mention.text)
        return stands

    def check_quote(self, message_id: str, quote: str, what: str) -> str | None:
        text = self.texts.get(message_id)
        if text is None:
            self.note_dropped("unknown_message", what)
            return None
        found = find_quote(quote, text)
        if found is None:
            self.note_dropped("ungrounded", what)
        return found

    def is_told(self, by: str, what: str) -> bool:
        """Returns whether the text names who is said to have said it."""
        told = not by or any(find_name(by, message.text) for message in self.episode.messages)
        if not told:
            self.note_dropped("ungrounded", f"{by}: {what}")
        return told

    def check_fact(
        self, fact: DraftFact, refs: set[str], forms: Mapping[str, str]
    ) -> DraftFact | None:
        attribute, value = snake_case(fact.attribute), " ".join(fact.value.split())
        what = f"{fact.ref} {attribute} {value}"
        if fact.ref not in refs:
            self.note_dropped("unknown_end", what)
        elif not attribute:
            self.note_dropped("no_label", what)
        elif not value:
            self.note_dropped("no_value", what)
        elif len(value) > LONGEST_VALUE:
            self.note_dropped("too_long", what)
        elif (
            (formed := self.fit_form(attribute, value, forms)) is not None
            and self.is_told(fact.told_by, what)
            and (quote := self.check_quote(fact.message_id, fact.quote, what)) is not None
        ):
            return replace(
                fact,
                attribute=attribute,
                value=formed,
                quote=quote,
                importance=_clamp_importance(fact.importance),
            )
        return None

    def check_relation(self, relation: DraftRelation, refs: set[str]) -> DraftRelation | None:
        label = snake_case(relation.label)
        what = f"{relation.from_ref} {label} {relation.to_ref}"
        if relation.from_ref not in refs or relation.to_ref not in refs:
            self.note_dropped("unknown_end", what)
        elif relation.from_ref == relation.to_ref:
            self.note_dropped("same_ends", what)
        elif not label:
            self.note_dropped("no_label", what)
        elif (
            self.is_told(relation.told_by, what)
            and (quote := self.check_quote(relation.message_id, relation.quote, what)) is not None
        ):
            return replace(
                relation,
                label=label,
                quote=quote,
                importance=_clamp_importance(relation.importance),
            )
        return None

    def keep_observations(
        self, observations: Iterable[DraftObservation], refs: set[str]
    ) -> Iterator[DraftObservation]:
        seen: set[tuple[str, str]] = set()
        for each in observations:
            kept = self.check_observation(each, refs)
            if kept is not None and (key := (kept.message_id, kept.quote)) not in seen:
                seen.add(key)
                yield kept

    def check_observation(
        self, observation: DraftObservation, refs: set[str]
    ) -> DraftObservation | None:
        """Returns the observation, of those of its refs that are known; its text is never worded
        otherwise than its quote.
        """
        told = " ".join(observation.quote.split())
        known = tuple(dict.fromkeys(each for each in observation.refs if each in refs))
        if not told:
            self.note_dropped("no_value", observation.message_id)
        elif not known:
            self.note_dropped("unknown_end", told)
        elif len(told) > LONGEST_VALUE:
            self.note_dropped("too_long", told)
        elif (
            self.is_told(observation.told_by, told)
            and (quote := self.check_quote(observation.message_id, observation.quote, told))
            is not None
        ):
            return replace(
                observation,
                refs=known,
                quote=quote,
                text=observation.text if _is_worded_as(observation.text, quote) else "",
                importance=_clamp_importance(observation.importance),
            )
        return None


def _is_worded_as(text: str, quote: str) -> bool:
    """Tells whether a text is the quote with nothing but brackets added to it."""
    return bool(text) and _BRACKETED.sub("", text).split() == _BRACKETED.sub("", quote).split()


def _singular_forms(word: str) -> list[str]:
    forms = [
        word[: -len(ending)] + singular for ending, singular in _PLURALS if word.endswith(ending)
    ]
    return ["person", *forms] if word == "people" else forms


def _clamp_importance(importance: float) -> float:
    return 0.5 if math.isnan(importance) else min(1.0, max(0.0, importance))
