"""Roles without a name: whom "my manager" or "Tom's wife" means, by who it is at the time.

A role's key is whose it is, which role, and when. Roles that one has one of at a time (manager,
spouse, partner, chief executive) mean whoever holds them then; until that is known the phrase stays
an entity of its own. Of friends, colleagues, siblings, children and pets one has several: such a
phrase means nobody, and neither do plurals, what is denied or to come, or one's own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.model.draft import Draft, DraftEntity, DraftRelation
from factbook.model.episode import Episode
from factbook.model.record import SELF, EntityRecord, Relation
from factbook.text.names import fold
from factbook.text.word_lists import load_pairs, load_words

_ONE: Mapping[str, frozenset[str]] = {
    "manager": frozenset({"reports_to"}),
    "spouse": frozenset({"spouse_of", "married_to"}),
    "partner": frozenset({"partner_of"}),
    "ceo": frozenset({"ceo_of"}),
}
"""Roles that one has one of at a time, with the relations that say who holds them."""

_FROM_OWNER = frozenset({"reports_to"})
_TO_OWNER = frozenset({"ceo_of"})
"""Which way the relations lead; the others say the same either way."""

_WORDS: Mapping[str, str] = load_pairs("resolve/role_words", "one")
_SEVERAL = load_words("resolve/role_words", "several")
_NOBODY = load_words("resolve/role_words", "nobody")
_PAST = frozenset("former ex old previous late".split())
_WHOSE = re.compile(r"^(?:(my|our)|(.+?)['’]s|(.+?s)['’])\s+(.+)$", re.IGNORECASE)
_OF = re.compile(r"^(?:the\s+)?(.+?)(?<!\s)\s+of\s+(.+)$", re.IGNORECASE)
_BEFORE = re.compile(r"\b(my|our)\s+$", re.IGNORECASE)
_NEWLY = re.compile(r"\b(?:new|next|future|former|previous|old|ex)\b", re.IGNORECASE)

LABELS = frozenset(label for labels in _ONE.values() for label in labels)
"""Relations that say who holds a role of which one has one at a time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UnnamedRole:
    """A role and whose it is (a folded name, or `self`), of the roles that one has one of; empty
    for one that names nobody.
    """

    owner: str
    role: str = ""

    @property
    def phrases(self) -> tuple[str, ...]:
        """Returns the record's phrases for one whose name isn't known, whichever word was said."""
        whose = "my" if self.owner == SELF else f"{self.owner}'s"
        return tuple(f"{whose} {word}" for word, role in _WORDS.items() if role == self.role)


def parse_role(name: str, before: str = "") -> UnnamedRole | None:
    """Returns the role that a name is, with what stands before it; None for any other name."""
    found = _WHOSE.match(name) or _WHOSE.match(f"my {name}" if _BEFORE.search(before) else "")
    whose, what = (found[2] or found[3] or SELF, found[4]) if found else ("", "")
    if not found and (of := _OF.match(name)):
        whose, what = of[2], of[1]
    words = fold(what).split()
    if not words or not whose:
        return None
    owner = whose if whose == SELF else fold(whose)
    role = _WORDS.get(" ".join(words)) or _WORDS.get(words[-1], "")
    singular = words[-1].removesuffix("s").removesuffix("ie")
    if _is_plural(words[-1]) or not _SEVERAL.isdisjoint((words[-1], singular)):
        return UnnamedRole(owner=owner)
    if not role:
        return None
    return (
        UnnamedRole(owner=owner)
        if _NOBODY & {*words[:-1], *fold(before).split()[-2:]} or _PAST & {*words[:-1]}
        else UnnamedRole(owner=owner, role=role)
    )


def _is_plural(word: str) -> bool:
    """Returns whether the word names several who have a role."""
    if word in _WORDS:
        return False
    return word == "wives" or word.removesuffix("s") in _WORDS


def wanted_roles(draft: Draft, episode: Episode) -> list[UnnamedRole]:
    """Returns the roles that the draft speaks of, by a phrase or by saying who holds them."""
    found = [role for _, role in _find_roles(draft, episode) if role.role]
    owners = {entity.ref: fold(entity.name) for entity in draft.entities} | {SELF: SELF}
    for relation in draft.relations:
        for role, labels in _ONE.items():
            if relation.label in labels and not relation.retracts:
                ends = _read_ends(relation.label, relation.from_ref, relation.to_ref)
                found += [
                    UnnamedRole(owner=owners[owner], role=role)
                    for owner, _ in ends
                    if owner in owners
                ]
    return list(dict.fromkeys(found))


def _find_roles(draft: Draft, episode: Episode) -> Iterator[tuple[DraftEntity, UnnamedRole]]:
    texts = {message.id: message.text for message in episode.messages}
    for entity in draft.entities:
        if entity.ref == SELF or entity.kind not in ("person", "other"):
            continue
        first = entity.mentions[0] if entity.mentions else None
        before = texts.get(first.message_id, "")[: first.start] if first else ""
        if role := parse_role(entity.name, before[-40:]):
            yield entity, role


