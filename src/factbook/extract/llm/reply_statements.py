"""Judging the relations and facts of a reply: each rests on words of a user that say it, and links
what the draft has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from factbook.extract.llm import evidence, reply_lists
from factbook.extract.llm.dropped_items import Drops
from factbook.extract.llm.episode_sheet import STATEMENTS, EpisodeSheet, SheetEntity, is_user
from factbook.extract.llm.numbered_messages import NumberedMessage
from factbook.extract.llm.reply_entities import ReplyEntities
from factbook.extract.llm.reply_lists import Item
from factbook.extract.llm.stated_times import StatedTimes, is_dated
from factbook.extract.llm.statement_proof import Proof, find_proof
from factbook.extract.relation_ends import fit_label, is_backwards, is_cued, likely_ends
from factbook.model.draft import DraftFact, DraftRelation
from factbook.model.record import SELF
from factbook.model.relations import LABELS, PAST_FORMS, known_label
from factbook.ports.models import ExtractionContext
from factbook.text.kind_names import snake_case
from factbook.text.names import fold
from factbook.text.word_lists import load_pairs

LONGEST_LABEL = 40

_KEYS: Mapping[str, str] = load_pairs("extract/llm/reply_words", "keys")
_LINKS: Mapping[str, str] = load_pairs("extract/llm/reply_words", "relations")
"""Keys of facts that say a relation."""
_NO_KEYS = frozenset("kind type entity_type id".split())
"""Attributes that a reply gives an entity and that no message says."""
_NAMES = frozenset({"name", "full_name", "nickname", "alias", "also_known_as"})
_SECRET = re.compile(
    r"(?:^|_)(?:password|passwd|pin|secret|token|api_key|credential|passphrase)s?(?:_|$)"
)

_METADATA: Mapping[str, frozenset[str]] = {
    "decision": frozenset({"action", "rationale", "affected_entities", "reversible", "outcome"}),
    "preference": frozenset({"category", "value", "owner"}),
    "pain_point": frozenset({"severity", "frequency", "resolved", "related_campaigns"}),
    "task": frozenset({"owner", "deadline"}),
}
"""Details of a statement, by document 002."""
_CHOICES: Mapping[str, frozenset[str]] = {
    "severity": frozenset({"low", "medium", "high"}),
    "category": frozenset({"communication", "analysis", "risk", "reporting"}),
    "reversible": frozenset({"true", "false"}),
    "resolved": frozenset({"true", "false"}),
}
_DISLIKE = frozenset("dislikes dislike allergies avoids avoid rejected ex_partner_of".split())
"""What words that deny something say."""


LONGEST_NOTE = 160
"""Letters of what is noted of a relation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FittedLink:
    """A relation whose label fits the kinds of its ends, in the direction that was said."""

    first: SheetEntity
    label: str
    second: SheetEntity

    def find_tense(self, sentences: str) -> str:
        """Returns the label, in its past form where the sentences say that the second end was left."""
        left = self.label in PAST_FORMS and any(
            evidence.is_left(each, sentences) for each in self.second.all_names()
        )
        return PAST_FORMS[self.label] if left else self.label


