"""For agents of selectools 1.3: its entity memory, knowledge memory, tools and sessions, with
factbook behind them.

::

    from factbook.integrations.selectools import EntityMemory, KnowledgeMemory, SessionStore

    entities = EntityMemory(provider)
    config = AgentConfig(
        entity_memory=entities,
        knowledge_memory=KnowledgeMemory(directory="./memory"),
        session_store=SessionStore(JsonFileSessionStore("./sessions"), entities, "ada"),
        session_id="ada",
    )

The classes have the signatures and the context format of the package, which are not those of its
documentation: `factbook.EntityMemory` has the latter. Needs `factbook[selectools]`.
"""

from __future__ import annotations

from factbook.errors import ConfigError

try:
    import selectools as _host
except ImportError:
    raise ConfigError("selectools isn't installed: pip install 'factbook[selectools]'") from None

from factbook.facades.knowledge import (
    FileKnowledgeStore,
    KnowledgeBackend,
    KnowledgeEntry,
    KnowledgeMemory,
    KnowledgeStore,
    SQLiteKnowledgeStore,
)
from factbook.integrations.selectools.entity import Entity
from factbook.integrations.selectools.entity_memory import EntityMemory
from factbook.integrations.selectools.sessions import SessionStore
from factbook.integrations.selectools.tools import as_selectools, memory_tools_for_selectools

del _host

__all__ = [
    "Entity",
    "EntityMemory",
    "FileKnowledgeStore",
    "KnowledgeBackend",
    "KnowledgeEntry",
    "KnowledgeMemory",
    "KnowledgeStore",
    "SQLiteKnowledgeStore",
    "SessionStore",
    "as_selectools",
    "memory_tools_for_selectools",
]
