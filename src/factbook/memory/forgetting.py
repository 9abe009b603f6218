"""Forgetting: what a wish to forget means in rows, and the store's erasure of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.errors import InputError, NotFoundError
from factbook.memory.checks import in_utc
from factbook.memory.views import SELF_NAMES, View
from factbook.model.receipt import Erased
from factbook.model.record import EntityRecord, Fact, Mention, Note, Relation, Source
from factbook.ports.store import Erasure, Reader, Store
from factbook.store.erase import SORTS
from factbook.text.names import fold

PENDING = ("backups and exports of this store, which factbook doesn't know of",)


@dataclass(frozen=True, kw_only=True, slots=True)
class What:
    """What shall be forgotten; one of name, labels or times, ids, everything."""

    name: str | None = None
    session: str | None = None
    project: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    ids: tuple[str, ...] = ()
    everything: bool = False

    def check(self) -> None:
        """Raises InputError unless exactly one sort of thing is named."""
        by_message = any(each is not None for each in (self.session, self.project, self.since, self.until))
        named = sum((self.name is not None, by_message, bool(self.ids), self.everything))
        if named != 1:
            raise InputError("name one thing to forget: an entity, a session or project or time, ids, or everything")

    def holds(self, moment: datetime) -> bool:
        """Whether the moment lies in the time that is meant."""
        return (self.since is None or moment >= self.since) and (self.until is None or moment < self.until)

    def means(self, source: Source, created_at: datetime) -> bool:
        """Whether what was entered by hand lies under the labels and in the time that are meant."""
        return (
            not source.message_id
            and self.session in (None, source.session)
            and self.project in (None, source.project)
            and self.holds(source.said_at or created_at)
        )


def forget(store: Store, space: str, what: What, *, dry_run: bool, now: datetime, reason: str) -> Erased:
    """Erases it, or counts what would go.

    Raises:
        InputError: not exactly one thing is named. NotFoundError, AmbiguousError: the entity's name.
    """
    what.check()
    what = replace(what, since=in_utc(what.since, "since"), until=in_utc(what.until, "until"))
    with store.reading() as reader:
        erasure, described, counts = _plan(View(reader=reader, space=space, now=now), what, now, reason)
    if dry_run:
        return Erased(space=space, what=described, dry_run=True, counts=counts)
    return Erased(space=space, what=described, counts=store.forget(space, erasure), pending=PENDING)


def _plan(view: View, what: What, now: datetime, reason: str) -> tuple[Erasure, str, dict[str, int]]:
    reader, space = view.reader, view.space
    if what.everything:
        return Erasure(everything=True, at=now, reason=reason), "everything", reader.stats(space)
    if what.ids:
        return _plan_rows(view, what.ids, now, reason)
    if what.name is not None:
        return _plan_entity(view, view.resolve(what.name), now, reason)
    return _plan_label(reader, space, what, now, reason)


def _plan_label(
    reader: Reader, space: str, what: What, now: datetime, reason: str
) -> tuple[Erasure, str, dict[str, int]]:
    message_ids = _messages(reader, space, what)
    rows = _by_hand(reader, space, what, message_ids)
    entity_ids = _traceless(reader, space, what, message_ids, {row.id for row in rows})
    counts = Counter(SORTS[type(row)] for row in rows)
    erasure = Erasure(
        message_ids=tuple(message_ids),
        record_ids=tuple(row.id for row in rows),
        entity_ids=tuple(entity_ids),
        at=now,
        reason=reason,
    )
    gone = {"messages": len(message_ids), "entities": len(entity_ids), **counts}
    return erasure, "messages", {sort: number for sort, number in gone.items() if number}


def _plan_rows(view: View, ids: Sequence[str], now: datetime, reason: str) -> tuple[Erasure, str, dict[str, int]]:
    rows = {cls: view.reader.get(view.space, cls, ids) for cls in (Fact, Relation, Note)}
    absent = [key for key in ids if not any(key in found for found in rows.values())]
    if absent and (absent := [key for key in absent if not _was_there(view, key)]):
        raise NotFoundError(f"space {view.space!r} has no fact, relation or note with the id {absent[0]!r}")
    counts = {SORTS[cls]: len(found) for cls, found in rows.items() if found}
    return Erasure(record_ids=tuple(ids), at=now, reason=reason), "single rows", counts


def _was_there(view: View, key: str) -> bool:
    """Whether the log holds a fact, relation or note of that id, which was taken out since."""
    images = (
        each
        for entry in view.reader.log_of(view.space, [key])
        for change in entry.changes
        for each in (change.before, change.after)
    )
    return any(isinstance(image, Fact | Relation | Note) for image in images)


def _plan_entity(view: View, key: str, now: datetime, reason: str) -> tuple[Erasure, str, dict[str, int]]:
    reader, space = view.reader, view.space
    entity = view.entities([key])[0]
    members = reader.members(space, [key])[key]
    counts = {
        "entities": len(members),
        "facts": len(entity.facts),
        "relations": len(entity.links),
        "mentions": len(reader.mentions(space, members)),
    }
    names = [name for name in (entity.name, *entity.aliases) if fold(name) not in SELF_NAMES]
    return Erasure(entity_ids=members, mask=tuple(dict.fromkeys(names)), at=now, reason=reason), "an entity", counts


def _messages(reader: Reader, space: str, what: What) -> Sequence[str]:
    ids = reader.episode_ids(space, session=what.session, project=what.project)
    return [
        message.id
        for episode in reader.episodes(space, ids).values()
        for message in episode.messages
        if what.holds(message.at)
    ]


def _traceless(
    reader: Reader, space: str, what: What, message_ids: Collection[str], row_ids: Collection[str]
) -> list[str]:
    """Entities entered by hand under these labels or in that time, of which nothing else is left."""
    ids = [row.id for row in reader.every(space, EntityRecord) if what.means(row.source, row.created_at)]
    said = set(message_ids)
    stays: set[str] = set()
    statements: list[Fact | Relation] = [*reader.facts(space, ids), *reader.relations(space, ids)]
    for row in statements:
        if row.id not in row_ids and row.source.message_id not in said:
            stays |= {row.entity_id} if isinstance(row, Fact) else {row.from_id, row.to_id}
    for note in reader.every(space, Note):
        if note.id not in row_ids:
            stays.update(note.entity_ids)
    for mention in reader.every(space, Mention):
        if mention.message_id not in said:
            stays.add(mention.entity_id)
    return [key for key in ids if key not in stays]


def _by_hand(reader: Reader, space: str, what: What, message_ids: Collection[str]) -> list[Fact | Relation | Note]:
    """What was entered by hand under these labels or in that time, and rests on nothing else."""

    def rows() -> Iterator[Fact | Relation | Note]:
        yield from reader.every(space, Fact)
        yield from reader.every(space, Relation)
        yield from reader.every(space, Note)

    found = [row for row in rows() if what.means(row.source, row.created_at)]
    said, supports = set(message_ids), reader.supports(space, [row.id for row in found])
    return [
        row
        for row in found
        if all(
            each.source.message_id in said or what.means(each.source, each.created_at)
            for each in supports.get(row.id, ())
        )
    ]
