"""In which lines of a space each word stands, how often, and how long these lines are: all that
BM25 needs.

A posting is six bytes: the low half of the line's number, then how often the word stands in it and
the line's length in words. A word's postings are ordered by line. The latest lie in the word's own
row (`words.latest`, never empty), earlier ones in chunks of their own (`postings`), so that a new
line touches one small row a word, and an old one a few pages. Every key begins with the space: what
other spaces hold is never read.
"""

from __future__ import annotations

import sqlite3
import struct
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from factbook.store.sqlite.row_codecs import pack_json
from factbook.text.bm25 import LONGEST, MOST_COUNTED

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE = 6
"""Bytes of a posting."""

LATEST = 64
"""Postings of a word's own row; beyond, all but the last go into the last chunk."""

CHUNK = 1365
"""A chunk that holds so many postings (8 kB) is followed by another; one of more than twice as many
is cut.
"""

_POSTING = struct.Struct("<IH")
_PAGE = 500

LOW = 0xFFFFFFFF
"""The half of a line's number that tells it within its space."""

Changes = dict[str, dict[int, int | None]]
"""By word: the low halves of line numbers, each with the second part of its posting, or None where
it goes.
"""


def pack_words(words: Iterable[str]) -> str:
    """A line's words as stored with it: each between two spaces, so that `count` finds whole words
    only.
    """
    return "".join(f" {word} " for word in words)


def unpack_words(stored: str) -> list[str]:
    """The words that `pack` wrote."""
    return stored.split()


def count_words(words: Sequence[str]) -> dict[str, int]:
    """The second part of the posting of each word of a line."""
    length = min(len(words), LONGEST)
    return {word: min(count, MOST_COUNTED) << 12 | length for word, count in Counter(words).items()}


def iterate_postings(data: bytes) -> Iterable[tuple[int, int]]:
    """(low half of the line's number, second part) of each posting."""
    return _POSTING.iter_unpack(data)


def add_words(changes: Changes, line_no: int, words: Sequence[str]) -> None:
    """Notes that a line has these words."""
    low = line_no & LOW
    for word, how in count_words(words).items():
        changes.setdefault(word, {})[low] = how


def remove_words(changes: Changes, line_no: int, words: Iterable[str]) -> None:
    """Notes that a line has these words no longer."""
    low = line_no & LOW
    for word in set(words):
        changes.setdefault(word, {})[low] = None


def write_postings(con: sqlite3.Connection, space_no: int, changes: Changes) -> None:
    """Brings the postings in line with what was noted."""
    wanted = iter(sorted(changes))
    while page := list(islice(wanted, _PAGE)):
        held: dict[str, tuple[int, bytes]] = {
            word: (lines, latest) for word, lines, latest in _rows(con, space_no, page)
        }
        kept: list[tuple[int, str, int, bytes]] = []
        gone: list[tuple[int, str]] = []
        for word in page:
            lines, latest = _changed(con, space_no, word, *held.get(word, (0, b"")), changes[word])
            if lines:
                kept.append((space_no, word, lines, latest))
            elif word in held:
                gone.append((space_no, word))
        con.executemany(
            "INSERT INTO words (space_no, word, lines, latest) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET lines = excluded.lines, latest = excluded.latest",
            kept,
        )
        con.executemany("DELETE FROM words WHERE space_no = ? AND word = ?", gone)


def _rows(con: sqlite3.Connection, space_no: int, words: Iterable[str]) -> sqlite3.Cursor:
    return con.execute(
        "SELECT word, lines, latest FROM words WHERE space_no = ? AND word IN (SELECT value FROM "
        "json_each(?))",
        (space_no, pack_json(list(words))),
    )


