"""Relations, facts and statements that the default local extractor finds, against answers of our
own.

    python -m bench facts                          # every set of bench/answers
    python -m bench facts --answers F --misses     # one, with what is missed and what is invented
    python -m bench facts --by network             # what the network reads by itself, without a parse; or the rules alone

The messages and their answers were written apart from the rules and the development sets. Rules may
be made with the sets called `seen…` in view; `held_out` is for measuring only. Relations count on
both ends, direction and label, symmetric and inverse labels as equal; facts on entity, attribute
and value, days as dates; statements on the kinds that a text holds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.extraction import MESSAGE, SAID_AT, episode_of
from bench.names import most_resident
from bench.network import answers, beside, by_network, network
from bench.report import Table, report
from factbook.extract.local import LocalExtractor
from factbook.extract.local.stated.network import StatedModel
from factbook.model.draft import Draft
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.model.relations import INVERSES, is_symmetric
from factbook.ports.models import ExtractionContext
from factbook.text.names import fold
from factbook.text.time_phrases import find_moments

ANSWERS = Path(__file__).parent / "answers"
SETS = ("held_out", "seen_a", "seen_b")
"""Those of its files that say what messages state; the others are questions."""
STATEMENTS = {
    "decision": "decision",
    "preference": "preference",
    "pain_point": "pain_point",
    "task": "commitment",
}
"""What the answers call a kind of statement."""

DATES = frozenset(
    {"deadline", "launch_date", "start_date", "date", "expiry_date", "renewal_date", "birthday"}
)

Found = dict[str, set[tuple[str, ...]]]
Row = Mapping[str, Any]


def main(argv: Sequence[str]) -> int:
    """Runs the measurement and returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench facts", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--answers", type=Path, help="JSON lines of texts with answers, in place of our sets"
    )
    parser.add_argument(
        "--misses", action="store_true", help="list what is missed and what is invented"
    )
    parser.add_argument(
        "--by", choices=["both", "rules", "network"], default="both", help="who reads"
    )
    parser.add_argument(
        "--stated", type=Path, help="another model of what is stated than the installed one"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    asked = parser.parse_args(argv)
    extractor = LocalExtractor(stated=beside(asked.by, asked.stated))
    read: Callable[[Sequence[Row]], list[Found]] = (
        partial(alone, network(asked.stated))
        if asked.by == "network"
        else partial(extracted, extractor)
    )
    read([{"id": "warm", "text": "Ana lives in Porto."}])
    tables: list[Table] = []
    seconds = characters = 0.0
    for path in [asked.answers] if asked.answers else [ANSWERS / f"{name}.jsonl" for name in SETS]:
        rows = [
            json.loads(line)
            for line in path.read_text(encoding="utf-8").splitlines()
            if line.strip()
        ]
        began = time.process_time()
        pairs = list(zip(map(wanted, rows), read(rows), strict=True))
        seconds += time.process_time() - began
        characters += sum(len(row["text"]) for row in rows)
        tables.append(scores(path.stem, pairs))
        if asked.misses and not asked.json:
            for row, (right, got) in zip(rows, pairs, strict=True):
                print(*differences(row, right, got), sep="\n", end="\n" if right != got else "")
    cost = Table(title=f"cost, read by {asked.by}", columns=["figure", "value"])
    cost.add(f"messages of {MESSAGE} characters a second of CPU", characters / MESSAGE / seconds)
    cost.add("MB resident at most", most_resident())
    return report([*tables, cost], [], as_json=asked.json, extractor=extractor.name)


def extracted(extractor: LocalExtractor, rows: Sequence[Row]) -> list[Found]:
    """What the extractor finds, every text by itself."""
    context = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})
    return [found(extractor.extract([episode_of(row)], context)[0]) for row in rows]


def alone(stated: StatedModel, rows: Sequence[Row]) -> list[Found]:
    """What the reader's names and the network give by themselves."""
    return [
        wanted(answers(each, STATEMENTS))
        for each in by_network(stated, [episode_of(row) for row in rows])
    ]


def wanted(row: Mapping[str, Any]) -> Found:
    """What the answers hold."""
    return {
        "entities": {(fold(each["name"]), each["type"]) for each in row["entities"]},
        "relations": {
            related(each["from"], each["label"], each["to"]) for each in row["relations"]
        },
        "facts": {
            (fold(each["of"]), each["attribute"], told(each["attribute"], each["value"]))
            for each in row["facts"]
            if each["attribute"] != "name"
        },
        "statements": {(kind,) for kind in row["statements"]},
    }


def found(draft: Draft) -> Found:
    """What the draft holds, in the same form; what it passes on of others or takes back is left
    out.
    """
    names = {each.ref: each.name for each in draft.entities} | {SELF: SELF}
    stated = {each.ref for each in draft.entities if each.kind in STATEMENTS and " " in each.name}
    named = (
        each
        for each in draft.entities
        if not each.phrase and each.ref not in stated and each.kind != "metric"
    )
    return {
        "entities": {(fold(each.name), each.kind) for each in named},
        "relations": {
            related(names[each.from_ref], each.label, names[each.to_ref])
            for each in draft.relations
            if not each.retracts and not each.told_by
        },
        "facts": {
            (fold(names[each.ref]), each.attribute, told(each.attribute, each.value))
            for each in draft.facts
            if not each.retracts and each.attribute != "name"
        },
        "statements": {(STATEMENTS[each.kind],) for each in draft.entities if each.ref in stated},
    }


def told(attribute: str, value: str) -> str:
    """A value in the one form that equal ones share: a day is its date, however it is written."""
    if attribute in DATES:
        for moment in find_moments(f"on {value}", SAID_AT, "future")[:1]:
            if moment.grain == "day":
                return (
                    f"{moment.at:%m-%d}"
                    if attribute == "birthday"
                    else moment.at.date().isoformat()
                )
    return fold(value)


def related(left: str, label: str, right: str) -> tuple[str, str, str]:
    """A relation in the one form that equal ones share."""
    a, b = fold(left), fold(right)
    if label in INVERSES:
        a, label, b = b, INVERSES[label], a
    return (b, label, a) if is_symmetric(label) and a > b else (a, label, b)


def scores(title: str, pairs: Sequence[tuple[Found, Found]]) -> Table:
    table = Table(
        title=title, columns=["what", "answers", "found", "right", "precision", "recall", "F1"]
    )
    for what in ("entities", "relations", "facts", "statements"):
        total = Counter[str]()
        for right, got in pairs:
            total += Counter(
                answers=len(right[what]), found=len(got[what]), right=len(right[what] & got[what])
            )
        of, there, hit = total["answers"], total["found"], total["right"]
        table.add(
            what,
            of,
            there,
            hit,
            hit / max(1, there),
            hit / max(1, of),
            2 * hit / max(1, of + there),
        )
    return table


def differences(row: Mapping[str, Any], right: Found, got: Found) -> Iterator[str]:
    if right != got:
        yield f"{row['id']}: {' / '.join(row['text'].splitlines())}"
    for what in right:
        yield from (
            f"    missed {what}: {', '.join(each)}" for each in sorted(right[what] - got[what])
        )
        yield from (
            f"    invented {what}: {', '.join(each)}" for each in sorted(got[what] - right[what])
        )
