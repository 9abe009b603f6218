"""Asking for `bench.scale`, each time in a process of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from bench import made_up
from bench.loading import PLAIN, SEED, SPACE, entities_of
from factbook import reader
from factbook.memory.memory import Memory
from factbook.ports.models import Embedder

QUESTIONS = 200
WARMING = 50
"""Other questions that a process is asked first: what it learns once (the stems and the lengths of
words, the pages of the file) is not what recall costs. The very first is told apart.
"""
NOW = made_up.START + timedelta(days=400)


class _Timed:
    """An embedder that adds up the CPU it takes."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.size = embedder.size
        self.ms = 0.0
        self.made: dict[str, bytes] = {}

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        began = time.process_time()
        out = self._embedder.embed(texts)
        self.ms += 1000 * (time.process_time() - began)
        self.made.update(zip(texts, out, strict=True))
        return out


class _Known:
    """Vectors that were made before, by another process."""

    def __init__(self, embedder: Embedder, made: Mapping[str, bytes]) -> None:
        self.name = embedder.name
        self.size = embedder.size
        self._made = made

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [self._made[text] for text in texts]


def ask(
    path: Path, lines: int, vectors: bool, count: int, made: Mapping[str, bytes] | None = None
) -> dict[str, Any]:
    """Asks all questions and returns the CPU milliseconds of each, whole and split.

    Args:
        made: the questions' vectors, if they are known: then no model runs, which leaves nothing in
            the processor's caches of what recall had there.
    """
    embedder = reader.load_embedder() if vectors else None
    timed = _Timed(embedder if made is None else _Known(embedder, made)) if embedder else None
    if timed and made is None:
        timed.embed(["warm up"])  # loading the model is not recall
    before = resident()
    questions = made_up.questions(SEED, entities_of(lines), WARMING + count)
    total: list[float] = []
    embedding: list[float] = []
    found = 0
    with Memory.open(
        path, extractor="none", embedder=timed or "none", background=False, clock=lambda: NOW
    ) as memory:
        bound = memory.within(SPACE)
        for question in questions[:WARMING]:
            bound.recall(question)
        for question in questions[WARMING:]:
            if timed:
                timed.ms = 0.0
            began = time.process_time()
            found += bool(bound.recall(question))
            total.append(1000 * (time.process_time() - began))
            embedding.append(timed.ms if timed else 0.0)
        after = resident()
    return {
        "how": "words"
        if not timed
        else "words and vectors"
        if made is None
        else "words and known vectors",
        "made": timed.made if timed else {},
        "total": total,
        "embed": embedding,
        "rest": [whole - part for whole, part in zip(total, embedding, strict=True)],
        "found": found,
        "resident": None if before is None or after is None else after - before,
    }


def ask_first(path: Path, lines: int, plain: bool) -> dict[str, Any]:
    """The first question of a new process, opening the file included; the embedder is the default
    one.

    Args:
        plain: ask in the space without vectors.
    """
    question = (
        made_up.name_of(SEED, 0) if plain else made_up.questions(SEED, entities_of(lines), 1)[0]
    )
    wall, cpu = time.perf_counter(), time.process_time()
    with Memory.open(path, extractor="none", background=False, clock=lambda: NOW) as memory:
        found = bool(memory.within(PLAIN if plain else SPACE).recall(question))
        out = {
            "wall": 1000 * (time.perf_counter() - wall),
            "cpu": 1000 * (time.process_time() - cpu),
        }
    return {**out, "found": found, "loaded": "onnxruntime" in sys.modules}


def resident() -> float | None:
    """Megabytes of this process that lie in memory; None where the system doesn't say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1000
