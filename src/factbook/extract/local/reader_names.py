"""The names that our own model reads, as a finder of the local extractor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from factbook.embed.reader import ReaderModel, Reading
from factbook.extract.local.finder import FoundName
from factbook.extract.local.reader_decode import KINDS, best_tags, spans_of
from factbook.ports.models import ExtractionContext
from factbook.text.names import fold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from spacy.tokens import Doc

_KINDS = {"work": "other"}
"""A book, a film, a song is remembered as something else than what one sells."""

_KNOWN = 4.0
"""Added to the logits of a known name's words: it wins where the model wavers, not against a sentence that is clear."""
_SURELY_NONE = -0.1
"""The logarithm of the probability from which on a word is no name."""
_LONGEST_KNOWN = 8
"""Words of a known name that are looked for."""


class ReaderNames:
    """Finds names with the reader. Names that the space knows, and the examples of its kinds, are found more easily."""

    pipes: frozenset[str] = frozenset()

    def __init__(self, model: ReaderModel) -> None:
        self._model = model

    def find(self, texts: Sequence[str], docs: Sequence[Doc], context: ExtractionContext) -> list[list[FoundName]]:
        """The names of each text, in order; `docs` aren't looked at.

        Raises:
            ConfigError: the model's file or packages are missing or not the known ones.
        """
        del docs
        known = _known(context)
        return [_names(text, read, known) for text, read in zip(texts, self._model.read(texts), strict=True)]


def _known(context: ExtractionContext) -> dict[str, str]:
    known = {fold(example): kind.id for kind in context.kinds.values() for example in kind.examples if kind.id in KINDS}
    return known | {fold(name): kind for name, kind in context.known.items() if kind in KINDS}


def _names(text: str, reading: Reading, known: Mapping[str, str]) -> list[FoundName]:
    import numpy as np

    if not reading.spans:
        return []
    scores = reading.tags - np.logaddexp.reduce(reading.tags, axis=1, keepdims=True)
    sure = scores.copy()
    _favour(text, reading.spans, scores, known)
    tags = best_tags(scores)
    found = list(_no_names(text, reading.spans, scores, tags))
    for first, end, kind in spans_of(tags):
        start, stop = reading.spans[first][0], reading.spans[end - 1][1]
        p = float(np.exp(np.mean([np.logaddexp(sure[at, tags[at]], -9.0) for at in range(first, end)])))
        found.append(FoundName(start, stop, text[start:stop], _KINDS.get(kind, kind), weight=0.5 + p))
    return sorted(found, key=lambda name: name.start)


def _no_names(
    text: str, spans: Sequence[tuple[int, int]], scores: NDArray[np.float32], tags: Sequence[int]
) -> Iterator[FoundName]:
    """The stretches of words that are surely no names, whatever they look like."""
    first = 0
    for at in range(len(spans) + 1):
        if at < len(spans) and tags[at] == 0 and scores[at, 0] >= _SURELY_NONE:
            continue
        if at > first:
            start, stop = spans[first][0], spans[at - 1][1]
            yield FoundName(start, stop, text[start:stop], "")
        first = at + 1


def _favour(text: str, spans: Sequence[tuple[int, int]], scores: NDArray[np.float32], known: Mapping[str, str]) -> None:
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
