"""A passage on its way to its names, and a stretch of it that may be one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from factbook.extract.local.parse import Word

NAMED, LONGER, READ, LISTED, RUN, LOOSE = 6, 5, 4, 3, 2, 1
"""How sure a source is where a name begins and ends; of two that overlap the surer one stays, then
the longer.
"""


@dataclass(slots=True)
class Candidate:
    """The words `start:end` may be a name. `evidence` holds what speaks for each kind, in no unit,
    `around` the part of it that the words around tell, and `read` how certain a reader is of one;
    `refused` is one that the finder takes for none (a date, a nationality).
    """

    start: int
    end: int
    sure: int
    evidence: dict[str, float] = field(default_factory=dict[str, float])
    read: float = 0.0
    around: dict[str, float] = field(default_factory=dict[str, float])
    refused: bool = False

    def add(self, kind: str, weight: float) -> None:
        self.evidence[kind] = self.evidence.get(kind, 0.0) + weight

    def overlaps(self, other: Candidate) -> bool:
        return self.start < other.end and other.start < self.end


_ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"))


@dataclass(frozen=True, slots=True)
class Text:
    """A parsed passage on the way to its names.

    Attributes:
        known: kinds of the names that the space knows, by folded name.
        vocabulary: English words in lower case; a word that isn't among them is more likely a name.
        capitals: whether a capital letter tells anything here (it doesn't in a text in capitals).
        english: whether this is English, so that the rules for its words hold.
    """

    text: str
    words: Sequence[Word]
    known: Mapping[str, str]
    vocabulary: AbstractSet[str]
    capitals: bool
    english: bool

    def span(self, start: int, end: int) -> str:
        return self.text[self.words[start].start : self.words[end - 1].stop]

    def has_capital(self, word: Word) -> bool:
        """Whether it is written as names are where no capital is due. The parse may have been given
        capitals; what was said counts.
        """
        said = self.text[word.start : word.stop]
        return (
            self.capitals
            and is_capital(word)
            and any(map(str.isupper, said))
            and not is_soft(self.words, word.i)
        )

    def is_word(self, word: Word) -> bool:
        """Whether it is an English word; the tagger takes no ending off what it thinks a name."""
        if word.lower in self.vocabulary or word.lemma in self.vocabulary:
            return True
        for ending, instead in _ENDINGS:
            if (
                word.lower.endswith(ending)
                and word.lower.removesuffix(ending) + instead in self.vocabulary
            ):
                return True
        return False


def is_capital(word: Word) -> bool:
    """Whether it is written as names are: Tom, IBM, iPhone, PyTorch."""
    return any(map(str.isupper, word.text)) and word.lower not in {
        "i",
        "i'm",
        "i'd",
        "i'll",
        "i've",
    }


def is_soft(words: Sequence[Word], i: int) -> bool:
    """Whether a capital is due to the place: at the start of a sentence, a line, a quotation, after
    most marks.
    """
    if i == 0 or words[i].sentence != words[i - 1].sentence:
        return True
    before = words[i - 1].text
    return not any(map(str.isalnum, before)) and before not in {",", "'", "’", "&", "/", "$", "@"}


def words_at(text: Text, start: int, stop: int) -> tuple[int, int] | None:
    inside = [word for word in text.words if word.start < stop and word.stop > start]
    if inside and inside[0].start == start and inside[-1].stop == stop:
        return inside[0].i, inside[-1].i + 1
    return None
