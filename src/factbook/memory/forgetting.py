"""Forgetting: what a wish to forget means in rows, and the store's erasure of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from factbook.errors import InputError
from factbook.memory.views import View
from factbook.model.receipt import Erased
from factbook.model.record import SELF
from factbook.ports.store import Erasure, Reader, Store

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


def forget(store: Store, space: str, what: What, *, dry_run: bool, now: datetime, reason: str) -> Erased:
    """Erases it, or counts what would go.

    Raises:
        InputError: not exactly one thing is named. NotFoundError, AmbiguousError: the entity's name.
    """
    what.check()
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
        return Erasure(record_ids=what.ids, at=now, reason=reason), "single rows", {"rows": len(what.ids)}
    if what.name is not None:
        return _plan_entity(view, view.resolve(what.name), now, reason)
    message_ids = _messages(reader, space, what)
    return (
        Erasure(message_ids=tuple(message_ids), at=now, reason=reason),
        "messages",
        {"messages": len(message_ids)},
    )


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
    names = () if key == SELF else tuple(dict.fromkeys((entity.name, *entity.aliases)))
    return Erasure(entity_ids=members, mask=names, at=now, reason=reason), "an entity", counts


def _messages(reader: Reader, space: str, what: What) -> Sequence[str]:
    ids = reader.episode_ids(space, session=what.session, project=what.project)
    return [
        message.id
        for episode in reader.episodes(space, ids).values()
        for message in episode.messages
        if (what.since is None or message.at >= what.since) and (what.until is None or message.at < what.until)
    ]
