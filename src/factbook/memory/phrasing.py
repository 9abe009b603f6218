"""Reads the rows behind ranked lines and puts them into words, as candidates for a context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

from factbook.memory.merged import as_held, facts_by_home, links_as_one
from factbook.model.episode import StoredMessage
from factbook.model.line import LineFilter, LineKind
from factbook.model.record import EntityRecord, EntityType, Fact, Note, Relation, Source
from factbook.ports.store import Reader
from factbook.recall.query import Query
from factbook.recall.rank import Scored
from factbook.recall.signals import Known
from factbook.render import lines
from factbook.render.block import Entry
from factbook.render.dates import day
from factbook.resolve.conflicts import conflicting, disputed, state_of
from factbook.resolve.values import relation_cardinality
from factbook.text.words import plain, words

_R = TypeVar("_R", Fact, Relation, Note, EntityRecord)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A line in words, with its score and what packing and the reader of the answer want to know.

    Attributes:
        enters: it may enter; else it is only told of.
        place: the session's number for spreading, -1 for none.
        says, unless: as in `recall.pack.Item`.
    """

    id: str
    kind: LineKind
    space: str
    score: float
    parts: Mapping[str, float]
    entry: Entry
    at: datetime | None = None
    speaker: str = ""
    session: str = ""
    entity_ids: tuple[str, ...] = ()
    source_id: str = ""
    enters: bool = True
    place: int = -1
    says: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """The rows of some lines, and of the entities that they are about.

    By canonical id: `wishes` are the current facts of preferences and pain points, `clashes` the conflicts of the
    facts, by attribute, `disputes` those of the relations, by label.
    """

    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    relations: Mapping[str, Relation] = field(default_factory=dict[str, Relation])
    notes: Mapping[str, Note] = field(default_factory=dict[str, Note])
    entities: Mapping[str, EntityRecord] = field(default_factory=dict[str, EntityRecord])
    canonical: Mapping[str, str] = field(default_factory=dict[str, str])
    messages: Mapping[str, StoredMessage] = field(default_factory=dict[str, StoredMessage])
    wishes: Mapping[str, Sequence[Fact]] = field(default_factory=dict[str, Sequence[Fact]])
    clashes: Mapping[str, Mapping[str, Sequence[Fact]]] = field(default_factory=dict[str, Mapping[str, Sequence[Fact]]])
    disputes: Mapping[str, Mapping[str, Sequence[Relation]]] = field(
        default_factory=dict[str, Mapping[str, Sequence[Relation]]]
    )

    def entity(self, key: str) -> EntityRecord | None:
        """The canonical entity's row."""
        return self.entities.get(self.canonical.get(key, key))

    def claims(self, dispute: Sequence[Relation]) -> list[tuple[str, Source]]:
        """Whom each of the relations leads to, with who says so."""
        ends = ((self.entity(row.to_id), row) for row in dispute)
        return [(lines.named(end) if end is not None else row.to_id, row.source) for end, row in ends]

    @property
    def names(self) -> dict[str, str]:
        """Present names by the ids that lines carry."""
        return {key: self.entities[home].name for key, home in self.canonical.items() if home in self.entities}


def read_known(reader: Reader, space: str, ids: Mapping[LineKind, Sequence[str]], have: Rows | None = None) -> Rows:
    """Facts, relations and notes, with the entities they are about; what is in `have` is not read again."""
    have = have or Rows()
    facts = {**have.facts, **_get(reader, space, Fact, ids.get("fact", ()), have.facts)}
    relations = {**have.relations, **_get(reader, space, Relation, ids.get("relation", ()), have.relations)}
    about = {row.entity_id for row in facts.values()} | set(ids.get("entity", ()))
    about |= {end for row in relations.values() for end in (row.from_id, row.to_id)}
    fresh = about - have.canonical.keys()
    canonical = {**have.canonical, **(reader.canonical(space, fresh) if fresh else {})}
    return Rows(
        facts=facts,
        relations=relations,
        notes=_get(reader, space, Note, ids.get("note", ()), {}),
        entities={**have.entities, **_get(reader, space, EntityRecord, set(canonical.values()), have.entities)},
        canonical=canonical,
    )


