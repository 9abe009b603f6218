"""`python -m bench selectools`: our entity memory and knowledge stores beside those of the
installed selectools.

Both in one run, on the same made-up entries (`bench.made_up`). What is slow is repeated less often,
as the tables say. Entities are named one by one in a shuffled order before anything is measured, as
a conversation does. selectools finds no entity by name but by going through `entities`, and
searches knowledge by its `recall` tool, which looks at the 500 most important entries. Our SQLite
store is searched by words (no embedder). Saving is measured on the wall, since it waits for the
disk; all else by the CPU of the process.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from selectools import entity_memory as their_entities
from selectools import knowledge as their_knowledge
from selectools.toolbox.memory_tools import make_recall_tool

from bench import made_up
from bench.report import Bar, Table, report
from factbook import Entity, EntityMemory, FileKnowledgeStore, KnowledgeEntry, SQLiteKnowledgeStore

SEED = 7
MOST = 100_000
TIMES = 30
"""How often each operation is repeated, or until `SLOW_S` are spent, 3 times at least; what takes
longer, once.
"""
SLOW_S = 2.0
BUDGET = 1_000
WRITES = 200


def main(argv: list[str]) -> int:
    """Measures both and reports; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench selectools", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--most",
        type=int,
        default=MOST,
        help="the largest number of entities and entries (%(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    asked = parser.parse_args(argv)
    held = [size for size in (100, 1_000, 10_000, 100_000) if size <= asked.most]
    kept = [size for size in held if size >= 1_000] or held
    entities = Table(
        title=_title("entities", "ms of CPU"),
        columns=("what", "entities", "selectools", "factbook", "times faster"),
    )
    sizes = Table(
        title="size of the context",
        columns=("entities", "selectools, whole", "whole", f"{BUDGET:,} tokens"),
    )
    stores = Table(
        title=_title("knowledge", "ms (of CPU, in searching)"),
        columns=("what", "entries", "selectools", "factbook", "times faster"),
    )
    figures: dict[str, float] = {}
    for size in held:
        figures |= _entities(size, entities, sizes)
    with tempfile.TemporaryDirectory() as folder:
        for size in kept:
            figures |= _stores(size, Path(folder) / str(size), stores)
        together = _writers(Path(folder))
    return report(
        [entities, sizes, stores, together],
        list(bars(figures, together, asked.most)),
        as_json=asked.json,
        ms=figures,
    )


def _title(what: str, unit: str) -> str:
    return f"{what}: median {unit} of so many (×n): 30, and fewer of what is slow"


def bars(figures: dict[str, float], together: Table, most: int) -> Iterable[Bar]:
    """The promises: speed at 100,000, and nothing lost between two processes."""
    if most >= MOST:
        at = f"at {MOST:,}"
        for name, theirs, ours, limit in (
            ("a new entity at capacity, times faster", "new, theirs", "new, ours", 1_000),
            (
                f"{BUDGET:,} tokens for a query, times faster than its whole",
                "context, theirs",
                "query, ours",
                50,
            ),
            (
                "search in the file store, times faster",
                "search file, theirs",
                "search file, ours",
                100,
            ),
            (
                "search in the SQLite store, times faster",
                "search sqlite, theirs",
                "search sqlite, ours",
                100,
            ),
        ):
            value = figures[f"{theirs} {MOST}"] / figures[f"{ours} {MOST}"]
            yield Bar(name=f"{name}, {at}", value=value, limit=limit, sign="≥")
    for row in together.rows:
        if str(row[0]).startswith("factbook"):
            kept = row[2]
            yield Bar(
                name=f"kept by {row[0]}",
                value=float(kept) if kept is not None else None,
                limit=2 * WRITES,
                sign="=",
            )


# --- timing ---------------------------------------------------------------------------------------


@dataclass
class Timed:
    """Milliseconds of the repetitions of one operation."""

    ms: list[float] = field(default_factory=list[float])

    @property
    def median(self) -> float:
        return statistics.median(self.ms)

    def __str__(self) -> str:
        shown = f"{self.median:,.0f}" if self.median >= 100 else f"{self.median:.3g}"
        return f"{shown} (×{len(self.ms)})"


def timed(do: Callable[[int], object], most: int | None = None, *, cpu: bool = False) -> Timed:
    """Times `do(0)`, `do(1)`, …, at most so often; by the clock on the wall, or the CPU of this
    process.
    """
    now = time.process_time if cpu else time.perf_counter
    found = Timed()
    for number in range(TIMES if most is None else most):
        began = now()
        do(number)
        found.ms.append(1000 * (now() - began))
        spent = sum(found.ms) / 1000
        if spent > SLOW_S and number != 1:
            break
    return found