class ReplyStatements:
    """Takes what a reply lists as relations and facts into the sheet of the episode that says
    them.
    """

    def __init__(
        self,
        messages: Sequence[NumberedMessage],
        context: ExtractionContext,
        sheets: Mapping[str, EpisodeSheet],
        entities: ReplyEntities,
        drops: Drops,
    ) -> None:
        self._messages = messages
        self._context = context
        self._sheets = sheets
        self._entities = entities
        self._drops = drops

    def take_relation(self, item: Item) -> None:
        left, right = (
            reply_lists.read_text(item, reply_lists.FROM),
            reply_lists.read_text(item, reply_lists.TO),
        )
        label, turned = known_label(_read_label(item))
        what = f"{left} {label} {right}"
        if not left or not right or not label:
            self._drops.note_dropped("no_label" if left and right else "unknown_end", what)
            return
        if turned:
            left, right = right, left
        proof = find_proof(item, self._messages, left, right)
        if isinstance(proof, str):
            self._drops.note_dropped(proof, what)
            return
        reason = self._take_link(item, proof, left, label, right, what)
        if reason:
            self._drops.note_dropped(reason, what)

    def _take_link(
        self, item: Item, proof: Proof, left: str, label: str, right: str, what: str
    ) -> str:
        """Takes a relation; why not, if it isn't taken."""
        said = proof.said
        sheet = self._sheets[said.episode_id]
        if doubt := proof.find_doubt():
            return doubt
        wide = proof.widen_to_ends(sheet, [left, right])
        if wide is None:
            return "unsupported"
        ended, told_by = wide.find_ended(item), wide.find_teller(item, sheet, self._context.user)
        if ended is None or told_by is None:
            return "not_ended" if ended is None else "ungrounded"
        ends = _find_ends(sheet, said, label, left, right)
        if isinstance(ends, str):
            return ends
        first, second = ends
        if any(
            not sheet.is_spoken_of(end, name, said, wide.span)
            for end, name in ((first, left), (second, right))
        ):
            return "unsupported"
        if (
            not ended
            and label not in _DISLIKE
            and wide.is_denied(*first.all_names(), *second.all_names(), left, right)
        ):
            return "denied"
        if SELF in (first.ref, second.ref) and not evidence.is_own(wide.span, said.text):
            return "not_self"
        link = _fit_link(label, first, second, wide.quote)
        if link is None:
            return "unfit_ends"
        sentences = wide.sentences
        if not is_cued(link.label, sentences) and not evidence.is_foreign(said.text):
            return "uncued"
        label = link.label if ended else link.find_tense(sentences)
        when = self._read_times(item, wide, what)
        relation = DraftRelation(
            from_ref=sheet.use_entity(link.first),
            label=label,
            to_ref=sheet.use_entity(link.second),
            note=self._read_note(item, wide, what),
            message_id=said.message.id,
            quote=wide.quote,
            valid_at=when.valid_at,
            invalid_at=when.invalid_at,
            grain=when.grain,
            importance=reply_lists.read_weight(item),
            retracts=ended,
            told_by=told_by,
        )
        sheet.add_relation(relation)
        return ""

    def _read_note(self, item: Item, proof: Proof, what: str) -> str:
        """Returns the reply's note on a relation, if the message says so; a note that adds nothing
        is left out.
        """
        note = " ".join(reply_lists.read_text(item, reply_lists.NOTE).split())[:LONGEST_NOTE]
        if not note or fold(note) in fold(what):
            return ""
        if not evidence.is_made_of(note, proof.said.text):
            self._drops.note_dropped("ungrounded", f"{what}: {note}")
            return ""
        return note

    def _read_times(self, item: Item, proof: Proof, what: str) -> StatedTimes:
        found = proof.find_times(item)
        if found.wrong:
            self._drops.note_dropped(
                "wrong_date",
                f"{what} {reply_lists.read_text(item, reply_lists.SINCE)} "
                f"{reply_lists.read_text(item, reply_lists.UNTIL)}",
            )
        return found

    # --- facts ------------------------------------------------------------------------------------

    def take_fact(self, item: Item) -> None:
        of, key, value = (
            reply_lists.read_text(item, keys)
            for keys in (reply_lists.OF, reply_lists.KEY, reply_lists.VALUE)
        )
        of = self._entities.as_said(of)
        key = _KEYS.get(snake_case(key), snake_case(key))
        value = value or reply_lists.read_words(item, reply_lists.VALUE)
        what = f"{of} {key} {value}"
        if key in _NO_KEYS:
            key = ""
        if not of or not key or not value:
            self._drops.note_dropped(
                "unknown_end" if not of else "no_label" if not key else "no_value", what
            )
        elif _SECRET.search(key):
            self._drops.note_dropped("secret", f"{of} {key}")
        elif key in STATEMENTS and key in self._context.kinds:
            self._entities.take_entity({**item, "name": value, "kind": key})
        elif (
            (label := _LINKS.get(key, key))
            and known_label(label)[0] in LABELS
            and not self._is_attribute(key, of)
        ):
            if label == "located_in" != key and self._is_person(of):
                self._drops.note_dropped(
                    "no_label", what
                )  # where somebody's employer is, they needn't live
            else:
                self.take_relation({**item, "from": of, "label": label, "to": value})
        else:
            needed = [of] if self._is_detail(key, of) else [of, value]
            proof = find_proof(item, self._messages, *needed)
            reason = (
                proof
                if isinstance(proof, str)
                else self._take_statement(item, proof, of, key, value)
            )
            if reason:
                self._drops.note_dropped(reason, what)

    def _is_person(self, name: str) -> bool:
        return is_user(name) or any(
            sheet.kind_of(name) == "person" for sheet in self._sheets.values()
        )

    def _is_attribute(self, key: str, of: str) -> bool:
        """Returns whether it is declared for any kind, or goes with the decision or the like of
        that name.
        """
        return any(
            key in kind.attributes for kind in self._context.kinds.values()
        ) or self._is_detail(key, of)

    def _is_detail(self, key: str, of: str) -> bool:
        return any(key in _METADATA.get(sheet.kind_of(of), ()) for sheet in self._sheets.values())

    def _take_statement(self, item: Item, proof: Proof, of: str, key: str, value: str) -> str:
        """Takes a fact; why not, if it isn't taken."""
        said = proof.said
        sheet = self._sheets[said.episode_id]
        entity = sheet.find_end(of, said, "other")
        if isinstance(entity, str):
            return entity
        if entity.kind in _METADATA:
            return self._take_detail(entity.metadata, entity.kind, key, value, said)
        if doubt := proof.find_doubt():
            return doubt
        if key in _NAMES:
            return self._take_name(sheet, entity.ref, of, value, proof)
        if doubt := _doubt_value(entity, of, value, proof):
            return doubt
        if not sheet.is_spoken_of(entity, of, said, proof.span):
            return "unsupported"
        ended, told_by = proof.find_ended(item), proof.find_teller(item, sheet, self._context.user)
        if ended is None or told_by is None:
            return "not_ended" if ended is None else "ungrounded"
        if not ended and key not in _DISLIKE and proof.is_denied(value):
            return "denied"
        when = self._read_times(item, proof, f"{of} {key}")
        fact = DraftFact(
            ref=sheet.use_entity(entity),
            attribute=key,
            value=value,
            message_id=said.message.id,
            quote=proof.quote,
            valid_at=when.valid_at,
            invalid_at=when.invalid_at,
            grain=when.grain,
            importance=reply_lists.read_weight(item),
            retracts=ended,
            told_by=told_by,
        )
        sheet.add_fact(fact)
        return ""

    def _take_name(self, sheet: EpisodeSheet, ref: str, of: str, value: str, proof: Proof) -> str:
        """Takes a name that somebody says is theirs, or another name of something."""
        speaker = sheet.speaker_of(proof.said)
        if is_user(of) or ref == speaker.ref:
            if not sheet.call_speaker(speaker, value, proof.said):
                return "no_alias"
            fact = DraftFact(
                ref=sheet.use_entity(speaker),
                attribute="name",
                value=sheet.words.find_name(value, users_only=True) or value,
                message_id=proof.said.message.id,
                quote=proof.quote,
                importance=0.8,
            )
            sheet.add_fact(fact)
            return ""
        entity = sheet.find_end(of, proof.said, "other")
        return "" if not isinstance(entity, str) and sheet.add_alias(entity, value) else "no_alias"

    def _take_detail(
        self, metadata: dict[str, str], kind: str, key: str, value: str, said: NumberedMessage
    ) -> str:
        """Judges the details of a decision, preference, pain point or task."""
        if key not in _METADATA[kind]:
            return "no_label"
        if key == "owner" and is_user(value):
            value = SELF
        elif key in _CHOICES:
            value = value.casefold()
            if value not in _CHOICES[key]:
                return "no_value"
        elif not evidence.is_made_of(value, said.text) and not is_dated(
            value, said.text, said.message.at
        ):
            return "ungrounded"
        metadata.setdefault(key, value)
        return ""