def _changed(
    con: sqlite3.Connection,
    space_no: int,
    word: str,
    lines: int,
    latest: bytes,
    changes: Mapping[int, int | None],
) -> tuple[int, bytes]:
    """The word's count and its latest postings after the changes; earlier ones are written here."""
    new = sorted(changes.items())
    last = _number(latest, -1) if latest else -1
    if new[0][0] > last and None not in changes.values():
        lines += len(new)
        latest += b"".join([_POSTING.pack(low, how) for low, how in new if how is not None])
    else:
        held = _WordPostings(con, space_no, word, latest)
        for low, how in new:
            lines += held.put(low, how)
        latest = held.close()
    if len(latest) > LATEST * SIZE:
        _append(con, space_no, word, latest[:-SIZE])
        latest = latest[-SIZE:]
    return lines, latest


def _append(con: sqlite3.Connection, space_no: int, word: str, postings: bytes) -> None:
    """Puts postings behind those of the last chunk, or into a new one."""
    row = con.execute(
        "SELECT lines FROM postings WHERE space_no = ? AND word = ? ORDER BY first DESC LIMIT 1",
        (space_no, word),
    ).fetchone()
    before = row[0] if row is not None and len(row[0]) < CHUNK * SIZE else b""
    _put_chunk(con, space_no, word, before + postings)


def _put_chunk(con: sqlite3.Connection, space_no: int, word: str, postings: bytes) -> None:
    """Writes a chunk, or what has grown too long for one as several."""
    size = (CHUNK if len(postings) > 2 * CHUNK * SIZE else 2 * CHUNK) * SIZE
    pieces = [postings[at : at + size] for at in range(0, len(postings), size)]
    con.executemany(
        "REPLACE INTO postings VALUES (?, ?, ?, ?)",
        [(space_no, word, _number(piece, 0), piece) for piece in pieces],
    )


def _number(postings: bytes | bytearray, place: int) -> int:
    """The number of a posting's line; from the end, if the place is below 0."""
    at = place * SIZE if place >= 0 else len(postings) + place * SIZE
    return int.from_bytes(postings[at : at + 4], "little")


class _WordPostings:
    """The postings of one word, whose earlier ones are read and written chunk by chunk."""

    def __init__(self, con: sqlite3.Connection, space_no: int, word: str, latest: bytes) -> None:
        self._con = con
        self._key = (space_no, word)
        self._latest = bytearray(latest)
        self._first = -1  # of the chunk at hand, whose place is from `_begin` to before `_end`
        self._begin = self._end = 0
        self._chunk = bytearray()
        self._is_altered = False

    def put(self, low: int, how: int | None) -> int:
        """Puts a posting in its place, or takes it away; how many more there are now."""
        if self._latest and low >= _number(self._latest, 0):
            return _put(self._latest, low, how)
        chunk = self._chunk_of(low)
        self._is_altered |= chunk is self._chunk
        return _put(chunk, low, how)

    def _chunk_of(self, low: int) -> bytearray:
        """Returns the chunk of a line's posting: the last that begins at or before it, or the
        first; without chunks the latest.
        """
        if self._begin <= low < self._end:
            return self._chunk
        self._write_chunk()
        where = "SELECT first, lines FROM postings WHERE space_no = ? AND word = ?"
        row = (
            self._con.execute(
                f"{where} AND first <= ? ORDER BY first DESC LIMIT 1", (*self._key, low)
            ).fetchone()
            or self._con.execute(f"{where} ORDER BY first LIMIT 1", self._key).fetchone()
        )
        if row is None:
            return self._latest
        self._first, self._chunk = row[0], bytearray(row[1])
        (after,) = self._con.execute(
            "SELECT min(first) FROM postings WHERE space_no = ? AND word = ? AND first > ?",
            (*self._key, self._first),
        ).fetchone()
        self._begin, self._end = min(low, self._first), LOW + 1 if after is None else after
        return self._chunk

    def _write_chunk(self) -> None:
        if self._is_altered:
            self._con.execute(
                "DELETE FROM postings WHERE space_no = ? AND word = ? AND first = ?",
                (*self._key, self._first),
            )
            _put_chunk(self._con, *self._key, bytes(self._chunk))
        self._is_altered = False

    def close(self) -> bytes:
        """Writes what was altered; returns the latest, which are the last chunk's where none are
        left.
        """
        self._write_chunk()
        if not self._latest:
            last = self._con.execute(
                "DELETE FROM postings WHERE space_no = ? AND word = ? AND first ="
                " (SELECT max(first) FROM postings WHERE space_no = ? AND word = ?) RETURNING "
                "lines",
                self._key * 2,
            ).fetchall()
            return last[0][0] if last else b""
        return bytes(self._latest)


