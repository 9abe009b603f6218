"""Run as a process of its own: saves entries through a store or a memory. Arguments: how, where,
name, how many.
"""

from __future__ import annotations

import sys

from factbook import FileKnowledgeStore, KnowledgeEntry, KnowledgeMemory, SQLiteKnowledgeStore


def main(how: str, where: str, name: str, count: int) -> None:
    """Prints `ready`, waits for a line, saves, and prints the id of each entry when it is safe."""
    store = (
        FileKnowledgeStore(where) if how == "file" else SQLiteKnowledgeStore(where, embedder="none")
    )
    knowledge = KnowledgeMemory(store=store)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(count):
        if number % 2:
            key = knowledge.remember(f"{name} says {number}")
        else:
            key = f"{name}-{number}"
            store.save(KnowledgeEntry(id=f"{name}-{number}", content=f"{name} says {number}"))
            store.save(
                KnowledgeEntry(
                    id=f"{name}-{number}", content=f"{name} says {number}", importance=0.6
                )
            )
        print(key, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
