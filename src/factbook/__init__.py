"""factbook: entity memory for AI agents.

It reads conversations, keeps who and what was mentioned, what is known about each, how they relate
and when that was true, and hands an agent the part that matters now, within a token budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from factbook.errors import (
    AmbiguousError,
    ConfigError,
    ExtractError,
    FactbookError,
    InputError,
    ModelUnavailableError,
    NotFoundError,
    ReplyRejectedError,
    SchemaTooNewError,
    SpaceError,
    StaleWriteError,
    StoppedError,
    StoreBusyError,
    StoreError,
)
from factbook.model.change import Change, Commit, Stamp
from factbook.model.draft import Draft, DraftEntity, DraftFact, DraftMention, DraftRelation, Dropped
from factbook.model.entity import Conflict, Entity, Link, StatedFact
from factbook.model.episode import Episode, Message, StoredMessage
from factbook.model.job import Job
from factbook.model.line import LineFilter
from factbook.model.receipt import Erased, Event, Learned, Receipt
from factbook.model.recollection import RecalledLine, Recollection
from factbook.model.record import EntityType, Fact, Note, Relation, Review, Source
from factbook.model.trend import Trend, TrendPoint
from factbook.model.usage import Usage

if TYPE_CHECKING:
    from factbook.facades.entity_memory import EntityMemory
    from factbook.facades.knowledge.file_store import FileKnowledgeStore
    from factbook.facades.knowledge.knowledge_entry import KnowledgeEntry
    from factbook.facades.knowledge.knowledge_memory import KnowledgeMemory
    from factbook.facades.knowledge.knowledge_ports import KnowledgeStore
    from factbook.facades.knowledge.sqlite_store import SQLiteKnowledgeStore
    from factbook.llm.settings import ModelSettings
    from factbook.memory.async_memory import AsyncMemory
    from factbook.memory.history import HistoryEntry, UndoPlan
    from factbook.memory.memory import Memory
    from factbook.render.custom import ContextForm
    from factbook.render.listing import Subject
    from factbook.tools.adapters import as_anthropic, as_functions, as_openai, as_openai_responses
    from factbook.tools.bound import memory_tools
    from factbook.tools.entities import make_note_entity_tool, make_recall_entities_tool
    from factbook.tools.kits import make_memory_tools
    from factbook.tools.knowledge import make_recall_tool, make_remember_tool
    from factbook.tools.tool import Tool, ToolParameter, call_tool

__version__ = "0.1.0"

__all__ = [
    "AmbiguousError",
    "AsyncMemory",
    "Change",
    "Commit",
    "ConfigError",
    "Conflict",
    "ContextForm",
    "Draft",
    "DraftEntity",
    "DraftFact",
    "DraftMention",
    "DraftRelation",
    "Dropped",
    "Entity",
    "EntityMemory",
    "EntityType",
    "Episode",
    "Erased",
    "Event",
    "ExtractError",
    "Fact",
    "FactbookError",
    "FileKnowledgeStore",
    "HistoryEntry",
    "InputError",
    "Job",
    "KnowledgeEntry",
    "KnowledgeMemory",
    "KnowledgeStore",
    "Learned",
    "LineFilter",
    "Link",
    "Memory",
    "Message",
    "ModelSettings",
    "ModelUnavailableError",
    "NotFoundError",
    "Note",
    "RecalledLine",
    "Receipt",
    "Recollection",
    "Relation",
    "ReplyRejectedError",
    "Review",
    "SQLiteKnowledgeStore",
    "SchemaTooNewError",
    "Source",
    "SpaceError",
    "StaleWriteError",
    "Stamp",
    "StatedFact",
    "StoppedError",
    "StoreBusyError",
    "StoreError",
    "StoredMessage",
    "Subject",
    "Tool",
    "ToolParameter",
    "Trend",
    "TrendPoint",
    "UndoPlan",
    "Usage",
    "__version__",
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

_LATE = {
    "ModelSettings": "factbook.llm.settings",
    "Memory": "factbook.memory.memory",
    "AsyncMemory": "factbook.memory.async_memory",
    "EntityMemory": "factbook.facades.entity_memory",
    "ContextForm": "factbook.render.custom",
    "Subject": "factbook.render.listing",
    "HistoryEntry": "factbook.memory.history",
    "UndoPlan": "factbook.memory.history",
    "FileKnowledgeStore": "factbook.facades.knowledge.file_store",
    "KnowledgeEntry": "factbook.facades.knowledge.knowledge_entry",
    "KnowledgeMemory": "factbook.facades.knowledge.knowledge_memory",
    "KnowledgeStore": "factbook.facades.knowledge.knowledge_ports",
    "SQLiteKnowledgeStore": "factbook.facades.knowledge.sqlite_store",
    "Tool": "factbook.tools.tool",
    "ToolParameter": "factbook.tools.tool",
    "call_tool": "factbook.tools.tool",
    "make_remember_tool": "factbook.tools.knowledge",
    "make_recall_tool": "factbook.tools.knowledge",
    "make_note_entity_tool": "factbook.tools.entities",
    "make_recall_entities_tool": "factbook.tools.entities",
    "make_memory_tools": "factbook.tools.kits",
    "memory_tools": "factbook.tools.bound",
    "as_openai": "factbook.tools.adapters",
    "as_openai_responses": "factbook.tools.adapters",
    "as_anthropic": "factbook.tools.adapters",
    "as_functions": "factbook.tools.adapters",
}
"""What brings the store and the rest with it is imported where it is first used."""


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module 'factbook' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_LATE[name]), name)
