"""Learning an episode again, from another draft: as if the first had never been.

What was learned of the episode is taken back (`take_back`), the new draft is planned on what is
left (`apply_changes`), and both become one set of changes (`join_changes`), in which a row that both drafts
claim is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar, cast

from factbook.model.change import Change
from factbook.model.grouping import group_by
from factbook.model.record import (
    SELF,
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Mention,
    NotSame,
    Observation,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
    pair_id,
)
from factbook.model.value_equality import fold_value
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.draft_statements import Timelines
from factbook.resolve.known_record import KnownRecord
from factbook.resolve.undo import find_final_rows
from factbook.text.names import fold

R = TypeVar("R", bound=Record)
_Images = Mapping[tuple[type, str], tuple[Record | None, Record | None]]
"""Rows as changes find and leave them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Learnt:
    """The rows learned of an episode, and those there now.

    Attributes:
        episode_id: whose statements go.
        changes: what the commits that go did, oldest first.
        known: the entities, aliases, statements and supports that they touched, as they are now,
            and the episode's mentions.
        verdicts: identities, must-not-links and reviews that they touched, as they are now.
        named: (entity, folded name) of mentions in other episodes.
        resting: entities of theirs on which something else rests: a mention, note, identity or
            decision.
    """

    episode_id: str
    changes: Sequence[Change]
    known: KnownRecord
    verdicts: Sequence[Record] = ()
    named: Collection[tuple[str, str]] = ()
    resting: Collection[str] = ()


def take_back(
    learnt: Learnt, *, kinds: Mapping[str, EntityType], now: datetime, new_id: Callable[[], str]
) -> tuple[Change, ...]:
    """Returns the changes that take back what was learned of the episode, and nothing that anything
    else says or rests on.
    """
    sheet, known = ChangeSheet(), learnt.known
    timelines = Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id)
    timelines.take_statements(lambda source: source.episode_id == learnt.episode_id, known.entities)
    for mention in known.mentions:
        sheet.take_row(mention)
    made = find_final_rows(learnt.changes)
    for observation in known.observations:
        if made.get((Observation, observation.id)) == (None, observation):
            sheet.take_row(observation)
    _restore_verdicts(learnt, made, sheet)
    for alias in known.aliases:
        if (
            made.get((Alias, alias.id)) == (None, alias)
            and (alias.entity_id, fold(alias.name)) not in learnt.named
        ):
            sheet.take_row(alias)
    _restore_entities(learnt, made, sheet)
    return sheet.list_changes()


def _restore_verdicts(learnt: Learnt, made: _Images, sheet: ChangeSheet) -> None:
    """Identities and reviews as they were before, where nobody decided otherwise since."""
    now = {(type(row), row.id): row for row in learnt.verdicts}
    for key, (before, after) in made.items():
        row = now.get(key)
        if not issubclass(key[0], SameAs | NotSame | Review) or row != after:
            continue
        if before is not None:
            sheet.put_row(before, before=row)
        elif row is not None:
            sheet.take_row(row)


def _restore_entities(learnt: Learnt, made: _Images, sheet: ChangeSheet) -> None:
    """Entities as they were before; one that was made goes, if nothing is left of it."""
    gone = {
        change.before.id
        for change in sheet.list_changes()
        if change.before is not None and change.after is None
    }
    known = learnt.known
    about = {each.entity_id for each in known.facts if each.id not in gone}
    about |= {each.entity_id for each in known.aliases if each.id not in gone}
    about |= {
        end for each in known.relations if each.id not in gone for end in (each.from_id, each.to_id)
    }
    for (cls, row_id), (before, after) in made.items():
        row = known.entities.get(row_id)
        if cls is not EntityRecord or row is None or row != after:
            continue
        if before is not None:
            sheet.put_row(before, before=row)
        elif row_id != SELF and row_id not in learnt.resting and row_id not in about:
            sheet.take_row(row)


def apply_changes(known: KnownRecord, changes: Sequence[Change]) -> KnownRecord:
    """Returns the known rows after the changes."""
    rows = {
        (type(row), row.id): change.after
        for change in changes
        if (row := change.after or change.before)
    }
    supports = [support for some in known.supports.values() for support in some]
    entities = {each.id: each for each in _rows_after(EntityRecord, known.entities.values(), rows)}
    doubted = {
        each.id: each
        for each in _rows_after(EntityRecord, known.doubted.values(), rows)
        if each.id in known.doubted
    }
    entities = {key: row for key, row in entities.items() if key in known.entities}
    gone = {key for (cls, key), row in rows.items() if cls is EntityRecord and row is None}
    return replace(
        known,
        entities=entities,
        aliases=_rows_after(Alias, known.aliases, rows),
        facts=[each for each in _rows_after(Fact, known.facts, rows) if each.entity_id in entities],
        relations=_rows_after(Relation, known.relations, rows),
        mentions=_rows_after(Mention, known.mentions, rows),
        observations=_rows_after(Observation, known.observations, rows),
        supports=group_by(_rows_after(Support, supports, rows), lambda each: each.record_id),
        doubted=doubted,
        doubted_aliases=[each for each in known.doubted_aliases if each.entity_id in doubted],
        evidence=[
            each
            for each in _rows_after(Fact, known.evidence, rows)
            if each.entity_id in entities.keys() | doubted.keys()
        ],
        bearing={
            key: [each for each in ids if each not in gone] for key, ids in known.bearing.items()
        },
        canonical={**known.canonical, **_parted_ids(changes)},
        same_as={row.entity_id: row for row in _rows_after(SameAs, known.same_as.values(), rows)},
        not_same={row.id: row for row in _rows_after(NotSame, known.not_same.values(), rows)},
        reviews={
            row.id: row
            for row in _rows_after(Review, known.reviews.values(), rows)
            if row.state == "open"
        },
    )


