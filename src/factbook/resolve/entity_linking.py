"""Which known entity a name of a draft means: one of them, a new one, or a new one that waits for
review.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from factbook.model.draft import Draft, DraftEntity
from factbook.model.episode import Episode
from factbook.model.record import SELF, Alias, EntityRecord, EntityType, Review, pair_id
from factbook.model.source import Source
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.known_record import Company, KnownRecord, company_of
from factbook.resolve.name_bearers import Bearer
from factbook.resolve.name_match import are_kinds_compatible, as_person, decide_names
from factbook.resolve.person_names import is_bare_form, parse_person
from factbook.resolve.verdict import (
    Decision,
    decide_ask,
    decide_merge,
    decide_separate,
    decision_order,
)
from factbook.text.kind_names import declared_kind
from factbook.text.names import fold, name_keys

MOST_REVIEWS = 3
"""So many candidates of one new entity are put up for review at most, the likeliest first."""

PRONOUNS = frozenset({"self", "i", "me", "myself", "user"})
"""Names of the space's own user that name nobody."""


class Linker:
    """Links the entities of one draft, writing what that changes to the sheet.

    Attributes:
        ids: the entity id of each ref, filled by `link_draft`.
        rows: every entity that the plan knows, as it leaves it.
    """

    def __init__(
        self,
        known: KnownRecord,
        episode: Episode,
        kinds: Mapping[str, EntityType],
        sheet: ChangeSheet,
        now: datetime,
        new_id: Callable[[], str],
    ) -> None:
        self._known, self._episode, self._kinds, self._sheet = known, episode, kinds, sheet
        self._now, self._new_id = now, new_id
        self._messages = {message.id: message for message in episode.messages}
        self._named = {(m.message_id, m.start, m.end): m.entity_id for m in known.mentions}
        self.ids: dict[str, str] = {}
        self.rows: dict[str, EntityRecord] = dict(known.entities)
        self.reviews: list[Review] = []
        self._by_key: dict[str, list[Bearer]] = {}
        self._bearers: dict[str, Bearer] = {}
        here = company_of([episode])
        named_here = {mention.entity_id for mention in known.mentions}
        for row in known.entities.values():
            names = [row.name, *(alias.name for alias in known.aliases_of(row.id))]
            together = (
                True
                if row.id in named_here
                else _were_together(known.company.get(row.id), here, row)
            )
            self._index_bearer(
                Bearer(row=row, names=names, home=known.home_of(row.id), together=together)
            )

    def _index_bearer(self, bearer: Bearer) -> None:
        self._bearers[bearer.row.id] = bearer
        for key in dict.fromkeys(key for name in bearer.names for key in name_keys(name)):
            bearers = self._by_key.setdefault(key, [])
            if bearer not in bearers:
                bearers.append(bearer)

    def link_draft(self, draft: Draft) -> None:
        """Decides every entity of the draft: full names before single ones, phrases last."""
        self.ids[SELF] = SELF
        for entity in draft.entities:
            if entity.ref == SELF:
                self._introduce_user(entity)
        entities = [entity for entity in draft.entities if entity.ref != SELF]
        entities = [entity for entity in entities if entity.ref not in self.ids]
        fullest = sorted(entities, key=lambda entity: (entity.phrase, -len(entity.name.split())))
        for entity in fullest:
            bearer, doubts = self._find_meant(entity, entities)
            if bearer is None:
                self.ids[entity.ref] = self._make_entity(entity, doubts)
            else:
                self.ids[entity.ref] = bearer.row.id
                self._update_known(bearer, entity)

    def _introduce_user(self, entity: DraftEntity) -> None:
        """Adds the draft's other names and mentions of the space's own user."""
        self.self_row()
        for name in (entity.name, *entity.aliases):
            self.add_alias(SELF, name, self._make_source(entity))

    def self_row(self) -> EntityRecord:
        """Returns the space's own user, made when first needed."""
        if SELF not in self.rows:
            row = EntityRecord(
                id=SELF,
                name=SELF,
                kind="person",
                created_at=self._now,
                updated_at=self._now,
                source=self._episode.source_of(next(iter(self._episode.messages), None)),
            )
            self.rows[SELF] = row
            self._sheet.put_row(row)
            self._index_bearer(Bearer(row=row, names=[SELF], home=SELF, together=True))
        return self.rows[SELF]

    def add_alias(self, entity_id: str, name: str, source: Source) -> None:
        """Gives an entity another name, if it has no equal one.

        A name that the user gives as their own, and that a person is known by, is put up for
        review.
        """
        if not fold(name) or (entity_id == SELF and fold(name) in PRONOUNS):
            return
        bearer = self._bearers[entity_id]
        if any(fold(own) == fold(name) for own in bearer.names):
            return
        self._sheet.put_row(
            Alias(
                id=self._new_id(),
                entity_id=entity_id,
                name=name,
                created_at=self._now,
                source=source,
            )
        )
        bearer.names.append(name)
        self._index_bearer(bearer)
        if entity_id == SELF:
            namesakes = [
                each for each in self._by_key[name_keys(name)[0]] if each.row.kind == "person"
            ]
            doubt = decide_ask(0.6, f"{name} is the user's own name")
            self._open_reviews(
                bearer.row, [(each, doubt) for each in namesakes if each.home != bearer.home]
            )

    def bearers_of(self, name: str) -> list[Bearer]:
        """Returns the known entities that are called so, but for case and the like."""
        return list(self._by_key.get(name_keys(name)[0], ())) if name_keys(name) else []

    # --- whom a name means ------------------------------------------------------------------------

    def _find_meant(
        self, entity: DraftEntity, others: Sequence[DraftEntity]
    ) -> tuple[Bearer | None, Sequence[tuple[Bearer, Decision]]]:
        """Returns the candidate that is meant, None for a new entity, with those that it may be."""
        kind = self._kind_of(entity)
        for mention in entity.mentions:
            if (
                known := self._named.get((mention.message_id, mention.start, mention.end))
            ) in self._bearers:
                return self._bearers[known], ()
        answers = [
            (bearer, self._judge_bearer(entity, kind, bearer))
            for bearer in self._find_candidates(entity)
        ]
        merges = [(bearer, decision) for bearer, decision in answers if decision.verdict == "merge"]
        sure = [each for each in merges if each[1].score >= 1.0] or merges
        picked = (_pick_one(some, entity.name) for some in _narrowings(sure, entity, kind))
        chosen = next(filter(None, picked), None)
        if chosen and not self._is_contested(entity, chosen[0], others):
            return chosen[0], ()
        if entity.phrase:
            return None, ()
        doubtful = [
            (bearer, decide_ask(0.5, *decision.evidence, "but it fits several"))
            for bearer, decision in sure
        ]
        return None, doubtful or [each for each in answers if each[1].verdict == "ask"]

    def _find_candidates(self, entity: DraftEntity) -> list[Bearer]:
        if entity.phrase:
            keys = name_keys(entity.name)[:1]
        else:
            keys = tuple(chain.from_iterable(map(name_keys, (entity.name, *entity.aliases))))
        found = {each.row.id: each for key in keys for each in self._by_key.get(key, ())}
        return list(found.values())

    def _judge_bearer(self, entity: DraftEntity, kind: str, bearer: Bearer) -> Decision:
        if entity.phrase:
            exact = any(fold(name) == fold(entity.name) for name in bearer.names)
            return (
                decide_merge(1.0, "the same phrase")
                if exact and are_kinds_compatible(kind, bearer.row.kind)
                else decide_separate("not it")
            )
        names = (entity.name, *entity.aliases)
        return max((bearer.judge_name(name, kind, names) for name in names), key=decision_order)

    def _is_contested(
        self, entity: DraftEntity, bearer: Bearer, others: Sequence[DraftEntity]
    ) -> bool:
        """Returns True where a single name of the record would be taken by one of several full
        names of the draft.
        """
        if bearer.row.kind != "person" or not is_bare_form(bearer.row.name, entity.name):
            return False
        if any(fold(name) == fold(entity.name) for name in bearer.names):
            return False
        return any(self._is_rival(other, entity, bearer) for other in others)

    def _is_rival(self, other: DraftEntity, entity: DraftEntity, bearer: Bearer) -> bool:
        """Returns whether another full name of the draft fits the candidate, and isn't this one."""
        if fold(other.name) == fold(entity.name) or parse_person(other.name).bare:
            return False
        if bearer.judge_name(other.name, self._kind_of(other)).verdict != "merge":
            return False
        return decide_names(as_person(other.name), as_person(entity.name)).verdict != "merge"

    def _kind_of(self, entity: DraftEntity) -> str:
        return declared_kind(entity.kind, self._kinds) or "other"

    # --- what that writes -------------------------------------------------------------------------

    def _make_entity(self, entity: DraftEntity, doubts: Sequence[tuple[Bearer, Decision]]) -> str:
        row = EntityRecord(
            id=self._new_id(),
            name=entity.name,
            kind=self._kind_of(entity),
            description=entity.description,
            importance=entity.importance,
            created_at=self._now,
            updated_at=self._now,
            metadata=dict(entity.metadata),
            source=self._make_source(entity),
        )
        row = replace(row, expires_at=self._find_expiry(row, entity))
        self._sheet.put_row(row)
        self.rows[row.id] = row
        bearer = Bearer(row=row, names=[row.name], home=row.id, together=True)
        self._index_bearer(bearer)
        for name in entity.aliases:
            self.add_alias(row.id, name, row.source)
        self._open_reviews(row, doubts)
        return row.id

    def _open_reviews(self, row: EntityRecord, doubts: Sequence[tuple[Bearer, Decision]]) -> None:
        best: dict[str, tuple[Bearer, Decision]] = {}
        for bearer, decision in sorted(doubts, key=lambda each: -each[1].score):
            best.setdefault(bearer.home, (bearer, decision))
        for bearer, decision in list(best.values())[:MOST_REVIEWS]:
            review = Review(
                id=pair_id(row.id, bearer.row.id),
                left_id=bearer.row.id,
                right_id=row.id,
                score=decision.score,
                evidence=decision.evidence,
                created_at=self._now,
            )
            self.reviews.append(review)
            self._sheet.put_row(review)

    def _update_known(self, bearer: Bearer, entity: DraftEntity) -> None:
        """Updates a known entity with what the draft adds to it."""
        before = self.rows[bearer.row.id]
        source = self._make_source(entity)
        row = before
        if before.id != SELF and _is_fuller(entity.name, before, self._kind_of(entity)):
            row = replace(row, name=entity.name)
            bearer.names.append(entity.name)
            self._sheet.put_row(
                Alias(
                    id=self._new_id(),
                    entity_id=row.id,
                    name=before.name,
                    created_at=self._now,
                    source=before.source,
                )
            )
        else:
            self.add_alias(row.id, entity.name, source)
        for name in entity.aliases:
            self.add_alias(row.id, name, source)
        if row.kind == "other" and self._kind_of(entity) != "other":
            row = replace(row, kind=self._kind_of(entity))
        if entity.description:
            row = replace(row, description=entity.description)
        if any(row.metadata.get(key) != value for key, value in entity.metadata.items()):
            row = replace(row, metadata={**row.metadata, **entity.metadata})
        upsert = False
        if self._is_news(row.id, entity):
            row = replace(row, importance=merge_importance(row.importance, entity.importance))
            row = replace(row, expires_at=self._find_expiry(row, entity))
            schema = self._kinds.get(row.kind)
            upsert = schema is not None and bool(schema.forms or schema.lifespan)
        if (
            row != before or upsert
        ):  # the kinds of document 002 count every upsert, whatever it brings
            row = replace(row, version=before.version + 1, updated_at=self._now)
            self.rows[row.id] = bearer.row = row
            self._sheet.put_row(row, before=before)
            self._index_bearer(bearer)

    def _is_news(self, entity_id: str, entity: DraftEntity) -> bool:
        """Returns whether the draft names the entity where it was not known to be named."""
        return any(
            self._named.get((m.message_id, m.start, m.end)) != entity_id for m in entity.mentions
        )

    def _find_expiry(self, row: EntityRecord, entity: DraftEntity) -> datetime | None:
        """Returns the expiry of the entity's kind, from when the draft names it."""
        said = [at for m in entity.mentions if (at := self._said_at(m.message_id)) is not None]
        kind = self._kinds.get(row.kind)
        if kind is None:
            return row.expires_at
        return kind.find_expiry(max(said, default=self._now), row.expires_at)

    def _said_at(self, message_id: str) -> datetime | None:
        message = self._messages.get(message_id)
        return message.at if message else None

    def _make_source(self, entity: DraftEntity) -> Source:
        first = entity.mentions[0] if entity.mentions else None
        message = self._messages.get(first.message_id) if first else None
        return self._episode.source_of(message or next(iter(self._episode.messages), None))


