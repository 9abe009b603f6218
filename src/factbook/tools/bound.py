"""The tools over a `Memory` that the host has bound to a space; no argument of any of them chooses one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from factbook.errors import InputError, NotFoundError
from factbook.memory.async_memory import AsyncMemory
from factbook.memory.memory import Memory
from factbook.model.entity import Entity
from factbook.model.line import RecalledLine
from factbook.model.record import Note
from factbook.render.dates import day
from factbook.render.escape import inline
from factbook.render.lines import note
from factbook.text.kinds import snake_case
from factbook.text.words import words
from factbook.tools import entities as noting
from factbook.tools import knowledge as keeping
from factbook.tools.replies import NOTHING, entities, label, of_type
from factbook.tools.tool import Tool, ToolParameter

BUDGET = 1500
"""Tokens of one answer of `recall`."""
WIDE = 6000
"""Tokens within which the notes of a category are looked for among all notes."""
MOST_LISTED = 100
"""So many entities are looked through for a list."""

LINK = "Say how two known people or things are related, for example Ada works_at Acme. Register them first with note_entity."
FORGET = (
    "Erase for good what is known of a person or thing, or one remembered line by its id. It can't be undone. Use it "
    "only when the user asks for it."
)
UNDO = "Take back the latest change of what is known, or that of one version. Use it when a change was a mistake."
MERGE = "Say that two known entities are one and the same person or thing."


def memory_tools(
    memory: Memory | AsyncMemory, *, destructive: bool = False, session: str = "", project: str = ""
) -> list[Tool]:
    """`remember`, `recall`, `note_entity`, `recall_entities` and `link_entities` over a memory.

    Args:
        memory: bound to its space by the host (`memory.within("ada")`).
        destructive: also `forget`, `undo` and `merge`.
        session, project: labels of what the tools write; `recall` finds what is of that project or of none.
    """
    sync = memory.sync if isinstance(memory, AsyncMemory) else memory
    desk = _Desk(memory=sync, session=session, project=project, shows_ids=destructive)
    return desk.tools() + (desk.destructive_tools() if destructive else [])


@dataclass(frozen=True, kw_only=True)
class _Desk:
    """A memory with the host's settings, and what each tool does with them."""

    memory: Memory
    session: str
    project: str
    shows_ids: bool

    def tools(self) -> list[Tool]:
        return [
            Tool(
                name="remember",
                description=keeping.REMEMBER,
                parameters=keeping.remember_parameters(),
                run=self.remember,
            ),
            Tool(
                name="recall",
                description=keeping.RECALL,
                parameters=keeping.recall_parameters(),
                run=self.recall,
                read_only=True,
            ),
            Tool(name="note_entity", description=noting.NOTE, parameters=noting.NOTE_PARAMETERS, run=self.note_entity),
            Tool(
                name="recall_entities",
                description=noting.RECALL,
                parameters=noting.RECALL_PARAMETERS,
                run=self.recall_entities,
                read_only=True,
            ),
            Tool(
                name="link_entities",
                description=LINK,
                parameters=(
                    _text("from_name", "The name of the one that the relation starts from."),
                    _text("relation", "A verb in snake_case: works_at, reports_to, knows, uses, part_of, …"),
                    _text("to_name", "The name of the other."),
                    _text("note", "What else is worth knowing of it.", required=False),
                ),
                run=self.link_entities,
            ),
        ]

    def destructive_tools(self) -> list[Tool]:
        return [
            Tool(
                name="forget",
                description=FORGET,
                parameters=(
                    _text("name", "The name of the person or thing; or leave it out and give an id.", required=False),
                    _text("id", "The id of a line, as recall shows it.", required=False),
                    _text("reason", "Why, in a few words without what is forgotten.", required=False),
                ),
                run=self.forget,
                destructive=True,
            ),
            Tool(
                name="undo",
                description=UNDO,
                parameters=(
                    ToolParameter(
                        name="version",
                        param_type=int,
                        description="The version to take back; leave it out for the latest.",
                        required=False,
                        least=1,
                        most=2**53,
                    ),
                ),
                run=self.undo,
                destructive=True,
            ),
            Tool(
                name="merge",
                description=MERGE,
                parameters=(
                    _text("name", "The name or id of the one."),
                    _text("other_name", "The name or id of the other."),
                    _text("reason", "Why they are one.", required=False),
                ),
                run=self.merge,
                destructive=True,
            ),
        ]

    def remember(self, content: str, category: str, importance: float, ttl_days: int | None, persistent: bool) -> str:
        receipt = self.memory.note(
            content,
            category=category,
            importance=importance,
            persistent=persistent,
            expires_in=None if ttl_days is None else timedelta(days=ttl_days),
            session=self.session,
            project=self.project,
        )
        kept = keeping.kept_for(importance, ttl_days, persistent)
        return f"Remembered as {snake_case(category) or 'general'} ({kept}), id {receipt.ids[0]}."

    def recall(self, query: str, category: str, max_results: int) -> str:
        if category.strip():
            return self._recall_notes(query, category, max_results)
        found = self.memory.recall(query, budget=BUDGET, project=self.project or ())
        return "\n".join(map(self._line, found.lines[:max_results])) or NOTHING

    def _recall_notes(self, query: str, category: str, max_results: int) -> str:
        """The notes of one category: those that recall finds, then those that share words with the query."""
        notes = {note.id: note for note in self.memory.notes(category=category, project=self.project or ())}
        if not notes:
            there = sorted({label(note.category) for note in self.memory.notes(project=self.project or ())})
            return f"Nothing is remembered as {label(category)}; there are: {', '.join(there)}." if there else NOTHING
        ranked = self.memory.recall(query, budget=WIDE, kinds=("note",), project=self.project or ()).lines
        asked = set(words(query))
        shared = {key: len(asked & set(words(note.text))) for key, note in notes.items()}
        rest = sorted((key for key in notes if shared[key]), key=lambda key: (-shared[key], -notes[key].importance))
        best = dict.fromkeys([*(line.id for line in ranked if line.id in notes), *rest])
        return "\n".join(self._note(notes[key]) for key in list(best)[:max_results]) or NOTHING

    def note_entity(self, name: str, entity_type: str, attributes: str) -> str:
        entity = noting.entity_of(name, entity_type, attributes)
        self.memory.put(entity, session=self.session, project=self.project)
        return noting.stored(entity)

    def recall_entities(self, filter_type: str, query: str) -> str:
        kinds = (filter_type,) if filter_type.strip() else ()
        if query.strip():
            found = self._matching(query)
            found = of_type(found, filter_type) if kinds else found
            return entities(found) or noting.no_match(filter_type)
        found = self.memory.entities(kinds=kinds, limit=MOST_LISTED)
        if found or not kinds:
            return entities(found) or noting.NO_ENTITIES
        there = self.memory.entities(limit=MOST_LISTED)
        names = ", ".join(sorted({label(each.entity_type) for each in there}))
        return noting.no_type(filter_type, names) if there else noting.NO_ENTITIES

    def link_entities(self, from_name: str, relation: str, to_name: str, note: str) -> str:
        a, b = noting.checked_name("from_name", from_name), noting.checked_name("to_name", to_name)
        try:
            self.memory.relate(a, relation, b, note=note.strip(), session=self.session, project=self.project)
        except NotFoundError as error:
            raise InputError(f"{error}; register it first with note_entity") from None
        return f"Linked: {inline(a)} {snake_case(relation)} {inline(b)}."

    def forget(self, name: str, id: str, reason: str) -> str:  # noqa: A002 - what recall calls it
        if bool(name.strip()) == bool(id.strip()):
            raise InputError("give either the name of a person or thing, or the id of one line")
        erased = (
            self.memory.forget(noting.checked_name("name", name), reason=reason)
            if name.strip()
            else self.memory.forget(ids=[id.strip()], reason=reason)
        )
        counts = ", ".join(f"{count} {sort}" for sort, count in erased.counts.items() if count)
        return f"Forgotten for good: {counts or 'nothing was left of it'}."

    def undo(self, version: int | None) -> str:
        receipt = self.memory.undo(version, reason="by the agent")
        undone = self.memory.log(after=receipt.versions[0] - 1)[0].stamp.undoes if receipt.versions else ()
        return f"Taken back: version {', '.join(map(str, undone)) or 'that changed nothing'}."

    def merge(self, name: str, other_name: str, reason: str) -> str:
        a, b = noting.checked_name("name", name), noting.checked_name("other_name", other_name)
        self.memory.merge(a, b, reason=reason)
        return f"{inline(a)} and {inline(b)} are one now."

    def _line(self, line: RecalledLine) -> str:
        return f"- {line.text} (id {line.id})" if self.shows_ids else f"- {line.text}"

    def _note(self, row: Note) -> str:
        text = f"- [{day(row.source.said_at or row.created_at)}] {note(row)}"
        return f"{text} (id {row.id})" if self.shows_ids else text

    def _matching(self, query: str) -> list[Entity]:
        """The entities that the query names, then those that what is recalled for it is about."""
        lines = self.memory.recall(query, budget=BUDGET, project=self.project or ()).lines
        ids = [key for line in lines if line.space == self.memory.space for key in line.entity_ids]
        named = self.memory.find(query)
        return _once([*([named] if named else []), *(self.memory.get(key) for key in dict.fromkeys(ids))])


def _once(found: Iterable[Entity]) -> list[Entity]:
    return list({each.id: each for each in found}.values())


def _text(name: str, description: str, *, required: bool = True) -> ToolParameter:
    return ToolParameter(
        name=name, param_type=str, description=description, required=required, default=None if required else ""
    )
