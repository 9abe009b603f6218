"""`python -m bench scale --lines N`: what recall and writing cost in a large memory.

Loads N made-up lines through both doors (`bench.made_up`) in a process of its own, then asks 200 questions of 4–8 words
by the default recall, with the embedder and without. Times of recall are CPU of the whole process, embedding included.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench import made_up
from bench.report import Bar, Table, percentile, report
from factbook import embed
from factbook.memory.memory import Memory
from factbook.model.change import Change, Stamp
from factbook.model.episode import NewEpisode, NewMessage
from factbook.ports.models import Embedder
from factbook.ports.store import Store, Vectors
from factbook.store import open_store

SEED = 7
SPACE = "ada"
QUESTIONS = 200
SINGLE_WRITES = 200
BATCH = 200
"""Entities a transaction while loading."""
BAR_LINES = 100_000
BAR_RECALL_MS = 25.0


def main(argv: list[str]) -> int:
    """Loads, asks, writes a little, and reports; 1 where the bar is missed."""
    asked = _parser().parse_args(argv)
    with _file(asked.db) as path:
        if path.exists() and (held := _held(path)) != _entities(asked.lines) * made_up.LINES_AN_ENTITY:
            print(f"{path} holds {held:,} lines in the space that is asked; remove it, or ask for as many")
            return 2
        loaded = _load_apart(path, asked.lines, asked.spaces_beside)
        embedder = embed.load()
        # First questions of a process pay for loading: they are told apart.
        runs = [_ask(path, asked.lines, None), *([_ask(path, asked.lines, embedder)] if embedder else [])]
        writes = _write(path)
        size = sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
    tables = [_recall_table(runs, asked), _cost_table(loaded, writes, size, runs[-1]["resident"], asked.lines)]
    best = runs[-1]
    bars: list[Bar] = []
    if asked.lines <= BAR_LINES:
        how = "embedding included" if embedder else "by words alone: the embedder is not installed"
        name = f"recall p95 at {asked.lines:,} lines, {how}"
        bars = [Bar(name=name, value=percentile(best["total"], 95), limit=BAR_RECALL_MS, unit="ms CPU")]
    return report(tables, bars, as_json=asked.json, lines=asked.lines, spaces_beside=asked.spaces_beside)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench scale", description=__doc__)
    parser.add_argument("--lines", type=int, default=BAR_LINES, help="lines in the space that is asked (%(default)s)")
    parser.add_argument("--spaces-beside", type=int, default=0, metavar="M", help="other spaces of as many lines each")
    parser.add_argument("--db", type=Path, help="keep the file here, and don't load again what it holds already")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    return parser


@contextmanager
def _file(path: Path | None) -> Iterator[Path]:
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "scale.db"


def _entities(lines: int) -> int:
    return max(1, lines // made_up.LINES_AN_ENTITY)


def _held(path: Path) -> int:
    store = open_store(str(path))
    with store.reading() as reader:
        held = reader.stats(SPACE)["lines"]
    store.close()
    return held


# --- loading -------------------------------------------------------------------------------------------------------


def _load_apart(path: Path, lines: int, beside: int) -> dict[str, Any]:
    """Loads in a process of its own, so that what it needed isn't counted as the reader's memory."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_load, args=(path, lines, beside, theirs))
    process.start()
    theirs.close()
    try:
        loaded: dict[str, Any] = ours.recv()
    except EOFError:
        raise RuntimeError("loading failed; its error is above") from None
    finally:
        process.join()
    return loaded


