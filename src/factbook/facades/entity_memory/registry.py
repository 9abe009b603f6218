"""The tracked entities: by name and alias, in the order of use, merged by the document's table.
Every step is O(1).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from factbook.model.entity import Entity
from factbook.model.kinds import BUILT_IN
from factbook.render.known_entities import entity_line
from factbook.resolve.name_match import Named, are_kinds_compatible, decide_names
from factbook.text.kind_names import declared_kind, snake_case
from factbook.text.names import fold

_KINDS = {kind.id: kind for kind in BUILT_IN}
_NO_IMPORTANCE = Entity("").importance
MOST_NAMES = 20
"""Whole names of one person that are compared."""


@dataclass(slots=True, eq=False)
class Row:
    """One tracked entity. `key` is its folded name, `alias_keys` its aliases folded; `turn` the
    update that named it last; `shown` its line of the context, empty until it is asked for.
    """

    key: str
    name: str
    entity_type: str
    attributes: dict[str, str]
    mentions: int
    first_seen: datetime
    last_seen: datetime
    turn: int
    aliases: list[str] = field(default_factory=list[str])
    id: str = ""
    description: str = ""
    importance: float = _NO_IMPORTANCE
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    alias_keys: list[str] = field(default_factory=list[str])
    shown: str = ""

    @property
    def line(self) -> str:
        """Its line of the context, made once until it changes."""
        if not self.shown:
            self.shown = entity_line(self.name, self.entity_type, self.attributes)
        return self.shown

    @classmethod
    def of_entity(
        cls, entity: Entity, *, mentions: int, first_seen: datetime, last_seen: datetime, turn: int
    ) -> Row:
        """A row of its own, whose dicts and lists are no one else's."""
        return cls(
            key=fold(entity.name),
            name=entity.name,
            entity_type=entity.entity_type or "other",
            attributes=dict(entity.attributes),
            mentions=mentions,
            first_seen=first_seen,
            last_seen=last_seen,
            turn=turn,
            aliases=list(entity.aliases),
            id=entity.id,
            description=entity.description,
            importance=entity.importance,
            metadata=dict(entity.metadata),
        )

    def to_entity(self) -> Entity:
        """A copy that its taker may change."""
        return Entity(
            self.name,
            self.entity_type,
            dict(self.attributes),
            self.mentions,
            self.first_seen,
            self.last_seen,
            list(self.aliases),
            id=self.id,
            description=self.description,
            importance=self.importance,
            metadata=dict(self.metadata),
        )


def stored_kind(entity_type: str) -> str:
    """The built-in kind that a type names, or the type in snake_case."""
    return declared_kind(entity_type, _KINDS) or snake_case(entity_type) or "other"


def _may_be(row: Row, entity: Entity, link: str) -> bool:
    """Whether two that share this name, which is an alias of one at least, may be one."""
    kinds = stored_kind(row.entity_type), stored_kind(entity.entity_type)
    if not are_kinds_compatible(*kinds):
        return False
    if "person" not in kinds or " " in link:
        return True
    theirs, own = (
        [name for name in (each.name, *each.aliases) if " " in fold(name)][:MOST_NAMES]
        for each in (row, entity)
    )
    return all(
        decide_names(Named(name=left, kind="person"), Named(name=right, kind="person")).verdict
        != "separate"
        for left in theirs
        for right in own
    )


