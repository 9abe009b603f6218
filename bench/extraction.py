"""What the default local extractor finds in texts, as JSON lines for a scorer that has the answers.

    python -m bench extraction --texts texts.jsonl --out predicted.jsonl

Reads {"id", "text"} a line and writes {"id", "entities": [{"name", "type"}], "relations": [{"from",
"label", "to"}], "kinds": [...], "ms"} a line. Each text is one message of a user without a name,
who is "self" as an end of a relation (or goes by their name, where they give it). Relations that a
text takes back, or that it only passes on of somebody else, are left out. "ms" is the CPU time of
the batch, divided by its texts; the table of speed says what of it is more than the embedder takes
for the same texts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import extraction_models as models
from bench.network import beside, by_network, network
from bench.report import Bar, Table, percentile, report
from factbook.extract.local import LocalExtractor
from factbook.model.draft import Draft
from factbook.model.episode import Episode, StoredMessage
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext
from factbook.reader import Reader

SAID_AT = datetime(2026, 6, 15, 12, tzinfo=UTC)
"""When every text is taken to be said, so that a second run gives the same."""

BATCH = 32
MESSAGES_A_SECOND = 60.0
MESSAGE = 125
"""Characters of a message of talk, on average; longer texts count as several."""

STATEMENTS = frozenset({"decision", "preference", "pain_point", "task"})


def main(argv: Sequence[str]) -> int:
    """Runs the measurement and returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench extraction", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--texts", type=Path, required=True, help='JSON lines of {"id", "text"}')
    parser.add_argument("--out", type=Path, required=True, help="where the findings go")
    parser.add_argument(
        "--gold", type=Path, help="JSON lines with the answers, for a table by kind"
    )
    parser.add_argument(
        "--reader", type=Path, help="another model of the reader than the installed one"
    )
    parser.add_argument(
        "--by",
        choices=["both", "rules", "network"],
        default="both",
        help="who reads what is stated",
    )
    parser.add_argument(
        "--stated", type=Path, help="another model of what is stated than the installed one"
    )
    parser.add_argument("--small", action="store_true", help="read the texts in small letters")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument(
        "--extractor", default="local", metavar="SPEC", help="openai:MODEL, local+ollama:MODEL, …"
    )
    parser.add_argument(
        "--base-url", help="of the model's server, such as http://localhost:8080/v1"
    )
    parser.add_argument("--max-tokens", type=int, help="of a reply")
    parser.add_argument("--timeout", type=float, help="seconds for one try")
    parser.add_argument(
        "--at-once", type=int, default=1, help="texts in one call of a language model"
    )
    asked = parser.parse_args(argv)
    rows = list(_read(asked.texts))
    if asked.small:
        rows = [row | {"text": row["text"].lower()} for row in rows]
    if asked.extractor != "local":
        return _by_model(asked, rows)
    warm = [{"id": "warm", "text": "Ana lives in Porto."}]
    extractor = LocalExtractor(stated=beside(asked.by, asked.stated), model=_reader(asked.reader))
    if asked.by == "network":
        alone = network(asked.stated)
        _ = list(by_network(alone, [episode_of(row) for row in warm]))
        found = list(by_network(alone, [episode_of(row) for row in rows]))
    else:
        extractor.load()
        extract(extractor, warm)
        found = extract(extractor, rows)
    with asked.out.open("w", encoding="utf-8") as file:
        for row in found:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    tables = [_overview(extractor.name, found), _by_kind(found)]
    if asked.gold:
        tables.append(_against(list(_read(asked.gold)), found))
    seconds = sum(row["ms"] for row in found) / 1000
    beyond = seconds - (embedding([row["text"] for row in rows]) if asked.by != "network" else 0.0)
    messages = sum(len(row["text"]) for row in rows) / MESSAGE
    speed = Table(
        title=f"Messages of {MESSAGE} characters a second of CPU",
        columns=["all", "beyond the embedder"],
    )
    speed.add(round(messages / seconds, 1), round(messages / beyond, 1))
    bars = [
        Bar(
            name="speed beyond the embedder",
            value=messages / beyond,
            limit=MESSAGES_A_SECOND,
            sign="≥",
            unit="/s",
        )
    ]
    return report([*tables, speed], bars, as_json=asked.json, extractor=extractor.name)


def embedding(texts: Sequence[str]) -> float:
    """Seconds of CPU that the embedder takes for the texts, which an extraction with names by the
    reader includes.
    """
    reader = Reader()
    reader.load()
    _ = reader.read_texts(["Ana lives in Porto."])
    began = time.process_time()
    for first in range(0, len(texts), BATCH):
        _ = reader.read_texts(texts[first : first + BATCH])
    return time.process_time() - began


