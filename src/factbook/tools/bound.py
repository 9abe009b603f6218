"""The tools over a `Memory` that the host has bound to a space; no argument of any of them chooses
one.
"""

from __future__ import annotations

from factbook.memory.async_memory import AsyncMemory
from factbook.memory.memory import Memory
from factbook.tools import entities as noting
from factbook.tools import knowledge as keeping
from factbook.tools.desk import Desk
from factbook.tools.tool import Tool, ToolParameter

NOTE = f"{noting.NOTE} Call the user themself `self`."
LINK = (
    "Say how two known people or things are related, such as Ada works_at Acme. Register them "
    "with note_entity first."
)
END = (
    "Say that what is known of a person or thing holds no longer, such as that Ada has left Acme. "
    "It stays in the history. "
    "What the user said themself only they can end."
)
FORGET = (
    "Erase for good what is known of a person or thing, or one remembered line by its id. It "
    "can't be undone. Use it "
    "only when the user asks for it."
)
UNDO = (
    "Take back the latest change of what is known, or that of one version. Use it when a "
    "change was a mistake."
)
MERGE = "Say that two known entities are one and the same person or thing."


def memory_tools(
    memory: Memory | AsyncMemory, *, destructive: bool = False, session: str = "", project: str = ""
) -> list[Tool]:
    """`remember`, `recall`, `note_entity`, `recall_entities`, `link_entities` and `end_fact` over a
    memory.

    Args:
        memory: bound to its space by the host (`memory.within("ada")`).
        destructive: also `forget`, `undo` and `merge`; `recall` then shows the ids of lines.
        session, project: labels of what the tools write; they find what is of that project or of
            none.
    """
    sync = memory.sync if isinstance(memory, AsyncMemory) else memory
    desk = Desk(memory=sync, session=session, project=project, shows_ids=destructive)
    tools = [*_make_tools(desk), *(_make_destructive(desk) if destructive else ())]
    return [desk.guard_tool(tool) for tool in tools]


def _make_tools(desk: Desk) -> list[Tool]:
    return [
        Tool(
            name="remember",
            description=keeping.REMEMBER,
            parameters=keeping.remember_parameters(),
            run=desk.remember,
        ),
        Tool(
            name="recall",
            description=keeping.RECALL,
            parameters=keeping.recall_parameters(),
            run=desk.recall,
            read_only=True,
        ),
        Tool(
            name="note_entity",
            description=NOTE,
            parameters=noting.NOTE_PARAMETERS,
            run=desk.note_entity,
        ),
        Tool(
            name="recall_entities",
            description=noting.RECALL,
            parameters=noting.RECALL_PARAMETERS,
            run=desk.recall_entities,
            read_only=True,
        ),
        Tool(
            name="link_entities",
            description=LINK,
            parameters=(
                _text_parameter("from_name", "The name of the one that the relation starts from."),
                _text_parameter(
                    "relation",
                    "A verb in snake_case: works_at, reports_to, knows, uses, part_of, …",
                ),
                _text_parameter("to_name", "The name of the other."),
                _text_parameter("note", "What else is worth knowing of it.", required=False),
            ),
            run=desk.link_entities,
        ),
        Tool(
            name="end_fact",
            description=END,
            parameters=(
                _text_parameter("name", "Of whom or what it was known."),
                _text_parameter(
                    "what",
                    "What ended: an attribute (city, role) or a relation (works_at, manages).",
                ),
                _text_parameter(
                    "other_name", "Of a relation, with whom; without it, with all.", required=False
                ),
            ),
            run=desk.end_fact,
        ),
    ]


def _make_destructive(desk: Desk) -> list[Tool]:
    version = ToolParameter(
        name="version",
        param_type=int,
        description="The version to take back; leave it out for the latest.",
        required=False,
        least=1,
        most=2**53,
    )
    return [
        Tool(
            name="forget",
            description=FORGET,
            parameters=(
                _text_parameter(
                    "name",
                    "The name of the person or thing; leave it out where an id is given.",
                    required=False,
                ),
                _text_parameter("id", "The id of a line, as recall shows it.", required=False),
                _text_parameter(
                    "reason", "Why, in a few words without what is forgotten.", required=False
                ),
            ),
            run=desk.forget,
            destructive=True,
        ),
        Tool(name="undo", description=UNDO, parameters=(version,), run=desk.undo, destructive=True),
        Tool(
            name="merge",
            description=MERGE,
            parameters=(
                _text_parameter("name", "The name or id of the one."),
                _text_parameter("other_name", "The name or id of the other."),
                _text_parameter("reason", "Why they are one.", required=False),
            ),
            run=desk.merge,
            destructive=True,
        ),
    ]


def _text_parameter(name: str, description: str, *, required: bool = True) -> ToolParameter:
    return ToolParameter(
        name=name,
        param_type=str,
        description=description,
        required=required,
        default=None if required else "",
    )
