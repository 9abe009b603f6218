"""English words, the most frequent first, out of the reader's own list of word pieces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def known_words() -> Mapping[str, int]:
    """Returns words in small letters by their rank."""
    pieces = files("factbook.reader").joinpath("vocab.txt").read_text(encoding="utf-8").split("\n")
    return {piece: rank for rank, piece in enumerate(pieces) if piece.isascii() and piece.isalpha()}
