"""What each signal is worth: `python -m bench ablation --data F --truth F --out F.md`.

Learns LoCoMo's conversations, the paraphrases and the chats once, then answers all questions with
one signal or choice of packing switched off at a time, by the product's own recall with other
weights. Written is a Markdown table: first what all of them reach together, then how much is lost
(−) or won (+) without each.

`--data` holds conversations and questions, `--truth` the same with the evidence. A turn is found if
its own words stand in the context, unbroken; a context that costs more than its budget at 1.3
tokens a word counts as empty. Questions of category 5 and those without evidence are left out;
categories serve no other purpose than this table.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import told
from bench.locomo import sessions
from factbook import Memory
from factbook.model.line import LineFilter
from factbook.model.recollection import Recollection
from factbook.ports.models import Embedder
from factbook.ports.snapshot import Snapshot
from factbook.reader import load_embedder
from factbook.recall.recollect import recall
from factbook.recall.request import RecallRequest
from factbook.recall.weights import DEFAULT, Weights
from factbook.text.token_estimate import Estimate
from factbook.views.space_kinds import read_kinds

MULTI_HOP = 1
UNANSWERABLE = 5
ASKED_AT = datetime(2024, 6, 1, tzinfo=UTC)
"""When LoCoMo's questions are asked: after its last session."""
PARAPHRASE_BUDGET = 500
WIDE = 1000
"""Budget at which it is also told how many questions have all of their evidence, and how those fare
that need several.
"""
_TURN = re.compile(r"D:?(\d+):(\d+)")

SIGNALS: Mapping[str, tuple[str, ...]] = {
    "words": ("words",),
    "akin words": ("akin",),
    "meaning": ("meaning",),
    "name": ("name",),
    "speaker": ("speaker",),
    "neighbours": ("near", "beside"),
    "answer to a question": ("answer",),
    "words of the session": ("session",),
    "best lines of the session": ("best",),
    "facts resting on it": ("said",),
    "graph": ("graph",),
    "time": ("time",),
    "recency": ("recency",),
    "importance": ("importance",),
    "a question is seldom an answer": ("question",),
    "short lines mean little": ("length",),
    "facts of strangers": ("stranger",),
    "former values": ("former",),
}
"""What a row switches off: weights that become 0."""
CHOICES: Mapping[str, Mapping[str, float]] = {
    "thrift": {"thrift": 0.0},
    "spread over sessions": {"spread": 0.0},
    "cap on cards": {"cards": 1.0},
    "doubt about words held by chance": {"scant": 0.0},
    "floor": {"floor": 0.0},
    "silence": {"doubt": 1.0},
}
"""Choices of packing and of saying nothing, and what stands for their absence."""
CONSTANTS = frozenset(
    {"fact", "relation", "note", "entity", "half_life", "fading", "sharpness", "k1", "b"}
)
"""Weights that are no signal of their own: they go on as they are."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A way to recall."""

    name: str
    weights: Weights
    vectors: bool = True
    names: bool = False
    """Whether the question keeps the names of those who speak when it is embedded."""


@dataclass(frozen=True, kw_only=True)
class Query:
    """A question of any of the three materials, with the words that answer it."""

    material: str
    space: str
    question: str
    evidence: Sequence[str]
    ids: Sequence[str] = ()
    multi: bool = False
    kind: str = ""


@dataclass(frozen=True, kw_only=True)
class Material:
    """Where the answers lie, and when they are asked for."""

    url: str
    now: datetime
    queries: Sequence[Query]
    budgets: Sequence[int]


