"""Names that are kept for measuring: none may stand in our lists, templates or written messages.

    python -m training.reserved --gold ../shared/data/extraction   # checks, and writes reserved.txt anew

`reserved.txt` holds shortened hashes of the folded gold names of the development sets, so that a
generated sentence can be checked where those sets are not at hand, and so that nobody reads them
here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from factbook.text.names import fold

FILE = Path(__file__).with_name("reserved.txt")


@cache
def _hashes() -> frozenset[str]:
    return frozenset(FILE.read_text().split()) if FILE.is_file() else frozenset()


def is_reserved(name: str) -> bool:
    """Whether the name is one of the development sets' gold names."""
    return _hash(name) in _hashes()


def _hash(name: str) -> str:
    return hashlib.sha256(fold(name).encode()).hexdigest()[:12]


def gold_names(folder: Path) -> Iterator[str]:
    """The names of every `*_dev.jsonl` of a folder."""
    for path in sorted(folder.glob("*_dev.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for entity in json.loads(line).get("entities", ()):
                yield entity["name"]


def main() -> int:
    """Writes the hashes and reports what collides in the written messages and the lists."""
    from training import generate, stated, written

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gold", type=Path, required=True)
    asked = parser.parse_args()
    FILE.write_text("\n".join(sorted({_hash(name) for name in gold_names(asked.gold)})) + "\n")
    _hashes.cache_clear()
    examples = [*written.examples(), *(each.example for each in stated.read_all())]
    bad = sorted({name for example in examples for name in example.names() if is_reserved(name)})
    dropped = sum(is_reserved(name) for name in generate.all_listed())
    print(f"{len(_hashes())} reserved names; {dropped} entries of the lists are left out for them")
    for name in bad:
        print(f"in a written message: {name}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