def read_roles(
    draft: Draft,
    episode: Episode,
    known: Iterable[Relation],
    names: Mapping[str, str],
    home: Mapping[str, str],
) -> tuple[Draft, dict[str, str]]:
    """Returns the draft with its roles read; those of nobody are left out.

    Args:
        known: relations that say who holds a role. names: folded names of entities, by id. home:
            canonical ids.

    Returns:
        The draft, and by ref the entities that known roles mean.
    """
    relations = list(known)
    nobody, same, meant, phrases = (
        set[str](),
        dict[str, str](),
        dict[str, str](),
        dict[str, DraftEntity](),
    )
    for entity, role in _find_roles(draft, episode):
        if not role.role:
            nobody.add(entity.ref)
        elif named := _named_here(role, entity, draft):
            same[entity.ref] = named
        elif holder := _find_holder(role, relations, names, home, _said_at(entity, episode)):
            meant[entity.ref] = holder
        else:
            phrases[entity.ref] = replace(entity, name=role.phrases[0], kind="person", phrase=True)
    if not (nobody or same or phrases):
        return draft, meant
    return _rewrite_draft(draft, nobody, same, phrases), meant


def _said_at(entity: DraftEntity, episode: Episode) -> datetime:
    said = {message.id: message.at for message in episode.messages}
    times = [said[mention.message_id] for mention in entity.mentions if mention.message_id in said]
    return min(times, default=episode.created_at)


def _named_here(role: UnnamedRole, entity: DraftEntity, draft: Draft) -> str:
    """Returns the ref of the one that the draft itself says to hold the role; empty if it doesn't
    say, or says several.
    """
    owners = {each.ref for each in draft.entities if fold(each.name) == role.owner}
    if role.owner == SELF:
        owners.add(SELF)
    told = [each for each in draft.relations if each.label in _ONE[role.role] and not each.retracts]
    holders = {_other_end(each, owners) for each in told if not says_a_change(each.quote)}
    found = holders - {"", entity.ref}
    return found.pop() if len(found) == 1 else ""


def _read_ends(label: str, from_end: str, to_end: str) -> list[tuple[str, str]]:
    """Returns (whose, who) as the relation may be read."""
    forth, back = (from_end, to_end), (to_end, from_end)
    return [forth] if label in _FROM_OWNER else [back] if label in _TO_OWNER else [forth, back]


def _other_end(relation: DraftRelation, owners: Collection[str]) -> str:
    ends = _read_ends(relation.label, relation.from_ref, relation.to_ref)
    return next((who for owner, who in ends if owner in owners), "")


def _find_holder(
    role: UnnamedRole,
    relations: Iterable[Relation],
    names: Mapping[str, str],
    home: Mapping[str, str],
    at: datetime,
) -> str:
    """Returns the id of the one who holds the role at that time by what is known; empty if nobody
    or several do.
    """
    owners = {key for key, name in names.items() if role.owner in (key, name)}
    found: dict[str, str] = {}
    for row in relations:
        if row.label not in _ONE[role.role] or not row.holds_at(at):
            continue
        for owner, other in _read_ends(row.label, row.from_id, row.to_id):
            if owner in owners and other in names:
                found[home.get(other, other)] = other
    return next(iter(found.values())) if len(found) == 1 else ""


def held_by(
    rows: Mapping[str, EntityRecord], label: str, from_id: str, to_id: str
) -> Iterator[tuple[EntityRecord, str]]:
    """Yields the entities that stand for a role as a phrase, with whoever is said to hold it."""
    for owner, who in _read_ends(label, from_id, to_id):
        whose = SELF if owner == SELF else fold(rows[owner].name) if owner in rows else ""
        if not whose or who == SELF:
            continue
        for role, labels in _ONE.items():
            if label in labels:
                wanted = {fold(phrase) for phrase in UnnamedRole(owner=whose, role=role).phrases}
                yield from ((row, who) for row in rows.values() if fold(row.name) in wanted)


def says_a_change(quote: str) -> bool:
    """Returns True for "my new manager is …": what was said before is not of them."""
    return bool(_NEWLY.search(quote))


def _rewrite_draft(
    draft: Draft, nobody: set[str], same: Mapping[str, str], phrases: Mapping[str, DraftEntity]
) -> Draft:
    mentions = {
        ref: tuple(m for e in draft.entities if same.get(e.ref) == ref for m in e.mentions)
        for ref in same.values()
    }
    entities = [
        replace(found, mentions=(*found.mentions, *mentions.get(found.ref, ())))
        for each in draft.entities
        if each.ref not in nobody and each.ref not in same
        for found in (phrases.get(each.ref, each),)
    ]
    facts = [
        replace(each, ref=same.get(each.ref, each.ref))
        for each in draft.facts
        if each.ref not in nobody
    ]
    relations = [
        replace(
            each,
            from_ref=same.get(each.from_ref, each.from_ref),
            to_ref=same.get(each.to_ref, each.to_ref),
        )
        for each in draft.relations
        if not nobody & {each.from_ref, each.to_ref}
    ]
    return replace(draft, entities=tuple(entities), facts=tuple(facts), relations=tuple(relations))
