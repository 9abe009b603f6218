"""Facts and relations of a draft, laid out on the timelines of what is known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.model.change import Change
from factbook.model.draft import DraftFact, DraftObservation, DraftRelation
from factbook.model.episode import Episode, StoredMessage
from factbook.model.record import SELF, EntityRecord, EntityType, Fact, Observation, Relation
from factbook.model.source import NEVER, Source
from factbook.model.value_equality import (
    NAME_ATTRIBUTES,
    attribute_cardinality,
    fold_value,
)
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.entity_linking import Linker
from factbook.resolve.known_record import KnownRecord
from factbook.resolve.link_groups import LinkKey, Links
from factbook.resolve.timeline import NewStatement, resettle_group, settle_group, unsay_statements
from factbook.resolve.validity_stretches import Group


@dataclass(frozen=True, kw_only=True, slots=True)
class Timelines:
    """Writes statements to the sheet, group by group."""

    known: KnownRecord
    kinds: Mapping[str, EntityType]
    sheet: ChangeSheet
    now: datetime
    new_id: Callable[[], str]

    def add_facts(
        self, said: Sequence[tuple[Fact, bool]], rows: Mapping[str, EntityRecord]
    ) -> None:
        """Facts without ids, each with whether it is a retraction; `rows` are their entities."""
        groups: dict[tuple[str, str], list[NewStatement[Fact]]] = {}
        for fact, retracts in said:
            statement = NewStatement(row=fact, value=fold_value(fact.value), retracts=retracts)
            groups.setdefault((fact.entity_id, fact.attribute), []).append(statement)
        for (entity_id, attribute), statements in groups.items():
            group = self._fact_group(entity_id, attribute, rows)
            settle_group(group, statements, self.sheet, now=self.now, new_id=self.new_id)

    def add_relations(
        self, said: Sequence[tuple[Relation, bool]], rows: Mapping[str, EntityRecord]
    ) -> None:
        """Adds relations without ids, each with whether it is a retraction."""
        links = self._make_links(rows, more=[relation for relation, _ in said])
        groups: dict[LinkKey, list[NewStatement[Relation]]] = {}
        for relation, retracts in said:
            form = links.form_of(relation)
            key = links.key_of(form)
            statement = NewStatement(
                row=relation, value=links.value_of(key, form), retracts=retracts
            )
            groups.setdefault(key, []).append(statement)
            for ended in links.ended_forms(relation) if not retracts else ():
                key = links.key_of(ended)
                statement = NewStatement(
                    row=relation, value=links.value_of(key, ended), retracts=True, marked=False
                )
                groups.setdefault(key, []).append(statement)
        for key, statements in groups.items():
            settle_group(
                links.group_of(key), statements, self.sheet, now=self.now, new_id=self.new_id
            )

    def lay_out_again(
        self, gone: Collection[Fact | Relation], rows: Mapping[str, EntityRecord]
    ) -> None:
        """Lays out anew what these bore upon."""
        facts = {(row.entity_id, row.attribute): None for row in gone if isinstance(row, Fact)}
        for entity_id, attribute in facts:
            resettle_group(
                self._fact_group(entity_id, attribute, rows),
                self.sheet,
                now=self.now,
                new_id=self.new_id,
            )
        relations = [row for row in gone if isinstance(row, Relation)]
        links = self._make_links(rows, more=relations)
        for key in _touched_keys(links, relations):
            resettle_group(links.group_of(key), self.sheet, now=self.now, new_id=self.new_id)

    def take_statements(
        self, is_meant: Callable[[Source], bool], rows: Mapping[str, EntityRecord]
    ) -> None:
        """Takes the statements that are meant out of all that is known."""
        attributes = dict.fromkeys((fact.entity_id, fact.attribute) for fact in self.known.facts)
        for entity_id, attribute in attributes:
            unsay_statements(
                self._fact_group(entity_id, attribute, rows),
                is_meant,
                self.sheet,
                now=self.now,
                new_id=self.new_id,
            )
        links = self._make_links(rows)
        for key in _touched_keys(links, self.known.relations):
            unsay_statements(
                links.group_of(key), is_meant, self.sheet, now=self.now, new_id=self.new_id
            )

    def _fact_group(
        self, entity_id: str, attribute: str, rows: Mapping[str, EntityRecord]
    ) -> Group[Fact]:
        return Group(
            rows=[
                each
                for each in self.known.facts
                if (each.entity_id, each.attribute) == (entity_id, attribute)
            ],
            supports=self.known.supports,
            value=_fact_value,
            cardinality=attribute_cardinality(self._kind_of(rows, entity_id), attribute),
        )

    def _make_links(self, rows: Mapping[str, EntityRecord], more: Iterable[Relation] = ()) -> Links:
        return Links(
            self.known.relations,
            self.known.supports,
            {key: self.kinds.get(row.kind) for key, row in rows.items()}.get,
            more=more,
        )

    def _kind_of(self, rows: Mapping[str, EntityRecord], entity_id: str) -> EntityType | None:
        row = rows.get(entity_id)
        return self.kinds.get(row.kind) if row else None


def reopen_ended(
    gone: Collection[Fact | Relation],
    known: KnownRecord,
    *,
    kinds: Mapping[str, EntityType],
    now: datetime,
    new_id: Callable[[], str],
) -> tuple[Change, ...]:
    """Returns what follows from the statements that are known, now that these are erased.

    What they had ended may hold again.
    """
    sheet = ChangeSheet()
    timelines = Timelines(known=known, kinds=kinds, sheet=sheet, now=now, new_id=new_id)
    timelines.lay_out_again(gone, known.entities)
    return sheet.list_changes()


def _fact_value(row: Fact) -> str:
    return fold_value(row.value)


def _touched_keys(links: Links, relations: Iterable[Relation]) -> Iterable[LinkKey]:
    """Returns the groups that these relations are in, or end something of, each once."""
    forms = [form for row in relations for form in (links.form_of(row), *links.ended_forms(row))]
    return dict.fromkeys(map(links.key_of, forms))


def _statement_source(
    said: DraftFact | DraftRelation | DraftObservation,
    message: StoredMessage | None,
    episode: Episode,
) -> Source:
    """Returns the statement's source, with the times that its words give."""
    source = episode.source_of(message, said.quote)
    if said.told_by and source.standing == "user":
        source = replace(source, standing="hearsay", speaker=said.told_by)
    is_never = not isinstance(said, DraftObservation) and said.retracts and said.never
    until = NEVER if is_never else said.invalid_at
    return replace(source, since=said.valid_at, until=until, grain=said.grain)


