"""What each candidate line says by itself: signals in 0–1 (deductions too; their weights are
negative).

What its neighbours, its session and the facts that rest on it add comes after that
(`factbook.recall.measure.surroundings`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from factbook.model.line import Hit, WordStats
from factbook.recall.understand.query import Query
from factbook.recall.weights import Weights
from factbook.text.bm25 import count_gain, length_norm, word_rarity
from factbook.text.index_words import index_words
from factbook.text.name_links import SURE
from factbook.text.question.answer_shapes import Shape

DAY = 86_400.0
AFTERMATH = 14 * DAY
"""How long after the time asked for people still speak of it."""

TELLING = 25
"""Words from which on a line is no longer too short to mean anything by itself."""

Column = list[float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """Candidates with their signals, column by column.

    Attributes:
        fit: how each fits by words and meaning, in 0–1.
        covered: how much of what is asked for each holds word for word, by rarity, in 0–1.
    """

    hits: Sequence[Hit]
    columns: Mapping[str, Column]
    fit: Column
    covered: Column


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """The source of a fact or relation: the id of the message it rests on (empty for none), and its
    index words with the names of its ends.
    """

    source: str = ""
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Ties:
    """Entities that the question leads to, by the id that lines carry (members, not canonical):
    strengths 0–1.

    Attributes:
        named: what the question names. linked: what is linked to that, by relations.
        names: the index words by which the question names it, if that is sure.
    """

    named: Mapping[str, float]
    linked: Mapping[str, float]
    names: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


def idf(stats: WordStats, words: Sequence[str]) -> dict[str, float]:
    """Returns the inverse document frequencies of these words in the space."""
    lines = max(stats.lines, 1)
    return {word: word_rarity(lines, min(stats.frequency.get(word, 0), lines)) for word in words}


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """The words that lines are compared with, one by one.

    Attributes:
        rarity: the words asked for, with how rare each is in the space; names of those who speak
            are none of them.
        akin: for each word asked for the index words akin to it, with how near they are in 0–1.
        held: by line, which of those stand in it.
    """

    rarity: Mapping[str, float]
    akin: Mapping[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])
    held: Mapping[int, Sequence[str]] = field(default_factory=dict[int, Sequence[str]])


_FRAMING = frozenset(
    index_words(
        "mention mentioned mentioning mentions remember remembered recall recalled remind say "
        "saying says said tell telling "
        "tells told talk talked talking talks speak speaking spoke spoken ago something anything "
        "someone anyone somebody anybody"
    )
)
"""Words of questions that a line seldom holds, whatever it answers: `who mentioned a kayak?`"""


def asked_for(query: Query, stats: WordStats, hits: Sequence[Hit]) -> dict[str, float]:
    """The words that lines should hold, with their rarity: those of the question but for what only
    says that something was said, and the names of those who said the lines, which count by
    themselves; all where nothing else is asked for.
    """
    said = {
        part
        for (speaker, _), strength in _speakers(hits, query).items()
        if strength
        for part in speaker.split()
    }
    names = {word for part in said.intersection(query.folded) for word in index_words(part)}
    asked = [word for word in query.words if word not in names] or query.words
    return idf(stats, [word for word in asked if word not in _FRAMING] or asked)


def measure(  # noqa: PLR0913 - one input a signal
    hits: Sequence[Hit],
    query: Query,
    stats: WordStats,
    ties: Ties,
    *,
    weights: Weights,
    now: datetime,
    wording: Wording | None = None,
) -> Measured:
    """Measures the signals of each line by itself.

    Args:
        wording: None to go by the question's own words.
    """
    wording = wording or Wording(rarity=asked_for(query, stats, hits))
    mean = max(stats.mean_length, 1.0)
    words, covered = _words(hits, wording.rarity, mean, ties, weights)
    akin = _akin(hits, wording, mean, weights)
    meaning = [max(hit.cosine or 0.0, 0.0) for hit in hits]
    by_words, by_meaning = shares(weights)
    in_words = [min(each + near, 1.0) for each, near in zip(words, akin, strict=True)]
    fit = [
        each if hit.cosine is None else by_words * each + by_meaning * near
        for hit, each, near in zip(hits, in_words, meaning, strict=True)
    ]
    alone = weights.alone()
    words = [
        each * alone if hit.cosine is None else each for hit, each in zip(hits, words, strict=True)
    ]
    akin = [
        each * alone if hit.cosine is None else each for hit, each in zip(hits, akin, strict=True)
    ]
    none = [0.0] * len(hits)
    name = [_tie(hit, ties.named) for hit in hits] if ties.named else none
    graph = [_tie(hit, ties.linked) for hit in hits] if ties.linked else none
    speakers = _speakers(hits, query)
    speaker = [
        speakers.get((hit.speaker, hit.role == "assistant" or hit.role == "tool"), 0.0)
        for hit in hits
    ]
    at = now.timestamp()
    columns = {
        "words": words,
        "akin": akin,
        "meaning": meaning,
        "name": name,
        "speaker": speaker,
        "graph": graph,
        "time": _time(hits, query),
        "recency": [math.exp2(min(hit.at - at, 0.0) / (DAY * weights.half_life)) for hit in hits],
        "importance": [weights.faded(hit.importance, (at - hit.at) / DAY) for hit in hits],
        "question": [1.0 if hit.question else 0.0 for hit in hits],
        "length": [math.log(min(max(hit.cost, 1), TELLING)) / math.log(TELLING) for hit in hits],
        "stranger": _strangers(hits, query, name, graph),
        "former": none if query.past else [1.0 if hit.superseded else 0.0 for hit in hits],
    }
    return Measured(hits=hits, columns=columns, fit=fit, covered=covered)


def shares(weights: Weights) -> tuple[float, float]:
    """The parts of words and of meaning in a line's fit; their sum is 1."""
    total = weights.words + weights.meaning or 1.0
    return weights.words / total, weights.meaning / total


