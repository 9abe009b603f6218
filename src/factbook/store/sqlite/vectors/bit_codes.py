"""One-bit codes of vectors: the sign of each number, in columns of 64 bits; and blocks of them in
the database.

A process that has not seen a large space yet reads its codes from blocks, a tenth of the time that
the vectors' bytes take. A block is written once its vectors are there and never altered; a line
that was altered or deleted since stays in it, which only costs a search one candidate.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 8_192
"""Vectors a block; spaces of fewer than that many have none."""

_SLICE = 1 << 15


def codes_of(vectors: NDArray[Any]) -> NDArray[np.uint64]:
    """The signs of vectors (one a row) as columns of 64 bits (one a row)."""
    import numpy as np

    bits = np.packbits(vectors > 0, axis=1)
    bits = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return np.ascontiguousarray(np.ascontiguousarray(bits).view("<u8").T.astype(np.uint64))


def compute_distances(
    codes: NDArray[np.uint64], count: int, asked: NDArray[np.float32]
) -> NDArray[np.uint16]:
    """Each code's number of bits that differ from the vector's; slice by slice, to stay in the
    processor's cache.
    """
    import numpy as np

    own = codes_of(asked[None, :])[:, 0]
    out = np.zeros(count, np.uint16)
    for start in range(0, count, _SLICE):
        end = min(start + _SLICE, count)
        for column, bits in zip(codes, own, strict=True):
            out[start:end] += count_ones(column[start:end] ^ bits)
    return out


def compute_products(rows: NDArray[Any], asked: NDArray[Any]) -> NDArray[Any]:
    """Each row's product with a vector. Not by BLAS, which would share it out among threads: on a
    busy machine they wait for each other for eight milliseconds, for what takes one thread a tenth
    of one.
    """
    import numpy as np

    return cast("NDArray[Any]", np.einsum("ij,j->i", rows, asked))


def compute_likeness(
    codes: NDArray[np.uint64], places: NDArray[np.int64], asked: NDArray[np.float32]
) -> NDArray[Any]:
    """The sum of the vector's own numbers where a code has its bit set, for the codes at these
    places: of two that differ from the vector in as many bits, the one is nearer that differs in
    the smaller numbers.
    """
    import numpy as np

    chosen = np.ascontiguousarray(codes[:, places].T).astype("<u8").view(np.uint8)
    bits = np.unpackbits(chosen, axis=1)[:, : len(asked)]
    return compute_products(bits.astype(np.float32), asked)


def count_ones(words: NDArray[np.uint64]) -> NDArray[Any]:
    """Counts the bits set in each; by a table before numpy 2."""
    import numpy as np

    if hasattr(np, "bitwise_count"):
        return np.bitwise_count(words)
    table = np.array([number.bit_count() for number in range(256)], np.uint8)
    found: NDArray[Any] = table[words.view(np.uint8).reshape(-1, 8)].sum(axis=1)
    return found


def write_block(con: sqlite3.Connection, space_no: int, model_no: int) -> None:
    """Writes the next block of a space if there are vectors enough; blocks of its other models
    go.
    """
    import numpy as np

    (last,) = con.execute(
        "SELECT coalesce(max(last_seq), ?) FROM codes WHERE space_no = ? AND model_no = ?",
        (space_no << 32, space_no, model_no),
    ).fetchone()
    rows = con.execute(
        "SELECT seq, line_no, data FROM vectors WHERE seq > ? AND seq < ? AND model_no = ? ORDER "
        "BY seq LIMIT ?",
        (last, (space_no + 1) << 32, model_no, BLOCK),
    ).fetchall()
    if len(rows) < BLOCK:
        return
    data = np.frombuffer(b"".join([row[2] for row in rows]), np.int8).reshape(BLOCK, -1)
    lines = np.array([row[1] for row in rows], "<i8").tobytes()
    con.execute("DELETE FROM codes WHERE space_no = ? AND model_no <> ?", (space_no, model_no))
    con.execute(
        "INSERT INTO codes (space_no, model_no, last_seq, lines, codes) VALUES (?, ?, ?, ?, ?)",
        (space_no, model_no, rows[-1][0], lines, codes_of(data).astype("<u8").tobytes()),
    )


def read_blocks(
    con: sqlite3.Connection, space_no: int, model_no: int
) -> list[tuple[int, NDArray[np.int64], NDArray[np.uint64]]]:
    """(last sequence, lines, codes) of each block, in order."""
    import numpy as np

    return [
        (
            last,
            np.frombuffer(lines, "<i8").astype(np.int64),
            np.frombuffer(codes, "<u8").reshape(-1, BLOCK),
        )
        for last, lines, codes in con.execute(
            "SELECT last_seq, lines, codes FROM codes WHERE space_no = ? AND model_no = ? ORDER "
            "BY last_seq",
            (space_no, model_no),
        )
    ]
