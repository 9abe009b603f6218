"""Vectors in the database: signed bytes times a scale.

A cosine from the bytes of a MiniLM vector is off by less than 0.002. Without numpy vectors are kept
but not compared.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from importlib.util import find_spec
from sys import byteorder
from typing import Any, cast

from factbook.errors import StoreError
from factbook.ports.store import Vectors
from factbook.store.sqlite.row_codecs import pack_json
from factbook.store.sqlite.vectors.bit_codes import compute_products, write_block
from factbook.store.sqlite.words.line_writer import take_numbers


def has_numpy() -> bool:
    """Whether vectors can be compared."""
    return find_spec("numpy") is not None


def model_number(con: sqlite3.Connection, model: str, size: int) -> int | None:
    """The number of a model whose vectors can be compared here; None if there is none of that
    size.
    """
    row = con.execute("SELECT no FROM models WHERE name = ? AND size = ?", (model, size)).fetchone()
    return int(row[0]) if row is not None and has_numpy() else None


def write_vectors(con: sqlite3.Connection, space_no: int, vectors: Vectors) -> None:
    """Keeps vectors in place of those that the lines had; ids without a line are left out.

    Raises:
        StoreError: a vector is not of the size that it says, or that the model had before.
    """
    if not vectors.rows:
        return
    con.execute(
        "INSERT OR IGNORE INTO models (name, size) VALUES (?, ?)", (vectors.model, vectors.size)
    )
    model_no, size = con.execute(
        "SELECT no, size FROM models WHERE name = ?", (vectors.model,)
    ).fetchone()
    if any(len(vector) != 4 * size for vector in vectors.rows.values()):
        raise StoreError(
            f"vectors of {vectors.model} have {size} numbers of 4 bytes; these have another length"
        )
    lines = con.execute(
        "SELECT line_no, id FROM lines WHERE space_no = ? AND id IN (SELECT value FROM "
        "json_each(?))",
        (space_no, pack_json(list(vectors.rows))),
    ).fetchall()
    seq = take_numbers(con, space_no, len(lines))
    con.executemany(
        "REPLACE INTO vectors (line_no, seq, model_no, scale, data) VALUES (?, ?, ?, ?, ?)",
        [
            (line_no, seq + place, model_no, *quantise_vector(vectors.rows[line_id]))
            for place, (line_no, line_id) in enumerate(lines)
        ],
    )
    con.executemany(
        "UPDATE lines SET vector_model = ? WHERE line_no = ?",
        [(model_no, line_no) for line_no, _ in lines],
    )
    # Whether a block is full takes half a millisecond to find out: about every sixteenth time, by a
    # hash of the number.
    if (seq * 2_654_435_761 >> 8) % 16 == 0 and has_numpy():
        write_block(con, space_no, model_no)


def quantise_vector(vector: bytes) -> tuple[float, bytes]:
    """A scale and one signed byte a number."""
    floats = array("f", vector)
    if byteorder == "big":
        floats.byteswap()
    largest = max(max(floats, default=0.0), -min(floats, default=0.0))
    if not largest:
        return 0.0, bytes(len(floats))
    step = 127 / largest
    return largest / 127, array("b", [round(number * step) for number in floats]).tobytes()


def compute_cosines(stored: Sequence[Sequence[Any]], vector: bytes) -> list[float]:
    """The similarity of each (scale, bytes) to the vector."""
    if not stored:
        return []
    import numpy as np

    matrix = (
        np.frombuffer(b"".join([row[1] for row in stored]), np.int8)
        .reshape(len(stored), -1)
        .astype(np.float32)
    )
    found = compute_products(matrix, np.frombuffer(vector, "<f4")) * np.array(
        [row[0] for row in stored], np.float32
    )
    return cast(list[float], found.tolist())