def draft_facts(
    facts: Sequence[DraftFact], linker: Linker, episode: Episode, now: datetime
) -> list[tuple[Fact, bool]]:
    """Returns the draft's facts as rows without ids; names that are told become aliases."""
    messages = {message.id: message for message in episode.messages}
    out: list[tuple[Fact, bool]] = []
    for each in facts:
        entity_id = linker.ids.get(each.ref)
        if entity_id is None:
            continue
        if entity_id == SELF:
            linker.self_row()
        source = _statement_source(each, messages.get(each.message_id), episode)
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
    """Returns the draft's relations as rows without ids, but for links of an entity with itself."""
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
            source=_statement_source(each, messages.get(each.message_id), episode),
        )
        out.append((relation, each.retracts))
    return out


def write_observations(
    observations: Sequence[DraftObservation],
    linker: Linker,
    episode: Episode,
    timelines: Timelines,
) -> None:
    """Writes what was observed in the episode and isn't known yet: the same words of a message are
    one observation.
    """
    messages = {message.id: message for message in episode.messages}
    seen = {(row.source.message_id, row.source.quote) for row in timelines.known.observations}
    for each in observations:
        ids = [linker.ids[ref] for ref in each.refs if ref in linker.ids]
        if not ids or (each.message_id, each.quote) in seen:
            continue
        seen.add((each.message_id, each.quote))
        if SELF in ids:
            linker.self_row()
        row = Observation(
            id=timelines.new_id(),
            text=each.text or each.quote,
            entity_ids=tuple(dict.fromkeys(ids)),
            sort=each.sort,
            holds="hearsay" if each.told_by else each.holds,
            valid_at=each.valid_at,
            invalid_at=each.invalid_at,
            grain=each.grain,
            importance=each.importance,
            created_at=timelines.now,
            source=_statement_source(each, messages.get(each.message_id), episode),
        )
        timelines.sheet.put_row(row)
