"""A draft and what is known become changes: pure, and nothing new the second time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from factbook.model.change import Change
from factbook.model.conflicts import conflicting_facts, disputed_links
from factbook.model.draft import KNOWN, Draft
from factbook.model.episode import Episode
from factbook.model.record import SELF, EntityRecord, EntityType, Fact, Mention, Relation, Review
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.draft_statements import (
    Timelines,
    draft_facts,
    draft_relations,
    write_observations,
)
from factbook.resolve.entity_linking import Linker
from factbook.resolve.identity_settling import Settler
from factbook.resolve.known_record import KnownRecord
from factbook.resolve.unnamed_roles import read_roles
from factbook.text.names import fold


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftPlan:
    """The changes of learning a draft.

    Attributes:
        changes: in the order in which to apply them.
        entity_ids: by ref, the id that the entity has (as said, not canonical).
        reviews: pairs that this plan puts up for a decision.
        conflicts: how many attributes of the entities that it touches have several current values
            that had not before.
    """

    changes: tuple[Change, ...] = ()
    entity_ids: Mapping[str, str] = field(default_factory=dict[str, str])
    reviews: tuple[Review, ...] = ()
    conflicts: int = 0


def plan_draft(
    draft: Draft,
    episode: Episode,
    known: KnownRecord,
    *,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> DraftPlan:
    """Turns a draft into changes.

    Every name is linked to the entity that it means, or makes a new one; where that is in doubt it
    makes a new one and a `Review`. Facts and relations are laid out on their timelines (see
    `timeline`). A statement without a time in its text counts from when it was said.

    Args:
        draft: grounded in the episode. known: what `learn.gather` found for it.
        kinds: the space's kinds by id. now: when it is recorded. new_id: gives ids that are unique
            in the space.
    """
    sheet = ChangeSheet()
    linker = Linker(known, episode, kinds, sheet, now, new_id)
    names = {key: fold(row.name) for key, row in known.entities.items()}
    draft, meant = read_roles(draft, episode, known.holding, names, known.canonical)
    linker.ids.update(meant)
    linker.link_draft(draft)
    linker.ids.update({f"{KNOWN}{key}": key for key in draft.known_ids & known.entities.keys()})
    facts = draft_facts(draft.facts, linker, episode, now)
    relations = draft_relations(draft.relations, linker, episode, now)
    _write_mentions(draft, episode, known, linker, sheet, new_id)
    timelines = Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id)
    timelines.add_facts(facts, linker.rows)
    timelines.add_relations(relations, linker.rows)
    write_observations(draft.observations, linker, episode, timelines)
    Settler(known, linker, kinds, sheet, now).settle_draft(draft)
    changes = sheet.list_changes()
    return DraftPlan(
        changes=changes,
        entity_ids=dict(linker.ids),
        reviews=tuple(linker.reviews),
        conflicts=_new_conflicts(changes, known, linker.rows, kinds, now),
    )


def _write_mentions(
    draft: Draft,
    episode: Episode,
    known: KnownRecord,
    linker: Linker,
    sheet: ChangeSheet,
    new_id: Callable[[], str],
) -> None:
    said = {message.id: message.at for message in episode.messages}
    seen = {(m.entity_id, m.message_id, m.start, m.end) for m in known.mentions}
    for entity in draft.entities:
        entity_id = linker.ids[entity.ref]
        for mention in entity.mentions:
            key = (entity_id, mention.message_id, mention.start, mention.end)
            if key in seen or mention.message_id not in said:
                continue
            seen.add(key)
            if entity_id == SELF:
                linker.self_row()
            sheet.put_row(
                Mention(
                    id=new_id(),
                    entity_id=entity_id,
                    episode_id=episode.id,
                    message_id=mention.message_id,
                    start=mention.start,
                    end=mention.end,
                    text=mention.text,
                    at=said[mention.message_id],
                )
            )


def _new_conflicts(
    changes: Sequence[Change],
    known: KnownRecord,
    rows: Mapping[str, EntityRecord],
    kinds: Mapping[str, EntityType],
    now: datetime,
) -> int:
    """Counts the attributes and single links that have several answers and had one."""
    links = {change.after.from_id for change in changes if isinstance(change.after, Relation)}
    had = {row.id: row for row in known.relations if row.from_id in links}
    has = {
        **had,
        **{row.id: row for change in changes if isinstance(row := change.after, Relation)},
    }
    disputes = sum(
        len(
            _find_disputes(has.values(), key, known, rows, kinds, now)
            - _find_disputes(had.values(), key, known, rows, kinds, now)
        )
        for key in links
    )
    touched = {change.after.entity_id for change in changes if isinstance(change.after, Fact)}
    before = {fact.id: fact for fact in known.facts if fact.entity_id in touched}
    after = {
        **before,
        **{row.id: row for change in changes if isinstance(row := change.after, Fact)},
    }
    return disputes + sum(
        len(
            _find_clashes(after.values(), key, rows, kinds, now)
            - _find_clashes(before.values(), key, rows, kinds, now)
        )
        for key in touched
    )


def _find_disputes(
    relations: Iterable[Relation],
    from_id: str,
    known: KnownRecord,
    rows: Mapping[str, EntityRecord],
    kinds: Mapping[str, EntityType],
    now: datetime,
) -> set[str]:
    row = rows.get(from_id)
    kind = kinds.get(row.kind if row else "other", EntityType(id="other"))
    current = [
        each for each in relations if each.from_id == from_id and each.state_at(now) == "current"
    ]
    return set(disputed_links(current, known.canonical, kind))


def _find_clashes(
    facts: Iterable[Fact],
    entity_id: str,
    rows: Mapping[str, EntityRecord],
    kinds: Mapping[str, EntityType],
    now: datetime,
) -> set[str]:
    row = rows.get(entity_id)
    kind = kinds.get(row.kind if row else "other", EntityType(id="other"))
    current = [
        fact for fact in facts if fact.entity_id == entity_id and fact.state_at(now) == "current"
    ]
    return set(conflicting_facts(current, kind))
