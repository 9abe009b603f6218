"""Observations of two people's talk: `python -m bench observed --data F --out F`.

Reads conversations of LoCoMo's form without their answers, learns each in a space of its own, and
writes for each speaker what is known, the most worth knowing first: `{"sample_id", "person",
"text", "quote", "turns", "sort", "holds", "importance"}` a line, which a separate scorer judges.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.locomo import sessions
from factbook import Memory


def main(argv: Sequence[str]) -> int:
    """Learns, writes, and tells how many observations of each sort there are."""
    parser = argparse.ArgumentParser(prog="python -m bench observed", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="conversations, without answers")
    parser.add_argument("--out", type=Path, required=True, help="where the items go, as JSON lines")
    asked = parser.parse_args(argv)
    sorts = Counter[str]()
    messages, began = 0, time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(str(Path(folder) / "observed.db")) as memory,
        asked.out.open("w", encoding="utf-8") as out,
    ):
        for conversation in json.loads(asked.data.read_text(encoding="utf-8")):
            space = memory.within(conversation["sample_id"])
            for session, said in sessions(conversation["conversation"]):
                space.remember(said, session=session)
                messages += len(said)
            space.wait()
            for item in _items(space, conversation):
                sorts[item["sort"]] += 1
                out.write(json.dumps(item, ensure_ascii=False) + "\n")
            print(conversation["sample_id"], sum(sorts.values()), file=sys.stderr, flush=True)
    seconds = time.perf_counter() - began
    print(json.dumps({"messages": messages, "a_second": round(messages / seconds, 1), **sorts}))
    return 0


def _items(memory: Memory, conversation: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields what was said by or of each speaker, the most important first."""
    said = {
        (session, position): message
        for session, messages in sessions(conversation["conversation"])
        for position, message in enumerate(messages)
    }
    for person in dict.fromkeys(message.speaker for message in said.values()):
        for row in memory.observations(person):
            message = said.get((row.source.session, row.source.position))
            if message is not None and message.speaker == person:
                yield {
                    "sample_id": conversation["sample_id"],
                    "person": person,
                    "text": row.text,
                    "quote": row.source.quote,
                    "turns": [message.id],
                    "sort": row.sort,
                    "holds": row.holds,
                    "importance": round(row.importance, 3),
                }
