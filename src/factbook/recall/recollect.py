"""Recall and context: asks the reader, hands `recall` what it found, and has `render` put it into
words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from factbook.model.kinds import STATEMENTS
from factbook.model.line import LineKind
from factbook.model.recollection import LeftOut, Recollection, Silence
from factbook.model.record import SELF, EntityRecord
from factbook.recall.context import trend_lines as trending
from factbook.recall.context.entity_portraits import Needed, portray
from factbook.recall.context.foremost import find_foremost
from factbook.recall.context.question_relevance import AskedWords
from factbook.recall.context.unasked_lines import cards, unlearned_lines
from factbook.recall.find.candidates import Pool, best_known, breadth, gather_candidates
from factbook.recall.find.known_rows import KnownRows, known_words, read_known, read_rows
from factbook.recall.measure.signals import Measured
from factbook.recall.measure.surroundings import surround
from factbook.recall.pack.compose import PackingAim, compose
from factbook.recall.pack.knapsack import Item, pack
from factbook.recall.phrase.expired_twins import expired_twins
from factbook.recall.phrase.kind_details import figures
from factbook.recall.phrase.line_phrases import Phrasing
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.question_account import accounted
from factbook.recall.rank.ranking import MOST_NEAR, Ranking, Scored, rank
from factbook.recall.request import RecallRequest
from factbook.recall.understand.question_entities import Followed, follow
from factbook.render.row_words import user
from factbook.text.clause_doubts import is_clause
from factbook.text.excerpt import LONG, Cutting
from factbook.text.token_estimate import TOKENS_A_WORD

MOST_KNOWN = 24
"""Facts and relations that are measured by their names too."""
NAMED = 0.5
"""Strength of a link from which on its name stands in the block's opening."""
OF_THE_BEST = 0.5
"""The floor of one space is at least this part of the highest floor of all."""
_LEEWAY = 1.3
_HEADING = 6


def recall(request: RecallRequest) -> Recollection:
    """Returns the lines of the request's spaces that answer the question, within the budget; empty
    where nothing fits.
    """
    found = _find_everywhere(request)
    least = _least(found)
    candidates = [each for part in found for each in _phrase_lines(part, least)]
    recollection = compose(_best_first(candidates), request, _aim(found))
    return _told(recollection, found, least)


def context(request: RecallRequest) -> Recollection:
    """Returns what an agent should know before it answers: its working rules, if they are wanted;
    the preferences and pain points that are well supported (at most a fifth of the budget); the
    profiles that are asked for; then what the question needs, or without either the cards of the
    most important and recent entities.
    """
    asked, parts = request.asked, request.split_spaces()
    first = find_foremost(request)
    found = _find_everywhere(request)
    least = _least(found)
    aim = replace(_aim(found), about=[*first.about, *_aim(found).about])
    if request.form != "memory":
        needed = {part.request.space: _needed(part, least) for part in found} if asked else None
        recollection = portray(request, first, needed, aim.about)
        return _told(recollection, found, least)
    if asked:
        rest = [each for part in found for each in _phrase_lines(part, least)]
    else:
        rest = [] if request.about else [each for part in parts for each in cards(part)]
    if request.learns:
        told = {each.id for each in rest if not each.left_out}
        fresh = [each for part in parts for each in unlearned_lines(part, told)]
        ids = {each.id for each in fresh}
        rest = [*(each for each in rest if each.id not in ids), *fresh]
    recollection = compose(
        [*first.candidates, *_best_first(rest)],
        request,
        replace(
            aim,
            ahead=first.ahead,
            weighed=len(first.candidates) + (aim.weighed or len(rest)),
            share_of_cards=aim.share_of_cards if asked else 1.0,
        ),
    )
    return _told(recollection, found, least)


@dataclass(frozen=True, kw_only=True, slots=True)
class _FoundInSpace:
    """The findings in one space: candidates with all their signals, rows behind the known ones, and
    how they rank.
    """

    request: RecallRequest
    understood: Followed
    pool: Pool
    behind: KnownRows
    measured: Measured
    ranking: Ranking


