"""Long messages and notes in a context: cut to what the question needs, the whole a call away
(`Memory.whole`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from factbook.ports.models import Tokenizer
from factbook.text.excerpt import Cut, cut
from factbook.text.token_estimate import Estimate

LONG = 170
"""Tokens, by the estimate (some 120 words), up to which a text is said whole, if half of the budget
holds it.
"""
_SHORTEST = 48
"""Characters of a text that is never cut."""
_ESTIMATE = Estimate()


@dataclass(frozen=True, kw_only=True, slots=True)
class Cutting:
    """The cutting of texts for one question.

    Attributes:
        budget: of the whole context, by the tokenizer. rarity: the question's index words, with how
            much each tells.
    """

    budget: int
    tokenizer: Tokenizer
    rarity: Mapping[str, float]

    def cut(self, text: str) -> Cut | None:
        """The text in portions; None if it is to be said whole."""
        half = self.budget // 2
        # No character of ASCII costs more than a token: most messages need not be counted.
        if len(text) <= _SHORTEST or (len(text) < min(LONG, half) and text.isascii()):
            return None
        if _ESTIMATE.count(text) <= LONG and self.tokenizer.count(text) <= half:
            return None
        return cut(text, self.rarity, half, self.tokenizer.count)
