"""Identity decisions on pairs of names: `python -m bench identity --pairs F --out F`; and on the
first names of conversations in one space: `--conversations DIR` (see `first_names`).

Reads one pair a line (type, name, name, parted by tabs; `person|place` where the two are of
different types), and writes `merge`, `ask` or `separate` a line, in order, by what the engine
decides when it knows nothing else. With `--gold` (verdict, type, name, name, why) it also counts: a
wrong merge is the worst error there is, an asked pair is only unfinished.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from bench.report import Bar, Table, report
from factbook.resolve.name_match import Decision, Named, decide_names

SAME_MERGED = 29
"""Of the 30 pairs of one thing in the development set."""


def main(argv: list[str]) -> int:
    """Decides every pair; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench identity", description=__doc__)
    parser.add_argument("--pairs", type=Path, help="type, name, name a line")
    parser.add_argument("--out", type=Path, help="where to write the decisions")
    parser.add_argument(
        "--gold", type=Path, help="verdict, type, name, name, why a line, to count against"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--conversations",
        type=Path,
        metavar="DIR",
        help="JSON files of conversations, instead of pairs",
    )
    asked = parser.parse_args(argv)
    if asked.conversations:
        from bench.first_names import measure

        return report(*measure(asked.conversations), as_json=asked.json)
    if not (asked.pairs and asked.out):
        parser.error("give --pairs and --out, or --conversations")
    pairs = _lines(asked.pairs)
    if bad := [number for number, pair in enumerate(pairs, 1) if len(pair) != 3]:
        print(
            f"{asked.pairs.name}, pair {bad[0]}: not a type and two names parted by tabs",
            file=sys.stderr,
        )
        return 2
    began = time.perf_counter()
    decisions = [_decide(*pair) for pair in pairs]
    microseconds = (time.perf_counter() - began) * 1e6 / max(1, len(pairs))
    asked.out.write_text("".join(f"{decision.verdict}\n" for decision in decisions))
    table = Table(title="Decisions", columns=["pair", "type", "decision", "score", "because"])
    for (kind, left, right), decision in zip(pairs, decisions, strict=True):
        table.add(
            f"{left} / {right}",
            kind,
            decision.verdict,
            decision.score,
            "; ".join(decision.evidence),
        )
    count = Counter(decision.verdict for decision in decisions)
    summary = Table(title="Summary", columns=["pairs", "merge", "ask", "separate", "µs a pair"])
    summary.add(len(pairs), count["merge"], count["ask"], count["separate"], microseconds)
    bars = _bars(_lines(asked.gold), decisions) if asked.gold else []
    return report(
        [table, summary], bars, as_json=asked.json, decisions=[each.verdict for each in decisions]
    )


def _lines(path: Path) -> list[list[str]]:
    return [
        line.split("\t")
        for line in path.read_text().splitlines()
        if line and not line.startswith("#")
    ]


def _decide(kinds: str, left: str, right: str) -> Decision:
    first, _, second = kinds.partition("|")
    return decide_names(Named(name=left, kind=first), Named(name=right, kind=second or first))


def _bars(gold: list[list[str]], decisions: list[Decision]) -> list[Bar]:
    count = Counter((row[0], each.verdict) for row, each in zip(gold, decisions, strict=True))
    asked = sum(number for (_, verdict), number in count.items() if verdict == "ask")
    return [
        Bar(name="different merged", value=count["different", "merge"], limit=0, sign="="),
        Bar(name="same merged", value=count["same", "merge"], limit=SAME_MERGED, sign="≥"),
        Bar(name="asked", value=asked, limit=6),
    ]
