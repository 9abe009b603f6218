"""Reads the texts that may name an entity, and the rows that may bear its name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from factbook.model.episode import StoredMessage
from factbook.model.grouping import group_by
from factbook.model.kinds import STATEMENTS
from factbook.model.line import LineFilter
from factbook.model.record import Alias, EntityRecord, Mention, Note
from factbook.ports.snapshot import NameHit
from factbook.text.host_ids import without_host_ids
from factbook.text.index_words import index_words
from factbook.text.name_parts import parts_that_stand_alone
from factbook.text.names import fold, name_keys
from factbook.views.view import SELF_NAMES, View

_EVERY = LineFilter(superseded=True)
_SAID = LineFilter(superseded=True, kinds=("message",))
_KEYS_OF_ALIKE = ("f:", "i:", "n:", "t:")


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedEntity:
    """An entity by its ids and names, its own name first, as its traces are looked for.

    `buried` are the names of which the store keeps tombstones.
    """

    members: tuple[str, ...]
    names: Sequence[str]
    buried: tuple[str, ...]
    is_person: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedTexts:
    """Texts and rows that may name an entity.

    Attributes:
        named: the entity. parts: of its names, that may stand for the whole of one.
        mentions: those of the entity, by message. messages: those that may name it, with their
            neighbours, in the order in which they were said.
        ids_by_part: ids of the messages that may hold a part of the name. borne_parts: parts that
            are known as a name of another entity.
        descriptions: texts of others' notes and entities by the row's id, the earlier ones too.
        alike: bearers of a name that is written nearly so, by id.
    """

    named: NamedEntity
    parts: Sequence[str]
    mentions: Mapping[str, Sequence[Mention]]
    messages: Sequence[StoredMessage]
    ids_by_part: Mapping[str, Collection[str]]
    borne_parts: Collection[str]
    descriptions: Mapping[str, Sequence[str]]
    alike: Sequence[NameHit]


@dataclass(kw_only=True, slots=True)
class _NamingLines:
    """Lines that may hold a name: the numbers of messages, and ids by kind and by part."""

    numbers: list[int] = field(default_factory=list[int])
    ids: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    ids_by_part: dict[str, set[str]] = field(default_factory=dict[str, set[str]])


def _read_named(view: View, key: str) -> NamedEntity:
    """Returns the ids and names of the entity with this canonical id; of one that a clause tells, the
    clause too, of which its name is the beginning.
    """
    snapshot, space = view.snapshot, view.space
    members = snapshot.members(space, [key])[key]
    rows = snapshot.get(space, EntityRecord, members)
    held = snapshot.aliases(space, members)
    aliases = group_by(held, lambda alias: alias.entity_id)
    called: list[str] = []
    for member in members:
        if member in rows:
            called += (rows[member].name, *(alias.name for alias in aliases.get(member, ())))
    stated = [row.id for row in rows.values() if row.kind in STATEMENTS]
    said = [each.text for each in snapshot.mentions(space, stated)] if stated else []
    names = dict.fromkeys([rows[key].name, *without_host_ids(called), *said])
    return NamedEntity(
        members=members,
        names=[name for name in names if fold(name) not in SELF_NAMES],
        buried=names_to_bury(rows.values(), held),
        is_person=any(row.kind == "person" for row in rows.values()),
    )


def names_to_bury(rows: Iterable[EntityRecord], aliases: Iterable[Alias]) -> tuple[str, ...]:
    """Returns the names of these, each once, without those of the user in every space."""
    names = [row.name for row in rows]
    names += without_host_ids([alias.name for alias in aliases])
    by_fold = {fold(name): name for name in names}
    return tuple(name for folded, name in by_fold.items() if folded and folded not in SELF_NAMES)


def read_named_texts(view: View, key: str) -> NamedTexts:
    """Returns the texts that may name the entity with this canonical id."""
    named = _read_named(view, key)
    members = frozenset(named.members)
    parts = parts_that_stand_alone(named.names) if named.is_person else []
    snapshot, space = view.snapshot, view.space
    mentions = group_by(snapshot.mentions(space, named.members), lambda each: each.message_id)
    lines = _read_lines(view, named.names, parts)
    around = snapshot.find_around(space, lines.numbers, _SAID, radius=1)
    near = [hit.id for hit in snapshot.hits(space, around, ())]
    ids = dict.fromkeys([*lines.ids.get("message", ()), *mentions, *near])
    messages = snapshot.messages(space, ids).values()
    keys = {
        key for name in named.names for key in name_keys(name) if key.startswith(_KEYS_OF_ALIKE)
    }
    borne = _read_bearers(view, [f"t:{fold(part)}" for part in parts], members)
    return NamedTexts(
        named=named,
        parts=parts,
        mentions=mentions,
        messages=sorted(messages, key=lambda each: (each.session, each.position)),
        ids_by_part={part: lines.ids_by_part[part] | mentions.keys() for part in parts},
        borne_parts=[part for part in parts if borne.get(f"t:{fold(part)}")],
        descriptions=_read_descriptions(view, members, lines.ids),
        alike=[hit for hits in _read_bearers(view, sorted(keys), members).values() for hit in hits],
    )


def read_kinds_of(view: View, folded: Iterable[str], members: Collection[str]) -> dict[str, str]:
    """Returns the kinds under which others are known by these folded names."""
    wanted = list(folded)
    hits = _read_bearers(
        view, [key for name in wanted for key in (f"f:{name}", f"t:{name}")], members
    )
    found = {name: (*hits.get(f"f:{name}", ()), *hits.get(f"t:{name}", ())) for name in wanted}
    return {name: bearers[0].kind for name, bearers in found.items() if bearers}


def _read_bearers(
    view: View, keys: Iterable[str], members: Collection[str]
) -> dict[str, list[NameHit]]:
    """Returns the bearers of these keys by key, without the entity's own members."""
    found = view.snapshot.names(view.space, keys)
    return {
        key: [hit for hit in hits if hit.entity_id not in members] for key, hits in found.items()
    }


