"""Open reading's numbers: from tags to stretches of words, and the file that they come from."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from factbook.errors import ConfigError
from factbook.extract.local.clauses.decode import ADDRESSEE, SPEAKER, Judge, decode
from factbook.extract.local.clauses.network import ClauseModel, installed
from factbook.reader.reading_model import Reader

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")

JUDGE = Judge(sorts=("event", "state"), holds=("asserted", "planned"), least=0.4)
WIDTH = 2 + 2 + 3 + 3
NONE, BEGINS, GOES_ON = [9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]


def parts_of(tags: list[list[float]], own: dict[int, float] | None = None) -> Any:
    """Numbers of words with these tags; `own` are those by which each word judges."""
    out = np.zeros((len(tags), 3 + 2 * WIDTH), np.float32)
    for row, tag in enumerate(tags):
        out[row, :3] = tag
        for at, value in (own or {}).items():
            out[row, 3 + at] = value
    return out


def test_a_run_of_words_is_a_clause_and_a_word_that_begins_one_cuts_it() -> None:
    tags = [NONE, BEGINS, GOES_ON, BEGINS, GOES_ON, GOES_ON, NONE]
    found = decode(parts_of(tags), JUDGE)
    assert [(each.first, each.last) for each in found] == [(1, 2), (3, 5)]


def test_one_word_alone_and_an_unsure_stretch_are_no_clauses() -> None:
    unsure = [1.0, 0.0, 0.0]
    assert decode(parts_of([BEGINS, NONE, NONE]), JUDGE) == []
    assert len(decode(parts_of([NONE, unsure, unsure]), JUDGE)) == 1
    higher = Judge(sorts=JUDGE.sorts, holds=JUDGE.holds, least=0.5)
    assert decode(parts_of([NONE, unsure, unsure]), higher) == []


def test_a_clause_is_judged_by_its_words_and_its_first_one() -> None:
    # of the numbers: two sorts, two holds, three worths, three of whom it is about
    tags = [BEGINS, GOES_ON]
    plain = decode(parts_of(tags, {1: 5.0, 2: 5.0, 6: 9.0, 7: 5.0}), JUDGE)[0]
    assert (plain.sort, plain.holds, plain.about) == ("state", "asserted", SPEAKER)
    assert plain.worth == pytest.approx(0.9, abs=0.01)
    own = parts_of(tags, {1: 5.0, 4: 9.0})
    own[0, 3 + WIDTH + 0] = 9.0  # the first word says another sort, and whom it is about
    own[0, 3 + WIDTH + 8] = 9.0
    other = decode(own, JUDGE)[0]
    assert (other.sort, other.about) == ("event", ADDRESSEE)
    assert other.worth == pytest.approx(0.3, abs=0.01)


def test_nothing_is_found_where_there_are_no_words() -> None:
    assert decode(np.zeros((0, 3 + 2 * WIDTH), np.float32), JUDGE) == []


def test_another_file_than_the_known_one_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.onnx"
    other.write_bytes(b"no network")
    with pytest.raises(ConfigError, match="not the known one"):
        ClauseModel(model=other).load()
    with pytest.raises(ConfigError, match="can't be read"):
        ClauseModel(model=tmp_path / "none.onnx").load()


@pytest.mark.model
def test_the_installed_file_is_the_known_one_and_texts_read_together_read_the_same() -> None:
    pytest.importorskip("factbook_reader")
    assert ClauseModel().version == hashlib.sha256(installed().read_bytes()).hexdigest()[:8]
    texts = [
        "Thanks, have a great day!",
        "My mother moved to Uhlm last spring, and I started at the bakery on Monday.",
        "",
        " ".join(
            f"On day {number} we painted the fence and I sold my old boat." for number in range(60)
        ),
    ]
    reader, model = Reader(), ClauseModel()
    together = [each.clauses for each in model.read(reader.read_texts(texts))]
    assert together[0] == []
    assert together[2] == []
    said = [texts[1][start:stop] for start, stop, _ in together[1]]
    assert len(said) == 2
    assert "mother moved to Uhlm" in said[0]
    assert "started at the bakery" in said[1]
    assert all(0 <= start < stop <= len(texts[3]) for start, stop, _ in together[3])
    assert max(stop for _, stop, _ in together[3]) > 2000, "later windows are read too"
    alone = [model.read(reader.read_texts([each]))[0].clauses for each in texts]
    places = [[(start, stop, each.sort) for start, stop, each in found] for found in together]
    assert places == [[(start, stop, each.sort) for start, stop, each in found] for found in alone]
