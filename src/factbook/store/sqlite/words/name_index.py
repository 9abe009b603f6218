"""The index of names, and canonical ids: both derived from the rows of the record as they
change.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable

from factbook.errors import StoreError
from factbook.model.record import Alias, EntityRecord
from factbook.store.sqlite.row_codecs import to_micros
from factbook.text.names import name_keys, name_words, slip_forms

_log = logging.getLogger("factbook")

_DESCENDANTS = """
WITH RECURSIVE below (id) AS (
  SELECT ?2
  UNION
  SELECT entity_id FROM same_as JOIN below ON canonical_id = below.id WHERE space_no = ?1
)
SELECT id FROM below
"""


def enter_name(con: sqlite3.Connection, space_no: int, row: EntityRecord | Alias) -> None:
    """Enters a name. Keys are ordered by the age of the entity, so an alias needs to know it."""
    primary = isinstance(row, EntityRecord)
    entity_id = row.id if isinstance(row, EntityRecord) else row.entity_id
    created_at = to_micros(row.created_at)
    if primary:
        _age(con, space_no, entity_id, created_at)
    else:
        found = con.execute(
            "SELECT created_at FROM entities WHERE space_no = ? AND id = ?", (space_no, entity_id)
        ).fetchone()
        created_at = found[0] if found else created_at
    bearer_no = con.execute(
        "INSERT INTO bearers (space_no, record_id, is_primary, entity_id, name, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (space_no, row.id, primary, entity_id, row.name, created_at),
    ).lastrowid
    _enter_words(con, space_no, name_words(row.name))
    con.executemany(
        "INSERT INTO name_keys (space_no, key, created_at, bearer_no) VALUES (?, ?, ?, ?)",
        [(space_no, key, created_at, bearer_no) for key in dict.fromkeys(name_keys(row.name))],
    )


def _enter_words(con: sqlite3.Connection, space_no: int, words: Iterable[str]) -> None:
    """Keeps the slips of words that no name of the space has yet; before the name's keys are
    entered.
    """
    new = [word for word in words if slip_forms(word) and not _is_borne(con, space_no, word)]
    con.executemany(
        "INSERT OR IGNORE INTO name_slips (space_no, slip, word) VALUES (?, ?, ?)",
        [(space_no, slip, word) for word in new for slip in slip_forms(word)],
    )


def _leave_words(con: sqlite3.Connection, space_no: int, words: Iterable[str]) -> None:
    """Takes out the slips of words that no name has any more; after the name's keys were taken
    out.
    """
    con.executemany(
        "DELETE FROM name_slips WHERE space_no = ? AND slip = ? AND word = ?",
        [
            (space_no, slip, word)
            for word in words
            if not _is_borne(con, space_no, word)
            for slip in slip_forms(word)
        ],
    )


def _is_borne(con: sqlite3.Connection, space_no: int, word: str) -> bool:
    found = con.execute(
        "SELECT 1 FROM name_keys WHERE space_no = ? AND key = ? LIMIT 1", (space_no, f"t:{word}")
    )
    return found.fetchone() is not None


NAMES_AT_ONCE = 50_000
"""Names whose keys are sorted in memory before they are written, while all are indexed again: some
100 MB.
"""


def index_names_again(con: sqlite3.Connection) -> None:
    """Makes the keys and the words of all names again, in the open transaction: some 70 µs a name.

    The log named `factbook` tells how far it is, at the level INFO.
    """
    con.execute("DELETE FROM name_keys")
    con.execute("DELETE FROM name_slips")
    (every,) = con.execute("SELECT count(*) FROM bearers").fetchone()
    rows = con.execute("SELECT no, space_no, name, created_at FROM bearers ORDER BY no")
    seen: set[tuple[int, str]] = set()
    done = 0
    while page := rows.fetchmany(NAMES_AT_ONCE):
        keys: list[tuple[int, str, int, int]] = []
        words: dict[tuple[int, str], None] = {}
        for bearer_no, space_no, written, created_at in page:
            found = name_keys(written)
            keys += [(space_no, key, created_at, bearer_no) for key in dict.fromkeys(found)]
            words.update(
                dict.fromkeys((space_no, key[2:]) for key in found if key.startswith("t:"))
            )
        new = sorted(
            (space_no, slip, word)
            for space_no, word in words.keys() - seen
            for slip in slip_forms(word)
        )
        seen |= words.keys()
        con.executemany("INSERT INTO name_keys VALUES (?, ?, ?, ?)", sorted(keys))
        con.executemany("INSERT OR IGNORE INTO name_slips VALUES (?, ?, ?)", new)
        done += len(page)
        if every > NAMES_AT_ONCE:
            _log.info("indexing names again: %d of %d", done, every)


def _age(con: sqlite3.Connection, space_no: int, entity_id: str, created_at: int) -> None:
    """Orders the keys of aliases that were entered before their entity, or whose entity's age is
    another now.
    """
    found = con.execute(
        "SELECT b.no, b.name, b.created_at FROM aliases a CROSS JOIN bearers b"
        " ON b.space_no = a.space_no AND b.record_id = a.id AND b.is_primary = 0"
        " WHERE a.space_no = ? AND a.entity_id = ? AND b.created_at != ?",
        (space_no, entity_id, created_at),
    ).fetchall()
    for bearer_no, alias, old in found:
        con.execute("UPDATE bearers SET created_at = ? WHERE no = ?", (created_at, bearer_no))
        con.executemany(
            "UPDATE name_keys SET created_at = ? WHERE space_no = ? AND key = ? AND created_at = "
            "? AND bearer_no = ?",
            [
                (created_at, space_no, key, old, bearer_no)
                for key in dict.fromkeys(name_keys(alias))
            ],
        )


def leave_name(con: sqlite3.Connection, space_no: int, row: EntityRecord | Alias) -> None:
    """Takes a name out."""
    primary = isinstance(row, EntityRecord)
    bearer_no, created_at = con.execute(
        "DELETE FROM bearers WHERE space_no = ? AND record_id = ? AND is_primary = ? RETURNING "
        "no, created_at",
        (space_no, row.id, primary),
    ).fetchall()[0]
    con.executemany(
        "DELETE FROM name_keys WHERE space_no = ? AND key = ? AND created_at = ? AND bearer_no = ?",
        [(space_no, key, created_at, bearer_no) for key in dict.fromkeys(name_keys(row.name))],
    )
    _leave_words(con, space_no, name_words(row.name))


def resolve_names(con: sqlite3.Connection, space_no: int, touched: Iterable[str]) -> None:
    """Brings the canonical ids in line after rows going out of these entities changed.

    Raises:
        StoreError: the rows are no forest.
    """
    for entity_id in dict.fromkeys(touched):
        root = _root(con, space_no, entity_id)
        below = [str(each) for (each,) in con.execute(_DESCENDANTS, (space_no, entity_id))]
        con.executemany(
            "DELETE FROM canon WHERE space_no = ? AND entity_id = ?",
            [(space_no, each) for each in below],
        )
        con.executemany(
            "INSERT INTO canon (space_no, entity_id, canonical_id) VALUES (?, ?, ?)",
            [(space_no, each, root) for each in below if each != root],
        )


def _root(con: sqlite3.Connection, space_no: int, entity_id: str) -> str:
    at, seen = entity_id, {entity_id}
    while out := con.execute(
        "SELECT canonical_id FROM same_as WHERE space_no = ? AND entity_id = ? LIMIT 2",
        (space_no, at),
    ).fetchall():
        if len(out) > 1:
            raise StoreError("an entity can be the same as one other only; unmerge it first")
        at = str(out[0][0])
        if at in seen:
            raise StoreError("these entities would be the same as each other in a circle")
        seen.add(at)
    return at
