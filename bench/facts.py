"""Relations, facts and statements that the default local extractor finds, against answers of our own.

    python -m bench facts                          # every set of bench/answers
    python -m bench facts --answers F --misses     # one, with what is missed and what is invented

The messages and their answers were written apart from the rules and the development sets. Rules may be made with the sets
called `seen…` in view; `held_out` is for measuring only. Relations count on both ends, direction and label,
symmetric and inverse labels as equal; facts on entity, attribute and value; statements on the kinds that a text holds.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.extraction import episode_of
from bench.report import Table, report
from factbook.extract.local import LocalExtractor
from factbook.model.draft import Draft
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext
from factbook.text.names import fold

ANSWERS = Path(__file__).parent / "answers"
STATEMENTS = {"decision": "decision", "preference": "preference", "pain_point": "pain_point", "task": "commitment"}
"""What the answers call a kind of statement."""
SYMMETRIC = frozenset(
    """spouse_of sibling_of friend_of colleague_of works_with partner_of ex_partner_of cousin_of roommate_of neighbor_of
    classmate_of knows met partners_with competes_with""".split()
)
INVERSE = {"child_of": "parent_of", "grandchild_of": "grandparent_of", "nephew_or_niece_of": "aunt_or_uncle_of"}

Found = dict[str, set[tuple[str, ...]]]


def main(argv: Sequence[str]) -> int:
    """Runs the measurement and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench facts", description=__doc__.split("\n")[0])
    parser.add_argument("--answers", type=Path, help="JSON lines of texts with answers, in place of our sets")
    parser.add_argument("--misses", action="store_true", help="list what is missed and what is invented")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    asked = parser.parse_args(argv)
    extractor = LocalExtractor()
    tables: list[Table] = []
    for path in [asked.answers] if asked.answers else sorted(ANSWERS.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        context = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})
        drafts = extractor.extract([episode_of(row) for row in rows], context)
        pairs = [(wanted(row), found(draft)) for row, draft in zip(rows, drafts, strict=True)]
        tables.append(scores(path.stem, pairs))
        if asked.misses and not asked.json:
            for row, (right, got) in zip(rows, pairs, strict=True):
                print(*differences(row, right, got), sep="\n", end="\n" if right != got else "")
    return report(tables, [], as_json=asked.json, extractor=extractor.name)


def wanted(row: Mapping[str, Any]) -> Found:
    """What the answers hold."""
    return {
        "entities": {(fold(each["name"]), each["type"]) for each in row["entities"]},
        "relations": {related(each["from"], each["label"], each["to"]) for each in row["relations"]},
        "facts": {
            (fold(each["of"]), each["attribute"], fold(each["value"]))
            for each in row["facts"]
            if each["attribute"] != "name"
        },
        "statements": {(kind,) for kind in row["statements"]},
    }


def found(draft: Draft) -> Found:
    """What the draft holds, in the same form; what it passes on of others or takes back is left out."""
    names = {each.ref: each.name for each in draft.entities} | {SELF: SELF}
    stated = {each.ref for each in draft.entities if each.kind in STATEMENTS and " " in each.name}
    named = (each for each in draft.entities if not each.phrase and each.ref not in stated and each.kind != "metric")
    return {
        "entities": {(fold(each.name), each.kind) for each in named},
        "relations": {
            related(names[each.from_ref], each.label, names[each.to_ref])
            for each in draft.relations
            if not each.retracts and not each.told_by
        },
        "facts": {
            (fold(names[each.ref]), each.attribute, fold(each.value))
            for each in draft.facts
            if not each.retracts and each.attribute != "name"
        },
        "statements": {(STATEMENTS[each.kind],) for each in draft.entities if each.ref in stated},
    }


def related(left: str, label: str, right: str) -> tuple[str, str, str]:
    """A relation in the one form that equal ones share."""
    a, b = fold(left), fold(right)
    if label in INVERSE:
        a, label, b = b, INVERSE[label], a
    return (b, label, a) if label in SYMMETRIC and a > b else (a, label, b)


def scores(title: str, pairs: Sequence[tuple[Found, Found]]) -> Table:
    table = Table(title=title, columns=["what", "answers", "found", "right", "precision", "recall", "F1"])
    for what in ("entities", "relations", "facts", "statements"):
        total = Counter[str]()
        for right, got in pairs:
            total += Counter(answers=len(right[what]), found=len(got[what]), right=len(right[what] & got[what]))
        of, there, hit = total["answers"], total["found"], total["right"]
        table.add(what, of, there, hit, hit / max(1, there), hit / max(1, of), 2 * hit / max(1, of + there))
    return table


def differences(row: Mapping[str, Any], right: Found, got: Found) -> Iterator[str]:
    if right != got:
        yield f"{row['id']}: {' / '.join(row['text'].splitlines())}"
    for what in right:
        yield from (f"    missed {what}: {', '.join(each)}" for each in sorted(right[what] - got[what]))
        yield from (f"    invented {what}: {', '.join(each)}" for each in sorted(got[what] - right[what]))
