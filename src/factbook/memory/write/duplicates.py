"""Finding entities that are one, over a whole space; and what waits for a decision, with both
sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from factbook.errors import InputError
from factbook.learn.gather import gather_names
from factbook.memory.binding import Bound
from factbook.model.change import Change
from factbook.model.duplicate import Deduped, Duplicate, Party, Waiting
from factbook.model.entity import Entity
from factbook.model.receipt import Receipt
from factbook.model.record import SELF, EntityRecord, EntityType, Fact, NotSame, Review, pair_id
from factbook.ports.snapshot import Snapshot
from factbook.resolve import by_hand
from factbook.resolve.duplicates import find_duplicates
from factbook.resolve.entity_match import Side, side_of
from factbook.resolve.verdict import Decision
from factbook.views.space_kinds import read_kinds

AT_ONCE = 2000
"""Entities read at once."""
SAID_OF_EACH = 6
"""So many attributes of each side of a review are shown."""

_NOBODY = Party(id="", name="[forgotten]", kind="other")
"""The one side of a review of who bears a forgotten name."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class _PlannedMerge:
    changes: tuple[Change, ...]


class Deduping(Bound):
    """The part of `Memory` that looks for duplicates."""

    def duplicates(
        self,
        *,
        kinds: Sequence[str] = (),
        limit: int | None = None,
        progress: Progress | None = None,
    ) -> list[Duplicate]:
        """Pairs of entities that are one for sure, then those that may be, the surest first. Writes
        nothing.

        Args:
            kinds: only entities of these. limit: so many pairs at most.
            progress: called now and then with how many pairs were looked at, of how many.

        Raises:
            InputError: a limit below 1.
        """
        if limit is not None and limit < 1:
            raise InputError(f"a limit is at least 1, not {limit}")
        with self._engine.store.snapshot() as snapshot:
            known = read_kinds(snapshot, self._space)
            sides = list(
                self._read_sides(snapshot, snapshot.entity_ids(self._space, kinds=kinds), known)
            )
            parted = self._find_pairs(snapshot, snapshot.every(self._space, NotSame))
            waiting = self._find_pairs(snapshot, snapshot.reviews(self._space))
        found = find_duplicates(sides, apart=parted, waiting=waiting, progress=progress)[:limit]
        return [
            _make_duplicate(sides[each.left], sides[each.right], each.decision) for each in found
        ]

    def dedupe(
        self,
        *,
        kinds: Sequence[str] = (),
        dry_run: bool = False,
        progress: Progress | None = None,
        reason: str = "",
    ) -> Deduped:
        """Merges the pairs that are one for sure, each by a commit of its own that `undo` takes
        back, and puts those that may be up for review.

        Args:
            kinds, progress: as for `duplicates`. dry_run: only say what would be done.
        """
        found = self.duplicates(kinds=kinds, progress=progress)
        sure = [each for each in found if each.verdict == "merge"]
        asked = _still_two([each for each in found if each.verdict == "ask"], sure)
        if dry_run:
            receipt = Receipt(space=self._space, verb="dedupe")
            return Deduped(merged=tuple((each, receipt) for each in sure), asked=tuple(asked))
        done = [(each, self._made_one(each, reason)) for each in sure]
        if asked:
            self._ask_about(asked, reason)
        return Deduped(
            merged=tuple((each, receipt) for each, receipt in done if receipt is not None),
            asked=tuple(asked),
            left=tuple(each for each, receipt in done if receipt is None),
        )

    def doubts(self) -> list[Waiting]:
        """Returns the reviews that wait for a decision (`decide`), each with both sides and what is
        known of them, oldest first.
        """
        with self._engine.store.snapshot() as snapshot:
            reviews = snapshot.reviews(self._space)
            view = self._make_view(snapshot)
            homes = snapshot.canonical(
                self._space, {end for row in reviews for end in (row.left_id, row.right_id)}
            )
            entities = {
                entity.id: entity for entity in view.entities(list(dict.fromkeys(homes.values())))
            }
        return [
            Waiting(
                id=row.id,
                left_id=row.left_id,
                right_id=row.right_id,
                left=_make_party(entities[homes[row.left_id]])
                if row.left_id != row.right_id
                else _NOBODY,
                right=_make_party(entities[homes[row.right_id]]),
                score=row.score,
                evidence=row.evidence,
                created_at=row.created_at,
            )
            for row in reviews
            if homes[row.left_id] in entities and homes[row.right_id] in entities
        ]

    def _read_sides(
        self, snapshot: Snapshot, ids: Sequence[str], kinds: Mapping[str, EntityType]
    ) -> Iterable[Side]:
        for start in range(0, len(ids), AT_ONCE):
            members = snapshot.members(
                self._space, [key for key in ids[start : start + AT_ONCE] if key != SELF]
            )
            home = {key: root for root, group in members.items() for key in group}
            rows = snapshot.get(self._space, EntityRecord, home)
            names: dict[str, list[str]] = {key: [] for key in members}
            for key, row in rows.items():
                names[home[key]].append(row.name)
            for alias in snapshot.aliases(self._space, home):
                names[home[alias.entity_id]].append(alias.name)
            said = {key: list[Fact]() for key in members}
            for fact in snapshot.facts(self._space, home):
                said[home[fact.entity_id]].append(fact)
            for key in members:
                if key in rows:
                    yield side_of(rows[key], names[key], said[key], kinds.get(rows[key].kind))

    def _find_pairs(
        self, snapshot: Snapshot, rows: Iterable[NotSame | Review]
    ) -> set[frozenset[str]]:
        ends = [(row.left_id, row.right_id) for row in rows]
        homes = snapshot.canonical(self._space, {key for pair in ends for key in pair})
        return {frozenset((homes[left], homes[right])) for left, right in ends}

    def _made_one(self, pair: Duplicate, reason: str) -> Receipt | None:
        """Merges the two; None where they are one by now, or recorded as two."""
        decision = Decision(verdict="merge", score=pair.score, evidence=pair.evidence)

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            known = gather_names(snapshot, self._space, [], ids=(pair.left_id, pair.right_id))
            return by_hand.plan_merge(
                pair.left_id, pair.right_id, known, decision=decision, **self._read_given(snapshot)
            )

        try:
            return self._write_by_hand("dedupe", plan_changes, reason)
        except InputError:
            return None

    def _ask_about(self, pairs: Sequence[Duplicate], reason: str) -> None:
        """Puts the pairs up for review that don't wait already."""

        def plan_changes(snapshot: Snapshot) -> by_hand.HandPlan:
            now = self._engine.clock()
            ids = {pair_id(each.left_id, each.right_id): each for each in pairs}
            held = snapshot.get(self._space, Review, ids)
            rows = [
                Review(
                    id=key,
                    left_id=each.left_id,
                    right_id=each.right_id,
                    score=each.score,
                    evidence=each.evidence,
                    created_at=now,
                )
                for key, each in ids.items()
                if key not in held
            ]
            return by_hand.HandPlan(
                changes=tuple(Change(after=row) for row in rows), ids=tuple(row.id for row in rows)
            )

        self._write_by_hand("dedupe", plan_changes, reason)


