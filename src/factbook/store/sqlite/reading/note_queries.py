"""Notes by category, time, importance and text, and observations by whom they are about, as SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from factbook.store.sqlite.row_codecs import Value, pack_json, to_micros

OBSERVED = """
    no IN (
        SELECT observation_no FROM observation_entities
        WHERE space_no = ?1 AND entity_id IN (SELECT value FROM json_each(?2))
    )
    AND (?3 = '[]' OR sort IN (SELECT value FROM json_each(?3)))
    ORDER BY importance DESC, coalesce(source_said_at, created_at) DESC, id LIMIT ?4
"""
"""Observations of a space about these ids, of these sorts or of all: so many, as a condition."""


def choose_notes(  # noqa: PLR0913 - a parameter a filter
    space_no: int,
    *,
    categories: Sequence[str],
    projects: Sequence[str],
    persistent: bool | None,
    min_importance: float,
    since: datetime | None,
    now: datetime | None,
    containing: str,
    order: Literal["latest", "importance"],
    limit: int | None,
) -> tuple[str, list[Value]]:
    """Returns the condition for these notes as SQL, and its values."""
    parts, values = ["space_no = ?"], list[Value]([space_no])

    def add(part: str, value: Value) -> None:
        parts.append(part)
        values.append(value)

    if len(categories) == 1:
        add("category = ?", categories[0])  # an index has these in order
    elif categories:
        add("category IN (SELECT value FROM json_each(?))", pack_json(list(categories)))
    if projects:
        add(
            "(source_project = '' OR source_project IN (SELECT value FROM json_each(?)))",
            pack_json(list(projects)),
        )
    if persistent is not None:
        parts.append(f"persistent = {int(persistent)}")  # as the condition of the index has it
    if min_importance > 0:
        add("importance >= ?", min_importance)
    if since is not None:
        add("created_at >= ?", to_micros(since))
    if now is not None:
        add("(expires_at IS NULL OR expires_at > ?)", to_micros(now))
    if containing:
        add("instr(lower(text), lower(?)) > 0", containing)
    first = "importance DESC, " if order == "importance" else ""
    values.append(-1 if limit is None else max(limit, 0))
    return f"{' AND '.join(parts)} ORDER BY {first}created_at DESC, id DESC LIMIT ?", values


def lines_in(
    con: sqlite3.Connection,
    space_no: int,
    wanted: Sequence[str],
    condition: str,
    values: Sequence[Value],
    most: int,
) -> list[tuple[int, str]] | None:
    """Numbers and words of the lines of all notes in these categories (in any, if none is named)
    that meet a condition on `l`, the latest first; None if the notes are more than so many.
    """
    given: list[Value] = [space_no]
    inner = "FROM notes n WHERE n.space_no = ?"
    if wanted:
        inner += " AND n.category IN (SELECT value FROM json_each(?))"
        given.append(pack_json(list(wanted)))
    (count,) = con.execute(
        f"SELECT count(*) FROM (SELECT 1 {inner} LIMIT ?)", (*given, most + 1)
    ).fetchone()
    if count > most:
        return None
    return con.execute(
        f"SELECT l.line_no, l.words FROM (SELECT n.id {inner}) g CROSS JOIN lines l ON l.space_no "
        "= ? AND l.id = g.id"
        f" WHERE 1{condition} ORDER BY l.line_no DESC",
        (*given, space_no, *values),
    ).fetchall()


def count_categories(
    con: sqlite3.Connection, space_no: int, now: datetime | None
) -> dict[str, int]:
    """Counts the notes of each category, by name; without expired ones."""
    found = con.execute(
        "SELECT category, count(*) FROM notes WHERE space_no = ?1 AND (?2 IS NULL OR expires_at "
        "IS NULL"
        " OR expires_at > ?2) GROUP BY category ORDER BY category",
        (space_no, None if now is None else to_micros(now)),
    )
    return dict(found.fetchall())
