"""Records of persons taken for one: `python -m bench febrl --records F --out F`.

Reads a CSV file with a header (a column `rec_id` is left out unread), decides which of its records
are of one person by how far their attributes agree, and writes their pairs: zero-based row numbers,
the header not counted, parted by a tab. With `--gold` (pairs of the same form) it also counts.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

from bench.report import Bar, Table, report
from factbook.resolve.records.link import group_records
from factbook.resolve.records.sorts import Record

Pair = tuple[int, int]

BAR_F1 = 0.99
BAR_PRECISION = 0.999
BAR_SECONDS = 10.0


def main(argv: list[str]) -> int:
    """Decides the records; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench febrl", description=__doc__)
    parser.add_argument("--records", type=Path, required=True, help="a CSV file with a header")
    parser.add_argument("--out", type=Path, required=True, help="where to write the pairs")
    parser.add_argument("--gold", type=Path, help="pairs of the same form, to count against")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    asked = parser.parse_args(argv)
    records = read(asked.records)
    if not records:
        print(f"{asked.records.name} holds no records", file=sys.stderr)
        return 2
    began = time.perf_counter()
    found = [
        (left, right)
        for group in group_records(records)
        for at, right in enumerate(group)
        for left in group[:at]
    ]
    seconds = time.perf_counter() - began
    asked.out.write_text("".join(f"{left}\t{right}\n" for left, right in sorted(found)))
    table = Table(title="Records", columns=["records", "pairs", "seconds"])
    table.add(len(records), len(found), seconds)
    bars = [Bar(name="time", value=seconds, limit=BAR_SECONDS, unit="s")]
    if asked.gold:
        bars += _bars(set(found), _pairs(asked.gold))
    return report([table], bars, as_json=asked.json, records=len(records), found=len(found))


def read(path: Path) -> list[Record]:
    """The records of a CSV file, without the column `rec_id` and without empty values."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = csv.reader(file, skipinitialspace=True)
        names = [name.strip() for name in next(rows, list[str]())]
        return [
            {
                name: (value.strip(),)
                for name, value in zip(names, row, strict=False)
                if name != "rec_id" and value.strip()
            }
            for row in rows
            if row
        ]


def _pairs(path: Path) -> set[Pair]:
    lines = [line.split("\t") for line in path.read_text().splitlines() if line]
    return {(min(int(left), int(right)), max(int(left), int(right))) for left, right in lines}


def _bars(found: set[Pair], gold: set[Pair]) -> list[Bar]:
    both = len(found & gold)
    precision, recall = both / max(1, len(found)), both / max(1, len(gold))
    return [
        Bar(
            name="pair F1",
            value=2 * precision * recall / max(1e-9, precision + recall),
            limit=BAR_F1,
            sign="≥",
        ),
        Bar(name="precision", value=precision, limit=BAR_PRECISION, sign="≥"),
    ]