def _words(
    hits: Sequence[Hit], rarity: Mapping[str, float], mean: float, ties: Ties, weights: Weights
) -> tuple[Column, Column]:
    """BM25 as a share of what a line holding every word asked for could reach; and the share of
    them, by rarity, that it holds.

    A line about someone whom the question names holds the name, whatever it calls them.
    """
    total = sum(rarity.values())
    if not total:
        return [0.0] * len(hits), [0.0] * len(hits)
    gains: Column = []
    covered: Column = []
    for hit in hits:
        counts = _with_names(hit, ties.names) if ties.names and hit.entity_ids else hit.counts
        gain = held = 0.0
        if counts:
            norm = length_norm(hit.length, mean, weights.k1, weights.b)
            for word, count in counts.items():
                rare = rarity.get(word, 0.0)
                held += rare
                gain += count_gain(count, norm, weights.k1, rare)
        gains.append(min(gain / total, 1.0))
        covered.append(held / total)
    return gains, covered


def _akin(hits: Sequence[Hit], wording: Wording, mean: float, weights: Weights) -> Column:
    """The same of the words that a line doesn't hold, but one akin to it, by how near that is."""
    total = sum(wording.rarity.values())
    if not total or not wording.held:
        return [0.0] * len(hits)
    stands_for: dict[str, list[tuple[str, float]]] = {}
    for word, rare in wording.rarity.items():
        for other, near in wording.akin.get(word, {}).items():
            stands_for.setdefault(other, []).append((word, rare * near))
    out: Column = []
    for hit in hits:
        best: dict[str, float] = {}
        for other in wording.held.get(hit.no, ()):
            for word, worth in stands_for[other]:
                if word not in hit.counts and worth > best.get(word, 0.0):
                    best[word] = worth
        gain = count_gain(1, length_norm(hit.length, mean, weights.k1, weights.b), weights.k1)
        out.append(min(gain * sum(best.values()) / total, 1.0))
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
            out[key] = float(query.asks_you) if machine else own
        elif speaker in query.speakers or asked.issuperset(parts):
            out[key] = 1.0
        elif parts[0] in asked and len(parts[0]) > 2:
            out[key] = 0.8
        elif any(part in asked for part in parts[1:] if len(part) > 2):
            out[key] = 0.6
    if query.via and any(speaker in query.speakers for speaker, _ in out):
        passed = {
            key
            for key in out
            if key[0] not in query.speakers and query.via.intersection(key[0].split())
        }
        out = {key: value * LEADS_ON if key in passed else value for key, value in out.items()}
    return out


LEADS_ON = 0.5
"""What is left of a speaker's part where the question only passes by them to someone who speaks
too.
"""


def _telling(hits: Sequence[Hit]) -> float:
    """Weighs the user as the speaker of a line: nothing in a space where nobody else says much."""
    said = [hit for hit in hits if hit.kind == "message"]
    own = sum(not hit.speaker and hit.role == "user" for hit in said)
    return min(1.0, 2.0 * (1.0 - own / len(said))) if said else 0.0


def _in_order(hits: Sequence[Hit], shape: Shape) -> Column:
    """For the first or the last of something: how early or late a line is among those found."""
    if shape not in ("first", "last") or not hits:
        return [0.0] * len(hits)
    begin, end = min(hit.at for hit in hits), max(hit.at for hit in hits)
    length = end - begin or 1.0
    return [
        (end - hit.at) / length if shape == "first" else (hit.at - begin) / length for hit in hits
    ]


def _time(hits: Sequence[Hit], query: Query) -> Column:
    if query.span is None:
        return _in_order(hits, query.shape)
    start, end = query.span.at.timestamp(), query.span.until.timestamp()
    return [
        1.0 if start <= hit.at < end else 0.5 if end <= hit.at < end + AFTERMATH else 0.0
        for hit in hits
    ]
