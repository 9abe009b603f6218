"""How questions are understood: names, times, kinds, shape and hops: `python -m bench understanding
[--half seen]`.

The questions (`bench/answers/understanding.jsonl`) are asked of a small made-up world. Half of them
were kept aside while the rules were made. What is right: the entities that are named, exactly; the
time, to the day; the kinds, the shape, and where hops lead by which labels, exactly.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.report import Bar, Table, percentile, report
from factbook.model.change import Change, Stamp
from factbook.model.episode import NewEpisode, NewMessage
from factbook.model.kinds import BUILT_IN
from factbook.model.line import LineFilter
from factbook.model.record import SELF, Alias, EntityRecord, Fact, Record, Relation
from factbook.model.source import Source
from factbook.ports.store import Store
from factbook.recall.request import RecallRequest
from factbook.recall.understand.question_entities import Followed, follow
from factbook.store.sqlite import SqliteStore
from factbook.text.question.question_times import BEGINNING, END
from factbook.text.token_estimate import Estimate

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)
SPACE = "nora"
QUESTIONS = Path(__file__).parent / "answers" / "understanding.jsonl"
LEAST = {"seen": 0.95, "aside": 0.85}
MOST_MS = 2.5
NAMED = 0.45
"""Strength of a link from which on a question counts as naming the entity."""
ASPECTS = ("names", "time", "kinds", "attributes", "shape", "path")

_ENTITIES = """
self person Nora Feld
alice person Alice Novak
tom person Tom Berger
priya person Priya Raman
will person Will Okafor
rose person Rose Marchetti
mark person Mark Lindqvist
may person May Chen
grace person Grace Holt
jose person José Álvarez
bjorn person Björn Sørensen
anna person Анна Петрова
liming person 李明
sofia person ソフィア
minsu person 민수
katherina person Katherina Vogel
oluwaseun person Oluwaseun Adeyemi
initech organization Initech
apple organization Apple
kestrel organization Kestrel Labs
payments organization Payments Team
atlas project Project Atlas
lisbon place Lisbon
porto place Porto
ghent place Ghent
hackathon event Autumn Hackathon
rust technology Rust
pottery concept pottery
biscuit other Biscuit
"""
_ALIASES = "alice Ali|katherina Kat|anna Anna Petrova"
_RELATIONS = """
alice reports_to tom
tom sibling_of priya
priya works_at kestrel
priya lives_in porto
alice works_at initech
will works_at initech
mark worked_at initech 2019-05-01 2024-08-31
rose spouse_of jose
self sibling_of katherina
self reports_to grace
will member_of payments
mark member_of payments
tom leads atlas
atlas uses rust
alice lives_in ghent 2021-01-01 2025-03-10
alice lives_in lisbon 2025-03-10
may child_of rose
bjorn mentors anna
bjorn reports_to tom
katherina has_pet biscuit
katherina godmother_of may
kestrel located_in ghent
"""
_FACTS = """
will manager Grace
jose hometown Porto
self birthday 12 March
rose birthday 1990-04-02
hackathon date 2025-10-11
atlas launch_date 2026-04-01
atlas deadline 2026-07-01
"""
_SAID = """
2025-06-02 Rose Marchetti: We have a date! Our wedding is on 20 September, by the sea.
2025-09-21 Rose Marchetti: The wedding yesterday was beautiful, thank you all for coming.
2025-11-18 Tom Berger: My knee surgery went fine this morning, the doctor is happy.
2026-02-05 Will Okafor: Back from the offsite in Ghent, exhausting but good.
2025-03-12 Alice Novak: Boxes everywhere, but the flat in Lisbon has a balcony.
2025-04-20 Priya Raman: I painted the harbour twice this week.
2024-05-03 Tom Berger: Tried climbing for the first time, my arms hurt.
2026-05-11 Tom Berger: Climbed the long route again with Priya.
2026-01-09 Grace Holt: The budget meeting moved to Tuesday, nobody has decided anything.
2026-03-02 May Chen: I bought new boots for the garden.
"""


def main(argv: Sequence[str]) -> int:
    """Asks, compares, and tells how it went; 1 if too few are understood, or it takes too long."""
    parser = argparse.ArgumentParser(prog="python -m bench understanding", description=__doc__)
    parser.add_argument(
        "--half", choices=["seen", "aside", "both"], default="both", help="which questions (both)"
    )
    parser.add_argument("--wrong", action="store_true", help="print what was misunderstood")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object instead of tables"
    )
    asked = parser.parse_args(argv)
    halves = ["seen", "aside"] if asked.half == "both" else [asked.half]
    table = Table(
        title="questions understood",
        columns=("half", "questions", "all right", *ASPECTS, "ms p50", "ms p95"),
    )
    bars: list[Bar] = []
    for half in halves:
        results, ms = ask([each for each in questions() if each["half"] == half])
        right = [all(result[2].values()) for result in results]
        shares = [sum(result[2][aspect] for result in results) / len(results) for aspect in ASPECTS]
        table.add(
            half,
            len(results),
            sum(right) / len(right),
            *shares,
            percentile(ms, 50),
            percentile(ms, 95),
        )
        bars.append(
            Bar(
                name=f"{half}: all right",
                value=sum(right) / len(right),
                limit=LEAST[half],
                sign="≥",
            )
        )
        bars.append(
            Bar(name=f"{half}: CPU p95", value=percentile(ms, 95), limit=MOST_MS, unit="ms")
        )
        if asked.wrong:
            for question, got, parts in results:
                for aspect, is_right in parts.items():
                    if not is_right:
                        print(
                            f"{half} {aspect}: {question['q']}\n    {got[aspect]}  wanted {wanted(question)[aspect]}"
                        )
    return report([table], bars, as_json=asked.json)


def questions() -> list[dict[str, Any]]:
    """The questions with what they ask for."""
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines() if line]


def ask(
    asked: Sequence[dict[str, Any]],
) -> tuple[list[tuple[dict[str, Any], Mapping[str, Any], Mapping[str, bool]]], list[float]]:
    """Each question with what was understood, aspect by aspect, whether that is right, and the CPU
    milliseconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "understanding.db")
        try:
            fill(store)
            return _asked(store, asked)
        finally:
            store.close()


