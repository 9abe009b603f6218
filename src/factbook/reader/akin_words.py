"""Which words are akin: for each index word of English those nearest in meaning, looked up and
never computed.

The table is in the package `factbook-reader`; `training/akin.py` makes it. Without the package no
word is akin to any.
"""

from __future__ import annotations

import hashlib
import struct
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from factbook.errors import ConfigError

NEAR = 64
"""Words that are kept for each."""
AKIN_SHA256 = "4eac95eae13ad31657e7a919603e618495bb33d360b27132e5bd6111d9a8f94c"

_HEAD = struct.Struct("<4sII")
_MAGIC = b"akin"
_KNOWN = 2048


class AkinWords:
    """A table of akin words. Frozen and thread-safe; about 3 MB."""

    def __init__(self, data: bytes) -> None:
        """Reads a table as `pack` writes it.

        Raises:
            ConfigError: the data are no such table.
        """
        try:
            magic, count, length = _HEAD.unpack_from(data)
            self._words = data[_HEAD.size : _HEAD.size + length].decode("ascii").split("\n")
        except (struct.error, UnicodeDecodeError):
            raise ConfigError(
                "the table of akin words can't be read: reinstall factbook-reader"
            ) from None
        self._data = data
        self._start = _HEAD.size + length
        if (
            magic != _MAGIC
            or len(self._words) != count
            or len(data) != self._start + 3 * NEAR * count
        ):
            raise ConfigError("the table of akin words is not whole: reinstall factbook-reader")

    def __len__(self) -> int:
        return len(self._words)

    def of(self, word: str) -> Mapping[str, float]:
        """Returns the index words akin to this one, with how near they are in 0–1; none for a word
        that isn't in the table.
        """
        at = bisect_left(self._words, word)
        if at == len(self._words) or self._words[at] != word:
            return {}
        numbers = struct.unpack_from(f"<{NEAR}H", self._data, self._start + 2 * NEAR * at)
        shares = self._start + 2 * NEAR * len(self._words) + NEAR * at
        near = self._data[shares : shares + NEAR]
        return {
            self._words[number]: share / 255
            for number, share in zip(numbers, near, strict=True)
            if share
        }


def pack_table(table: Mapping[str, Mapping[str, float]]) -> bytes:
    """Returns a table as bytes: the words in order, then of each the numbers and the nearness (in
    255ths) of its akin ones.
    """
    words = sorted(table)
    number = {word: at for at, word in enumerate(words)}
    text = "\n".join(words).encode("ascii")
    rows = [
        sorted(table[word].items(), key=lambda each: (-each[1], each[0]))[:NEAR] for word in words
    ]
    numbers = b"".join(
        struct.pack(f"<{NEAR}H", *_fill_row([number[word] for word, _ in row])) for row in rows
    )
    shares = b"".join(bytes(_fill_row([round(255 * share) for _, share in row])) for row in rows)
    return _HEAD.pack(_MAGIC, len(words), len(text)) + text + numbers + shares


def _fill_row(row: Sequence[int]) -> list[int]:
    return [*row, *[0] * (NEAR - len(row))]


@lru_cache(maxsize=_KNOWN)
def akin_to(word: str) -> Mapping[str, float]:
    """Returns the index words akin to this index word, with how near they are in 0–1; none without
    `factbook-reader`.

    Raises:
        ConfigError: the table is not the known one.
    """
    table = _load_table()
    return table.of(word) if table else {}


@cache
def _load_table() -> AkinWords | None:
    try:
        from factbook_reader import akin_path
    except ImportError:
        return None
    data = Path(akin_path()).read_bytes()
    if hashlib.sha256(data).hexdigest() != AKIN_SHA256:
        raise ConfigError(
            "the table of akin words is not the one this version knows: install factbook-reader "
            "anew"
        )
    return AkinWords(data)
