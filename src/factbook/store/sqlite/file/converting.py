"""Preferences and pain points of files from before they were observations: one commit a space."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from factbook.model.named_observation import SORT_OF_KIND, converted, stamp_conversion
from factbook.model.record import SELF, EntityRecord
from factbook.store.sqlite.row_codecs import GIVEN, codec_of, from_micros, pack_json
from factbook.store.sqlite.writing.doors import write_changes


def convert_statements(con: sqlite3.Connection) -> None:
    """Makes observations of the entities of these kinds, in the open transaction."""
    spaces = con.execute(
        f"SELECT DISTINCT space_no FROM entities WHERE kind IN ({GIVEN})",
        (pack_json(list(SORT_OF_KIND)),),
    ).fetchall()
    for (space_no,) in spaces:
        changes = converted(
            _entities(con, space_no, list(SORT_OF_KIND)), _people(con, space_no), SELF
        )
        (at,) = con.execute("SELECT max(at) FROM log WHERE space_no = ?", (space_no,)).fetchone()
        write_changes(con, space_no, changes, stamp_conversion(from_micros(at)))


def _entities(con: sqlite3.Connection, space_no: int, kinds: list[str]) -> Iterator[EntityRecord]:
    rows = codec_of(EntityRecord)
    found = con.execute(
        f"SELECT {rows.columns} FROM entities WHERE space_no = ? AND kind IN ({GIVEN}) ORDER BY no",
        (space_no, pack_json(kinds)),
    )
    return map(rows.record, found.fetchall())


def _people(con: sqlite3.Connection, space_no: int) -> dict[str, str]:
    """Ids of the persons that a speaker's name means: of several of one name, the first."""
    out: dict[str, str] = {}
    for row in _entities(con, space_no, ["person"]):
        out.setdefault(row.name, row.id)
    return out
