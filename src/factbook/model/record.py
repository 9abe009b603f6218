"""The record: what is known, as rows that the log can put in and take out.

Every row is frozen, has an `id` that is unique within its space and row type, and is changed only
by a `Change` (see `change.py`). Facts, relations, mentions and aliases keep the entity id that they
were said of for ever; merging two entities adds one `SameAs` row and reading follows it.

All times are timezone-aware datetimes in UTC, at whole microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal, get_args

from factbook.model.source import Grain, Lasting, Source, Sourced

Cardinality = Literal["single", "set", "event"]
"""`single`: a newer value closes the older one. `set`: values hold side by side. `event`: each
holds at its time.
"""

ObservationSort = Literal[
    "event",
    "plan",
    "state",
    "opinion",
    "preference",
    "rule",
    "decision",
    "commitment",
    "complaint",
    "figure",
]
"""The sorts of observations. `rule`: how something is always to be done; `commitment`: what is owed;
`figure`: a number, date, address or code that one would look up.
"""

Hold = Literal["asserted", "denied", "planned", "hearsay"]
"""Whether what was said is so: asserted, denied (not or no longer), still to come, or somebody else's
word.
"""


SELF = "self"
"""The reserved id, name and kind-independent key of the space's own user."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EntityRecord(Sourced):
    """One entity as stored. `kind` is in snake_case; `label` is the kind as the caller wrote it, if
    that differs.

    `version` counts the upserts (1 for a new one). `importance` is 0–1. After `expires_at` it is
    hidden from recall and contexts. `metadata` holds what a host wants to keep; it is never
    searched.
    """

    id: str
    name: str
    kind: str = "other"
    label: str = ""
    description: str = ""
    importance: float = 0.5
    version: int = 1
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    source: Source = field(default_factory=Source)

    @property
    def is_verified(self) -> bool:
        """True for a description made by hand and unaltered since.

        A later statement may rewrite a description, and leaves its source.
        """
        return self.source.standing == "note" and self.updated_at == self.created_at

    def is_hidden_at(self, now: datetime) -> bool:
        """Returns True once the lifespan of its kind is over (`expires_at`)."""
        return self.expires_at is not None and self.expires_at <= now

    def was_known_at(self, at: datetime | None) -> bool:
        """Returns True for an entity first spoken of by then; always without a time."""
        return at is None or self.said_at <= at


@dataclass(frozen=True, kw_only=True, slots=True)
class Alias(Sourced):
    """Another name of an entity."""

    id: str
    entity_id: str
    name: str
    created_at: datetime
    source: Source = field(default_factory=Source)


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """An entity named in a message: `text` stands at `start:end` of it (for the speaker itself, the
    pronoun).
    """

    id: str
    entity_id: str
    episode_id: str
    message_id: str
    start: int
    end: int
    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact(Lasting):
    """One attribute value of an entity.

    `valid_at` … `invalid_at` is when it holds in the world (open where None), `created_at` …
    `expired_at` when the record holds it. A superseded value has `invalid_at` set; one that turned
    out never to have been true has `expired_at` set. A retraction ("no longer", "never did") is a
    row that never held: `valid_at` None, `invalid_at` when it ends the value (`NEVER` for a
    correction: it never held), `expired_at` set. `attribute` is in snake_case.

    `valid_at` and `invalid_at` follow from all that was said of the attribute (see
    `resolve.timeline`); what the words give themselves is in `source.since` and `source.until`.
    """

    id: str
    entity_id: str
    attribute: str
    value: str
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"
    created_at: datetime
    expired_at: datetime | None = None
    importance: float = 0.5
    source: Source = field(default_factory=Source)


@dataclass(frozen=True, kw_only=True, slots=True)
class Relation(Lasting):
    """A labelled, directed link of two entities, with the times and provenance of a fact. `label`
    is in snake_case.
    """

    id: str
    from_id: str
    label: str
    to_id: str
    note: str = ""
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"
    created_at: datetime
    expired_at: datetime | None = None
    importance: float = 0.5
    source: Source = field(default_factory=Source)