class Registry:
    """Rows in the order of use, the least recent first. Not safe from several threads: its owner
    locks.
    """

    def __init__(self) -> None:
        self.rows: OrderedDict[str, Row] = OrderedDict()
        self._bearers: dict[str, dict[str, None]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def find_row(self, name: str) -> Row | None:
        """The row of that name, else the first that has it as an alias."""
        key = fold(name)
        row = self.rows.get(key)
        if row is None and (bearers := self._bearers.get(key)):
            row = self.rows[next(iter(bearers))]
        return row

    def match_row(self, entity: Entity) -> Row | None:
        """The row that this entity is merged into.

        An equal name decides, whatever the type. Else an alias does, on either side, where it leads
        to exactly one row of a type that may be the same; a bare first name joins no two people
        with different whole names.
        """
        own = fold(entity.name)
        row = self.rows.get(own)
        if row is not None or not (entity.aliases or own in self._bearers):
            return row
        for keys in ([own], [fold(alias) for alias in entity.aliases]):
            fitting = {
                bearer: row
                for key in keys
                for bearer in self._all_bearers(key)
                if _may_be(row := self.rows[bearer], entity, key)
            }
            if fitting:
                return next(iter(fitting.values())) if len(fitting) == 1 else None
        return None

    def _all_bearers(self, key: str) -> Iterable[str]:
        return [*([key] if key in self.rows else []), *self._bearers.get(key, ())]

    def add_row(self, row: Row) -> Row:
        """Tracks a new row, as the most recent; its name must not be tracked."""
        self.rows[row.key] = row
        aliases, row.aliases = row.aliases, []
        self._add_aliases(row, aliases)
        return row

    def bring_row(self, row: Row) -> None:
        """Tracks a row that was tracked before; where its name is tracked, the two are one, with
        the mentions of both.
        """
        known = self.rows.get(row.key)
        if known is None:
            self.add_row(row)
            return
        mentions, first, last = known.mentions + row.mentions, known.first_seen, known.last_seen
        self.merge_entity(
            known, row.to_entity(), max(last, row.last_seen), max(known.turn, row.turn)
        )
        known.mentions, known.first_seen = mentions, min(first, row.first_seen)

    def add_entity(self, entity: Entity, now: datetime, turn: int) -> Row:
        """Tracks an entity for the first time; it counts as one mention at least."""
        first = entity.first_seen or now
        return self.add_row(
            Row.of_entity(
                entity, mentions=max(1, entity.mentions), first_seen=first, last_seen=now, turn=turn
            )
        )

    def merge_entity(self, row: Row, entity: Entity, now: datetime, turn: int) -> None:
        """The document's table: name and type stay, attributes overwrite, one more mention, aliases
        are united.
        """
        row.attributes.update(entity.attributes)
        row.shown = ""
        row.mentions += 1
        row.last_seen = now
        row.turn = turn
        row.description = entity.description or row.description
        row.metadata.update(entity.metadata)
        if entity.importance != _NO_IMPORTANCE:
            row.importance = entity.importance
        other_name = [] if fold(entity.name) == row.key else [entity.name]
        self._add_aliases(row, [*other_name, *entity.aliases])
        self.rows.move_to_end(row.key)

    def _add_aliases(self, row: Row, aliases: Iterable[str]) -> None:
        for alias in aliases:
            key = fold(alias)
            bearers = self._bearers.setdefault(key, {}) if key else {}
            if key and alias != row.name and row.key not in bearers:
                bearers[row.key] = None
                row.aliases.append(alias)
                row.alias_keys.append(key)

    def order_by_time(self) -> None:
        """Puts the rows in the order in which they were last seen."""
        for turn, row in enumerate(sorted(self.rows.values(), key=lambda row: row.last_seen), 1):
            row.turn = turn
            self.rows.move_to_end(row.key)

    def remove_row(self, row: Row) -> None:
        """Forgets a row and its names."""
        del self.rows[row.key]
        for key in row.alias_keys:
            bearers = self._bearers[key]
            del bearers[row.key]
            if not bearers:
                del self._bearers[key]

    def oldest_row(self) -> Row:
        """The least recently used row."""
        return next(iter(self.rows.values()))

    def latest_rows(self) -> Iterator[Row]:
        """The most recently used first; those of one update in the order in which it named them."""
        for _, group in groupby(reversed(self.rows.values()), key=lambda row: row.turn):
            yield from reversed(list(group))
