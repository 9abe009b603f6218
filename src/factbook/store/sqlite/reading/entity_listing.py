"""The list of a space's canonical entities by when they were last seen, derived from rows as they
change.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

_SEEN = """
SELECT max(seen) FROM (
  SELECT max(at) AS seen FROM mentions WHERE space_no = ?1 AND entity_id = ?2
  UNION ALL
  SELECT (SELECT max(m.at) FROM mentions m WHERE m.space_no = c.space_no AND m.entity_id = c.entity_id)
  FROM canon c WHERE c.space_no = ?1 AND c.canonical_id = ?2
)
"""


def refresh_listing(con: sqlite3.Connection, space_no: int, touched: Iterable[str]) -> None:
    """Brings the list in line after entities, their mentions or merges changed; canonical ids come
    first.
    """
    roots: dict[str, None] = {}
    for entity_id in dict.fromkeys(touched):
        roots[entity_id] = None
        found = con.execute(
            "SELECT canonical_id FROM canon WHERE space_no = ? AND entity_id = ?",
            (space_no, entity_id),
        ).fetchone()
        if found is not None:
            roots[found[0]] = None
    for entity_id in roots:
        _refresh(con, space_no, entity_id)


def _refresh(con: sqlite3.Connection, space_no: int, entity_id: str) -> None:
    key = (space_no, entity_id)
    row = con.execute(
        "SELECT kind, updated_at FROM entities WHERE space_no = ? AND id = ?", key
    ).fetchone()
    if (
        row is None
        or con.execute("SELECT 1 FROM canon WHERE space_no = ? AND entity_id = ?", key).fetchone()
    ):
        con.execute("DELETE FROM listed WHERE space_no = ? AND entity_id = ?", key)
        return
    kind, updated_at = row
    (seen,) = con.execute(_SEEN, key).fetchone()
    con.execute(
        "INSERT INTO listed (space_no, entity_id, kind, seen) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET kind = excluded.kind, seen = excluded.seen",
        (*key, kind, updated_at if seen is None else seen),
    )


def read_page(
    con: sqlite3.Connection, space_no: int, kinds: Iterable[str], limit: int | None, offset: int
) -> list[str]:
    """Canonical ids of these kinds (all if none is named), the last seen first."""
    most = -1 if limit is None else limit + offset
    wanted = list(dict.fromkeys(kinds))
    if not wanted:
        found = con.execute(
            "SELECT seen, entity_id FROM listed WHERE space_no = ? ORDER BY seen DESC, entity_id "
            "LIMIT ?",
            (space_no, most),
        ).fetchall()
    else:
        found = [
            row
            for kind in wanted
            for row in con.execute(
                "SELECT seen, entity_id FROM listed WHERE space_no = ? AND kind = ?"
                " ORDER BY seen DESC, entity_id LIMIT ?",
                (space_no, kind, most),
            )
        ]
        found.sort(key=lambda row: (-row[0], row[1]))
    return [entity_id for _, entity_id in found][offset : None if limit is None else offset + limit]
