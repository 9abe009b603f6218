"""A small space to learn into: drafts written in a line, learned through the RAM store as the
worker does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from factbook.learn.gather import gather_known, gather_names
from factbook.model.change import Change, Stamp
from factbook.model.draft import Draft, DraftEntity, DraftFact, DraftMention, DraftRelation
from factbook.model.entity import Entity
from factbook.model.episode import Episode, NewEpisode, NewMessage, Role
from factbook.model.kinds import BUILT_IN
from factbook.model.record import (
    RECORD_TYPES,
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Record,
    Relation,
    Review,
    SameAs,
)
from factbook.model.source import Source
from factbook.resolve import by_hand
from factbook.resolve.plan import DraftPlan, plan_draft
from factbook.store.ram import RamStore
from factbook.text.kind_names import snake_case
from tests.support.builders import START, at, id_maker

KINDS: Mapping[str, EntityType] = {kind.id: kind for kind in BUILT_IN}
SPACE = "ada"


def person(name: str, **rest: Any) -> DraftEntity:
    return DraftEntity(**{"ref": name, "name": name, "kind": "person", **rest})


def thing(name: str, kind: str = "other", **rest: Any) -> DraftEntity:
    return DraftEntity(**{"ref": name, "name": name, "kind": kind, **rest})


def fact(ref: str, attribute: str, value: str, **rest: Any) -> dict[str, Any]:
    return {"ref": ref, "attribute": attribute, "value": value, **rest}


def link(from_ref: str, label: str, to_ref: str, **rest: Any) -> dict[str, Any]:
    return {"from_ref": from_ref, "label": label, "to_ref": to_ref, **rest}


class World:
    """One space of a RAM store, with a clock that goes on a day a write."""

    def __init__(self, kinds: Mapping[str, EntityType] = KINDS) -> None:
        self.store = RamStore()
        self.kinds = kinds
        self.new_id = id_maker("r")
        self._ids = id_maker("m")
        self._now = START + timedelta(days=1000)

    def now(self) -> datetime:
        self._now += timedelta(days=1)
        return self._now

    def say(
        self,
        *texts: str,
        day: float = 0,
        speaker: str = "",
        role: Role = "user",
        session: str = "",
        project: str = "",
        with_: Sequence[str] = (),
    ) -> Episode:
        """Stores an episode of messages that were all said on that day; `with_` are others who said
        something too.
        """
        said = [(speaker, role, text) for text in texts] + [
            (other, "user", "Hello.") for other in with_
        ]
        messages = [
            NewMessage(
                id=(key := self._ids()),
                key=key,
                role=each,
                speaker=name,
                at=at(days=day),
                text=text,
            )
            for name, each, text in said
        ]
        new = NewEpisode(
            id=self._ids(),
            session=session,
            project=project,
            created_at=at(days=day),
            messages=tuple(messages),
        )
        self.store.remember(SPACE, [new], jobs=False)
        with self.store.snapshot() as snapshot:
            return snapshot.episodes(SPACE, [new.id])[new.id]

    def draft(
        self,
        episode: Episode,
        entities: Sequence[DraftEntity] = (),
        facts: Sequence[Mapping[str, Any]] = (),
        relations: Sequence[Mapping[str, Any]] = (),
    ) -> Draft:
        """A draft of the episode; every entity is mentioned where its name stands, statements are
        the first message's.
        """
        first = {"message_id": episode.messages[0].id, "quote": episode.messages[0].text}
        mentioned = [
            each
            if each.mentions
            else DraftEntity(**{**_fields(each), "mentions": _mentions(each.name, episode)})
            for each in entities
        ]
        return Draft(
            episode_id=episode.id,
            entities=tuple(mentioned),
            facts=tuple(DraftFact(**{**first, **each}) for each in facts),
            relations=tuple(DraftRelation(**{**first, **each}) for each in relations),
        )

    def learn(
        self,
        text: str,
        entities: Sequence[DraftEntity] = (),
        facts: Sequence[Mapping[str, Any]] = (),
        relations: Sequence[Mapping[str, Any]] = (),
        **said: Any,
    ) -> DraftPlan:
        """Says it and learns it."""
        episode = self.say(text, **said)
        return self.take(self.draft(episode, entities, facts, relations), episode)

    def take(self, draft: Draft, episode: Episode) -> DraftPlan:
        """Plans the draft over what is known, and commits."""
        with self.store.snapshot() as snapshot:
            known = gather_known(snapshot, SPACE, draft, episode)
        planned = plan_draft(
            draft, episode, known, kinds=self.kinds, now=self.now(), new_id=self.new_id
        )
        self.commit(planned.changes, verb="learn", episode_id=episode.id)
        return planned

    def commit(self, changes: Sequence[Change], verb: str = "put", episode_id: str = "") -> int:
        with self.store.snapshot() as snapshot:
            version = snapshot.version(SPACE)
        stamp = Stamp(at=self._now, verb=verb, episode_id=episode_id)
        return self.store.commit(SPACE, expected_version=version, changes=changes, stamp=stamp)

    # --- by hand ----------------------------------------------------------------------------------

    def put(self, entity: Entity) -> by_hand.HandPlan:
        with self.store.snapshot() as snapshot:
            names, ids = [entity.name, *entity.aliases], [entity.id] * bool(entity.id)
            known = gather_names(
                snapshot, SPACE, names, ids=ids, attributes=[*map(snake_case, entity.attributes)]
            )
        now = self.now()
        source = Source(standing="note", said_at=now)
        planned = by_hand.plan_put(
            entity, known, source=source, kinds=self.kinds, now=now, new_id=self.new_id
        )
        self.commit(planned.changes)
        return planned

    def relate(self, from_id: str, label: str, to_id: str, **rest: Any) -> by_hand.HandPlan:
        with self.store.snapshot() as snapshot:
            known = gather_names(snapshot, SPACE, [], ids=(from_id, to_id), labels=[label])
        now = self.now()
        source = Source(standing="note", said_at=now)
        planned = by_hand.plan_relate(
            from_id, label, to_id, known, **rest, source=source, **self._given(now)
        )
        self.commit(planned.changes)
        return planned

    def merge(self, left: str, right: str, **rest: Any) -> by_hand.HandPlan:
        return self._pair(by_hand.plan_merge, left, right, **rest)

    def unmerge(self, left: str, right: str, **rest: Any) -> by_hand.HandPlan:
        return self._pair(by_hand.plan_unmerge, left, right, **rest)

    def decide(self, review: Review, *, same: bool) -> by_hand.HandPlan:
        with self.store.snapshot() as snapshot:
            known = gather_names(snapshot, SPACE, [], ids=(review.left_id, review.right_id))
        planned = by_hand.plan_review(review, known, same=same, **self._given(self.now()))
        self.commit(planned.changes)
        return planned

    def _pair(
        self, planner: Callable[..., by_hand.HandPlan], left: str, right: str, **rest: Any
    ) -> by_hand.HandPlan:
        with self.store.snapshot() as snapshot:
            known = gather_names(snapshot, SPACE, [], ids=(left, right))
        planned = planner(left, right, known, **rest, **self._given(self.now()))
        self.commit(planned.changes)
        return planned

    def _given(self, now: datetime) -> by_hand.Given:
        return {"kinds": self.kinds, "now": now, "new_id": self.new_id}

    # --- what is known ----------------------------------------------------------------------------

    def rows(self, cls: type[Record]) -> list[Any]:
        with self.store.snapshot() as snapshot:
            return list(snapshot.every(SPACE, cls))

    def record(self) -> list[Record]:
        """Every row."""
        return [row for cls in RECORD_TYPES for row in self.rows(cls)]

    def names(self) -> list[str]:
        return sorted(row.name for row in self.rows(EntityRecord))

    def entity(self, name: str) -> EntityRecord:
        """The one entity of that name."""
        [row] = [row for row in self.rows(EntityRecord) if row.name == name]
        return row

    def aliases(self, name: str) -> list[str]:
        key = self.entity(name).id
        return [row.name for row in self.rows(Alias) if row.entity_id == key]

    def facts(self, name: str, attribute: str) -> list[Fact]:
        key = self.entity(name).id
        rows = [
            row for row in self.rows(Fact) if (row.entity_id, row.attribute) == (key, attribute)
        ]
        return sorted(rows, key=lambda row: (row.valid_at or START - timedelta(days=9999), row.id))

    def current(self, name: str, attribute: str) -> list[str]:
        """The values that hold in the far future."""
        return [
            row.value
            for row in self.facts(name, attribute)
            if row.invalid_at is None and row.expired_at is None
        ]

    def times(self, name: str, attribute: str) -> list[tuple[str, float | None, float | None]]:
        """Value, first day and last day of every fact that ever held."""
        return [
            (row.value, _day(row.valid_at), _day(row.invalid_at))
            for row in self.facts(name, attribute)
            if row.expired_at is None
        ]

    def links(self, *, current: bool = True) -> list[tuple[str, str, str]]:
        names = {row.id: row.name for row in self.rows(EntityRecord)}
        return sorted(
            (names[row.from_id], row.label, names[row.to_id])
            for row in self.rows(Relation)
            if row.expired_at is None and (row.invalid_at is None or not current)
        )

    def spans(self) -> list[tuple[str, str, str, float | None, float | None]]:
        """Every link that ever held, with its first and last day."""
        names = {row.id: row.name for row in self.rows(EntityRecord)}
        return sorted(
            (
                (
                    names[row.from_id],
                    row.label,
                    names[row.to_id],
                    _day(row.valid_at),
                    _day(row.invalid_at),
                )
                for row in self.rows(Relation)
                if row.expired_at is None
            ),
            key=str,
        )

    def reviews(self) -> list[tuple[str, str, str]]:
        names = {row.id: row.name for row in self.rows(EntityRecord)}
        return [(names[row.left_id], names[row.right_id], row.state) for row in self.rows(Review)]

    def merges(self) -> list[SameAs]:
        return self.rows(SameAs)


def _fields(entity: DraftEntity) -> dict[str, Any]:
    return {name: getattr(entity, name) for name in entity.__dataclass_fields__}


def _mentions(name: str, episode: Episode) -> tuple[DraftMention, ...]:
    return tuple(
        DraftMention(message_id=message.id, start=start, end=start + len(name), text=name)
        for message in episode.messages
        if (start := message.text.find(name)) >= 0
    )


def _day(moment: datetime | None) -> float | None:
    return None if moment is None else (moment - START) / timedelta(days=1)