def _get(reader: Reader, space: str, cls: type[_R], ids: Iterable[str], have: Mapping[str, _R]) -> dict[str, _R]:
    fresh = [key for key in ids if key not in have]
    return reader.get(space, cls, fresh) if fresh else {}


def read_rows(
    reader: Reader,
    space: str,
    ids: Mapping[LineKind, Sequence[str]],
    kinds: Mapping[str, EntityType],
    where: LineFilter,
    now: datetime,
    have: Rows | None = None,
) -> Rows:
    """Everything that is needed to put these lines into words, within the filter's projects."""
    rows = read_known(reader, space, ids, have)
    held, linked = as_held(reader, space, rows.facts, rows.relations, rows.canonical, kinds, now)
    rows = replace(rows, facts=held, relations=linked)
    facts = [rows.facts[key] for key in ids.get("fact", ())]
    single = {row.attribute for row in facts}
    owners = {rows.canonical[row.entity_id] for row in facts}
    current = _current(reader, space, owners, single, kinds, where, now) if owners else {}
    wishes = {home for key in ids.get("entity", ()) if _is_wish(rows, home := rows.canonical[key])}
    rows = _with_disputes(
        reader, space, rows, [rows.relations[key] for key in ids.get("relation", ())], kinds, where, now
    )
    return replace(
        rows,
        messages=reader.messages(space, ids["message"]) if ids.get("message") else {},
        wishes=_current(reader, space, wishes, None, kinds, where, now) if wishes else {},
        clashes={
            key: conflicting(each, kinds.get(rows.entities[key].kind, EntityType(id=rows.entities[key].kind)))
            for key, each in current.items()
            if key in rows.entities and len(each) > 1
        },
    )


def _with_disputes(
    reader: Reader,
    space: str,
    rows: Rows,
    links: Sequence[Relation],
    kinds: Mapping[str, EntityType],
    where: LineFilter,
    now: datetime,
) -> Rows:
    """The rows with what is disputed of these links, and whom it leads to."""
    single: dict[str, set[str]] = {}
    for link in links:
        home = rows.canonical[link.from_id]
        if home in rows.entities and relation_cardinality(kinds.get(rows.entities[home].kind), link.label) == "single":
            single.setdefault(home, set()).add(link.label)
    if not single:
        return rows
    members = reader.members(space, single)
    home_of = {member: home for home, group in members.items() for member in group}
    labels = {label for some in single.values() for label in some}
    found = reader.relations(space, home_of, labels=labels, end="from")
    if len(found) < 2:
        return rows
    canonical = reader.canonical(space, {end for row in found for end in (row.from_id, row.to_id)})
    then = where.as_of is not None
    current: dict[str, list[Relation]] = {}
    for row in links_as_one(reader, space, found, canonical, kinds):
        if state_of(row, now, then=then) == "current" and in_projects(row.source, where):
            current.setdefault(home_of[row.from_id], []).append(row)
    ends = reader.get(space, EntityRecord, {canonical[row.to_id] for some in current.values() for row in some})
    return replace(
        rows,
        canonical={**canonical, **rows.canonical},
        entities={**ends, **rows.entities},
        disputes={
            home: disputed(some, canonical, kinds.get(rows.entities[home].kind) or EntityType(id="other"))
            for home, some in current.items()
        },
    )


def _is_wish(rows: Rows, key: str) -> bool:
    return key in rows.entities and rows.entities[key].kind in lines.ALWAYS


def known_words(rows: Rows, asked: Iterable[str]) -> dict[str, Known]:
    """What stands behind each fact and relation, by its id, with those of its words that may be among the asked."""
    names = rows.names
    heads = frozenset(word[:2] for word in asked)
    out: dict[str, Known] = {}
    for row in rows.facts.values():
        text = f"{names.get(row.entity_id, '')} {row.attribute.replace('_', ' ')} {row.value}"
        out[row.id] = Known(source=row.source.message_id, words=_like(text, heads))
    for link in rows.relations.values():
        text = f"{names.get(link.from_id, '')} {link.label.replace('_', ' ')} {names.get(link.to_id, '')}"
        out[link.id] = Known(source=link.source.message_id, words=_like(text, heads))
    return out


