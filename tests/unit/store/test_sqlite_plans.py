"""Every statement goes by an index: a question costs as much in a large space as in a small one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from factbook.model.change import Change
from factbook.model.draft import Draft
from factbook.model.line import LINE_KINDS, LineFilter
from factbook.model.record import RECORD_TYPES, EntityRecord, Record
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Vectors
from factbook.store.sqlite import SqliteStore
from tests.support.builders import (
    alias,
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    message,
    note,
    put,
    relation,
    review,
    same_as,
    stamp,
    support,
)
from tests.support.models import HashEmbedder

SMALL = {"spaces", "s", "models", "purges", "json_each", "below", "CONSTANT"}
"""Tables (or their short names) that may be read from end to end."""

OPEN = ("SCAN j USING INDEX jobs_open", "SCAN jobs USING INDEX jobs_running")
"""Of the jobs, those that are not done."""

ONE_ROW = ("LIMIT 1", "EXISTS", "ORDER BY seen DESC")
"""In statements with these, a whole space is no more than its first rows."""

EMBEDDER = HashEmbedder(16)
FILTERS = (
    LineFilter(),
    LineFilter(now=at(9), superseded=True),
    LineFilter(verified=True),
    LineFilter(
        projects=("atlas",),
        kinds=LINE_KINDS,
        since=at(),
        until=at(9),
        min_importance=0.1,
        sessions=("monday", "x"),
    ),
)


@contextmanager
def watched(con: sqlite3.Connection) -> Iterator[list[str]]:
    """Collects how each statement of the connection is carried out, where that is not by an
    index.
    """
    said: list[str] = []
    bad: list[str] = []
    con.set_trace_callback(said.append)
    yield bad
    con.set_trace_callback(None)
    for sql in dict.fromkeys(said):
        if not sql.lstrip().startswith(("SELECT", "WITH", "UPDATE", "DELETE")):
            continue
        for *_, step in con.execute(
            f"EXPLAIN QUERY PLAN {sql.replace(' Inf', ' 9e999')}"
        ).fetchall():
            scan = re.match(r"SCAN (\S+)", step)
            wide = re.search(r"\(space_no=\?\)|\(space_no=\? AND kind=\?\)", step)
            if scan and (scan.group(1) in SMALL or "VIRTUAL" in step or step in OPEN):
                continue
            if scan or (wide and not any(each in sql for each in ONE_ROW)):
                bad.append(f"{step}: {sql[:200]}")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "a.db")
    yield store
    store.close()


def write(store: SqliteStore) -> None:
    """Everything that the doors do."""
    first, second = message("Tom plays", id="m1"), message("Tom sings", id="m2")
    store.remember("ada", [episode(first, second, id="e1", session="monday")])
    store.remember("ada", [episode(first, id="e2", session="monday"), episode("More", id="e3")])
    rows: list[Record] = [
        entity("tom", "Tom Berger", description="Plays"),
        entity("tommy"),
        alias("tom", "Berger", id="al"),
        mention("tom", first, "Tom", "e1"),
        fact("tom", "plays", "violin", id="f1"),
        relation("tom", "knows", "tommy", id="r1"),
        note("Violin", "tom", id="n1"),
        support("f1"),
        review("tom", "tommy"),
        same_as("tommy", "tom", id="sa"),
    ]
    vectors = Vectors(
        model=EMBEDDER.name,
        size=EMBEDDER.size,
        rows=dict(zip(["m1"], EMBEDDER.embed(["x"]), strict=True)),
    )
    commit(store, "ada", *rows, vectors=vectors)
    altered = entity("tom", "Tom Berger", description="Sings", version=2)
    commit(
        store,
        "ada",
        Change(before=rows[0], after=altered),
        *[Change(before=row) for row in rows[2:]],
    )
    lease = store.lease(seconds=60, spaces=["ada"])
    assert lease is not None
    assert store.renew(lease, seconds=60)
    store.keep_draft(lease, Draft(episode_id="e1"))
    store.commit("ada", expected_version=2, changes=put(*rows[2:]), stamp=stamp(), lease=lease)
    for end in ("fail", "release"):
        store.requeue(spaces=["ada"])
        lease = store.lease(seconds=60)
        assert lease is not None
        store.release(lease) if end == "release" else store.fail(lease, "no luck", retry_in=None)


def test_writing_goes_by_indexes(store: SqliteStore):
    con = store._writer_connection()
    with watched(con) as bad:
        write(store)
    assert "\n".join(bad) == ""


def ask(snapshot: Snapshot) -> None:
    """Everything that a question or a plan asks."""
    ids, keys = ["tom", "tommy"], ["f:tom berger", "f:berger"]
    (vector,) = EMBEDDER.embed(["x"])
    for cls in RECORD_TYPES:
        snapshot.get("ada", cls, ids)
    snapshot.version("ada")
    snapshot.log("ada", after=1, limit=1)
    snapshot.log_of("ada", ids)
    snapshot.log_of_episodes("ada", ["e1"])
    snapshot.names("ada", keys)
    snapshot.canonical("ada", ids)
    snapshot.members("ada", ids)
    snapshot.aliases("ada", ids)
    snapshot.facts("ada", ids)
    snapshot.relations("ada", ids)
    snapshot.relations_between("ada", ids)
    snapshot.supports("ada", ["f1"])
    snapshot.mentions("ada", ids)
    snapshot.mentions_in("ada", ["e1"])
    snapshot.counts("ada", ids)
    snapshot.entity_ids("ada", limit=3)
    snapshot.entity_ids("ada", kinds=["person", "place"], limit=3)
    snapshot.episodes("ada", ["e1"])
    snapshot.messages("ada", ["m1"])
    snapshot.word_stats("ada", ["tom", "plai"])
    for where in FILTERS:
        found = snapshot.find_words("ada", ["tom", "plai"], where, limit=9)
        found += snapshot.find_vector("ada", EMBEDDER.name, vector, where, limit=9)
        found += snapshot.find_entity_lines("ada", ids, where, limit=9)
        found += snapshot.find_around("ada", found, where, radius=2)
        assert snapshot.hits("ada", found, ["tom"], model=EMBEDDER.name, vector=vector, now=at())
    snapshot.has_vectors("ada", EMBEDDER.name)
    snapshot.words_held(
        "ada", snapshot.find_words("ada", ["tom"], FILTERS[0], limit=9), frozenset(["plai"])
    )
    snapshot.without_vector(None, EMBEDDER.name, limit=9)
    snapshot.without_vector("ada", EMBEDDER.name, limit=9)
    snapshot.spaces()


def test_questions_go_by_indexes(store: SqliteStore):
    write(store)
    with store.snapshot() as snapshot, watched(snapshot._con) as bad:
        ask(snapshot)
    assert "\n".join(bad) == ""


def test_pages_of_rows_go_by_indexes(store: SqliteStore):
    commit(store, "ada", *[entity(f"e{number:04}") for number in range(1500)])
    with store.snapshot() as snapshot:
        rows = snapshot.every("ada", EntityRecord)
        with watched(snapshot._con) as bad:
            assert len(list(rows)) == 1500
    # The first page is of the whole space, in the order of the ids.
    assert [each for each in bad if "(space_no=?)" not in each] == []


@pytest.mark.parametrize("order", ["latest", "importance"])
@pytest.mark.parametrize(
    "where", [{}, {"categories": ["general"]}, {"persistent": True, "now": at()}]
)
def test_the_first_notes_are_read_without_the_others(
    store: SqliteStore, where: dict[str, Any], order: Any
):
    write(store)
    said: list[str] = []
    with store.snapshot() as snapshot:
        snapshot._con.set_trace_callback(said.append)
        assert len(snapshot.notes("ada", order=order, limit=1, **where)) == (
            0 if "persistent" in where else 1
        )
        snapshot._con.set_trace_callback(None)
        steps = [
            step
            for sql in said
            if "notes" in sql
            for *_, step in snapshot._con.execute(f"EXPLAIN QUERY PLAN {sql}")
        ]
    assert steps
    sorts = "persistent" in where and order == "latest"  # few are, and nobody asks for them so
    assert [step for step in steps if "TEMP" in step or "SCAN" in step] == [] or sorts
