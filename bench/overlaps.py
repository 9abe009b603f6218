"""How many of the truly best 50 lines are among the candidates that recall looks at: by words, and by vectors.

By words the truth is BM25 over every line, from what the file holds. By vectors it is every cosine: of real embeddings
of plain English (`bench.plain_texts`), since made-up vectors are no test of one-bit codes.
"""

from __future__ import annotations

import math
import sqlite3
import time
from array import array
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench import made_up, plain_texts
from bench.loading import SEED, SPACE, entities_of
from factbook import embed
from factbook.memory.finding import breadth
from factbook.model.change import Change, Stamp
from factbook.model.line import LineFilter
from factbook.model.record import Note
from factbook.ports.store import Vectors
from factbook.store import open_store
from factbook.text.words import words

BEST = 50
QUESTIONS = 200
BUDGET = 1000
K1, B = 0.9, 0.4
AT_ONCE = 256


def by_words(path: Path, lines: int, now: datetime, count: int) -> dict[str, Any]:
    """The mean share, and the CPU milliseconds of each search."""
    asked = made_up.questions(SEED, entities_of(lines), count + 1)[1:]
    wanted = [list(dict.fromkeys(words(question))) for question in asked]
    exact = _Exhaustive(path, {word for each in wanted for word in each}, now)
    store = open_store(str(path))
    shares: list[float] = []
    took: list[float] = []
    with store.reading() as reader:
        for each in wanted:
            best = exact.best(each)
            began = time.process_time()
            found = set(reader.find_words(SPACE, each, LineFilter(now=now), limit=breadth(BUDGET)))
            took.append(1000 * (time.process_time() - began))
            shares.append(sum(no in found for no in best) / max(1, len(best)))
    store.close()
    return {"overlap": sum(shares) / len(shares), "took": took}


class _Exhaustive:
    """BM25 over every line of the space, from its own counts."""

    def __init__(self, path: Path, wanted: set[str], now: datetime) -> None:
        self._lines: dict[str, array[int]] = {word: array("q") for word in wanted}
        self._counts: dict[str, array[int]] = {word: array("i") for word in wanted}
        self._lengths: dict[int, int] = {}
        self._hidden: set[int] = set()
        self._number = 0
        total = 0
        con = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        (space,) = con.execute("SELECT no FROM spaces WHERE name = ?", (SPACE,)).fetchone()
        for no, ends_at, stored in con.execute(
            "SELECT line_no, ends_at, words FROM lines WHERE line_no > ? AND line_no < ?",
            (space << 32, (space + 1) << 32),
        ):
            held: list[str] = stored.split()
            total += len(held)
            self._number += 1
            counts = Counter(held)
            among = wanted & counts.keys()
            if among:
                self._lengths[no] = len(held)
                for word in among:
                    self._lines[word].append(no)
                    self._counts[word].append(counts[word])
            if ends_at is not None and ends_at <= now.timestamp():
                self._hidden.add(no)
        con.close()
        self._mean = total / max(1, self._number)

    def best(self, asked: Sequence[str]) -> list[int]:
        """The lines that fit best, best first and of equals the latest, without those that hold no longer."""
        scores: dict[int, float] = {}
        for word in asked:
            standing = len(self._lines[word])
            weight = math.log1p((self._number - standing + 0.5) / (standing + 0.5))
            for no, count in zip(self._lines[word], self._counts[word], strict=True):
                norm = K1 * (1 - B + B * self._lengths[no] / self._mean)
                scores[no] = scores.get(no, 0.0) + weight * count * (1 + K1) / (count + norm)
        shown = (no for no in scores if no not in self._hidden)
        return sorted(shown, key=lambda no: (-scores[no], -no))[:BEST]


def by_vectors(path: Path, count: int) -> dict[str, Any]:
    """The mean share with so many real vectors, and the CPU milliseconds of each search."""
    import numpy as np

    embedder = embed.load()
    if embedder is None:
        raise RuntimeError("the embedder is not installed")
    texts = plain_texts.texts(count + QUESTIONS)
    rows = [
        vector for start in range(0, len(texts), AT_ONCE) for vector in embedder.embed(texts[start : start + AT_ONCE])
    ]
    kept, asked = rows[:count], rows[count:]
    store = open_store(str(path))
    for start in range(0, count, 1000):
        ids = [f"n{number}" for number in range(start, min(start + 1000, count))]
        store.commit(
            SPACE,
            expected_version=start // 1000,
            changes=[
                Change(after=Note(id=each, text=texts[start + place], created_at=made_up.START + timedelta(minutes=1)))
                for place, each in enumerate(ids)
            ],
            stamp=Stamp(at=made_up.START, verb="learn"),
            vectors=Vectors(
                model=embedder.name,
                size=embedder.size,
                rows=dict(zip(ids, kept[start : start + len(ids)], strict=True)),
            ),
        )
    matrix = np.frombuffer(b"".join(kept), "<f4").reshape(count, -1)
    shares: list[float] = []
    took: list[float] = []
    with store.reading() as reader:
        for vector in asked:
            exact = np.einsum("ij,j->i", matrix, np.frombuffer(vector, "<f4"))
            best = {f"n{number}" for number in np.argsort(-exact)[:BEST].tolist()}
            began = time.process_time()
            numbers = reader.find_vector(SPACE, embedder.name, vector, LineFilter(), limit=breadth(BUDGET))
            took.append(1000 * (time.process_time() - began))
            shares.append(len(best & {hit.id for hit in reader.hits(SPACE, numbers, ())}) / len(best))
    store.close()
    return {"overlap": sum(shares) / len(shares), "took": took[1:], "vectors": count}
