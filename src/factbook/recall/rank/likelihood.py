"""How likely it is that a line answers the question, by what it says itself and who said it.

Two logistic curves, one for lines whose vector was compared and one for those that go by words.
Fitted on questions about a chat against questions about other chats (the development halves of
`bench/answers`, and LoCoMo).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from factbook.recall.measure.signals import Measured

MOST = 0.6
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
        if hit.cosine is None or covered >= MOST:
            best = max(best, BY_WORDS.of(covered if hit.cosine is not None else fit, name, speaker))
    return 1.0 / (1.0 + math.exp(-best))
