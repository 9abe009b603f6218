"""`EntityMemory`: the bounded working memory of one conversation (document 000)."""

from __future__ import annotations

from factbook.facades.entity_memory.entity_memory import EntityMemory

__all__ = ["EntityMemory"]
