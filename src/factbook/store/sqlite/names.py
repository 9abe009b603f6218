"""The index of names, and canonical ids: both derived from the rows of the record as they change."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from factbook.errors import StoreError
from factbook.model.record import Alias, EntityRecord
from factbook.store.sqlite.rows import micros
from factbook.text.names import name_keys

_DESCENDANTS = """
WITH RECURSIVE below (id) AS (
  SELECT ?2
  UNION
  SELECT entity_id FROM same_as JOIN below ON canonical_id = below.id WHERE space_no = ?1
)
SELECT id FROM below
"""


def name(con: sqlite3.Connection, space_no: int, row: EntityRecord | Alias) -> None:
    """Enters a name. Keys are ordered by the age of the entity, so an alias needs to know it."""
    primary = isinstance(row, EntityRecord)
    entity_id = row.id if isinstance(row, EntityRecord) else row.entity_id
    created_at = micros(row.created_at)
    if primary:
        _age(con, space_no, entity_id, created_at)
    else:
        found = con.execute(
            "SELECT created_at FROM entities WHERE space_no = ? AND id = ?", (space_no, entity_id)
        ).fetchone()
        created_at = found[0] if found else created_at
    bearer_no = con.execute(
        "INSERT INTO bearers (space_no, record_id, is_primary, entity_id, name, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        (space_no, row.id, primary, entity_id, row.name, created_at),
    ).lastrowid
    con.executemany(
        "INSERT INTO name_keys (space_no, key, created_at, bearer_no) VALUES (?, ?, ?, ?)",
        [(space_no, key, created_at, bearer_no) for key in dict.fromkeys(name_keys(row.name))],
    )


def _age(con: sqlite3.Connection, space_no: int, entity_id: str, created_at: int) -> None:
    """Orders the keys of aliases that were entered before their entity, or whose entity's age is another now."""
    found = con.execute(
        "SELECT b.no, b.name, b.created_at FROM aliases a CROSS JOIN bearers b"
        " ON b.space_no = a.space_no AND b.record_id = a.id AND b.is_primary = 0"
        " WHERE a.space_no = ? AND a.entity_id = ? AND b.created_at != ?",
        (space_no, entity_id, created_at),
    ).fetchall()
    for bearer_no, alias, old in found:
        con.execute("UPDATE bearers SET created_at = ? WHERE no = ?", (created_at, bearer_no))
        con.executemany(
            "UPDATE name_keys SET created_at = ? WHERE space_no = ? AND key = ? AND created_at = ? AND bearer_no = ?",
            [(created_at, space_no, key, old, bearer_no) for key in dict.fromkeys(name_keys(alias))],
        )


def unname(con: sqlite3.Connection, space_no: int, row: EntityRecord | Alias) -> None:
    """Takes a name out."""
    primary = isinstance(row, EntityRecord)
    bearer_no, created_at = con.execute(
        "DELETE FROM bearers WHERE space_no = ? AND record_id = ? AND is_primary = ? RETURNING no, created_at",
        (space_no, row.id, primary),
    ).fetchall()[0]
    con.executemany(
        "DELETE FROM name_keys WHERE space_no = ? AND key = ? AND created_at = ? AND bearer_no = ?",
        [(space_no, key, created_at, bearer_no) for key in dict.fromkeys(name_keys(row.name))],
    )


def resolve(con: sqlite3.Connection, space_no: int, touched: Iterable[str]) -> None:
    """Brings the canonical ids in line after rows going out of these entities changed.

    Raises:
        StoreError: the rows are no forest.
    """
    for entity_id in dict.fromkeys(touched):
        root = _root(con, space_no, entity_id)
        below = [str(each) for (each,) in con.execute(_DESCENDANTS, (space_no, entity_id))]
        con.executemany("DELETE FROM canon WHERE space_no = ? AND entity_id = ?", [(space_no, each) for each in below])
        con.executemany(
            "INSERT INTO canon (space_no, entity_id, canonical_id) VALUES (?, ?, ?)",
            [(space_no, each, root) for each in below if each != root],
        )


def _root(con: sqlite3.Connection, space_no: int, entity_id: str) -> str:
    at, seen = entity_id, {entity_id}
    while out := con.execute(
        "SELECT canonical_id FROM same_as WHERE space_no = ? AND entity_id = ? LIMIT 2", (space_no, at)
    ).fetchall():
        if len(out) > 1:
            raise StoreError("an entity can be the same as one other only; unmerge it first")
        at = str(out[0][0])
        if at in seen:
            raise StoreError("these entities would be the same as each other in a circle")
        seen.add(at)
    return at
