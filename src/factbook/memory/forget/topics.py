"""Finds all that a space holds about a topic: every line with all of its words, in the log too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from factbook.errors import InputError
from factbook.model.line import LineFilter
from factbook.model.named_observation import read_as_entity
from factbook.model.record import (
    SELF,
    Alias,
    EntityRecord,
    Fact,
    Note,
    Observation,
    Record,
    Relation,
)
from factbook.text.host_ids import is_host_id
from factbook.text.index_words import index_words
from factbook.views.view import View

MOST_LISTED = 50
LONGEST_LISTED = 200
_PAGE = 500
_TOKEN = re.compile(r"[^\W_]+")


@dataclass(kw_only=True, slots=True)
class TopicTraces:
    """Messages and rows about a topic.

    Attributes:
        messages, records, entities: ids; entities are those whose name holds the topic.
        mask: texts that are masked in what stays: the topic as it was given, names, descriptions.
        lines: what was found, in words.
    """

    messages: set[str] = field(default_factory=set[str])
    records: set[str] = field(default_factory=set[str])
    entities: set[str] = field(default_factory=set[str])
    mask: dict[str, None] = field(default_factory=dict[str, None])
    lines: list[str] = field(default_factory=list[str])


def find_topic(view: View, topic: str) -> TopicTraces:
    """Returns all that is about the topic.

    Raises:
        InputError: it has no word that could be looked for.
    """
    wanted = list(dict.fromkeys(index_words(topic)))
    if not wanted:
        raise InputError(
            "a topic needs a word that can be looked for; common words alone say nothing"
        )
    found = TopicTraces(mask={topic.strip(): None})
    finder = _TopicFinder(wanted, found)
    snapshot, space = view.snapshot, view.space
    stats = snapshot.word_stats(space, wanted)
    if all(stats.frequency.get(word) for word in wanted):
        rarest = min(wanted, key=lambda word: stats.frequency[word])
        numbers = snapshot.find_words(
            space, [rarest], LineFilter(superseded=True), limit=stats.lines
        )
        ids: dict[str, list[str]] = {}
        for hit in snapshot.hits(space, numbers, wanted):
            if len(hit.counts) == len(wanted):
                ids.setdefault(hit.kind, []).append(hit.id)
        for message in snapshot.messages(space, ids.get("message", ())).values():
            finder.add_message(message.id, message.text)
        for cls, kind in (
            (Fact, "fact"),
            (Relation, "relation"),
            (Note, "note"),
            (Observation, "observation"),
            (EntityRecord, "entity"),
        ):
            for row in snapshot.get(space, cls, ids.get(kind, ())).values():
                finder.add_row(row)
    finder.add_images(view)
    for alias in snapshot.aliases(space, found.entities):
        if not is_host_id(alias.name):
            found.mask[alias.name] = None
    del found.lines[MOST_LISTED:]
    return found


class _TopicFinder:
    """Collects what holds all words of a topic."""

    def __init__(self, wanted: Iterable[str], found: TopicTraces) -> None:
        self._wanted = frozenset(wanted)
        self._found = found

    def holds_topic(self, text: str) -> bool:
        """Returns True where all words of the topic stand in the text."""
        return self._wanted.issubset(index_words(text))

    def add_message(self, message_id: str, text: str) -> None:
        """Takes a message that holds the topic."""
        self._found.messages.add(message_id)
        self._list_line(text)
        self._mask_forms(text)

    def add_row(self, row: Record) -> None:
        """Takes a row that holds the topic, or masks what of an entity holds it."""
        match row:
            case Fact():
                self._take_record(row.id, f"{row.attribute.replace('_', ' ')}: {row.value}")
            case Relation():
                self._take_record(row.id, f"{row.label.replace('_', ' ')}: {row.note}")
            case Observation() if row.name:
                self._take_entity(read_as_entity(row))
                self._take_record(row.id, row.text)
            case Note() | Observation():
                self._take_record(row.id, row.text)
            case EntityRecord():
                self._take_entity(row)
            case Alias():
                self._take_record(row.id, row.name)
            case _:
                pass

    def add_images(self, view: View) -> None:
        """Takes rows that were altered or taken out, and stand in the log alone."""
        for row in _read_images(view):
            match row:
                case Fact() if self.holds_topic(f"{row.attribute} {row.value}".replace("_", " ")):
                    self.add_row(row)
                case Relation() if self.holds_topic(f"{row.label} {row.note}".replace("_", " ")):
                    self.add_row(row)
                case Note() if self.holds_topic(f"{row.category} {row.text}"):
                    self.add_row(row)
                case Observation() if self.holds_topic(f"{row.name} {row.text}"):
                    self.add_row(row)
                case EntityRecord() if self.holds_topic(
                    " ".join((row.name, row.description, *row.metadata.values()))
                ):
                    self.add_row(row)
                case Alias() if self.holds_topic(row.name):
                    self.add_row(row)
                case _:
                    pass

    def _take_record(self, record_id: str, text: str) -> None:
        if record_id not in self._found.records:
            self._found.records.add(record_id)
            self._list_line(text)
        self._mask_forms(text)

    def _take_entity(self, row: EntityRecord) -> None:
        found = self._found
        if row.id != SELF and self.holds_topic(row.name):
            if row.id not in found.entities:
                found.entities.add(row.id)
                self._list_line(f"{row.name} ({row.kind.replace('_', ' ')})")
            found.mask[row.name] = None
            return
        for text in (row.description, *row.metadata.values()):
            if self.holds_topic(text):
                found.mask[text] = None
                self._list_line(text)
                self._mask_forms(text)

    def _mask_forms(self, text: str) -> None:
        """Masks a topic of one word in every form in which it is met."""
        if len(self._wanted) == 1:
            for token in _TOKEN.findall(text):
                if self._wanted == frozenset(index_words(token)):
                    self._found.mask[token] = None

    def _list_line(self, text: str) -> None:
        flat = " ".join(text.split())
        if len(self._found.lines) < MOST_LISTED and flat:
            self._found.lines.append(
                flat if len(flat) <= LONGEST_LISTED else f"{flat[:LONGEST_LISTED]}…"
            )


def _read_images(view: View) -> Iterator[Record]:
    after = 0
    while page := view.snapshot.log(view.space, after=after, limit=_PAGE):
        for commit in page:
            for change in commit.changes:
                if change.before is not None:
                    yield change.before
                if change.after is not None:
                    yield change.after
        after = page[-1].version