def merge_importance(old: float, new: float) -> float:
    """Returns importance after an upsert: a lower new one is averaged with the old (document 002),
    a higher one taken.
    """
    return new if new >= old else round((old + new) / 2, 3)


def _narrowings(
    sure: Sequence[tuple[Bearer, Decision]], entity: DraftEntity, kind: str
) -> Iterator[Sequence[tuple[Bearer, Decision]]]:
    """Yields all candidates, then those of that very name, of the same company, of the same
    kind.
    """
    yield sure
    if entity.aliases:
        own = fold(entity.name)
        yield [each for each in sure if fold(each[0].row.name) == own]
    yield [each for each in sure if each[0].together]
    if kind != "other":
        alike = [each for each in sure if each[0].row.kind == kind]
        yield [each for each in alike if each[0].together is not False]


def _pick_one(
    found: Sequence[tuple[Bearer, Decision]], name: str
) -> tuple[Bearer, Decision] | None:
    """Returns the best of them, if all are one entity by now: the one that has the name itself
    before the others.
    """
    if len({bearer.home for bearer, _ in found}) != 1:
        return None
    own = fold(name)
    return max(
        found,
        key=lambda each: (
            each[1].score,
            fold(each[0].row.name) == own,
            each[0].row.id == each[0].home,
        ),
    )


def _is_fuller(name: str, row: EntityRecord, kind: str) -> bool:
    """Returns whether the record knows a person by a single name, and this is the whole one."""
    if "person" not in (row.kind, kind):
        return False
    return is_bare_form(row.name, name) and fold(row.name) in fold(name).split()


def _were_together(company: Company | None, here: Company, row: EntityRecord) -> bool | None:
    """Returns whether the episode is among the people, or in the session or project, where the
    entity is known from.
    """
    if company is None:
        project = row.source.project
        return not project or project in here.projects
    return company.meets(here)
