"""Asks the store for exactly what planning a draft, or a write by hand, needs to know."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import TypeVar

from factbook.model.draft import Draft, DraftFact
from factbook.model.episode import Episode
from factbook.model.line import LineFilter
from factbook.model.record import SELF, EntityRecord, Fact, NotSame, Review, SameAs
from factbook.ports.snapshot import Snapshot
from factbook.resolve.known_record import Company, KnownRecord, company_of, wanted_names
from factbook.resolve.name_bearers import may_be_meant
from factbook.resolve.records.sorts import is_own_code, normal_form
from factbook.resolve.unnamed_roles import LABELS as ROLE_LABELS
from factbook.resolve.unnamed_roles import wanted_roles
from factbook.text.host_ids import host_ids, is_host_id
from factbook.text.index_words import index_words
from factbook.text.names import fold, name_keys
from factbook.views.merged_entities import relations_bearing
from factbook.views.name_bearers import bearers, is_overborne

LATEST_EPISODES = 20
"""So many latest episodes of a session tell who is meant by a name that too many bear."""
MOST_OF_ONE_VALUE = 20
"""So many facts that share a value's words are looked at, those with the rarest words first."""
MENTIONS_OF_ONE = 40
"""So many latest mentions of an entity tell among whom it is known."""


def gather_known(
    snapshot: Snapshot, space: str, draft: Draft, episode: Episode, *, anew: bool = False
) -> KnownRecord:
    """Reads all that is known of the entities that the draft may mean.

    Args:
        anew: the episode was learned before, from another draft: where it names somebody doesn't
            count.
    """
    mentions = snapshot.mentions_in(space, [episode.id])
    named = {mention.entity_id for mention in mentions} | draft.known_ids
    known = identities_of(
        snapshot, space, named | _bearers(snapshot, space, wanted_names(draft), episode)
    )
    meant = may_be_meant(draft, known) | (named & known.entities.keys())
    known = _with_roles(snapshot, space, _only(known, meant | {SELF}), draft, episode)
    known = replace(
        known,
        mentions=mentions,
        observations=snapshot.observations_in(space, [episode.id]),
        company=_company(
            snapshot,
            space,
            (key for key in meant if known.entities[key].kind in ("person", "other")),
            without=episode.id if anew else "",
        ),
    )
    known = with_doubts(snapshot, space, known, draft)
    attributes = {fact.attribute for fact in draft.facts}
    labels = {relation.label for relation in draft.relations} | {
        relation.label for relation in known.holding
    }
    return with_statements(snapshot, space, known, attributes, labels)


def gather_names(
    snapshot: Snapshot,
    space: str,
    names: Iterable[str],
    ids: Iterable[str] = (),
    *,
    attributes: Collection[str] = (),
    labels: Collection[str] = (),
) -> KnownRecord:
    """Reads all that is known of the bearers of exactly these names, and of these canonical ids
    with all their members.

    Of their facts and relations, those with these attributes and labels (and labels that bear upon
    them).
    """
    keys = [key for name in names for key in name_keys(name)[:1]]
    found = (
        {hit.entity_id for hits in snapshot.names(space, keys).values() for hit in hits}
        if keys
        else set[str]()
    )
    given = list(ids)
    canonical = list(dict.fromkeys(snapshot.canonical(space, [*given, *found]).values()))
    members = _read_members(snapshot, space, canonical)
    known = identities_of(snapshot, space, members)
    if len(given) > 1:
        known = replace(
            known,
            same_as={
                row.entity_id: row
                for row in snapshot.verdicts(space, SameAs, members)
                if row.entity_id in members
            },
            not_same=_among(snapshot.verdicts(space, NotSame, members), members),
            reviews=_among(
                (row for row in snapshot.verdicts(space, Review, members) if row.state == "open"),
                members,
            ),
            named={
                key: counts.mentions for key, counts in snapshot.counts(space, canonical).items()
            },
        )
    return with_statements(snapshot, space, known, attributes, labels)


def gather_statements(
    snapshot: Snapshot,
    space: str,
    ids: Collection[str],
    *,
    attributes: Collection[str],
    labels: Collection[str],
) -> KnownRecord:
    """Reads what is said of these entities, and of all that they are one with.

    Of their facts and relations, those with these attributes and labels (and labels that bear upon
    them).
    """
    known = identities_of(snapshot, space, _read_members(snapshot, space, ids))
    return with_statements(snapshot, space, known, attributes, labels)


def _read_members(snapshot: Snapshot, space: str, ids: Iterable[str]) -> set[str]:
    """Returns the ids of these entities, and of all that they are one with."""
    return {member for group in snapshot.members(space, ids).values() for member in group}


def _bearers(
    snapshot: Snapshot, space: str, names: Mapping[str, Sequence[str]], episode: Episode
) -> set[str]:
    """Returns the entities that these names, each with its keys, may mean. Of a name that too many
    bear, also those the session spoke of.
    """
    found = {each for name, keys in names.items() for each in bearers(snapshot, space, name, keys)}
    if episode.session and any(is_overborne(snapshot, space, keys) for keys in names.values()):
        latest = snapshot.episode_ids(space, session=episode.session)[-LATEST_EPISODES:]
        found |= {mention.entity_id for mention in snapshot.mentions_in(space, latest)}
    return found


V = TypeVar("V", NotSame, Review)


def _among(rows: Iterable[V], ids: Collection[str]) -> dict[str, V]:
    """The rows with both ends among the ids, by their own."""
    return {row.id: row for row in rows if row.left_id in ids and row.right_id in ids}


