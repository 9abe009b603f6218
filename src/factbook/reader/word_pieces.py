"""Texts as the reader takes them: words, their pieces, and how each word is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

BEGIN, END = 101, 102
"""The ids of [CLS] and [SEP]."""

SHAPES = 48
"""How many shapes there are: 8 of a word, times 3 of its text, times 2 for whether a space precedes
the word.
"""

_OTHER, _LOWER, _TITLE, _UPPER, _MIXED, _WITH_DIGITS, _DIGITS, _LETTER = range(8)
_NO_CAPITALS, _SOME_CAPITALS, _MOSTLY_CAPITALS = range(3)


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text's pieces, with [CLS] and [SEP] at the ends.

    Attributes:
        ids: of the pieces in the vocabulary.
        shapes: one a piece, how its word is written; 0 for the two ends.
        spans: where each word stands in the text, from and to.
        firsts: the index of each word's first piece.
    """

    ids: list[int]
    shapes: list[int]
    spans: list[tuple[int, int]]
    firsts: list[int]


def tokenizer_of(vocabulary: bytes) -> Tokenizer:
    """BERT's uncased tokenizer over a `vocab.txt`; it neither pads nor cuts."""
    from tokenizers import Tokenizer, normalizers, pre_tokenizers
    from tokenizers.models import WordPiece

    pieces = vocabulary.decode().split("\n")[:-1]
    model = WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]")  # noqa: S106
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def pieces_of(tokenizer: Tokenizer, text: str, longest: int) -> Pieces:
    """Returns the pieces of a text, at most `longest` with the two ends; words beyond are
    left out.
    """
    # Half a surrogate pair has no UTF-8 form, which the tokenizer takes; "?" is as long.
    encoded = tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False)
    spans: list[tuple[int, int]] = []
    firsts: list[int] = []
    for at, (word, (start, end)) in enumerate(
        zip(encoded.word_ids[: longest - 2], encoded.offsets, strict=False)
    ):
        if word == len(spans):
            spans.append((start, end))
            firsts.append(at + 1)
        else:
            spans[-1] = (spans[-1][0], end)
    ids = encoded.ids[: longest - 2]
    shapes = shapes_of(text, spans)
    starts = [*firsts, len(ids) + 1]
    by_piece = [
        shape for at, shape in enumerate(shapes) for _ in range(starts[at + 1] - starts[at])
    ]
    return Pieces([BEGIN, *ids, END], [0, *by_piece, 0], spans, firsts)


def shapes_of(text: str, spans: list[tuple[int, int]]) -> list[int]:
    """Returns the shape of each word's spelling, 0 to `SHAPES` - 1."""
    upper = sum(map(str.isupper, text))
    lower = sum(map(str.islower, text))
    state = _NO_CAPITALS if not upper else _MOSTLY_CAPITALS if upper > lower else _SOME_CAPITALS
    return [
        _word_shape(text[start:end])
        + 8 * state
        + 24 * (start > 0 and not text[start - 1].isspace())
        for start, end in spans
    ]


def _word_shape(word: str) -> int:
    if word.isdigit():
        return _DIGITS
    if any(map(str.isdigit, word)):
        return _WITH_DIGITS
    if word.islower():
        return _LOWER
    if word.isupper():
        return _UPPER if len(word) > 1 else _LETTER
    if word.istitle():
        return _TITLE
    return _MIXED if any(map(str.isupper, word)) else _OTHER
