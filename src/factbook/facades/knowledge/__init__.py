"""Knowledge memory: what an agent decides to keep, in a file or as the notes of a space."""

from factbook.facades.knowledge.file_store import FileKnowledgeStore
from factbook.facades.knowledge.knowledge_entry import KnowledgeEntry, Pruned
from factbook.facades.knowledge.knowledge_memory import KnowledgeMemory, PreSaveHook
from factbook.facades.knowledge.knowledge_ports import (
    KnowledgeBackend,
    KnowledgeStore,
    SearchlessStore,
)
from factbook.facades.knowledge.sqlite_store import SQLiteKnowledgeStore

__all__ = [
    "FileKnowledgeStore",
    "KnowledgeBackend",
    "KnowledgeEntry",
    "KnowledgeMemory",
    "KnowledgeStore",
    "PreSaveHook",
    "Pruned",
    "SQLiteKnowledgeStore",
    "SearchlessStore",
]
