"""Chooses from which margin on each label counts beside the rules.

    python -m training.stated_thresholds --stated build/stated.onnx --answers seen_a.jsonl … --out
    build/thresholds.json

Measured in the extractor on the texts of `stated/` that are held out and on the answers given: what
the network adds to the rules there is right or wrong, and a label counts where what is right
outweighs what is wrong. Labels with few examples lean on all others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.facts import extracted, related, wanted
from factbook.extract.local import LocalExtractor
from factbook.extract.local.stated.decode import STATEMENTS, Judged
from factbook.extract.local.stated.network import Asked, StatedModel
from factbook.model.record import SELF
from factbook.text.names import fold
from training import stated

LOWEST = -1.0
"""Margins below are not looked at."""
GRID = [LOWEST + 0.25 * step for step in range(33)]
LEAN = 20.0
"""Examples of all labels that are added to a label's own: a label's own few fit themselves."""
WRONG = {"": 0.75, ".": 1.5, "!": 0.75}
"""What something wrong costs where something right gains 1, for relations, facts and statements.
The answers are strict: of what they call wrong a part is only not in them; but facts are seldom
right in answers of others than the training's.
"""
COMMITMENTS = {"commitment": "task"}
Row = Mapping[str, Any]
Case = tuple[float, bool]
"""A margin, and whether what has it is right."""


class Recorder(StatedModel):
    """Gives all that may be stated and remembers the margins: of relations and facts by what they
    say, of statements by their kind.
    """

    def read(
        self, asked: Sequence[Asked], thresholds: Mapping[str, float] | None = None
    ) -> list[list[Judged]]:
        made = super().read(
            asked, thresholds or {"": LOWEST, **{f"! {kind}": LOWEST for kind in STATEMENTS}}
        )
        for each in (judged for those in made for judged in those):
            for said in each.said:
                ends = [SELF if end.kind == SELF else end.party for end in (said.left, said.right)]
                if said.label[0] == ".":
                    self.margins[fold(ends[0]), said.label, ""] = said.margin
                else:
                    self.margins[related(ends[0], said.label, ends[1])] = said.margin
            self.margins.update({("", f"! {told.kind}", ""): told.margin for told in each.noticed})
        return made

    margins: dict[tuple[str, str, str], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stated", type=Path, required=True, help="the exported network")
    parser.add_argument(
        "--answers",
        type=Path,
        nargs="*",
        default=[],
        help="sets of answers beside the held-out texts",
    )
    parser.add_argument("--out", type=Path, required=True, help="the JSON file to write")
    asked = parser.parse_args()
    rows = list(held_out())
    for path in asked.answers:
        rows += [
            json.loads(line)
            for line in path.read_text(encoding="utf-8").splitlines()
            if line.strip()
        ]
    found = cases(
        rows,
        Recorder(model=asked.stated, sha256=hashlib.sha256(asked.stated.read_bytes()).hexdigest()),
    )
    limits = chosen(found)
    asked.out.write_text(json.dumps(limits, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for label, those in sorted(found.items()):
        kept = [right for margin, right in those if margin > limits[label]]
        print(
            f"{label:24} {len(those):4} {limits[label]:6.2f} {sum(kept):4} right {len(kept) - sum(kept):4} wrong"
        )


def held_out() -> Iterator[Row]:
    """The texts that no training read, as those of `bench/answers`."""
    for number, each in enumerate(filter(stated.is_held_out, stated.read_all())):
        spans = {(each.text[span.start : span.end], span.kinds[0]) for span in each.example.spans}
        links = [
            said for said in each.says if said[1][0] != "." and not said[1].startswith("past:")
        ]
        facts = [said for said in each.says if said[1][0] == "."]
        yield {
            "id": f"held{number}",
            "text": each.text,
            "entities": [
                {"name": name, "type": "other" if kind == "work" else kind}
                for name, kind in sorted(spans)
            ],
            "relations": [
                {"from": left, "label": label, "to": right} for left, label, right in links
            ],
            "facts": [
                {"of": of, "attribute": label[1:], "value": value} for of, label, value in facts
            ],
            "statements": sorted(each.statements or ()),
        }


def cases(rows: Sequence[Row], network: Recorder) -> dict[str, list[Case]]:
    """By label, what the network adds to the rules."""
    rules, both = LocalExtractor(stated="none"), LocalExtractor(stated=network)
    out: dict[str, list[Case]] = defaultdict(list)
    for row in rows:
        network.margins = {}
        right, known, got = wanted(row), extracted(rules, [row])[0], extracted(both, [row])[0]
        for link in got["relations"] - known["relations"]:
            if (margin := network.margins.get((link[0], link[1], link[2]))) is not None:
                out[link[1]].append((margin, link in right["relations"]))
        for fact in got["facts"] - known["facts"]:
            if (margin := network.margins.get((fact[0], f".{fact[1]}", ""))) is not None:
                out[f".{fact[1]}"].append((margin, fact in right["facts"]))
        for (kind,) in got["statements"] - known["statements"]:
            label = f"! {COMMITMENTS.get(kind, kind)}"
            if (margin := network.margins.get(("", label, ""))) is not None:
                out[label].append((margin, (kind,) in right["statements"]))
    return out


def chosen(found: Mapping[str, Sequence[Case]]) -> dict[str, float]:
    """The threshold of each label, under the empty one that of labels of which nothing was
    found.
    """
    groups: dict[str, list[Case]] = defaultdict(list)
    for label, those in found.items():
        groups[_group(label)] += those
    common = {
        group: [_gain(those, limit, WRONG[group]) / max(1, len(those)) for limit in GRID]
        for group, those in groups.items()
    }
    limits: dict[str, float] = {}
    for label, those in found.items():
        gains = [
            _gain(those, limit, WRONG[_group(label)]) + LEAN * usual
            for limit, usual in zip(GRID, common[_group(label)], strict=True)
        ]
        limits[label] = GRID[max(range(len(GRID)), key=gains.__getitem__)]
    usual = common.get("", [0.0] * len(GRID))
    limits[""] = GRID[max(range(len(GRID)), key=usual.__getitem__)]
    return limits


def _group(label: str) -> str:
    return label[0] if label[0] in ".!" else ""


def _gain(those: Sequence[Case], limit: float, wrong: float) -> float:
    return sum((1.0 if right else -wrong) for margin, right in those if margin > limit)


if __name__ == "__main__":
    main()
