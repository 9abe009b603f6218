"""What forgetting leaves of each row, message, log entry, draft and error: one pure function a
sort.

Every image of a row is mapped by itself, in the record and in the log alike, so that replaying the
erased log gives the erased record.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from factbook.model.change import Change, Commit, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import StoredMessage
from factbook.model.named_observation import beside, without_words
from factbook.model.record import (
    SELF,
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Mention,
    Note,
    NotSame,
    Observation,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.model.source import Source
from factbook.ports.store import Erasure
from factbook.text.name_masks import Edit, Mask, moved, put_in_place
from factbook.text.names import fold

SORTS: Mapping[type[Record], str] = {
    EntityRecord: "entities",
    Alias: "aliases",
    Mention: "mentions",
    Fact: "facts",
    Relation: "relations",
    Support: "supports",
    Note: "notes",
    Observation: "observations",
    SameAs: "same_as",
    NotSame: "not_same",
    Review: "reviews",
    EntityType: "kinds",
}
"""How counts name the row types."""

_Sourced = EntityRecord | Alias | Fact | Relation | Support | Note | Observation

_KEPT = frozenset(
    {"id", "kind", "state", "decider", "standing", "grain", "sort", "holds", "session", "project"}
)


class Eraser:
    """Maps everything that a space holds to what is left of it.

    Attributes:
        touched: ids of the episodes that lose or alter a message.
    """

    def __init__(
        self,
        erasure: Erasure,
        rows: Iterable[Record],
        messages: Iterable[StoredMessage],
        log: Iterable[Commit],
    ) -> None:
        """`rows`, `messages` and `log` are all that the space holds now, or of it what the erasure
        may touch and what is left of the entities that it may take.
        """
        self._all = erasure.everything
        self._mask = Mask(erasure.mask, erasure.replacement, proper=erasure.proper)
        self._replacement = erasure.replacement
        self._messages = frozenset(erasure.message_ids)
        self._silenced = frozenset(erasure.silenced)
        self._cut = erasure.cut
        self._records = frozenset(erasure.record_ids)
        self._entities = set(erasure.entity_ids)
        self._edits: dict[str, list[Edit]] = {}
        self._left: dict[str, str] = {}
        self.touched: set[str] = set()
        for message in messages:
            if edits := self._edits_of(message):
                self._edits[message.id] = edits
            if message.id in self._cut:
                self._left[message.id] = _spaced(
                    put_in_place(message.text, _cuts(message.text, self._cut[message.id]))
                )
            if self.message(message) != message:
                self.touched.add(message.episode_id)
        self._promoted: dict[str, Support] = {}
        self._named: set[tuple[str, str]] = set()
        held = list(rows)
        self._mentioned = {
            row.message_id for row in held if isinstance(row, Mention) and row.entity_id != SELF
        }
        images = [*held, *_images(log)]
        self._take_named(images)
        if self._messages or self._cut:
            self._find_what_stays(held)
            self._find_traceless(held, images)
            self._take_named(images)
        self._gone = {
            row.id for row in images if isinstance(row, Fact | Relation) and self._is_gone(row)
        }

    @property
    def gone(self) -> frozenset[str]:
        """Ids of the entities, facts and relations that go, those in the log too."""
        return frozenset(self._entities | self._gone)

    def record(self, row: Record) -> Record | None:
        """Returns a row, or one of its images in the log, without the erased parts."""
        if self._all or self._is_gone(row):
            return None
        if isinstance(row, Mention):
            return self._mention(row)
        if not isinstance(row, EntityType | SameAs | NotSame | Review):
            row = self._unquoted(self._unsourced(row))
        if isinstance(row, Note | EntityRecord | Observation) and row.id in self._cut:
            row = self._make_short(row)
        if isinstance(row, Note | Observation) and not self._entities.isdisjoint(row.entity_ids):
            row = replace(
                row, entity_ids=tuple(each for each in row.entity_ids if each not in self._entities)
            )
        return cast(Record, self._masked(row))

    def message(self, message: StoredMessage) -> StoredMessage | None:
        """Returns a message without the erased parts. An altered one loses its key, which was made
        from its text.
        """
        if self._all or message.id in self._messages:
            return None
        text = put_in_place(message.text, self._edits.get(message.id) or self._edits_of(message))
        speaker = self._mask.text(message.speaker)
        if (text, speaker) == (message.text, message.speaker):
            return message
        return replace(message, text=text, speaker=speaker, key=f"altered:{message.id}")

    def names_someone(self, message: StoredMessage) -> bool:
        """Whether a message is known to name an entity, or one that is masked."""
        names = message.id in self._mentioned or bool(self._mask.spans(message.text))
        return names or bool(self._mask.spans(message.speaker))

    def commit(self, commit: Commit) -> Commit:
        """Returns a log entry without the erased parts: its step and time, and the changes of what
        stays.
        """
        if self._all:
            return Commit(
                version=commit.version, stamp=replace(commit.stamp, reason=""), erased=True
            )
        stamp = replace(commit.stamp, reason=self._mask.text(commit.stamp.reason))
        changes: list[Change] = []
        for change in commit.changes:
            before = self.record(change.before) if change.before is not None else None
            after = self.record(change.after) if change.after is not None else None
            if before != after:
                changes.append(Change(before=before, after=after))
        if stamp == commit.stamp and tuple(changes) == commit.changes:
            return commit
        return Commit(version=commit.version, stamp=stamp, changes=tuple(changes), erased=True)

    def draft(self, draft: Draft) -> Draft | None:
        """The draft, if nothing that it may rest on was touched."""
        if self._all or draft.episode_id in self.touched:
            return None
        return draft if self._masked(draft) == draft else None

    def error(self, episode_id: str, error: str) -> str:
        """Returns a job's error without the erased parts."""
        return "" if self._all or episode_id in self.touched else self._mask.text(error)

    # --- which rows go ----------------------------------------------------------------------------

    def _is_gone(self, row: Record) -> bool:
        if self._has_lost_its_entity(row):
            return True
        match row:
            case Alias():
                return row.id in self._records or self._is_named_no_more(row)
            case Mention():
                silent = row.message_id in self._messages or row.message_id in self._silenced
                return silent or self._is_in_cut(row)
            case Fact() | Relation() | Note() | Observation():
                return self._is_unsaid(row)
            case Support():
                return self._is_support_gone(row)
            case EntityRecord() | EntityType() | SameAs() | NotSame() | Review():
                return False

    def _has_lost_its_entity(self, row: Record) -> bool:
        """Returns whether an entity goes that the row is about; for a note or an observation, all
        of them.
        """
        if beside(row) is not None:
            return row.id in self._entities
        about = _about(row)
        if isinstance(row, Note | Observation):
            return bool(about) and self._entities.issuperset(about)
        return not self._entities.isdisjoint(about)

    def _is_named_no_more(self, row: Alias) -> bool:
        return self._is_said(row.source) and (row.entity_id, fold(row.name)) not in self._named

    def _is_unsaid(self, row: Fact | Relation | Note | Observation) -> bool:
        if row.id in self._records:
            return True
        if beside(row) is not None:
            return False
        return self._is_said(row.source) and row.id not in self._promoted

    def _is_support_gone(self, row: Support) -> bool:
        promoted = self._promoted.get(row.record_id)
        if promoted is not None and promoted.id == row.id:
            return True
        if row.id in self._records or row.record_id in self._gone:
            return True
        return self._is_said(row.source)

    def _find_what_stays(self, held: Sequence[Record]) -> None:
        """A statement that another message repeats rests on that one; an alias stays if another
        message has it.
        """
        sourced = {
            row.id for row in held if isinstance(row, Fact | Relation) and self._is_said(row.source)
        }
        supports = [row for row in held if isinstance(row, Support) and row.record_id in sourced]
        for support in sorted(supports, key=lambda row: (row.created_at, row.id)):
            if not self._is_said(support.source):
                self._promoted.setdefault(support.record_id, support)
        for row in held:
            if isinstance(row, Mention) and not self._is_gone(row):
                self._named.add((row.entity_id, fold(row.text)))

    def _take_named(self, images: Sequence[Record]) -> None:
        """Takes the named observations that are meant, or about nobody who stays."""
        for row in images:
            if not isinstance(row, Observation) or not row.name:
                continue
            is_meant = row.id in self._records
            if is_meant or (row.entity_ids and self._entities.issuperset(row.entity_ids)):
                self._entities.add(row.id)

    def _find_traceless(self, held: Sequence[Record], images: Sequence[Record]) -> None:
        """An entity that came from a message that goes, and of which nothing else is left, goes
        with it.
        """
        kept = {entity_id for entity_id, _ in self._named}
        for row in held:
            entity = row if isinstance(row, EntityRecord) else beside(row)
            if entity is not None and not self._is_from_said(entity):
                kept.update((entity.id, *_about(row)))
            elif isinstance(
                row, Fact | Relation | Note | Observation | Alias
            ) and not self._is_leaving(row):
                kept.update(_about(row))
        for row in held:
            if beside(row) is not None and row.id in kept:
                kept.update(_about(row))
        for row in images:
            entity = row if isinstance(row, EntityRecord) else beside(row)
            if entity is not None and self._is_from_said(entity) and entity.id not in kept:
                self._entities.add(entity.id)

    def _is_leaving(self, row: Fact | Relation | Note | Observation | Alias) -> bool:
        return beside(row) is not None or self._is_gone(row)

    def _is_said(self, source: Source) -> bool:
        """Whether the statement rests on a message that goes, or on a sentence of one that does."""
        if source.message_id not in self._cut:
            return source.message_id in self._messages
        quote = _spaced(source.quote)
        return bool(quote) and any(quote in _spaced(cut) for cut in self._cut[source.message_id])

    def _is_from_said(self, row: EntityRecord) -> bool:
        """Whether an entity came from a message that goes, or from a sentence that does."""
        if row.source.message_id not in self._cut:
            return self._is_said(row.source)
        return _spaced(row.name) not in self._left.get(row.source.message_id, "")

    def _is_in_cut(self, row: Mention) -> bool:
        cuts = (edit for edit in self._edits.get(row.message_id, ()) if not edit.new)
        return any(cut.start <= row.start and row.end <= cut.end for cut in cuts)

    # --- what is left of the others ---------------------------------------------------------------

    def _unsourced(self, row: _Sourced) -> _Sourced:
        """The row without what it took from a message that goes."""
        if not self._is_said(row.source):
            return row
        promoted = self._promoted.get(row.id)
        source = promoted.source if promoted else Source(standing=row.source.standing)
        if isinstance(row, Relation) and promoted is not None:
            row = promoted.said_of(row)
        if isinstance(row, Observation) and row.name:
            return without_words(row, source)
        row = replace(row, source=source)
        return replace(row, description="") if isinstance(row, EntityRecord) else row

    def _unquoted(self, row: _Sourced) -> _Sourced:
        """The row without a quote or description of which a part goes."""
        message_id = row.source.message_id
        if message_id not in self._silenced and message_id not in self._cut:
            return row
        left = self._left.get(message_id, "")
        if _spaced(row.source.quote) not in left:
            row = replace(row, source=replace(row.source, quote=""))
        if isinstance(row, Observation) and row.name and _spaced(row.text) not in left:
            row = replace(row, text=row.name)
        if isinstance(row, EntityRecord | Observation) and _spaced(row.description) not in left:
            row = replace(row, description="")
        return row

    def _make_short(self, row: Note | EntityRecord | Observation) -> Record:
        """A note, a described entity or an observation without the sentences that go."""
        sentences = self._cut[row.id]
        if not isinstance(row, EntityRecord):
            row = replace(row, text=put_in_place(row.text, _cuts(row.text, sentences)))
        if isinstance(row, Note):
            return row
        left = put_in_place(row.description, _cuts(row.description, sentences))
        if isinstance(row, Observation):
            return replace(row, text=row.text or row.name, description=left)
        return replace(row, description=left)

    def _edits_of(self, message: StoredMessage) -> list[Edit]:
        if message.id in self._silenced:
            return [Edit(0, len(message.text), self._replacement)]
        cuts = _cuts(message.text, self._cut.get(message.id, ()))
        return self._mask.edits(message.text, [cut.span for cut in cuts])

    def _mention(self, row: Mention) -> Mention:
        edits = self._edits.get(row.message_id, [])
        if not edits:
            return replace(row, text=self._mask.text(row.text))
        start, end = moved(row.start, edits), moved(row.end, edits, end=True)
        return replace(row, start=start, end=end, text=self._mask.text(row.text))

    def _masked(self, value: Any) -> Any:
        """The value with every name in its texts replaced, labels and ids apart; the same object
        where there is none.
        """
        if isinstance(value, str):
            return self._mask.text(value)
        if isinstance(value, tuple):
            return tuple(map(self._masked, cast(tuple[object, ...], value)))
        if isinstance(value, Mapping):
            items = cast(Mapping[str, Any], value).items()
            return {self._mask.text(key): self._masked(item) for key, item in items}
        if not dataclasses.is_dataclass(value) or isinstance(value, type):
            return value
        new: dict[str, Any] = {}
        for field in dataclasses.fields(value):
            if field.name in _KEPT or field.name.endswith(("_id", "_ids")):
                continue
            old = getattr(value, field.name)
            if (masked := self._masked(old)) != old:
                new[field.name] = masked
        return replace(value, **new) if new else value


