"""Index words of a text, whole or only those that may be asked for."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from factbook.text.index_words import index_words, stem_beginnings, words_like

TEXTS = st.text(max_size=40) | st.lists(
    st.sampled_from("The violins were playing in c++ at café 東京へ Straße don't 8 May".split()),
    max_size=8,
).map(" ".join)


@given(TEXTS, TEXTS)
@example("The violins were playing in c++ at the café in 東京", "violin play c++ caf 東京")
@example("They are dying", "dying")
def test_of_the_words_that_may_be_asked_for_none_is_missing(text: str, asked: str):
    wanted = set(index_words(asked))
    found = words_like(text, stem_beginnings(wanted))
    assert found <= set(index_words(text))
    assert found & wanted == set(index_words(text)) & wanted
