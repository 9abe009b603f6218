"""What every store derives from its rows, as pure functions: lines, their filter, canonical ids,
masked names.

A store keeps a `Line` beside each message, fact, relation, note and entity, and answers every
search from lines alone. What forgetting does to rows, log, messages and drafts is
`factbook.store.erase`, also pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from factbook.errors import StoreError
from factbook.model.change import Change
from factbook.model.draft import Draft
from factbook.model.episode import StoredMessage
from factbook.model.line import LineFilter, LineKind
from factbook.model.record import Alias, EntityRecord, Fact, Note, Record, Relation, SameAs, Source
from factbook.text.names import fold
from factbook.text.words import message_words, words

ALWAYS = float("-inf")
"""`Line.ends_at` of what never held: before every moment."""

_QUESTION_MARKS = ("?", "？", "؟")
_CLOSERS = " \t\r\n\"'”’»)]*_"


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line: all that filters, searches and hits need.

    Attributes:
        id, kind: whose line it is; the two are its key within a space.
        session: the label of its session; None for what was said in none (a message always has
            one).
        position: a message's place in its session, else -1.
        at: when it was said, or else written; all times are seconds since 1970, UTC.
        words: index words in order, repetitions kept.
        cost: white-space words of the text as it is rendered.
        speaker: folded. role: of a message, else empty. question: the text ends with a question
            mark.
        entity_ids: whom it is about, as said, each once (a message's in the order of the ids).
        ends_at: from when on it holds no longer (`ALWAYS` for what never held), None while it
            holds.
        expires_at: from when on it is hidden, None for never.
        embed: the text whose vector the line should have, empty for none.
        category: of a note, else empty.
        verified: it stands above hearsay by its own words (see `LineFilter.verified`).
    """

    id: str
    kind: LineKind
    session: str | None = None
    project: str = ""
    position: int = -1
    at: float = 0.0
    words: tuple[str, ...] = ()
    cost: int = 0
    speaker: str = ""
    role: str = ""
    importance: float = 0.5
    question: bool = False
    entity_ids: tuple[str, ...] = ()
    ends_at: float | None = None
    expires_at: float | None = None
    embed: str = ""
    category: str = ""
    verified: bool = False


def message_line(message: StoredMessage, entity_ids: Iterable[str] = ()) -> Line:
    """A message's line; `entity_ids` are those of its mentions."""
    return Line(
        id=message.id,
        kind="message",
        session=message.session,
        project=message.project,
        position=message.position,
        at=message.at.timestamp(),
        words=tuple(message_words(message.speaker, message.at, message.text)),
        cost=len(message.text.split()),
        speaker=fold(message.speaker),
        role=message.role,
        question=is_question(message.text),
        entity_ids=tuple(sorted(set(entity_ids))),
        embed=message.text if message.text.strip() else "",
        verified=message.role == "user",
    )


def record_line(record: Record, aliases: Iterable[Alias] = ()) -> Line | None:
    """A row's line; None for the types that have none. `aliases` are an entity's."""
    match record:
        case Fact():
            return _fact_line(record)
        case Relation():
            return _relation_line(record)
        case Note():
            return _note_line(record)
        case EntityRecord():
            return _entity_line(record, aliases)
        case _:
            return None


def _fact_line(fact: Fact) -> Line:
    text = f"{fact.attribute.replace('_', ' ')} {fact.value}"
    return Line(
        id=fact.id,
        kind="fact",
        session=fact.source.session or None,
        project=fact.source.project,
        at=said_at(fact.source, fact.created_at).timestamp(),
        words=tuple(words(text)),
        cost=len(text.split()),
        speaker=fold(fact.source.speaker),
        importance=fact.importance,
        question=is_question(fact.value),
        entity_ids=(fact.entity_id,),
        ends_at=ends_at(fact),
        verified=is_verified(fact),
    )


def _relation_line(relation: Relation) -> Line:
    text = f"{relation.label.replace('_', ' ')} {relation.note}"
    return Line(
        id=relation.id,
        kind="relation",
        session=relation.source.session or None,
        project=relation.source.project,
        at=said_at(relation.source, relation.created_at).timestamp(),
        words=tuple(words(text)),
        cost=len(text.split()),
        speaker=fold(relation.source.speaker),
        importance=relation.importance,
        question=is_question(relation.note),
        entity_ids=tuple(dict.fromkeys((relation.from_id, relation.to_id))),
        ends_at=ends_at(relation),
        verified=is_verified(relation),
    )


def _note_line(note: Note) -> Line:
    return Line(
        id=note.id,
        kind="note",
        session=note.source.session or None,
        project=note.source.project,
        at=said_at(note.source, note.created_at).timestamp(),
        words=tuple(words(f"{note.category.replace('_', ' ')} {note.text}")),
        cost=len(note.text.split()),
        speaker=fold(note.source.speaker),
        importance=note.importance,
        question=is_question(note.text),
        entity_ids=tuple(dict.fromkeys(note.entity_ids)),
        expires_at=note.expires_at.timestamp() if note.expires_at else None,
        embed=note.text if note.text.strip() else "",
        category=note.category,
        verified=is_verified(note),
    )