@dataclass(frozen=True, kw_only=True, slots=True)
class Support(Sourced):
    """A fact or relation was stated again: `record_id` is the fact's or the relation's id.

    Of a relation: `note` is what was noted with it, `label` its name where it was another, and
    `turned` whether it was said from the other end.
    """

    id: str
    record_id: str
    note: str = ""
    label: str = ""
    turned: bool = False
    created_at: datetime
    source: Source = field(default_factory=Source)

    def said_of(self, row: Relation) -> Relation:
        """The relation as it was stated again."""
        ends = (row.to_id, row.from_id) if self.turned else (row.from_id, row.to_id)
        return replace(
            row, note=self.note, label=self.label or row.label, from_id=ends[0], to_id=ends[1]
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Note(Sourced):
    """A free-text memory, linked to the entities that it mentions. A `persistent` one is never
    pruned.
    """

    id: str
    text: str
    category: str = "general"
    importance: float = 0.5
    persistent: bool = False
    created_at: datetime
    expires_at: datetime | None = None
    entity_ids: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    source: Source = field(default_factory=Source)

    @property
    def is_verified(self) -> bool:
        """True for a note made by hand or said by the user."""
        return self.source.standing in ("user", "note")

    def is_expired_at(self, now: datetime | None) -> bool:
        """Returns True once its time is over (`expires_at`); never without a time."""
        if now is None or self.expires_at is None:
            return False
        return self.expires_at <= now


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation(Sourced):
    """A clause that was said of somebody or something, word for word.

    Attributes:
        text: the words, never reworded; what a pronoun or relative day stands for is added in
            brackets: `I've been doing it [pottery] for five years`. The bare words are
            `source.quote`.
        entity_ids: whom and what it is about, as said; first whose statement, opinion or plan it is.
        sort, holds: what it tells, and whether it is so.
        valid_at, invalid_at, grain: its time in the world, where the words give one; open where None.
        importance: how much it is worth keeping, 0-1.
        version, updated_at: counts the times that it was written (1 for a new one), and the last.
        expires_at: it is hidden from then on.
        record_ids: the facts and relations that are its normal form.
        name: the short name by which a preference or pain point is put, listed and linked like an
            entity (see `model.named_observation`); empty for a mere clause.
        label, description: of a named one, as in `EntityRecord`.
    """

    id: str
    text: str
    name: str = ""
    label: str = ""
    description: str = ""
    entity_ids: tuple[str, ...] = ()
    sort: ObservationSort = "state"
    holds: Hold = "asserted"
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"
    importance: float = 0.5
    version: int = 1
    created_at: datetime
    updated_at: datetime | None = None
    expires_at: datetime | None = None
    record_ids: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    source: Source = field(default_factory=Source)

    def is_hidden_at(self, now: datetime) -> bool:
        """Returns True once its lifespan is over (`expires_at`)."""
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, kw_only=True, slots=True)
class SameAs:
    """`entity_id` is the same as `canonical_id`. An entity has at most one such row going out; rows
    form a forest.

    The engine's rows have the entity's id as theirs.
    """

    id: str
    entity_id: str
    canonical_id: str
    score: float = 1.0
    evidence: tuple[str, ...] = ()
    decider: str = "engine"
    created_at: datetime


def pair_id(left: str, right: str) -> str:
    """Returns the id of the `Review` and `NotSame` row of two entities, whichever comes first."""
    return "~".join(sorted((left, right)))


@dataclass(frozen=True, kw_only=True, slots=True)
class NotSame:
    """These two must never be linked. The id of the engine's rows is their `pair_id`."""

    id: str
    left_id: str
    right_id: str
    reason: str = ""
    decider: str = "user"
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """Two entities that may be one; waits for a decision. Its id is their `pair_id`."""

    id: str
    left_id: str
    right_id: str
    score: float
    evidence: tuple[str, ...] = ()
    state: Literal["open", "accepted", "refused"] = "open"
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class EntityType:
    """A kind: its schema, lifespan and place in the context.

    Attributes:
        id: the kind's name in snake_case.
        attributes: cardinality by attribute name; an undeclared attribute is `single`.
        relations: cardinality by relation label; an undeclared label is `set`.
        lifespan: how long after its last statement an entity of the kind shows in recall; None for
            ever.
        section: the heading under which a context groups the kind; empty for no group of its own.
        other_names: what else the kind is called (`location` for `place`).
        examples: names of this kind, which help a reader to find more.
        forms: what a value must be, by attribute name (see `factbook.text.value_forms`); where none is
            given, any text.
    """

    id: str
    attributes: Mapping[str, Cardinality] = field(default_factory=dict[str, Cardinality])
    relations: Mapping[str, Cardinality] = field(default_factory=dict[str, Cardinality])
    lifespan: timedelta | None = None
    section: str = ""
    other_names: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict[str, str])

    def find_expiry(self, said: datetime, before: datetime | None = None) -> datetime | None:
        """Returns the expiry of an entity that was spoken of at that time; never an earlier one."""
        if self.lifespan is None:
            return before
        try:
            until = said + self.lifespan
        except OverflowError:
            return None
        return until if before is None else max(before, until)


Record = (
    EntityRecord
    | Alias
    | Mention
    | Fact
    | Relation
    | Support
    | Note
    | Observation
    | SameAs
    | NotSame
    | Review
    | EntityType
)
"""Any row of the record."""

RECORD_TYPES: tuple[type[Record], ...] = get_args(Record)
"""Every row type, in the order in which a dump or an export writes them."""
