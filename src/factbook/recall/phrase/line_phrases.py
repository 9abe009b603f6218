"""Puts the rows behind ranked lines into words, as candidates for a context."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from functools import lru_cache

from factbook.model.kinds import STATEMENTS
from factbook.model.line import LineKind
from factbook.model.recollection import LeftOut
from factbook.model.record import EntityRecord, EntityType, Fact, Note, Observation, Relation
from factbook.model.relations import form_of
from factbook.recall.find.known_rows import KnownRows
from factbook.recall.phrase.kind_details import details, event_attributes, when
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.rank.ranking import Scored
from factbook.recall.request import RecallRequest
from factbook.recall.understand.query import Query
from factbook.render import row_words
from factbook.render.block import Entry
from factbook.text.days import show_day_of
from factbook.text.excerpt import Cut, Cutting
from factbook.text.index_words import fold_text, index_words

_NO = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|without|\w+nt|if|unless|maybe|perhaps|might|may|would|"
    r"could|should)\b"
)
"""What turns or hedges a sentence, though no index word says so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Statement:
    """The words of a fact or relation, with the keys of what they say (see `Candidate`)."""

    text: str
    says: frozenset[str]
    unless: frozenset[str]
    claims: frozenset[str] = frozenset()


def _contested(
    kind: LineKind, text: str, claims: Sequence[Fact] | Sequence[Relation]
) -> _Statement:
    """Returns the statement of all claims of a conflict."""
    keys = frozenset(f"{kind} {each.id}" for each in claims)
    sources = frozenset(row.source.message_id for row in claims if row.source.message_id)
    return _Statement(text=text, says=keys, unless=keys, claims=sources)