class Verbatim:
    """An embedder that is given the question without names, and embeds it as it was asked."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.name = inner.name
        self.size = inner.size
        self.question = ""

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """The vector of `question`, whatever the texts."""
        return self._inner.embed([self.question for _ in texts])


def main(argv: Sequence[str]) -> int:
    """Learns, asks in all ways, and writes the table."""
    asked = _arguments(argv)
    with tempfile.TemporaryDirectory() as folder:
        home = asked.db or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        materials = _materials(asked, home)
        chosen = [
            each for each in variants() if not asked.only or each.name in ("all", *asked.only)
        ]
        rows: list[tuple[str, Mapping[str, float]]] = []
        for variant in chosen:
            rows.append((variant.name, figures(materials, variant)))
            shown = "  ".join(f"{name} {value:.1f}" for name, value in rows[-1][1].items())
            print(f"{variant.name}: {shown}", file=sys.stderr, flush=True)
    table = markdown(rows)
    asked.out.write_text(table, "utf-8")
    print(table)
    return 0


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench ablation", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="LoCoMo's conversations and questions"
    )
    parser.add_argument(
        "--truth", type=Path, required=True, help="the same with categories and evidence"
    )
    parser.add_argument("--out", type=Path, required=True, help="where the table goes, as Markdown")
    parser.add_argument(
        "--db", type=Path, help="folder of the learned databases, made where they are missing"
    )
    parser.add_argument(
        "--budgets", type=int, nargs="+", default=[500, 1000], help="of LoCoMo (500 1000)"
    )
    parser.add_argument(
        "--every", type=int, default=1, help="ask every n-th of LoCoMo's questions (1)"
    )
    parser.add_argument("--only", nargs="+", help="names of the rows to measure, besides the whole")
    return parser.parse_args(argv)


def variants() -> list[Variant]:
    """The whole, and the whole without each signal and each choice."""
    out = [Variant(name="all", weights=DEFAULT)]
    for name, signals in SIGNALS.items():
        out.append(Variant(name=name, weights=replace(DEFAULT, **dict.fromkeys(signals, 0.0))))
    for name, changed in CHOICES.items():
        out.append(Variant(name=name, weights=replace(DEFAULT, **changed)))
    out.append(Variant(name="question without names", weights=DEFAULT, names=True))
    out.append(Variant(name="vectors", weights=DEFAULT, vectors=False))
    return out


def unlisted() -> set[str]:
    """Weights that no row switches off and that are no constants either."""
    listed = {name for signals in SIGNALS.values() for name in signals}
    listed |= {name for changed in CHOICES.values() for name in changed}
    return {each.name for each in fields(Weights)} - listed - CONSTANTS


# ------------------------------------------------------------------------------------------------
# the materials


def _materials(asked: argparse.Namespace, home: Path) -> list[Material]:
    conversations: list[Mapping[str, Any]] = json.loads(asked.data.read_text("utf-8"))
    truth: list[Mapping[str, Any]] = json.loads(asked.truth.read_text("utf-8"))
    locomo, own = str(home / "locomo.db"), str(home / "told.db")
    if not Path(locomo).exists():
        with Memory.open(locomo) as memory:
            for conversation in conversations:
                space = memory.within(conversation["sample_id"])
                for session, messages in sessions(conversation["conversation"]):
                    space.remember(messages, session=session)
                space.wait()
    if not Path(own).exists():
        with told.opened(own) as memory:
            told.learn(memory, told.sessions(told.PARAPHRASES), space=told.EVERYTHING)
            told.learn(memory, told.sessions(told.CHATS))
    return [
        Material(
            url=locomo,
            now=ASKED_AT,
            queries=list(turns_asked(truth))[:: asked.every],
            budgets=asked.budgets,
        ),
        Material(url=own, now=told.NOW, queries=list(_paraphrases()), budgets=[PARAPHRASE_BUDGET]),
        Material(url=own, now=told.NOW, queries=list(_chats()), budgets=[300, 1000]),
    ]


def turns_asked(truth: Iterable[Mapping[str, Any]]) -> Iterator[Query]:
    """LoCoMo's questions that have evidence, with the words of it."""
    for conversation in truth:
        said = {
            message.id: message.text
            for _, some in sessions(conversation["conversation"])
            for message in some
        }
        for each in conversation["qa"]:
            named = (
                f"D{int(a)}:{int(b)}"
                for text in each.get("evidence", ())
                for a, b in _TURN.findall(text)
            )
            ids = [key for key in dict.fromkeys(named) if key in said]
            if ids and each["category"] != UNANSWERABLE:
                yield Query(
                    material="LoCoMo",
                    space=conversation["sample_id"],
                    question=each["question"],
                    evidence=[said[key] for key in ids],
                    multi=each["category"] == MULTI_HOP,
                )


