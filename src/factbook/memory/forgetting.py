"""Forgetting: what a wish to forget means in rows, and the store's erasure of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.errors import InputError, NotFoundError
from factbook.memory.checks import in_utc
from factbook.memory.views import SELF_NAMES, View
from factbook.model.receipt import Erased
from factbook.model.record import Fact, Note, Relation
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
    message_ids, rows = _messages(reader, space, what), _by_hand(reader, space, what)
    return (
        Erasure(message_ids=tuple(message_ids), record_ids=tuple(row.id for row in rows), at=now, reason=reason),
        "messages",
        {"messages": len(message_ids), **Counter(SORTS[type(row)] for row in rows)},
    )


def _plan_rows(view: View, ids: Sequence[str], now: datetime, reason: str) -> tuple[Erasure, str, dict[str, int]]:
    rows = {cls: view.reader.get(view.space, cls, ids) for cls in (Fact, Relation, Note)}
    absent = [key for key in ids if not any(key in found for found in rows.values())]
    if absent:
        raise NotFoundError(f"space {view.space!r} has no fact, relation or note with the id {absent[0]!r}")
    counts = {SORTS[cls]: len(found) for cls, found in rows.items() if found}
    return Erasure(record_ids=tuple(ids), at=now, reason=reason), "single rows", counts


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


def _by_hand(reader: Reader, space: str, what: What) -> list[Fact | Relation | Note]:
    """What was entered by hand under these labels or in that time, which rests on no message."""

    def rows() -> Iterator[Fact | Relation | Note]:
        yield from reader.every(space, Fact)
        yield from reader.every(space, Relation)
        yield from reader.every(space, Note)

    return [
        row
        for row in rows()
        if not row.source.message_id
        and what.session in (None, row.source.session)
        and what.project in (None, row.source.project)
        and what.holds(row.source.said_at or row.created_at)
    ]
