"""The signals of each candidate line, each in 0–1 (deductions too; their weights are negative).

First what a line says by itself (`measure`), then what its surroundings add (`surround`): neighbours and session, and
the facts that rest on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from factbook.model.line import Hit, WordStats
from factbook.recall.naming import SURE
from factbook.recall.query import Query
from factbook.recall.weights import Weights

DAY = 86_400.0
AFTERMATH = 14 * DAY
"""How long after the time asked for people still speak of it."""

Column = list[float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """Candidates with their signals, column by column; `fit` is how it fits by words and meaning, in 0–1."""

    hits: Sequence[Hit]
    columns: Mapping[str, Column]
    fit: Column


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What stands behind a fact or relation: the id of the message it rests on (empty for none), and its index words
    with the names of its ends."""

    source: str = ""
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Ties:
    """Entities that the question leads to, by the id that lines carry (members, not canonical): strengths 0–1.

    Attributes:
        named: what the question names. linked: what is linked to that, by relations.
        names: the index words by which the question names it, if that is sure.
    """

    named: Mapping[str, float]
    linked: Mapping[str, float]
    names: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


def idf(stats: WordStats, words: Sequence[str]) -> dict[str, float]:
    """Inverse document frequencies in the space (BM25's, never negative)."""
    lines = max(stats.lines, 1)
    out: dict[str, float] = {}
    for word in words:
        frequency = min(stats.frequency.get(word, 0), lines)
        out[word] = math.log(1.0 + (lines - frequency + 0.5) / (frequency + 0.5))
    return out


def measure(
    hits: Sequence[Hit], query: Query, stats: WordStats, ties: Ties, *, weights: Weights, now: datetime
) -> Measured:
    """What each line says by itself."""
    rarity = idf(stats, query.words)
    words = _words(hits, rarity, max(stats.mean_length, 1.0), ties, weights)
    meaning = [max(hit.cosine or 0.0, 0.0) for hit in hits]
    by_words, by_meaning = shares(weights)
    fit = [
        w if hit.cosine is None else by_words * w + by_meaning * m
        for hit, w, m in zip(hits, words, meaning, strict=True)
    ]
    alone = weights.alone()
    words = [w * alone if hit.cosine is None else w for hit, w in zip(hits, words, strict=True)]
    none = [0.0] * len(hits)
    name = [_tie(hit, ties.named) for hit in hits] if ties.named else none
    graph = [_tie(hit, ties.linked) for hit in hits] if ties.linked else none
    speakers = _speakers(hits, query)
    speaker = [speakers.get((hit.speaker, hit.role == "assistant" or hit.role == "tool"), 0.0) for hit in hits]
    at = now.timestamp()
    columns = {
        "words": words,
        "meaning": meaning,
        "name": name,
        "speaker": speaker,
        "graph": graph,
        "time": _time(hits, query),
        "recency": [math.exp2(min(hit.at - at, 0.0) / (DAY * weights.half_life)) for hit in hits],
        "importance": [weights.faded(hit.importance, (at - hit.at) / DAY) for hit in hits],
        "question": [1.0 if hit.question else 0.0 for hit in hits],
        "stranger": _strangers(hits, query, name, graph),
        "former": none if query.past else [1.0 if hit.superseded else 0.0 for hit in hits],
    }
    return Measured(hits=hits, columns=columns, fit=fit)


def surround(
    measured: Measured, query: Query, stats: WordStats, *, known: Mapping[str, Known], weights: Weights
) -> Measured:
    """Adds what a line's neighbours, its session and the facts resting on it say.

    A fact or relation is measured by its words with the names of its ends, takes the rest from the message that it
    rests on, and is to whom it is about what a message is to its speaker.

    Args:
        known: what stands behind facts and relations, by their ids.
    """
    hits, fit = measured.hits, [*measured.fit]
    places = {(hit.session, hit.position): index for index, hit in enumerate(hits) if _placed(hit)}
    near, beside, answer = ([0.0] * len(hits) for _ in range(3))
    for (session, position), index in places.items():
        around = [places.get((session, position + step)) for step in (-2, -1, 1, 2)]
        values = [fit[each] if each is not None else 0.0 for each in around]
        near[index] = 0.5 * (values[1] + values[2])
        beside[index] = 0.5 * (values[0] + values[3])
        if around[1] is not None and hits[around[1]].question:
            answer[index] = values[1]
    columns: dict[str, Column] = {
        **measured.columns,
        "words": [*measured.columns["words"]],
        "meaning": [*measured.columns["meaning"]],
        "speaker": [*measured.columns["speaker"]],
        "name": [*measured.columns["name"]],
        "near": near,
        "beside": beside,
        "answer": answer,
        "session": _together(hits, query, stats, weights),
        "said": [0.0] * len(hits),
    }
    _rest(measured.hits, columns, fit, known, query, idf(stats, query.words), weights)
    return Measured(hits=hits, columns=columns, fit=fit)


_TAKEN = ("meaning", "near", "beside", "answer", "session")
"""What a fact or relation takes from the message that it rests on."""


