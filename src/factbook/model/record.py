"""The record: what is known, as rows that the log can put in and take out.

Every row is frozen, has an `id` that is unique within its space and row type, and is changed only
by a `Change` (see `change.py`). Facts, relations, mentions and aliases keep the entity id that they
were said of for ever; merging two entities adds one `SameAs` row and reading follows it.

All times are timezone-aware datetimes in UTC, at whole microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

Standing = Literal["user", "note", "hearsay", "assistant", "tool", "web"]
"""Whose word a statement is. `user` and `note` (made by hand) outrank `hearsay` (what a user passes
on of somebody else) and `assistant`, which outrank `tool` and `web`.
"""

STANDING_RANK: Mapping[Standing, int] = {
    "user": 2,
    "note": 2,
    "hearsay": 1,
    "assistant": 1,
    "tool": 0,
    "web": 0,
}

Grain = Literal["instant", "day", "month", "year"]
"""How exactly `valid_at` and `invalid_at` are known."""

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

NEVER = datetime.min.replace(tzinfo=UTC)
"""As the end of a value: it never held, from the beginning of time on."""

ALWAYS = float("-inf")
"""As the end of a line: it never held; the moment before every other."""

SELF = "self"
"""The reserved id, name and kind-independent key of the space's own user."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """The provenance of a statement.

    Attributes:
        standing: whose word it is.
        speaker: the name of who said it; empty for the space's own user.
        said_at: when it was said (the message's time).
        session, project: the labels of the episode that it was said in; empty for none.
        episode_id, message_id: where it stands; empty for what was made by hand.
        position: the message's place in its session, which orders what was said at one moment.
        quote: the words it rests on, as they stand in the message.
        since, until, grain: the times that the words give, as opposed to those that follow from
            other statements.
    """

    standing: Standing = "user"
    speaker: str = ""
    said_at: datetime | None = None
    session: str = ""
    project: str = ""
    episode_id: str = ""
    message_id: str = ""
    position: int = 0
    quote: str = ""
    since: datetime | None = None
    until: datetime | None = None
    grain: Grain = "instant"

    @property
    def is_grounded(self) -> bool:
        """True for a statement made by hand, or by the user in words that are kept with it."""
        if self.standing == "note":
            return True
        return self.standing == "user" and bool(self.message_id and self.quote)


class Sourced:
    """The behaviour of rows that have a source and a time of creation."""

    __slots__ = ()

    source: Source
    created_at: datetime

    @property
    def said_at(self) -> datetime:
        """The time of the statement: when it was said, or else recorded."""
        return self.source.said_at or self.created_at

    @property
    def is_verified(self) -> bool:
        """True for what stands above hearsay by its own words (see `LineFilter.verified`).

        So do messages of role `user`, and facts and relations that somebody states again in words
        that are kept (`is_grounded` of a `Support`'s source).
        """
        return self.source.is_grounded


class Lasting(Sourced):
    """The behaviour of statements that hold for a time: facts and relations."""

    __slots__ = ()

    valid_at: datetime | None
    invalid_at: datetime | None
    expired_at: datetime | None

    @property
    def is_retraction(self) -> bool:
        """True for a row that says that its value holds no longer, or never did: it never held."""
        if self.expired_at is None:
            return False
        return self.valid_at is None and self.invalid_at is not None

    @property
    def ends_at(self) -> float | None:
        """The moment from which the statement holds no longer, in seconds since 1970, UTC.

        `ALWAYS` for what never held; None while it holds.
        """
        if self.expired_at is not None:
            return ALWAYS
        return self.invalid_at.timestamp() if self.invalid_at is not None else None

    def state_at(self, at: datetime, *, then: bool = False) -> str:
        """Returns `current`, `superseded` (its validity ended), `upcoming` or `retracted`.

        A retracted statement never held; an upcoming one begins later.

        Args:
            then: whether the world's time is asked for: what begins after `at` is upcoming whenever
                it was said. Else only what was said of a time to come is.
        """
        if self.expired_at is not None:
            return "retracted"
        if self.is_over_at(at):
            return "superseded"
        if self.valid_at is not None and self.valid_at > at:
            return "upcoming" if then or self.valid_at > self.said_at else "current"
        return "current"

    def holds_at(self, at: datetime) -> bool:
        """Returns True for a statement that has begun to hold and holds still."""
        return self.holds_then_or_later(at) and not self.begins_after(at)

    def holds_then_or_later(self, at: datetime) -> bool:
        """Returns True for a statement that isn't over by then, begun or not."""
        return self.expired_at is None and not self.is_over_at(at)

    def is_over_at(self, now: datetime) -> bool:
        """Returns True for a statement that holds no longer."""
        return self.invalid_at is not None and self.invalid_at <= now

    def begins_after(self, at: datetime) -> bool:
        """Returns True for a statement that had not begun to hold by then."""
        return self.valid_at is not None and self.valid_at > at


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
        version: counts the times that it was written (1 for a new one).
        expires_at: it is hidden from then on.
        record_ids: the facts and relations that are its normal form.
    """

    id: str
    text: str
    entity_ids: tuple[str, ...] = ()
    sort: ObservationSort = "state"
    holds: Hold = "asserted"
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"
    importance: float = 0.5
    version: int = 1
    created_at: datetime
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


@dataclass(frozen=True, kw_only=True, slots=True)
class NotSame:
    """These two must never be linked. The id of the engine's rows is made from both (see
    `resolve.known_record.pair_id`).
    """

    id: str
    left_id: str
    right_id: str
    reason: str = ""
    decider: str = "user"
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """Two entities that may be one; waits for a decision. Its id is made from both, like that of
    `NotSame`.
    """

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
