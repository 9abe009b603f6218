"""The names that are found in texts, by our reader and by spaCy, beside each other on every set.

    python -m bench names --gold ../shared/data/extraction --scorer ../shared/bench/extraction.py

Each finder gets the texts alone, as they are and in small letters; the scorer compares what it
wrote with the answers. "held out" are the tenth of the messages in `training/written` that no
training reads. Speed and memory are those of the reader by itself, in a process of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from bench.extraction import extract
from bench.report import Bar, Table, report
from factbook.extract.local import LocalExtractor, ReaderNames
from factbook.model.kinds import BUILT_IN
from factbook.ports.models import ExtractionContext
from factbook.reader import Reader, shared_reader
from factbook.text.names import fold
from training import written

SETS: Mapping[str, str] = {"chat25": "", "excerpts": "", "wnut": "person,place,organization"}
"""The development sets, and the kinds that each is scored by (all, if empty)."""
SPAN_AND_KIND = {"chat25": 0.88, "excerpts": 0.75, "wnut": 0.55}
SPAN = {"chat25": 0.94}
LOST = 0.08
"""How much F1 a set may lose in small letters."""
PROJECTS = 0.65
BATCH = 32
READER = "the reader in the local extractor"
RATE = f"messages a second of CPU, in batches of {BATCH}"
LOAD = "seconds of CPU to load"
RESIDENT = "MB resident at most"
CONTEXT = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})

Row = Mapping[str, Any]
Scores = Mapping[str, float]
Names = list[tuple[str, str]]
"""Name and kind."""


class Finder(Protocol):
    """Finds the names of each text, in order."""

    def __call__(self, texts: Sequence[str]) -> list[Names]: ...


def main(argv: Sequence[str]) -> int:
    """Runs the measurement and returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench names", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--gold", type=Path, required=True, help="folder of NAME_dev.jsonl, texts with answers"
    )
    parser.add_argument(
        "--scorer", type=Path, required=True, help="the script that scores predictions"
    )
    parser.add_argument("--reader", type=Path, help="another model than the installed one")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--speed", action="store_true", help="measure speed and memory only")
    asked = parser.parse_args(argv)
    if asked.speed:
        print(json.dumps(speed(asked.reader, asked.gold)))
        return 0
    ours = reader_of(asked.reader)
    finders: dict[str, Finder] = {
        READER: in_extractor(ours),
        "the reader alone": partial(alone, ours),
    }
    sets = {name: list(gold(asked.gold / f"{name}_dev.jsonl")) for name in SETS} | {
        "held out": list(held_out())
    }
    names = Table(title="span F1 / span-and-kind F1", columns=["set", *finders])
    projects = Table(
        title="projects found, and with that kind",
        columns=["", "there are", "as written", "small letters"],
    )
    made: dict[str, dict[str, Scores]] = {}
    for title, find in finders.items():
        made[title] = {}
        shares: list[str] = []
        total = Counter[str]()
        for small in (False, True):
            total.clear()
            for name, rows in sets.items():
                found = find([row["text"].lower() if small else row["text"] for row in rows])
                made[title][name + ", small" * small] = scored(
                    asked.scorer, rows, found, SETS.get(name, "")
                )
                total += found_projects(rows, found)
            made[title]["projects" + ", small" * small] = {"found": total["found"] / total["all"]}
            shares.append(
                f"{total['found'] / total['all']:.2f} / {total['kind'] / total['all']:.2f}"
            )
        projects.add(title, total["all"], *shares)
    for name in (*sets, *(f"{name}, small" for name in sets)):
        scores = [each[name] for each in made.values()]
        names.add(name, *(f"{each['span']:.3f}/{each['kind']:.3f}" for each in scores))
    command = [sys.executable, "-m", "bench", "names", *argv, "--speed"]
    fast = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    costs = Table(
        title="the reader by itself, names and vectors in one pass", columns=["figure", "value"]
    )
    for title, value in fast.items():
        costs.add(title, value)
    return report([names, projects, costs], list(bars(made[READER], fast)), as_json=asked.json)


