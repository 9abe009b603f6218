"""Asks the store for the lines that may answer a question, with what ranking needs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.memory.searching import Searching
from factbook.model.line import LineFilter, LineKind, WordStats
from factbook.model.record import EntityType, Relation
from factbook.ports.models import Embedder
from factbook.ports.store import Reader
from factbook.recall.query import MOST_BEARERS, SURE, Linked, Query, grams, keys_of, link, nameless, understand
from factbook.recall.signals import Measured, Ties, measure
from factbook.recall.weights import Weights
from factbook.resolve.conflicts import state_of
from factbook.text.words import words

FEWEST, MOST = 60, 300
"""Lines that are asked for by words (and four fifths of it by vectors); between them it grows with the budget."""
A_TOKEN = 0.12
STATEMENTS_OF_ENTITY = 32
MESSAGES_OF_ENTITY = 16
LINES_OF_NEIGHBOUR = 6
MOST_LINKED = 8
MOST_NEIGHBOURS = 12
HUB = 60
"""Relations of one entity that are followed at most."""
OF_KIND = 15
"""Entities of a kind that a list question asks for."""
AROUND = 24
"""Best messages whose neighbours in the session are looked at."""
RADIUS = 2
SAMPLE = 24
"""Lines in which the speakers of a space are looked for."""
_KNOWN: tuple[LineKind, ...] = ("fact", "relation", "note", "entity")


@dataclass(frozen=True, kw_only=True, slots=True)
class Pool:
    """What one space has for a question."""

    query: Query
    stats: WordStats
    measured: Measured


def breadth(budget: int) -> int:
    """How many lines to look for, for so many tokens."""
    return max(FEWEST, min(MOST, int(A_TOKEN * budget)))


def gather(
    reader: Reader,
    space: str,
    question: str,
    *,
    breadth: int,
    embedder: Embedder | None,
    where: LineFilter,
    kinds: Mapping[str, EntityType],
    weights: Weights,
    now: datetime,
) -> Pool:
    """The candidates of one space, measured by what each says by itself."""
    linked = _linked(reader, space, question)
    query = understand(question, linked=linked, kinds=kinds, now=now)
    if query.past:
        where = replace(where, superseded=True)
    ties, ids = _ties(reader, space, query, where)
    searching = Searching(reader=reader, space=space, where=where)
    numbers = dict.fromkeys(searching.words(query.words, limit=breadth))
    for found, limit, only in ids:
        if found:
            numbers.update(dict.fromkeys(searching.of_entities(found, only, limit=limit)))
    model, vector = _vector(reader, space, question, list(numbers)[:SAMPLE], embedder)
    if vector:
        numbers.update(dict.fromkeys(searching.vector(model, vector, limit=breadth * 4 // 5)))
    stats = reader.word_stats(space, query.words)
    hits = searching.held(reader.hits(space, list(numbers), query.words, model=model, vector=vector, now=now))
    measured = measure(hits, query, stats, ties, weights=weights, now=now)
    around = [no for no in searching.around(_best(measured), radius=RADIUS) if no not in numbers]
    if around:
        more = reader.hits(space, around, query.words, model=model, vector=vector, now=now)
        measured = joined(measured, measure(more, query, stats, ties, weights=weights, now=now))
    return Pool(query=query, stats=stats, measured=measured)


def _vector(
    reader: Reader, space: str, question: str, sample: Sequence[int], embedder: Embedder | None
) -> tuple[str, bytes]:
    """The model's name and the question's vector, without the names of those who said the sampled lines."""
    if embedder is None:
        return "", b""
    speakers = {hit.speaker for hit in reader.hits(space, sample, ()) if hit.kind == "message"}
    return embedder.name, embedder.embed([nameless(question, speakers)])[0]


def joined(left: Measured, right: Measured) -> Measured:
    """Both lists of candidates as one."""
    return Measured(
        hits=[*left.hits, *right.hits],
        columns={name: [*column, *right.columns[name]] for name, column in left.columns.items()},
        fit=[*left.fit, *right.fit],
    )


def _linked(reader: Reader, space: str, question: str) -> tuple[Linked, ...]:
    keys = {gram: keys_of(gram) for gram in grams(question)}
    wanted = dict.fromkeys(key for some in keys.values() for key in some)
    bearers = reader.names(space, wanted, limit=2 * MOST_BEARERS) if wanted else {}
    if not bearers:
        return ()
    found = {gram: [(key, hit) for key in some for hit in bearers.get(key, ())] for gram, some in keys.items()}
    ids = {hit.entity_id for hits in found.values() for _, hit in hits}
    return link(found, reader.canonical(space, ids))[:MOST_LINKED]


_Lines = list[tuple[list[str], int, tuple[LineKind, ...]]]


def _ties(reader: Reader, space: str, query: Query, where: LineFilter) -> tuple[Ties, _Lines]:
    """Strengths by member id, and whose lines to fetch: ids, how many of each, of which kinds."""
    strengths = {each.entity_id: each.strength for each in query.linked}
    asked = _of_kind(reader, space, query)
    canonical = dict.fromkeys([*strengths, *asked])
    if not canonical:
        return Ties(named={}, linked={}), []
    members = reader.members(space, canonical)
    named = {member: value for key, value in strengths.items() for member in members.get(key, (key,))}
    beyond = {member: 0.4 for key in asked for member in members.get(key, (key,))}
    names = {
        member: frozenset(words(each.name))
        for each in query.linked
        if each.strength >= SURE
        for member in members.get(each.entity_id, (each.entity_id,))
    }
    neighbours = _neighbours(reader, space, named, query, where.as_of) if named else {}
    linked = {**beyond, **neighbours}
    return Ties(named=named, linked={key: value for key, value in linked.items() if key not in named}, names=names), [
        (list(named), STATEMENTS_OF_ENTITY, _KNOWN),
        (list(named), MESSAGES_OF_ENTITY, ("message",)),
        (list(neighbours), LINES_OF_NEIGHBOUR, ("fact", "relation")),
        (list(beyond), LINES_OF_NEIGHBOUR, _KNOWN),
    ]


def _of_kind(reader: Reader, space: str, query: Query) -> list[str]:
    if not query.kinds or query.shape not in ("list", "count"):
        return []
    return reader.entity_ids(space, kinds=query.kinds, limit=OF_KIND)


def _neighbours(
    reader: Reader, space: str, named: Mapping[str, float], query: Query, as_of: datetime | None
) -> dict[str, float]:
    """What current relations link to the named: stronger where the label is asked for, weaker from a hub."""
    if as_of is None:
        rows = reader.relations_between(space, list(named), limit=HUB)
    else:
        then = reader.relations(space, list(named))
        rows = [row for row in then if state_of(row, as_of, then=True) == "current"][-HUB:]
    degree: dict[str, int] = {}
    for row in rows:
        for end in (row.from_id, row.to_id):
            degree[end] = degree.get(end, 0) + 1
    asked = set(query.words)
    best: dict[str, float] = {}
    for row in rows:
        for near, far in ((row.from_id, row.to_id), (row.to_id, row.from_id)):
            if near in named and far not in named:
                fit = 1.0 if asked.intersection(_label_words(row)) else 0.5
                value = named[near] * fit / (1.0 + math.log(degree[near]))
                best[far] = max(best.get(far, 0.0), value)
    strongest = sorted(best.items(), key=lambda each: (-each[1], each[0]))[:MOST_NEIGHBOURS]
    members = reader.members(space, reader.canonical(space, [key for key, _ in strongest]).values())
    home = {member: group for group in members.values() for member in group}
    return {member: value for key, value in reversed(strongest) for member in home.get(key, (key,))}


def _label_words(row: Relation) -> list[str]:
    return words(row.label.replace("_", " "))


def _best(measured: Measured) -> list[int]:
    placed = [
        (fit, hit) for fit, hit in zip(measured.fit, measured.hits, strict=True) if hit.kind == "message" and fit > 0
    ]
    placed.sort(key=lambda each: (-each[0], each[1].no))
    return [hit.no for _, hit in placed[:AROUND]]


def best_known(measured: Measured, most: int) -> dict[LineKind, list[str]]:
    """Ids of the best facts and relations, by kind: by their own words and by what they are about."""
    columns = measured.columns
    known = [
        (fit + name + graph, hit)
        for fit, name, graph, hit in zip(measured.fit, columns["name"], columns["graph"], measured.hits, strict=True)
        if hit.kind in ("fact", "relation")
    ]
    known.sort(key=lambda each: (-each[0], each[1].no))
    out: dict[LineKind, list[str]] = {}
    for _, hit in known[:most]:
        out.setdefault(hit.kind, []).append(hit.id)
    return out
