"""Knowledge memory: what an agent decides to keep, in a file or as the notes of a space."""

from factbook.memory.knowledge.entry import KnowledgeEntry, Pruned
from factbook.memory.knowledge.file_store import FileKnowledgeStore
from factbook.memory.knowledge.memory import KnowledgeMemory, PreSaveHook
from factbook.memory.knowledge.ports import KnowledgeBackend, KnowledgeStore, SearchlessStore
from factbook.memory.knowledge.sqlite_store import SQLiteKnowledgeStore

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
