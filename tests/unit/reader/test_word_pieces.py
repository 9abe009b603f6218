"""How texts are cut into words and pieces for the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from factbook.reader import reading_model as reader
from factbook.reader.word_pieces import (
    BEGIN,
    END,
    SHAPES,
    Pieces,
    pieces_of,
    shapes_of,
    tokenizer_of,
)

pytest.importorskip("tokenizers")

_TOKENIZER = tokenizer_of(Path(reader.__file__).with_name("vocab.txt").read_bytes())


def _pieces(text: str, longest: int = 256) -> Pieces:
    return pieces_of(_TOKENIZER, text, longest)


def _words(text: str) -> list[str]:
    return [text[start:end] for start, end in _pieces(text).spans]


def test_a_word_stands_where_it_stands_in_the_text() -> None:
    assert _words("Zoë's  friend Łukasz, ok?") == [
        "Zoë",
        "'",
        "s",
        "friend",
        "Łukasz",
        ",",
        "ok",
        "?",
    ]


def test_a_word_of_several_pieces_has_one_span_and_as_many_shapes_as_pieces() -> None:
    pieces = _pieces("Okonkwo smiles")
    assert len(pieces.spans) == 2
    assert pieces.firsts[1] > 2
    assert len(pieces.shapes) == len(pieces.ids)
    assert len(set(pieces.shapes[1 : pieces.firsts[1]])) == 1


def test_the_ends_are_marked_and_a_long_text_is_cut() -> None:
    pieces = _pieces("word " * 50, longest=10)
    assert (pieces.ids[0], pieces.ids[-1], len(pieces.ids)) == (BEGIN, END, 10)
    assert len(pieces.spans) == 8


def test_a_text_without_words_has_only_its_ends() -> None:
    assert _pieces(" \n ") == Pieces([BEGIN, END], [0, 0], [], [])


def test_half_a_surrogate_pair_is_read_over() -> None:
    assert _words("Ada \ud83d Berger")[::2] == ["Ada", "Berger"]


def test_ways_of_writing_a_word_have_shapes_of_their_own() -> None:
    text = "ada Ada ADA iPhone v2 42 A + x"
    spans = _pieces(text).spans
    shapes = shapes_of(text, spans)
    assert len(set(shapes)) == len(spans) - 1  # `ada` and `x` are written alike
    assert max(shapes) < SHAPES


def test_a_shape_tells_small_letters_throughout_capitals_throughout_and_what_stands_close() -> None:
    def of_word(text: str, at: int) -> int:
        return shapes_of(text, _pieces(text).spans)[at]

    assert of_word("ada met tom", 0) != of_word("ada met Tom", 0)
    assert of_word("ADA MET TOM", 1) != of_word("Ada MET tom", 1)
    assert of_word("@ ada", 1) != of_word("@ada", 1)
