"""The finder of names: a port of the local extractor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from factbook.ports.models import ExtractionContext
from factbook.text.names import fold

if TYPE_CHECKING:
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
    """

    names: Sequence[FoundName]
    chances: Callable[[int, int], Mapping[str, float]] | None = None
    again: Callable[[Mapping[str, str]], Found] | None = None


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
        """Its name and version as part of the extractor's, empty for the reader's own."""
        ...

    def find(
        self, texts: Sequence[str], readings: Sequence[Reading], context: ExtractionContext
    ) -> list[Found]:
        """Finds what each text holds, in order; `readings` are what the reader made of them."""
        ...
