"""Two known entities that turn out to be one: what a draft says, or adds to what is known, settles
a doubt.

Only a rule that names why merges: one is said to be the other ("Bob is Robert Fuller"), or two that
wait for review, or share what belongs to one alone, are judged again by all that is known by now. A
merge is one `SameAs` row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.model.draft import Draft, DraftRelation
from factbook.model.record import (
    SELF,
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Review,
    SameAs,
    pair_id,
)
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.entity_linking import Linker
from factbook.resolve.entity_match import Side, judge_pair, side_of
from factbook.resolve.known_record import KnownRecord
from factbook.resolve.name_bearers import Bearer
from factbook.resolve.name_match import are_kinds_compatible, decide_names
from factbook.resolve.person_names import parse_person
from factbook.resolve.records.sorts import normal_form
from factbook.resolve.unnamed_roles import (
    LABELS,
    held_by,
    parse_role,
    says_a_change,
)
from factbook.resolve.verdict import Decision, Named, decide_ask, decide_merge
from factbook.text.host_ids import stored_form
from factbook.text.names import fold


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two entities that may be one, with the decision on them."""

    left: str
    right: str
    decision: Decision


class Settler:
    """Settles identities after a draft was linked and its statements laid out."""

    def __init__(
        self,
        known: KnownRecord,
        linker: Linker,
        kinds: Mapping[str, EntityType],
        sheet: ChangeSheet,
        now: datetime,
    ):
        self._known, self._linker, self._kinds, self._sheet, self._now = (
            known,
            linker,
            kinds,
            sheet,
            now,
        )
        self._rows = {**known.doubted, **linker.rows}
        self._homes = {key: known.home_of(key) for key in self._rows}
        self._apart = {
            frozenset((known.home_of(row.left_id), known.home_of(row.right_id)))
            for row in known.not_same.values()
        }
        rows = [change.after for change in sheet.list_changes()]
        self._said = [row for row in rows if isinstance(row, Fact)]
        self._aliases = [
            *known.aliases,
            *known.doubted_aliases,
            *(row for row in rows if isinstance(row, Alias)),
        ]
        self._reviews = {
            **known.reviews,
            **{row.id: row for row in rows if isinstance(row, Review)},
        }

    def settle_draft(self, draft: Draft) -> None:
        """Writes the merges, closes the reviews that they answer, and puts up for review what they
        leave in doubt.
        """
        for pair in [
            *self._introduced_pairs(draft),
            *self._named_pairs(draft),
            *self._doubted_pairs(),
        ]:
            first, second = self._home_of(pair.left), self._home_of(pair.right)
            if first == second or frozenset((first, second)) in self._apart:
                continue
            if pair.decision.verdict == "merge":
                self._merge_pair(pair)
            elif pair_id(pair.left, pair.right) not in self._reviews:
                self._open_review(pair)
        self._close_reviews()

    def _home_of(self, entity_id: str) -> str:
        return self._homes.get(entity_id, entity_id)

    # --- what the draft says ----------------------------------------------------------------------

    def _introduced_pairs(self, draft: Draft) -> Iterator[_Pair]:
        """Yields pairs of which the draft says that one is the other, by an alias of another."""
        names = {entity.ref: [*entity.aliases] for entity in draft.entities}
        for fact in draft.naming_facts:
            names.setdefault(fact.ref, []).append(fact.value)
        for ref, others in names.items():
            entity_id = self._linker.ids.get(ref, SELF)
            for name in dict.fromkeys(others) if entity_id != SELF else ():
                yield from self._same_name(entity_id, name)

    def _same_name(self, entity_id: str, name: str) -> Iterator[_Pair]:
        row = self._rows[entity_id]
        bearers = [each for each in self._linker.bearers_of(name) if self._may_be(row, each, name)]
        near = (
            [each for each in bearers if each.together] if len(_home_ids(bearers)) > 1 else bearers
        )
        reason = f"{row.name} is said to be {name}"
        sure = len(_home_ids(near)) == 1 and not (
            parse_person(name).bare and near[0].together is False
        )
        for each in near or bearers:
            decision = (
                decide_merge(0.95, reason)
                if sure
                else decide_ask(0.5, reason, "but several are called so")
            )
            yield _Pair(each.row.id, entity_id, decision)

    def _may_be(self, row: EntityRecord, other: Bearer, name: str) -> bool:
        if other.row.id == SELF or self._home_of(other.row.id) == self._home_of(row.id):
            return False
        if not are_kinds_compatible(row.kind, other.row.kind) or all(
            fold(own) != fold(name) for own in other.names
        ):
            return False
        found = decide_names(
            Named(name=row.name, kind=row.kind), Named(name=other.row.name, kind=other.row.kind)
        )
        return not found.veto and (
            fold(other.row.name) == fold(name) or found.verdict != "separate"
        )

    def _named_pairs(self, draft: Draft) -> Iterator[_Pair]:
        """Phrases such as "my manager" with the one whom the draft names as such, for the time of
        which it says so.
        """
        for relation in draft.relations:
            if relation.label in LABELS and not relation.retracts:
                yield from self._pairs_of_role(relation)

    def _pairs_of_role(self, relation: DraftRelation) -> Iterator[_Pair]:
        from_id, to_id = map(self._linker.ids.get, (relation.from_ref, relation.to_ref))
        if not from_id or not to_id:
            return
        for row, who in held_by(self._rows, relation.label, from_id, to_id):
            if self._home_of(row.id) == row.id != who and self._is_of_then(row, who, relation):
                decision = decide_merge(0.9, f"{row.name} is {self._rows[who].name}")
                yield _Pair(row.id, who, decision)

    def _is_of_then(self, row: EntityRecord, who: str, relation: DraftRelation) -> bool:
        """Returns whether nobody else held the role when the phrase was said."""
        said = row.said_at
        if says_a_change(relation.quote) or (
            relation.valid_at is not None and relation.valid_at > said
        ):
            return False
        ends = {row.id, who}
        others = (
            each
            for each in self._known.holding
            if each.label == relation.label and each.holds_at(said)
        )
        return all(ends & {each.from_id, each.to_id} for each in others)

    # --- what is known by now ---------------------------------------------------------------------

    def _doubted_pairs(self) -> Iterator[_Pair]:
        """Yields pairs that wait for review, or share what belongs to one alone, and that the draft
        touches: judged again.
        """
        touched = {self._home_of(key) for key in self._linker.ids.values()}
        waiting = [
            (row.left_id, row.right_id) for row in self._reviews.values() if row.state == "open"
        ]
        for left, right in sorted({*waiting, *self._alike_pairs()}):
            both = {self._home_of(left), self._home_of(right)}
            if len(both) == 2 and both & touched and {left, right} <= self._rows.keys():
                decision = judge_pair(
                    self._make_side(left), self._make_side(right), together=False, doubted=True
                )
                if decision.verdict == "merge" or (
                    decision.verdict == "ask" and (left, right) not in waiting
                ):
                    yield _Pair(left, right, decision)

    def _alike_pairs(self) -> Iterator[tuple[str, str]]:
        """Yields pairs of what this draft speaks of with those known to have the same value."""
        for fact in self._said:
            for other in self._known.bearing.get(
                (fact.attribute, normal_form("code", fact.value)), ()
            ):
                if other != fact.entity_id:
                    yield min(other, fact.entity_id), max(other, fact.entity_id)

    def _make_side(self, entity_id: str) -> Side:
        """Returns the statements of this one itself, this draft's included; not of those that it is
        merged with, so that no merge rests on what is parted again.
        """
        row = self._rows[entity_id]
        names = [alias.name for alias in self._aliases if alias.entity_id == entity_id]
        names += [stored_form(*item) for item in self._known.host_ids.get(entity_id, {}).items()]
        facts = [
            fact for fact in (*self._known.evidence, *self._said) if fact.entity_id == entity_id
        ]
        return side_of(row, names, facts, self._kinds.get(row.kind))

    # --- what that writes -------------------------------------------------------------------------

    def _merge_pair(self, pair: _Pair) -> None:
        """Links the two as they were said, so that parting one from others takes this along with
        it.

        The older stays canonical, and what has a name before a role without one; but one that is
        the same as another already can only stay.
        """
        canonical, merged = sorted((pair.left, pair.right), key=self._age_key)
        if self._home_of(merged) != merged:
            canonical, merged = (
                (merged, canonical)
                if self._home_of(canonical) == canonical
                else (canonical, self._home_of(merged))
            )
        self._sheet.put_row(
            SameAs(
                id=merged,
                entity_id=merged,
                canonical_id=canonical,
                score=pair.decision.score,
                evidence=pair.decision.evidence,
                created_at=self._now,
            )
        )
        home = self._home_of(canonical)
        self._homes = {key: home if each == merged else each for key, each in self._homes.items()}
        self._apart = {
            frozenset(home if key == merged else key for key in pair) for pair in self._apart
        }

    def _age_key(self, entity_id: str) -> tuple[bool, bool, datetime, str]:
        row = self._rows[entity_id]
        return entity_id != SELF, parse_role(row.name) is not None, row.created_at, entity_id

    def _open_review(self, pair: _Pair) -> None:
        review = Review(
            id=pair_id(pair.left, pair.right),
            left_id=pair.left,
            right_id=pair.right,
            score=pair.decision.score,
            evidence=pair.decision.evidence,
            created_at=self._now,
        )
        self._reviews[review.id] = review
        self._linker.reviews.append(review)
        self._sheet.put_row(review)

    def _close_reviews(self) -> None:
        """Reviews between what is one by now are accepted; those that this plan opened itself
        go.
        """
        opened = {review.id for review in self._linker.reviews}
        for review in self._reviews.values():
            if review.left_id == review.right_id:
                continue  # of one that bears a forgotten name: only its user can tell
            if review.state == "open" and self._home_of(review.left_id) == self._home_of(
                review.right_id
            ):
                if review.id in opened and review.id not in self._known.reviews:
                    self._sheet.take_new(review)
                else:
                    self._sheet.put_row(replace(review, state="accepted"), before=review)
        kept = [
            each
            for each in self._linker.reviews
            if self._home_of(each.left_id) != self._home_of(each.right_id)
        ]
        self._linker.reviews[:] = kept


def _home_ids(bearers: Iterable[Bearer]) -> set[str]:
    return {bearer.home for bearer in bearers}
