"""How programs end that learn and are not closed, or are: how many by a signal, how late, and with
how many jobs leased.

Each sort (`bench/ways_to_end.py`) is ended so many times at random moments. With the models loaded
in the process itself while it learns (`cold`) an ending takes some seconds; those after (`warm`)
are forks of a process that has loaded them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from bench.report import Bar, Table, report
from bench.ways_to_end import WAYS, left

COLD = ("falls_off", "closes")
COLD_SECONDS = 6.0
"""A cold process ends at a moment within them: before the models are loaded, while they are, and
after.
"""
LIMIT_SECONDS = 180.0


@dataclass(kw_only=True, slots=True)
class Tally:
    """What became of some endings."""

    endings: int = 0
    signals: int = 0
    wrong: int = 0
    leased: int = 0
    seconds: list[float] = field(default_factory=list[float])

    def add(self, way: str, code: int, leased: int, seconds: float | None = None) -> None:
        """Counts one; `wrong` is another exit status than the way's."""
        self.endings += 1
        self.signals += code < 0
        self.wrong += code >= 0 and code != (way == "raises")
        self.leased += leased
        if seconds is not None:
            self.seconds.append(seconds)


def cold(way: str, count: int, at_once: int, folder: Path) -> Tally:
    """Ends a process of its own each time."""

    def one(number: int) -> tuple[int, int]:
        database = folder / f"{way}-{number}.db"
        moment = random.Random(number).uniform(0, COLD_SECONDS)
        command = [sys.executable, "-m", "bench.ways_to_end", way, str(database)]
        more = ["--seed", str(number), "--seconds", f"{moment:.2f}"]
        ran = subprocess.run(
            [*command, *more], capture_output=True, timeout=LIMIT_SECONDS, check=False
        )
        return ran.returncode, left(database)

    tally = Tally()
    with ThreadPoolExecutor(at_once) as pool:
        for code, leased in pool.map(one, range(count)):
            tally.add(way, code, leased)
    return tally


def warm(way: str, count: int, folder: Path, seconds: float) -> Tally:
    """Ends forks of one process."""
    command = [sys.executable, "-m", "bench.ways_to_end", way, str(folder / f"{way}.db")]
    more = ["--warm", str(count), "--seconds", str(seconds)]
    limit = LIMIT_SECONDS + 60 * count
    ran = subprocess.run(
        [*command, *more], capture_output=True, text=True, timeout=limit, check=True
    )
    tally, began = Tally(), time.time()
    for line in ran.stdout.splitlines():
        told = json.loads(line)
        if "ends" in told:
            began = told["ends"]
        else:
            tally.add(way, told["code"], told["leased"], told["at"] - began)
    return tally


def _row(table: Table, way: str, sort: str, tally: Tally) -> None:
    latest = f"{max(tally.seconds):.1f}" if tally.seconds else ""
    middle = f"{sorted(tally.seconds)[len(tally.seconds) // 2]:.1f}" if tally.seconds else ""
    table.add(way, sort, tally.endings, tally.signals, tally.wrong, tally.leased, middle, latest)


def main(argv: Sequence[str]) -> int:
    """Prints the figures; the bars are 0."""
    parser = argparse.ArgumentParser(prog="python -m bench endings", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=6, help="so many cold processes at once")
    parser.add_argument(
        "--seconds", type=float, default=0.6, help="a warm process ends within them"
    )
    parser.add_argument("--ways", nargs="*", choices=WAYS, default=list(WAYS))
    parser.add_argument("--only", choices=("cold", "warm"))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    columns = (
        "way",
        "models",
        "endings",
        "signals",
        "wrong",
        "left leased",
        "median s",
        "latest s",
    )
    table = Table(title="endings", columns=columns)
    tallies: list[Tally] = []
    with tempfile.TemporaryDirectory() as folder:
        for way in args.ways:
            if way in COLD and args.only != "warm":
                tallies.append(cold(way, args.count, args.at_once, Path(folder)))
                _row(table, way, "cold", tallies[-1])
            if args.only != "cold" and hasattr(os, "fork"):
                tallies.append(warm(way, args.count, Path(folder), args.seconds))
                _row(table, way, "warm", tallies[-1])
    bars = [
        Bar(
            name="endings by a signal",
            value=sum(each.signals for each in tallies),
            limit=0,
            sign="≤",
        ),
        Bar(
            name="other exit statuses", value=sum(each.wrong for each in tallies), limit=0, sign="≤"
        ),
        Bar(name="jobs left leased", value=sum(each.leased for each in tallies), limit=0, sign="≤"),
    ]
    return report([table], bars, as_json=args.json)