def _read_label(item: Item) -> str:
    label = snake_case(reply_lists.read_text(item, reply_lists.LABEL))
    if label in ("", "other"):
        label = snake_case(reply_lists.read_text(item, ("verb",)))
    return label if len(label) <= LONGEST_LABEL and label[:1].isalpha() else ""


def _find_ends(
    sheet: EpisodeSheet, said: NumberedMessage, label: str, left: str, right: str
) -> tuple[SheetEntity, SheetEntity] | str:
    """Returns the entities that a relation links; a reason where it links none."""
    kinds = likely_ends(label)
    first, second = sheet.find_end(left, said, kinds[0]), sheet.find_end(right, said, kinds[1])
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else str(second)
    return "same_ends" if first is second else (first, second)


def _fit_link(label: str, first: SheetEntity, second: SheetEntity, quote: str) -> FittedLink | None:
    """Returns the link in the direction that its ends and the quote ask for; None where none fits."""
    fit = fit_label(label, first.end_kind, second.end_kind)
    if fit is None:
        return None
    label, turn = fit
    with_user = SELF in (first.ref, second.ref)
    if with_user and is_backwards(label, (first.ref == SELF) != turn, quote):
        turn = not turn
    if turn:
        first, second = second, first
    return FittedLink(first=first, label=label, second=second)


def _doubt_value(entity: SheetEntity, of: str, value: str, proof: Proof) -> str:
    """Returns why a value can't be an entity's; empty if it can."""
    said = proof.said
    if entity.ref == SELF and not evidence.is_own(proof.span, said.text):
        return "not_self"
    is_told = evidence.is_made_of(value, proof.sentences)
    if not is_told and not is_dated(value, said.text, said.message.at):
        return "ungrounded"
    return "no_value" if fold(value) in ("", fold(of), fold(entity.name)) else ""
