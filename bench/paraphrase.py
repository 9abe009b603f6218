"""Recall where no word helps: `python -m bench paraphrase --out F`.

Questions that share no index word with the one message that answers them, over all chats of
`answers/paraphrases.jsonl` in one space: with the sessions as told, and with each message in a
session of its own; with vectors and by words alone. R@1 is the share of questions whose first line
is the answer's message. Written is one JSON line a question.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import told
from bench.report import Bar, Table, report
from bench.told import Asked

BUDGET = 500
LEAST_FIRST = 0.80
"""R@1 with vectors, over all questions, sessions as told."""
FEW = 5


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one question came to: `place` of the answer's message among the lines, from 1, 0 for
    nowhere; `known` counts facts that rest on it too.
    """

    asked: Asked
    haystack: str
    embedder: str
    place: int
    known: int
    inside: bool
    first: str
    why: str
    gold: str


def main(argv: Sequence[str]) -> int:
    """Learns, asks, writes, and tells the shares; 1 if R@1 is below its bar."""
    parser = argparse.ArgumentParser(prog="python -m bench paraphrase", description=__doc__)
    parser.add_argument(
        "--out", type=Path, required=True, help="where the results go, as JSON lines"
    )
    parser.add_argument(
        "--split", choices=["dev", "held", "all"], default="all", help="which half is asked (all)"
    )
    parser.add_argument("--db", type=Path, help="a learned database to use, or to make and keep")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object instead of tables"
    )
    asked = parser.parse_args(argv)
    chosen = told.questions(told.PARAPHRASES, None if asked.split == "all" else asked.split)
    with tempfile.TemporaryDirectory() as folder:
        url = str(asked.db or Path(folder) / "told.db")
        if not Path(url).exists():
            _learn(url)
        results = [each for embedder in ("auto", "none") for each in _ask(url, embedder, chosen)]
    asked.out.write_text(
        "".join(f"{json.dumps(_row(each), ensure_ascii=False)}\n" for each in results), "utf-8"
    )
    return _report(results, as_json=asked.json)


def _learn(url: str) -> None:
    chats = told.sessions(told.PARAPHRASES)
    with told.opened(url) as memory:
        told.learn(memory, chats, space=told.EVERYTHING)
        told.learn(memory, chats, space=told.ALONE, alone=True)


def _ask(url: str, embedder: str, chosen: Sequence[Asked]) -> Iterator[Result]:
    texts = {
        message.id: message.text
        for session in told.sessions(told.PARAPHRASES)
        for message in session.messages
    }
    with told.opened(url, embedder=embedder) as memory, told.snapshot(url) as snapshot:
        for haystack in (told.EVERYTHING, told.ALONE):
            space = memory.within(haystack)
            for each in chosen:
                found = space.recall(each.question, BUDGET)
                behind = told.messages_behind(found, snapshot)
                said = [
                    key if line.kind == "message" else ""
                    for key, line in zip(behind, found.lines, strict=True)
                ]
                gold = each.evidence[0]
                own = next(
                    (line for key, line in zip(said, found.lines, strict=True) if key == gold), None
                )
                yield Result(
                    asked=each,
                    haystack=haystack,
                    embedder=embedder,
                    place=said.index(gold) + 1 if gold in said else 0,
                    known=behind.index(gold) + 1 if gold in behind else 0,
                    inside=told.stands_in(str(found), [texts[gold]], BUDGET)[0],
                    first=f"{found.lines[0].kind}: {found.lines[0].text}" if found.lines else "",
                    why=found.lines[0].because if found.lines else "",
                    gold=own.because if own else "",
                )


def _row(result: Result) -> dict[str, str | int | bool]:
    return {
        "question": result.asked.question,
        "evidence": result.asked.evidence[0],
        "split": result.asked.split,
        "haystack": result.haystack,
        "embedder": result.embedder,
        "place": result.place,
        "place_known": result.known,
        "inside": result.inside,
        "first": result.first,
        "why": result.why,
        "gold": result.gold,
    }


def _report(results: Sequence[Result], *, as_json: bool) -> int:
    table = Table(
        title=f"Paraphrases, {BUDGET} tokens",
        columns=(
            "haystack",
            "by",
            "half",
            "questions",
            "R@1",
            f"R@{FEW}",
            "in the context",
            "nothing said",
        ),
    )
    for embedder, by in (("auto", "vectors"), ("none", "words")):
        for haystack in (told.EVERYTHING, told.ALONE):
            for half in ("dev", "held"):
                some = [
                    each
                    for each in results
                    if (each.embedder, each.haystack, each.asked.split)
                    == (embedder, haystack, half)
                ]
                if some:
                    table.add(haystack, by, half, len(some), *shares(some))
    whole = [
        each for each in results if each.embedder == "auto" and each.haystack == told.EVERYTHING
    ]
    bar = Bar(name="R@1", value=shares(whole)[0] if whole else None, limit=LEAST_FIRST, sign="≥")
    return report([table], [bar], as_json=as_json)


def shares(results: Sequence[Result]) -> tuple[float, float, float, float]:
    """R@1, R@5, in the context, silent."""
    count = max(len(results), 1)
    return (
        sum(each.place == 1 for each in results) / count,
        sum(0 < each.place <= FEW for each in results) / count,
        sum(each.inside for each in results) / count,
        sum(not each.first for each in results) / count,
    )
