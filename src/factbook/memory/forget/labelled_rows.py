"""Reads messages, and rows entered by hand, that lie under the labels and in the time of a wish."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from factbook.memory.forget.wish import Wish
from factbook.model.record import (
    Alias,
    EntityRecord,
    Fact,
    Mention,
    Note,
    Observation,
    Relation,
    Support,
)
from factbook.ports.snapshot import Snapshot
from factbook.views.view import View

ByHand = Fact | Relation | Note | Observation | Alias | Support


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledRows:
    """Messages and rows under labels; `entity_ids` are entities of which nothing else is left."""

    message_ids: Sequence[str]
    rows: Sequence[ByHand]
    entity_ids: Sequence[str]


def read_labelled_rows(view: View, wish: Wish) -> LabelledRows:
    """Returns the messages and rows that the wish means, with what rests on them alone."""
    snapshot, space = view.snapshot, view.space
    message_ids = _read_messages(snapshot, space, wish)
    said = frozenset(message_ids)
    rows = _read_by_hand(snapshot, space, wish, said)
    row_ids = {row.id for row in rows}
    return LabelledRows(
        message_ids=message_ids,
        rows=rows,
        entity_ids=_read_traceless(snapshot, space, wish, said, row_ids),
    )


def _read_messages(snapshot: Snapshot, space: str, wish: Wish) -> Sequence[str]:
    ids = snapshot.episode_ids(space, session=wish.session, project=wish.project)
    return [
        message.id
        for episode in snapshot.episodes(space, ids).values()
        for message in episode.messages
        if wish.holds_moment(message.at)
    ]


def _read_by_hand(
    snapshot: Snapshot, space: str, wish: Wish, said: Collection[str]
) -> list[ByHand]:
    """Returns the rows that were entered by hand so, and rest on nothing else."""

    def read_rows() -> Iterator[ByHand]:
        yield from snapshot.every(space, Fact)
        yield from snapshot.every(space, Relation)
        yield from snapshot.every(space, Note)
        yield from (row for row in snapshot.every(space, Observation) if not row.name)
        yield from snapshot.every(space, Alias)
        yield from snapshot.every(space, Support)

    found = [row for row in read_rows() if wish.means_source(row.source, row.created_at)]
    supports = snapshot.supports(space, [row.id for row in found])

    def goes(support: Support) -> bool:
        is_said = support.source.message_id in said
        return is_said or wish.means_source(support.source, support.created_at)

    return [row for row in found if all(goes(each) for each in supports.get(row.id, ()))]


def _read_traceless(
    snapshot: Snapshot, space: str, wish: Wish, said: Collection[str], row_ids: Collection[str]
) -> list[str]:
    """Returns the entities that were entered by hand so, and of which nothing else is left."""
    ids = [
        row.id
        for row in snapshot.every(space, EntityRecord)
        if wish.means_source(row.source, row.created_at)
    ]
    stays: set[str] = set()
    for fact in snapshot.facts(space, ids):
        if fact.id not in row_ids and fact.source.message_id not in said:
            stays.add(fact.entity_id)
    for relation in snapshot.relations(space, ids):
        if relation.id not in row_ids and relation.source.message_id not in said:
            stays |= {relation.from_id, relation.to_id}
    texts: Iterator[Note | Observation] = chain(
        snapshot.every(space, Note), snapshot.every(space, Observation)
    )
    for row in texts:
        if row.id not in row_ids and row.source.message_id not in said:
            stays.update(row.entity_ids)
    for mention in snapshot.every(space, Mention):
        if mention.message_id not in said:
            stays.add(mention.entity_id)
    return [key for key in ids if key not in stays]