def _by_model(asked: argparse.Namespace, rows: Sequence[Mapping[str, Any]]) -> int:
    """The same by any extractor that a spec names."""
    extractor = models.opened(asked.extractor, asked.base_url, asked.max_tokens, asked.timeout)
    episodes = [episode_of(row) for row in rows]
    run = models.run(
        extractor, episodes, asked.at_once, lambda told: print(told, file=sys.stderr, flush=True)
    )
    with asked.out.open("w", encoding="utf-8") as file:
        for id_, draft in run.drafts.items():
            file.write(
                json.dumps(_found(id_, draft, 1000 * run.seconds / run.texts), ensure_ascii=False)
                + "\n"
            )
    tables, bars = models.tables(run, episodes, list(_read(asked.gold)) if asked.gold else [])
    return report(tables, bars, as_json=asked.json, extractor=run.name)


def extract(extractor: LocalExtractor, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the extractor finds in each text, in the scorers' form. Each is read by itself, since in
    a batch the names of those before it are known; the time is that of batches.
    """
    out: list[dict[str, Any]] = []
    context = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})
    for first in range(0, len(rows), BATCH):
        batch = rows[first : first + BATCH]
        began = time.process_time()
        _ = extractor.extract([episode_of(row) for row in batch], context)
        ms = 1000 * (time.process_time() - began) / len(batch)
        drafts = [extractor.extract([episode_of(row)], context)[0] for row in batch]
        out.extend(_found(row["id"], draft, ms) for row, draft in zip(batch, drafts, strict=True))
    return out


def _reader(model: Path | None) -> Reader | None:
    """None for the extractor's own."""
    if model is None:
        return None
    return Reader(model=model, sha256=hashlib.sha256(model.read_bytes()).hexdigest())


def _read(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def episode_of(row: Mapping[str, Any]) -> Episode:
    message = StoredMessage(id="m", episode_id=row["id"], at=SAID_AT, text=row["text"])
    return Episode(id=row["id"], created_at=SAID_AT, messages=(message,))


def _found(id_: str, draft: Draft, ms: float) -> dict[str, Any]:
    names = {SELF: SELF} | {entity.ref: entity.name for entity in draft.entities}
    return {
        "id": id_,
        "entities": [
            {"name": each.name, "type": each.kind} for each in draft.entities if not each.phrase
        ],
        "relations": [
            {"from": names[each.from_ref], "label": each.label, "to": names[each.to_ref]}
            for each in draft.relations
            if not each.retracts and not each.told_by
        ],
        "kinds": sorted({each.kind for each in draft.entities}),
        "ms": round(ms, 3),
    }


def _overview(name: str, found: Sequence[Mapping[str, Any]]) -> Table:
    table = Table(title=name, columns=["figure", "value"])
    ms = [row["ms"] for row in found]
    table.add("texts", len(found))
    table.add("entities", sum(len(row["entities"]) for row in found))
    table.add("relations", sum(len(row["relations"]) for row in found))
    table.add(
        "texts with a decision, preference, pain point or task",
        sum(not STATEMENTS.isdisjoint(row["kinds"]) for row in found),
    )
    table.add("ms a text, CPU, median batch", percentile(ms, 50))
    table.add("ms a text, CPU, slowest batch", max(ms, default=0.0))
    return table


def _by_kind(found: Sequence[Mapping[str, Any]]) -> Table:
    table = Table(title="entities by kind, relations by label", columns=["kind or label", "found"])
    for kind, count in Counter(
        each["type"] for row in found for each in row["entities"]
    ).most_common():
        table.add(kind, count)
    for label, count in Counter(
        each["label"] for row in found for each in row["relations"]
    ).most_common():
        table.add(f"→ {label}", count)
    return table


def _against(gold: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]]) -> Table:
    """By the kind of the answer: how many there are, how many were found, and how many with that
    kind.

    A simple comparison of names without regard to case, for looking where to work; the scorer's
    figures are the ones that count.
    """
    got = {
        row["id"]: {each["name"].casefold(): each["type"] for each in row["entities"]}
        for row in found
    }
    wanted: Counter[str] = Counter()
    spans: Counter[str] = Counter()
    typed: Counter[str] = Counter()
    for row in gold:
        for each in row.get("entities", ()):
            kind, name = each["type"], each["name"].casefold()
            there = got.get(row["id"], {})
            wanted[kind] += 1
            spans[kind] += name in there
            typed[kind] += there.get(name) == kind
    table = Table(
        title="against the answers", columns=["kind", "answers", "found", "with the kind", "share"]
    )
    for kind, count in wanted.most_common():
        table.add(kind, count, spans[kind], typed[kind], typed[kind] / count)
    return table
