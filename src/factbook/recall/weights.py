"""How much each signal counts: the one place where recall is tuned.

The score of a line is the sum of its signals times these weights, capped to 0–1. Signals lie in
0–1. Where the numbers come from, and what each signal is worth, stands in
`docs/decisions/0008-how-lines-are-ranked-and-packed.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from factbook.text.bm25 import K1, B


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """Weights of the signals, and the few constants around them.

    Attributes:
        words: BM25 over the question's words, as a share of what they could give.
        akin: words akin to the question's words that it doesn't hold, as a share of what those
            could give.
        meaning: cosine of the question's and the line's vectors.
        name: the line is about an entity that the question names.
        speaker: the line was said by someone whom the question names.
        near, beside: the fit of the lines one place (two places) before and after it in its
            session.
        answer: the line before it is a question, and fits.
        session: how much of the question the lines of its session hold together.
        best: how well the best lines of its session fit.
        said: the words of a fact or relation that rests on it, names of its ends included, fit the
            question.
        graph: the line is about something linked to what the question names.
        time: it lies in the time that the question speaks of.
        recency, importance: newer and more important lines first, where all else is equal.
        question: it is itself a question (mostly a deduction).
        length: it is not too short to mean something by itself; only where words are doubted (see
            `scant`).
        stranger: a fact or relation about none of those whom the question names, nor what is linked
            to them (a deduction).
        former: it holds no longer, and the question doesn't ask for what was (a deduction).
        fact, relation, note, entity: what lines of that kind get by themselves, against messages.
        half_life: days after which `recency` is halved.
        fading: days after which the importance of a line is halved; 0 for never.
        floor: a line below this share of the best line's score is never said.
        doubt: how improbable an answer may be and still be said: where the likeliest line answers
            with less than 1 − doubt, nothing is said.
        sharpness, thrift: of packing, by score × sharpness − thrift × ln(cost). A score × sharpness
            is a logarithm of odds; a thrift of 1 would be the best use of each token if a long line
            held no more than a short one.
        cards: the share of the budget that cards (facts, relations, descriptions) take before what
            was said.
        spread: taken off a line's score for each line of its session that is in already (list and
            yes/no questions).
        scant: where the best line holds no more of what is asked for than this share, by rarity, it
            is likely to hold it by chance: words, neighbours and sessions then count for less, and
            meaning for more; 0 for never.
        k1, b: of BM25.
    """

    words: float = 0.138
    akin: float = 0.11
    meaning: float = 0.213
    name: float = 0.015
    speaker: float = 0.143
    near: float = 0.111
    beside: float = 0.075
    answer: float = 0.081
    session: float = 0.164
    best: float = 0.087
    said: float = 0.052
    graph: float = 0.072
    time: float = 0.05
    recency: float = 0.015
    importance: float = 0.015
    question: float = -0.038
    length: float = 0.06
    stranger: float = -0.1
    former: float = -0.2
    fact: float = 0.0
    relation: float = 0.0
    note: float = 0.03
    entity: float = 0.0
    half_life: float = 180.0
    fading: float = 0.0
    floor: float = 0.3
    doubt: float = 0.95
    sharpness: float = 17.5
    thrift: float = 0.11
    cards: float = 0.25
    spread: float = 0.016
    scant: float = 0.3
    k1: float = K1
    b: float = B

    def faded(self, importance: float, days: float) -> float:
        """The importance of what is so many days old."""
        return importance * 0.5 ** (max(days, 0.0) / self.fading) if self.fading else importance

    def alone(self) -> float:
        """Returns the weight of words, in times their share, where a line has no vector: they stand
        in for meaning too.
        """
        return 1.0 + WORDS_FOR_MEANING * self.meaning / self.words if self.words else 1.0


WORDS_FOR_MEANING = 0.3
"""The part of the weight of `meaning` that words, held or akin, get on a line without a vector
(fitted without vectors).
"""

DEFAULT = Weights()

RELEVANCE, IMPORTANCE, RECENCY = 0.6, 0.3, 0.1
"""Document 002's weights of whole entities; recency fades over 180 days."""
FADES_OVER_DAYS = 180.0
