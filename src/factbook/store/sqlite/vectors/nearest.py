"""The lines nearest to a vector: a scan in memory, then the exact cosines of the best.

What is kept of a space: of few lines the numbers themselves, of many the sign of each number as one
bit, in columns of 64 bits. Hamming distances then choose some hundred lines, and their bytes in the
database decide. A cache only grows: what was deleted or altered since is not found in the database
any more, or found with its new bytes, so that it never says anything wrong; what is new lies above
the last number that it has seen.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from factbook.store.sqlite.row_codecs import pack_json
from factbook.store.sqlite.vectors.bit_codes import (
    codes_of,
    compute_likeness,
    compute_products,
    read_blocks,
)
from factbook.store.sqlite.vectors.bit_codes import compute_distances as distances_of
from factbook.store.sqlite.vectors.stored_vectors import compute_cosines, model_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXACT = 5_000
"""Up to so many vectors are compared number by number; that takes as long as some 300,000 codes."""

RESCORED = 400
"""So many lines of the best codes are compared in full (a thousandth of a larger space). Of the
true best 50 of MiniLM's vectors .93 are among them at 100,000 lines of real text.
"""

SIFTED = 6
"""Times as many lines are taken by the number of bits in which their codes differ, and sifted by
the weight of these.
"""

WIDEST = 10_000
"""If a filter needs more lines than this to be rescored, it is cheaper to ask first which lines it
lets through.
"""

ENOUGH = 0.5
"""If a filter lets less than this share of the nearest lines through, more are looked at."""

MEMORY = 256 << 20
"""Bytes of all spaces together; the space that was asked for the longest ago goes first."""

_PAGE = 4_096
_SPARE = 50


class _Space:
    """The vectors of one space and model. Rows below `count` are never written again, so that a
    search needs no lock.
    """

    def __init__(self, size: int, epoch: int) -> None:
        import numpy as np

        self.epoch = epoch
        self.seq = 0
        self.count = 0
        self.numbers: NDArray[np.int64] = np.empty(0, np.int64)
        self.places: dict[int, int] = {}
        """Where each line's numbers are, as long as they are kept."""
        self.codes: NDArray[np.uint64] = np.empty((-(-size // 64), 0), np.uint64)
        self.floats: NDArray[np.float32] | None = np.empty((0, size), np.float32)

    @property
    def weight(self) -> int:
        """Bytes of memory."""
        return (
            self.numbers.nbytes
            + self.codes.nbytes
            + (0 if self.floats is None else self.floats.nbytes)
        )

    def load(self, con: sqlite3.Connection, space_no: int, model_no: int) -> None:
        """Begins with the blocks of codes, if there are any."""
        for last, lines, codes in read_blocks(con, space_no, model_no):
            self.floats = None
            self._append(lines, codes)
            self.seq = last
        if self.count:
            self._drop_repeated()

    def add(self, rows: Sequence[tuple[int, int, float, bytes]], *, fresh: bool) -> None:
        """Appends (sequence, line, scale, data), by sequence; `fresh` if none of the lines is here
        yet.
        """
        import numpy as np

        lines = np.array([row[1] for row in rows], np.int64)
        data = np.frombuffer(b"".join([row[3] for row in rows]), np.int8).reshape(len(rows), -1)
        if not fresh and (replaced := np.isin(self.numbers[: self.count], lines)).any():
            self.numbers = np.where(np.resize(replaced, self.numbers.shape), -1, self.numbers)
        start = self._append(lines, codes_of(data))
        if self.count > EXACT:
            self.floats, self.places = None, {}
        if self.floats is not None:
            scales = np.array([row[2] for row in rows], np.float32)
            self.floats[start : self.count] = data * scales[:, None]
            self.places.update(zip(lines.tolist(), range(start, self.count), strict=True))
        self.seq = rows[-1][0]

    def _drop_repeated(self) -> None:
        """Takes out what a line had before in an earlier block."""
        import numpy as np

        lines, places = self.numbers[: self.count], np.arange(self.count)
        lows = lines - (lines[0] >> 32 << 32)
        latest = np.zeros(int(lows.max()) + 1, np.int64)
        latest[lows] = places
        lines[latest[lows] != places] = -1

    def _append(self, lines: NDArray[np.int64], codes: NDArray[np.uint64]) -> int:
        start, end = self.count, self.count + len(lines)
        if end > len(self.numbers):
            self._grow(max(end, len(self.numbers) * 3 // 2, 64))
        self.numbers[start:end] = lines
        self.codes[:, start:end] = codes
        self.count = end
        return start

    def _grow(self, capacity: int) -> None:
        import numpy as np

        more = capacity - len(self.numbers)
        self.numbers = np.concatenate([self.numbers, np.full(more, -1, np.int64)])
        self.codes = np.pad(self.codes, ((0, 0), (0, more)))
        if self.floats is not None:
            self.floats = np.pad(self.floats, ((0, more), (0, 0)))


class Compared:
    """A vector against those of a space, in one view.

    Attributes:
        model_no: whose vectors. known: cosines that were found on the way, by line. count: of
            vectors.
    """

    def __init__(self, held: _Space, model_no: int, vector: bytes, *, is_level: bool) -> None:
        self.model_no = model_no
        self.vector = vector
        self.known: dict[int, float] = {}
        self.count = held.count
        self._held = held
        self._numbers = held.numbers[: held.count]
        self._floats = held.floats[: held.count] if held.floats is not None and is_level else None
        self._places = held.places
        self._cosines: NDArray[Any] | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the cosine of each line that has a vector is known without a look into the
        database.
        """
        return self._floats is not None

    def cosines(self) -> NDArray[Any]:
        """Of all lines, where they are exact."""
        if self._cosines is None:
            import numpy as np

            asked = np.frombuffer(self.vector, "<f4").astype(np.float32)
            self._cosines = compute_products(cast("NDArray[Any]", self._floats), asked)
        return self._cosines

    def of(self, numbers: Sequence[int]) -> dict[int, float]:
        """The cosines of these lines, where they are exact."""
        places = [(no, self._places.get(no, self.count)) for no in numbers]
        held = [(no, place) for no, place in places if place < self.count]
        found = self.cosines()[[place for _, place in held]]
        return dict(zip([no for no, _ in held], cast("list[float]", found.tolist()), strict=True))

    def nearest(self) -> list[int]:
        """All lines, nearest first, where they are exact; some may be gone."""
        import numpy as np

        return cast("list[int]", self._numbers[np.argsort(-self.cosines())].tolist())

    def best(self, wanted: int, allowed: list[int] | None = None) -> list[int]:
        """The lines that are nearest by their codes, in no order."""
        return _best(self._held, self.count, self.vector, wanted, allowed)


class VectorCache:
    """The vectors of every space in memory; safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spaces: OrderedDict[tuple[int, int], _Space] = OrderedDict()

    def compare(
        self, con: sqlite3.Connection, space_no: int, model: str, vector: bytes
    ) -> Compared | None:
        """A vector against the space's; None where there is nothing of that model and size to
        compare.
        """
        model_no = model_number(con, model, len(vector) // 4) if vector else None
        if model_no is None:
            return None
        with self._lock:
            held = self._current(con, space_no, model_no, len(vector) // 4)
            # A view that is older than what is kept doesn't see the last one.
            level = (
                con.execute("SELECT 1 FROM vectors WHERE seq = ?", (held.seq,)).fetchone()
                is not None
            )
            return Compared(held, model_no, vector, is_level=level)

    def nearest(
        self,
        con: sqlite3.Connection,
        space_no: int,
        compared: Compared,
        condition: tuple[str, Sequence[Any]],
        limit: int,
    ) -> list[int]:
        """Numbers of lines, nearest first.

        `condition` is SQL on a table `l`, beginning with AND, and its values.
        """
        if limit <= 0:
            return []
        search = _VectorSearch(con, compared, condition, limit)
        if compared.is_exact:
            return search.among(compared.nearest())
        wanted = max(RESCORED, compared.count // 1000, 2 * limit)
        share = search.look_at(compared.best(wanted))
        if wanted < compared.count and share < ENOUGH:
            # The filter takes much away, or vectors that were replaced do: as many are to be left
            # as there would be without it.
            more = int(wanted / max(share, 1 / compared.count))
            if more <= WIDEST:
                search.look_at(compared.best(more))
            if more > WIDEST or len(search.found) < limit:
                search.look_at(compared.best(wanted, search.allowed(space_no)))
        return search.found

    def _current(self, con: sqlite3.Connection, space_no: int, model_no: int, size: int) -> _Space:
        """Returns the vectors in memory, brought up to the connection's transaction."""
        row = con.execute("SELECT epoch FROM spaces WHERE no = ?", (space_no,)).fetchone()
        epoch = row[0] if row else 0
        held = self._spaces.get((space_no, model_no))
        fresh = held is None or held.epoch != epoch
        if held is None or fresh:
            held = self._spaces[space_no, model_no] = _Space(size, epoch)
            held.load(con, space_no, model_no)
            fresh = held.count == 0
        self._spaces.move_to_end((space_no, model_no))
        new = con.execute(
            "SELECT seq, line_no, scale, data FROM vectors WHERE seq > ? AND seq < ? AND model_no "
            "= ? ORDER BY seq",
            (max(held.seq, space_no << 32), (space_no + 1) << 32, model_no),
        )
        while rows := new.fetchmany(_PAGE):
            held.add(rows, fresh=fresh)
        while len(self._spaces) > 1 and sum(each.weight for each in self._spaces.values()) > MEMORY:
            self._spaces.popitem(last=False)
        return held


class _VectorSearch:
    """One question's way to the database.

    Attributes:
        found: lines that pass the filter, nearest first, at most `limit`.
    """

    def __init__(
        self,
        con: sqlite3.Connection,
        compared: Compared,
        condition: tuple[str, Sequence[Any]],
        limit: int,
    ) -> None:
        self._con = con
        self._compared = compared
        self._sql, self._values = condition
        self._limit = limit
        self.found: list[int] = []

    def look_at(self, numbers: list[int]) -> float:
        """Finds the nearest of these, as far as they are there and pass the filter; returns what
        share of them does.
        """
        rows = self._con.execute(
            "SELECT v.line_no, v.scale, v.data FROM json_each(?) j CROSS JOIN vectors v ON "
            "v.line_no = j.value"
            " WHERE v.model_no = ?",
            (pack_json(sorted({*numbers})), self._compared.model_no),
        ).fetchall()
        near = compute_cosines([row[1:] for row in rows], self._compared.vector)
        self._compared.known.update(zip([row[0] for row in rows], near, strict=True))
        places = sorted(range(len(near)), key=near.__getitem__, reverse=True)
        return self._pass([rows[place][0] for place in places]) * len(rows) / max(len(numbers), 1)

    def _pass(self, ordered: list[int]) -> float:
        """Finds the first of these, nearest first, as far as they pass the filter; returns what
        share of them does.
        """
        passed: list[int] = []
        looked = 0
        while looked < len(ordered) and len(passed) < self._limit:
            some = ordered[looked : looked + self._limit + _SPARE]
            looked += len(some)
            passed += self._passing(some)
        self.found = passed[: self._limit]
        return len(passed) / looked if looked else 0.0

    def among(self, ordered: list[int]) -> list[int]:
        """The first of these, nearest first, that pass the filter and still have a vector."""
        self._pass(ordered)
        return self.found

    def _passing(self, numbers: list[int]) -> list[int]:
        found = self._con.execute(
            "SELECT l.line_no FROM json_each(?) j CROSS JOIN lines l ON l.line_no = j.value"
            f" WHERE l.vector_model = ?{self._sql}",
            (pack_json(numbers), self._compared.model_no, *self._values),
        )
        return [no for (no,) in found]

    def allowed(self, space_no: int) -> list[int]:
        """All lines of the space that pass the filter: for those that let few through."""
        found = self._con.execute(
            f"SELECT l.line_no FROM lines l WHERE l.line_no > ? AND l.line_no < ?{self._sql}",
            (space_no << 32, (space_no + 1) << 32, *self._values),
        )
        return [no for (no,) in found]


def _best(
    held: _Space, count: int, vector: bytes, wanted: int, allowed: list[int] | None
) -> list[int]:
    """The lines whose vectors, or codes, are nearest; in no order."""
    import numpy as np

    numbers, floats = held.numbers[:count], held.floats
    asked = np.frombuffer(vector, "<f4").astype(np.float32)
    chosen = (
        None if allowed is None else np.flatnonzero(np.isin(numbers, np.array(allowed, np.int64)))
    )
    if (count if chosen is None else len(chosen)) <= wanted:
        return cast("list[int]", (numbers if chosen is None else numbers[chosen]).tolist())
    if floats is not None:
        near = compute_products(floats[:count], asked)
        places = np.arange(count) if chosen is None else chosen
        near = near[places]
    else:
        distances = distances_of(held.codes, count, asked)
        few = _few_bits_away(distances if chosen is None else distances[chosen], SIFTED * wanted)
        places = few if chosen is None else chosen[few]
        near = compute_likeness(held.codes, places, asked)
    return cast("list[int]", numbers[places[np.argpartition(-near, wanted - 1)[:wanted]]].tolist())


def _few_bits_away(distances: NDArray[Any], wanted: int) -> NDArray[Any]:
    """The places of so many of the smallest distances."""
    import numpy as np

    if len(distances) <= wanted:
        return np.arange(len(distances))
    reach = np.searchsorted(np.cumsum(np.bincount(distances)), wanted)
    near = np.flatnonzero(distances < reach)
    edge = np.flatnonzero(distances == reach)
    return np.concatenate([near, edge[: wanted - len(near)]])
