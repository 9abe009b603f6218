"""From the network's numbers to a parse: words, what each is, and what it hangs on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from factbook.extract.local.parse import Word
from factbook.extract.local.syntax.lemmas import GLUED, lemma_of
from factbook.extract.local.syntax.places import places_of
from factbook.extract.local.syntax.tokens import cut_tokens
from factbook.extract.local.syntax.tree import ROOT, heads_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_TOKENS = 128
"""Of one tree: its cost grows with the square, and of scripts without spaces a window has many."""
STOPS = frozenset(".!?…\n")
NEVER = -1e4
"""A score that no head has."""
SPACE = ("_SP", "SPACE", "dep")
"""White space is told by its form."""

_THOUSANDS = re.compile(r"\d[\d.,]*k", re.IGNORECASE)
"""Read as the `k` was in the parses that the network learned from: there it was a token."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The description that a file of the network gives of itself.

    Attributes:
        tags, poses, deps: the names of what it chooses from, in its order.
        lemmas: base forms that no ending tells, by `word/tag`. known: words by their rank.
    """

    tags: Sequence[str]
    poses: Sequence[str]
    deps: Sequence[str]
    lemmas: Mapping[str, str]
    known: Mapping[str, int]

    @property
    def width(self) -> int:
        """Numbers a token but those by which heads are found."""
        return len(self.tags) + len(self.poses) + len(self.deps) + 1


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text as it was parsed.

    Attributes:
        words: shape (words, 2, numbers), of the first and of the second token that is read at each.
        root: shape (numbers,), by which roots are found.
    """

    words: NDArray[np.float32]
    root: NDArray[np.float32]


def parse_text(
    text: str, spans: Sequence[tuple[int, int]], windows: Sequence[Window], grammar: Grammar
) -> list[Word]:
    """Returns the words of a text, in order.

    Args:
        spans: the characters of each of the reader's words, from and to. windows: in order, with all of them.
    """
    tokens = cut_tokens(text)
    if not windows:
        return [_make_word(text, at, token, SPACE, grammar) for at, token in enumerate(tokens)]
    places = places_of(tokens, spans)
    words: list[Word] = []
    begins = 0
    sentence = 0
    for window in windows:
        ends = begins + len(window.words)
        inside = [
            (token, place - begins, second or int(bool(_THOUSANDS.fullmatch(text, *token))))
            for token, (place, second) in zip(tokens, places, strict=True)
            if begins <= place < ends
        ]
        begins = ends
        if inside:
            rows = window.words[[at for _, at, _ in inside], [second for _, _, second in inside]]
            sentence = _append_words(
                words, text, [token for token, _, _ in inside], rows, window.root, grammar, sentence
            )
    return words


def _append_words(
    words: list[Word],
    text: str,
    tokens: Sequence[tuple[int, int]],
    rows: NDArray[np.float32],
    root: NDArray[np.float32],
    grammar: Grammar,
    sentence: int,
) -> int:
    """Appends the words of a window; returns the number of the next sentence."""
    import numpy as np

    width = grammar.width
    arc = (rows.shape[1] - width) // 2
    ends = np.cumsum([len(grammar.tags), len(grammar.poses), len(grammar.deps)])
    best = [each.argmax(axis=1) for each in np.split(rows[:, :width], ends, axis=1)[:3]]
    looking, found = rows[:, width : width + arc], rows[:, width + arc :]
    roots = looking @ root[width + arc :]
    is_space = np.array([text[start:stop].isspace() for start, stop in tokens])
    roots = np.where(is_space, NEVER, roots)  # nothing hangs on white space
    if words and not STOPS & set(words[-1].text):
        sentence -= 1  # the window cuts a sentence, which goes on
    for first, stop in _cut_sentences(rows[:, width - 1] > 0):
        scores = looking[first:stop] @ found[first:stop].T
        scores[:, is_space[first:stop]] = NEVER
        heads = heads_of(scores, roots[first:stop])
        made = [
            _make_word(
                text,
                len(words) + at - first,
                tokens[at],
                (
                    grammar.tags[int(best[0][at])],
                    grammar.poses[int(best[1][at])],
                    "ROOT"
                    if heads[at - first] == ROOT
                    else _dep_of(grammar, rows[at], int(best[2][at])),
                ),
                grammar,
                sentence,
            )
            for at in range(first, stop)
        ]
        for word, head in zip(made, heads, strict=True):
            if head != ROOT:
                word.head = made[head]
                made[head].children.append(word)
                if word.dep == "dobj" and word.head.lemma == "be":
                    word.dep = "attr"
        words += made
        sentence += 1
    return sentence


def _dep_of(grammar: Grammar, row: NDArray[np.float32], best: int) -> str:
    """The label by which a token that isn't the root hangs on its head."""
    if grammar.deps[best] != "ROOT":
        return grammar.deps[best]
    scores = row[len(grammar.tags) + len(grammar.poses) : grammar.width - 1].copy()
    scores[best] = scores.min()
    return grammar.deps[int(scores.argmax())]


def _cut_sentences(begins: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yields from where to where each goes; a longer one comes in parts."""
    starts = [0, *(at for at in range(1, len(begins)) if begins[at])]
    for first, stop in zip(starts, [*starts[1:], len(begins)], strict=True):
        for at in range(first, stop, MOST_TOKENS):
            yield at, min(at + MOST_TOKENS, stop)


def _make_word(
    text: str,
    number: int,
    token: tuple[int, int],
    told: tuple[str, str, str],
    grammar: Grammar,
    sentence: int = 0,
) -> Word:
    start, stop = token
    written = text[start:stop]
    tag, pos, dep = told if written.strip() or told[2] == "ROOT" else SPACE
    if _THOUSANDS.fullmatch(written):
        tag, pos = "CD", "NUM"
    lower = written.lower().replace("’", "'")
    is_glued = start > 0 and text[start - 1].isalpha() and lower in GLUED
    lemma = GLUED[lower] if is_glued else lemma_of(lower, tag, grammar.known, grammar.lemmas)
    if lemma == "not" and dep == "advmod":
        dep = "neg"
    return Word(
        i=number,
        text=written,
        lower=lower,
        lemma=lemma,
        pos=pos,
        tag=tag,
        dep=dep,
        start=start,
        stop=stop,
        sentence=sentence,
    )
