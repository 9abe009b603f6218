"""Contexts for LoCoMo's questions: `python -m bench locomo --data F --budget N --out F`.

Reads conversations without their answers, learns each in a space of its own (session by session,
speakers by name, messages with their ids and times), answers every question by the default
`Memory.recall(question, budget)`, and writes `{"question_id", "context", "ms"}` a question, which a
separate scorer judges. `ms` is the CPU time of the thread.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.report import Bar, Table, percentile, report
from factbook import Memory
from factbook.model.episode import Message
from factbook.ports.models import Tokenizer
from factbook.text.token_estimate import TOKENS_A_WORD, Estimate

MOST_MS = 50.0
"""CPU of a question at the 95th percentile, its embedding included."""
_SESSION = re.compile(r"session_(\d+)")
_TIMES = ("%I:%M %p on %d %B, %Y", "%I:%M %p on %d %b, %Y")


@dataclass(kw_only=True)
class Run:
    """What one conversation came to."""

    name: str
    messages: int = 0
    learn_seconds: float = 0.0
    tokens: list[int] = field(default_factory=list[int])
    words: list[float] = field(default_factory=list[float])
    ms: list[float] = field(default_factory=list[float])
    empty: int = 0


def main(argv: Sequence[str]) -> int:
    """Learns, asks, writes, and tells how it went; 1 if a context is over its budget or the
    questions are slow.
    """
    asked = _arguments(argv)
    conversations = json.loads(asked.data.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        home = asked.db or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        with (
            Memory.open(
                str(home / "locomo.db"), extractor=asked.extractor, embedder=asked.embedder
            ) as memory,
            asked.out.open("w", encoding="utf-8") as out,
        ):
            runs = []
            for number, conversation in enumerate(conversations, 1):
                run = _learn(memory, conversation)
                for result in _answers(memory, conversation, asked.budget, run):
                    out.write(json.dumps(result, ensure_ascii=False) + "\n")
                runs.append(run)
                print(
                    f"{number}/{len(conversations)} {run.name}: {run.messages} messages in {run.learn_seconds:.1f} s, "
                    f"{len(run.ms)} questions",
                    file=sys.stderr,
                    flush=True,
                )
    return _report(runs, asked)


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench locomo", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="conversations and questions, without answers"
    )
    parser.add_argument("--budget", type=int, default=1000, help="tokens a context (1000)")
    parser.add_argument(
        "--out", type=Path, required=True, help="where the contexts go, as JSON lines"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object instead of tables"
    )
    parser.add_argument(
        "--db", type=Path, help="folder to keep the database in (else it is thrown away)"
    )
    parser.add_argument(
        "--extractor",
        choices=["local", "none", "auto"],
        default="auto",
        help="who finds entities (auto)",
    )
    parser.add_argument(
        "--embedder",
        choices=["auto", "minilm", "none"],
        default="auto",
        help="who makes vectors (auto)",
    )
    return parser.parse_args(argv)


def _learn(memory: Memory, conversation: Mapping[str, Any]) -> Run:
    run = Run(name=conversation["sample_id"])
    space = memory.within(run.name)
    began = time.perf_counter()
    for session, messages in sessions(conversation["conversation"]):
        space.remember(messages, session=session)
        run.messages += len(messages)
    space.wait()
    run.learn_seconds = time.perf_counter() - began
    return run


def sessions(conversation: Mapping[str, Any]) -> Iterator[tuple[str, list[Message]]]:
    """Each session's name and messages, in order. Messages of one session are a second apart."""
    names = sorted(
        (key for key in conversation if _SESSION.fullmatch(key)),
        key=lambda key: int(key.split("_")[1]),
    )
    for name in names:
        began = when(conversation.get(f"{name}_date_time", ""))
        yield (
            name,
            [
                Message(
                    turn["text"].strip(),
                    speaker=turn["speaker"],
                    at=began + timedelta(seconds=number) if began else None,
                    id=turn["dia_id"],
                )
                for number, turn in enumerate(conversation[name])
                if turn["text"].strip()
            ],
        )


def when(text: str) -> datetime | None:
    """`1:56 pm on 8 May, 2023` as a time; None for none or another form."""
    for form in _TIMES:
        try:
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _answers(
    memory: Memory, conversation: Mapping[str, Any], budget: int, run: Run
) -> Iterator[Mapping[str, str | float]]:
    space = memory.within(run.name)
    counter: Tokenizer = Estimate()
    for number, each in enumerate(conversation["qa"]):
        began = time.thread_time()
        found = space.recall(each["question"], budget)
        spent = (time.thread_time() - began) * 1000
        context = str(found)
        run.ms.append(spent)
        run.tokens.append(counter.count(context))
        run.words.append(len(context.split()) * TOKENS_A_WORD)
        run.empty += not context
        yield {"question_id": f"{run.name}:{number}", "context": context, "ms": round(spent, 3)}


def _report(runs: Sequence[Run], asked: argparse.Namespace) -> int:
    table = Table(
        title=f"LoCoMo, {asked.budget} tokens, extractor {asked.extractor}",
        columns=(
            "conversation",
            "messages",
            "a second",
            "questions",
            "empty",
            "tokens",
            "ms p50",
            "ms p95",
        ),
    )
    for run in runs:
        table.add(
            run.name,
            run.messages,
            run.messages / run.learn_seconds if run.learn_seconds else None,
            len(run.ms),
            run.empty,
            sum(run.tokens) / max(len(run.tokens), 1),
            percentile(run.ms, 50),
            percentile(run.ms, 95),
        )
    ms = [each for run in runs for each in run.ms]
    largest = max(
        (max(pair) for run in runs for pair in zip(run.tokens, run.words, strict=True)), default=0.0
    )
    bars = [
        Bar(name="largest context", value=float(largest), limit=asked.budget, unit="tokens"),
        Bar(name="a question's CPU p95", value=percentile(ms, 95), limit=MOST_MS, unit="ms"),
    ]
    return report([table], bars, as_json=asked.json, budget=asked.budget, out=str(asked.out))
