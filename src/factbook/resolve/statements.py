"""Facts and relations of a draft, laid out on the timelines of what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.model.draft import DraftFact, DraftRelation
from factbook.model.episode import Episode, StoredMessage
from factbook.model.record import NEVER, SELF, EntityRecord, EntityType, Fact, Relation, Source
from factbook.resolve.entities import Linker, source_of
from factbook.resolve.known import Known
from factbook.resolve.sheet import Sheet
from factbook.resolve.timeline import Group, Said, resettle, settle, unsay
from factbook.resolve.values import (
    NAME_ATTRIBUTES,
    ONE_HOLDER,
    PRESENT_OF,
    SYMMETRIC,
    attribute_cardinality,
    fold_value,
    relation_cardinality,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Timelines:
    """Writes statements to the sheet, group by group."""

    known: Known
    kinds: Mapping[str, EntityType]
    sheet: Sheet
    now: datetime
    new_id: Callable[[], str]

    def facts(self, said: Sequence[tuple[Fact, bool]], rows: Mapping[str, EntityRecord]) -> None:
        """Facts without ids, each with whether it is a retraction; `rows` are their entities."""
        groups: dict[tuple[str, str], list[Said[Fact]]] = {}
        for fact, retracts in said:
            statement = Said(row=fact, value=fold_value(fact.value), retracts=retracts)
            groups.setdefault((fact.entity_id, fact.attribute), []).append(statement)
        for (entity_id, attribute), statements in groups.items():
            group = self._fact_group(entity_id, attribute, rows)
            settle(group, statements, self.sheet, now=self.now, new_id=self.new_id)

    def relations(self, said: Sequence[tuple[Relation, bool]], rows: Mapping[str, EntityRecord]) -> None:
        """The same for relations. A label that says of another that it holds no longer ends that one too."""
        groups: dict[tuple[str, str, str], list[Said[Relation]]] = {}
        for relation, retracts in self._turned(said):
            key = self._group_key(relation, relation.label, rows)
            value = relation.from_id if key[0] == "" else relation.to_id
            groups.setdefault(key, []).append(Said(row=relation, value=value, retracts=retracts))
            present = PRESENT_OF.get(relation.label)
            if present and not retracts:
                key = self._group_key(relation, present, rows)
                value = relation.from_id if key[0] == "" else relation.to_id
                groups.setdefault(key, []).append(Said(row=relation, value=value, retracts=True, marked=False))
        for key, statements in groups.items():
            settle(self._group(key, rows), statements, self.sheet, now=self.now, new_id=self.new_id)

    def again(self, gone: Iterable[Fact | Relation], rows: Mapping[str, EntityRecord]) -> None:
        """Lays out anew what these bore upon, which were erased: what they had ended may hold again."""
        facts = {(row.entity_id, row.attribute): None for row in gone if isinstance(row, Fact)}
        for entity_id, attribute in facts:
            resettle(self._fact_group(entity_id, attribute, rows), self.sheet, now=self.now, new_id=self.new_id)
        keys = {
            self._group_key(row, label, rows): None
            for row in gone
            if isinstance(row, Relation)
            for label in (row.label, PRESENT_OF.get(row.label, row.label))
        }
        for key in keys:
            resettle(self._group(key, rows), self.sheet, now=self.now, new_id=self.new_id)

    def unsay(self, is_meant: Callable[[Source], bool], rows: Mapping[str, EntityRecord]) -> None:
        """Takes the statements that are meant out of all that is known."""
        attributes = dict.fromkeys((fact.entity_id, fact.attribute) for fact in self.known.facts)
        for entity_id, attribute in attributes:
            unsay(self._fact_group(entity_id, attribute, rows), is_meant, self.sheet, now=self.now, new_id=self.new_id)
        keys = dict.fromkeys(
            self._group_key(relation, label, rows)
            for relation in self.known.relations
            for label in {relation.label, PRESENT_OF.get(relation.label, relation.label)}
        )
        for key in keys:
            unsay(self._group(key, rows), is_meant, self.sheet, now=self.now, new_id=self.new_id)

    def _fact_group(self, entity_id: str, attribute: str, rows: Mapping[str, EntityRecord]) -> Group[Fact]:
        return Group(
            rows=[each for each in self.known.facts if (each.entity_id, each.attribute) == (entity_id, attribute)],
            supports=self.known.supports,
            value=_fact_value,
            cardinality=attribute_cardinality(self._kind(rows, entity_id), attribute),
        )

    def _turned(self, said: Sequence[tuple[Relation, bool]]) -> Iterable[tuple[Relation, bool]]:
        """Links without direction are written the way round in which they are known."""
        known = {(each.from_id, each.label, each.to_id) for each in self.known.relations}
        for relation, retracts in said:
            ends = (relation.from_id, relation.label, relation.to_id)
            if relation.label in SYMMETRIC and ends not in known and ends[::-1] in known:
                relation = replace(relation, from_id=relation.to_id, to_id=relation.from_id)
            known.add((relation.from_id, relation.label, relation.to_id))
            yield relation, retracts

    def _group_key(self, relation: Relation, label: str, rows: Mapping[str, EntityRecord]) -> tuple[str, str, str]:
        """(from, label, to); an empty end stands for any: values of a group exclude each other."""
        if label in ONE_HOLDER:
            return "", label, relation.to_id
        if relation_cardinality(self._kind(rows, relation.from_id), label) == "single":
            return relation.from_id, label, ""
        return relation.from_id, label, relation.to_id

    def _group(self, key: tuple[str, str, str], rows: Mapping[str, EntityRecord]) -> Group[Relation]:
        from_id, label, to_id = key
        kind = self._kind(rows, from_id)
        near = [each for each in self.known.relations if from_id in ("", each.from_id) and to_id in ("", each.to_id)]
        return Group(
            rows=[each for each in near if each.label == label],
            supports=self.known.supports,
            value=_from if from_id == "" else _to,
            cardinality="single" if "" in (from_id, to_id) else relation_cardinality(kind, label),
            endings=[each for each in near if PRESENT_OF.get(each.label) == label and each.expired_at is None],
        )

    def _kind(self, rows: Mapping[str, EntityRecord], entity_id: str) -> EntityType | None:
        row = rows.get(entity_id)
        return self.kinds.get(row.kind) if row else None


def _fact_value(row: Fact) -> str:
    return fold_value(row.value)


def _from(row: Relation) -> str:
    return row.from_id


def _to(row: Relation) -> str:
    return row.to_id


def _source(said: DraftFact | DraftRelation, message: StoredMessage | None, episode: Episode) -> Source:
    """The statement's source, with the times that its words give."""
    source = source_of(message, episode, said.quote)
    if said.told_by and source.standing == "user":
        source = replace(source, standing="hearsay", speaker=said.told_by)
    until = NEVER if said.retracts and said.never else said.invalid_at
    return replace(source, since=said.valid_at, until=until, grain=said.grain)


