"""Who finds the names: a port of the local extractor, and spaCy's entity recognizer behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from factbook.ports.models import ExtractionContext
from factbook.text.names import fold

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from factbook.reader.reading_model import Reading


@dataclass(frozen=True, slots=True)
class FoundName:
    """`text` stands at `start:end`. `kind` is the finder's opinion, and the rules may have a better
    one; it is empty for what the finder takes for no name though it looks like one (a date, a
    nationality).
    """

    start: int
    end: int
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a finder makes of a text.

    Attributes:
        names: those it would give by itself; they overlap nothing of their own.
        chances: how likely the characters from one place to another are a name of each kind, and
            under the empty kind how likely they are none; None from a finder that can't tell.
        again: the same with other known names (kinds by folded name), without reading anew; None
            where they don't count.
        reading: what our reader made of the text, for what else is read from it; None from another
            finder.
    """

    names: Sequence[FoundName]
    chances: Callable[[int, int], Mapping[str, float]] | None = None
    again: Callable[[Mapping[str, str]], Found] | None = None
    reading: Reading | None = None


def names_known(context: ExtractionContext) -> dict[str, str]:
    """Kinds by folded name: of the examples given with kinds, and of what the space knows."""
    examples = {
        fold(example): kind.id for kind in context.kinds.values() for example in kind.examples
    }
    return {**examples, **context.known}


class NameFinder(Protocol):
    """Finds names in texts."""

    @property
    def name(self) -> str:
        """Its name and version as part of the extractor's, empty for spaCy's own."""
        ...

    def load(self) -> None:
        """Loads what the first call would otherwise wait for."""
        ...

    @property
    def reads_parses(self) -> bool:
        """Whether it looks at parses; one that doesn't is asked before the parse, which is the
        better for its names.
        """
        ...

    @property
    def pipes(self) -> frozenset[str]:
        """The components of the spaCy pipeline that it reads, besides the parse."""
        ...

    def find(
        self, texts: Sequence[str], docs: Sequence[Doc], context: ExtractionContext
    ) -> list[Found]:
        """What each text holds, in order; `docs` are the same texts parsed, none if it doesn't look
        at them.
        """
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

    name = ""
    reads_parses = True
    pipes = frozenset({"ner"})

    def load(self) -> None:
        """Its model is part of the pipeline."""

    def find(
        self, texts: Sequence[str], docs: Sequence[Doc], context: ExtractionContext
    ) -> list[Found]:
        del texts, context
        return [
            Found(
                [
                    FoundName(span.start_char, span.end_char, span.text, _KINDS[span.label_])
                    for span in doc.ents
                    if span.label_ in _KINDS
                ]
            )
            for doc in docs
        ]
