"""One score a line from its signals, with the parts it is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from factbook.model.line import Hit, LineKind
from factbook.recall.measure.signals import Column, Measured
from factbook.recall.weights import Weights

_MERGED = {"beside": "near", "best": "session", "former": "superseded", "stranger": "other"}
"""Signals that are shown under another's name."""


MOST_RANKED = 160
"""How many lines go on to be packed."""
MOST_NEAR = 10
"""How many of the others are told of."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """A candidate with its score in 0–1; `index` is its place among the measured ones."""

    hit: Hit
    score: float
    index: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranking:
    """The candidates worth saying, best first, and the best of those that are not.

    Attributes:
        terms: the signals that say anything: the name shown, the weight, and the column.
        fit: of the line that fits best by itself. silent: that is too little for anything to be
            said.
        least: the score below which a line is not worth saying.
    """

    worth: Sequence[Scored] = ()
    near: Sequence[Scored] = ()
    terms: Sequence[tuple[str, float, Column]] = ()
    base: Mapping[LineKind, float] = field(default_factory=dict[LineKind, float])
    fit: float = 0.0
    silent: bool = False
    least: float = 0.0

    def parts(self, scored: Scored) -> dict[str, float]:
        """Returns the parts of a line's score, the largest first."""
        base = self.base[scored.hit.kind]
        out: dict[str, float] = {"kind": base} if base else {}
        for name, weight, column in self.terms:
            value = column[scored.index]
            if value:
                out[name] = out.get(name, 0.0) + weight * value
        return dict(sorted(out.items(), key=lambda part: -abs(part[1])))


def rank(
    measured: Measured, weights: Weights, *, all_of_kind: bool = False, all_of_time: bool = False
) -> Ranking:
    """Ranks the candidates; none is worth saying where none fits the question by itself.

    Args:
        all_of_kind: things of a kind are asked for, and nothing about them: whatever is of it
            answers.
        all_of_time: the same of what was at a time.
    """
    hits = measured.hits
    if not hits:
        return Ranking(silent=True)
    fit = likelihood(measured)
    base = _base(weights)
    terms: list[tuple[str, float, Column]] = []
    scores = [base[hit.kind] for hit in hits]
    for name, column in measured.columns.items():
        weight: float = getattr(weights, name)
        if weight and any(column):
            terms.append((_MERGED.get(name, name), weight, column))
            scores = [score + weight * value for score, value in zip(scores, column, strict=True)]
    order = sorted(range(len(hits)), key=lambda index: (-scores[index], hits[index].no))[
        : MOST_RANKED + MOST_NEAR
    ]
    ranked = [Scored(hit=hits[index], score=_unit(scores[index]), index=index) for index in order]
    least = weights.floor * scores[order[0]]
    of_kind = all_of_kind and any(measured.columns["graph"])
    of_time = all_of_time and 1.0 in measured.columns["time"]
    silent = fit < 1.0 - weights.doubt and not (of_kind or of_time)
    worth = [] if silent else [each for each in ranked[:MOST_RANKED] if scores[each.index] >= least]
    near = ranked[len(worth) : len(worth) + MOST_NEAR]
    return Ranking(
        worth=worth, near=near, terms=terms, base=base, fit=fit, silent=silent, least=_unit(least)
    )


def _base(weights: Weights) -> dict[LineKind, float]:
    """Returns a line's score by its kind alone."""
    return {
        "message": 0.0,
        "fact": weights.fact,
        "relation": weights.relation,
        "note": weights.note,
        "entity": weights.entity,
        "observation": weights.note,
    }


def _unit(score: float) -> float:
    return min(max(score, 0.0), 1.0)


# How likely it is that a line answers, by what it says itself and who said it: two logistic curves,
# one for lines whose vector was compared and one for those that go by words. Fitted on questions
# about a chat against questions about other chats (the development halves of `bench/answers`, and
# LoCoMo).

MOST_BY_WORDS = 0.6
"""A line that holds so much of what is asked for, by rarity, goes by words too, however far off its
vector lies: a number, a code, a language that the model doesn't know.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Odds:
    """A curve: the logarithm of the odds is `base` plus each value times its slope; `fit` is the
    cosine, or words alone.
    """

    base: float
    fit: float
    name: float
    speaker: float = 0.0

    def of(self, fit: float, name: float, speaker: float) -> float:
        """The logarithm of the odds."""
        return self.base + self.fit * fit + self.name * min(name, 1.0) + self.speaker * speaker


COMPARED = Odds(base=-12.0, fit=27.2, name=1.3, speaker=4.8)
BY_WORDS = Odds(base=-4.9, fit=11.4, name=3.8)


def likelihood(measured: Measured) -> float:
    """Returns the probability that the likeliest line answers, in 0–1; 0 without lines."""
    if not measured.hits:
        return 0.0
    names, speakers = measured.columns["name"], measured.columns["speaker"]
    best = -math.inf
    rows = zip(measured.hits, measured.fit, measured.covered, names, speakers, strict=True)
    for hit, fit, covered, name, speaker in rows:
        if hit.cosine is not None:
            best = max(best, COMPARED.of(hit.cosine, name, speaker))
        if hit.cosine is None or covered >= MOST_BY_WORDS:
            best = max(best, BY_WORDS.of(covered if hit.cosine is not None else fit, name, speaker))
    return 1.0 / (1.0 + math.exp(-best))
