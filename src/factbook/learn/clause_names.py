"""Decisions and tasks are told by a clause: it is an observation about them, and they have a short
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from factbook.extract.ground import find_name
from factbook.model.draft import Draft, DraftEntity, DraftMention, DraftObservation
from factbook.model.episode import Episode
from factbook.model.record import SELF, Hold, ObservationSort
from factbook.text.names import fold
from factbook.text.short_names import FEWEST_WORDS, shorten_clause

_SORTS: Mapping[str, ObservationSort] = {"decision": "decision", "task": "commitment"}
WORTH_OF_UNKEPT = 0.3
"""The most that a clause is worth which the reader did not keep by itself."""
_HOLDS: Mapping[str, Hold] = {"decision": "asserted", "task": "planned"}


def name_by_clauses(draft: Draft, episode: Episode) -> Draft:
    """Returns the draft with short names for its decisions and tasks, and an observation of the
    clause that tells each, where it has none of it.
    """
    observations = list(draft.observations)
    entities: list[DraftEntity] = []
    for entity in draft.entities:
        clauses = [each for each in entity.mentions if _is_clause(entity, each)]
        for clause in clauses:
            places = [
                place
                for place, each in enumerate(observations)
                if each.message_id == clause.message_id and share_words(each.quote, clause.text)
            ]
            if not places:
                observations.append(_observe(entity, clause, draft, episode))
            for place in places[:1]:
                known = observations[place]
                refs = tuple(dict.fromkeys((*known.refs, entity.ref)))
                observations[place] = replace(known, refs=refs)
        entities.append(replace(entity, name=shorten_clause(entity.name)) if clauses else entity)
    return replace(draft, entities=tuple(entities), observations=tuple(observations))


def _is_clause(entity: DraftEntity, mention: DraftMention) -> bool:
    return entity.kind in _SORTS and len(mention.text.split()) >= FEWEST_WORDS


def share_words(left: str, right: str) -> bool:
    """Returns whether one of two texts holds the words of the other."""
    return bool(find_name(left, right) or find_name(right, left))


def _observe(
    entity: DraftEntity, clause: DraftMention, draft: Draft, episode: Episode
) -> DraftObservation:
    refs = (_find_owner(entity, clause, draft, episode), entity.ref)
    return DraftObservation(
        refs=tuple(dict.fromkeys(refs)),
        message_id=clause.message_id,
        quote=clause.text,
        sort=_SORTS[entity.kind],
        holds=_HOLDS[entity.kind],
        importance=min(entity.importance, WORTH_OF_UNKEPT),
    )


def _find_owner(entity: DraftEntity, clause: DraftMention, draft: Draft, episode: Episode) -> str:
    """Returns the ref of whose it is: who is named as its owner, or else who says it."""
    refs = {
        fold(name): each.ref
        for each in reversed(draft.entities)
        for name in (*each.aliases, each.name)
    }
    said = {message.id: message.speaker for message in episode.messages}
    for name in (entity.metadata.get("owner", ""), said.get(clause.message_id, "")):
        if fold(name) in refs:
            return refs[fold(name)]
    return SELF
