"""Looking for damage: what SQLite finds, and what is derived against what it is derived from."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from factbook.errors import StoreError
from factbook.model.canonical_ids import canonical_map
from factbook.model.record import RECORD_TYPES, SameAs
from factbook.store.sqlite.row_codecs import codec_of
from factbook.store.sqlite.words.line_writer import KIND_NUMBERS
from factbook.store.sqlite.words.postings import SIZE, count_words, iterate_postings, unpack_words
from factbook.store.sqlite.writing.log_table import LOG_COLUMNS, read_log
from factbook.text.names import slip_forms

_SOURCES = {
    "message": "messages",
    "fact": "facts",
    "relation": "relations",
    "note": "notes",
    "entity": "entities",
    "observation": "observations",
}
_LINED = {"observation": " AND t.source_message_id = '' AND t.name = ''"}
"""A condition on the rows of a table that have lines, where not all have."""


def find_damage(con: sqlite3.Connection) -> list[str]:
    """A sentence for each thing found wrong. `con` is in a read transaction and may make temporary
    tables.
    """
    found = [
        f"the file is damaged: {each}"
        for (each,) in con.execute("PRAGMA integrity_check(10)")
        if each != "ok"
    ]
    if found:
        return found
    for space_no, name in con.execute("SELECT no, name FROM spaces ORDER BY no").fetchall():
        unread = list(_unread(con, space_no))
        found += [f"space {name!r}: {each}" for each in unread or _of_space(con, space_no)]
        found += [f"space {name!r}: {each}" for each in _words(con, space_no)]
    return found


def _unread(con: sqlite3.Connection, space_no: int) -> Iterator[str]:
    """Rows and entries of the log that can't be read back."""
    for cls in RECORD_TYPES:
        rows = codec_of(cls)
        found = con.execute(
            f"SELECT {rows.columns} FROM {rows.table} WHERE space_no = ?", (space_no,)
        )
        if lost := _failures(rows.record, found):
            yield f"{lost} of the rows of {rows.table} can't be read"
    log = con.execute(f"SELECT {LOG_COLUMNS} FROM log WHERE space_no = ?", (space_no,))
    if lost := _failures(read_log, log):
        yield f"{lost} of the entries of the log can't be read"


def _failures(read: Callable[[Sequence[Any]], object], rows: Iterable[Sequence[Any]]) -> int:
    lost = 0
    for row in rows:
        try:
            read(row)
        except StoreError:
            lost += 1
    return lost


def _of_space(con: sqlite3.Connection, space_no: int) -> Iterator[str]:
    (version,) = con.execute("SELECT version FROM spaces WHERE no = ?", (space_no,)).fetchone()
    entries, latest = con.execute(
        "SELECT count(*), coalesce(max(no) & 4294967295, 0) FROM log WHERE space_no = ?",
        (space_no,),
    ).fetchone()
    if (entries, latest) != (version, version):
        yield f"the log has {entries} entries up to {latest}, its version is {version}"
    for kind, table in _SOURCES.items():
        join = (
            "l.line_no = t.line_no"
            if kind == "message"
            else "l.space_no = t.space_no AND l.id = t.id"
        )
        space = "t.line_no >> 32" if kind == "message" else "t.space_no"
        number = KIND_NUMBERS[kind]  # type: ignore[index]
        (missing,) = con.execute(
            f"SELECT count(*) FROM {table} t LEFT JOIN lines l ON {join} AND l.kind = ? WHERE "
            f"{space} = ? AND l.line_no IS NULL{_LINED.get(kind, '')}",
            (number, space_no),
        ).fetchone()
        (extra,) = con.execute(
            "SELECT (SELECT count(*) FROM lines WHERE space_no = ?1 AND kind = ?2)"
            f" - (SELECT count(*) FROM {table} t WHERE {space} = ?1{_LINED.get(kind, '')})",
            (space_no, number),
        ).fetchone()
        if missing or extra:
            yield f"{missing} {table} have no line, and there are {extra + missing} lines too many"
    yield from _of_entities(con, space_no)


