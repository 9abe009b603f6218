"""The agent's tools: plain typed functions that return text.

The names here are stable: `from factbook.tools import as_openai, call_tool`.
"""

from __future__ import annotations

from factbook.tools.adapters import as_anthropic, as_functions, as_openai, as_openai_responses
from factbook.tools.bound import memory_tools
from factbook.tools.entities import make_note_entity_tool, make_recall_entities_tool
from factbook.tools.kits import make_memory_tools
from factbook.tools.knowledge import make_recall_tool, make_remember_tool
from factbook.tools.tool import Tool, ToolParameter, call_tool

__all__ = [
    "Tool",
    "ToolParameter",
    "as_anthropic",
    "as_functions",
    "as_openai",
    "as_openai_responses",
    "call_tool",
    "make_memory_tools",
    "make_note_entity_tool",
    "make_recall_entities_tool",
    "make_recall_tool",
    "make_remember_tool",
    "memory_tools",
]
