"""The public entity: what `Memory.get` returns and `Memory.put` takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from factbook.model.record import Fact, Relation
from factbook.model.shown import listed, short, shown_day
from factbook.model.source import Source


@dataclass(frozen=True, kw_only=True, slots=True)
class StatedFact:
    """A fact as a reader sees it.

    Attributes:
        fact: the row.
        state: `current`, `superseded` (held once), `upcoming` (begins later), or `retracted` (never
            held).
        count: how often it was stated.
    """

    fact: Fact
    state: str = "current"
    count: int = 1

    @property
    def attribute(self) -> str:
        return self.fact.attribute

    @property
    def value(self) -> str:
        return self.fact.value

    @property
    def valid_at(self) -> datetime | None:
        return self.fact.valid_at

    @property
    def invalid_at(self) -> datetime | None:
        return self.fact.invalid_at

    @property
    def source(self) -> Source:
        return self.fact.source

    @property
    def quote(self) -> str:
        return self.fact.source.quote

    def __str__(self) -> str:
        held = (
            f"{shown_day(self.valid_at)}–{shown_day(self.invalid_at)}"
            if self.invalid_at
            else f"since {shown_day(self.valid_at)}"
        )
        when = f", {held}" if self.valid_at or self.invalid_at else ""
        return f"{self.attribute} = {short(self.value)} ({self.state}{when})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """A relation seen with the names of its ends.

    Attributes:
        relation: the row.
        from_name, to_name: the ends' present names; from_id, to_id: their canonical ids.
        state: `current`, `superseded`, `upcoming` or `retracted`.
        count: how often it was stated.
        hops: how far from the entity that was asked for (1 for its own).
        sources: where each statement comes from, the row's own first.
    """

    relation: Relation
    from_id: str
    from_name: str
    to_id: str
    to_name: str
    state: str = "current"
    count: int = 1
    hops: int = 1
    sources: tuple[Source, ...] = ()

    @property
    def label(self) -> str:
        return self.relation.label

    def __str__(self) -> str:
        state = "" if self.state == "current" else f" ({self.state})"
        return f"{short(self.from_name)} {self.label} {short(self.to_name)}{state}"

    @property
    def note(self) -> str:
        """All that was noted of it."""
        return self.relation.note

    @property
    def quotes(self) -> tuple[str, ...]:
        """The words that it rests on."""
        return tuple(source.quote for source in self.sources if source.quote)


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflict:
    """Current values of a single-valued attribute, or ends of such a relation, between which no
    rule decides.

    Attributes:
        attribute: its name, or the relation's label.
        facts: the facts that differ; none where relations do.
        relations: the relations that differ, from this entity.
        values: what is claimed: each fact's value, or the name of each relation's other end, in
            their order.
    """

    entity_id: str
    entity_name: str
    attribute: str
    facts: tuple[Fact, ...] = ()
    relations: tuple[Relation, ...] = ()
    values: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[tuple[str, Source], ...]:
        """Each value with who says so."""
        rows: tuple[Fact | Relation, ...] = self.facts or self.relations
        return tuple((value, row.source) for value, row in zip(self.values, rows, strict=True))

    def __str__(self) -> str:
        return (
            f"{short(self.entity_name)}: {self.attribute} is "
            f"{' or '.join(listed(map(short, self.values)))}"
        )


@dataclass(frozen=True, slots=True)
class Entity:
    """Someone or something with an identity.

    The first seven fields are selectools' (document 000), so that its code runs unchanged; the rest
    is ours and by keyword. Times are timezone-aware.

    Attributes:
        name: the canonical name.
        entity_type: the kind, as it was first written.
        attributes: the current value of each attribute; values of a set are joined by "; ".
        mentions: how many messages name it.
        first_seen, last_seen: the times of the first and the latest message or statement about it.
        aliases: its other names.
        id: the entity's id in its space; empty for one that is not stored.
        description: a sentence about it.
        importance: 0–1.
        version: how often it was written.
        facts: every fact with its times and source, the current ones first.
        links: its relations, both ways.
        conflicts: the attributes on which the record has no single answer.
        metadata: what the host stored with it.
        ids: the ids that the host gave it, by namespace: `{"crm": "111"}`. It is found by them as
            `crm:111`.
    """

    name: str
    entity_type: str = "other"
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    mentions: int = 0
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    aliases: list[str] = field(default_factory=list[str])
    id: str = field(default="", kw_only=True)
    description: str = field(default="", kw_only=True)
    importance: float = field(default=0.5, kw_only=True)
    version: int = field(default=0, kw_only=True)
    facts: tuple[StatedFact, ...] = field(default=(), kw_only=True)
    links: tuple[Link, ...] = field(default=(), kw_only=True)
    conflicts: tuple[Conflict, ...] = field(default=(), kw_only=True)
    metadata: Mapping[str, str] = field(default_factory=dict[str, str], kw_only=True)
    ids: Mapping[str, str] = field(default_factory=dict[str, str], kw_only=True)

    def __str__(self) -> str:
        also = f", also {', '.join(listed(map(short, self.aliases)))}" if self.aliases else ""
        lines = [f"{short(self.name)} ({short(self.entity_type)}){also}"]
        lines += [short(self.description)] if self.description else []
        lines += listed(
            f"  {short(name)}: {short(value)}" for name, value in self.attributes.items()
        )
        lines += listed(f"  {each}" for each in self.links if each.state == "current")
        lines += listed(f"  unresolved: {each}" for each in self.conflicts)
        seen = (
            f"{shown_day(self.first_seen)} to {shown_day(self.last_seen)}"
            if self.first_seen and self.last_seen
            else ""
        )
        known = [
            f"named {self.mentions}×" if self.mentions else "",
            seen,
            f"id {self.id}" if self.id else "",
        ]
        told = ", ".join(filter(None, known))
        return "\n".join([*lines, *([f"  {told}"] if told else [])])
