"""What the tools over a `Memory` do: arguments in, text out, within one space and the host's
project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from factbook.errors import AmbiguousError, FactbookError, InputError, NotFoundError
from factbook.memory.memory import Memory
from factbook.model.entity import Entity
from factbook.model.recollection import RecalledLine
from factbook.model.record import SELF, Note
from factbook.model.relations import own_label
from factbook.model.source import Source, Standing
from factbook.render.row_words import dated_heading
from factbook.render.row_words import label as project_label
from factbook.render.row_words import note as note_line
from factbook.text.escape import inline, item
from factbook.text.kind_names import snake_case
from factbook.text.names import fold
from factbook.tools import entities as noting
from factbook.tools.arguments import Value
from factbook.tools.knowledge import kept_for
from factbook.tools.replies import (
    MOST_LISTED,
    NOTHING,
    bare_label,
    find_matching,
    kind_of,
    list_entities,
    list_types,
    of_type,
    reply_block,
)
from factbook.tools.tool import Tool
from factbook.views.view import SELF_NAMES

BUDGET = 1500
"""Tokens of one answer of `recall`."""
RECENT, MOST_TOLD = 50, 5
"""Of what was taken back so many lines are told, if it is among the latest changes."""
AGENT: Standing = "assistant"
"""Whose word it is what a tool writes: the agent's, below the user's own."""
USER = SELF_NAMES | {"user", "the user"}
"""Folded names by which a model means the space's own user."""