def _entity_line(entity: EntityRecord, aliases: Iterable[Alias]) -> Line:
    kind = entity.kind.replace("_", " ")
    others = " ".join(
        alias.name for alias in sorted(aliases, key=lambda alias: (alias.created_at, alias.id))
    )
    rendered = f"{entity.name} ({kind}): {entity.description}"
    return Line(
        id=entity.id,
        kind="entity",
        session=entity.source.session or None,
        project=entity.source.project,
        at=entity.updated_at.timestamp(),
        words=tuple(words(f"{entity.name} {kind} {others} {entity.description}")),
        cost=len(rendered.split()),
        speaker=fold(entity.source.speaker),
        importance=entity.importance,
        question=is_question(entity.description),
        entity_ids=(entity.id,),
        expires_at=entity.expires_at.timestamp() if entity.expires_at else None,
        embed=rendered if entity.description.strip() else "",
        verified=is_verified(entity),
    )


def is_verified(row: Fact | Relation | Note | EntityRecord) -> bool:
    """Whether it stands above hearsay by its own words (see `LineFilter.verified`). So do messages
    of role `user`, and facts and relations that somebody states again in words that are kept
    (`is_grounded` of a `Support`).
    """
    match row:
        case Note():
            return row.source.standing in ("user", "note")
        case EntityRecord():
            # What is said later may rewrite a description, and leaves its source.
            return row.source.standing == "note" and row.updated_at == row.created_at
        case _:
            return is_grounded(row.source)


def is_grounded(source: Source) -> bool:
    """Whether a statement was made by hand, or by the user in words that are kept with it."""
    return source.standing == "note" or (
        source.standing == "user" and bool(source.message_id and source.quote)
    )


def said_at(source: Source, created_at: datetime) -> datetime:
    """A statement's time: when it was said, or else recorded."""
    return source.said_at or created_at


def ends_at(row: Fact | Relation) -> float | None:
    """From when on a statement holds no longer: `Line.ends_at`."""
    if row.expired_at is not None:
        return ALWAYS
    return row.invalid_at.timestamp() if row.invalid_at is not None else None


def is_superseded(moment: float | None, now: datetime | None) -> bool:
    """Whether a line with this `ends_at` holds no longer at `now` (without a `now`: whether it ever
    ends).
    """
    return moment is not None and (now is None or moment <= now.timestamp())


def is_question(text: str) -> bool:
    """Whether the text ends with a question mark, closing quotes and brackets apart."""
    return text.rstrip(_CLOSERS).endswith(_QUESTION_MARKS)


def passes(line: Line, where: LineFilter) -> bool:
    """Whether a search under the filter may return the line.

    `projects` lets through what carries no project; `sessions` doesn't let through what was said in
    no session.
    """
    if where.projects and line.project and line.project not in where.projects:
        return False
    if where.sessions and line.session not in where.sessions:
        return False
    if where.kinds and line.kind not in where.kinds:
        return False
    if where.verified and not line.verified:
        return False
    if where.categories and (line.kind != "note" or line.category not in where.categories):
        return False
    if where.since is not None and line.at < where.since.timestamp():
        return False
    if where.until is not None and line.at >= where.until.timestamp():
        return False
    if (
        where.now is not None
        and line.expires_at is not None
        and line.expires_at <= where.now.timestamp()
    ):
        return False
    if not where.superseded and is_superseded(line.ends_at, where.now):
        return False
    return line.importance >= where.min_importance


def change_key(change: Change) -> tuple[type[Record], str]:
    """The type and id of the row that a change is about.

    Raises:
        StoreError: it has no image, or two of different rows.
    """
    row = change.after if change.after is not None else change.before
    if row is None:
        raise StoreError("a change needs an image of its row, before or after it")
    if change.before is not None and (
        type(change.before) is not type(row) or change.before.id != row.id
    ):
        raise StoreError("the two images of a change must be of one row")
    return type(row), row.id


def canonical_map(rows: Iterable[SameAs]) -> dict[str, str]:
    """The root of each id that has a row going out; every other id is its own.

    Raises:
        StoreError: an id has two rows going out, or rows go round in a circle.
    """
    parents: dict[str, str] = {}
    for row in rows:
        if row.entity_id in parents:
            raise StoreError("an entity can be the same as one other only; unmerge it first")
        parents[row.entity_id] = row.canonical_id
    return {start: _root(start, parents) for start in parents}


def _root(start: str, parents: Mapping[str, str]) -> str:
    at, seen = start, {start}
    while at in parents:
        at = parents[at]
        if at in seen:
            raise StoreError("these entities would be the same as each other in a circle")
        seen.add(at)
    return at


def members_map(canonical: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """All ids of each root that has any besides itself: the root first, then by id."""
    groups: dict[str, list[str]] = {}
    for entity_id, root in canonical.items():
        groups.setdefault(root, []).append(entity_id)
    return {root: (root, *sorted(ids)) for root, ids in groups.items()}


_REASON = re.compile(r"[a-z][a-z0-9_]{0,39}")


def dropped_of(draft: Draft) -> dict[str, int]:
    """What of a draft was not taken, counted by reason, as it outlives the draft. A reason that is
    no plain word could hold what was said: it counts as `other`.
    """
    reasons = (each.reason if _REASON.fullmatch(each.reason) else "other" for each in draft.dropped)
    return dict(Counter(reasons).most_common())
