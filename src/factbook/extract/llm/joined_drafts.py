"""Two drafts of one episode as one: what the rules found, and what a model adds to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from factbook.extract.llm.dropped_items import bound_dropped
from factbook.extract.llm.episode_sheet import STATEMENTS
from factbook.model.draft import (
    Draft,
    DraftEntity,
    DraftFact,
    DraftMention,
    DraftObservation,
    DraftRelation,
    Dropped,
)
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext
from factbook.text.names import fold

_S = TypeVar("_S", DraftFact, DraftRelation)


def join_drafts(local: Draft, model: Draft, context: ExtractionContext, extractor: str) -> Draft:
    """Returns the local draft with what the model's adds.

    The same name is one entity, and so are two decisions (preferences, …) whose words overlap. Its
    kind is the model's, unless that is `other` or the space knows the name by another kind. Facts
    and relations of the local draft stay as they are; the model's come beside, unless they say the
    same (then they only give missing times) or gainsay it in the same message, which is dropped as
    `said_already`.
    """
    return _Join(local, model, context).join_both(extractor)


@dataclass(slots=True)
class _Join:
    local: Draft
    model: Draft
    context: ExtractionContext

    def join_both(self, extractor: str) -> Draft:
        mine, theirs = self._new_refs()
        entities: dict[str, DraftEntity] = {}
        for each in self.local.entities:
            ref = mine.get(each.ref, each.ref)
            entities[ref] = (
                self._join_entities(entities[ref], each)
                if ref in entities
                else replace(each, ref=ref)
            )
        for each in self.model.entities:
            ref = theirs[each.ref]
            entities[ref] = (
                self._join_entities(entities[ref], each)
                if ref in entities
                else replace(each, ref=ref)
            )
        dropped = [*self.local.dropped, *self.model.dropped]
        facts = self._join_facts(
            _with_refs(self.local.facts, mine),
            _with_refs(self.model.facts, theirs),
            entities,
            dropped,
        )
        relations = _join_relations(
            _with_refs(self.local.relations, mine),
            _with_refs(self.model.relations, theirs),
            dropped,
        )
        return Draft(
            episode_id=self.local.episode_id,
            extractor=extractor,
            entities=tuple(entities.values()),
            facts=tuple(facts),
            relations=tuple(relations),
            observations=_join_observations(
                _refer_to(self.local.observations, mine),
                _refer_to(self.model.observations, theirs),
            ),
            dropped=bound_dropped(dropped),
        )

    def _new_refs(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Maps the refs of the two drafts to those of the joined one."""
        mine: dict[str, str] = {}
        theirs: dict[str, str] = {SELF: SELF}
        by_name = {
            key: each.ref for each in reversed(self.local.entities) for key in _entity_keys(each)
        }
        for number, each in enumerate(self.model.entities, 1):
            found = next(
                (by_name[key] for key in _entity_keys(each) if key in by_name), None
            ) or self._find_overlapping(each)
            if each.ref == SELF:
                if found not in (None, SELF):
                    mine[str(found)] = SELF
            else:
                theirs[each.ref] = found or f"m{number}"
        return mine, {ref: mine.get(to, to) for ref, to in theirs.items()}

    def _find_overlapping(self, entity: DraftEntity) -> str | None:
        """Returns the decision, preference or the like of the local draft whose words it shares."""
        if entity.kind not in STATEMENTS:
            return None
        alike = (each for each in self.local.entities if each.kind == entity.kind)
        return next((each.ref for each in alike if _share_words(each, entity)), None)

    def _join_entities(self, left: DraftEntity, right: DraftEntity) -> DraftEntity:
        known = self.context.known.get(fold(left.name), "other")
        kind = left.kind
        is_named = left.ref != SELF and kind not in STATEMENTS
        if is_named and right.kind != "other" and not right.phrase:
            kind = known if known != "other" else right.kind
        names = [each for each in (*left.aliases, right.name, *right.aliases) if each != left.name]
        mentions = {
            (each.message_id, each.start, each.end): each
            for each in (*left.mentions, *right.mentions)
        }
        return replace(
            left,
            kind=kind,
            phrase=left.phrase and right.phrase,
            aliases=tuple(dict.fromkeys(names)) if left.kind not in STATEMENTS else left.aliases,
            description=left.description or right.description,
            importance=max(left.importance, right.importance),
            mentions=tuple(mentions.values()),
            metadata={**right.metadata, **left.metadata},
        )

    def _join_facts(
        self,
        local: Sequence[DraftFact],
        model: Sequence[DraftFact],
        entities: Mapping[str, DraftEntity],
        dropped: list[Dropped],
    ) -> list[DraftFact]:
        out = list(local)
        at = {
            (each.ref, each.attribute, fold(each.value)): number
            for number, each in reversed(list(enumerate(out)))
        }
        said = {(each.ref, each.attribute, each.message_id) for each in local}
        for each in model:
            key = (each.ref, each.attribute, fold(each.value))
            kind = self.context.kinds.get(
                entities[each.ref].kind if each.ref in entities else "person"
            )
            single = kind is None or kind.attributes.get(each.attribute, "single") == "single"
            if key in at and out[at[key]].retracts == each.retracts:
                out[at[key]] = _with_times(out[at[key]], each)
            elif key in at or (single and (each.ref, each.attribute, each.message_id) in said):
                dropped.append(
                    Dropped(reason="said_already", what=f"{each.ref} {each.attribute} {each.value}")
                )
            else:
                at[key] = len(out)
                out.append(each)
        return out