def _load(path: Path, lines: int, beside: int, answer: Connection) -> None:
    store = open_store(str(path))
    wall, cpu = time.perf_counter(), time.process_time()
    count = 0
    for number, space in enumerate([*(f"other {each}" for each in range(beside)), SPACE]):
        with store.reading() as reader:
            is_there = reader.version(space)
        if not is_there:
            count += _fill(store, space, SEED + beside - number, lines)
    store.close()
    answer.send(
        {"lines": count, "wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "resident": resident()}
    )


def _fill(store: Store, space: str, seed: int, lines: int) -> int:
    """Fills a space and returns how many lines it wrote."""
    entities = _entities(lines)
    embedder = embed.load()
    vectors = made_up.Vectors(seed, embedder.size, lines) if embedder else None
    for start in range(0, entities, BATCH):
        blocks = [made_up.block(seed, number, entities) for number in range(start, min(start + BATCH, entities))]
        episodes = [
            NewEpisode(
                id=f"ep{start + offset}",
                session=made_up.session_of(start + offset),
                created_at=made_up.START,
                messages=tuple(block.messages),
            )
            for offset, block in enumerate(blocks)
        ]
        store.remember(space, episodes, jobs=False)
        ids = [line_id for block in blocks for line_id in block.texts]
        store.commit(
            space,
            expected_version=start // BATCH,
            changes=[Change(after=row) for block in blocks for row in block.rows],
            stamp=Stamp(at=made_up.START, verb="learn"),
            vectors=Vectors(
                model=embedder.name, size=embedder.size, rows=dict(zip(ids, vectors.take(len(ids)), strict=True))
            )
            if embedder and vectors
            else None,
        )
    return entities * made_up.LINES_AN_ENTITY


# --- asking --------------------------------------------------------------------------------------------------------


class _Timed:
    """An embedder that adds up the CPU it takes."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.size = embedder.size
        self.ms = 0.0

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        began = time.process_time()
        out = self._embedder.embed(texts)
        self.ms += 1000 * (time.process_time() - began)
        return out


def _ask(path: Path, lines: int, embedder: Embedder | None) -> dict[str, Any]:
    """Asks all questions and returns the CPU milliseconds of each, whole and split."""
    timed = _Timed(embedder) if embedder else None
    if timed:
        timed.embed(["warm up"])  # loading the model is not recall
    now = made_up.START + timedelta(days=400)
    entities = _entities(lines)
    first, *asked = made_up.questions(SEED, entities, QUESTIONS + 1)
    total: list[float] = []
    embedding: list[float] = []
    found = 0
    with Memory.open(path, extractor="none", embedder=timed or "none", background=False, clock=lambda: now) as memory:
        bound = memory.within(SPACE)
        began = time.process_time()
        bound.recall(first)
        cold = 1000 * (time.process_time() - began)
        for question in asked:
            if timed:
                timed.ms = 0.0
            began = time.process_time()
            found += bool(bound.recall(question))
            total.append(1000 * (time.process_time() - began))
            embedding.append(timed.ms if timed else 0.0)
        memory_now = resident()
    rest = [whole - part for whole, part in zip(total, embedding, strict=True)]
    return {
        "how": "words and vectors" if embedder else "words",
        "total": total,
        "embed": embedding,
        "rest": rest,
        "cold": cold,
        "found": found,
        "resident": memory_now,
    }


def _recall_table(runs: Sequence[dict[str, Any]], asked: argparse.Namespace) -> Table:
    beside = f" beside {asked.spaces_beside} spaces of as many" if asked.spaces_beside else ""
    table = Table(
        title=f"Recall at {asked.lines:,} lines{beside}: CPU ms of {QUESTIONS} questions",
        columns=("by", "p50", "p95", "embed p50", "embed p95", "rest p50", "rest p95", "first", "answered"),
    )
    for run in runs:
        figures = [percentile(run[part], rank) for part in ("total", "embed", "rest") for rank in (50, 95)]
        table.add(run["how"], *figures, run["cold"], run["found"])
    return table


# --- writing -------------------------------------------------------------------------------------------------------


def _write(path: Path) -> dict[str, float]:
    """Single messages, one transaction each, into a small space beside: wall and CPU milliseconds."""
    store = open_store(str(path))
    with store.reading() as reader:
        begun = reader.stats("writes")["messages"]
    wall: list[float] = []
    cpu: list[float] = []
    for number in range(begun, begun + SINGLE_WRITES):
        said = NewMessage(id=f"w{number}", key=f"w{number}", at=made_up.START, text=made_up.name_of(SEED, number))
        told = NewEpisode(id=f"we{number}", created_at=made_up.START, messages=(said,))
        began, busy = time.perf_counter(), time.process_time()
        store.remember("writes", [told])
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - busy))
    store.close()
    return {
        "per_second": 1000 * len(wall) / sum(wall),
        "p50": percentile(wall, 50),
        "p95": percentile(wall, 95),
        "cpu": sum(cpu) / len(cpu),
    }


def _cost_table(loaded: dict[str, Any], writes: dict[str, float], size: int, memory: float | None, lines: int) -> Table:
    table = Table(title="Writing and keeping", columns=("what", "figure", "unit"))
    if loaded["lines"]:
        table.add("lines loaded", loaded["lines"], "")
        table.add("loading", loaded["lines"] / loaded["wall"], "lines a second")
        table.add("loading", 1e6 * loaded["cpu"] / loaded["lines"], "µs CPU a line")
    table.add("single messages", writes["per_second"], "writes a second")
    table.add("a single message p50", writes["p50"], "ms")
    table.add("a single message p95", writes["p95"], "ms")
    table.add("a single message", writes["cpu"], "ms CPU")
    table.add("file", size / 1e6, "MB")
    table.add("file, a line", size / max(1, lines), "bytes")
    table.add("resident memory, asking", memory, "MB")
    return table


def resident() -> float | None:
    """Megabytes of this process that lie in memory; None where the system doesn't say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1000
