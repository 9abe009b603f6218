"""Our tools as selectools' `Tool`s."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from selectools.tools import Tool, ToolParameter

from factbook.facades.entity_memory import EntityMemory as Tracker
from factbook.facades.knowledge import KnowledgeMemory
from factbook.integrations.selectools.entity_memory import EntityMemory
from factbook.tools.kits import make_memory_tools
from factbook.tools.tool import Tool as OurTool


def memory_tools_for_selectools(
    knowledge: KnowledgeMemory | None = None, entity_memory: EntityMemory | Tracker | None = None
) -> list[Tool]:
    """`remember` and `recall`, `note_entity` and `recall_entities`, for `Agent(tools=…)`.

    An agent with a `knowledge_memory` makes a `remember` and a `recall` of its own, unless it has
    tools of these names.
    """
    tracker = entity_memory.tracker if isinstance(entity_memory, EntityMemory) else entity_memory
    return as_selectools(make_memory_tools(knowledge, tracker))


def as_selectools(tools: Iterable[OurTool]) -> list[Tool]:
    """Any tools of factbook, as those of `memory_tools`, for `Agent(tools=…)`."""
    return [_Tool.of(tool) for tool in tools]


class _Tool(Tool):
    """A tool that itself says what is wrong with its arguments."""

    @classmethod
    def of(cls, tool: OurTool) -> Self:
        parameters = [
            ToolParameter(
                name=each.name,
                param_type=each.param_type,
                description=each.description,
                required=each.required,
                enum=list(each.enum) or None,
            )
            for each in tool.parameters
        ]
        return cls(
            name=tool.name,
            description=tool.description,
            parameters=parameters,
            function=tool.function,
        )

    def validate(self, params: dict[str, Any]) -> None:
        """Leaves it to the tool."""
