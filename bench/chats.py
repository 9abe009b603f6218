"""Recall over chats of several speakers: `python -m bench chats --out F`.

Six chats of our own making, each in a space of its own: at work, in a family, a club, a flat, a
helpdesk, and one with an assistant. What counts is how much of the messages that answer a question
stands in the context, unbroken; and, of questions that nothing answers, how often nothing is said.
Written is one JSON line a question and budget.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import told
from bench.report import Table, report
from bench.told import Asked

BUDGETS = (300, 500, 1000)
ALL = "all"
"""The row of all kinds but those that are only hinted at."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one question came to at one budget: the share of its evidence in the context, and what
    that cost.
    """

    asked: Asked
    budget: int
    found: float
    first: bool
    tokens: int


def main(argv: Sequence[str]) -> int:
    """Learns, asks, writes, and tells the shares."""
    parser = argparse.ArgumentParser(prog="python -m bench chats", description=__doc__)
    parser.add_argument(
        "--out", type=Path, required=True, help="where the results go, as JSON lines"
    )
    parser.add_argument(
        "--split", choices=["dev", "held", "all"], default="all", help="which half is asked (all)"
    )
    parser.add_argument(
        "--embedder", choices=["auto", "none"], default="auto", help="who makes vectors (auto)"
    )
    parser.add_argument("--db", type=Path, help="a learned database to use, or to make and keep")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object instead of tables"
    )
    asked = parser.parse_args(argv)
    chosen = told.questions(told.CHATS, None if asked.split == "all" else asked.split)
    with tempfile.TemporaryDirectory() as folder:
        url = str(asked.db or Path(folder) / "chats.db")
        if not Path(url).exists():
            with told.opened(url) as memory:
                told.learn(memory, told.sessions(told.CHATS))
        results = list(_ask(url, asked.embedder, chosen))
    asked.out.write_text(
        "".join(f"{json.dumps(_row(each), ensure_ascii=False)}\n" for each in results), "utf-8"
    )
    return report(tables(results), [], as_json=asked.json)


def _ask(url: str, embedder: str, chosen: Sequence[Asked]) -> Iterator[Result]:
    texts = {
        message.id: message.text
        for session in told.sessions(told.CHATS)
        for message in session.messages
    }
    with told.opened(url, embedder=embedder) as memory, told.snapshot(url) as snapshot:
        for each in chosen:
            for budget in BUDGETS:
                found = memory.within(each.chat).recall(each.question, budget)
                inside = told.stands_in(str(found), [texts[key] for key in each.evidence], budget)
                behind = told.messages_behind(found, snapshot)
                yield Result(
                    asked=each,
                    budget=budget,
                    found=sum(inside) / len(inside) if inside else float(not found),
                    first=bool(behind) and behind[0] in each.evidence,
                    tokens=found.tokens,
                )


def _row(result: Result) -> dict[str, str | int | float | bool]:
    return {
        "question": result.asked.question,
        "chat": result.asked.chat,
        "kind": result.asked.kind,
        "split": result.asked.split,
        "budget": result.budget,
        "found": result.found,
        "first": result.first,
        "tokens": result.tokens,
    }


def tables(results: Sequence[Result]) -> list[Table]:
    """By kind of question, and by chat."""
    by_kind = Table(
        title="Chats by kind of question: evidence recall, R@1, tokens", columns=_columns("kind")
    )
    for half in ("dev", "held"):
        for kind in (ALL, *told.KINDS, "none"):
            some = [each for each in results if each.asked.split == half and kind in _kinds(each)]
            if some:
                by_kind.add(f"{kind} ({half})", *figures(some))
    by_chat = Table(title="Chats: evidence recall, R@1, tokens", columns=_columns("chat"))
    answered = [each for each in results if ALL in _kinds(each)]
    for chat in dict.fromkeys(each.asked.chat for each in answered):
        by_chat.add(chat, *figures([each for each in answered if each.asked.chat == chat]))
    return [by_kind, by_chat]


def _columns(first: str) -> list[str]:
    return [
        first,
        "questions",
        *(f"at {budget:,}" for budget in BUDGETS),
        "R@1",
        *(f"tokens {each:,}" for each in BUDGETS),
    ]


def _kinds(result: Result) -> tuple[str, ...]:
    """Its kind, and `all` where it has an answer in words of its own."""
    kind = result.asked.kind
    return (kind,) if kind in ("implied", "none") else (kind, ALL)


def figures(results: Sequence[Result]) -> list[int | float | None]:
    """Questions, evidence recall at each budget (of those without an answer: silence), R@1, tokens
    at each budget.
    """
    at = {budget: [each for each in results if each.budget == budget] for budget in BUDGETS}
    recall = [_mean([each.found for each in some]) for some in at.values()]
    first = _mean([float(each.first) for each in at[BUDGETS[-1]] if each.asked.evidence])
    return [
        len(at[BUDGETS[0]]),
        *recall,
        first,
        *(_mean([each.tokens for each in some]) for some in at.values()),
    ]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
