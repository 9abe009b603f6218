"""What a memory gives for a query that it should answer sparsely: PrecisionMemBench's beliefs and
cases.

    python -m bench precision --beliefs F --cases F --out F

Loads the beliefs by the public verbs and asks for each case: a user is a space, a scope a project
(`user:universal` is none, and so belongs to all), beliefs that supersede each other are values of
one attribute, told in their order, an open question is a note that expires where it was resolved.
The words of a belief are its statement.

Written is one JSON line a case: `{"caseId": …, "returned": [belief ids]}`, all that recall gave.
Three counts must be zero: beliefs of another user, superseded or resolved ones, ones of another
scope. Precision, recall, and silence where nothing is asked for that is known, are of what is
neither pinned nor universal, which may always enter.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.report import Bar, Table, report
from factbook import Entity, EntityType, Memory, RecalledLine

UNIVERSAL = "user:universal"
USER = "test-user"
BUDGET = 300
"""Tokens of a case that names no budget."""
LEAST = {"precision": 0.70, "recall": 0.80, "silence": 0.60}
STATEMENT = "statement"
OPEN = "open_question"

Belief = Mapping[str, Any]
Case = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """A memory with the beliefs, and which belief a row is: by space and words, and by the row's
    id.
    """

    memory: Memory
    by_words: Mapping[tuple[str, str], str]
    by_row: Mapping[str, str]


def main(argv: list[str]) -> int:
    """Loads, asks and scores; 1 where a count is not zero or a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench precision", description=__doc__)
    parser.add_argument("--beliefs", type=Path, required=True, help="beliefs as JSON")
    parser.add_argument("--cases", type=Path, required=True, help="cases as JSON")
    parser.add_argument("--out", type=Path, required=True, help="where to write what was returned")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    asked = parser.parse_args(argv)
    beliefs: list[Belief] = json.loads(asked.beliefs.read_text("utf-8"))
    cases: list[Case] = json.loads(asked.cases.read_text("utf-8"))
    clock = _Clock()
    with Memory.open("ram:", extractor="none", background=False, clock=clock) as memory:
        loaded = load(memory, beliefs, clock)
        memory.wait()
        returned = {case["caseId"]: ask(loaded, case) for case in cases}
    lines = [
        json.dumps({"caseId": key, "returned": ids}, ensure_ascii=False)
        for key, ids in returned.items()
    ]
    asked.out.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return _report(beliefs, cases, returned, as_json=asked.json)