def _still_two(asked: Sequence[Duplicate], sure: Sequence[Duplicate]) -> list[Duplicate]:
    """Returns the doubtful pairs that the sure ones don't make one anyway."""
    home: dict[str, str] = {}

    def root(key: str) -> str:
        while key in home:
            key = home[key]
        return key

    for pair in sure:
        left, right = root(pair.left_id), root(pair.right_id)
        if left != right:
            home[right] = left
    return [pair for pair in asked if root(pair.left_id) != root(pair.right_id)]


def _make_duplicate(left: Side, right: Side, decision: Decision) -> Duplicate:
    assert decision.verdict != "separate", "only pairs that may be one are shown"
    return Duplicate(
        left_id=left.row.id,
        right_id=right.row.id,
        left_name=left.row.name,
        right_name=right.row.name,
        left_kind=left.row.kind,
        right_kind=right.row.kind,
        verdict=decision.verdict,
        score=round(decision.score, 3),
        evidence=decision.evidence,
    )


def _make_party(entity: Entity) -> Party:
    said = [f"{name}: {value}" for name, value in entity.attributes.items()]
    said += [
        f"{link.from_name} {link.relation.label} {link.to_name}"
        for link in entity.links
        if link.state == "current"
    ]
    return Party(
        id=entity.id,
        name=entity.name,
        kind=entity.entity_type,
        names=tuple(entity.aliases),
        said=tuple(said[:SAID_OF_EACH]),
        mentions=entity.mentions,
    )
