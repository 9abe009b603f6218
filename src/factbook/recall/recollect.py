"""Recall and context: asks the reader, hands `recall` what it found, and has `render` put it into
words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.errors import ConfigError
from factbook.model.line import LineFilter, LineKind
from factbook.model.recollection import ContextFormat, LeftOut, Recollection, Silence
from factbook.model.record import SELF, EntityRecord, EntityType
from factbook.ports.models import Embedder, Tokenizer
from factbook.ports.snapshot import Snapshot
from factbook.recall.context import trend_lines as trending
from factbook.recall.context.entity_portraits import Needed, portray
from factbook.recall.context.entity_subjects import Sitting
from factbook.recall.context.question_relevance import AskedWords
from factbook.recall.context.statement_support import STATEMENTS
from factbook.recall.context.unasked_lines import cards, unasked_lines
from factbook.recall.context.unlearned_messages import unlearned
from factbook.recall.find.candidates import Pool, best_known, breadth, gather_candidates
from factbook.recall.find.known_rows import KnownRows, known_words, read_known, read_rows
from factbook.recall.measure.signals import Measured, idf
from factbook.recall.measure.surroundings import surround
from factbook.recall.pack.compose import compose
from factbook.recall.pack.knapsack import Item, pack
from factbook.recall.phrase.expired_twins import expired_twins
from factbook.recall.phrase.kind_details import figures
from factbook.recall.phrase.line_phrases import Candidate, Phrasing, asks_when
from factbook.recall.phrase.long_lines import LONG, Cutting
from factbook.recall.question_account import accounted
from factbook.recall.rank.ranking import MOST_NEAR, Ranking, Scored, rank
from factbook.recall.weights import DEFAULT, Weights
from factbook.render.custom import FormMaker
from factbook.render.lines import user
from factbook.text.clause_doubts import is_clause
from factbook.text.token_estimate import TOKENS_A_WORD
from factbook.views.view import View

MOST_KNOWN = 24
"""Facts and relations that are measured by their names too."""
NAMED = 0.5
"""Strength of a link from which on its name stands in the block's opening."""
OF_THE_BEST = 0.5
"""The floor of one space is at least this part of the highest floor of all."""
_LEEWAY = 1.3
_HEADING = 6


