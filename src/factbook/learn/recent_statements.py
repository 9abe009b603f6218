"""What was stated lately in a session, for the corrections of a draft."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

from factbook.model.draft import KNOWN, Draft, DraftFact, DraftRelation
from factbook.model.episode import Episode
from factbook.model.grouping import group_by
from factbook.model.record import SELF, EntityRecord, EntityType, Fact, Relation, Support
from factbook.ports.snapshot import Snapshot
from factbook.resolve.draft_corrections import Prior, correct_draft
from factbook.text.correction_phrases import has_cue
from factbook.text.names import fold

LATEST = 5
"""Episodes of the session that a correction may reach back to."""
WITHIN = timedelta(hours=6)
"""Without a session's name, what was said so long before may be of the same talk."""


def with_corrections(
    snapshot: Snapshot,
    space: str,
    draft: Draft,
    episode: Episode,
    kinds: Mapping[str, EntityType],
) -> Draft:
    """The draft with what its messages correct, of itself or of what was said lately in its
    session.
    """
    cued = any(message.role == "user" and has_cue(message.text) for message in episode.messages)
    if not cued:
        return correct_draft(draft, episode, ())
    return correct_draft(draft, episode, _recent(snapshot, space, episode), kinds)


def _recent(snapshot: Snapshot, space: str, episode: Episode) -> list[Prior]:
    ids = snapshot.episode_ids(space, session=episode.session, project=episode.project)
    before = ids[: ids.index(episode.id)] if episode.id in ids else ids
    told = snapshot.episodes(space, before[-LATEST:])
    begins = min(message.at for message in episode.messages)
    if not episode.session:
        told = {key: each for key, each in told.items() if each.messages[-1].at >= begins - WITHIN}
    commits = snapshot.log_of_episodes(space, told)
    rows = [change.after for commit in commits for change in commit.changes]
    supports = [row for row in rows if isinstance(row, Support)]
    facts = snapshot.get(
        space,
        Fact,
        {row.id for row in rows if isinstance(row, Fact)} | {row.record_id for row in supports},
    )
    relations = snapshot.get(
        space,
        Relation,
        {row.id for row in rows if isinstance(row, Relation)} | {row.record_id for row in supports},
    )
    return _priors(snapshot, space, [*facts.values(), *relations.values()], supports, told)


def _priors(
    snapshot: Snapshot,
    space: str,
    rows: Iterable[Fact | Relation],
    supports: Iterable[Support],
    told: Iterable[str],
) -> list[Prior]:
    """The statements of these rows that were made in these episodes, oldest first."""
    again = group_by(supports, lambda each: each.record_id)
    wanted = set(told)
    held = [row for row in rows if not row.is_retraction and row.expired_at is None]
    ends = {
        end
        for row in held
        for end in ((row.entity_id,) if isinstance(row, Fact) else (row.from_id, row.to_id))
    }
    names = snapshot.get(space, EntityRecord, ends)
    out = [
        _prior(row, said, names)
        for row in held
        for said in (row, *again.get(row.id, ()))
        if said.source.episode_id in wanted and said.source.message_id
    ]
    return sorted(out, key=lambda prior: prior.said)


def _prior(
    row: Fact | Relation, said: Fact | Relation | Support, names: dict[str, EntityRecord]
) -> Prior:
    source = said.source
    subject = row.entity_id if isinstance(row, Fact) else row.from_id
    other = names.get(row.to_id) if isinstance(row, Relation) else None
    statement = (
        DraftFact(
            ref=_ref(row.entity_id),
            attribute=row.attribute,
            value=row.value,
            message_id=source.message_id,
            quote=source.quote,
            importance=row.importance,
        )
        if isinstance(row, Fact)
        else DraftRelation(
            from_ref=_ref(row.from_id),
            label=row.label,
            to_ref=_ref(row.to_id),
            message_id=source.message_id,
            quote=source.quote,
            importance=row.importance,
        )
    )
    return Prior(
        said=(said.said_at, source.position),
        speaker=fold(source.speaker),
        message_id=source.message_id,
        subject=names[subject].name if subject in names else subject,
        statement=statement,
        value=row.value if isinstance(row, Fact) else other.name if other else row.to_id,
        kind=other.kind if other else "",
    )


def _ref(entity_id: str) -> str:
    return SELF if entity_id == SELF else f"{KNOWN}{entity_id}"