def bars(made: Mapping[str, Scores], fast: Mapping[str, float]) -> Iterator[Bar]:
    for name, limit in SPAN.items():
        yield Bar(name=f"{name} span", value=made[name]["span"], limit=limit, sign="≥")
    for name, limit in SPAN_AND_KIND.items():
        yield Bar(name=f"{name} span and kind", value=made[name]["kind"], limit=limit, sign="≥")
    for name in SETS:
        lost = made[name]["kind"] - made[f"{name}, small"]["kind"]
        yield Bar(name=f"{name} lost in small letters", value=lost, limit=LOST)
    yield Bar(name="projects found", value=made["projects"]["found"], limit=PROJECTS, sign="≥")
    yield Bar(name=RATE, value=fast[RATE], limit=120, sign="≥")
    yield Bar(name=LOAD, value=fast[LOAD], limit=0.7)
    yield Bar(name=RESIDENT, value=fast[RESIDENT], limit=220)


# ----------------------------------------------------------------------------------------------------
# finders


def reader_of(model: Path | None) -> Reader:
    return shared_reader() if model is None else Reader(model=model, sha256=sha256(model))


def sha256(model: Path) -> str:
    return hashlib.sha256(model.read_bytes()).hexdigest()


def in_extractor(model: Reader) -> Finder:
    extractor = LocalExtractor(model=model)

    def find(texts: Sequence[str]) -> list[Names]:
        found = extract(extractor, [{"id": str(at), "text": text} for at, text in enumerate(texts)])
        return [[(each["name"], each["type"]) for each in row["entities"]] for row in found]

    return find


def alone(model: Reader, texts: Sequence[str]) -> list[Names]:
    found = ReaderNames().find(texts, model.read_texts(texts), CONTEXT)
    return [[(name.text, name.kind) for name in each.names] for each in found]


# -------------------------------------------------------------------------------------------------
# the answers


def gold(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def held_out() -> Iterator[Row]:
    for number, example in enumerate(filter(written.is_held_out, written.examples())):
        spans = [(example.text[span.start : span.end], span.kinds[0]) for span in example.spans]
        entities = [{"name": name, "type": kind} for name, kind in spans]
        yield {"id": str(number), "text": example.text, "entities": entities}


def scored(scorer: Path, rows: Sequence[Row], found: Sequence[Names], kinds: str) -> Scores:
    """What the scorer says of the findings."""
    with tempfile.TemporaryDirectory() as folder:
        answers, predicted = Path(folder) / "gold.jsonl", Path(folder) / "predicted.jsonl"
        answers.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        entities = [[{"name": name, "type": kind} for name, kind in each] for each in found]
        lines = [
            json.dumps({"id": row["id"], "entities": those, "relations": [], "ms": 0.0}) + "\n"
            for row, those in zip(rows, entities, strict=True)
        ]
        predicted.write_text("".join(lines), encoding="utf-8")
        command = [
            sys.executable,
            str(scorer),
            "--gold",
            str(answers),
            "--predicted",
            str(predicted),
        ]
        command += ["--kinds", kinds] if kinds else []
        said = json.loads(
            subprocess.run(command, capture_output=True, text=True, check=True).stdout
        )
    return {"span": said["span"]["f1"], "kind": said["span_and_type"]["f1"]}


def found_projects(rows: Sequence[Row], found: Sequence[Names]) -> Counter[str]:
    total = Counter[str]()
    for row, those in zip(rows, found, strict=True):
        kinds = {fold(name): kind for name, kind in those}
        wanted = [
            fold(each["name"]) for each in row.get("entities", ()) if each["type"] == "project"
        ]
        total["all"] += len(wanted)
        total["found"] += sum(name in kinds for name in wanted)
        total["kind"] += sum(kinds.get(name) == "project" for name in wanted)
    return total


# -------------------------------------------------------------------------------------------- speed
# and memory


def speed(model: Path | None, folder: Path) -> dict[str, float]:
    """Of the reader in a process that does nothing else."""
    texts = [
        row["text"] for name in ("wnut", "chat25") for row in gold(folder / f"{name}_dev.jsonl")
    ]
    reader = Reader() if model is None else reader_of(model)
    began = time.process_time()
    reader.load()
    loaded = time.process_time() - began
    began = time.process_time()
    for first in range(0, len(texts), BATCH):
        reader.read_texts(texts[first : first + BATCH])
    batches = time.process_time() - began
    began = time.process_time()
    for text in texts[:200]:
        reader.read_texts([text])
    single = time.process_time() - began
    return {
        RATE: len(texts) / batches,
        "ms of CPU, a message alone": 1000 * single / 200,
        LOAD: loaded,
        RESIDENT: most_resident(),
        "characters a message": sum(map(len, texts)) / len(texts),
    }


def most_resident() -> float:
    """MB that the process has had in memory at most. (What `getrusage` says of a child counts its
    parent's too.)
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
