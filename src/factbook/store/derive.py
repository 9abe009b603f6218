"""Lines as pure functions of a store's rows.

A store keeps a `Line` beside each message, fact, relation, note and entity, and answers every
search from lines alone. What forgetting does to rows, log, messages and drafts is
`factbook.store.erase`, also pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from factbook.model.episode import StoredMessage
from factbook.model.line import Line
from factbook.model.record import (
    Alias,
    EntityRecord,
    Fact,
    Note,
    Observation,
    Record,
    Relation,
)
from factbook.text.index_words import index_words, message_words
from factbook.text.names import fold

_QUESTION_MARKS = ("?", "？", "؟")
_CLOSERS = " \t\r\n\"'”’»)]*_"


def derive_message_line(message: StoredMessage, entity_ids: Iterable[str] = ()) -> Line:
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


def derive_record_line(record: Record, aliases: Iterable[Alias] = ()) -> Line | None:
    """A row's line; None for the types that have none, and for observations whose message has one,
    or the entity beside them.

    `aliases` are an entity's.
    """
    match record:
        case Fact():
            return _fact_line(record)
        case Relation():
            return _relation_line(record)
        case Note():
            return _note_line(record)
        case EntityRecord():
            return _entity_line(record, aliases)
        case Observation() if not (record.source.message_id or record.name):
            return _observation_line(record)
        case _:
            return None


def _fact_line(fact: Fact) -> Line:
    text = f"{fact.attribute.replace('_', ' ')} {fact.value}"
    return Line(
        id=fact.id,
        kind="fact",
        session=fact.source.session or None,
        project=fact.source.project,
        at=fact.said_at.timestamp(),
        words=tuple(index_words(text)),
        cost=len(text.split()),
        speaker=fold(fact.source.speaker),
        importance=fact.importance,
        question=is_question(fact.value),
        entity_ids=(fact.entity_id,),
        ends_at=fact.ends_at,
        verified=fact.is_verified,
    )


def _relation_line(relation: Relation) -> Line:
    text = f"{relation.label.replace('_', ' ')} {relation.note}"
    return Line(
        id=relation.id,
        kind="relation",
        session=relation.source.session or None,
        project=relation.source.project,
        at=relation.said_at.timestamp(),
        words=tuple(index_words(text)),
        cost=len(text.split()),
        speaker=fold(relation.source.speaker),
        importance=relation.importance,
        question=is_question(relation.note),
        entity_ids=tuple(dict.fromkeys((relation.from_id, relation.to_id))),
        ends_at=relation.ends_at,
        verified=relation.is_verified,
    )


def _note_line(note: Note) -> Line:
    return Line(
        id=note.id,
        kind="note",
        session=note.source.session or None,
        project=note.source.project,
        at=note.said_at.timestamp(),
        words=tuple(index_words(f"{note.category.replace('_', ' ')} {note.text}")),
        cost=len(note.text.split()),
        speaker=fold(note.source.speaker),
        importance=note.importance,
        question=is_question(note.text),
        entity_ids=tuple(dict.fromkeys(note.entity_ids)),
        expires_at=note.expires_at.timestamp() if note.expires_at else None,
        embed=note.text if note.text.strip() else "",
        category=note.category,
        verified=note.is_verified,
    )


def _observation_line(row: Observation) -> Line:
    return Line(
        id=row.id,
        kind="observation",
        session=row.source.session or None,
        project=row.source.project,
        at=row.said_at.timestamp(),
        words=tuple(index_words(row.text)),
        cost=len(row.text.split()),
        speaker=fold(row.source.speaker),
        importance=row.importance,
        question=is_question(row.text),
        entity_ids=tuple(dict.fromkeys(row.entity_ids)),
        ends_at=row.invalid_at.timestamp() if row.invalid_at else None,
        expires_at=row.expires_at.timestamp() if row.expires_at else None,
        embed=row.text if row.text.strip() else "",
        verified=row.is_verified,
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
        words=tuple(index_words(f"{entity.name} {kind} {others} {entity.description}")),
        cost=len(rendered.split()),
        speaker=fold(entity.source.speaker),
        importance=entity.importance,
        question=is_question(entity.description),
        entity_ids=(entity.id,),
        expires_at=entity.expires_at.timestamp() if entity.expires_at else None,
        embed=rendered if entity.description.strip() else "",
        verified=entity.is_verified,
    )


def is_question(text: str) -> bool:
    """Whether the text ends with a question mark, closing quotes and brackets apart."""
    return text.rstrip(_CLOSERS).endswith(_QUESTION_MARKS)