class Phrasing:
    """Puts lines of one space into words; what holds no longer only if the filter or the question
    asks for it.

    The request's mark stands at what lies in another space. Where projects are asked for, what is
    general is marked, too, and what is of one of several (see `render.row_words.label`). `gone` are the
    ids of facts and relations that expired with a preference. In a context the attributes that a
    kind's schema names are told, too: what the metadata holds, and a figure's time.
    """

    def __init__(
        self,
        request: RecallRequest,
        rows: KnownRows,
        *,
        query: Query | None = None,
        cutting: Cutting | None = None,
        gone: frozenset[str] = frozenset(),
    ) -> None:
        self.space = request.space
        self.mark = request.mark
        self.where = request.where
        self.kinds: Mapping[str, EntityType] = request.kinds if request.whole else {}
        self.now = request.now
        self.rows = rows
        self.cutting = cutting
        self.gone = gone
        self.former = request.where.superseded or (query is not None and query.past)
        self.asks_when = query is not None and query.asks_when
        self.listed = (
            frozenset(query.kinds)
            if query and query.shape in ("list", "count")
            else frozenset[str]()
        )

    def phrase(
        self, scored: Scored, parts: Mapping[str, float], *, left_out: LeftOut = ""
    ) -> Candidate | None:
        """The line in words; None where there is nothing to say (an entity of which only the name
        is known).
        """
        candidate = self._phrase(scored, parts)
        return candidate and replace(candidate, left_out=left_out)

    def _phrase(self, scored: Scored, parts: Mapping[str, float]) -> Candidate | None:
        hit = scored.hit
        match hit.kind:
            case "message":
                return self._message(scored, parts)
            case "note":
                return self._note(scored, parts)
            case "fact":
                return self.fact(self.rows.facts[hit.id], scored.score, parts)
            case "relation":
                return self.relation(self.rows.relations[hit.id], scored.score, parts)
            case "entity":
                return self._entity(scored, parts)
            case "observation":
                return self._observation(self.rows.observations[hit.id], scored.score, parts)

    def fact(self, row: Fact, score: float, parts: Mapping[str, float]) -> Candidate | None:
        """A fact as a part of its entity's card; one of a conflict brings the others along. What
        was never true is not said.
        """
        owner = self.rows.entity(row.entity_id)
        if owner is None or owner.is_hidden_at(self.now) or self._is_gone(row):
            return None
        if owner.kind in row_words.ALWAYS:
            wish = self.always(owner, score, parts)
            # Of a filter that wants no entities, it is the fact that is told.
            return wish if self._describes(owner) else replace(wish, id=row.id, kind="fact")
        clash = self.rows.clashes.get(owner.id, {}).get(row.attribute, ())
        dated = row.attribute in event_attributes(self.kinds.get(owner.kind))
        former = row.is_over_at(self.now) and not dated
        if former and not self.former:
            return None
        if any(each.id == row.id for each in clash):
            said = _contested("fact", row_words.conflict(row.attribute, clash, self.now), clash)
        else:
            text = row_words.figure(row, when(row)) if dated else row_words.fact(row, former=former)
            key = f"{self.space} {owner.id} {row.attribute} {fold_text(row.value)}"
            said = self._stated(owner, row, text, key)
        return self._part(owner, row, said, score, parts, (owner.id,))

    def relation(self, row: Relation, score: float, parts: Mapping[str, float]) -> Candidate | None:
        """A relation as a part of its first end's card."""
        owner, other = self.rows.entity(row.from_id), self.rows.entity(row.to_id)
        if owner is None or other is None or self._is_gone(row):
            return None
        if owner.is_hidden_at(self.now) or other.is_hidden_at(self.now):
            return None
        former = row.is_over_at(self.now)
        if former and not self.former:
            return None
        dispute = self.rows.disputes.get(owner.id, {}).get(row.label, ())
        if any(each.id == row.id for each in dispute):
            text = row_words.dispute(row.label, self.rows.claims(dispute), self.now)
            said = _contested("relation", text, dispute)
        else:
            one = form_of(
                row.label, owner.id, other.id, lambda key: _is_person(self.rows.entity(key))
            )
            text = row_words.relation(row, self.rows.names, former=former)
            key = f"{self.space} {one.from_id} {one.label} {one.to_id}"
            said = self._stated(owner, row, text, key)
        return self._part(owner, row, said, score, parts, (owner.id, other.id))

    def always(
        self, owner: EntityRecord, score: float, parts: Mapping[str, float], whose: str = ""
    ) -> Candidate:
        """A preference or pain point, as a line of its own; `whose` it is, if its words say so."""
        told = owner if self._describes(owner) else replace(owner, description="")
        text = row_words.unasked_line(
            told,
            self.rows.wishes.get(owner.id, ()),
            shared=owner.id in self.rows.shared,
            owner=whose,
            more=details(owner, self.kinds.get(owner.kind)),
        )
        marks = row_words.mark(self.mark, self._label(owner.source.project))
        text = f"({marks}) {text}" if marks else text
        entry = Entry(shape="line", text=text, order=_order(owner.kind))
        return self._whole(owner, entry, score, parts, always=owner.kind)

    def entity(self, owner: EntityRecord, score: float, parts: Mapping[str, float]) -> Candidate:
        """An entity's description, with the details of its kind, as a part of its card."""
        said = [row_words.description(owner)] if owner.description else []
        whose = row_words.whose_wish(owner) if owner.kind in STATEMENTS and self.kinds else ""
        told = [*said, *(row_words.detail(*each) for each in self.details(owner).items())]
        entry = self._card(owner, "; ".join(told), owner.source.project, whose)
        return self._whole(owner, entry, score, parts)

    def _whole(
        self,
        owner: EntityRecord,
        entry: Entry,
        score: float,
        parts: Mapping[str, float],
        always: str = "",
    ) -> Candidate:
        key = frozenset({f"{self.space} entity {owner.id}"})
        return Candidate(
            id=owner.id,
            kind="entity",
            space=self.space,
            score=score,
            parts=parts,
            entry=entry,
            always=always,
            at=owner.updated_at,
            entity_ids=(owner.id,),
            source_id=owner.source.message_id,
            project=owner.source.project,
            general=self._is_general(owner.source.project),
            says=key,
            unless=key,
        )

    def _entity(self, scored: Scored, parts: Mapping[str, float]) -> Candidate | None:
        owner = self.rows.entity(scored.hit.id)
        if owner is None or owner.is_hidden_at(self.now):
            return None
        if owner.kind in row_words.ALWAYS:
            return self.always(owner, scored.score, parts)
        if not (owner.description or owner.kind in self.listed or self.details(owner)):
            return None
        return self.entity(owner, scored.score, parts)

    def details(self, owner: EntityRecord) -> Mapping[str, str]:
        """Returns what the metadata holds of the kind's schema and no fact does."""
        stated = {
            row.attribute
            for row in self.rows.facts.values()
            if self.rows.canonical[row.entity_id] == owner.id
        }
        return details(owner, self.kinds.get(owner.kind), stated)

    def wish(self, row: Note, kind: str) -> Candidate:
        """A note that is a preference or pain point, as a line of its own."""
        marks = row_words.mark(self.mark, self._label(row.source.project))
        text = f"{row_words.ALWAYS[kind]}: {row_words.message_line(row.text)}"
        text = f"({marks}) {text}" if marks else text
        entry = Entry(shape="line", text=text, order=_order(kind))
        return replace(self._of_note(row, entry, 1.0, {"always": 1.0}), always=kind)

    def _message(self, scored: Scored, parts: Mapping[str, float]) -> Candidate:
        row = self.rows.messages[scored.hit.id]
        text, cut = self._quoted(row.text)
        entry = self._said(
            row.at,
            row_words.who(row.speaker, row.role),
            text,
            (scored.hit.session, row.position),
            row.project,
        )
        return Candidate(
            id=row.id,
            kind="message",
            space=self.space,
            score=scored.score,
            parts=parts,
            entry=entry,
            at=row.at,
            speaker=row.speaker,
            session=row.session,
            entity_ids=tuple(dict.fromkeys(scored.hit.entity_ids)),
            source_id=row.id,
            project=row.project,
            general=self._is_general(row.project),
            cut=cut,
            place=scored.hit.session,
            says=frozenset({f"message {row.id}"}),
            unless=frozenset({f"told {row.id}"}),
        )

    def _note(self, scored: Scored, parts: Mapping[str, float]) -> Candidate:
        row = self.rows.notes[scored.hit.id]
        text, cut = self._quoted(row.text)
        entry = self._said(row.said_at, row_words.NOTE, text, (-1, 0), row.source.project)
        return replace(self._of_note(row, entry, scored.score, parts), cut=cut)

    def _observation(self, row: Observation, score: float, parts: Mapping[str, float]) -> Candidate:
        """An observation as a part of the card of whom it is about; without one, said on its day."""
        owner = self.rows.entity(row.entity_ids[0]) if row.entity_ids else None
        if owner is None:
            text = row_words.quoted(row.text)
            entry = self._said(row.said_at, row_words.NOTE, text, (-1, 0), row.source.project)
        else:
            entry = self._card(owner, row_words.observation(row), row.source.project)
        key = frozenset({f"{self.space} observation {row.id}"})
        return Candidate(
            id=row.id,
            kind="observation",
            space=self.space,
            score=score,
            parts=parts,
            entry=entry,
            at=row.said_at,
            speaker=row.source.speaker,
            session=row.source.session,
            entity_ids=row.entity_ids,
            source_id=row.source.message_id,
            project=row.source.project,
            general=self._is_general(row.source.project),
            says=key,
            unless=key,
        )

    def _of_note(
        self, row: Note, entry: Entry, score: float, parts: Mapping[str, float]
    ) -> Candidate:
        key = frozenset({f"{self.space} note {row.id}"})
        return Candidate(
            id=row.id,
            kind="note",
            space=self.space,
            score=score,
            parts=parts,
            entry=entry,
            at=row.said_at,
            speaker=row.source.speaker,
            session=row.source.session,
            entity_ids=row.entity_ids,
            source_id=row.source.message_id,
            project=row.source.project,
            general=self._is_general(row.source.project),
            says=key,
            unless=key,
        )

    def _part(
        self,
        owner: EntityRecord,
        row: Fact | Relation,
        said: _Statement,
        score: float,
        parts: Mapping[str, float],
        about: tuple[str, ...],
    ) -> Candidate:
        return Candidate(
            id=row.id,
            kind="fact" if isinstance(row, Fact) else "relation",
            space=self.space,
            score=score,
            parts=parts,
            entry=self._card(owner, said.text, row.source.project),
            at=row.valid_at or row.said_at,
            speaker=row.source.speaker,
            session=row.source.session,
            entity_ids=about,
            source_id=row.source.message_id,
            project=row.source.project,
            general=self._is_general(row.source.project),
            claims=said.claims,
            says=said.says,
            unless=said.unless,
        )

    def _stated(self, owner: EntityRecord, row: Fact | Relation, text: str, key: str) -> _Statement:
        """Returns an undisputed statement; the message that it rests on may say it, too."""
        says = frozenset({key})
        return _Statement(
            text=text,
            says=says | self._told(row, f"{owner.name} {text}"),
            unless=says | _source_key(row),
        )

    def _card(self, owner: EntityRecord, text: str, project: str, whose: str = "") -> Entry:
        label = self._label(project)
        return Entry(
            shape="card",
            heading=row_words.heading(owner, whose, self.mark),
            text=text,
            label=label,
            labelled=row_words.heading(owner, whose, self.mark, label) if label else "",
            group=f"{self.space} {owner.id}",
        )

    def _said(
        self, at: datetime, by: str, text: str, order: tuple[int, int], project: str
    ) -> Entry:
        at = at.astimezone(UTC)
        midnight, written, heading = _day(at.date(), self.mark)
        label = self._label(project)
        return Entry(
            shape="said",
            heading=heading,
            by=by,
            text=text,
            label=label,
            labelled=row_words.dated_heading(at, self.mark, label) if label else "",
            group=f"{self.space} {written}",
            order=(midnight, *order),
        )

    def _told(self, row: Fact | Relation, statement: str) -> frozenset[str]:
        """That its message need not enter, where the statement holds each of the message's words
        that says anything.
        """
        said = self.rows.messages.get(row.source.message_id)
        if said is None or self.asks_when or _NO.search(fold_text(said.text)):
            return frozenset()
        held = {*index_words(statement), *index_words(said.speaker)}
        is_told = held.issuperset(index_words(said.text))
        return frozenset({f"told {said.id}"} if is_told else ())

    def _quoted(self, text: str) -> tuple[str, Cut | None]:
        found = self.cutting.cut(text) if self.cutting else None
        if found is None:
            return row_words.quoted(text, lined=None), None
        parts = found.parts([0])
        return row_words.quoted(*parts, lined=found.lined), found if len(parts) > 1 else None

    def _label(self, project: str) -> str:
        return row_words.label(project, self.where.projects)

    def _is_general(self, project: str) -> bool:
        return bool(self.where.projects) and not project

    def _is_gone(self, row: Fact | Relation) -> bool:
        return row.expired_at is not None or row.id in self.gone

    def _describes(self, owner: EntityRecord) -> bool:
        """Whether the filter lets the entity's own line through."""
        return self.where.allows_entity(owner)


def _order(kind: str) -> tuple[float, ...]:
    return (float([*row_words.ALWAYS].index(kind)),)


def _is_person(row: EntityRecord | None) -> bool:
    return row is not None and row.kind == "person"


@lru_cache(maxsize=256)
def _day(date: date, mark: str) -> tuple[float, str, str]:
    """When a day (UTC) begins, how it is written, and its heading."""
    midnight = datetime.combine(date, time(), UTC)
    return midnight.timestamp(), show_day_of(midnight), row_words.dated_heading(midnight, mark)


def _source_key(row: Fact | Relation) -> frozenset[str]:
    return frozenset({f"message {row.source.message_id}"} if row.source.message_id else ())