def _like(text: str, heads: frozenset[str]) -> frozenset[str]:
    """The index words of the text that begin like one of those. Stemming, which leaves beginnings, is what costs."""
    near = [word for word in _WORD.findall(plain(text)) if word[:2] in heads or not word.isascii()]
    return frozenset(words(" ".join(near))) if near else frozenset()


_WORD = re.compile(r"[^\W_]+[+#]*")


def _current(
    reader: Reader,
    space: str,
    ids: Iterable[str],
    attributes: Iterable[str] | None,
    kinds: Mapping[str, EntityType],
    where: LineFilter,
    now: datetime,
) -> dict[str, list[Fact]]:
    """By canonical id, the facts that hold now, or at the filter's time."""
    then = where.as_of is not None
    found = facts_by_home(reader, space, reader.members(space, ids), kinds, attributes)
    current = {
        key: [row for row in rows if state_of(row, now, then=then) == "current" and in_projects(row.source, where)]
        for key, rows in found.items()
    }
    return {key: rows for key, rows in current.items() if rows}


class Phrasing:
    """Puts ranked lines of one space into words; what holds no longer only if `former` or the question asks for it."""

    def __init__(
        self, space: str, rows: Rows, *, mark: str, now: datetime, query: Query | None = None, former: bool = False
    ) -> None:
        self.space = space
        self.rows = rows
        self.mark = mark
        self.now = now
        self.former = former or (query is not None and query.past)
        self.listed = frozenset(query.kinds) if query and query.shape in ("list", "count") else frozenset[str]()

    def phrase(self, scored: Scored, parts: Mapping[str, float], *, enters: bool = True) -> Candidate | None:
        """The line in words; None where there is nothing to say (an entity of which only the name is known)."""
        candidate = self._phrase(scored, parts)
        return candidate if candidate is None or enters else replace(candidate, enters=False)

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

    def fact(self, row: Fact, score: float, parts: Mapping[str, float]) -> Candidate | None:
        """A fact as a part of its entity's card; one of a conflict brings the others along. What was never true is not said."""
        owner = self.rows.entity(row.entity_id)
        if owner is None or row.expired_at is not None or is_hidden(owner, self.now):
            return None
        if owner.kind in lines.ALWAYS:
            return self.always(owner, score, parts)
        clash = self.rows.clashes.get(owner.id, {}).get(row.attribute, ())
        former = is_over(row, self.now)
        if former and not self.former:
            return None
        if clash and any(each.id == row.id for each in clash):
            text = lines.conflict(row.attribute, clash, self.now)
            claims = frozenset(f"fact {each.id}" for each in clash)
            says, unless = claims, claims
        else:
            text = lines.fact(row, former=former)
            says = frozenset({f"{owner.id} {row.attribute} {plain(row.value)}"})
            unless = says | _source_key(row)
        return self._part(owner, row, "fact", text, score, parts, (says, unless), (owner.id,))

    def relation(self, row: Relation, score: float, parts: Mapping[str, float]) -> Candidate | None:
        """A relation as a part of its first end's card."""
        owner, other = self.rows.entity(row.from_id), self.rows.entity(row.to_id)
        if owner is None or other is None or row.expired_at is not None:
            return None
        if is_hidden(owner, self.now) or is_hidden(other, self.now):
            return None
        former = is_over(row, self.now)
        if former and not self.former:
            return None
        dispute = self.rows.disputes.get(owner.id, {}).get(row.label, ())
        if any(each.id == row.id for each in dispute):
            text = lines.dispute(row.label, self.rows.claims(dispute), self.now)
            says = unless = frozenset(f"relation {each.id}" for each in dispute)
        else:
            text = lines.relation(row, self.rows.names, former=former)
            says = frozenset({f"{owner.id} {row.label} {other.id}"})
            unless = says | _source_key(row)
        return self._part(owner, row, "relation", text, score, parts, (says, unless), (owner.id, other.id))

    def always(self, owner: EntityRecord, score: float, parts: Mapping[str, float]) -> Candidate:
        """A preference or pain point, as a line of its own."""
        key = frozenset({f"entity {owner.id}"})
        text = lines.always(owner, self.rows.wishes.get(owner.id, ()))
        return Candidate(
            id=owner.id,
            kind="entity",
            space=self.space,
            score=score,
            parts=parts,
            entry=Entry(shape="line", text=f"({lines.mark(self.mark)}) {text}" if self.mark else text),
            at=owner.updated_at,
            entity_ids=(owner.id,),
            source_id=owner.source.message_id,
            says=key,
            unless=key,
        )

    def entity(self, owner: EntityRecord, score: float, parts: Mapping[str, float]) -> Candidate:
        """An entity's description as a part of its card."""
        key = frozenset({f"entity {owner.id}"})
        return Candidate(
            id=owner.id,
            kind="entity",
            space=self.space,
            score=score,
            parts=parts,
            entry=self._card(owner, lines.description(owner)),
            at=owner.updated_at,
            entity_ids=(owner.id,),
            source_id=owner.source.message_id,
            says=key,
            unless=key,
        )

    def _entity(self, scored: Scored, parts: Mapping[str, float]) -> Candidate | None:
        owner = self.rows.entity(scored.hit.id)
        if owner is None or is_hidden(owner, self.now):
            return None
        if owner.kind in lines.ALWAYS:
            return self.always(owner, scored.score, parts)
        if not (owner.description or owner.kind in self.listed):
            return None
        return self.entity(owner, scored.score, parts)

    def _message(self, scored: Scored, parts: Mapping[str, float]) -> Candidate:
        row = self.rows.messages[scored.hit.id]
        entry = self._said(row.at, lines.message(row), (scored.hit.session, row.position))
        same = frozenset({entry.text.lower()})
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
            place=scored.hit.session,
            says=same | {f"message {row.id}"},
            unless=same,
        )

    def _note(self, scored: Scored, parts: Mapping[str, float]) -> Candidate:
        row = self.rows.notes[scored.hit.id]
        at = row.source.said_at or row.created_at
        entry = self._said(at, lines.note(row), (-1, 0))
        same = frozenset({entry.text.lower()})
        return Candidate(
            id=row.id,
            kind="note",
            space=self.space,
            score=scored.score,
            parts=parts,
            entry=entry,
            at=at,
            speaker=row.source.speaker,
            session=row.source.session,
            entity_ids=row.entity_ids,
            source_id=row.source.message_id,
            says=same,
            unless=same,
        )

    def _part(
        self,
        owner: EntityRecord,
        row: Fact | Relation,
        kind: LineKind,
        text: str,
        score: float,
        parts: Mapping[str, float],
        keys: tuple[frozenset[str], frozenset[str]],
        about: tuple[str, ...],
    ) -> Candidate:
        return Candidate(
            id=row.id,
            kind=kind,
            space=self.space,
            score=score,
            parts=parts,
            entry=self._card(owner, text),
            at=row.valid_at or row.source.said_at or row.created_at,
            speaker=row.source.speaker,
            session=row.source.session,
            entity_ids=about,
            source_id=row.source.message_id,
            says=keys[0],
            unless=keys[1],
        )

    def _card(self, owner: EntityRecord, text: str) -> Entry:
        return Entry(shape="card", heading=lines.heading(owner, self.mark), text=text, group=f"{self.space} {owner.id}")

    def _said(self, at: datetime, text: str, order: tuple[int, int]) -> Entry:
        at = at.astimezone(UTC)
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
        return Entry(
            shape="said",
            heading=lines.dated_heading(at, self.mark),
            text=text,
            group=f"{self.space} {day(at)}",
            order=(midnight, *order),
        )


def in_projects(source: Source, where: LineFilter) -> bool:
    """Whether it is of the filter's projects, or of none."""
    return not where.projects or not source.project or source.project in where.projects


def is_hidden(row: EntityRecord, now: datetime) -> bool:
    """Whether the lifespan of its kind is over (`EntityRecord.expires_at`)."""
    return row.expires_at is not None and row.expires_at <= now


def is_over(row: Fact | Relation, now: datetime) -> bool:
    """Whether it holds no longer."""
    return row.invalid_at is not None and row.invalid_at <= now


def _source_key(row: Fact | Relation) -> frozenset[str]:
    return frozenset({f"message {row.source.message_id}"} if row.source.message_id else ())