def _of_entities(con: sqlite3.Connection, space_no: int) -> Iterator[str]:
    rows = codec_of(SameAs)
    found = con.execute(f"SELECT {rows.columns} FROM same_as WHERE space_no = ?", (space_no,))
    try:
        canonical = canonical_map([rows.record(row) for row in found])
    except StoreError as error:
        yield str(error)
    else:
        held = con.execute(
            "SELECT entity_id, canonical_id FROM canon WHERE space_no = ?", (space_no,)
        )
        if dict(held.fetchall()) != canonical:
            yield "the canonical ids are not those of the merges"
    (alone,) = con.execute(
        "SELECT count(*) FROM observations o WHERE o.space_no = ? AND o.name <> '' AND NOT EXISTS"
        " (SELECT 1 FROM entities e WHERE e.space_no = o.space_no AND e.id = o.id"
        " AND e.name = o.name AND e.version = o.version)",
        (space_no,),
    ).fetchone()
    if alone:
        yield f"{alone} named observations are not read as the entities that they are"
    (unlisted,) = con.execute(
        "SELECT (SELECT count(*) FROM entities e WHERE e.space_no = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM canon c WHERE c.space_no = e.space_no AND c.entity_id = e.id))"
        " - (SELECT count(*) FROM listed WHERE space_no = ?1)",
        (space_no,),
    ).fetchone()
    if unlisted:
        yield f"the list of entities is off by {unlisted}"
    (unnamed,) = con.execute(
        "SELECT (SELECT count(*) FROM entities WHERE space_no = ?1) + (SELECT count(*) FROM "
        "aliases WHERE space_no = ?1)"
        " - (SELECT count(*) FROM bearers WHERE space_no = ?1)",
        (space_no,),
    ).fetchone()
    if unnamed:
        yield f"the index of names is off by {unnamed}"
    words = con.execute("SELECT DISTINCT word FROM name_slips WHERE space_no = ?", (space_no,))
    borne = "SELECT DISTINCT key FROM name_keys WHERE space_no = ? AND key > 't:' AND key < 't;'"
    spelt = {key[2:] for (key,) in con.execute(borne, (space_no,)) if slip_forms(key[2:])}
    if {word for (word,) in words} != spelt:
        yield "the words of names are not those of the names"
    (astray,) = con.execute(
        "SELECT count(*) FROM vectors v LEFT JOIN lines l USING (line_no) WHERE v.seq >> 32 = ?"
        " AND l.vector_model IS NOT v.model_no",
        (space_no,),
    ).fetchone()
    if astray:
        yield f"{astray} vectors belong to no line"


def _words(con: sqlite3.Connection, space_no: int) -> Iterator[str]:
    """Lists faults of the space's postings, and of the counts beside them."""
    marks: dict[str, int] = {}
    held: Counter[str] = Counter()
    lines = length = 0
    for line_no, stored in con.execute(
        "SELECT line_no, words FROM lines WHERE space_no = ?", (space_no,)
    ):
        words = unpack_words(stored)
        for word, how in count_words(words).items():
            held[word] += 1
            marks[word] = marks.get(word, 0) + _mark(line_no & 0xFFFFFFFF, how)
        lines += 1
        length += len(words)
    if con.execute("SELECT lines, words FROM spaces WHERE no = ?", (space_no,)).fetchone() != (
        lines,
        length,
    ):
        yield "the counts of lines and words are not those of the lines"
    if dict(
        con.execute("SELECT word, lines FROM words WHERE space_no = ?", (space_no,)).fetchall()
    ) != dict(held):
        yield "the words' frequencies are not those of the lines"
    found: dict[str, int] = {}
    last: dict[str, int] = {}
    muddled: set[str] = set()
    for word, postings in con.execute(
        "SELECT word, lines FROM (SELECT word, first, lines FROM postings WHERE space_no = ?1"
        " UNION ALL SELECT word, 1 << 40, latest FROM words WHERE space_no = ?1) ORDER BY word, "
        "first",
        (space_no,),
    ):
        for low, how in iterate_postings(postings[: len(postings) // SIZE * SIZE]):
            if low <= last.get(word, -1):
                muddled.add(word)
            last[word] = low
            found[word] = found.get(word, 0) + _mark(low, how)
    muddled.update(word for word in {*marks, *found} if marks.get(word) != found.get(word))
    if muddled:
        yield f"the postings of {len(muddled)} words are not those of the lines"


def _mark(low: int, how: int) -> int:
    """A posting as one number; a sum of them tells one list of postings from another."""
    return ((low << 16 | how) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
