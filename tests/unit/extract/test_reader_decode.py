"""Names out of the reader's logits."""

from __future__ import annotations

import itertools

import pytest

from factbook.extract.local.reader_decode import TAGS, best_tags, spans_of

np = pytest.importorskip("numpy")


def _allowed(tags: tuple[int, ...]) -> bool:
    inside = (
        (before, tag) for before, tag in zip((0, *tags), tags, strict=False) if tag and tag % 2 == 0
    )
    return all(before in {tag - 1, tag} for before, tag in inside)


def test_the_best_sequence_is_found_among_all_in_which_names_have_a_beginning() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        scores = np.full((4, TAGS), -50, np.float32)
        scores[:, :5] = rng.normal(size=(4, 5))
        every = [tags for tags in itertools.product(range(5), repeat=4) if _allowed(tags)]
        best = max(every, key=lambda tags: sum(scores[at, tag] for at, tag in enumerate(tags)))
        assert tuple(best_tags(scores)) == best


def test_no_words_have_no_tags() -> None:
    assert best_tags(np.zeros((0, TAGS), np.float32)) == []


def test_names_beside_each_other_stay_two() -> None:
    assert spans_of([1, 2, 1, 0, 7, 8]) == [(0, 2, "person"), (2, 3, "person"), (4, 6, "project")]
