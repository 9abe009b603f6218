"""Numbered migrations: `migrations/NNNN_name.sql`, each applied once, in one transaction with its
number.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files as resources
from pathlib import Path

from factbook.errors import ConfigError, SchemaTooNewError
from factbook.store.sqlite.file.converting import convert_statements
from factbook.store.sqlite.file.opening import APPLICATION_ID
from factbook.store.sqlite.words import name_index, postings

_AGAIN: Mapping[str, Callable[[sqlite3.Connection], None]] = {
    "names": name_index.index_names_again,
    "words": postings.index_words_again,
}
"""What makes an index again that a migration says it changes."""
_THEN: Mapping[str, Callable[[sqlite3.Connection], None]] = {"observations": convert_statements}
"""What a migration asks for that is done by commits, once all tables are as they are now."""


@cache
def read_migrations() -> tuple[tuple[int, str], ...]:
    """Every migration's number and SQL, in order."""
    folder = resources("factbook.store") / "migrations"
    found = [
        (int(file.name[:4]), file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".sql")
    ]
    return tuple(sorted(found))


def latest_number() -> int:
    """The schema that this version of factbook writes."""
    return read_migrations()[-1][0]


def is_current(path: Path, application: int, number: int, *, is_empty: bool) -> bool:
    """Whether a file with these numbers in its header has the latest schema; False where it is
    older or empty.

    Raises:
        SchemaTooNewError: it was written by a newer factbook. ConfigError: it is another program's
            database.
    """
    if application != APPLICATION_ID:
        if application or number or not is_empty:
            raise ConfigError(f"{path} is another program's database; it was left untouched")
        return False
    if number > latest_number():
        raise SchemaTooNewError(
            f"{path} was written by factbook with schema {number}; this one knows schema "
            f"{latest_number()}. "
            "Upgrade with: pip install -U factbook"
        )
    return number == latest_number()


def inspect_file(con: sqlite3.Connection, path: Path) -> bool:
    """`is_current`, by a connection; reads only."""
    (number,) = con.execute("PRAGMA user_version").fetchone()
    (application,) = con.execute("PRAGMA application_id").fetchone()
    table = con.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    return is_current(path, application, number, is_empty=table is None)


def migrate_file(con: sqlite3.Connection, path: Path) -> None:
    """Brings the file to the latest schema; several processes may try at once."""
    con.execute("PRAGMA journal_mode = WAL")
    con.execute("BEGIN IMMEDIATE")
    try:
        if not inspect_file(con, path):
            (number,) = con.execute("PRAGMA user_version").fetchone()
            new = [sql for step, sql in read_migrations() if step > number]
            for sql in new:
                _run(con, sql)
                for index, again in _AGAIN.items():
                    if f"-- again: {index}" in sql:
                        again(con)
            for name, convert in _THEN.items():
                if any(f"-- then: {name}" in sql for sql in new):
                    convert(con)
            con.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            con.execute(f"PRAGMA user_version = {latest_number()}")
        con.execute("COMMIT")
    finally:
        con.rollback()


def _run(con: sqlite3.Connection, script: str) -> None:
    """Runs a script within the open transaction (`executescript` would end it)."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            con.execute(statement)
            statement = ""