def erasure_entry(version: int, erasure: Erasure) -> Commit:
    """The log entry that says that something was erased, when and why."""
    stamp = Stamp(at=erasure.at, actor="user", verb="forget", reason=erasure.reason)
    return Commit(version=version, stamp=stamp, erased=True)


def lifting_entry(version: int, at: datetime, reason: str) -> Commit:
    """The log entry that says that what was forgotten may be told again."""
    return Commit(
        version=version, stamp=Stamp(at=at, actor="user", verb="lift", reason=reason), erased=True
    )


def _cuts(text: str, sentences: Iterable[str]) -> list[Edit]:
    """The edits that take these sentences out of a text, each with the white space after it (or
    before the last).
    """
    found: list[Edit] = []
    for sentence in dict.fromkeys(sentences):
        start = text.find(sentence) if sentence else -1
        while start >= 0:
            end = start + len(sentence)
            found.append(Edit(start, _blank_end(text, end), ""))
            start = text.find(sentence, end)
    apart: list[Edit] = []
    for cut in sorted(found):
        if not apart or cut.start >= apart[-1].end:
            apart.append(cut)
    if apart and apart[-1].end == len(text):
        kept = apart[-2].end if len(apart) > 1 else 0
        blank = len(text[: apart[-1].start].rstrip())
        apart[-1] = Edit(max(kept, blank), len(text), "")
    return apart


def _blank_end(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _spaced(text: str) -> str:
    return " ".join(text.split()).casefold()


def _images(log: Iterable[Commit]) -> Iterator[Record]:
    for commit in log:
        for change in commit.changes:
            if change.before is not None:
                yield change.before
            if change.after is not None:
                yield change.after


def _about(row: Record) -> tuple[str, ...]:
    """Returns the ids of the entities that a row is about."""
    match row:
        case EntityRecord():
            return (row.id,)
        case Fact() | Alias() | Mention():
            return (row.entity_id,)
        case Relation():
            return (row.from_id, row.to_id)
        case Note() | Observation():
            return row.entity_ids
        case SameAs():
            return (row.entity_id, row.canonical_id)
        case NotSame() | Review():
            return (row.left_id, row.right_id)
        case Support() | EntityType():
            return ()
