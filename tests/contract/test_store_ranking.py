"""What the words of a question find, against BM25 over every line, computed here anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.model.record import Note
from factbook.ports.store import Store
from factbook.text.index_words import index_words
from tests.support.builders import commit, note
from tests.support.stores import KINDS, opened

WORDS = ("violin", "garden", "opera", "łódź", "日本", "c++")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=7)
LINES = st.lists(st.tuples(TEXTS, st.booleans()), min_size=1, max_size=14)
STEPS = st.lists(st.tuples(st.integers(0, 13), st.none() | TEXTS), max_size=6)


def scores(lines: Sequence[Sequence[str]], asked: Sequence[str]) -> list[float]:
    """Of every line, 0 where it holds none of the words."""
    mean = sum(map(len, lines)) / max(len(lines), 1)
    out = [0.0] * len(lines)
    for word in dict.fromkeys(asked):
        frequency = sum(word in line for line in lines)
        weight = log(1 + (len(lines) - frequency + 0.5) / (frequency + 0.5))
        for place, line in enumerate(lines):
            if count := Counter(line)[word]:
                out[place] += weight * count * 1.9 / (count + 0.9 * (0.6 + 0.4 * len(line) / mean))
    return out


def row(place: int, text: Sequence[str], *, matters: bool) -> Note:
    return note(" ".join(text), id=f"n{place}", importance=0.9 if matters else 0.5, category="")


def told(
    store: Store, lines: list[tuple[list[str], bool]], steps: list[tuple[int, list[str] | None]]
) -> list[Note]:
    """Writes the lines, alters and deletes some; what is left, in order of first writing."""
    held = {place: row(place, text, matters=matters) for place, (text, matters) in enumerate(lines)}
    for each in held.values():
        commit(store, "ada", each)
    for place, text in steps:
        if place in held:
            before = held.pop(place)
            after = None if text is None else row(place, text, matters=before.importance > 0.5)
            commit(store, "ada", Change(before=before, after=after))
            if after is not None:
                held[place] = after
    return [held[place] for place in sorted(held)]


@pytest.mark.parametrize("numpy", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@given(
    lines=LINES,
    steps=STEPS,
    theirs=LINES,
    asked=st.lists(st.sampled_from((*WORDS, "nowhere")), min_size=1, max_size=5),
    limit=st.integers(1, 6),
    matters=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_the_lines_found_are_those_of_exhaustive_bm25_in_its_order(
    kind: str,
    numpy: bool,
    lines: list[tuple[list[str], bool]],
    steps: list[tuple[int, list[str] | None]],
    theirs: list[tuple[list[str], bool]],
    asked: list[str],
    limit: int,
    matters: bool,
):
    with (
        patch("factbook.store.sqlite.words.matching.has_numpy", lambda: numpy),
        opened(kind) as store,
    ):
        for place, (text, _) in enumerate(theirs):
            commit(store, "tom", row(place, text, matters=True))
        left = told(store, lines, steps)
        where = LineFilter(superseded=True, min_importance=0.8 if matters else 0.0)
        with store.snapshot() as snapshot:
            numbers = snapshot.find_words("ada", index_words(" ".join(asked)), where, limit=limit)
            found = [hit.id for hit in snapshot.hits("ada", numbers, asked)]
    exact = scores([each.text.split() for each in left], asked)
    fits = [n for n, each in enumerate(left) if exact[n] and (each.importance > 0.8 or not matters)]
    best = sorted(fits, key=lambda n: (-round(exact[n], 5), -n))[:limit]
    assert found == [left[n].id for n in best]
