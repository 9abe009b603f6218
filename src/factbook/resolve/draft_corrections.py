"""Corrections in a draft: whose statement `sorry, it's Lisbon, not Porto` takes back, and what it
says instead.

Whatever extractor made the draft: the words are found in the messages' texts, and meant is the
latest statement before them in the draft or lately in the session. What can't be told is left
alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.model.draft import Draft, DraftEntity, DraftFact, DraftMention, DraftRelation
from factbook.model.episode import Episode, StoredMessage
from factbook.model.record import SELF, EntityType
from factbook.model.value_equality import attribute_cardinality, fold_value, relation_cardinality
from factbook.resolve.value_likeness import (
    MOST_WORDS,
    end_value,
    ends_with,
    same_value,
    says_value,
    value_sort,
    written_like,
)
from factbook.text.correction_phrases import Correction, find_corrections, says_never
from factbook.text.names import fold


@dataclass(frozen=True, kw_only=True, slots=True)
class Prior:
    """A statement that a correction may mean.

    Attributes:
        said: when, and its place in the order of messages. speaker: folded. subject: the name of
            whom it is about.
        statement: as a draft says it; refs that begin with `KNOWN` are of the record.
        value: what it says: the value, or the other end's name. kind: of the other end, empty for a
            value.
    """

    said: tuple[datetime, int]
    speaker: str
    message_id: str
    subject: str
    statement: DraftFact | DraftRelation
    value: str
    kind: str = ""

    @property
    def label(self) -> str:
        each = self.statement
        return each.attribute if isinstance(each, DraftFact) else each.label

    @property
    def words(self) -> list[str]:
        """The words that it is said with."""
        return [*self.statement.quote.split(), *self.label.split("_")]

    @property
    def subject_ref(self) -> str:
        each = self.statement
        return each.ref if isinstance(each, DraftFact) else each.from_ref

    def is_like(self, other: Prior) -> bool:
        """Returns whether both say the same of the same one."""
        if self.label != other.label or type(self.statement) is not type(other.statement):
            return False
        if self.subject_ref == other.subject_ref:
            return True
        mine, theirs = set(fold(self.subject).split()), set(fold(other.subject).split())
        return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def correct_draft(
    draft: Draft,
    episode: Episode,
    recent: Sequence[Prior],
    kinds: Mapping[str, EntityType] | None = None,
) -> Draft:
    """Returns the draft with what its messages take back and put right; itself where they don't.

    Args:
        recent: what was stated in the session before, oldest first. kinds: of the space, by id.
    """
    draft = _deny_nevers(draft)
    found = [
        (message, each)
        for message in episode.messages
        if message.role == "user"
        for each in find_corrections(message.text)
    ]
    if not found:
        return draft
    correcting = _Correcting(
        draft=draft, priors=[*recent, *_find_priors(draft, episode)], kinds=kinds or {}
    )
    for message, each in found:
        correcting.apply_correction(each, message)
    return correcting.draft


def _deny_nevers(draft: Draft) -> Draft:
    """Turns denials with `never` into retractions."""
    facts = tuple(replace(each, never=True) if _is_never(each) else each for each in draft.facts)
    relations = tuple(
        replace(each, never=True) if _is_never(each) else each for each in draft.relations
    )
    if facts == draft.facts and relations == draft.relations:
        return draft
    return replace(draft, facts=facts, relations=relations)


def _is_never(said: DraftFact | DraftRelation) -> bool:
    if said.never or not said.retracts:
        return False
    return said.invalid_at is None and says_never(said.quote)


def _find_priors(draft: Draft, episode: Episode) -> list[Prior]:
    messages = {message.id: message for message in episode.messages}
    names = {entity.ref: entity for entity in draft.entities}
    out: list[Prior] = []
    statements: list[DraftFact | DraftRelation] = [*draft.facts, *draft.relations]
    for each in statements:
        message = messages.get(each.message_id)
        if each.retracts or message is None:
            continue
        subject, other = (
            (each.ref, None)
            if isinstance(each, DraftFact)
            else (each.from_ref, names.get(each.to_ref))
        )
        value = each.value if isinstance(each, DraftFact) else other.name if other else SELF
        out.append(
            Prior(
                said=(message.at, message.position),
                speaker=fold(message.speaker),
                message_id=message.id,
                subject=names[subject].name if subject in names else subject,
                statement=each,
                value=value,
                kind=other.kind if other else "",
            )
        )
    return sorted(out, key=lambda prior: prior.said)


class _Correcting:
    """Applies corrections to a draft, one after the other."""

    def __init__(
        self, *, draft: Draft, priors: Sequence[Prior], kinds: Mapping[str, EntityType]
    ) -> None:
        self.draft = draft
        self._priors = list(priors)
        self._kinds = tuple(kinds.values())

    def apply_correction(self, found: Correction, message: StoredMessage) -> None:
        if found.scratches:
            self._drop_cue(found, message)
        own, before = self._statements_around(found, message)
        if found.wrong:
            self._deny_named(found, message, own, before)
        elif own:
            self._deny_like(found, message, own, before)
        elif found.right:
            self._put_right(found, message, before)
        if found.scratches and not found.wrong:
            said = {(each.label, fold_value(each.value)) for each in own}
            for each in self._last_statements(before, message):
                if each in self._priors and (each.label, fold_value(each.value)) not in said:
                    self._deny_prior(each, found, message)

    def _drop_cue(self, found: Correction, message: StoredMessage) -> None:
        """Leaves out what an extractor took the cue's own first word for: `Scratch` is no
        technology here.
        """
        first = found.quote.split()[0]
        end = found.start + len(first)

        def is_in_cue(mention: DraftMention) -> bool:
            inside = found.start <= mention.start and mention.end <= end
            return inside and mention.message_id == message.id

        def is_cue(entity: DraftEntity) -> bool:
            return bool(entity.mentions) and all(map(is_in_cue, entity.mentions))

        used = self.draft.used_refs
        kept = tuple(each for each in self.draft.entities if each.ref in used or not is_cue(each))
        self.draft = replace(self.draft, entities=kept)

    def _deny_like(
        self,
        found: Correction,
        message: StoredMessage,
        own: Sequence[Prior],
        before: Sequence[Prior],
    ) -> None:
        """Denies what was said of the same: `That's wrong: she lives in Lisbon`.

        Only of what one holds at a time, or in the speaker's last message; a word that may mean
        something else (`sorry`) must be followed by both.
        """
        last = {prior.message_id for prior in self._last_statements(before, message)}
        for each in own:
            meant = next(
                (
                    prior
                    for prior in before
                    if prior.is_like(each) and not same_value(prior.value, each.value)
                ),
                None,
            )
            if meant is None:
                continue
            near, single = meant.message_id in last, self._is_single(meant)
            if (near or single) if found.strong else (near and single):
                self._deny_prior(meant, found, message)

    def _is_single(self, prior: Prior) -> bool:
        if isinstance(prior.statement, DraftRelation):
            return any(relation_cardinality(kind, prior.label) == "single" for kind in self._kinds)
        return all(attribute_cardinality(kind, prior.label) == "single" for kind in self._kinds)

    def _statements_around(
        self, found: Correction, message: StoredMessage
    ) -> tuple[list[Prior], list[Prior]]:
        """Returns the statements of the correction itself, and those before it, latest first."""
        here = [prior for prior in self._priors if prior.message_id == message.id]
        own = [prior for prior in here if self._place_of(prior, message) >= found.start]
        before = [
            prior
            for prior in self._priors
            if prior not in own
            and (prior.message_id == message.id or prior.said < (message.at, message.position))
        ]
        inside = [prior for prior in own if self._place_of(prior, message) < found.stop]
        return inside, before[::-1]

    def _place_of(self, prior: Prior, message: StoredMessage) -> int:
        """Returns the place of the value in its quote, or else the quote's beginning."""
        quoted = max(message.text.find(prior.statement.quote), 0)
        return max(message.text.lower().find(prior.value.lower(), quoted), quoted)

    def _deny_named(
        self,
        found: Correction,
        message: StoredMessage,
        own: Sequence[Prior],
        before: Sequence[Prior],
    ) -> None:
        for each in (each for each in own if not same_value(each.value, found.wrong)):
            if ends_with(found.right, each.value) or says_value(found.right, each.value, message):
                self._deny_prior(self._with_wrong_value(each, found, before), found, message)
                return
        if not found.cued:
            return
        meant = next(
            (prior for prior in before if says_value(found.wrong, prior.value, message)), None
        )
        if meant is not None:
            self._deny_prior(meant, found, message)
            self._restate_prior(meant, found, message)
        else:
            self._say_of_another(found, message, before)

    def _say_of_another(
        self, found: Correction, message: StoredMessage, before: Sequence[Prior]
    ) -> None:
        """Says of the right one what the speaker's last message said of the wrong: `I meant Ana,
        not Maria`.
        """
        wrong = [
            prior
            for prior in self._last_statements(before, message)
            if same_value(prior.subject, found.wrong)
        ]
        entity = self._find_entity(found.right) or (
            self._name_entity(found.right, found, "", message) if wrong else None
        )
        for prior in wrong if entity is not None else ():
            said = replace(prior.statement, message_id=message.id, quote=found.quote, told_by="")
            self._deny_prior(prior, found, message)
            assert entity is not None
            self._add_statement(
                replace(said, ref=entity.ref)
                if isinstance(said, DraftFact)
                else replace(said, from_ref=entity.ref)
            )

    def _with_wrong_value(
        self, said: Prior, found: Correction, before: Sequence[Prior]
    ) -> Prior | None:
        """Returns the statement with the wrong value; None for a link to nobody that is known."""
        meant = next(
            (
                prior
                for prior in before
                if prior.is_like(said) and same_value(prior.value, found.wrong)
            ),
            None,
        )
        if meant is not None:
            return meant
        if isinstance(said.statement, DraftFact):
            return replace(
                said, statement=replace(said.statement, value=found.wrong), value=found.wrong
            )
        entity = self._find_entity(found.wrong)
        if entity is None:
            return None
        return replace(
            said,
            statement=replace(said.statement, to_ref=entity.ref),
            value=entity.name,
            kind=entity.kind,
        )

    def _put_right(
        self, found: Correction, message: StoredMessage, before: Sequence[Prior]
    ) -> None:
        """Puts the one statement right whose value is of that sort: `I meant Lisbon`."""
        fitting = [
            prior
            for prior in self._last_statements(before, message)
            if self._fits_value(found, prior, message)
        ]
        if fitting and all(prior.is_like(fitting[0]) for prior in fitting):
            self._deny_prior(fitting[0], found, message)
            self._restate_prior(fitting[0], found, message)

    def _fits_value(self, found: Correction, prior: Prior, message: StoredMessage) -> bool:
        right = end_value(found.right, prior.value, prior.words, message)
        if not right or same_value(right, prior.value):
            return False
        if isinstance(prior.statement, DraftRelation):
            entity = self._find_entity(right)
            return entity is not None and (
                entity.kind == prior.kind or "other" in (entity.kind, prior.kind)
            )
        sort = value_sort(right, message)
        few_words = max(len(right.split()), len(prior.value.split())) <= MOST_WORDS
        if sort == "words" and not (found.strong and few_words):
            return False
        return sort == value_sort(prior.value, message)

    def _last_statements(self, before: Sequence[Prior], message: StoredMessage) -> list[Prior]:
        """Returns the statements of the speaker's last message, or of this one."""
        mine = [prior for prior in before if prior.speaker == fold(message.speaker)]
        return [prior for prior in mine if prior.message_id == mine[0].message_id]

    def _find_entity(self, name: str) -> DraftEntity | None:
        return next((each for each in self.draft.entities if fold(each.name) == fold(name)), None)

    def _deny_prior(self, prior: Prior | None, found: Correction, message: StoredMessage) -> None:
        if prior is None:
            return
        self._add_statement(
            replace(
                prior.statement,
                message_id=message.id,
                quote=found.quote,
                valid_at=None,
                invalid_at=None,
                retracts=True,
                never=found.cued,
                told_by="",
            )
        )
        self._priors = [each for each in self._priors if each is not prior]

    def _restate_prior(self, prior: Prior, found: Correction, message: StoredMessage) -> None:
        """Says of the same one what is right."""
        right = end_value(found.right, prior.value, prior.words, message)
        if not right or same_value(right, prior.value):
            return
        said = replace(prior.statement, message_id=message.id, quote=found.quote, told_by="")
        if isinstance(said, DraftFact):
            self._add_statement(replace(said, value=written_like(prior.value, right, message)))
            return
        entity = self._find_entity(right) or self._name_entity(right, found, prior.kind, message)
        if entity is not None:
            self._take_sort(entity, prior.kind, message)
            self._add_statement(replace(said, to_ref=entity.ref))

    def _take_sort(self, entity: DraftEntity, kind: str, message: StoredMessage) -> None:
        """Gives entities that only the correction names the sort of the wrong one: `it's Globex,
        not Acme` tells no more.
        """
        named_here = all(mention.message_id == message.id for mention in entity.mentions)
        if kind in ("", "other", entity.kind) or not named_here:
            return
        entities = [
            replace(each, kind=kind) if each.ref == entity.ref else each
            for each in self.draft.entities
        ]
        self.draft = replace(self.draft, entities=tuple(entities))

    def _name_entity(
        self, name: str, found: Correction, kind: str, message: StoredMessage
    ) -> DraftEntity | None:
        """Adds an entity of the sort of the wrong one."""
        start = message.text.find(name, found.start)
        if start < 0 or not name[:1].isupper():
            return None
        mention = DraftMention(message_id=message.id, start=start, end=start + len(name), text=name)
        entity = DraftEntity(
            ref=f"right:{message.id}:{start}", name=name, kind=kind or "other", mentions=(mention,)
        )
        self.draft = replace(self.draft, entities=(*self.draft.entities, entity))
        return entity

    def _add_statement(self, said: DraftFact | DraftRelation) -> None:
        if isinstance(said, DraftFact):
            self.draft = replace(self.draft, facts=(*self.draft.facts, said))
        else:
            self.draft = replace(self.draft, relations=(*self.draft.relations, said))