def _cpu(do: Callable[[int], object], most: int | None = None) -> Timed:
    return timed(do, most, cpu=True)


def _beside(table: Table, what: str, size: int, theirs: Timed | None, ours: Timed | None) -> None:
    ratio = theirs.median / ours.median if theirs and ours else None
    table.add(what, size, str(theirs) if theirs else None, str(ours) if ours else None, ratio)


# --- entities -------------------------------------------------------------------------------------


@cache
def _parts(number: int) -> tuple[str, str, dict[str, str]]:
    pick = random.Random(number)
    name = f"{made_up.name_of(SEED, number)} {number}"
    return (
        name,
        "person",
        {"role": made_up.text(pick, 2, 3), "works_at": made_up.text(pick, 2, 3).title()},
    )


def _name(number: int) -> str:
    return _parts(number)[0]


def _theirs(number: int) -> Any:
    return their_entities.Entity(*_parts(number))


def _ours(number: int) -> Entity:
    return Entity(*_parts(number), aliases=[f"agent {number}"])


def _entities(size: int, table: Table, sizes: Table) -> dict[str, float]:
    theirs, ours = their_entities.EntityMemory(None, max_entities=size), EntityMemory(size)
    theirs.update([_theirs(number) for number in range(size)])
    ours.update([_ours(number) for number in range(size)])
    # Named one by one since, as in a conversation: not in the order in which they came.
    known = list(range(size))
    random.Random(SEED).shuffle(known)
    for number in known:
        theirs.update([_theirs(number)])
        ours.update([_ours(number)])
    told = [_parts(number)[2] for number in known[:TIMES]]
    queries = [f"who is the {each['role']} at {each['works_at']}?" for each in told]
    first = _cpu(lambda _: ours.build_context(queries[0], BUDGET), 1)
    pairs: dict[str, tuple[Timed | None, Timed | None]] = {
        "update of a known one": (
            _cpu(lambda number: theirs.update([_theirs(known[number])])),
            _cpu(lambda number: ours.update([_ours(known[number])])),
        ),
        "look-up by name": (
            _cpu(lambda number: _found(theirs, _name(known[number]))),
            _cpu(lambda number: _there(ours.get_entity(_name(known[number])))),
        ),
        "look-up by alias": (
            None,
            _cpu(lambda number: _there(ours.get_entity(f"agent {known[number]}"))),
        ),
        "context, whole": (
            _cpu(lambda _: theirs.build_context()),
            _cpu(lambda _: ours.build_context()),
        ),
        f"context, {BUDGET:,} tokens": (None, _cpu(lambda _: ours.build_context(budget=BUDGET))),
        f"context, {BUDGET:,} tokens for a query": (
            None,
            _cpu(lambda number: ours.build_context(queries[number], BUDGET)),
        ),
        "the same, first after loading": (None, first),
    }
    whole = theirs.build_context()
    sizes.add(
        size, *map(_size, (whole, ours.build_context(), ours.build_context(queries[0], BUDGET)))
    )
    for number in range(TIMES):
        _parts(size + number)  # made before the clock runs
    pairs["new one at capacity"] = (
        _cpu(lambda number: theirs.update([_theirs(size + number)])),
        _cpu(lambda number: ours.update([_ours(size + number)])),
    )
    for what, (one, other) in pairs.items():
        _beside(table, what, size, one, other)
    new, context = pairs["new one at capacity"], pairs["context, whole"]
    asked = pairs[f"context, {BUDGET:,} tokens for a query"]
    named = {
        "new, theirs": new[0],
        "new, ours": new[1],
        "context, theirs": context[0],
        "query, ours": asked[1],
    }
    return {f"{name} {size}": each.median for name, each in named.items() if each}


def _found(memory: Any, name: str) -> object:
    return _there(
        next((each for each in memory.entities if each.name.lower() == name.lower()), None)
    )


def _there(found: object) -> object:
    assert found is not None
    return found


def _size(text: str) -> str:
    size = len(text.encode())
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} KB"


# --- knowledge ------------------------------------------------------------------------------------


@cache
def _fields(number: int) -> dict[str, Any]:
    pick = random.Random(number)
    at = made_up.START + timedelta(seconds=number)
    return {
        "id": f"entry-{number}",
        "content": made_up.text(pick),
        "importance": round(pick.random(), 2),
        "created_at": at,
        "updated_at": at,
    }


def _question(number: int) -> str:
    """Five words of an entry."""
    return " ".join(random.Random(number).sample(_fields(number)["content"].split(), 5)) + "?"


