"""Asks the store for the lines that may answer a question, with what ranking needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from factbook.model.line import LineKind, WordStats
from factbook.reader.akin_words import akin_to
from factbook.recall.find.filtered_search import FilteredSearch
from factbook.recall.measure.signals import Measured, Wording, asked_for, idf, measure
from factbook.recall.request import RecallRequest
from factbook.recall.understand.query import Query, nameless
from factbook.recall.understand.question_entities import Followed

FEWEST, MOST = 60, 300
"""Lines that are asked for by words, and by vectors; between them it grows with the budget. They
come best first, and twice as many find no more evidence on LoCoMo, for a fifth more time.
"""
A_TOKEN = 0.07
AROUND = 24
"""Best messages whose neighbours in the session are looked at."""
RADIUS = 2
MOST_AKIN, LEAST_AKIN = 24, 0.15
"""Without vectors lines are looked for by so many words akin to each of the question's, that are at
least so near.
"""
SAMPLE = 24
"""Lines in which the speakers of a space are looked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pool:
    """The candidates of one space for a question.

    Attributes:
        rarity: inverse document frequency in the space, by word of the question.
    """

    query: Query
    stats: WordStats
    rarity: Mapping[str, float]
    measured: Measured


def breadth(budget: int) -> int:
    """Returns the number of lines to look for, for so many tokens."""
    return max(FEWEST, min(MOST, int(A_TOKEN * budget)))


def gather_candidates(request: RecallRequest, understood: Followed, *, breadth: int) -> Pool:
    """The candidates of one space, measured by what each says by itself."""
    snapshot, space, now = request.snapshot, request.space, request.now
    query, ties = understood.query, understood.ties
    searching = FilteredSearch(request=replace(request, where=understood.where))
    numbers = dict.fromkeys(searching.words(query.words, limit=breadth))
    for found, limit, only in understood.lines:
        if found:
            numbers.update(dict.fromkeys(searching.of_entities(found, only, limit=limit)))
    model, vector = _vector(request, query, list(numbers)[:SAMPLE])
    if vector:
        numbers.update(dict.fromkeys(searching.vector(model, vector, limit=breadth)))
    elif others := _others(query.content):
        numbers.update(dict.fromkeys(searching.words(others, limit=breadth)))
    stats = snapshot.word_stats(space, query.words)
    hits = searching.held(
        snapshot.hits(space, list(numbers), query.words, model=model, vector=vector, now=now)
    )
    rarity = idf(stats, query.words)
    wording = _held(request, numbers, _worded(asked_for(query, stats, hits)))
    measured = measure(hits, query, stats, ties, weights=request.weights, now=now, wording=wording)
    around = [no for no in searching.around(_best(measured), radius=RADIUS) if no not in numbers]
    if around:
        more = snapshot.hits(space, around, query.words, model=model, vector=vector, now=now)
        wording = _held(request, around, wording)
        measured = join_hits(
            measured,
            measure(more, query, stats, ties, weights=request.weights, now=now, wording=wording),
        )
    return Pool(query=query, stats=stats, rarity=rarity, measured=measured)


def _others(asked: Iterable[str]) -> list[str]:
    """The words most akin to these, which find lines where no vector can."""
    best = (sorted(akin_to(word).items(), key=lambda each: -each[1])[:MOST_AKIN] for word in asked)
    return list(dict.fromkeys(word for near in best for word, share in near if share >= LEAST_AKIN))


def _worded(rarity: Mapping[str, float]) -> Wording:
    """The words asked for, with those akin to them."""
    return Wording(rarity=rarity, akin={word: near for word in rarity if (near := akin_to(word))})


def _held(request: RecallRequest, numbers: Iterable[int], wording: Wording) -> Wording:
    """The same with which of the akin words these lines hold."""
    among = frozenset(other for near in wording.akin.values() for other in near)
    return replace(
        wording, held=request.snapshot.words_held(request.space, [*numbers], among) if among else {}
    )


def _vector(request: RecallRequest, query: Query, sample: Sequence[int]) -> tuple[str, bytes]:
    """The model's name and the question's vector, without the names of those who said the sampled
    lines.
    """
    snapshot, space, embedder = request.snapshot, request.space, request.embedder
    if embedder is None or not snapshot.has_vectors(space, embedder.name):
        # Words suffice: a model that isn't loaded yet need not be.
        return "", b""
    speakers = {hit.speaker for hit in snapshot.hits(space, sample, ()) if hit.kind == "message"}
    return embedder.name, embedder.embed([nameless(query.text, speakers)])[0]


def join_hits(left: Measured, right: Measured) -> Measured:
    """Both lists of candidates as one."""
    return Measured(
        hits=[*left.hits, *right.hits],
        columns={name: [*column, *right.columns[name]] for name, column in left.columns.items()},
        fit=[*left.fit, *right.fit],
        covered=[*left.covered, *right.covered],
    )


def _best(measured: Measured) -> list[int]:
    placed = [
        (fit, hit)
        for fit, hit in zip(measured.fit, measured.hits, strict=True)
        if hit.kind == "message" and fit > 0
    ]
    placed.sort(key=lambda each: (-each[0], each[1].no))
    return [hit.no for _, hit in placed[:AROUND]]


def best_known(measured: Measured, most: int) -> dict[LineKind, list[str]]:
    """Ids of the best facts and relations, by kind: by their own words and by what they are
    about.
    """
    columns = measured.columns
    known = [
        (fit + name + graph, hit)
        for fit, name, graph, hit in zip(
            measured.fit, columns["name"], columns["graph"], measured.hits, strict=True
        )
        if hit.kind in ("fact", "relation")
    ]
    known.sort(key=lambda each: (-each[0], each[1].no))
    out: dict[LineKind, list[str]] = {}
    for _, hit in known[:most]:
        out.setdefault(hit.kind, []).append(hit.id)
    return out
