"""What planning needs to know of a space: values that whoever holds the store fills in
(`learn.gather`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from factbook.model.draft import Draft, DraftEntity
from factbook.model.episode import Episode
from factbook.model.record import (
    Alias,
    EntityRecord,
    Fact,
    Mention,
    NotSame,
    Observation,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.text.names import fold, name_keys


@dataclass(frozen=True, kw_only=True, slots=True)
class Company:
    """The episodes and sessions in which an entity was named.

    Attributes:
        sessions, projects: labels, without the empty one.
        circles: for each episode, the folded names of who spoke; the space's own user and the
            assistant don't count.
    """

    sessions: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    circles: frozenset[frozenset[str]] = frozenset()

    def meets(self, other: Company) -> bool:
        """Returns whether both share a session, a project, or people: one circle within the
        other.
        """
        if self.sessions & other.sessions or self.projects & other.projects:
            return True
        return any(
            mine <= theirs or theirs <= mine for mine in self.circles for theirs in other.circles
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownRecord:
    """The part of a space's record that a draft or a write by hand may touch.

    Attributes:
        entities: the candidates, by id; with `self` if it has a record.
        aliases: their other names. host_ids: the ids that a host gave them, by entity and
            namespace.
        canonical: each candidate's canonical id.
        facts, relations: those said of the candidates that may be meant; supports: restatements of
            them, by their id.
        same_as: rows by the id of the entity that they lead from; not_same, reviews: by `pair_id`.
        mentions: what is named in the episode already.
        observations: what is observed in the episode already.
        company: where a candidate was named; those that are left out were never named in an
            episode.
        named: how many messages name it, by canonical id.
        holding: who holds the roles that the draft speaks of.
        doubted: those whose identity is in doubt and that the draft doesn't name itself, by id,
            with doubted_aliases.
        evidence: all that was said of those whose identity is in doubt.
        bearing: who has a value that belongs to one alone, by attribute and value in normal form,
            for those of the draft.
    """

    entities: Mapping[str, EntityRecord] = field(default_factory=dict[str, EntityRecord])
    aliases: Sequence[Alias] = ()
    host_ids: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    canonical: Mapping[str, str] = field(default_factory=dict[str, str])
    facts: Sequence[Fact] = ()
    relations: Sequence[Relation] = ()
    supports: Mapping[str, Sequence[Support]] = field(default_factory=dict[str, Sequence[Support]])
    same_as: Mapping[str, SameAs] = field(default_factory=dict[str, SameAs])
    not_same: Mapping[str, NotSame] = field(default_factory=dict[str, NotSame])
    reviews: Mapping[str, Review] = field(default_factory=dict[str, Review])
    mentions: Sequence[Mention] = ()
    observations: Sequence[Observation] = ()
    company: Mapping[str, Company] = field(default_factory=dict[str, Company])
    named: Mapping[str, int] = field(default_factory=dict[str, int])
    holding: Sequence[Relation] = ()
    doubted: Mapping[str, EntityRecord] = field(default_factory=dict[str, EntityRecord])
    doubted_aliases: Sequence[Alias] = ()
    evidence: Sequence[Fact] = ()
    bearing: Mapping[tuple[str, str], Sequence[str]] = field(
        default_factory=dict[tuple[str, str], Sequence[str]]
    )

    def home_of(self, entity_id: str) -> str:
        """Returns the canonical id; its own for one that nothing is known of."""
        return self.canonical.get(entity_id, entity_id)

    def homes_of(self, relation: Relation) -> tuple[str, str]:
        """Returns the canonical ids of both ends."""
        return self.home_of(relation.from_id), self.home_of(relation.to_id)

    def aliases_of(self, entity_id: str) -> list[Alias]:
        """Returns the other names of this one itself, not of those that it is merged with."""
        return [alias for alias in self.aliases if alias.entity_id == entity_id]

    def facts_of(self, entity_id: str, attribute: str) -> list[Fact]:
        """Returns the facts of one attribute, under any id of the entity."""
        home = self.home_of(entity_id)
        return [
            fact
            for fact in self.facts
            if fact.attribute == attribute and self.home_of(fact.entity_id) == home
        ]


def company_of(episodes: Iterable[Episode]) -> Company:
    """Returns the sessions and participants of the episodes."""
    sessions: set[str] = set()
    projects: set[str] = set()
    circles: set[frozenset[str]] = set()
    for episode in episodes:
        sessions |= {episode.session} - {""}
        projects |= {episode.project} - {""}
        circles.add(
            frozenset(fold(m.speaker) for m in episode.messages if m.role == "user" and m.speaker)
        )
    return Company(
        sessions=frozenset(sessions), projects=frozenset(projects), circles=frozenset(circles)
    )


def _wanted_keys(name: str, entity: DraftEntity) -> tuple[str, ...]:
    """Returns the keys to ask for: a phrase's words, and none of a given name that many others
    share.
    """
    if entity.phrase:
        return name_keys(name)[:1]
    given, *others = fold(name).split() or [""]
    if entity.kind != "person" or not others:
        return name_keys(name)
    return (*(key for key in name_keys(name) if key != f"t:{given}"), f"f:{given}")


def wanted_names(draft: Draft) -> dict[str, tuple[str, ...]]:
    """Returns the names under which the draft's entities may be known, with their index keys."""
    names = {fact.value: name_keys(fact.value)[:1] for fact in draft.naming_facts}
    for entity in draft.entities:
        for name in (entity.name, *entity.aliases):
            names[name] = tuple(dict.fromkeys([*names.get(name, ()), *_wanted_keys(name, entity)]))
    return names
