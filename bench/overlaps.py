"""How many of the truly best 50 lines are among the candidates that recall looks at: by words, and
by vectors.

By words the truth is BM25 over every line, from what the file holds. By vectors it is every cosine:
of real embeddings of plain English (`bench.plain_texts`), since made-up vectors are no test of
one-bit codes.
"""

from __future__ import annotations

import math
import sqlite3
import time
from array import array
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench import made_up, plain_texts
from bench.loading import SEED, SPACE, entities_of
from factbook import reader
from factbook.model.change import Change, Stamp
from factbook.model.line import LineFilter
from factbook.model.record import Note
from factbook.ports.store import Vectors
from factbook.recall.find.candidates import breadth
from factbook.store import open_store
from factbook.text.index_words import index_words

BEST = 50
QUESTIONS = 200
BUDGET = 1000
K1, B = 0.9, 0.4
AT_ONCE = 256


def by_words(path: Path, lines: int, now: datetime, count: int) -> dict[str, Any]:
    """The mean share, and the CPU milliseconds of each search."""
    asked = made_up.questions(SEED, entities_of(lines), count + 1)[1:]
    wanted = [list(dict.fromkeys(index_words(question))) for question in asked]
    exact = _Exhaustive(path, {word for each in wanted for word in each}, now)
    store = open_store(str(path))
    shares: list[float] = []
    took: list[float] = []
    with store.snapshot() as snapshot:
        for each in wanted:
            best = exact.best(each)
            began = time.process_time()
            found = set(
                snapshot.find_words(SPACE, each, LineFilter(now=now), limit=breadth(BUDGET))
            )
            took.append(1000 * (time.process_time() - began))
            shares.append(sum(no in found for no in best) / max(1, len(best)))
    store.close()
    return {"overlap": sum(shares) / len(shares), "took": took}


class _Exhaustive:
    """BM25 over every line of the space, from what its lines hold. Needs numpy."""

    def __init__(self, path: Path, wanted: set[str], now: datetime) -> None:
        import numpy as np

        places: dict[str, array[int]] = {word: array("i") for word in wanted}
        counts: dict[str, array[int]] = {word: array("i") for word in wanted}
        lengths, numbers, shown = array("i"), array("q"), array("b")
        con = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        (space,) = con.execute("SELECT no FROM spaces WHERE name = ?", (SPACE,)).fetchone()
        for place, (no, ends_at, stored) in enumerate(
            con.execute(
                "SELECT line_no, ends_at, words FROM lines WHERE line_no > ? AND line_no < ?",
                (space << 32, (space + 1) << 32),
            )
        ):
            held: list[str] = stored.split()
            numbers.append(no)
            lengths.append(len(held))
            shown.append(ends_at is None or ends_at > now.timestamp())
            for word in wanted.intersection(held):
                places[word].append(place)
                counts[word].append(held.count(word))
        con.close()
        self._places = {word: np.array(each, np.int64) for word, each in places.items()}
        self._counts = {word: np.array(each, np.float64) for word, each in counts.items()}
        self._numbers = np.array(numbers, np.int64)
        self._shown = np.array(shown, bool)
        lines = np.array(lengths, np.float64)
        self._norms = K1 * (1 - B + B * lines / max(1.0, lines.mean()))

    def best(self, asked: Sequence[str]) -> list[int]:
        """The lines that fit best, best first and of equals the latest, without those that hold no
        longer.
        """
        import numpy as np

        scores = np.zeros(len(self._numbers))
        for word in asked:
            places, counts = self._places[word], self._counts[word]
            weight = math.log1p((len(scores) - len(places) + 0.5) / (len(places) + 0.5))
            scores[places] += weight * counts * (1 + K1) / (counts + self._norms[places])
        scores[~self._shown] = 0
        least = np.partition(scores, -BEST)[-BEST] if len(scores) > BEST else 0.0
        among = np.flatnonzero((scores >= least) & (scores > 0))
        found: list[int] = self._numbers[among][
            np.lexsort((-self._numbers[among], -scores[among]))
        ][:BEST].tolist()
        return found


def by_vectors(path: Path, count: int) -> dict[str, Any]:
    """The mean share with so many real vectors, and the CPU milliseconds of each search."""
    import numpy as np

    embedder = reader.load_embedder()
    if embedder is None:
        raise RuntimeError("the embedder is not installed")
    texts = plain_texts.texts(count + QUESTIONS)
    rows = [
        vector
        for start in range(0, len(texts), AT_ONCE)
        for vector in embedder.embed(texts[start : start + AT_ONCE])
    ]
    kept, asked = rows[:count], rows[count:]
    store = open_store(str(path))
    for start in range(0, count, 1000):
        ids = [f"n{number}" for number in range(start, min(start + 1000, count))]
        store.commit(
            SPACE,
            expected_version=start // 1000,
            changes=[
                Change(
                    after=Note(
                        id=each,
                        text=texts[start + place],
                        created_at=made_up.START + timedelta(minutes=1),
                    )
                )
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
    with store.snapshot() as snapshot:
        for vector in asked:
            exact = np.einsum("ij,j->i", matrix, np.frombuffer(vector, "<f4"))
            best = {f"n{number}" for number in np.argsort(-exact)[:BEST].tolist()}
            began = time.process_time()
            numbers = snapshot.find_vector(
                SPACE, embedder.name, vector, LineFilter(), limit=breadth(BUDGET)
            )
            took.append(1000 * (time.process_time() - began))
            shares.append(
                len(best & {hit.id for hit in snapshot.hits(SPACE, numbers, ())}) / len(best)
            )
    store.close()
    return {"overlap": sum(shares) / len(shares), "took": took[1:], "vectors": count}
