"""Candidates for a name of a draft: the entities that may bear it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from factbook.model.draft import Draft
from factbook.model.record import EntityRecord
from factbook.resolve.known_record import KnownRecord
from factbook.resolve.name_match import check_other_names, decide_names, is_part_of_name
from factbook.resolve.verdict import Decision, Named, decide_separate, decision_order
from factbook.text.names import name_keys


@dataclass(kw_only=True, slots=True, eq=False)
class Bearer:
    """A candidate: an entity of the space, or one that this draft brought."""

    row: EntityRecord
    names: list[str]
    home: str
    together: bool | None
    decisions: dict[str, Decision] = field(default_factory=dict[str, Decision])

    def judge_name(self, name: str, kind: str, others: Sequence[str] = ()) -> Decision:
        """Returns the best decision on the name over all names of the candidate; `others` are more
        names of whom is meant.
        """
        best, met = decide_separate("no name is near"), self.row.name
        for own in self.names:
            if is_part_of_name(own, self.row.name):
                continue
            decision = decide_names(
                Named(name=name, kind=kind),
                Named(name=own, kind=self.row.kind),
                together=self.together,
            )
            if decision_order(decision) > decision_order(best):
                best, met = decision, own
        return check_other_names(
            best,
            Named(name=name, kind=kind),
            Named(name=met, kind=self.row.kind),
            others,
            self.names,
        )


def may_be_meant(draft: Draft, known: KnownRecord) -> set[str]:
    """Returns ids of the known entities that a name of the draft may mean, for reading what is
    known of them.
    """
    names: dict[str, list[str]] = {key: [row.name] for key, row in known.entities.items()}
    for alias in known.aliases:
        names.setdefault(alias.entity_id, []).append(alias.name)
    by_key = _index_by_key(names)
    found: set[str] = set()
    for entity in draft.entities:
        for name in (entity.name, *entity.aliases):
            near = {each for key in name_keys(name) for each in by_key.get(key, ())} - found
            found |= {
                each
                for each in near
                if _may_be(name, entity.kind, known.entities[each], names[each])
            }
    for fact in draft.naming_facts:
        for key in name_keys(fact.value)[:1]:
            found |= by_key.get(key, set())
    return found


def _index_by_key(names: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """Returns the ids of the entities that have a name of that key."""
    by_key: dict[str, set[str]] = {}
    for entity_id, own in names.items():
        for name in own:
            for key in name_keys(name):
                by_key.setdefault(key, set()).add(entity_id)
    return by_key


def _may_be(name: str, kind: str, row: EntityRecord, names: Sequence[str]) -> bool:
    open_kind = kind if kind == row.kind else "other"
    return any(
        decide_names(Named(name=name, kind=open_kind), Named(name=own, kind=row.kind)).verdict
        != "separate"
        for own in names
    )
