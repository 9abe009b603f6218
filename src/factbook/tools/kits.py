"""Tools by the set."""

from __future__ import annotations

from factbook.tools.entities import EntityTracker, make_note_entity_tool, make_recall_entities_tool
from factbook.tools.knowledge import (
    Knowledge,
    StoredKnowledge,
    make_recall_tool,
    make_remember_tool,
)
from factbook.tools.tool import Tool


def make_memory_tools(
    knowledge: Knowledge | StoredKnowledge | None = None, entity_memory: EntityTracker | None = None
) -> list[Tool]:
    """The tools of whatever is passed: `remember` and `recall`, `note_entity` and
    `recall_entities`.
    """
    tools: list[Tool] = []
    if knowledge is not None:
        tools += [make_remember_tool(knowledge), make_recall_tool(knowledge)]
    if entity_memory is not None:
        tools += [make_note_entity_tool(entity_memory), make_recall_entities_tool(entity_memory)]
    return tools