def draft_facts(facts: Sequence[DraftFact], linker: Linker, episode: Episode, now: datetime) -> list[tuple[Fact, bool]]:
    """The draft's facts as rows without ids; names that are told become aliases."""
    messages = {message.id: message for message in episode.messages}
    out: list[tuple[Fact, bool]] = []
    for each in facts:
        entity_id = linker.ids.get(each.ref)
        if entity_id is None:
            continue
        if entity_id == SELF:
            linker.self_row()
        source = _source(each, messages.get(each.message_id), episode)
        if each.attribute in NAME_ATTRIBUTES and not each.retracts:
            linker.add_alias(entity_id, each.value, source)
        fact = Fact(
            id="",
            entity_id=entity_id,
            attribute=each.attribute,
            value=each.value,
            created_at=now,
            importance=each.importance,
            source=source,
        )
        out.append((fact, each.retracts))
    return out


def draft_relations(
    relations: Sequence[DraftRelation], linker: Linker, episode: Episode, now: datetime
) -> list[tuple[Relation, bool]]:
    """The draft's relations as rows without ids; links of an entity with itself are left out."""
    messages = {message.id: message for message in episode.messages}
    out: list[tuple[Relation, bool]] = []
    for each in relations:
        ends = linker.ids.get(each.from_ref), linker.ids.get(each.to_ref)
        if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
            continue
        if SELF in ends:
            linker.self_row()
        relation = Relation(
            id="",
            from_id=ends[0],
            label=each.label,
            to_id=ends[1],
            note=each.note,
            created_at=now,
            importance=each.importance,
            source=_source(each, messages.get(each.message_id), episode),
        )
        out.append((relation, each.retracts))
    return out
