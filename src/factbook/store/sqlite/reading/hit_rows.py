"""Lines with what ranking needs, as `factbook.model.line.Hit`."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from factbook.model.line import LINE_KINDS, Hit, LineKind
from factbook.store.sqlite.row_codecs import pack_json
from factbook.store.sqlite.vectors.nearest import Compared
from factbook.store.sqlite.vectors.stored_vectors import compute_cosines, has_numpy
from factbook.store.sqlite.words.line_writer import unpack_ids
from factbook.store.sqlite.words.matching import find_standing_words
from factbook.store.sqlite.words.postings import WordLists

READ = 20_000
"""A word in at most so many lines is counted by its postings, even if nothing was searched by
it.
"""

MANY = 64
"""Of more words than these a line is read once for all of them; for a few, looking for each is
quicker.
"""

_KINDS: Mapping[int, LineKind] = dict(enumerate(LINE_KINDS))
_ROWS = """
SELECT l.line_no, l.id, l.kind, coalesce(l.session_no, -1), l.position, l.at, l.length, l.cost, l.speaker, l.role,
  l.importance, l.ends_at, l.question, l.entities, l.vector_model
FROM json_each(?) j CROSS JOIN lines l ON l.line_no = j.value WHERE l.space_no = ?
"""


def read_hits(
    con: sqlite3.Connection,
    space_no: int,
    numbers: Sequence[int],
    lists: WordLists,
    compared: Compared | None,
    now: datetime | None,
) -> list[Hit]:
    """The lines of the space among these, in their order, with the counts of the words of
    `lists`.
    """
    rows: list[tuple[Any, ...]] = con.execute(
        _ROWS, (pack_json(list(numbers)), space_no)
    ).fetchall()
    counts = _counts(con, [row[0] for row in rows], lists)
    near: Mapping[int, float] = {} if compared is None else _cosines(con, compared, rows)
    moment = float("inf") if now is None else now.timestamp()
    none: dict[str, int] = {}
    return [
        Hit(
            no,
            line_id,
            _KINDS[kind],
            session,
            position,
            at,
            length,
            cost,
            counts.get(no, none),
            near.get(no),
            speaker,
            role,
            importance,
            ends_at is not None and ends_at <= moment,
            question != 0,
            unpack_ids(entities) if entities else (),
        )
        for (
            no,
            line_id,
            kind,
            session,
            position,
            at,
            length,
            cost,
            speaker,
            role,
            importance,
            ends_at,
            question,
            entities,
            _,
        ) in rows
    ]


def _counts(
    con: sqlite3.Connection, numbers: Sequence[int], lists: WordLists
) -> dict[int, dict[str, int]]:
    """Counts each word in each line, where it stands in it."""
    words = list(lists.frequency)
    if not words or not numbers:
        return {}
    if not has_numpy() or any(
        not lists.is_read(word) and lists.frequency[word] > READ for word in words
    ):
        return _stored_counts(con, numbers, words)
    found, many = find_standing_words(lists, numbers)
    if many:
        # A posting doesn't count as far as that.
        found.update(_stored_counts(con, many, words))
    return found


def _stored_counts(
    con: sqlite3.Connection, numbers: Iterable[int], words: Sequence[str]
) -> dict[int, dict[str, int]]:
    found: Iterable[tuple[int, str]] = con.execute(
        "SELECT l.line_no, l.words FROM json_each(?) j CROSS JOIN lines l ON l.line_no = j.value",
        (pack_json(list(numbers)),),
    )
    if len(words) > MANY:
        every = frozenset(words)
        return {
            no: Counter(word for word in stored.split() if word in every) for no, stored in found
        }
    wanted = [(word, f" {word} ") for word in words]
    return {
        no: {word: stored.count(packed) for word, packed in wanted if packed in stored}
        for no, stored in found
    }


def _cosines(
    con: sqlite3.Connection, compared: Compared, rows: Sequence[tuple[Any, ...]]
) -> Mapping[int, float]:
    """The cosines of lines, given as rows, of those that have a vector of the model."""
    known = compared.known
    wanted: list[int] = [
        row[0] for row in rows if row[-1] == compared.model_no and row[0] not in known
    ]
    if compared.is_exact:
        known.update(compared.of(wanted))
        wanted = [no for no in wanted if no not in known]
    if wanted:
        found = con.execute(
            "SELECT v.line_no, v.scale, v.data FROM json_each(?) j CROSS JOIN vectors v ON "
            "v.line_no = j.value"
            " WHERE v.model_no = ?",
            (pack_json(wanted), compared.model_no),
        ).fetchall()
        near = compute_cosines([row[1:] for row in found], compared.vector)
        known.update(zip([row[0] for row in found], near, strict=True))
    return known
