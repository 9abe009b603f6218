"""From plans to rows: entities that are preferences or pain points are written as observations with
a name, and a clause that tells one of them gives it its words instead of standing beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from factbook.extract.ground import find_name
from factbook.model.change import Change
from factbook.model.named_observation import SORT_OF_KIND, observation_of
from factbook.model.record import SELF, Alias, EntityRecord, Mention, Observation, Record
from factbook.ports.snapshot import Snapshot
from factbook.text.names import exact_key, fold


def as_rows(snapshot: Snapshot, space: str, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Returns the changes that write what was planned on the snapshot."""
    entities = {row.id for row in _rows(changes) if isinstance(row, EntityRecord)}
    writing = _Writing(
        snapshot=snapshot,
        space=space,
        held=snapshot.get(space, Observation, entities) if entities else {},
        named={
            fold(row.name): row.entity_id if isinstance(row, Alias) else row.id
            for row in _rows(changes)
            if isinstance(row, Alias | EntityRecord)
        },
    )
    written = [each for change in changes for each in writing.written(change)]
    return tuple(writing.in_their_words(written))


def _rows(changes: Sequence[Change]) -> Iterator[Record]:
    for change in changes:
        if (row := change.after or change.before) is not None:
            yield row


@dataclass(frozen=True, kw_only=True, slots=True)
class _Writing:
    """Rows for changes; `held` are the observations that these are planned on, `named` the ids of
    entities by the names that the changes give.
    """

    snapshot: Snapshot
    space: str
    held: Mapping[str, Observation]
    named: Mapping[str, str]

    def written(self, change: Change) -> Iterator[Change]:
        """Yields what a planned change is in rows."""
        before, after = change.before, change.after
        old = self.held.get(change.row_key()[1])
        if change.row_key()[0] is not EntityRecord:
            yield change
        elif old is not None:
            new = observation_of(after, old) if isinstance(after, EntityRecord) else None
            yield Change(before=old, after=new)
        elif isinstance(after, EntityRecord) and after.kind in SORT_OF_KIND:
            if before is not None:  # of an open kind until now, or of an earlier version
                yield Change(before=before)
            yield Change(after=observation_of(after, about=(self._find_owner(after),)))
        else:
            yield change

    def _find_owner(self, row: EntityRecord) -> str:
        """Returns the id of whose it is: who is named with it, or else its speaker."""
        for name in (row.metadata.get("owner", ""), row.source.speaker):
            if fold(name) in self.named:
                return self.named[fold(name)]
            key = exact_key(name)
            hits = self.snapshot.names(self.space, [key]) if key else {}
            for bearer in (hit for some in hits.values() for hit in some):
                return bearer.entity_id
        return SELF

    def in_their_words(self, changes: Sequence[Change]) -> Iterator[Change]:
        """Yields the changes without the clauses that say no more than a named observation does. A
        new one takes the words of the first that says more; another time that it is said at
        length stands beside it, with its date.
        """
        new = [row for row in _new_observations(changes) if row.source.message_id]
        clauses = [row for row in new if not row.name]
        mentions = self._mentions(changes, {row.source.episode_id for row in new}) if new else []
        fresh = {row.id for row in new}
        told: dict[str, Observation] = {}
        twins = set[str]()
        for clause, mention in product(clauses, mentions):
            if clause.source.message_id != mention.message_id:
                continue
            if find_name(clause.source.quote, mention.text):
                twins.add(clause.id)
                continue
            is_told = mention.entity_id in fresh and find_name(mention.text, clause.source.quote)
            if is_told and told.setdefault(mention.entity_id, clause) is clause:
                twins.add(clause.id)
        quotes = {(each.entity_id, each.message_id): each.text for each in reversed(mentions)}
        for change in changes:
            row = change.after
            if change.before is not None or not isinstance(row, Observation):
                yield change
            elif row.id in told:
                yield Change(after=_in_words_of(row, told[row.id]))
            elif row.id not in twins:
                quote = quotes.get((row.id, row.source.message_id), row.source.quote)
                yield Change(after=replace(row, source=replace(row.source, quote=quote)))

    def _mentions(self, changes: Sequence[Change], episodes: set[str]) -> list[Mention]:
        """Returns the mentions of named observations in these episodes, but for those that go."""
        gone = {each.before.id for each in changes if each.before and each.after is None}
        new = [each.after for each in changes if isinstance(each.after, Mention)]
        stored = self.snapshot.mentions_in(self.space, episodes)
        every = [each for each in (*new, *stored) if gone.isdisjoint((each.id, each.entity_id))]
        known = self.snapshot.get(self.space, Observation, {each.entity_id for each in every})
        named = {row.id for row in (*_new_observations(changes), *known.values()) if row.name}
        return [each for each in every if each.entity_id in named]


def _new_observations(changes: Sequence[Change]) -> Iterator[Observation]:
    for change in changes:
        if change.before is None and isinstance(change.after, Observation):
            yield change.after


def _in_words_of(row: Observation, clause: Observation) -> Observation:
    """Returns a named observation as a clause tells it."""
    is_rule = clause.sort == "rule" and row.sort == "preference"
    return replace(
        row,
        text=clause.text,
        source=replace(row.source, quote=clause.source.quote),
        sort=clause.sort if is_rule else row.sort,
        entity_ids=tuple(dict.fromkeys((*row.entity_ids, *clause.entity_ids))),
        holds=clause.holds,
        valid_at=clause.valid_at,
        invalid_at=clause.invalid_at,
        grain=clause.grain,
    )
