"""The façades of the documents: `EntityMemory` and `KnowledgeMemory`, over a memory or alone."""
