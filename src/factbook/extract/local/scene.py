"""What the rules look at: a parsed passage with its names, and what they find in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from factbook.extract.local.parse import Word
from factbook.extract.local.passages import Passage
from factbook.model.record import SELF, Hold, ObservationSort
from factbook.model.source import Grain


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a passage: the words `start:end`, and its kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class End:
    """One end of a relation, or what a fact is said of: the characters `start:stop` of the message.

    `kind` is the name's, `self` for the speaker (whose pronoun stands there), or empty for a plain
    phrase. `name` is given where the characters are a pronoun that stands for a name.
    """

    start: int
    stop: int
    kind: str
    name: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """When something holds, as far as the text says."""

    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"


ALWAYS = Span()


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """A relation found; the characters `start:stop` of the message say it."""

    left: End
    label: str
    right: End
    start: int
    stop: int
    when: Span = ALWAYS
    importance: float = 0.5
    retracts: bool = False
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Attribute:
    """A fact found; the characters `start:stop` of the message say it."""

    of: End
    attribute: str
    value: str
    start: int
    stop: int
    when: Span = ALWAYS
    importance: float = 0.5
    retracts: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """A decision, a preference, a pain point or a task: the characters `start:stop` of the
    message.
    """

    kind: str
    start: int
    stop: int
    importance: float
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True, slots=True)
class Observed:
    """A clause that is worth keeping: the characters `start:stop` of the message.

    Attributes:
        about: whose statement, opinion or plan it is comes first. text: the clause with what its
            pronouns stand for in brackets; empty for none.
    """

    about: tuple[End, ...]
    start: int
    stop: int
    text: str
    sort: ObservationSort
    holds: Hold
    when: Span = ALWAYS
    importance: float = 0.5


Finding = Link | Attribute | Statement | Observed


@dataclass(frozen=True, slots=True)
class Told:
    """The words from `first` to `last` are what `by` says, by the verb (or `according`) that is
    `word`.
    """

    word: Word
    first: int
    last: int
    by: str


class Scene:
    """A passage as the rules see it. `names` are in order and don't overlap; `pronouns` are those
    that stand for one.
    """

    def __init__(self, passage: Passage, words: Sequence[Word], names: Sequence[Name]) -> None:
        self.passage = passage
        self.words = words
        self.names = names
        self.pronouns: dict[int, End] = {}
        self.told: Sequence[Told] = ()
        self._name_of = {i: name for name in names for i in range(name.start, name.end)}
        self._sentences: dict[int, list[Word]] = {}
        for word in words:
            self._sentences.setdefault(word.sentence, []).append(word)

    @property
    def at(self) -> datetime:
        """When it was said."""
        return self.passage.message.at

    def name_at(self, word: Word) -> Name | None:
        """The name that the word is part of."""
        return self._name_of.get(word.i)

    def told_by(self, end: End) -> str:
        """Who vouches for what is said of an end; empty for who speaks."""
        for told in self.told:
            start, stop = self.characters(told.first, told.last + 1)
            if start <= end.start and end.stop <= stop:
                return told.by
        return ""

    def sentences(self) -> list[list[Word]]:
        return list(self._sentences.values())

    def sentence_of(self, word: Word) -> list[Word]:
        return self._sentences[word.sentence]

    def names_in(self, words: Sequence[Word]) -> list[Name]:
        """The names that the words hold, in order, each once."""
        return list(dict.fromkeys(name for word in words if (name := self.name_at(word))))

    def head_of(self, name: Name) -> Word:
        """The word of a name from which the rest of it hangs."""
        inside = self.words[name.start : name.end]
        return next(
            (word for word in inside if not name.start <= word.head.i < name.end), inside[-1]
        )

    def characters(self, start: int, end: int) -> tuple[int, int]:
        """Where the words `start:end` stand in the message."""
        return self.passage.offset + self.words[start].start, self.passage.offset + self.words[
            end - 1
        ].stop

    def quote(self, word: Word) -> tuple[int, int]:
        """Where the word's sentence stands in the message."""
        inside = self.sentence_of(word)
        return self.characters(inside[0].i, inside[-1].i + 1)

    def said(self, start: int, stop: int) -> str:
        """The characters `start:stop` of the message."""
        return self.passage.message.text[start:stop]

    def end(self, name: Name) -> End:
        return End(*self.characters(name.start, name.end), name.kind)

    def self_at(self, word: Word) -> End:
        """The speaker, for whom the word stands."""
        return End(*self.characters(word.i, word.i + 1), SELF)
