"""The parse: tokens, trees, base forms, and what the installed network makes of plain sentences."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.extract.local.parse import Word
from factbook.extract.local.syntax.lemmas import lemma_of
from factbook.extract.local.syntax.places import places_of
from factbook.extract.local.syntax.tokens import cut_tokens
from factbook.extract.local.syntax.tree import ROOT, heads_of
from factbook.extract.local.syntax.words import known_words
from tests.support.drafts import whole

np = pytest.importorskip("numpy")


def tokens(text: str) -> list[str]:
    return [text[start:stop] for start, stop in cut_tokens(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I don't, you're.", "I|do|n't|,|you|'re|."),
        ("im sure he cant, its ok", "i|m|sure|he|ca|nt|,|its|ok"),
        ("I can’t and cannot", "I|ca|n’t|and|can|not"),
        ("Mr. Lee, Ana B. Roth Inc. at 7 p.m.", "Mr.|Lee|,|Ana|B.|Roth|Inc.|at|7|p.m."),
        ("20km for $20 at 10:30 on 2024-05-01", "20|km|for|$|20|at|10:30|on|2024-05-01"),
        ("a well-known/other file.py", "a|well|-|known|/|other|file.py"),
        ("see https://example.org/a?b=1, ok", "see|https://example.org/a?b=1|,|ok"),
        ("mail ada@example.org or @tom_b :)", "mail|ada@example.org|or|@tom_b|:)"),
        ("the 4th of May... no -- 5 o'clock", "the|4th|of|May|...|no|--|5|o'clock"),
        ("Ben's dog; the boys' room", "Ben|'s|dog|;|the|boys|'|room"),
        ("one  two\nthree", "one| |two|\n|three"),
        ("use `pytest`, never `unittest`", "use|`|pytest|`|,|never|`|unittest|`"),
        ("日本語 🎉🎉", "日本語|🎉|🎉"),
        ("", ""),
    ],
)
def test_a_text_is_cut_as_the_treebank_does(text: str, wanted: str) -> None:
    assert "|".join(tokens(text)) == wanted


@given(st.text())
def test_every_character_but_single_spaces_is_of_one_token(text: str) -> None:
    spans = cut_tokens(text)
    assert all(start < stop for start, stop in spans)
    assert all(one[1] <= two[0] for one, two in itertools.pairwise(spans))
    inside = {at for start, stop in spans for at in range(start, stop)}
    assert all(text[at] == " " for at in set(range(len(text))) - inside)


def test_tokens_are_read_where_their_words_begin() -> None:
    # don ' t im
    words = [(0, 3), (3, 4), (4, 5), (6, 8)]
    assert places_of([(0, 2), (2, 5), (6, 7), (7, 8)], words) == [(0, 0), (1, 0), (3, 0), (3, 1)]
    assert places_of([(0, 5), (5, 6), (6, 8)], words) == [(0, 0), (2, 0), (3, 0)]


def test_the_best_tree_has_one_root_and_no_cycle() -> None:
    scores = np.array([[0, 9, 1], [9, 0, 8], [2, 3, 0]], np.float32)
    assert heads_of(scores, np.array([0, 0, 5], np.float32)) == [1, 2, ROOT]
    assert heads_of(np.zeros((1, 1), np.float32), np.zeros(1, np.float32)) == [ROOT]


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_no_tree_is_better_than_the_one_that_is_found(count: int, seed: int) -> None:
    made = np.random.default_rng(seed)
    scores = made.normal(size=(count, count)).astype(np.float32)
    roots = np.full(count, -1e3, np.float32)
    roots[0] = 0.0
    heads = heads_of(scores, roots)
    assert heads[0] == ROOT

    def value(tree: tuple[int, ...]) -> float:
        return float(sum(scores[at, head] for at, head in enumerate(tree) if at))

    def is_tree(tree: tuple[int, ...]) -> bool:
        for start in range(1, count):
            at, steps = start, 0
            while at and steps <= count:
                at, steps = tree[at], steps + 1
            if at:
                return False
        return True

    trees = [
        (0, *rest)
        for rest in itertools.product(range(count), repeat=count - 1)
        if is_tree((0, *rest))
    ]
    assert is_tree((0, *heads[1:]))
    assert value((0, *heads[1:])) == pytest.approx(max(map(value, trees)), abs=1e-4)


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("houses", "NNS", "house"),
        ("cities", "NNS", "city"),
        ("churches", "NNS", "church"),
        ("women", "NNS", "woman"),
        ("lives", "VBZ", "live"),
        ("moved", "VBD", "move"),
        ("planned", "VBN", "plan"),
        ("carried", "VBD", "carry"),
        ("painting", "VBG", "paint"),
        ("making", "VBG", "make"),
        ("running", "VBG", "run"),
        ("happier", "JJR", "happy"),
        ("fastest", "JJS", "fast"),
        ("Vexed".lower(), "NN", "vexed"),
        ("bus", "NNS", "bus"),
    ],
)
def test_endings_come_off_so_that_a_known_word_is_left(word: str, tag: str, lemma: str) -> None:
    assert lemma_of(word, tag, known_words(), {}) == lemma


def test_exceptions_are_told_by_the_file() -> None:
    assert lemma_of("went", "VBD", {}, {"went/VBD": "go"}) == "go"


# ------------------------------------------------------------------------------------------------
# the installed network


def parsed(text: str) -> list[Word]:
    from factbook.extract.local.syntax.decode import parse_text

    extractor: Any = whole()
    (reading,) = extractor._reader.read_texts([text])
    (marked,) = extractor._clauses.read([reading])
    return parse_text(text, reading.spans, marked.windows, extractor._clauses.grammar)


@pytest.mark.model
def test_the_network_parses_plain_sentences() -> None:
    words = parsed("My sister Odalys moved to Uhlm last spring. I don't like the new flat.")
    by_text = {word.text: word for word in words}
    assert by_text["moved"].dep == "ROOT"
    assert by_text["moved"].lemma == "move"
    assert by_text["sister"].head is by_text["moved"]
    assert by_text["n't"].dep == "neg"
    assert by_text["n't"].head is by_text["like"]
    assert by_text["flat"].dep == "dobj"
    assert (by_text["moved"].sentence, by_text["like"].sentence) == (0, 1)
    assert [word.i for word in words] == list(range(len(words)))


@pytest.mark.model
def test_two_tokens_of_one_word_are_told_apart() -> None:
    words = parsed("im happy she cant come")
    by_text = {word.text: word for word in words}
    assert by_text["i"].dep == "nsubj"
    assert by_text["m"].lemma == "be"
    assert by_text["nt"].dep == "neg"


@pytest.mark.model
@given(st.text(max_size=60))
def test_any_text_has_a_parse_of_whole_trees(text: str) -> None:
    words = parsed(text)
    assert [(word.start, word.stop) for word in words] == cut_tokens(text)
    for word in words:
        above = list(word.above())
        assert len(above) <= len(words)
        assert (above or [word])[-1].dep == "ROOT" or not above
        assert all(each.sentence == word.sentence for each in above)


@pytest.mark.model
def test_a_long_run_of_marks_costs_no_more_than_words() -> None:
    text = "I am so happy " + "😂" * 900
    words = parsed(text)
    assert [(word.start, word.stop) for word in words] == cut_tokens(text)
    assert len(list(words[-1].above())) < 200


@pytest.mark.model
def test_a_sentence_that_two_windows_share_is_one() -> None:
    words = parsed("did you hear whether " + "my brother and " * 120 + "Ana moved to Uhlm?")
    assert len({word.sentence for word in words[-6:]}) == 1
    assert words[-1].sentence - words[0].sentence < 3
