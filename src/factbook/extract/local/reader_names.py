"""The names that our own model reads, as a finder of the local extractor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from factbook.extract.local.finder import Found, FoundName, names_known
from factbook.extract.local.reader_decode import KINDS, best_tags, spans_of
from factbook.ports.models import ExtractionContext
from factbook.reader.reading_model import Reader, Reading, shared_reader
from factbook.text.names import fold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from spacy.tokens import Doc

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

    reads_parses = False
    pipes: frozenset[str] = frozenset()

    def __init__(self, model: Reader | None = None) -> None:
        """`model` is the process's own reader if none is given."""
        self._model = model or shared_reader()

    @property
    def name(self) -> str:
        return f"reader-{self._model.version}"

    def load(self) -> None:
        """Loads the model now instead of at the first use.

        Raises:
            ConfigError: its files or packages are missing or not the known ones.
        """
        self._model.load()

    def find(
        self, texts: Sequence[str], docs: Sequence[Doc], context: ExtractionContext
    ) -> list[Found]:
        """What each text holds, in order; `docs` aren't looked at.

        Raises:
            ConfigError: the model's files or packages are missing or not the known ones.
        """
        del docs
        known = names_known(context)
        return [
            _found(text, read, known)
            for text, read in zip(texts, self._model.read_texts(texts), strict=True)
        ]


def _found(text: str, reading: Reading, known: Mapping[str, str]) -> Found:
    if not reading.spans:
        return Found([])
    scores = reading.tags.copy()
    _favour(
        text, reading.spans, scores, {name: kind for name, kind in known.items() if kind in KINDS}
    )
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
        lambda others: _found(text, reading, others),
        reading,
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
    known: Mapping[str, str],
) -> None:
    """Makes the words of known names likelier, the longest name first."""
    if not known:
        return
    first = 0
    while first < len(spans):
        step = 1
        for end in range(min(len(spans), first + _LONGEST_KNOWN), first, -1):
            kind = known.get(fold(text[spans[first][0] : spans[end - 1][1]]))
            if kind is not None:
                tag = 1 + 2 * KINDS.index(kind)
                scores[first, tag] += _KNOWN
                scores[first + 1 : end, tag + 1] += _KNOWN
                step = end - first
                break
        first += step
