"""Makes the table of akin words: `python -m training.akin --out
packages/factbook-reader/src/factbook_reader/akin.bin`.

Every word of the reader's own vocabulary is embedded by itself. Its vectors are put together by
index word, centred and freed of the two directions that all share, and for each index word the
nearest others are kept. Nothing else is read: no text, no list.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from factbook.reader.akin_words import NEAR, pack_table
from factbook.reader.reading_model import Reader
from factbook.text.index_words import STOP_WORDS, stem

SHARED = 2
"""Directions common to all words, which say nothing about any."""
LEAST = 0.2
"""A cosine that says nothing yet; what is kept is the share of the way from there to 1."""
SHORTEST = 2
_BATCH = 64


def main(argv: Sequence[str] | None = None) -> None:
    """Writes the table and tells its size."""
    parser = argparse.ArgumentParser(prog="python -m training.akin", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where the table goes")
    asked = parser.parse_args(argv)
    table = nearest(*vectors(vocabulary()))
    asked.out.write_bytes(pack_table(table))
    print(f"{len(table):,} words, {asked.out.stat().st_size:,} bytes")


def vocabulary() -> list[str]:
    """The whole words of the reader's vocabulary, in its order."""
    path = Path(__file__).parents[1] / "src" / "factbook" / "embed" / "vocab.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        word
        for word in lines
        if word.isascii() and word.isalpha() and len(word) >= SHORTEST and word not in STOP_WORDS
    ]


def vectors(words: Sequence[str]) -> tuple[list[str], Any]:
    """The index words in order of the alphabet, and a row of length 1 each; forms count the more
    the nearer to it.
    """
    import numpy as np

    reader = Reader()
    made: list[bytes] = []
    for start in range(0, len(words), _BATCH):
        made += reader.embed(words[start : start + _BATCH])
    sums: dict[str, tuple[Any, float]] = {}
    for word, vector in zip(words, made, strict=True):
        key = stem(word)
        share = 1.0 / (abs(len(word) - len(key)) + 1)
        row, total = sums.get(key, (0.0, 0.0))
        sums[key] = (row + share * np.frombuffer(vector, "<f4").astype(np.float64), total + share)
    keys = sorted(sums)
    rows = np.stack([sums[key][0] / sums[key][1] for key in keys])
    rows -= rows.mean(0)
    _, _, directions = np.linalg.svd(rows, full_matrices=False)
    rows -= rows @ directions[:SHARED].T @ directions[:SHARED]
    return keys, rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)


def nearest(keys: Sequence[str], rows: Any) -> dict[str, dict[str, float]]:
    """For each index word its nearest others, with how near they are in 0–1."""
    import numpy as np

    table: dict[str, dict[str, float]] = {}
    for at, key in enumerate(keys):
        near = rows @ rows[at]
        near[at] = -1.0
        best = np.argsort(-near, kind="stable")[:NEAR]
        table[key] = {
            keys[each]: max(0.0, (float(near[each]) - LEAST) / (1.0 - LEAST)) for each in best
        }
    return table


if __name__ == "__main__":
    main()