def _find_everywhere(request: RecallRequest) -> list[_FoundInSpace]:
    """Returns the findings in each space by its own statistics; none for an empty question."""
    return [_find(part) for part in request.split_spaces()] if request.asked.strip() else []


def _find(request: RecallRequest) -> _FoundInSpace:
    understood = follow(request)
    pool = gather_candidates(request, understood, breadth=breadth(request.budget))
    query, weights = pool.query, request.weights
    behind = read_known(request, best_known(pool.measured, MOST_KNOWN))
    known = known_words(behind, query.words, query.means)
    measured = surround(pool.measured, query, pool.stats, known=known, weights=weights)
    ranking = rank(measured, weights, all_of_kind=query.only_kinds, all_of_time=query.only_time)
    return _FoundInSpace(
        request=request,
        understood=understood,
        pool=pool,
        behind=behind,
        measured=measured,
        ranking=ranking,
    )


def _phrase_lines(found: _FoundInSpace, least: float) -> list[Candidate]:
    """The lines that may enter, and some that nearly may, in words. Only those that a rough
    packing takes are read, and of those only that reach the score which it takes in all spaces
    together.
    """
    request, ranking, query = found.request, found.ranking, found.pool.query
    likely = _likely(request, [each for each in ranking.worth if each.score >= least])
    below = [
        each for each in (*ranking.worth, *ranking.near) if each.score < least or ranking.silent
    ][:MOST_NEAR]
    why_not: LeftOut = "silence" if ranking.silent else "floor"
    shown: list[tuple[Scored, Mapping[str, float], LeftOut]] = [
        *((each, ranking.parts(each), "") for each in likely),
        *((each, ranking.parts(each), why_not) for each in below),
    ]
    trends = trending.candidates(request, query)
    rows = read_rows(request, _ids_by_kind([*likely, *below]), found.behind)
    rows, latest = _with_figures(found, rows, likely) if request.whole else (rows, {})
    phrasing = Phrasing(
        request,
        rows,
        query=query,
        cutting=Cutting(
            budget=request.budget, tokenizer=request.tokenizer, rarity=found.pool.rarity
        ),
        gone=expired_twins(request, rows),
    )
    phrased = [phrasing.phrase(each, parts, left_out=why) for each, parts, why in shown]
    out = [*trends, *(candidate for candidate in phrased if candidate is not None)]
    told = {each.id for each in out}
    more = (
        phrasing.fact(rows.facts[key], score, {"figure": score}) for key, score in latest.items()
    )
    return [*out, *(each for each in more if each is not None and each.id not in told)]


def _ids_by_kind(lines: Iterable[Scored]) -> dict[LineKind, list[str]]:
    ids: dict[LineKind, list[str]] = {}
    for scored in lines:
        ids.setdefault(scored.hit.kind, []).append(scored.hit.id)
    return ids


def _with_figures(
    found: _FoundInSpace, rows: KnownRows, likely: Sequence[Scored]
) -> tuple[KnownRows, dict[str, float]]:
    """Returns the rows with the latest figures of what is asked for, and these by id, each with
    a score.
    """
    request, snapshot = found.request, found.request.snapshot
    scores = {
        each.entity_id: each.strength for each in found.pool.query.linked if each.strength >= NAMED
    }
    for each in likely:
        for key in each.hit.entity_ids if each.hit.kind in ("entity", "fact") else ():
            scores[key] = max(scores.get(key, 0.0), each.score)
    homes = snapshot.canonical(request.space, scores) if scores else {}
    owners = snapshot.get(request.space, EntityRecord, set(homes.values())) if homes else {}
    latest = figures(request, owners.values())
    best = {
        home: max(score for key, score in scores.items() if homes[key] == home) for home in latest
    }
    facts = {row.id: row for some in latest.values() for row in some.values()}
    more = {row.entity_id: home for home, some in latest.items() for row in some.values()}
    rows = replace(
        rows,
        facts={**facts, **rows.facts},
        canonical={**rows.canonical, **more},
        entities={**owners, **rows.entities},
    )
    return rows, {row.id: best[home] for home, some in latest.items() for row in some.values()}


