"""The names that our own model reads, as a finder of the local extractor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from factbook.extract.local.finder import Found, FoundName, names_known
from factbook.extract.local.reader_decode import KINDS, best_tags, spans_of
from factbook.ports.models import ExtractionContext
from factbook.text.names import fold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from factbook.reader.reading_model import Reading

_KNOWN = 4.0
"""Added to the logits of a known name's words: it wins where the model wavers, not against a
sentence that is clear.
"""
_NEVER = 50.0
_ADDRESS = re.compile(r"\S+@\S+\.\w+|\w+://\S+|www\.\S+")
_LONGEST_KNOWN = 8
"""Words of a known name that are looked for."""


class ReaderNames:
    """Finds names with the reader. Names that the space knows, and the examples of its kinds, are
    found more easily.
    """

    name = ""

    def find(
        self, texts: Sequence[str], readings: Sequence[Reading], context: ExtractionContext
    ) -> list[Found]:
        """Finds what each text holds, in order."""
        known = _Known.of(names_known(context))
        return [_found(text, read, known) for text, read in zip(texts, readings, strict=True)]


@dataclass(frozen=True, slots=True)
class _Known:
    """Kinds by folded name, and what the names begin with: one letter and two."""

    kinds: Mapping[str, str]
    beginnings: AbstractSet[str]

    @classmethod
    def of(cls, known: Mapping[str, str]) -> _Known:
        kinds = {name: kind for name, kind in known.items() if kind in KINDS}
        beginnings = {name[:length] for name in kinds for length in (1, 2)}
        return cls(kinds, {"th", *beginnings})  # a folded name has lost its `the`


def _found(text: str, reading: Reading, known: _Known) -> Found:
    if not reading.spans:
        return Found([])
    scores = reading.tags.copy()
    _favour(text, reading.spans, scores, known)
    if addresses := _addresses(text):
        inside = [
            any(first < end and last > start for first, last in addresses)
            for start, end in reading.spans
        ]
        scores[inside, 0] += _NEVER
    names: list[FoundName] = []
    for first, end, kind in spans_of(best_tags(scores)):
        start, stop = reading.spans[first][0], reading.spans[end - 1][1]
        names.append(FoundName(start, stop, text[start:stop], kind))
    return Found(
        names,
        _Chances(reading.spans, scores),
        lambda others: _found(text, reading, _Known.of(others)),
    )


def _addresses(text: str) -> list[tuple[int, int]]:
    """What is no name whatever its parts look like."""
    return (
        [match.span() for match in _ADDRESS.finditer(text)]
        if "@" in text or "://" in text or "www." in text
        else []
    )


class _Chances:
    """How likely a stretch of a text is a name of each kind: the mean over its words, in
    logarithms.
    """

    def __init__(self, spans: Sequence[tuple[int, int]], scores: NDArray[np.float32]) -> None:
        import numpy as np

        sure = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        self._spans = spans
        self._none = sure[:, 0]
        self._kinds = np.logaddexp(sure[:, 1::2], sure[:, 2::2])

    def __call__(self, start: int, stop: int) -> dict[str, float]:
        import numpy as np

        inside = [
            at for at, (first, last) in enumerate(self._spans) if first < stop and last > start
        ]
        if not inside:
            return {}
        chances = {"": float(np.exp(self._none[inside].mean()))}
        for kind, chance in zip(KINDS, np.exp(self._kinds[inside].mean(axis=0)), strict=True):
            chances[kind] = float(chance)
        return chances


def _favour(
    text: str,
    spans: Sequence[tuple[int, int]],
    scores: NDArray[np.float32],
    known: _Known,
) -> None:
    """Makes the words of known names likelier, the longest name first."""
    first = 0
    while first < len(spans):
        step = 1
        start, stop = spans[first]
        longest = _LONGEST_KNOWN if fold(text[start:stop])[:2] in known.beginnings else 0
        for end in range(min(len(spans), first + longest), first, -1):
            kind = known.kinds.get(fold(text[spans[first][0] : spans[end - 1][1]]))
            if kind is not None:
                tag = 1 + 2 * KINDS.index(kind)
                scores[first, tag] += _KNOWN
                scores[first + 1 : end, tag + 1] += _KNOWN
                step = end - first
                break
        first += step