def _stores(size: int, folder: Path, table: Table) -> dict[str, float]:
    """Saves and searches in stores that hold so many; returns the milliseconds of searching."""
    folder.mkdir()
    figures: dict[str, float] = {}
    for kind, theirs, ours in (
        ("file", _their_file(folder / "theirs", size), FileKnowledgeStore(folder / "ours")),
        (
            "sqlite",
            _their_sqlite(folder / "theirs.db", size),
            SQLiteKnowledgeStore(folder / "ours.db", embedder="none"),
        ),
    ):
        ours.save_many(KnowledgeEntry(**_fields(number)) for number in range(size))
        pairs = _saved_and_searched(size, theirs, ours)
        for what, (one, other) in pairs.items():
            _beside(table, f"{what}, {kind} store", size, one, other)
        one, other = pairs["search"]
        figures |= {
            f"search {kind}, theirs {size}": one.median,
            f"search {kind}, ours {size}": other.median,
        }
        if isinstance(ours, SQLiteKnowledgeStore):
            ours.close()
    return figures


def _saved_and_searched(size: int, theirs: Any, ours: Any) -> dict[str, tuple[Timed, Timed]]:
    recall = make_recall_tool(_Knowledge(theirs))  # type: ignore[arg-type]
    asked = [_question(random.Random(number).randrange(size)) for number in range(TIMES)]
    ours.search(asked[0])  # the file store's index is made once
    for number in range(TIMES):
        _fields(size + number)
    return {
        "save": (
            timed(lambda number: theirs.save(_their_entry(size + number))),
            timed(lambda number: ours.save(KnowledgeEntry(**_fields(size + number)))),
        ),
        "search": (
            _cpu(lambda number: recall.execute({"query": asked[number]})),
            _cpu(lambda number: ours.search(asked[number])),
        ),
    }


@dataclass
class _Knowledge:
    """What its recall tool needs of a knowledge memory."""

    store: Any


def _their_entry(number: int) -> Any:
    return their_knowledge.KnowledgeEntry(**_fields(number))


def _their_file(folder: Path, size: int) -> Any:
    """Filled in one step: its `save` writes the whole file anew."""
    store = their_knowledge.FileKnowledgeStore(str(folder))
    store._save_all([_their_entry(number) for number in range(size)])
    return store


def _their_sqlite(path: Path, size: int) -> Any:
    store = their_knowledge.SQLiteKnowledgeStore(str(path))
    rows = []
    for number in range(size):
        each = _fields(number)
        at = each["created_at"].isoformat()
        rows.append(
            (each["id"], each["content"], "general", each["importance"], 0, None, at, at, "{}")
        )
    with sqlite3.connect(path) as connection:
        connection.executemany("INSERT INTO knowledge VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return store


# --- two processes --------------------------------------------------------------------------------

_STORES: dict[str, Callable[[Path], Any]] = {
    "selectools' file store": lambda path: their_knowledge.FileKnowledgeStore(str(path)),
    "factbook's file store": FileKnowledgeStore,
    "selectools' SQLite store": lambda path: their_knowledge.SQLiteKnowledgeStore(
        str(path.with_suffix(".db"))
    ),
    "factbook's SQLite store": lambda path: SQLiteKnowledgeStore(
        path.with_suffix(".db"), embedder="none"
    ),
}


def _writers(folder: Path) -> Table:
    """Two processes, each writing entries of its own to one store at the same time."""
    table = Table(
        title=f"two processes, {WRITES} entries each",
        columns=("store", "saves that failed", "entries kept", "seconds"),
    )
    context = multiprocessing.get_context("spawn")
    for number, (name, opened) in enumerate(_STORES.items()):
        path = folder / f"together{number}"
        store = opened(path)
        barrier, failed = context.Barrier(2), context.Queue()
        processes = [
            context.Process(target=_write, args=(name, path, side, barrier, failed))
            for side in (0, 1)
        ]
        for process in processes:
            process.start()
        told = [failed.get(timeout=300) for _ in processes]
        for process in processes:
            process.join()
        table.add(name, sum(each[0] for each in told), store.count(), max(each[1] for each in told))
    return table


def _write(name: str, path: Path, side: int, barrier: Any, failed: Any) -> None:
    store = _STORES[name](path)
    made = their_knowledge.KnowledgeEntry if name.startswith("selectools") else KnowledgeEntry
    count = 0
    barrier.wait()
    began = time.perf_counter()
    for number in range(WRITES):
        try:
            store.save(made(**_fields(side * WRITES + number)))
        except Exception:
            count += 1
    failed.put((count, time.perf_counter() - began))