def _read_lines(view: View, names: Sequence[str], parts: Sequence[str]) -> _NamingLines:
    """Returns the lines that hold a word of these names or parts."""
    lines = _NamingLines(ids_by_part={part: set() for part in parts})
    wanted = list(dict.fromkeys(stem for name in (*names, *parts) for stem in index_words(name)))
    if not wanted:
        return lines
    snapshot, space = view.snapshot, view.space
    most = snapshot.word_stats(space, wanted).lines
    numbers = snapshot.find_words(space, wanted, _EVERY, limit=most)
    stems = {part: frozenset(index_words(part)) for part in parts}
    for hit in snapshot.hits(space, numbers, wanted):
        lines.ids.setdefault(hit.kind, []).append(hit.id)
        if hit.kind != "message":
            continue
        lines.numbers.append(hit.no)
        for part in parts:
            if not stems[part].isdisjoint(hit.counts):
                lines.ids_by_part[part].add(hit.id)
    return lines


def _read_descriptions(
    view: View, members: Collection[str], ids: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Returns the texts of others' notes and entities, each with its earlier ones, by id."""
    snapshot, space = view.snapshot, view.space
    texts = {
        key: [row.text]
        for key, row in snapshot.get(space, Note, ids.get("note", ())).items()
        if not row.entity_ids or not set(row.entity_ids).issubset(members)
    }
    texts |= {
        key: [row.description]
        for key, row in snapshot.get(space, EntityRecord, ids.get("entity", ())).items()
        if key not in members and row.description
    }
    for commit in snapshot.log_of(space, texts) if texts else ():
        for change in commit.changes:
            for row in (change.before, change.after):
                if isinstance(row, Note | EntityRecord) and row.id in texts:
                    texts[row.id].append(row.text if isinstance(row, Note) else row.description)
    return {key: list(dict.fromkeys(some)) for key, some in texts.items()}
