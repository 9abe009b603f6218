"""The scores by which candidates are chosen are those by which they are ranked."""

from __future__ import annotations

import pytest

from factbook.recall.weights import DEFAULT
from factbook.text import bm25


def test_stores_weigh_as_ranking_does():
    assert (DEFAULT.k1, DEFAULT.b) == (bm25.K1, bm25.B)


def test_rarer_words_weigh_more():
    weights = bm25.weigh_words(10, {"common": 9, "rare": 1, "everywhere": 10})
    assert list(weights) == ["rare", "common", "everywhere"]
    assert weights["rare"] > weights["common"] > weights["everywhere"] > 0


def test_more_of_a_word_and_a_shorter_line_score_higher():
    weights = {"violin": 1.0, "garden": 2.0}
    score = bm25.score_line(weights, {"violin": 1}, 10, 10)
    assert score == pytest.approx(1.0)
    assert bm25.score_line(weights, {"violin": 2, "other": 5}, 10, 10) > score
    assert bm25.score_line(weights, {"violin": 1}, 20, 10) < score
    assert bm25.score_line(weights, {"violin": 99}, 10, 10) == bm25.score_line(
        weights, {"violin": 15}, 10, 10
    )
    assert bm25.score_line(weights, {"violin": 99}, 0, 10) < bm25.MOST_GAIN + 1e-9
