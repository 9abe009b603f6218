"""How much of a question an entity holds: document 002's relevance, by the rarity of words in the
space.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from factbook.model.line import LineKind
from factbook.recall.find.filtered_search import FilteredSearch
from factbook.recall.request import RecallRequest
from factbook.recall.understand.query import Query
from factbook.text.index_words import index_words

FLOOR = 0.3
"""Of the best one's relevance: what has less, and is in no line that answers, is not what the
question is about.
"""
_KNOWN: tuple[LineKind, ...] = ("fact", "relation", "entity")


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedWords:
    """The words of a question in one space.

    Attributes:
        rarity: inverse document frequency by word, from the space's own counts.
        named: by canonical id, the words by which the question names the entity, however it is
            called there.
    """

    rarity: Mapping[str, float] = field(default_factory=dict[str, float])
    named: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    @classmethod
    def of(cls, query: Query, rarity: Mapping[str, float]) -> AskedWords:
        """Returns the words of an understood question."""
        named = {
            each.entity_id: frozenset(index_words(each.name))
            for each in query.linked
            if each.strength >= 0.5
        }
        return cls(rarity=rarity, named=named)

    def share(self, entity_id: str, text: str) -> float:
        """Returns the share of the question's weight that the entity's words hold: 1.0 for all of
        it.
        """
        whole = sum(self.rarity.values())
        held = self.named.get(entity_id, frozenset()).union(index_words(text))
        return (
            sum(weight for word, weight in self.rarity.items() if word in held) / whole
            if whole
            else 0.0
        )


def find_holders(request: RecallRequest, asked: Iterable[str], limit: int) -> list[str]:
    """Returns the canonical ids of the entities whose names, facts or relations hold any of these
    words, best first.
    """
    snapshot, space = request.snapshot, request.space
    searching = FilteredSearch(request=request)
    numbers = searching.words(list(asked), limit=limit, kinds=_KNOWN)
    said = [
        key for hit in searching.held(snapshot.hits(space, numbers, ())) for key in hit.entity_ids
    ]
    homes = snapshot.canonical(space, said) if said else {}
    return list(dict.fromkeys(homes[key] for key in said))
