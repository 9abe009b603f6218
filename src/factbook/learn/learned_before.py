"""Asks the store for what was learned of an episode before, and what else rests on it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from factbook.learn.gather import identities_of, with_statements
from factbook.model.change import Change, Commit
from factbook.model.line import LineFilter
from factbook.model.named_observation import as_entities
from factbook.model.record import (
    Alias,
    EntityRecord,
    Fact,
    NotSame,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.ports.snapshot import Snapshot
from factbook.resolve.known_record import KnownRecord
from factbook.resolve.relearning import Learnt
from factbook.text.names import fold


def gather_learnt(
    snapshot: Snapshot, space: str, episode_id: str, commits: Sequence[Commit]
) -> Learnt:
    """Reads the rows learned of an episode by these commits, as they were and as they are now."""
    changes = as_entities(change for commit in commits for change in commit.changes)
    rows = [row for change in changes for row in (change.before, change.after) if row is not None]
    restated = {row.record_id for row in rows if isinstance(row, Support)}
    facts = [
        row
        for row in (*rows, *snapshot.get(space, Fact, restated).values())
        if isinstance(row, Fact)
    ]
    relations = [
        row
        for row in (*rows, *snapshot.get(space, Relation, restated).values())
        if isinstance(row, Relation)
    ]
    ids = {row.id for row in rows if isinstance(row, EntityRecord)}
    ids |= {row.entity_id for row in rows if isinstance(row, Alias)} | {
        row.entity_id for row in facts
    }
    ids |= {end for row in relations for end in (row.from_id, row.to_id)}
    known = with_statements(
        snapshot,
        space,
        replace(
            identities_of(snapshot, space, ids),
            mentions=snapshot.mentions_in(space, [episode_id]),
            observations=[
                row for row in snapshot.observations_in(space, [episode_id]) if not row.name
            ],
        ),
        {row.attribute for row in facts},
        {row.label for row in relations},
    )
    made = {
        change.after.id
        for change in changes
        if change.before is None and isinstance(change.after, EntityRecord)
    }
    elsewhere = {
        key: [each for each in snapshot.mentions(space, [key]) if each.episode_id != episode_id]
        for key in sorted(ids)
    }
    verdicts: list[Record] = []
    for cls in (SameAs, NotSame, Review):
        verdicts += snapshot.get(
            space, cls, {row.id for row in rows if isinstance(row, cls)}
        ).values()
    return Learnt(
        episode_id=episode_id,
        changes=changes,
        known=known,
        verdicts=verdicts,
        named={(key, fold(each.text)) for key, mentions in elsewhere.items() for each in mentions},
        resting={key for key in made if elsewhere[key]}
        | _resting(snapshot, space, made & ids, changes, known),
    )


def _resting(
    snapshot: Snapshot, space: str, ids: Set[str], changes: Sequence[Change], known: KnownRecord
) -> set[str]:
    """Returns the ids on which a note, another observation, an identity, a decision, or a statement that isn't among the
    known rests.
    """
    theirs = [change.after for change in changes]
    resting: set[str] = set()
    for row in snapshot.verdicts(space, SameAs, ids):
        resting |= {row.entity_id, row.canonical_id} if row not in theirs else set()
    pairs: list[NotSame | Review] = [
        *snapshot.verdicts(space, NotSame, ids),
        *snapshot.verdicts(space, Review, ids),
    ]
    for pair in pairs:
        resting |= {pair.left_id, pair.right_id} if pair not in theirs else set()
    held = {row.id for row in known.facts} | {row.id for row in known.relations}
    held |= {row.id for row in known.observations} | ids
    for key in ids:
        others: list[Fact | Relation] = [
            *snapshot.facts(space, [key]),
            *snapshot.relations(space, [key]),
        ]
        noted = snapshot.find_entity_lines(
            space, [key], LineFilter(kinds=("note",), superseded=True), limit=1
        )
        observed = [each.id for each in snapshot.observations(space, [key])]
        if noted or not held.issuperset(observed) or any(row.id not in held for row in others):
            resting.add(key)
    return resting & ids
