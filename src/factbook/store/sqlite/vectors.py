"""Vectors: signed bytes in the database, one-bit codes in memory.

A vector is stored as signed bytes times a scale (a cosine is off by less than 0.002). A small space is compared in
full. In a larger one, the sign of each number is a bit, the codes' Hamming distances choose some hundred candidates, and
their bytes decide. Without numpy there are no vectors, only words.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from importlib.util import find_spec
from sys import byteorder
from typing import TYPE_CHECKING, Any

from factbook.ports.store import Vectors
from factbook.store.sqlite.lines import numbers
from factbook.store.sqlite.rows import dumps

if TYPE_CHECKING:
    pass

EXACT = 5_000
"""Up to so many vectors all are compared in full."""


def put(con: sqlite3.Connection, space_no: int, vectors: Vectors) -> None:
    """Keeps vectors in place of those that the lines had; ids without a line are left out."""
    if not vectors.rows:
        return
    con.execute("INSERT OR IGNORE INTO models (name, size) VALUES (?, ?)", (vectors.model, vectors.size))
    (model_no,) = con.execute("SELECT no FROM models WHERE name = ?", (vectors.model,)).fetchone()
    lines = con.execute(
        "SELECT line_no, id FROM lines WHERE space_no = ? AND id IN (SELECT value FROM json_each(?))",
        (space_no, dumps(list(vectors.rows))),
    ).fetchall()
    seq = numbers(con, space_no, len(lines))
    con.executemany(
        "REPLACE INTO vectors (line_no, seq, model_no, scale, data) VALUES (?, ?, ?, ?, ?)",
        [
            (line_no, seq + place, model_no, *quantise(vectors.rows[line_id]))
            for place, (line_no, line_id) in enumerate(lines)
        ],
    )
    con.executemany(
        "UPDATE lines SET vector_model = ? WHERE line_no = ?", [(model_no, line_no) for line_no, _ in lines]
    )


def quantise(vector: bytes) -> tuple[float, bytes]:
    """A scale and one signed byte a number."""
    floats = array("f", vector)
    if byteorder == "big":
        floats.byteswap()
    largest = max((abs(number) for number in floats), default=0.0)
    if not largest:
        return 0.0, bytes(len(floats))
    scale = largest / 127
    return scale, array("b", [round(number / scale) for number in floats]).tobytes()


def has_numpy() -> bool:
    """Whether vectors can be compared."""
    return find_spec("numpy") is not None


def cosines(con: sqlite3.Connection, numbers: str, model: str, vector: bytes) -> dict[int, float]:
    """The lines' similarity to the vector, by number, for those (a JSON list) that have one of this model."""
    if not (model and vector and has_numpy()):
        return {}
    import numpy as np

    rows = con.execute(
        "SELECT v.line_no, v.scale, v.data FROM json_each(?) j CROSS JOIN vectors v ON v.line_no = j.value"
        " WHERE v.model_no = (SELECT no FROM models WHERE name = ? AND size = ?)",
        (numbers, model, len(vector) // 4),
    ).fetchall()
    if not rows:
        return {}
    asked = np.frombuffer(vector, "<f4")
    bytes_ = np.frombuffer(b"".join(row[2] for row in rows), np.int8).reshape(len(rows), -1)
    found = (bytes_.astype(np.float32) @ asked) * np.array([row[1] for row in rows], np.float32)
    return {row[0]: float(cosine) for row, cosine in zip(rows, found, strict=True)}


class VectorCache:
    """For now: everything is compared."""

    def nearest(
        self,
        con: sqlite3.Connection,
        space_no: int,
        model: str,
        vector: bytes,
        condition: tuple[str, Sequence[Any]],
        limit: int,
    ) -> list[int]:
        sql, values = condition
        given = con.execute(
            f"SELECT json_group_array(l.line_no) FROM lines l WHERE l.line_no > ? AND l.line_no < ?{sql}",
            (space_no << 32, (space_no + 1) << 32, *values),
        ).fetchone()
        near = cosines(con, given[0], model, vector)
        return sorted(near, key=lambda no: (-near[no], no))[:limit]
