"""factbook: entity memory for AI agents.

It reads conversations, keeps who and what was mentioned, what is known about each, how they relate
and when that was true, and hands an agent the part that matters now, within a token budget.

More names have stable places of their own: `factbook.errors`, `factbook.model` (values that verbs
take and return), `factbook.memory`, `factbook.tools`, `factbook.render`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from factbook.errors import FactbookError, InputError, NotFoundError
from factbook.model import (
    Entity,
    EntityType,
    Event,
    Fact,
    Message,
    Note,
    RecalledLine,
    Receipt,
    Recollection,
    Relation,
)

if TYPE_CHECKING:
    from factbook.facades.entity_memory import EntityMemory
    from factbook.facades.knowledge.file_store import FileKnowledgeStore
    from factbook.facades.knowledge.knowledge_entry import KnowledgeEntry
    from factbook.facades.knowledge.knowledge_memory import KnowledgeMemory
    from factbook.facades.knowledge.knowledge_ports import KnowledgeStore
    from factbook.facades.knowledge.sqlite_store import SQLiteKnowledgeStore
    from factbook.llm.settings import ModelSettings
    from factbook.memory.async_memory import AsyncMemory
    from factbook.memory.memory import Memory
    from factbook.tools.bound import memory_tools
    from factbook.tools.entities import make_note_entity_tool, make_recall_entities_tool
    from factbook.tools.kits import make_memory_tools
    from factbook.tools.knowledge import make_recall_tool, make_remember_tool
    from factbook.tools.tool import Tool

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "Entity",
    "EntityMemory",
    "EntityType",
    "Event",
    "Fact",
    "FactbookError",
    "FileKnowledgeStore",
    "InputError",
    "KnowledgeEntry",
    "KnowledgeMemory",
    "KnowledgeStore",
    "Memory",
    "Message",
    "ModelSettings",
    "NotFoundError",
    "Note",
    "RecalledLine",
    "Receipt",
    "Recollection",
    "Relation",
    "SQLiteKnowledgeStore",
    "Tool",
    "__version__",
    "make_memory_tools",
    "make_note_entity_tool",
    "make_recall_entities_tool",
    "make_recall_tool",
    "make_remember_tool",
    "memory_tools",
]

_LATE = {
    "AsyncMemory": "factbook.memory.async_memory",
    "EntityMemory": "factbook.facades.entity_memory",
    "FileKnowledgeStore": "factbook.facades.knowledge.file_store",
    "KnowledgeEntry": "factbook.facades.knowledge.knowledge_entry",
    "KnowledgeMemory": "factbook.facades.knowledge.knowledge_memory",
    "KnowledgeStore": "factbook.facades.knowledge.knowledge_ports",
    "Memory": "factbook.memory.memory",
    "ModelSettings": "factbook.llm.settings",
    "SQLiteKnowledgeStore": "factbook.facades.knowledge.sqlite_store",
    "Tool": "factbook.tools.tool",
    "make_memory_tools": "factbook.tools.kits",
    "make_note_entity_tool": "factbook.tools.entities",
    "make_recall_entities_tool": "factbook.tools.entities",
    "make_recall_tool": "factbook.tools.knowledge",
    "make_remember_tool": "factbook.tools.knowledge",
    "memory_tools": "factbook.tools.bound",
}
"""Modules that load the store are imported where a name of theirs is first used."""

_MOVED = {
    "factbook.errors": "AmbiguousError ConfigError ExtractError ModelUnavailableError "
    "ReplyRejectedError SchemaTooNewError SpaceError StaleWriteError "
    "StoppedError StoreBusyError StoreError",
    "factbook.memory": "HistoryEntry UndoPlan",
    "factbook.model": "Change Commit Conflict Draft DraftEntity DraftFact DraftMention "
    "DraftRelation Dropped Episode Erased Job Learned LineFilter Link Review "
    "Source Stamp StatedFact StoredMessage Trend TrendPoint Usage",
    "factbook.render": "ContextForm Subject",
    "factbook.tools": "ToolParameter as_anthropic as_functions as_openai as_openai_responses "
    "call_tool",
}
"""Names of earlier versions and the modules that have them now; they go in 0.4."""


def __getattr__(name: str) -> Any:
    import importlib

    if name in _LATE:
        return getattr(importlib.import_module(_LATE[name]), name)
    for module, names in _MOVED.items():
        if name in names.split():
            _warn_of_move(name, module)
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'factbook' has no attribute {name!r}")


def _warn_of_move(name: str, module: str) -> None:
    import warnings

    warnings.warn(
        f"factbook.{name} is {module}.{name} now; the old name goes in factbook 0.4",
        DeprecationWarning,
        stacklevel=3,
    )
