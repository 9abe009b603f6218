"""Who finds the names: a port of the local extractor, and spaCy's entity recognizer behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from factbook.ports.models import ExtractionContext

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True)
class FoundName:
    """`text` stands at `start:end`. `kind` is the finder's opinion, and the rules may have a better one; it is empty for
    what the finder takes for no name though it looks like one (a date, a nationality). `weight` is how much that opinion
    counts among the evidence, 0 if it is to be judged by the kind alone."""

    start: int
    end: int
    text: str
    kind: str
    weight: float = 0.0


class NameFinder(Protocol):
    """Finds names in texts. What it finds may overlap nothing of its own."""

    @property
    def pipes(self) -> frozenset[str]:
        """The components of the spaCy pipeline that it reads, besides the parse."""
        ...

    def find(self, texts: Sequence[str], docs: Sequence[Doc], context: ExtractionContext) -> list[list[FoundName]]:
        """The names of each text, in order; `docs` are the same texts parsed."""
        ...


_KINDS = {
    "PERSON": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "product",
    "EVENT": "event",
    "WORK_OF_ART": "product",
    **dict.fromkeys("NORP LANGUAGE DATE TIME PERCENT MONEY QUANTITY ORDINAL CARDINAL".split(), ""),
}
"""OntoNotes' labels; nationalities, languages, times and amounts are no names."""


class SpacyNames:
    """The names that spaCy's entity recognizer finds."""

    pipes = frozenset({"ner"})

    def find(self, texts: Sequence[str], docs: Sequence[Doc], context: ExtractionContext) -> list[list[FoundName]]:
        del texts, context
        return [
            [
                FoundName(span.start_char, span.end_char, span.text, _KINDS[span.label_])
                for span in doc.ents
                if span.label_ in _KINDS
            ]
            for doc in docs
        ]
