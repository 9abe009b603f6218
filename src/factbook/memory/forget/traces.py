"""Traces of an entity in texts: sentences that go, doubtful ones, its own words, its namesakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from factbook.memory.forget.named_texts import (
    NamedEntity,
    NamedTexts,
    read_kinds_of,
    read_named_texts,
)
from factbook.memory.forget.sentence_judge import (
    Judged,
    Passage,
    SentenceJudge,
    find_names,
    sentence_id,
)
from factbook.model.episode import StoredMessage
from factbook.model.receipt import Doubtful
from factbook.model.record import SELF
from factbook.text.name_masks import Mask, Spans
from factbook.text.name_parts import (
    is_everyday_name,
    may_name_one,
    split_name,
    stands_beside_another,
)
from factbook.text.names import fold
from factbook.views.view import View


@dataclass(kw_only=True, slots=True)
class Traces:
    """Traces of an entity beside rows of its own.

    Attributes:
        named: the entity. cut: sentences that go, by the id of the message, note or entity. messages: those that go
            whole. own: those that the forgotten one said. proper: words that are masked where they
            are written as a name. lines: what goes, in words. doubtful: what a person has to
            decide.
    """

    named: NamedEntity
    cut: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    messages: set[str] = field(default_factory=set[str])
    own: list[str] = field(default_factory=list[str])
    mask: tuple[str, ...] = ()
    proper: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list[str])
    doubtful: dict[str, Doubtful] = field(default_factory=dict[str, Doubtful])

    def cut_sentences(self, row_id: str, sentences: Iterable[str]) -> None:
        """Has these sentences of a row go."""
        self.cut[row_id] = tuple(dict.fromkeys((*self.cut.get(row_id, ()), *sentences)))

    def add_judged(self, row_id: str, judged: Judged) -> None:
        """Takes the sentences of a row that go, and the doubtful ones."""
        if judged.goes:
            self.cut_sentences(row_id, judged.goes)
            self.lines += judged.goes
        for sentence, why in judged.doubtful:
            self.add_doubtful(Doubtful(id=sentence_id(row_id, sentence), text=sentence, why=why))

    def add_doubtful(self, found: Doubtful) -> None:
        """Leaves something to a person, once."""
        self.doubtful.setdefault(found.id, found)


def find_traces(view: View, key: str) -> Traces:
    """Returns all traces of the entity with this id in what others said and wrote."""
    texts = read_named_texts(view, key)
    finder = _TraceFinder(texts)
    said = list(finder.read_messages())
    told = list(finder.read_descriptions())
    kinds = read_kinds_of(view, find_names([*said, *told]), texts.named.members)
    return finder.judge_passages(said, told, kinds)


class _TraceFinder:
    """Judges the texts that may name an entity."""

    def __init__(self, texts: NamedTexts) -> None:
        self._texts = texts
        self._named = named = texts.named
        self._whole = {fold(name) for name in named.names}
        self._own = {fold(word) for name in named.names for word in split_name(name)}
        everyday = [name for name in named.names if is_everyday_name(name)]
        borne = [part for part in texts.parts if part in texts.borne_parts or self._is_borne(part)]
        self._found = Traces(
            named=named,
            mask=tuple(name for name in named.names if name not in everyday),
            proper=(*everyday, *(part for part in texts.parts if part not in borne)),
        )
        self._mask = Mask(self._found.mask, "", proper=self._found.proper)
        self._alike = Mask([], "", proper=borne)

    def _is_borne(self, part: str) -> bool:
        """Returns True for a part of the name that another bears in what was said."""
        mask, folded = Mask([], "", proper=[part]), fold(part)
        ids = self._texts.ids_by_part[part]
        for message in self._texts.messages:
            if message.id not in ids:
                continue
            speaker = fold(message.speaker)
            if speaker not in self._whole and folded in speaker.split():
                return True
            spans = mask.spans(message.text)
            if any(stands_beside_another(message.text, *span, self._own) for span in spans):
                return True
        return False

    # --- where the entity is named ----------------------------------------------------------------

    def read_messages(self) -> Iterator[Passage]:
        """Yields what others said; the entity's own messages are set apart."""
        last: StoredMessage | None = None
        for message in self._texts.messages:
            if message.speaker and self._mask.text(message.speaker).strip() == "":
                self._found.own.append(message.id)
                last = None
                continue
            follows = last is not None and _is_next(last, message)
            last = message
            yield self._make_passage(message.id, message.text, follows=follows)

    def read_descriptions(self) -> Iterator[Passage]:
        """Yields notes of others, and descriptions of others, with what they said before."""
        for key, texts in self._texts.descriptions.items():
            for text in texts:
                yield self._make_passage(key, text)

    def _make_passage(self, row_id: str, text: str, *, follows: bool = False) -> Passage:
        meant = self._mask.spans(text)
        named = Spans(meant)
        alike = [
            span
            for span in self._alike.spans(text)
            if not (named.over(*span) or stands_beside_another(text, *span, self._own))
        ]
        for mention in self._texts.mentions.get(row_id, ()):
            is_name = text[mention.start : mention.start + 1].isupper()
            if is_name and not named.over(mention.start, mention.end):
                alike.append((mention.start, mention.end))
        return Passage(row_id=row_id, text=text, meant=meant, alike=alike, follows=follows)

    # --- what goes --------------------------------------------------------------------------------

    def judge_passages(
        self, said: Iterable[Passage], told: Iterable[Passage], kinds: Mapping[str, str]
    ) -> Traces:
        """Returns the traces; `kinds` are those of the names beside it, by folded name."""
        found = self._found
        self._doubt_namesakes()
        judge = SentenceJudge(is_person=self._named.is_person, kinds=kinds)
        for passage in said:
            judged = judge.judge_passage(passage)
            if judged.whole:
                found.messages.add(passage.row_id)
                found.lines.append(passage.text)
            else:
                found.add_judged(passage.row_id, judged)
        for passage in told:
            found.add_judged(passage.row_id, judge.judge_passage(passage))
        return found

    def _doubt_namesakes(self) -> None:
        """Leaves other entities to a person that may be the same one under another name."""
        for hit in sorted(self._texts.alike, key=lambda hit: hit.entity_id):
            if hit.entity_id != SELF and self._may_be_named(hit.name):
                self._found.add_doubtful(
                    Doubtful(id=hit.entity_id, text=hit.name, why="may be the same one")
                )

    def _may_be_named(self, other: str) -> bool:
        is_person = self._named.is_person
        return any(may_name_one(other, name, is_person=is_person) for name in self._named.names)


def _is_next(last: StoredMessage, message: StoredMessage) -> bool:
    return (last.session, last.position + 1) == (message.session, message.position)
