"""Loading made-up lines for `bench.scale`, through both doors, in a process of its own."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench import made_up
from factbook import reader
from factbook.model.change import Change, Stamp
from factbook.model.episode import NewEpisode, NewMessage
from factbook.ports.models import Embedder
from factbook.ports.store import Store, Vectors
from factbook.store import open_store

SEED = 7
SPACE = "ada"
PLAIN = "writes"
"""A small space without vectors, for single messages."""
BATCH = 200
"""Entities a transaction while loading."""
SINGLE_WRITES = 200


def apart(work: Callable[..., dict[str, Any]], *arguments: object) -> dict[str, Any]:
    """What a function returns that runs in a new process, so that what it needs isn't counted as
    anyone else's.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, work, *arguments))
    process.start()
    theirs.close()
    try:
        found: dict[str, Any] = ours.recv()
    except EOFError:
        raise RuntimeError(f"{work.__name__} failed; its error is above") from None
    finally:
        process.join()
    return found


def _answer(pipe: Connection, work: Callable[..., dict[str, Any]], *arguments: object) -> None:
    pipe.send(work(*arguments))


def entities_of(lines: int) -> int:
    return max(1, lines // made_up.LINES_AN_ENTITY)


def held(path: Path, space: str = SPACE) -> int:
    """How many lines a space of the file has."""
    if not path.exists():
        return 0
    store = open_store(str(path))
    with store.snapshot() as snapshot:
        found = snapshot.stats(space)["lines"]
    store.close()
    return found


def load(path: Path, spaces: list[str], lines: int, with_vectors: bool) -> dict[str, Any]:
    """Fills those of the spaces that are empty with so many lines each."""
    embedder = reader.load_embedder() if with_vectors else None
    store = open_store(str(path))
    wall, cpu = time.perf_counter(), time.process_time()
    parts: list[float] = []
    count = 0
    for space in spaces:
        with store.snapshot() as snapshot:
            is_there = snapshot.version(space)
        if not is_there:
            count += _fill(store, space, embedder, lines, parts)
    store.close()
    return {
        "lines": count,
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "parts": parts,
    }


def seed_of(space: str) -> int:
    """Each space has lines of its own."""
    return SEED if space == SPACE else SEED + 1 + int(space.rsplit(" ", 1)[-1])


def _fill(
    store: Store, space: str, embedder: Embedder | None, lines: int, parts: list[float]
) -> int:
    """Fills a space and returns how many lines it wrote; adds the CPU that each batch took."""
    entities, seed = entities_of(lines), seed_of(space)
    vectors = made_up.Vectors(seed, embedder.size, lines) if embedder else None
    for start in range(0, entities, BATCH):
        blocks = [
            made_up.block(seed, number, entities)
            for number in range(start, min(start + BATCH, entities))
        ]
        ids = [line_id for block in blocks for line_id in block.texts]
        rows = (
            Vectors(
                model=embedder.name,
                size=embedder.size,
                rows=dict(zip(ids, vectors.take(len(ids)), strict=True)),
            )
            if embedder and vectors
            else None
        )
        episodes = [
            NewEpisode(
                id=f"ep{start + offset}",
                session=made_up.session_of(start + offset),
                created_at=made_up.START,
                messages=tuple(block.messages),
            )
            for offset, block in enumerate(blocks)
        ]
        began = time.process_time()
        store.remember(space, episodes, jobs=False)
        store.commit(
            space,
            expected_version=start // BATCH,
            changes=[Change(after=row) for block in blocks for row in block.rows],
            stamp=Stamp(at=made_up.START, verb="learn"),
            vectors=rows,
        )
        parts.append((time.process_time() - began) / len(blocks))
    return entities * made_up.LINES_AN_ENTITY


def growth(parts: list[float]) -> float | None:
    """How many times as long a line of the last quarter took as one of the first, in CPU; None of
    too few batches.
    """
    quarter = len(parts) // 4
    return sum(parts[-quarter:]) / sum(parts[:quarter]) if quarter >= 2 else None


def write(path: Path) -> dict[str, Any]:
    """Single messages, one transaction each, into a small space beside: wall and CPU
    milliseconds.
    """
    store = open_store(str(path))
    with store.snapshot() as snapshot:
        begun = snapshot.stats(PLAIN)["messages"]
    wall: list[float] = []
    cpu: list[float] = []
    for number in range(begun, begun + SINGLE_WRITES):
        said = NewMessage(
            id=f"w{number}", key=f"w{number}", at=made_up.START, text=made_up.name_of(SEED, number)
        )
        told = NewEpisode(id=f"we{number}", created_at=made_up.START, messages=(said,))
        began, busy = time.perf_counter(), time.process_time()
        store.remember(PLAIN, [told])
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - busy))
    store.close()
    return {"wall": wall, "cpu": cpu}