class _Clock:
    """The time at which a belief was held; afterwards, the day after the last of them."""

    def __init__(self) -> None:
        self.now = datetime(2000, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def load(memory: Memory, beliefs: Sequence[Belief], clock: _Clock) -> Loaded:
    """Tells the memory the beliefs, each in the space of its user and the projects of its scope,
    oldest first.
    """
    by_id = {belief["_id"]: belief for belief in beliefs}
    by_words: dict[tuple[str, str], str] = {}
    spaces = {
        user: memory.within(user) for user in sorted({belief["user_id"] for belief in beliefs})
    }
    for space in spaces.values():
        space.register(EntityType(id="belief", attributes={STATEMENT: "single"}))
    for belief in sorted(
        beliefs, key=lambda each: (_depth(each, by_id), each["created_at"]), reverse=True
    ):
        at = datetime.fromisoformat(belief["created_at"])
        clock.now = max(at, clock.now + timedelta(seconds=1))
        space, final = spaces[belief["user_id"]], _final(belief, by_id)
        by_words[belief["user_id"], belief["content"]] = belief["_id"]
        for scope in belief["scope"]:
            project = "" if scope == UNIVERSAL else scope
            if belief["type"] == OPEN:
                until = (
                    datetime.fromisoformat(belief["resolved_at"]) if belief["resolved_at"] else None
                )
                space.note(belief["content"], category=OPEN, expires_at=until, project=project)
                continue
            name = final["canonical_name"].replace("_", " ")
            aliases = list(final["aliases"]) if belief is final else []
            entity = Entity(
                name,
                belief["type"],
                {STATEMENT: belief["content"]},
                aliases=aliases,
                importance=belief["confidence"],
            )
            space.put(entity, project=project)
    last = max(datetime.fromisoformat(belief["updated_at"]) for belief in beliefs)
    clock.now = max(clock.now, last) + timedelta(days=1)
    return Loaded(memory=memory, by_words=by_words, by_row=_rows(spaces, by_words))


def _rows(spaces: Mapping[str, Memory], by_words: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """Facts and notes by their words; an entity stands for the statement that holds of it."""
    out: dict[str, str] = {}
    for user, space in spaces.items():
        for note in space.notes(expired=True):
            out[note.id] = by_words[user, note.text]
        for entity in space.entities():
            for each in entity.facts:
                out[each.fact.id] = by_words[user, each.value]
                if each.state == "current":
                    out[entity.id] = out[each.fact.id]
    return out


def _final(belief: Belief, by_id: Mapping[str, Belief]) -> Belief:
    """What holds in the place of a superseded belief by now."""
    while belief["superseded_by"] in by_id:
        belief = by_id[belief["superseded_by"]]
    return belief


def _depth(belief: Belief, by_id: Mapping[str, Belief]) -> int:
    """How many beliefs came after it; the older are told first."""
    steps = 0
    while belief["superseded_by"] in by_id:
        belief, steps = by_id[belief["superseded_by"]], steps + 1
    return steps


def ask(loaded: Loaded, case: Case) -> list[str]:
    """Ids of the beliefs that recall gives for a case."""
    user = case.get("userId", USER)
    space = loaded.memory.within(user)
    budget = case.get("budget")
    found = space.recall(
        case["query"], budget if isinstance(budget, int) else BUDGET, project=case["scope"]
    )
    return list(dict.fromkeys(key for line in found.lines for key in _beliefs(line, user, loaded)))


def _beliefs(line: RecalledLine, user: str, loaded: Loaded) -> list[str]:
    """The belief that a line is, and any other whose words it says, whole or cut."""
    own = [loaded.by_row[line.id]] if line.id in loaded.by_row else []
    return own + [
        key
        for (space, words), key in loaded.by_words.items()
        if space == user and _says(line.text, words)
    ]


def _says(text: str, words: str) -> bool:
    plain = " ".join(words.split()).rstrip(".")
    return plain in " ".join(text.split()) or plain[:60] in " ".join(text.split())


def _report(
    beliefs: Sequence[Belief],
    cases: Sequence[Case],
    returned: Mapping[str, list[str]],
    *,
    as_json: bool,
) -> int:
    by_id = {belief["_id"]: belief for belief in beliefs}
    exempt = {
        key for key, belief in by_id.items() if belief["pinned"] or UNIVERSAL in belief["scope"]
    }
    wrong = {"other user": 0, "superseded or resolved": 0, "other scope": 0}
    precision: list[float] = []
    recall: list[float] = []
    silent: list[bool] = []
    for case in cases:
        got = returned[case["caseId"]]
        for key in got:
            belief = by_id[key]
            wrong["other user"] += belief["user_id"] != case.get("userId", USER)
            wrong["superseded or resolved"] += belief["epistemic_status"] == "superseded" or bool(
                belief["resolved_at"]
            )
            wrong["other scope"] += key not in exempt and not set(belief["scope"]) & set(
                case["scope"]
            )
        expected = case["expect"].get("relevantBeliefs", {})
        if "shouldOnlyInclude" not in expected:
            continue
        wanted, judged = (
            set(expected["shouldOnlyInclude"]) - exempt,
            [key for key in got if key not in exempt],
        )
        if wanted:
            hits = len(wanted.intersection(judged))
            precision.append(hits / len(judged) if judged else 0.0)
            recall.append(hits / len(wanted))
        elif not expected["shouldOnlyInclude"]:
            silent.append(not judged)
    figures = {"precision": _mean(precision), "recall": _mean(recall), "silence": _mean(silent)}
    table = Table(title="Beliefs", columns=["cases", *figures, *wrong])
    table.add(len(cases), *figures.values(), *wrong.values())
    bars = [Bar(name=name, value=count, limit=0, sign="=") for name, count in wrong.items()]
    bars += [
        Bar(name=name, value=figures[name], limit=limit, sign="≥") for name, limit in LEAST.items()
    ]
    return report([table], bars, as_json=as_json, **figures)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
