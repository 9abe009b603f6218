"""Recall and context: asks the reader, hands `recall` what it found, and has `render` put it into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from factbook.errors import ConfigError
from factbook.memory.composing import compose
from factbook.memory.finding import Pool, best_known, breadth, gather
from factbook.memory.phrasing import Candidate, Phrasing, known_words, read_known, read_rows
from factbook.model.line import LineFilter, LineKind, Recollection
from factbook.model.record import EntityRecord, EntityType, Fact, Relation
from factbook.ports.models import Embedder, Tokenizer
from factbook.ports.store import Reader
from factbook.recall.pack import Item, pack
from factbook.recall.rank import Scored, parts, rank
from factbook.recall.signals import Measured, surround
from factbook.recall.weights import DEFAULT, Weights
from factbook.render.lines import ALWAYS
from factbook.text.tokens import TOKENS_A_WORD

ALWAYS_A_KIND = 5
"""Preferences, and pain points, that every context begins with."""
CARDS = 30
"""Entities that are looked at for a context without a question."""
PARTS_OF_CARD = 6
MOST_KNOWN = 24
"""Facts and relations that are measured by their names too."""
_R = TypeVar("_R", Fact, Relation)
_LEEWAY = 1.3
_HEADING = 6


def recall(
    reader: Reader,
    spaces: Sequence[str],
    question: str,
    *,
    budget: int,
    where: LineFilter,
    embedder: Embedder | None,
    tokenizer: Tokenizer,
    kinds: Mapping[str, EntityType],
    now: datetime,
    weights: Weights = DEFAULT,
) -> Recollection:
    """The lines of these spaces that answer the question, within the budget; empty where nothing fits.

    Args:
        reader: one consistent view. spaces: the first is the asker's own; lines of the others are marked.
        budget: most tokens of the text, by `tokenizer`, headings and tags included.
        where: which lines may be said. embedder: None to go by words alone. kinds: of the first space, by id.

    Raises:
        ConfigError: the budget is below 1.
    """
    _check(budget)
    found = (
        [_found(reader, space, question, budget, embedder, where, kinds, weights, now) for space in spaces]
        if question.strip()
        else []
    )
    candidates = [
        candidate
        for each in found
        for candidate in _candidates(reader, each, "" if each.space == spaces[0] else each.space, budget, kinds, now)
    ]
    candidates.sort(key=lambda candidate: -candidate.score)
    return compose(
        candidates,
        question=question,
        about=[name for each in found for name in _about(reader, each)],
        budget=budget,
        tokenizer=tokenizer,
        weights=weights,
        now=now,
        spread=any(each.pool.query.shape in ("list", "yes_no") for each in found),
        weighed=sum(len(each.pool.measured.hits) for each in found),
    )


def context(
    reader: Reader,
    spaces: Sequence[str],
    *,
    budget: int,
    where: LineFilter,
    embedder: Embedder | None,
    tokenizer: Tokenizer,
    kinds: Mapping[str, EntityType],
    now: datetime,
    question: str | None = None,
    weights: Weights = DEFAULT,
) -> Recollection:
    """What an agent should know before it answers: preferences and pain points always (five a kind, at most a fifth
    of the budget), then what the question needs, or without one the cards of the most important and recent entities.

    Raises:
        ConfigError: the budget is below 1.
    """
    _check(budget)
    marks = {space: "" if space == spaces[0] else space for space in spaces}
    always = [each for space in spaces for each in _always(reader, space, marks[space], where, kinds, now)]
    asked = (question or "").strip()
    found = (
        [_found(reader, space, asked, budget, embedder, where, kinds, weights, now) for space in spaces]
        if asked
        else []
    )
    if asked:
        rest = [c for each in found for c in _candidates(reader, each, marks[each.space], budget, kinds, now)]
    else:
        rest = [c for space in spaces for c in _cards(reader, space, marks[space], where, kinds, now)]
    rest.sort(key=lambda candidate: -candidate.score)
    return compose(
        [*always, *rest],
        question=question or "",
        about=[name for each in found for name in _about(reader, each)],
        budget=budget,
        tokenizer=tokenizer,
        weights=weights,
        now=now,
        always=len(always),
        weighed=len(always) + (sum(len(each.pool.measured.hits) for each in found) or len(rest)),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """What one space gave: the pool, all its signals, and the lines worth saying."""

    space: str
    pool: Pool
    measured: Measured
    ranked: Sequence[Scored]
    weights: Weights


def _check(budget: int) -> None:
    if budget < 1:
        raise ConfigError(f"a budget is a number of tokens above 0, not {budget}")


def _found(
    reader: Reader,
    space: str,
    question: str,
    budget: int,
    embedder: Embedder | None,
    where: LineFilter,
    kinds: Mapping[str, EntityType],
    weights: Weights,
    now: datetime,
) -> _Found:
    pool = gather(
        reader,
        space,
        question,
        breadth=breadth(budget),
        embedder=embedder,
        where=where,
        kinds=kinds,
        weights=weights,
        now=now,
    )
    behind = read_known(reader, space, best_known(pool.measured, MOST_KNOWN))
    measured = surround(pool.measured, pool.query, pool.stats, known=known_words(behind), weights=weights)
    return _Found(space=space, pool=pool, measured=measured, ranked=rank(measured, weights), weights=weights)


def _candidates(
    reader: Reader, found: _Found, mark: str, budget: int, kinds: Mapping[str, EntityType], now: datetime
) -> list[Candidate]:
    """The lines that may enter, in words. Only those that a rough packing takes are read."""
    likely = _likely(found, budget)
    ids: dict[LineKind, list[str]] = {}
    for scored in likely:
        ids.setdefault(scored.hit.kind, []).append(scored.hit.id)
    phrasing = Phrasing(
        found.space, read_rows(reader, found.space, ids, kinds, now), mark=mark, now=now, query=found.pool.query
    )
    phrased = (phrasing.phrase(each, parts(found.measured, each, found.weights)) for each in likely)
    return [candidate for candidate in phrased if candidate is not None]


def _likely(found: _Found, budget: int) -> list[Scored]:
    rough = [
        Item(key=index, score=each.score, cost=int(TOKENS_A_WORD * each.hit.cost) + _HEADING)
        for index, each in enumerate(found.ranked)
    ]
    return [
        found.ranked[key]
        for key in sorted(
            pack(rough, int(_LEEWAY * budget) + 100, sharpness=found.weights.sharpness, thrift=found.weights.thrift)
        )
    ]


def _about(reader: Reader, found: _Found) -> list[str]:
    """The present names of what the question was linked to."""
    ids = [each.entity_id for each in found.pool.query.linked if each.strength >= 0.5]
    rows = reader.get(found.space, EntityRecord, ids) if ids else {}
    return [rows[key].name for key in ids if key in rows]


def _always(
    reader: Reader, space: str, mark: str, where: LineFilter, kinds: Mapping[str, EntityType], now: datetime
) -> list[Candidate]:
    out: list[Candidate] = []
    for kind in ALWAYS:
        ids = reader.entity_ids(space, kinds=[kind], limit=10 * ALWAYS_A_KIND)
        shown = [row for row in _shown(reader, space, ids, where, now) if row.importance >= where.min_importance]
        shown.sort(key=lambda row: -row.importance)
        keys = [row.id for row in shown[:ALWAYS_A_KIND]]
        rows = read_rows(reader, space, {"entity": keys}, kinds, now)
        phrasing = Phrasing(space, rows, mark=mark, now=now)
        out.extend(phrasing.always(row, 1.0, {"always": 1.0}) for row in shown[:ALWAYS_A_KIND])
    return out


def _shown(reader: Reader, space: str, ids: Sequence[str], where: LineFilter, now: datetime) -> list[EntityRecord]:
    rows = reader.get(space, EntityRecord, ids)
    return [
        row
        for key in ids
        if (row := rows.get(key)) is not None
        and (row.expires_at is None or row.expires_at > now)
        and (not where.projects or not row.source.project or row.source.project in where.projects)
    ]


def _cards(
    reader: Reader, space: str, mark: str, where: LineFilter, kinds: Mapping[str, EntityType], now: datetime
) -> list[Candidate]:
    """The cards of the most important and recent entities, part by part."""
    ids = reader.entity_ids(space, limit=CARDS)
    shown = [row for row in _shown(reader, space, ids, where, now) if row.kind not in ALWAYS]
    members = reader.members(space, [row.id for row in shown])
    home = {member: key for key, group in members.items() for member in group}
    relations = [row for row in reader.relations_between(space, list(home)) if row.from_id in home]
    rows = read_rows(
        reader,
        space,
        {"entity": [row.id for row in shown], "relation": [row.id for row in relations]},
        kinds,
        now,
    )
    phrasing = Phrasing(space, rows, mark=mark, now=now)
    out: list[Candidate] = []
    for place, owner in enumerate(shown):
        recency = 1.0 - place / max(len(shown), 1)
        made_of = {"importance": 0.5 * owner.importance, "recency": 0.5 * recency}
        score = sum(made_of.values())
        own: list[Candidate | None] = [phrasing.entity(owner, score, made_of)] if owner.description else []
        facts = _allowed(rows.current.get(owner.id, ()), where)
        own += [phrasing.fact(row, score, made_of) for row in facts[:PARTS_OF_CARD]]
        links = _allowed([row for row in relations if home[row.from_id] == owner.id], where)
        own += [phrasing.relation(row, score, made_of) for row in links[:PARTS_OF_CARD]]
        out.extend(candidate for candidate in own if candidate is not None)
    return out


def _allowed(rows: Sequence[_R], where: LineFilter) -> list[_R]:
    """What the filter lets through, the latest first."""
    kept = [
        row
        for row in rows
        if (not where.projects or not row.source.project or row.source.project in where.projects)
        and (not where.sessions or row.source.session in where.sessions)
        and row.importance >= where.min_importance
    ]
    return kept[::-1]