def _paraphrases() -> Iterator[Query]:
    for each in told.questions(told.PARAPHRASES):
        yield Query(
            material="paraphrases",
            space=told.EVERYTHING,
            question=each.question,
            evidence=(),
            ids=each.evidence,
            kind=each.kind,
        )


def _chats() -> Iterator[Query]:
    texts = {
        message.id: message.text
        for session in told.sessions(told.CHATS)
        for message in session.messages
    }
    for each in told.questions(told.CHATS):
        if each.kind != "implied":
            yield Query(
                material="chats",
                space=each.chat,
                question=each.question,
                evidence=[texts[key] for key in each.evidence],
                multi=each.kind == "multi",
                kind=each.kind,
            )


# ------------------------------------------------------------------------------------------------
# asking


def figures(materials: Sequence[Material], variant: Variant) -> dict[str, float]:
    """All columns of one row, in percent."""
    found: dict[str, list[float]] = {}
    for material in materials:
        with told.snapshot(material.url) as snapshot:
            for budget in material.budgets:
                for query in material.queries:
                    got = _recalled(snapshot, query, budget, material.now, variant)
                    for column, value in _scores(snapshot, query, budget, got):
                        found.setdefault(column, []).append(value)
    return {column: 100.0 * sum(values) / len(values) for column, values in found.items()}


def _recalled(
    snapshot: Snapshot, query: Query, budget: int, now: datetime, variant: Variant
) -> Recollection:
    embedder = load_embedder() if variant.vectors else None
    if embedder is not None and variant.names:
        embedder = Verbatim(embedder)
        embedder.question = query.question
    request = RecallRequest(
        snapshot=snapshot,
        spaces=(query.space,),
        question=query.question,
        budget=budget,
        where=LineFilter(now=now),
        kinds=read_kinds(snapshot, query.space),
        now=now,
        tokenizer=Estimate(),
        embedder=embedder,
        weights=variant.weights,
    )
    return recall(request)


def _scores(
    snapshot: Snapshot, query: Query, budget: int, got: Recollection
) -> Iterator[tuple[str, float]]:
    """Which columns a question counts in, and for how much."""
    if query.material == "paraphrases":
        yield "paraphrases R@1", float(told.messages_behind(got, snapshot)[:1] == list(query.ids))
        return
    if query.kind == "none":
        yield "chats silence", float(not got)
        return
    inside = told.stands_in(str(got), query.evidence, budget)
    share = sum(inside) / len(inside)
    yield f"{query.material} {budget:,}", share
    if query.material == "LoCoMo" and budget == WIDE:
        yield f"{query.material} all {budget:,}", float(all(inside))
    if query.multi and budget == WIDE:
        yield f"{query.material} multi-hop {budget:,}", share


def markdown(rows: Sequence[tuple[str, Mapping[str, float]]]) -> str:
    """The table: the first row as it is, the others as differences from it."""
    _, whole = rows[0]
    columns = list(whole)
    lines = ["| without | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    lines.append("| (all signals) | " + " | ".join(f"{whole[name]:.1f}" for name in columns) + " |")
    for name, row in rows[1:]:
        lines.append(
            f"| {name} | "
            + " | ".join(_difference(row[key] - whole[key]) for key in columns)
            + " |"
        )
    return "\n".join(lines) + "\n"


def _difference(value: float) -> str:
    return "0" if abs(value) < 0.05 else f"{value:+.1f}".replace("-", "−")
