"""`python -m bench scale --lines N`: what recall and writing cost in a large memory, and what
candidates are worth.

Loads N made-up lines through both doors (`bench.made_up`), then asks 200 questions of 4–8 words by
the default recall, each part in a process of its own. Times of recall are CPU of the whole process,
without the embedder's where it says so. With spaces beside, it asks before they are loaded and
after. Real vectors go into a file of their own.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import loading, overlaps
from bench.asking import NOW, QUESTIONS, ask, ask_first, resident
from bench.loading import SPACE, apart
from bench.report import Bar, Table, percentile, report
from factbook import reader

__all__ = ["main", "resident"]

BAR_RECALL_MS: Mapping[int, float] = {1_000: 8.0, 100_000: 15.0, 1_000_000: 45.0}
"""p95 beyond the embedder, up to so many lines."""
BAR_BESIDE = 1.2
"""Times as long with other spaces in the file."""
BAR_WORDS, BAR_VECTORS = 0.95, 0.90
BAR_MEMORY_MB = 400.0
BAR_LOAD_MINUTES = 20.0
BAR_GROWTH = 1.5
"""Times as long a line of the last quarter takes to write as one of the first."""
MANY = 100_000
"""From so many lines on, loading is measured for how it grows."""
VECTORS = 20_000


def main(argv: list[str]) -> int:
    """Loads, asks, writes a little, and reports; 1 where a bar is missed."""
    asked = _parser().parse_args(argv)
    with _file(asked.db) as path:
        expected = loading.entities_of(asked.lines) * 5
        if (held := loading.held(path)) not in (0, expected):
            print(
                f"{path} holds {held:,} lines in the space that is asked; remove it, or ask for as many"
            )
            return 2
        vectors = not asked.words_only and reader.load_embedder() is not None
        loaded = apart(loading.load, path, [SPACE], asked.lines, vectors)
        others = [f"other {number}" for number in range(asked.spaces_beside)]
        alone = (
            [] if any(loading.held(path, each) for each in others) else _runs(path, asked, vectors)
        )
        beside = apart(loading.load, path, others, asked.lines, vectors) if others else None
        runs = _runs(path, asked, vectors) if others else alone
        writes = apart(loading.write, path)
        first = [apart(ask_first, path, asked.lines, plain) for plain in (False, True)]
        found = overlaps.by_words(path, asked.lines, NOW, asked.questions)
        size = sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))
    near = _vectors(asked.vectors) if vectors and asked.vectors else None
    tables = [
        _recall_table(runs, asked, alone if others else []),
        _candidates_table(found, near),
        _cost_table(loaded, beside, writes, size, _resident(runs), asked),
        _first_table(first),
    ]
    bars = [
        *_speed(runs, alone if others else [], asked),
        Bar(name="by words, of BM25's best 50", value=found["overlap"], limit=BAR_WORDS, sign="≥"),
        Bar(
            name="resident beyond the embedder",
            value=_resident(runs),
            limit=BAR_MEMORY_MB,
            unit="MB",
        ),
        Bar(
            name="models loaded for a space without vectors",
            value=float(first[1]["loaded"]),
            limit=0,
        ),
        *(
            [
                Bar(
                    name="by vectors, of the true best 50",
                    value=near["overlap"],
                    limit=BAR_VECTORS,
                    sign="≥",
                )
            ]
            if near
            else ()
        ),
        *_load_bars(loaded),
    ]
    return report(
        tables, bars, as_json=asked.json, lines=asked.lines, spaces_beside=asked.spaces_beside
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench scale", description=__doc__)
    parser.add_argument(
        "--lines", type=int, default=MANY, help="lines in the space that is asked (%(default)s)"
    )
    parser.add_argument(
        "--spaces-beside",
        type=int,
        default=0,
        metavar="M",
        help="other spaces of as many lines each",
    )
    parser.add_argument(
        "--vectors",
        type=int,
        default=VECTORS,
        metavar="V",
        help="real vectors to compare; 0 for none (%(default)s)",
    )
    parser.add_argument(
        "--questions", type=int, default=QUESTIONS, help="how many are asked (%(default)s)"
    )
    parser.add_argument(
        "--words-only", action="store_true", help="without the embedder, and without vectors"
    )
    parser.add_argument(
        "--db", type=Path, help="keep the file here, and don't load again what it holds already"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    return parser


@contextmanager
def _file(path: Path | None) -> Generator[Path]:
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "scale.db"


def _runs(path: Path, asked: argparse.Namespace, vectors: bool) -> list[dict[str, Any]]:
    runs = [
        apart(ask, path, asked.lines, each, asked.questions)
        for each in ((False, True) if vectors else (False,))
    ]
    if vectors:
        runs.append(apart(ask, path, asked.lines, vectors, asked.questions, runs[-1]["made"]))
    return runs


def _resident(runs: Sequence[dict[str, Any]]) -> float | None:
    """Of the run with the embedder, if there is one: the last but one."""
    return (runs[1] if len(runs) > 1 else runs[0])["resident"]


def _vectors(count: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return apart(overlaps.by_vectors, Path(folder) / "vectors.db", count)


def limit_of(lines: int) -> float | None:
    """The bar of recall for so many lines; None beyond the largest."""
    return next((limit for most, limit in BAR_RECALL_MS.items() if lines <= most), None)


def _speed(
    runs: Sequence[dict[str, Any]], alone: Sequence[dict[str, Any]], asked: argparse.Namespace
) -> list[Bar]:
    """For each way of asking: the time alone, and how many times it is with other spaces beside."""
    limit = limit_of(asked.lines)
    bars: list[Bar] = []
    for number, run in enumerate(runs[:2]):
        p95 = percentile(run["rest"], 95)
        name = f"recall p95 by {run['how']} at {asked.lines:,} lines"
        if alone:
            before = percentile(alone[number]["rest"], 95)
            bars.append(Bar(name=f"{name}, times that alone", value=p95 / before, limit=BAR_BESIDE))
        if limit is not None:
            most = BAR_BESIDE * limit if asked.spaces_beside else limit
            bars.append(Bar(name=name, value=p95, limit=most, unit="ms CPU beyond the embedder"))
    return bars


def _load_bars(loaded: dict[str, Any]) -> list[Bar]:
    if loaded["lines"] < MANY:
        return []
    minutes = loaded["wall"] / 60 * 1e6 / loaded["lines"]
    growth = loading.growth(loaded["parts"])
    return [
        Bar(
            name="loading a million lines",
            value=minutes,
            limit=BAR_LOAD_MINUTES,
            unit="minutes at this rate",
        ),
        Bar(name="writing the last quarter, times the first", value=growth, limit=BAR_GROWTH),
    ]


def _recall_table(
    runs: Sequence[dict[str, Any]], asked: argparse.Namespace, alone: Sequence[dict[str, Any]]
) -> Table:
    table = Table(
        title=f"Recall at {asked.lines:,} lines: CPU ms of {asked.questions} questions",
        columns=("by", "p50", "p95", "embed p50", "embed p95", "rest p50", "rest p95", "answered"),
    )
    beside = f", {asked.spaces_beside} spaces of as many beside" if asked.spaces_beside else ""
    for some, where in ((alone, ", alone"), (runs, beside)):
        for run in some:
            figures = [
                percentile(run[part], rank)
                for part in ("total", "embed", "rest")
                for rank in (50, 95)
            ]
            table.add(run["how"] + where, *figures, run["found"])
    return table


def _candidates_table(found: dict[str, Any], near: dict[str, Any] | None) -> Table:
    table = Table(
        title=f"Of the truly best {overlaps.BEST} lines, how many are candidates",
        columns=("by", "share", "p50", "p95"),
    )
    table.add(
        "words", found["overlap"], percentile(found["took"], 50), percentile(found["took"], 95)
    )
    if near:
        took = percentile(near["took"], 50), percentile(near["took"], 95)
        table.add(f"{near['vectors']:,} real vectors", near["overlap"], *took)
    return table


def _first_table(first: Sequence[dict[str, Any]]) -> Table:
    table = Table(
        title="The first question of a process",
        columns=("where", "ms CPU", "ms", "model loaded", "answered"),
    )
    for run, where in zip(first, ("with vectors", "without vectors"), strict=True):
        table.add(
            where, run["cpu"], run["wall"], "yes" if run["loaded"] else "no", int(run["found"])
        )
    return table


def _cost_table(
    loaded: dict[str, Any],
    beside: dict[str, Any] | None,
    writes: dict[str, Any],
    size: int,
    memory: float | None,
    asked: argparse.Namespace,
) -> Table:
    table = Table(title="Writing and keeping", columns=("what", "figure", "unit"))
    for run, what in ((loaded, ""), (beside, " beside")):
        if run and run["lines"]:
            table.add(f"lines loaded{what}", run["lines"], "")
            table.add(f"loading{what}", run["wall"] / 60, "minutes")
            table.add(f"loading{what}", 1e6 * run["cpu"] / run["lines"], "µs CPU a line")
    if (growth := loading.growth(loaded["parts"])) is not None:
        table.add("writing the last quarter", growth, "times the first")
    table.add(
        "single messages", 1000 * len(writes["wall"]) / sum(writes["wall"]), "writes a second"
    )
    table.add("a single message p50", percentile(writes["wall"], 50), "ms")
    table.add("a single message p95", percentile(writes["wall"], 95), "ms")
    table.add("a single message", sum(writes["cpu"]) / len(writes["cpu"]), "ms CPU")
    table.add("file", size / 1e6, "MB")
    table.add("file, a line", size / max(1, asked.lines * (1 + asked.spaces_beside)), "bytes")
    table.add("resident beyond the embedder, asking", memory, "MB")
    return table