def _with_roles(
    snapshot: Snapshot, space: str, known: KnownRecord, draft: Draft, episode: Episode
) -> KnownRecord:
    """With whoever holds the roles that the draft speaks of, and what stands for them while they
    have no name.
    """
    roles = wanted_roles(draft, episode)
    if not roles:
        return known
    names = {role.owner for role in roles}
    owners = {key for key, row in known.entities.items() if key in names or fold(row.name) in names}
    keys = [key for role in roles for phrase in role.phrases for key in name_keys(phrase)[:1]]
    phrases = {hit.entity_id for hits in snapshot.names(space, keys).values() for hit in hits}
    holding = snapshot.relations(space, owners | {SELF} & names, labels=ROLE_LABELS)
    more = identities_of(
        snapshot,
        space,
        known.entities.keys()
        | phrases
        | {end for row in holding for end in (row.from_id, row.to_id)},
    )
    return replace(
        known,
        entities=more.entities,
        aliases=more.aliases,
        host_ids=more.host_ids,
        canonical=more.canonical,
        holding=holding,
    )


def with_doubts(snapshot: Snapshot, space: str, known: KnownRecord, draft: Draft) -> KnownRecord:
    """With those whose identity is in doubt and whom the draft may settle: open reviews, and the
    bearers of what belongs to one alone and is said in the draft; all that was said of them, and
    who is recorded as not the same.
    """
    ids = known.entities.keys() - {SELF}
    reviews = {row.id: row for row in snapshot.verdicts(space, Review, ids) if row.state == "open"}
    borne = bearing(snapshot, space, [fact for fact in draft.facts if not fact.retracts])
    ends = {key for row in reviews.values() for key in (row.left_id, row.right_id)}
    doubted = ends | {key for some in borne.values() for key in some}
    more = identities_of(snapshot, space, doubted - ids)
    known = replace(
        known,
        doubted={key: row for key, row in more.entities.items() if key not in known.entities},
        host_ids={**more.host_ids, **known.host_ids},
        doubted_aliases=[row for row in more.aliases if row.entity_id not in known.entities],
        canonical={**more.canonical, **known.canonical},
        reviews=reviews,
        bearing=borne,
    )
    homes = set(known.canonical.values())
    members = _read_members(snapshot, space, homes)
    parted = snapshot.verdicts(space, NotSame, members)
    ends = {key for row in parted for key in (row.left_id, row.right_id)}
    return replace(
        known,
        canonical={**snapshot.canonical(space, ends), **known.canonical},
        not_same={row.id: row for row in parted},
        evidence=snapshot.facts(space, known.entities.keys() | known.doubted.keys())
        if doubted
        else (),
    )


def bearing(
    snapshot: Snapshot, space: str, facts: Sequence[DraftFact | Fact]
) -> dict[tuple[str, str], list[str]]:
    """Returns the entities with these values, of attributes that belong to one alone, by attribute
    and value in normal form.
    """
    out: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        form = normal_form("code", fact.value)
        if not form or not is_own_code(fact.attribute) or (fact.attribute, form) in out:
            continue
        where = LineFilter(kinds=("fact",), superseded=True)
        found = snapshot.find_words(space, index_words(fact.value), where, limit=MOST_OF_ONE_VALUE)
        ids = [key for hit in snapshot.hits(space, found, []) for key in hit.entity_ids]
        facts = snapshot.facts(space, set(ids), attributes=[fact.attribute])
        same = [
            row.entity_id
            for row in facts
            if normal_form("code", row.value) == form and row.expired_at is None
        ]
        out[fact.attribute, form] = sorted({*same} - {SELF})
    return out


def identities_of(snapshot: Snapshot, space: str, ids: Set[str]) -> KnownRecord:
    wanted = sorted({*ids, SELF})
    entities = snapshot.get(space, EntityRecord, wanted)
    names = snapshot.aliases(space, list(entities))
    ids_of: dict[str, list[str]] = {}
    for alias in names:
        ids_of.setdefault(alias.entity_id, []).append(alias.name)
    return KnownRecord(
        entities=entities,
        aliases=[alias for alias in names if not is_host_id(alias.name)],
        host_ids={key: found for key, some in ids_of.items() if (found := host_ids(some))},
        canonical=snapshot.canonical(space, list(entities)),
    )


def _only(known: KnownRecord, ids: Set[str]) -> KnownRecord:
    return replace(
        known,
        entities={key: row for key, row in known.entities.items() if key in ids},
        aliases=[alias for alias in known.aliases if alias.entity_id in ids],
    )


def with_statements(
    snapshot: Snapshot,
    space: str,
    known: KnownRecord,
    attributes: Collection[str],
    labels: Collection[str],
) -> KnownRecord:
    ids = list(known.entities)
    facts = snapshot.facts(space, ids, attributes=attributes) if attributes else []
    relations = relations_bearing(snapshot, space, ids, labels)
    said = [*(row.id for row in facts), *(row.id for row in relations)]
    return replace(
        known,
        facts=facts,
        relations=relations,
        supports=snapshot.supports(space, said) if said else {},
    )


def _company(
    snapshot: Snapshot, space: str, ids: Iterable[str], *, without: str = ""
) -> dict[str, Company]:
    """Returns the recent company of each; entities never named in an episode but that one are left
    out.
    """
    named = {
        key: [
            each
            for each in snapshot.mentions(space, [key], limit=MENTIONS_OF_ONE)
            if each.episode_id != without
        ]
        for key in ids
    }
    episodes = snapshot.episodes(
        space, {mention.episode_id for mentions in named.values() for mention in mentions}
    )
    out: dict[str, Company] = {}
    for key, mentions in named.items():
        where = [
            episodes[each]
            for each in dict.fromkeys(m.episode_id for m in mentions)
            if each in episodes
        ]
        if where:
            out[key] = company_of(where)
    return out