def recall(
    snapshot: Snapshot,
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
    """The lines of these spaces that answer the question, within the budget; empty where nothing
    fits.

    Args:
        snapshot: one consistent view. spaces: the first is the asker's own; lines of the others are
            marked.
        budget: most tokens of the text, by `tokenizer`, headings and tags included.
        where: which lines may be said. embedder: None to go by words alone. kinds: of the first
            space, by id.

    Raises:
        ConfigError: the budget is below 1.
    """
    asking = _Asking(
        snapshot=snapshot,
        budget=budget,
        where=where,
        embedder=embedder,
        tokenizer=tokenizer,
        kinds=kinds,
        now=now,
        weights=weights,
    )
    found = asking.everywhere(spaces, question)
    least = _least(found)
    candidates = (
        candidate
        for each in found
        for candidate in asking.candidates(each, _mark(each.space, spaces), least)
    )
    recollection = compose(
        _best_first(candidates),
        question=question,
        about=[name for each in found for name in asking.about(each)],
        budget=budget,
        tokenizer=tokenizer,
        weights=weights,
        now=now,
        spread=any(each.pool.query.spread for each in found),
        weighed=sum(len(each.measured.hits) for each in found),
        share_of_cards=_share_of_cards(found, weights),
        repeats=_repeats(found),
    )
    return _told(recollection, snapshot, found, least, weights)


def context(
    snapshot: Snapshot,
    spaces: Sequence[str],
    *,
    budget: int,
    where: LineFilter,
    embedder: Embedder | None,
    tokenizer: Tokenizer,
    kinds: Mapping[str, EntityType],
    now: datetime,
    question: str | None = None,
    form: ContextFormat | FormMaker = "memory",
    weights: Weights = DEFAULT,
    learns: bool = False,
) -> Recollection:
    """Makes a context for an agent: the preferences and pain points that are well supported (at
    most a fifth of the budget), then what the question needs, or without one the cards of the most
    important and recent entities.

    Args:
        form: `memory` shows lines; any other, whole entities. learns: whether what waits to be
            learned is told meanwhile.

    Raises:
        ConfigError: the budget is below 1.
    """
    asking = _Asking(
        snapshot=snapshot,
        budget=budget,
        where=where,
        embedder=embedder,
        tokenizer=tokenizer,
        kinds=kinds,
        now=now,
        weights=weights,
        whole=True,
    )
    asked = (question or "").strip()
    first = [
        each
        for space in spaces
        for each in unasked_lines(snapshot, space, _mark(space, spaces), where, kinds, now)
    ]
    found = asking.everywhere(spaces, asked)
    least = _least(found)
    if form != "memory":
        recollection = portray(
            Sitting(
                snapshot=snapshot, spaces=spaces, where=where, kinds=kinds, now=now, weights=weights
            ),
            first,
            {part.space: asking.needed(part, least) for part in found} if asked else None,
            question=question or "",
            form=form,
            budget=budget,
            tokenizer=tokenizer,
            about=[name for each in found for name in asking.about(each)],
        )
        return _told(recollection, snapshot, found, least, weights)
    if asked:
        rest = [
            each
            for part in found
            for each in asking.candidates(part, _mark(part.space, spaces), least)
        ]
    else:
        rest = [
            each
            for space in spaces
            for each in cards(snapshot, space, _mark(space, spaces), where, kinds, now)
        ]
    if learns:
        told = {each.id for each in rest if not each.left_out}
        fresh = [
            each
            for space in spaces
            for each in unlearned(snapshot, space, _mark(space, spaces), where, now, told)
        ]
        ids = {each.id for each in fresh}
        rest = [*(each for each in rest if each.id not in ids), *fresh]
    recollection = compose(
        [*first, *_best_first(rest)],
        question=question or "",
        about=[name for each in found for name in asking.about(each)],
        budget=budget,
        tokenizer=tokenizer,
        weights=weights,
        now=now,
        always=len(first),
        weighed=len(first) + (sum(len(each.measured.hits) for each in found) or len(rest)),
        spread=any(each.pool.query.spread for each in found),
        share_of_cards=_share_of_cards(found, weights) if asked else 1.0,
        repeats=_repeats(found),
    )
    return _told(recollection, snapshot, found, least, weights)


@dataclass(frozen=True, kw_only=True, slots=True)
class _FoundInSpace:
    """The findings in one space: its candidates with all their signals, the rows behind the known
    ones, and their ranking.
    """

    space: str
    pool: Pool
    behind: KnownRows
    measured: Measured
    ranking: Ranking


@dataclass(frozen=True, kw_only=True, slots=True)
class _Asking:
    """The question that all spaces of one call are asked."""

    snapshot: Snapshot
    budget: int
    where: LineFilter
    embedder: Embedder | None
    tokenizer: Tokenizer
    kinds: Mapping[str, EntityType]
    now: datetime
    weights: Weights
    whole: bool = False
    """Whether a context is made, which tells what kinds have of their own."""

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise ConfigError(f"a budget is a number of tokens above 0, not {self.budget}")

    def everywhere(self, spaces: Sequence[str], question: str) -> list[_FoundInSpace]:
        """Each space by its own statistics; nothing for an empty question."""
        return [self._in(space, question) for space in spaces] if question.strip() else []

    def _in(self, space: str, question: str) -> _FoundInSpace:
        pool = gather_candidates(
            self.snapshot,
            space,
            question,
            breadth=breadth(self.budget),
            embedder=self.embedder,
            where=self.where,
            kinds=self.kinds,
            weights=self.weights,
            now=self.now,
        )
        behind = read_known(self.snapshot, space, best_known(pool.measured, MOST_KNOWN))
        known = known_words(behind, pool.query.words, pool.query.means)
        measured = surround(
            pool.measured, pool.query, pool.stats, known=known, weights=self.weights
        )
        query = pool.query
        ranking = rank(
            measured, self.weights, all_of_kind=query.only_kinds, all_of_time=query.only_time
        )
        return _FoundInSpace(
            space=space, pool=pool, behind=behind, measured=measured, ranking=ranking
        )

    def candidates(self, found: _FoundInSpace, mark: str, least: float) -> list[Candidate]:
        """The lines that may enter, and some that nearly may, in words. Only those that a rough
        packing takes are read, and of those only that reach the score which it takes in all spaces
        together.
        """
        ranking = found.ranking
        likely = self._likely([each for each in ranking.worth if each.score >= least])
        below = [
            each for each in (*ranking.worth, *ranking.near) if each.score < least or ranking.silent
        ][:MOST_NEAR]
        ids: dict[LineKind, list[str]] = {}
        for scored in (*likely, *below):
            ids.setdefault(scored.hit.kind, []).append(scored.hit.id)
        rows = read_rows(
            self.snapshot, found.space, ids, self.kinds, self.where, self.now, found.behind
        )
        rows, latest = self._with_figures(found, rows, likely) if self.whole else (rows, {})
        phrasing = Phrasing(
            found.space,
            rows,
            mark=mark,
            now=self.now,
            query=found.pool.query,
            where=self.where,
            cutting=Cutting(
                budget=self.budget,
                tokenizer=self.tokenizer,
                rarity=idf(found.pool.stats, found.pool.query.words),
            ),
            kinds=self.kinds if self.whole else None,
            gone=expired_twins(self.snapshot, found.space, rows, self.now),
        )
        view = View(snapshot=self.snapshot, space=found.space, now=self.now)
        out = trending.candidates(view, found.pool.query, self.kinds, self.where, mark)
        groups: tuple[tuple[Sequence[Scored], LeftOut], ...] = (
            (likely, ""),
            (below, "silence" if ranking.silent else "floor"),
        )
        for group, left_out in groups:
            phrased = (
                phrasing.phrase(each, ranking.parts(each), left_out=left_out) for each in group
            )
            out.extend(candidate for candidate in phrased if candidate is not None)
        told = {each.id for each in out}
        more = (
            phrasing.fact(rows.facts[key], score, {"figure": score})
            for key, score in latest.items()
        )
        return [*out, *(each for each in more if each is not None and each.id not in told)]

    def _with_figures(
        self, found: _FoundInSpace, rows: KnownRows, likely: Sequence[Scored]
    ) -> tuple[KnownRows, dict[str, float]]:
        """Returns the rows with the latest figures of what is asked for, and these by id, each with
        a score.
        """
        scores = {
            each.entity_id: each.strength
            for each in found.pool.query.linked
            if each.strength >= NAMED
        }
        for each in likely:
            for key in each.hit.entity_ids if each.hit.kind in ("entity", "fact") else ():
                scores[key] = max(scores.get(key, 0.0), each.score)
        homes = self.snapshot.canonical(found.space, scores) if scores else {}
        owners = self.snapshot.get(found.space, EntityRecord, set(homes.values())) if homes else {}
        latest = figures(
            self.snapshot, found.space, owners.values(), self.kinds, self.where, self.now
        )
        best = {
            home: max(score for key, score in scores.items() if homes[key] == home)
            for home in latest
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

    def needed(self, found: _FoundInSpace, least: float) -> Needed:
        """Returns the words of the question and the lines that answer it, for whole entities."""
        told = [each for each in self.candidates(found, "", least) if not each.left_out]
        asked = AskedWords.of(found.pool.query, found.pool.stats)
        return Needed(words=asked, lines=_best_first(told), silent=found.ranking.silent)

    def _likely(self, worth: Sequence[Scored]) -> list[Scored]:
        rough = [
            Item(
                key=key,
                score=each.score,
                cost=min(int(TOKENS_A_WORD * each.hit.cost), LONG) + _HEADING,
            )
            for key, each in enumerate(worth)
        ]
        room = int(_LEEWAY * self.budget) + 100
        taken = pack(rough, room, sharpness=self.weights.sharpness, thrift=self.weights.thrift)
        return [worth[key] for key in sorted(taken)]

    def about(self, found: _FoundInSpace) -> list[str]:
        """The present names of what the question was linked to; of projects, of what is known in
        them.
        """
        ids = [each.entity_id for each in found.pool.query.linked if each.strength >= NAMED]
        rows = self.snapshot.get(found.space, EntityRecord, ids) if ids else {}
        if self.where.projects and rows:
            said = {key for hit in found.measured.hits for key in hit.entity_ids}
            members = self.snapshot.members(found.space, rows)
            rows = {
                key: row
                for key, row in rows.items()
                if key == SELF
                or self.where.allows_project(row.source.project)
                or not said.isdisjoint(members.get(key, (key,)))
            }
        named = [(key, rows[key]) for key in ids if key in rows and _is_named(rows[key])]
        return [user(row.name) if key == SELF else row.name for key, row in named]


def _is_named(row: EntityRecord) -> bool:
    """Tells whether an entity has a name that a block can be about, and not a statement for one."""
    return row.kind not in STATEMENTS and not is_clause(row.name)


def _share_of_cards(found: Sequence[_FoundInSpace], weights: Weights) -> float:
    """Returns the share that cards may take first: all where the things of a kind are asked for,
    since they are the answer.
    """
    listed = any(
        each.pool.query.kinds and each.pool.query.shape in ("list", "count") for each in found
    )
    return 1.0 if listed else weights.cards


def _repeats(found: Sequence[_FoundInSpace]) -> bool:
    """Whether how often or when something happened is asked for, so that what was said again may
    have happened again.
    """
    return any(each.pool.query.shape == "count" or asks_when(each.pool.query) for each in found)


def _least(found: Sequence[_FoundInSpace]) -> float:
    """The score that a line must reach in every space, besides the floor of its own: a space in
    which little fits doesn't fill the room of one in which much does.
    """
    speaking = [each.ranking.least for each in found if not each.ranking.silent]
    return (OF_THE_BEST if len(speaking) > 1 else 1.0) * max(speaking, default=0.0)


def _told(
    recollection: Recollection,
    snapshot: Snapshot,
    found: Sequence[_FoundInSpace],
    least: float,
    weights: Weights,
) -> Recollection:
    """The recollection with how the question was understood, what is silent, and from which score
    on a line enters.
    """
    recollection = replace(recollection, floor=least, silent=_silent(found, weights))
    return accounted(recollection, snapshot, [(each.space, each.pool.query) for each in found])


def _silent(found: Sequence[_FoundInSpace], weights: Weights) -> tuple[Silence, ...]:
    """The spaces that have nothing to say."""
    return tuple(
        Silence(space=each.space, fit=each.ranking.fit, least=1.0 - weights.doubt)
        for each in found
        if each.ranking.silent
    )


def _mark(space: str, spaces: Sequence[str]) -> str:
    """Returns the mark of a space's lines: nothing for the asker's own."""
    return "" if space == spaces[0] else space


def _best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda candidate: -candidate.score)