def _needed(found: _FoundInSpace, least: float) -> Needed:
    """Returns the words of the question and the lines that answer it, for whole entities."""
    told = [each for each in _phrase_lines(found, least) if not each.left_out]
    asked = AskedWords.of(found.pool.query, found.pool.rarity)
    return Needed(words=asked, lines=_best_first(told), silent=found.ranking.silent)


def _likely(request: RecallRequest, worth: Sequence[Scored]) -> list[Scored]:
    rough = [
        Item(
            key=key,
            score=each.score,
            cost=min(int(TOKENS_A_WORD * each.hit.cost), LONG) + _HEADING,
        )
        for key, each in enumerate(worth)
    ]
    room = int(_LEEWAY * request.budget) + 100
    taken = pack(rough, room, sharpness=request.weights.sharpness, thrift=request.weights.thrift)
    return [worth[key] for key in sorted(taken)]


def _aim(found: Sequence[_FoundInSpace]) -> PackingAim:
    """Returns the aim of packing what was found in all spaces. What was said again may have
    happened again where it is asked how often or when.
    """
    queries = [each.pool.query for each in found]
    return PackingAim(
        about=[name for each in found for name in _about(each)],
        weighed=sum(len(each.measured.hits) for each in found),
        spread=any(query.spread for query in queries),
        share_of_cards=_share_of_cards(found),
        repeats=any(query.shape == "count" or query.asks_when for query in queries),
    )


def _about(found: _FoundInSpace) -> list[str]:
    """The present names of what the question was linked to; of projects, of what is known in
    them.
    """
    request, where = found.request, found.request.where
    ids = [each.entity_id for each in found.pool.query.linked if each.strength >= NAMED]
    rows = {key: found.understood.rows[key] for key in ids if key in found.understood.rows}
    if where.projects and rows:
        said = {key for hit in found.measured.hits for key in hit.entity_ids}
        members = request.snapshot.members(request.space, rows)
        rows = {
            key: row
            for key, row in rows.items()
            if key == SELF
            or where.allows_project(row.source.project)
            or not said.isdisjoint(members.get(key, (key,)))
        }
    named = [(key, rows[key]) for key in ids if key in rows and _is_named(rows[key])]
    return [user(row.name) if key == SELF else row.name for key, row in named]


def _is_named(row: EntityRecord) -> bool:
    """Tells whether an entity has a name that a block can be about, and not a statement for one."""
    return row.kind not in STATEMENTS and not is_clause(row.name)


def _share_of_cards(found: Sequence[_FoundInSpace]) -> float:
    """Returns the share that cards may take first: all where the things of a kind are asked for,
    since they are the answer.
    """
    listed = any(
        each.pool.query.kinds and each.pool.query.shape in ("list", "count") for each in found
    )
    return 1.0 if listed or not found else found[0].request.weights.cards


def _least(found: Sequence[_FoundInSpace]) -> float:
    """The score that a line must reach in every space, besides the floor of its own: a space in
    which little fits doesn't fill the room of one in which much does.
    """
    speaking = [each.ranking.least for each in found if not each.ranking.silent]
    return (OF_THE_BEST if len(speaking) > 1 else 1.0) * max(speaking, default=0.0)


def _told(recollection: Recollection, found: Sequence[_FoundInSpace], least: float) -> Recollection:
    """Returns the recollection with how the question was understood, what is silent, and from which
    score on a line enters.
    """
    recollection = replace(recollection, floor=least, silent=_silent(found))
    return accounted(recollection, {each.request.space: each.understood for each in found})


def _silent(found: Sequence[_FoundInSpace]) -> tuple[Silence, ...]:
    """The spaces that have nothing to say."""
    return tuple(
        Silence(
            space=each.request.space, fit=each.ranking.fit, least=1.0 - each.request.weights.doubt
        )
        for each in found
        if each.ranking.silent
    )


def _best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda candidate: -candidate.score)
