"""Asks the store for what was learned of an episode before, and what else rests on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from factbook.memory.gather import identities_of, with_statements
from factbook.model.change import Change, Commit
from factbook.model.line import LineFilter
from factbook.model.record import Alias, EntityRecord, Fact, NotSame, Relation, Review, Support
from factbook.ports.store import Reader
from factbook.resolve.known import Known
from factbook.resolve.replacing import Learnt
from factbook.text.names import fold


def gather_learnt(reader: Reader, space: str, episode_id: str, commits: Sequence[Commit]) -> Learnt:
    """What was learned of an episode by those commits, and what is there of it now."""
    changes = [change for commit in commits for change in commit.changes]
    rows = [row for change in changes for row in (change.before, change.after) if row is not None]
    restated = {row.record_id for row in rows if isinstance(row, Support)}
    facts = [row for row in (*rows, *reader.get(space, Fact, restated).values()) if isinstance(row, Fact)]
    relations = [row for row in (*rows, *reader.get(space, Relation, restated).values()) if isinstance(row, Relation)]
    ids = {row.id for row in rows if isinstance(row, EntityRecord)}
    ids |= {row.entity_id for row in rows if isinstance(row, Alias)} | {row.entity_id for row in facts}
    ids |= {end for row in relations for end in (row.from_id, row.to_id)}
    known = with_statements(
        reader,
        space,
        replace(identities_of(reader, space, ids), mentions=reader.mentions_in(space, [episode_id])),
        {row.attribute for row in facts},
        {row.label for row in relations},
    )
    made = {change.after.id for change in changes if change.before is None and isinstance(change.after, EntityRecord)}
    elsewhere = {
        key: [each for each in reader.mentions(space, [key]) if each.episode_id != episode_id] for key in sorted(ids)
    }
    wanted = {row.id for row in rows if isinstance(row, Review)}
    reviews = [
        row for row in reader.reviews(space, state=None) if row.id in wanted or {row.left_id, row.right_id} & made
    ]
    return Learnt(
        episode_id=episode_id,
        changes=changes,
        known=known,
        reviews=[row for row in reviews if row.id in wanted],
        named={(key, fold(each.text)) for key, mentions in elsewhere.items() for each in mentions},
        resting={key for key in made if elsewhere[key]} | _resting(reader, space, made & ids, reviews, changes, known),
    )


def _resting(
    reader: Reader,
    space: str,
    ids: Set[str],
    reviews: Iterable[Review],
    changes: Sequence[Change],
    known: Known,
) -> set[str]:
    """Those on which a note, an identity, a decision, or a statement that isn't among the known rests."""
    theirs = {change.after for change in changes if isinstance(change.after, Review)}
    pairs: list[NotSame | Review] = [*reader.every(space, NotSame), *(row for row in reviews if row not in theirs)]
    resting = {key for row in pairs for key in (row.left_id, row.right_id)}
    homes = reader.canonical(space, ids)
    resting |= {key for key, home in homes.items() if len(reader.members(space, [home])[home]) > 1}
    held = {row.id for row in known.facts} | {row.id for row in known.relations}
    for key in ids:
        others: list[Fact | Relation] = [*reader.facts(space, [key]), *reader.relations(space, [key])]
        noted = reader.find_entity_lines(space, [key], LineFilter(kinds=("note",), superseded=True), limit=1)
        if noted or any(row.id not in held for row in others):
            resting.add(key)
    return resting & ids