def _parted_ids(changes: Iterable[Change]) -> Mapping[str, str]:
    """Returns canonical ids of those that are one with another no more."""
    return {
        change.before.entity_id: change.before.entity_id
        for change in changes
        if change.after is None and isinstance(change.before, SameAs)
    }


def _rows_after(
    cls: type[R], held: Iterable[R], rows: Mapping[tuple[type, str], Record | None]
) -> list[R]:
    """Returns the rows of a type as they are then, with the new ones."""
    out = {row.id: row for row in held}
    for (kind, row_id), row in rows.items():
        if kind is cls:
            out.pop(row_id, None)
            if isinstance(row, cls):
                out[row_id] = row
    return list(out.values())


def join_changes(
    first: Iterable[Change], then: Iterable[Change]
) -> tuple[tuple[Change, ...], Mapping[str, str]]:
    """Returns one change a row for both; a row that the first takes out and the second makes anew
    keeps its id and age.

    Also the kept ids by the ids that the second gave.
    """
    net = [
        Change(before=before, after=after)
        for before, after in find_final_rows([*first, *then]).values()
        if before != after
    ]
    matching = _Matching(net)
    for change in net:
        matching.match_rows(EntityRecord, change, lambda row: fold(row.name))
    for change in net:
        matching.match_rows(Fact, change, _fact_key)
        matching.match_rows(Relation, change, _relation_key)
        matching.match_rows(
            Observation, change, lambda row: (row.source.message_id, row.source.quote)
        )
    for change in net:
        matching.match_rows(Alias, change, lambda row: (row.entity_id, fold(row.name)))
        matching.match_rows(
            Mention, change, lambda row: (row.entity_id, row.message_id, row.start, row.end)
        )
        matching.match_rows(Support, change, lambda row: (row.record_id, row.source.message_id))
        matching.match_rows(Review, change, lambda row: row.id)
    return matching.list_changes(net), matching.ids


def _fact_key(row: Fact) -> Hashable:
    return (
        row.entity_id,
        row.attribute,
        fold_value(row.value),
        row.source.message_id,
        row.valid_at is None,
    )


def _relation_key(row: Relation) -> Hashable:
    return row.from_id, row.label, row.to_id, row.source.message_id, row.valid_at is None


@dataclass(slots=True)
class _Matching:
    """The match of new rows with those that go; rows that refer to a new one are read with the old
    one's id.
    """

    net: Sequence[Change]
    ids: dict[str, str] = field(default_factory=dict[str, str])
    olds: dict[str, Record] = field(default_factory=dict[str, Record])
    taken: set[tuple[type, str]] = field(default_factory=set[tuple[type, str]])

    def match_rows(self, cls: type[R], change: Change, key: Callable[[R], Hashable]) -> None:
        row = change.after
        if change.before is not None or not isinstance(row, cls):
            return
        wanted = key(self.rename_refs(row))
        for old in self._rows_to_take(cls):
            if key(old) == wanted:
                self.taken.add((cls, old.id))
                self.ids[row.id] = old.id
                self.olds[row.id] = old
                return

    def _rows_to_take(self, cls: type[R]) -> Iterator[R]:
        """Yields the rows that go and that no new one has taken."""
        for change in self.net:
            old = change.before
            if change.after is not None or not isinstance(old, cls):
                continue
            if (cls, old.id) not in self.taken:
                yield old

    def rename_refs(self, row: R) -> R:
        """Returns the row with the ids of the old ones."""
        new: Record = row
        match row:
            case EntityRecord():
                new = replace(row, id=self._old_id(row.id))
            case Fact() | Alias() | Mention():
                new = replace(row, id=self._old_id(row.id), entity_id=self._old_id(row.entity_id))
            case Relation():
                new = replace(
                    row,
                    id=self._old_id(row.id),
                    from_id=self._old_id(row.from_id),
                    to_id=self._old_id(row.to_id),
                )
            case Observation():
                about = tuple(map(self._old_id, row.entity_ids))
                resting = tuple(map(self._old_id, row.record_ids))
                new = replace(row, id=self._old_id(row.id), entity_ids=about, record_ids=resting)
            case Support():
                new = replace(row, id=self._old_id(row.id), record_id=self._old_id(row.record_id))
            case Review():
                left, right = self._old_id(row.left_id), self._old_id(row.right_id)
                new = replace(row, id=pair_id(left, right), left_id=left, right_id=right)
            case _:
                pass
        return cast(R, new)

    def _old_id(self, given: str) -> str:
        return self.ids.get(given, given)

    def list_changes(self, net: Sequence[Change]) -> tuple[Change, ...]:
        out: list[Change] = []
        for change in net:
            row = change.before
            if row is not None and change.after is None and (type(row), row.id) in self.taken:
                continue
            before, after = (
                change.before,
                self.rename_refs(change.after) if change.after is not None else None,
            )
            if after is not None and change.after is not None:
                before = self.olds.get(change.after.id, before)
                after = _as_old_as(before, after) if before is not None else after
            if before != after:
                out.append(Change(before=before, after=after))
        return tuple(out)


def _as_old_as(old: Record, row: Record) -> Record:
    """Returns the new row with the old one's age; the old one itself, if that is all that
    differs.
    """
    if isinstance(old, EntityRecord) and isinstance(row, EntityRecord):
        same = replace(
            row, created_at=old.created_at, updated_at=old.updated_at, version=old.version
        )
        return (
            old if same == old else replace(row, created_at=old.created_at, version=old.version + 1)
        )
    if isinstance(old, Mention | EntityType) or isinstance(row, Mention | EntityType):
        return row
    return replace(row, created_at=old.created_at)
