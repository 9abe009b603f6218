"""Which words are names: what the finder found, put right at its edges."""

from __future__ import annotations

from collections.abc import Sequence

from factbook.extract.local.finder import FoundName
from factbook.extract.local.parse import Word
from factbook.extract.local.scene import Name
from factbook.extract.stop_names import is_stop_name

TITLES = frozenset("mr mrs ms miss mx dr prof professor sir madam herr frau mme mlle señor señora sr sra".split())
_EDGE_TAGS = frozenset({"DT", "PRP$", "POS", "IN", "CC", "UH", ",", ".", ":", "-LRB-", "-RRB-", "``", "''", "_SP"})


def names_in(words: Sequence[Word], found: Sequence[FoundName]) -> list[Name]:
    """The names of a passage, in order, none overlapping."""
    names: list[Name] = []
    taken = 0
    for each in sorted(found, key=lambda name: (name.start, -name.end)):
        inside = [word for word in words if word.start < each.end and word.stop > each.start]
        while inside and _is_edge(inside[0]):
            inside.pop(0)
        while inside and _is_edge(inside[-1]):
            inside.pop()
        if not inside or inside[0].i < taken or is_stop_name(" ".join(word.text for word in inside)):
            continue
        taken = inside[-1].i + 1
        names.append(Name(inside[0].i, taken, each.kind))
    return names


def _is_edge(word: Word) -> bool:
    return word.tag in _EDGE_TAGS or word.lower.rstrip(".") in TITLES or not any(map(str.isalnum, word.text))