def _put(postings: bytearray, low: int, how: int | None) -> int:
    place = bisect_left(range(len(postings) // SIZE), low, key=lambda each: _number(postings, each))
    at = place * SIZE
    is_there = at < len(postings) and _number(postings, place) == low
    end = at + SIZE if is_there else at
    postings[at:end] = b"" if how is None else _POSTING.pack(low, how)
    return (how is not None) - is_there


# --- reading --------------------------------------------------------------------------------------


class WordLists:
    """The postings of some words in one view, each read once.

    Attributes:
        frequency: in how many lines each word stands, in the order asked; words without lines are
            left out.
    """

    def __init__(self, con: sqlite3.Connection, space_no: int, words: Iterable[str]) -> None:
        self._con = con
        self._space_no = space_no
        asked = list(dict.fromkeys(words))
        held: dict[str, tuple[int, bytes]] = {
            word: (lines, latest) for word, lines, latest in _rows(con, space_no, asked)
        }
        self.frequency = {word: held[word][0] for word in asked if word in held}
        self._latest = {word: latest for word, (_, latest) in held.items()}
        self._whole: dict[str, bytes] = {}
        self._arrays: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {}

    def is_read(self, word: str) -> bool:
        """Whether all of a word's postings are at hand."""
        return word in self._whole

    def arrays(self, word: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """A word's postings as low halves of line numbers and second parts. Needs numpy."""
        if word not in self._arrays:
            import numpy as np

            data = np.frombuffer(self.of(word), np.dtype([("low", "<u4"), ("how", "<u2")]))
            self._arrays[word] = data["low"].astype(np.int64), data["how"]
        return self._arrays[word]

    def of(self, word: str) -> bytes:
        """A word's postings, ordered by line."""
        if word not in self._whole:
            latest = self._latest[word]
            if len(latest) < self.frequency[word] * SIZE:
                chunks = self._con.execute(
                    "SELECT lines FROM postings WHERE space_no = ? AND word = ? ORDER BY first",
                    (self._space_no, word),
                ).fetchall()
                latest = b"".join([*[chunk for (chunk,) in chunks], latest])
            self._whole[word] = latest
        return self._whole[word]


def find_posting(postings: bytes, low: int) -> int:
    """The second part of a line's posting, 0 where there is none."""
    place = (
        bisect_right(range(len(postings) // SIZE), low, key=lambda each: _number(postings, each))
        - 1
    )
    if place < 0 or _number(postings, place) != low:
        return 0
    return int.from_bytes(postings[place * SIZE + 4 : place * SIZE + 6], "little")


# --- making them again ----------------------------------------------------------------------------

LINES_AT_ONCE = 50_000
"""Lines whose postings are kept in memory before they are written, while all are made again: some
150 MB.
"""


def index_words_again(con: sqlite3.Connection) -> None:
    """Makes the postings of all lines again, in the open transaction."""
    con.execute("DELETE FROM words")
    con.execute("DELETE FROM postings")
    lines = con.execute("SELECT line_no, space_no, words FROM lines ORDER BY line_no")
    while page := lines.fetchmany(LINES_AT_ONCE):
        changes: dict[int, Changes] = {}
        for line_no, space_no, stored in page:
            add_words(changes.setdefault(space_no, {}), line_no, unpack_words(stored))
        for space_no, some in changes.items():
            write_postings(con, space_no, some)