def _rest(
    hits: Sequence[Hit],
    columns: Mapping[str, Column],
    fit: Column,
    known: Mapping[str, Known],
    query: Query,
    rarity: Mapping[str, float],
    weights: Weights,
) -> None:
    """Fills in, in place, what facts take from messages and what messages take from facts."""
    total = sum(rarity.values()) or 1.0
    asked = sum(rarity[word] for word in query.content)
    by_words, by_meaning = shares(weights)
    as_speaker = weights.speaker / weights.name if weights.name else 0.0
    messages = {hit.id: index for index, hit in enumerate(hits) if hit.kind == "message"}
    for index, hit in enumerate(hits):
        behind = known.get(hit.id)
        if behind is None or hit.kind == "message":
            continue
        own = sum(rarity[word] for word in query.content if word in behind.words) / asked if asked else 1.0
        trust = HEARSAY + (1.0 - HEARSAY) * min(2.0 * own, 1.0)
        held = trust * sum(rarity[word] for word in query.words if word in behind.words) / total
        columns["speaker"][index] = 0.0
        columns["name"][index] *= 1.0 + trust * as_speaker
        source = messages.get(behind.source)
        if source is not None:
            for name in _TAKEN:
                columns[name][index] = trust * columns[name][source]
            columns["said"][source] = max(columns["said"][source], held)
        seen = source is not None and hits[source].cosine is not None
        columns["words"][index] = held if seen else held * weights.alone()
        fit[index] = by_words * held + by_meaning * columns["meaning"][index] if seen else held


HEARSAY = 0.5
"""What a fact gets of its message's fit, and of its names', where it holds nothing else that was asked for."""


def shares(weights: Weights) -> tuple[float, float]:
    """The parts of words and of meaning in a line's fit; their sum is 1."""
    total = weights.words + weights.meaning or 1.0
    return weights.words / total, weights.meaning / total


def _placed(hit: Hit) -> bool:
    return hit.kind == "message" and hit.session >= 0


def _words(hits: Sequence[Hit], rarity: Mapping[str, float], mean: float, ties: Ties, weights: Weights) -> Column:
    """BM25 as a share of what a line holding every word of the question could reach.

    A line about someone whom the question names holds the name, whatever it calls them.
    """
    total = sum(rarity.values())
    if not total:
        return [0.0] * len(hits)
    k1, b = weights.k1, weights.b
    out: Column = []
    for hit in hits:
        counts = _with_names(hit, ties.names) if ties.names and hit.entity_ids else hit.counts
        if not counts:
            out.append(0.0)
            continue
        norm = k1 * (1.0 - b + b * hit.length / mean)
        gain = 0.0
        for word, count in counts.items():
            gain += rarity.get(word, 0.0) * count * (1.0 + k1) / (count + norm)
        out.append(min(gain / total, 1.0))
    return out


def _with_names(hit: Hit, names: Mapping[str, frozenset[str]]) -> Mapping[str, int]:
    counts: Mapping[str, int] = hit.counts
    for key in hit.entity_ids:
        held = names.get(key)
        if held and not held <= counts.keys():
            counts = {**dict.fromkeys(held, 1), **counts}
    return counts


def _tie(hit: Hit, strengths: Mapping[str, float]) -> float:
    best = 0.0
    for key in hit.entity_ids:
        strength = strengths.get(key, 0.0)
        if strength > best:
            best = strength
    return best


def _strangers(hits: Sequence[Hit], query: Query, name: Column, graph: Column) -> Column:
    if not any(each.strength >= SURE for each in query.linked):
        return [0.0] * len(hits)
    return [
        1.0 if hit.kind in ("fact", "relation") and not tied and not linked else 0.0
        for hit, tied, linked in zip(hits, name, graph, strict=True)
    ]


def _speakers(hits: Sequence[Hit], query: Query) -> dict[tuple[str, bool], float]:
    """By (folded speaker, not a person): how surely the question names them."""
    asked = set(query.folded)
    out: dict[tuple[str, bool], float] = {}
    own = _telling(hits) if query.asks_self else 0.0
    for key in {(hit.speaker, hit.role == "assistant" or hit.role == "tool") for hit in hits}:
        speaker, machine = key
        parts = speaker.split()
        if not parts:
            out[key] = 0.0 if machine else own
        elif asked.issuperset(parts):
            out[key] = 1.0
        elif parts[0] in asked and len(parts[0]) > 2:
            out[key] = 0.8
        elif any(part in asked for part in parts[1:] if len(part) > 2):
            out[key] = 0.6
    return out


def _telling(hits: Sequence[Hit]) -> float:
    """How much it tells that the user said a line: nothing in a space where nobody else says much."""
    said = [hit for hit in hits if hit.kind == "message"]
    own = sum(not hit.speaker and hit.role == "user" for hit in said)
    return min(1.0, 2.0 * (1.0 - own / len(said))) if said else 0.0


def _time(hits: Sequence[Hit], query: Query) -> Column:
    if query.span is None:
        return [0.0] * len(hits)
    start, end = query.span.at.timestamp(), query.span.until.timestamp()
    return [1.0 if start <= hit.at < end else 0.5 if end <= hit.at < end + AFTERMATH else 0.0 for hit in hits]


def _together(hits: Sequence[Hit], query: Query, stats: WordStats, weights: Weights) -> Column:
    """For each message, how much of the question the lines of its session hold together: BM25 over the best line for
    each word."""
    rarity = idf(stats, query.words)
    total = sum(rarity.values()) or 1.0
    mean = max(stats.mean_length, 1.0)
    k1, b = weights.k1, weights.b
    found: dict[int, dict[str, float]] = {}
    for hit in hits:
        if not hit.counts or not _placed(hit):
            continue
        best = found.setdefault(hit.session, {})
        norm = k1 * (1.0 - b + b * hit.length / mean)
        for word, count in hit.counts.items():
            gain = count * (1.0 + k1) / (count + norm)
            if gain > best.get(word, 0.0):
                best[word] = gain
    together = {
        session: min(sum(rarity.get(word, 0.0) * gain for word, gain in best.items()) / total, 1.0)
        for session, best in found.items()
    }
    return [together.get(hit.session, 0.0) if _placed(hit) else 0.0 for hit in hits]
