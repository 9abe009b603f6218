"""The space behind an `EntityMemory`: what was said of each entity before, and the working set of a
session.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from factbook.errors import AmbiguousError
from factbook.facades.entity_memory.registry import Row
from factbook.learn.gather import gather_names
from factbook.memory.async_memory import AsyncMemory
from factbook.memory.binding import Bound
from factbook.model.change import Change, Stamp
from factbook.model.entity import Entity
from factbook.model.line import LineFilter
from factbook.model.record import SELF, EntityRecord, Note, NotSame, Review, pair_id
from factbook.model.space import check_label
from factbook.ports.snapshot import Snapshot
from factbook.recall.recollect import recall
from factbook.recall.request import RecallRequest
from factbook.resolve import by_hand
from factbook.resolve.name_match import are_kinds_compatible
from factbook.text.kind_names import declared_kind, snake_case
from factbook.text.names import fold
from factbook.views.space_kinds import read_kinds
from factbook.views.view import LONGEST_NAME

WORKING_SET = "working_memory"
"""Category of the note that holds a session's working set: ids and counts alone, hidden from recall
and contexts.
"""


MOST_ABOUT = 20
"""Entities of the space that a query may bring in."""
ABOUT_TOKENS = 1000
MOST_WORDS = 60
"""Of a query, in which names are looked for."""
_AROUND = ".,;:!?\"'()[]“”‘’"


@dataclass(frozen=True, kw_only=True, slots=True)
class Saved:
    """One entity of a saved working set."""

    id: str
    mentions: int
    first_seen: datetime
    last_seen: datetime
    turn: int


class Backing(Bound):
    """A bound space, as `EntityMemory` needs it. Writes pass through the door that `Memory.put`
    uses.
    """

    def __init__(self, memory: Bound | AsyncMemory, session: str = "") -> None:
        bound = memory.sync if isinstance(memory, AsyncMemory) else memory
        super().__init__(bound._engine, bound._space, bound._reads, bound._redact, bound._weights)  # noqa: SLF001 - of its own class
        self.session = check_label(session, "session")
        self._version = self._now_at()

    def _now_at(self) -> int:
        with self._engine.store.snapshot() as snapshot:
            return snapshot.version(self._space)

    def find_named(self, name: str) -> list[Entity]:
        """The entities that have exactly this name or alias (folded), those by their own name
        first, oldest first.
        """
        wanted = fold(name)
        with self._engine.store.snapshot() as snapshot:
            view = self._make_view(snapshot)
            found = view.entities(view.lookup(name)) if wanted else []
        own = [each for each in found if fold(each.name) == wanted]
        other = [each for each in found if wanted in map(fold, each.aliases) and each not in own]
        return sorted(own, key=_age_key) or sorted(other, key=_age_key)

    def find_meant(self, entity: Entity) -> Entity | None:
        """The stored entity that one of this name and type continues; of another type only where
        there is no other.

        Raises:
            AmbiguousError: several of a fitting type have the name.
        """
        if given := self.read_standing([entity.id] * bool(entity.id)):
            return given[entity.id]
        found = self.find_named(entity.name)
        with self._engine.store.snapshot() as snapshot:
            kinds = read_kinds(snapshot, self._space)
        kind = declared_kind(entity.entity_type, kinds) or snake_case(entity.entity_type)
        own_kind = {
            each.id: declared_kind(each.entity_type, kinds) or snake_case(each.entity_type)
            for each in found
        }
        for fitting in (
            [each for each in found if own_kind[each.id] == kind],
            [each for each in found if are_kinds_compatible(own_kind[each.id], kind)],
        ):
            if len(fitting) > 1:
                raise AmbiguousError(f"{len(fitting)} entities of the space have this name")
            if fitting:
                return fitting[0]
        return found[0] if found else None

    def upsert(self, entity: Entity) -> str:
        """Writes what is said of an entity; returns the id under which it stands.

        Where `entity.id` is of another kind, what is said goes to an entity of the kind it was said
        of, and whether the two are one is left to a review.

        Raises:
            AmbiguousError: several entities bear the name.
        """
        entity = self._make_guard().mask_entity(entity)

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            known = gather_names(
                snapshot,
                self._space,
                [entity.name, *entity.aliases],
                ids=[entity.id] * bool(entity.id),
                attributes={snake_case(name) for name in entity.attributes},
            )
            given = self._read_given(snapshot)
            source = self._by_hand(self.session, "")
            first = known.entities.get(entity.id)
            if first is None:
                return by_hand.plan_put(
                    replace(entity, id=""), known, source=source, strict=False, **given
                )
            kind = declared_kind(entity.entity_type, given["kinds"]) or snake_case(
                entity.entity_type
            )
            if are_kinds_compatible(first.kind, kind):
                same = replace(entity, id=known.home_of(first.id))
                return by_hand.plan_put(same, known, source=source, strict=False, **given)
            planned = by_hand.plan_put(
                replace(entity, id=""), known, source=source, strict=False, **given
            )
            asked = self._ask_whether_same(
                snapshot, first, planned.entity_ids[0], entity.entity_type
            )
            return replace(
                planned,
                changes=(*planned.changes, *asked),
                entity_ids=(first.id, *planned.entity_ids),
            )

        receipt = self._write_by_hand("put", plan_changes)
        self._follow_version(receipt.versions)
        return receipt.entity_ids[0]

    def _ask_whether_same(
        self, snapshot: Snapshot, first: EntityRecord, second: str, entity_type: str
    ) -> list[Change]:
        key = pair_id(first.id, second)
        homes = snapshot.canonical(self._space, [first.id, second])
        asked = bool(snapshot.get(self._space, Review, [key])) or bool(
            snapshot.get(self._space, NotSame, [key])
        )
        if asked or len(set(homes.values())) < 2:
            return []
        review = Review(
            id=key,
            left_id=first.id,
            right_id=second,
            score=0.5,
            evidence=(f"one name for {first.label or first.kind} and {entity_type}",),
            created_at=self._engine.clock(),
        )
        return [Change(after=review)]

    def _follow_version(self, versions: Sequence[int]) -> None:
        if versions and versions[0] == self._version + 1:
            self._version = versions[-1]

    def done_since(self) -> set[str]:
        """Returns the verbs of the space's log since the last call, other than from here."""
        with self._engine.store.snapshot() as snapshot:
            version = snapshot.version(self._space)
            since = (
                snapshot.log(self._space, after=self._version) if version != self._version else ()
            )
        self._version = version
        return {commit.stamp.verb for commit in since}

    def read_standing(self, ids: Sequence[str]) -> dict[str, Entity]:
        """The entities that still stand, by the ids that were asked for."""
        with self._engine.store.snapshot() as snapshot:
            known = snapshot.get(self._space, EntityRecord, ids)
            homes = snapshot.canonical(self._space, known)
            entities = {
                each.id: each
                for each in self._make_view(snapshot).entities(list(dict.fromkeys(homes.values())))
            }
        return {key: entities[home] for key, home in homes.items() if home in entities}

    def find_about(self, query: str) -> list[Entity]:
        """The entities of the space that a query names, or whose lines hold its words; the nearest
        ones first.
        """
        now = self._engine.clock()
        with self._engine.store.snapshot() as snapshot:
            view = self._make_view(snapshot)
            named = view.entities(
                [key for word in _name_phrases(query) for key in view.lookup(word)][:MOST_ABOUT]
            )
            request = RecallRequest(
                snapshot=snapshot,
                spaces=(self._space,),
                question=query,
                budget=ABOUT_TOKENS,
                where=LineFilter(kinds=("fact", "relation", "entity"), now=now),
                kinds=read_kinds(snapshot, self._space),
                now=now,
                tokenizer=self._engine.tokenizer,
                weights=self._weights,
            )
            found = recall(request)
            ids = [key for line in found.lines for key in line.entity_ids if key != SELF]
            met = view.entities(list(dict.fromkeys(ids))[:MOST_ABOUT])
        return list({each.id: each for each in (*named, *met) if each.id != SELF}.values())[
            :MOST_ABOUT
        ]

    def save_rows(self, rows: Sequence[Row]) -> None:
        """Keeps the working set of the session, in the order of use."""
        said = [
            [row.id, row.mentions, row.first_seen.timestamp(), row.last_seen.timestamp(), row.turn]
            for row in rows
            if row.id
        ]
        key = self._saved_key()

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            before = snapshot.get(self._space, Note, [key]).get(key)
            now = self._engine.clock()
            note = before or Note(
                id=key,
                text="working memory of a session",
                category=WORKING_SET,
                importance=0.0,
                persistent=True,
                created_at=now,
                expires_at=now,
                source=self._by_hand(self.session, ""),
            )
            after = replace(note, metadata={"entities": json.dumps(said)})
            return by_hand.HandPlan(
                changes=() if after == before else (Change(before=before, after=after),)
            )

        _, versions = self._commit_planned(
            plan_changes, lambda _: Stamp(at=self._engine.clock(), actor="user", verb="session")
        )
        self._follow_version(versions)

    def read_saved(self) -> list[tuple[Saved, Entity]]:
        """The working set that was saved of the session, as its entities are now; what was erased
        is left out.
        """
        with self._engine.store.snapshot() as snapshot:
            note = snapshot.get(self._space, Note, [self._saved_key()]).get(self._saved_key())
        rows: list[list[Any]] = json.loads(note.metadata.get("entities", "[]")) if note else []
        every = [
            Saved(
                id=row[0],
                mentions=row[1],
                first_seen=datetime.fromtimestamp(row[2], UTC),
                last_seen=datetime.fromtimestamp(row[3], UTC),
                turn=row[4],
            )
            for row in rows
        ]
        standing = self.read_standing([each.id for each in every])
        return [(each, standing[each.id]) for each in every if each.id in standing]

    def _saved_key(self) -> str:
        return "session-" + hashlib.blake2b(self.session.encode(), digest_size=10).hexdigest()


def _name_phrases(text: str) -> list[str]:
    """Runs of words that may be a name."""
    tokens = [token.strip(_AROUND) for token in text.split()[:MOST_WORDS]]
    lengths = range(min(LONGEST_NAME, len(tokens)), 0, -1)
    every = (
        " ".join(tokens[at : at + length])
        for length in lengths
        for at in range(len(tokens) - length + 1)
    )
    return [each.removesuffix("'s").removesuffix("’s") for each in dict.fromkeys(every) if each]


def _age_key(entity: Entity) -> tuple[float, str]:
    return (entity.first_seen.timestamp() if entity.first_seen else 0.0, entity.id)