def _asked(
    store: Store, asked: Sequence[dict[str, Any]]
) -> tuple[list[tuple[dict[str, Any], Mapping[str, Any], Mapping[str, bool]]], list[float]]:
    kinds = {kind.id: kind for kind in BUILT_IN}
    out: list[tuple[dict[str, Any], Mapping[str, Any], Mapping[str, bool]]] = []
    ms: list[float] = []
    with store.snapshot() as snapshot:
        for question in asked:
            began = time.thread_time()
            request = RecallRequest(
                snapshot=snapshot,
                spaces=(SPACE,),
                space=SPACE,
                question=question["q"],
                budget=300,
                where=LineFilter(now=NOW),
                kinds=kinds,
                now=NOW,
                tokenizer=Estimate(),
            )
            found = follow(request)
            ms.append((time.thread_time() - began) * 1000)
            got, want = understood(found), wanted(question)
            right = {aspect: got[aspect] == want[aspect] for aspect in ASPECTS}
            right["attributes"] = want["attributes"] <= got["attributes"]
            out.append((question, got, right))
    return out, ms


def wanted(question: Mapping[str, Any]) -> dict[str, Any]:
    """What a question asks for, as the answers have it."""
    return {
        "names": set(question["names"]),
        "time": (question.get("since"), question.get("until")),
        "kinds": set(question.get("kinds", ())),
        "attributes": set(question.get("attributes", ())),
        "shape": question.get("shape", "open"),
        "path": set(question.get("path", ())),
    }


def understood(found: Followed) -> dict[str, Any]:
    """What was understood, in the same form."""
    query = found.query
    since = until = None
    if query.span is not None:
        since = None if query.span.at == BEGINNING else f"{query.span.at:%Y-%m-%d}"
        until = None if query.span.until == END else f"{query.span.until:%Y-%m-%d}"
    return {
        "names": {each.entity_id for each in query.linked if each.strength >= NAMED},
        "time": (since, until),
        "kinds": set(query.kinds),
        "attributes": set(query.attributes),
        "shape": query.shape,
        "path": {"".join(each.steps) for each in query.reached},
    }


def fill(store: Store) -> None:
    """Puts the made-up world into a store."""
    rows: list[Record] = [
        EntityRecord(id=SELF, name="Nora Feld", kind="person", created_at=NOW, updated_at=NOW)
    ]
    for line in _ENTITIES.strip().splitlines()[1:]:
        key, kind, name = line.split(" ", 2)
        rows.append(EntityRecord(id=key, name=name, kind=kind, created_at=NOW, updated_at=NOW))
    for number, line in enumerate(_ALIASES.split("|")):
        key, name = line.split(" ", 1)
        rows.append(Alias(id=f"a{number}", entity_id=key, name=name, created_at=NOW))
    for number, line in enumerate(_RELATIONS.strip().splitlines()):
        left, label, right, *times = line.split()
        since, until = ([_day(each) for each in times] + [None, None])[:2]
        rows.append(
            Relation(
                id=f"r{number}",
                from_id=left,
                label=label,
                to_id=right,
                valid_at=since,
                invalid_at=until,
                created_at=NOW,
            )
        )
    for number, line in enumerate(_FACTS.strip().splitlines()):
        key, attribute, value = line.split(" ", 2)
        source = Source(said_at=_day("2025-01-05"))
        rows.append(
            Fact(
                id=f"f{number}",
                entity_id=key,
                attribute=attribute,
                value=value,
                created_at=NOW,
                source=source,
            )
        )
    messages: list[NewMessage] = []
    for number, line in enumerate(_SAID.strip().splitlines()):
        on, _, rest = line.partition(" ")
        speaker, _, text = rest.partition(": ")
        messages.append(
            NewMessage(id=f"m{number}", key=f"m{number}", at=_day(on), speaker=speaker, text=text)
        )
    store.remember(
        SPACE,
        [NewEpisode(id="e0", session="chat", created_at=NOW, messages=tuple(messages))],
        jobs=False,
    )
    changes = [Change(after=row) for row in rows]
    store.commit(SPACE, expected_version=0, changes=changes, stamp=Stamp(at=NOW))


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(hour=10, tzinfo=UTC)
