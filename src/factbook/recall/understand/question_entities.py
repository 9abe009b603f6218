"""The entities that a question names and what relations lead to from there, with whose lines to
fetch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.model.line import LineFilter, LineKind
from factbook.model.record import EntityRecord, Relation
from factbook.ports.snapshot import Snapshot
from factbook.recall.measure.signals import Ties
from factbook.recall.request import RecallRequest
from factbook.recall.understand.event_dates import date_events
from factbook.recall.understand.hop_walks import walk
from factbook.recall.understand.query import SPEAKS, Query, understand, with_reached
from factbook.text.index_words import index_words
from factbook.text.name_links import (
    LONG,
    MOST_BEARERS,
    SURE,
    Linked,
    link_misspelt,
    link_names,
    slip_fit,
    unclear_words,
)
from factbook.text.names import fold, slip_forms
from factbook.text.question.question_times import common
from factbook.text.question.question_words import Token, find_grams, keys_of, split_question

STATEMENTS_OF_ENTITY = 32
MESSAGES_OF_ENTITY = 16
LINES_OF_NEIGHBOUR = 6
MOST_LINKED = 8
MOST_NEIGHBOURS = 12
HUB = 60
"""Relations of one entity that are followed at most."""
MOST_NEAR_WORDS = 6
"""Words of names that a misspelt one may stand for."""
VIA = 0.7
"""What is left of a name's strength where it only leads to someone else: of Alice in `Alice's
manager`.
"""
OF_KIND = 15
"""Entities of a kind that a list question asks for."""
LinesOf = list[tuple[list[str], int, tuple[LineKind, ...]]]
_KNOWN: tuple[LineKind, ...] = ("fact", "relation", "note", "entity", "observation")


@dataclass(frozen=True, kw_only=True, slots=True)
class Followed:
    """A question, understood with what a space knows: its ties, and whose lines to fetch: ids, how
    many, which kinds. `rows` are the entities that it names, by canonical id.
    """

    query: Query
    rows: Mapping[str, EntityRecord]
    ties: Ties
    lines: LinesOf
    where: LineFilter


def follow(request: RecallRequest) -> Followed:
    """Understands a question: whom it names, whom its hops lead to, when the events were that it
    dates by.
    """
    snapshot, space, where = request.snapshot, request.space, request.where
    linked = linked_entities(snapshot, space, request.asked)
    query = understand(request.asked, linked=linked, kinds=request.kinds, now=request.now)
    if query.past:
        where = replace(where, superseded=True)
        request = replace(request, where=where)
    ids = [each.entity_id for each in query.linked]
    rows = snapshot.get(space, EntityRecord, ids) if ids else {}
    query = _with_speakers(query, rows)
    if query.chains:
        query = with_reached(query, walk(request, query))
        reached = {each.entity_id: each.path for each in query.reached}
        groups = snapshot.members(space, reached) if reached else {}
        query = replace(
            query, paths={id_: reached[key] for key, group in groups.items() for id_ in group}
        )
    if query.events and query.span is None:
        query = replace(query, span=common(date_events(request, query)))
    ties, lines = ties_of(request, query)
    return Followed(query=query, rows=rows, ties=ties, lines=lines, where=where)


def _with_speakers(query: Query, rows: Mapping[str, EntityRecord]) -> Query:
    """The question with the present names of those whom it surely names: a speaker goes by that,
    not by a nickname.
    """
    sure = {each.entity_id for each in query.linked if each.strength >= SURE}
    names = {fold(row.name) for key, row in rows.items() if key in sure}
    return replace(query, speakers=query.speakers | names)


def linked_entities(snapshot: Snapshot, space: str, question: str) -> tuple[Linked, ...]:
    """The entities that the question names, the surest first."""
    said = split_question(question)
    keys = {gram: keys_of(gram) for gram in find_grams(question)}
    wanted = dict.fromkeys(key for some in keys.values() for key in some)
    bearers = snapshot.names(space, wanted, limit=2 * MOST_BEARERS) if wanted else {}
    linked: tuple[Linked, ...] = ()
    known: set[int] = set()
    if bearers:
        found = {
            gram: [(key, hit) for key in some for hit in bearers.get(key, ())]
            for gram, some in keys.items()
        }
        ids = {hit.entity_id for hits in found.values() for _, hit in hits}
        linked = link_names(found, snapshot.canonical(space, ids), said)
        known = {
            gram.start for gram, hits in found.items() if any(key[0] in "ft" for key, _ in hits)
        }
    return _with_misspelt(snapshot, space, said, linked, known)[:MOST_LINKED]


def _with_misspelt(
    snapshot: Snapshot,
    space: str,
    said: Sequence[Token],
    linked: tuple[Linked, ...],
    known: Set[int],
) -> tuple[Linked, ...]:
    """The links with those by words that are in no name, but nearly."""
    unknown = unclear_words(said, linked, known)
    near = snapshot.near_words(space, unknown.values(), limit=MOST_NEAR_WORDS) if unknown else {}
    for place, word in unknown.items():
        if word not in near and said[place].capital and len(word) >= LONG:
            further = snapshot.near_words(space, slip_forms(word), limit=MOST_NEAR_WORDS)
            near[word] = list(dict.fromkeys(each for some in further.values() for each in some))
    like = {
        place: [each for each in near.get(word, ()) if slip_fit(said[place], each)]
        for place, word in unknown.items()
    }
    if not any(like.values()):
        return linked
    bearers = snapshot.names(
        space, {f"t:{each}" for some in like.values() for each in some}, limit=2 * MOST_BEARERS
    )
    found = {
        place: [(each, hit) for each in some for hit in bearers.get(f"t:{each}", ())]
        for place, some in like.items()
    }
    canonical = snapshot.canonical(
        space, {hit.entity_id for hits in found.values() for _, hit in hits}
    )
    return link_misspelt(found, said, linked, canonical)


def ties_of(request: RecallRequest, query: Query) -> tuple[Ties, LinesOf]:
    """Strengths by member id, and whose lines to fetch."""
    snapshot, space, where = request.snapshot, request.space, request.where
    strengths = {each.entity_id: each.strength for each in query.linked}
    via = {each.steps[0] for each in query.reached if each.speaks}
    strengths = {key: value * (VIA if key in via else 1.0) for key, value in strengths.items()}
    for each in query.reached:
        if not each.answer:
            strengths[each.entity_id] = max(strengths.get(each.entity_id, 0.0), each.strength)
    answers = {each.entity_id: each.strength for each in query.reached if each.answer}
    asked = entities_of_kind(request, query)
    canonical = dict.fromkeys([*strengths, *answers, *asked])
    if not canonical:
        return Ties(named={}, linked={}), []
    members = snapshot.members(space, canonical)
    named = {
        member: value for key, value in strengths.items() for member in members.get(key, (key,))
    }
    beyond = {member: 0.4 for key in asked for member in members.get(key, (key,))}
    beyond |= {
        member: value for key, value in answers.items() for member in members.get(key, (key,))
    }
    names = {
        member: frozenset(index_words(each.name))
        for each in query.linked
        if each.strength >= SURE
        for member in members.get(each.entity_id, (each.entity_id,))
    }
    for each in query.reached:
        if each.strength >= SPEAKS and not each.answer:
            names |= dict.fromkeys(members.get(each.entity_id, (each.entity_id,)), each.asked)
    neighbours = neighbours_of(snapshot, space, named, query, where.as_of) if named else {}
    linked = {**beyond, **neighbours}
    return Ties(
        named=named,
        linked={key: value for key, value in linked.items() if key not in named},
        names=names,
    ), [
        (list(named), STATEMENTS_OF_ENTITY, _KNOWN),
        (list(named), MESSAGES_OF_ENTITY, ("message",)),
        (list(neighbours), LINES_OF_NEIGHBOUR, ("fact", "relation")),
        (list(beyond), LINES_OF_NEIGHBOUR, _KNOWN),
    ]


def entities_of_kind(request: RecallRequest, query: Query) -> list[str]:
    """Entities of the kinds asked for, where a list, a count or nothing else is wanted; of projects
    or sessions, those first named there.
    """
    snapshot, space, where = request.snapshot, request.space, request.where
    if not query.kinds or not (query.only_kinds or query.shape in ("list", "count")):
        return []
    if not where.projects and not where.sessions:
        return snapshot.entity_ids(space, kinds=query.kinds, limit=OF_KIND)
    there = LineFilter(projects=where.projects, sessions=where.sessions)
    out: list[str] = []
    for ids in request.entity_pages(OF_KIND, kinds=query.kinds):
        rows = snapshot.get(space, EntityRecord, ids)
        out += [key for key in ids if key in rows and there.allows_row(rows[key])]
        if len(out) >= OF_KIND:
            break
    return out[:OF_KIND]


def neighbours_of(
    snapshot: Snapshot, space: str, named: Mapping[str, float], query: Query, as_of: datetime | None
) -> dict[str, float]:
    """Returns the entities that current relations link to the named: stronger where the label is
    asked for, weaker from a hub.
    """
    if as_of is None:
        rows = snapshot.relations_between(space, list(named), limit=HUB)
    else:
        then = snapshot.relations(space, list(named))
        rows = [row for row in then if row.state_at(as_of, then=True) == "current"][-HUB:]
    degree: dict[str, int] = {}
    for row in rows:
        for end in (row.from_id, row.to_id):
            degree[end] = degree.get(end, 0) + 1
    asked = set(query.words)
    best: dict[str, float] = {}
    for row in rows:
        for near, far in ((row.from_id, row.to_id), (row.to_id, row.from_id)):
            if near in named and far not in named:
                fit = 1.0 if asked.intersection(label_words(row)) else 0.5
                value = named[near] * fit / (1.0 + math.log(degree[near]))
                best[far] = max(best.get(far, 0.0), value)
    strongest = sorted(best.items(), key=lambda each: (-each[1], each[0]))[:MOST_NEIGHBOURS]
    members = snapshot.members(
        space, snapshot.canonical(space, [key for key, _ in strongest]).values()
    )
    home = {member: group for group in members.values() for member in group}
    return {member: value for key, value in reversed(strongest) for member in home.get(key, (key,))}


def label_words(row: Relation) -> list[str]:
    """The index words of a relation's label."""
    return index_words(row.label.replace("_", " "))
