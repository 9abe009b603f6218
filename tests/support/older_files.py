"""Files as older versions wrote them, made from newer ones by taking migrations back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping


def lower(con: sqlite3.Connection, schema: int) -> None:
    """Takes back every migration above `schema`, and commits. What the older schema has no room for
    is lost.
    """
    (number,) = con.execute("PRAGMA user_version").fetchone()
    for step in range(number, schema, -1):
        _BACK[step](con)
    con.execute(f"PRAGMA user_version = {schema}")
    con.commit()


def _without_postings(con: sqlite3.Connection) -> None:
    """The index of words as FTS5 kept it."""
    con.execute("DROP TABLE postings")
    con.execute("ALTER TABLE words DROP COLUMN latest")
    con.execute(
        "CREATE VIRTUAL TABLE line_words USING fts5"
        " (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii')"
    )
    for no, space_no, stored in con.execute(
        "SELECT line_no, space_no, words FROM lines"
    ).fetchall():
        tokens = " ".join(f"{space_no}x{word}" for word in sorted(set(stored.split())))
        con.execute("INSERT INTO line_words (rowid, words) VALUES (?, ?)", (no, tokens))


def _without_versions_of_tombstones(con: sqlite3.Connection) -> None:
    con.execute("ALTER TABLE tombstones DROP COLUMN version")


def _without_slips(con: sqlite3.Connection) -> None:
    """Names without the words of misspelt ones, under keys of another version."""
    con.execute("DROP TABLE name_slips")
    for index in ("not_same_left", "not_same_right", "reviews_left", "reviews_right"):
        con.execute(f"DROP INDEX {index}")
    con.execute("DELETE FROM name_keys WHERE key NOT LIKE 'f:%'")
    con.execute("INSERT INTO name_keys VALUES (1, 'x:old', 0, 1)")


def _without_forms(con: sqlite3.Connection) -> None:
    con.execute("ALTER TABLE kinds DROP COLUMN forms")


def _without_dropped(con: sqlite3.Connection) -> None:
    con.execute("DROP INDEX jobs_dropped")
    con.execute("ALTER TABLE jobs DROP COLUMN dropped")


def _without_indexes_of_notes(con: sqlite3.Connection) -> None:
    names = con.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND name GLOB 'notes_*'"
    ).fetchall()
    for (name,) in names:
        con.execute(f"DROP INDEX {name}")


def _without_sorts_of_tombstones(con: sqlite3.Connection) -> None:
    con.execute("ALTER TABLE tombstones DROP COLUMN sort")


def _without_words_of_restatements(con: sqlite3.Connection) -> None:
    for column in ("note", "label", "turned"):
        con.execute(f"ALTER TABLE supports DROP COLUMN {column}")


def _without_observations(con: sqlite3.Connection) -> None:
    con.execute("DROP TABLE observations")
    con.execute("DROP TABLE observation_entities")


def _without_names_of_observations(con: sqlite3.Connection) -> None:
    """Named observations are the entities beside them alone."""
    con.execute(
        "DELETE FROM observation_entities WHERE observation_no IN"
        " (SELECT no FROM observations WHERE name <> '')"
    )
    con.execute("DELETE FROM observations WHERE name <> ''")
    for column in ("name", "label", "description", "updated_at"):
        con.execute(f"ALTER TABLE observations DROP COLUMN {column}")


_BACK: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    11: _without_names_of_observations,
    10: _without_observations,
    9: _without_words_of_restatements,
    8: _without_sorts_of_tombstones,
    7: _without_postings,
    6: _without_versions_of_tombstones,
    5: _without_slips,
    4: _without_forms,
    3: _without_dropped,
    2: _without_indexes_of_notes,
}
"""Takes a migration back, by its number; whoever adds a migration adds its line."""
