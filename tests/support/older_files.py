"""Files as older versions wrote them, made from new ones."""

from __future__ import annotations

import sqlite3


def without_postings(con: sqlite3.Connection) -> None:
    """The index of words as FTS5 kept it, before migration 7."""
    con.execute("DROP TABLE postings")
    con.execute("ALTER TABLE words DROP COLUMN latest")
    con.execute(
        "CREATE VIRTUAL TABLE line_words USING fts5"
        " (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii')"
    )
    for no, space_no, stored in con.execute("SELECT line_no, space_no, words FROM lines").fetchall():
        tokens = " ".join(f"{space_no}x{word}" for word in sorted(set(stored.split())))
        con.execute("INSERT INTO line_words (rowid, words) VALUES (?, ?)", (no, tokens))