def _join_relations(
    local: Sequence[DraftRelation], model: Sequence[DraftRelation], dropped: list[Dropped]
) -> list[DraftRelation]:
    out = [each for each in local if each.from_ref != each.to_ref]
    at = {
        (each.from_ref, each.label, each.to_ref): number
        for number, each in reversed(list(enumerate(out)))
    }
    for each in model:
        key = (each.from_ref, each.label, each.to_ref)
        if each.from_ref == each.to_ref:
            continue
        if key not in at:
            at[key] = len(out)
            out.append(each)
        elif out[at[key]].retracts == each.retracts:
            out[at[key]] = _with_times(out[at[key]], each)
        else:
            dropped.append(Dropped(reason="said_already", what=" ".join(key)))
    return out


def _with_times(known: _S, said: _S) -> _S:
    """Returns the statement with the times of the other, if it has none."""
    if known.valid_at is not None or known.invalid_at is not None:
        return known
    return replace(known, valid_at=said.valid_at, invalid_at=said.invalid_at, grain=said.grain)


def _with_refs(statements: Sequence[_S], refs: Mapping[str, str]) -> list[_S]:
    """Returns the statements with the refs that theirs become."""
    out: list[_S] = []
    for each in statements:
        if isinstance(each, DraftFact):
            out.append(replace(each, ref=refs.get(each.ref, each.ref)))
        else:
            ends = {
                name: refs.get(getattr(each, name), getattr(each, name))
                for name in ("from_ref", "to_ref")
            }
            out.append(replace(each, **ends))
    return out


def _entity_keys(entity: DraftEntity) -> list[str]:
    if entity.kind in STATEMENTS:
        return [f"{entity.kind}: {fold(entity.name)}"]
    return [fold(each) for each in (entity.name, *entity.aliases)]


def _share_words(left: DraftEntity, right: DraftEntity) -> bool:
    return any(_meet(one, other) for one in left.mentions for other in right.mentions)


def _meet(one: DraftMention, other: DraftMention) -> bool:
    return one.message_id == other.message_id and one.start < other.end and other.start < one.end


def _refer_to(
    observations: Sequence[DraftObservation], refs: Mapping[str, str]
) -> list[DraftObservation]:
    """Returns the observations with the refs that theirs become."""
    return [
        replace(each, refs=tuple(refs.get(ref, ref) for ref in each.refs)) for each in observations
    ]


def _join_observations(
    local: Sequence[DraftObservation], model: Sequence[DraftObservation]
) -> tuple[DraftObservation, ...]:
    """Returns both, without those of the model whose words stand in a local one or hold it."""
    fresh = [each for each in model if not any(_are_same_words(each, other) for other in local)]
    return (*local, *fresh)


def _are_same_words(left: DraftObservation, right: DraftObservation) -> bool:
    if left.message_id != right.message_id:
        return False
    return left.quote in right.quote or right.quote in left.quote
