"""What surrounds a line: its neighbours, its session, the facts that rest on it, and how much its
words can be trusted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factbook.model.line import Hit, WordStats
from factbook.recall.measure.signals import Column, Known, Measured, idf, shares
from factbook.recall.understand.query import Query
from factbook.recall.weights import Weights
from factbook.text.bm25 import count_gain, length_norm
from factbook.text.name_links import SURE

STEEP = 6
"""How sharply doubt falls where lines hold more of what is asked for than `scant`."""
APART = 0.75
"""What of the neighbours' fit is lost in full doubt: they stand in for words that a line lacks
itself.
"""
BEST = 3
"""Lines of a session that speak for it."""
HEARSAY = 0.5
"""What a fact gets of its message's fit, and of its names', where it holds nothing else that was
asked for.
"""


def surround(
    measured: Measured,
    query: Query,
    stats: WordStats,
    *,
    known: Mapping[str, Known],
    weights: Weights,
) -> Measured:
    """Adds what a line's neighbours, its session and the facts resting on it say.

    A fact or relation is measured by its words with the names of its ends, takes the rest from the
    message that it rests on, and is to whom it is about what a message is to its speaker.

    Args:
        known: what stands behind facts and relations, by their ids.
    """
    hits, fit = measured.hits, [*measured.fit]
    doubt = chance(measured, weights)
    columns = _doubted(measured, query, doubt)
    by_words, _ = shares(weights)
    sure = [
        each if hit.cosine is None else each - by_words * doubt * words
        for hit, each, words in zip(hits, fit, measured.columns["words"], strict=True)
    ]
    heard = 1.0 - APART * doubt
    columns |= _neighbours(hits, [heard * each for each in sure])
    columns["best"] = [heard * each for each in _best(hits, sure)]
    columns["session"] = [(1.0 - doubt) * each for each in _together(hits, query, stats, weights)]
    columns["said"] = [0.0] * len(hits)
    _rest(hits, columns, fit, known, query, idf(stats, query.words), weights)
    return Measured(hits=hits, columns=columns, fit=fit, covered=measured.covered)


def chance(measured: Measured, weights: Weights) -> float:
    """Estimates the chance, in 0–1, that the lines hold the question's words by accident: they do
    the more the less the best of them holds of what is asked for. Without vectors there is nothing
    else to go by, and no doubt.
    """
    if not weights.scant or all(hit.cosine is None for hit in measured.hits):
        return 0.0
    held = max(measured.covered, default=0.0)
    return 1.0 / (1.0 + (held / weights.scant) ** STEEP)


def _doubted(measured: Measured, query: Query, doubt: float) -> dict[str, Column]:
    """The signals, with words, unsure names and the asker counting less the greater the doubt, and
    meaning more.
    """
    columns = {name: [*column] for name, column in measured.columns.items()}
    # Where meaning decides alone: short lines are near to anything.
    columns["length"] = [doubt * each for each in columns["length"]]
    if not doubt:
        return columns
    left = 1.0 - doubt
    for index, hit in enumerate(measured.hits):
        if hit.cosine is not None:
            columns["words"][index] *= left
            columns["meaning"][index] *= 1.0 + doubt
        if columns["name"][index] < SURE:
            columns["name"][index] *= left
        if query.asks_self and not hit.speaker:
            columns["speaker"][index] *= left
    return columns


def _neighbours(hits: Sequence[Hit], fit: Column) -> dict[str, Column]:
    """Measures the fit of the lines one and two places away, and of the line before where it is a
    question.
    """
    places = {(hit.session, hit.position): index for index, hit in enumerate(hits) if _placed(hit)}
    near, beside, answer = ([0.0] * len(hits) for _ in range(3))
    for (session, position), index in places.items():
        around = [places.get((session, position + step)) for step in (-2, -1, 1, 2)]
        values = [fit[each] if each is not None else 0.0 for each in around]
        near[index] = 0.5 * (values[1] + values[2])
        beside[index] = 0.5 * (values[0] + values[3])
        if around[1] is not None and hits[around[1]].question:
            answer[index] = values[1]
    return {"near": near, "beside": beside, "answer": answer}


def _best(hits: Sequence[Hit], fit: Column) -> Column:
    """For each message, how well the best lines of its session fit, in the mean."""
    fits: dict[int, list[float]] = {}
    for hit, each in zip(hits, fit, strict=True):
        if _placed(hit):
            fits.setdefault(hit.session, []).append(each)
    means = {
        session: sum(sorted(each)[-BEST:]) / min(len(each), BEST) for session, each in fits.items()
    }
    return [means[hit.session] if _placed(hit) else 0.0 for hit in hits]


_TAKEN = ("meaning", "near", "beside", "answer", "session", "best")
"""What a fact or relation takes from the message that it rests on."""


def _rest(  # noqa: PLR0913 - the columns are filled in place
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
        own = (
            sum(rarity[word] for word in query.content if word in behind.words) / asked
            if asked
            else 1.0
        )
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
        columns["akin"][index] = 0.0
        columns["words"][index] = held if seen else held * weights.alone()
        fit[index] = by_words * held + by_meaning * columns["meaning"][index] if seen else held


def _placed(hit: Hit) -> bool:
    return hit.kind == "message" and hit.session >= 0


def _together(hits: Sequence[Hit], query: Query, stats: WordStats, weights: Weights) -> Column:
    """For each message, how much of the question the lines of its session hold together: BM25 over
    the best line for each word.
    """
    rarity = idf(stats, query.words)
    total = sum(rarity.values()) or 1.0
    mean = max(stats.mean_length, 1.0)
    k1, b = weights.k1, weights.b
    found: dict[int, dict[str, float]] = {}
    for hit in hits:
        if not hit.counts or not _placed(hit):
            continue
        best = found.setdefault(hit.session, {})
        norm = length_norm(hit.length, mean, k1, b)
        for word, count in hit.counts.items():
            gain = count_gain(count, norm, k1)
            if gain > best.get(word, 0.0):
                best[word] = gain
    together = {
        session: min(sum(rarity.get(word, 0.0) * gain for word, gain in best.items()) / total, 1.0)
        for session, best in found.items()
    }
    return [together.get(hit.session, 0.0) if _placed(hit) else 0.0 for hit in hits]