@dataclass(frozen=True, kw_only=True)
class Desk:
    """A memory with the host's settings.

    Attributes:
        memory: bound to its space. session, project: labels of what is written; what is read is of
            that project or none.
        shows_ids: recalled lines come with their ids, by which they may be forgotten.
    """

    memory: Memory
    session: str = ""
    project: str = ""
    shows_ids: bool = False

    def remember(
        self, content: str, category: str, importance: float, ttl_days: int | None, persistent: bool
    ) -> str:
        receipt = self.memory.note(
            content,
            category=category,
            importance=importance,
            persistent=persistent,
            expires_in=None if ttl_days is None else timedelta(days=ttl_days),
            session=self.session,
            project=self.project,
            standing=AGENT,
        )
        kept = kept_for(importance, ttl_days, persistent)
        return f"Remembered as {snake_case(category) or 'general'} ({kept}), id {receipt.ids[0]}."

    def recall(self, query: str, category: str, max_results: int) -> str:
        if category.strip():
            return self._recall_notes(query, category, max_results)
        if not query.strip():
            return self._recall_most_important(max_results)
        lines = self.memory.recall(query, budget=BUDGET, project=self.project or ()).lines
        return reply_block(map(self._line_reply, lines[:max_results])) or NOTHING

    def _recall_most_important(self, max_results: int) -> str:
        """Notes by importance, then what a context would hold."""
        notes = self.memory.notes(order="importance", limit=max_results, project=self.project or ())
        lines = self.memory.context(budget=BUDGET, project=self.project or ()).lines
        return (
            reply_block(
                [*map(self._note_reply, notes), *map(self._line_reply, lines)][:max_results]
            )
            or NOTHING
        )

    def _recall_notes(self, query: str, category: str, max_results: int) -> str:
        """The notes of one category that match best."""
        there = {snake_case(name): bare_label(name) for name in self.memory.note_categories()}
        if snake_case(category) not in there:
            listed = f"; there are: {', '.join(there.values())}" if there else ""
            return f"Nothing is remembered as {bare_label(category)}{listed}."
        found = self.memory.search_notes(
            query, categories=[category], limit=max_results, project=self.project or ()
        )
        return reply_block(map(self._note_reply, found)) or NOTHING

    def note_entity(self, name: str, entity_type: str, attributes: str) -> str:
        entity = noting.entity_of(name, entity_type, attributes)
        known = self._find_entity(entity.name)
        if fold(entity.name) in USER:
            written = replace(entity, name=SELF)
        elif known is not None and known.id == entity.name:
            written = replace(entity, name=known.name, id=known.id)
        else:
            written = entity
        self.memory.put(written, session=self.session, project=self.project, standing=AGENT)
        return noting.tell_stored(entity)

    def recall_entities(self, filter_type: str, query: str) -> str:
        kinds = self.memory.kinds()
        wanted = (kind_of(filter_type, kinds),) if filter_type.strip() else ()
        if query.strip():
            found = self._keep_visible(self._find_matching(query))
            found = of_type(found, filter_type, kinds) if wanted else found
            return reply_block(list_entities(found)) or noting.no_match(filter_type)
        found = self._list_entities(wanted)
        if found or not wanted:
            return reply_block(list_entities(found)) or noting.NO_ENTITIES
        there = self._list_entities(())
        return noting.no_type(filter_type, list_types(there)) if there else noting.NO_ENTITIES

    def link_entities(self, from_name: str, relation: str, to_name: str, note: str) -> str:
        a, b = _asked_name("from_name", from_name), _asked_name("to_name", to_name)
        try:
            self.memory.relate(
                a,
                relation,
                b,
                note=note.strip(),
                session=self.session,
                project=self.project,
                standing=AGENT,
            )
        except NotFoundError as error:
            raise InputError(f"{error}; register it first with note_entity") from None
        return f"Linked: {inline(from_name)} {snake_case(relation)} {inline(to_name)}."

    def end_fact(self, name: str, what: str, other_name: str) -> str:
        of, label = _asked_name("name", name), snake_case(_asked_name("what", what))
        given: dict[str, str] = {"attribute": label}
        if other_name.strip() or any(
            own_label(link.label) == own_label(label) for link in self.memory.relations(of)
        ):
            given = {"relation": label, "to": other_name.strip()}
        labels = {"session": self.session, "project": self.project}
        self.memory.end(of, **given, **labels, standing=AGENT, reason="by the agent")
        return f"Ended: {inline(name)} {label}. It stays in the history."

    def forget(self, name: str, id: str, reason: str) -> str:  # noqa: A002 - what recall calls it
        if bool(name.strip()) == bool(id.strip()):
            raise InputError("give either the name of a person or thing, or the id of one line")
        erased = (
            self.memory.forget(_asked_name("name", name), reason=reason)
            if name.strip()
            else self.memory.forget(ids=[id.strip()], reason=reason)
        )
        counts = ", ".join(
            f"{count} {sort.replace('_', ' ')}" for sort, count in erased.counts.items() if count
        )
        left = len(erased.doubtful)
        asked = f" {left} more may be about it, and stayed: a person has to decide." if left else ""
        return f"Forgotten for good: {counts or 'nothing was left of it'}.{asked}"

    def undo(self, version: int | None) -> str:
        receipt = self.memory.undo(version, reason="by the agent")
        if not receipt.versions:
            return "Nothing of that version still held."
        undone = self.memory.log(after=receipt.versions[0] - 1, limit=1)[0].stamp.undoes
        what = [
            line
            for entry in self.memory.history(limit=RECENT)
            if entry.version in undone
            for line in entry.lines
        ]
        said = f": {'; '.join(map(item, what[:MOST_TOLD]))}" if what else ""
        return f"Taken back: version {', '.join(map(str, undone))}{said}."

    def merge(self, name: str, other_name: str, reason: str) -> str:
        self.memory.merge(
            _asked_name("name", name), _asked_name("other_name", other_name), reason=reason
        )
        return f"{inline(name)} and {inline(other_name)} are one now."

    def guard_tool(self, tool: Tool) -> Tool:
        """The tool with errors that don't tell the space's name, which is the host's."""

        def run(**arguments: Value) -> str:
            try:
                return tool.run(**arguments)
            except FactbookError as error:
                raise InputError(
                    str(error).replace(f"space {self.memory.space!r}", "this memory")
                ) from None

        return replace(tool, run=run)

    def _line_reply(self, line: RecalledLine) -> str:
        return f"- {line.text} (id {line.id})" if self.shows_ids else f"- {line.text}"

    def _note_reply(self, row: Note) -> str:
        general = project_label(row.source.project, (self.project,) if self.project else ())
        text = f"- {dated_heading(row.said_at, general)} {note_line(row)}"
        return f"{text} (id {row.id})" if self.shows_ids else text

    def _find_entity(self, name: str) -> Entity | None:
        try:
            return self.memory.find(name)
        except AmbiguousError:
            return None

    def _find_matching(self, query: str) -> list[Entity]:
        """The entities that the query names, then those that what is recalled for it is about; else
        those that share words with it, among the latest.
        """
        found = self.memory.recall(query, budget=BUDGET, project=self.project or ())
        ids = [
            key
            for line in found.lines
            if line.space == self.memory.space
            for key in line.entity_ids
        ]
        told = [
            each
            for each in map(self._find_entity, dict.fromkeys((query.strip(), *found.about, *ids)))
            if each
        ]
        if not told or fold(told[0].name) != fold(query):
            told += find_matching(self.memory.entities(limit=MOST_LISTED, include_self=True), query)
        return list({each.id: each for each in told}.values())

    def _list_entities(self, kinds: Sequence[str]) -> list[Entity]:
        return self._keep_visible(
            self.memory.entities(kinds=kinds, limit=MOST_LISTED + 1, include_self=True)
        )

    def _keep_visible(self, found: Iterable[Entity]) -> list[Entity]:
        """The entities with what is known of them in the host's project or in none; not those of
        other projects.
        """
        if not self.project:
            return list(found)
        return [each for each in map(self._of_project, found) if each is not None]

    def _of_project(self, entity: Entity) -> Entity | None:
        ours = [each for each in entity.facts if self._is_ours(each.source)]
        is_seen = bool(ours) or any(self._is_ours(each.relation.source) for each in entity.links)
        is_bare = not (entity.facts or entity.links)
        if not (is_seen or is_bare):
            return None
        current: dict[str, list[str]] = {}
        for each in ours:
            if each.state == "current":
                current.setdefault(each.attribute, []).append(each.value)
        return replace(
            entity, attributes={key: "; ".join(values) for key, values in current.items()}
        )

    def _is_ours(self, source: Source) -> bool:
        return not self.project or source.project in ("", self.project)


def _asked_name(argument: str, name: str) -> str:
    """A name by which an entity is asked for; the user's is `self`."""
    name = noting.checked_name(argument, name)
    return SELF if fold(name) in USER else name
