"""The log as a table: its entries, and which rows each touches."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from factbook.errors import StoreError
from factbook.model.change import Commit, Stamp
from factbook.model.codec import pack_change, unpack_change
from factbook.store.sqlite.row_codecs import from_micros, pack_json, to_micros


def read_version(con: sqlite3.Connection, space_no: int) -> int:
    """The number of the latest commit."""
    (number,) = con.execute("SELECT version FROM spaces WHERE no = ?", (space_no,)).fetchone()
    return int(number)


def write_log(con: sqlite3.Connection, space_no: int, commit: Commit) -> None:
    """Appends an entry to the log and makes its version the latest."""
    con.execute("UPDATE spaces SET version = ? WHERE no = ?", (commit.version, space_no))
    con.execute(
        "INSERT INTO log (no, space_no, at, actor, verb, reason, episode_id, undoes, erased, "
        "changes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((space_no << 32) + commit.version, space_no, *log_values(commit)),
    )
    index_log(con, space_no, commit)


def index_log(con: sqlite3.Connection, space_no: int, commit: Commit) -> None:
    """Enters which rows a log entry touches."""
    ids = dict.fromkeys(change.row_key()[1] for change in commit.changes)
    con.executemany(
        "INSERT INTO log_rows (space_no, record_id, version) VALUES (?, ?, ?)",
        [(space_no, record_id, commit.version) for record_id in sorted(ids)],
    )


def rewrite_log(con: sqlite3.Connection, space_no: int, old: Commit, new: Commit) -> None:
    """Puts what forgetting left of a log entry in its place."""
    con.executemany(
        "DELETE FROM log_rows WHERE space_no = ? AND record_id = ? AND version = ?",
        [(space_no, change.row_key()[1], old.version) for change in old.changes],
    )
    con.execute(
        "UPDATE log SET at = ?, actor = ?, verb = ?, reason = ?, episode_id = ?, undoes = ?, "
        "erased = ?, changes = ?"
        " WHERE no = ?",
        (*log_values(new), (space_no << 32) + old.version),
    )
    index_log(con, space_no, new)


def log_values(commit: Commit) -> tuple[Any, ...]:
    """A log entry's columns, from `at` on."""
    stamp = commit.stamp
    changes = pack_json([pack_change(change) for change in commit.changes])
    return (
        to_micros(stamp.at),
        stamp.actor,
        stamp.verb,
        stamp.reason,
        stamp.episode_id,
        ",".join(map(str, stamp.undoes)),
        commit.erased,
        changes,
    )


LOG_COLUMNS = "no, at, actor, verb, reason, episode_id, undoes, erased, changes"


def read_log(row: Sequence[Any]) -> Commit:
    """The entry in a row of `LOG_COLUMNS`."""
    no, at, actor, verb, reason, episode_id, undoes, erased, changes = row
    try:
        stamp = Stamp(
            at=from_micros(at),
            actor=actor,
            verb=verb,
            reason=reason,
            episode_id=episode_id,
            undoes=tuple(map(int, undoes.split(","))) if undoes else (),
        )
        unpacked = tuple(unpack_change(change) for change in json.loads(changes))
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise StoreError("the database is damaged: an entry of the log can't be read") from error
    return Commit(version=no & 0xFFFFFFFF, stamp=stamp, changes=unpacked, erased=bool(erased))
