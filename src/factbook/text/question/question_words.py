"""A question cut into words, and the runs of them that may be names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from factbook.text.common_words import is_common
from factbook.text.index_words import STOP_WORDS, fold_text
from factbook.text.names import SHORTEST_SLIP, has_unspaced, name_keys
from factbook.text.relation_words import relation_of_noun
from factbook.text.word_lists import load_words

LONGEST_NAME = 4
"""Words of a name that is looked up in a question."""
MOST_WORDS = 48
"""Words of a question in which names are looked for."""
MOST_READ = 400
MOST_PIECES = 120
"""Parts of runs without spaces that are looked up."""
LONGEST_PIECE = 5
NAMES_TOO = frozenset({"will"})
"""Stop words that are names too."""

_TOKEN = re.compile(r"[^\W_]+(?:['’ʼ.&+#/-][^\W_]+)*[+#]*")
_POSSESSIVE = re.compile(r"['’ʼ]s$", re.IGNORECASE)
_PARTS = re.compile(r"[,;:!?()\[\]\"“”…]|\.\s")
_SENTENCE = re.compile(r"[.!?…\"“(]\s*$")
_JOINS = frozenset({"of", "the", "and", "for", "to", "in", "on", "at", "a"})
"""Stop words that may stand inside a name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A word of a question: `text` without its 's (`owns` if it had one), where it stands among the
    characters, whether it begins with a capital that tells something, begins a sentence (`first`)
    or a part of one (`parts`), or is a month or season that means a time (`dated`).
    """

    text: str
    folded: str
    start: int
    stop: int
    owns: bool = False
    capital: bool = False
    first: bool = False
    parts: bool = False
    dated: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Gram:
    """Neighbouring words of a question that may be a name. `start:end` counts words."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=64)
def split_question(question: str) -> tuple[Token, ...]:
    """Returns the question's words."""
    found = list(_TOKEN.finditer(question))[:MOST_READ]
    small = [match.group().lower() for match in found]
    telling = _capitals_tell([match.group() for match in found])
    out: list[Token] = []
    behind = 0
    for place, match in enumerate(found):
        raw = match.group()
        text = raw if raw.isalnum() else _POSSESSIVE.sub("", raw)
        plural = (
            text == raw
            and raw[-1] in "sS"
            and question[match.end() : match.end() + 1] in ("'", "’")
        )
        gap = question[behind : match.start()]
        parted = gap != " " and bool(_PARTS.search(gap))
        first = not out or (parted and bool(_SENTENCE.search(gap)))
        out.append(
            Token(
                text=text,
                folded=fold_text(text),
                start=match.start(),
                stop=match.start() + len(text),
                owns=text != raw or plural,
                capital=telling and not first and text[:1].isupper(),
                first=first,
                parts=parted,
                dated=small[place] in _TIMES and text == raw and _is_dated(small, place),
            )
        )
        behind = match.end()
    return tuple(out)


def _capitals_tell(words: Sequence[str]) -> bool:
    """Returns False where everything is written in capitals, or Every Word Begins With One."""
    letters = [word for word in words if word[:1].isalpha()]
    small = sum(word[:1].islower() for word in letters)
    return small > 0 and (len(letters) < 4 or small >= 0.3 * len(letters))


_TIMES = load_words("text/question_cues", "times")
_TIME_CUES = load_words("text/question_cues", "time cues")


def _is_dated(words: Sequence[str], place: int) -> bool:
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    if before in _TIME_CUES or before[:1].isdigit() or after[:1].isdigit():
        return True
    return before == "and" and not _TIMES.isdisjoint(words[:place])


def find_grams(question: str) -> tuple[Gram, ...]:
    """Returns the runs of words that may be a name, lower-case too: they neither begin nor end with
    a stop word.

    A run without spaces gives its parts.
    """
    found = split_question(question)[:MOST_WORDS]
    stops = [token.folded in STOP_WORDS and not _may_name(token) for token in found]
    out: list[Gram] = []
    for start, token in enumerate(found):
        if stops[start]:
            continue
        if has_unspaced(token.text):
            out.extend(_split_unspaced(token.text, start)[: max(MOST_PIECES - len(out), 1)])
            continue
        if bare := _without_s(found, start):
            out.append(Gram(text=bare, start=start, end=start + 1))
        for end in range(start + 1, min(start + LONGEST_NAME, len(found)) + 1):
            last = found[end - 1]
            if end - start > 1 and last.parts:
                break
            if not stops[end - 1]:
                out.append(Gram(text=question[token.start : last.stop], start=start, end=end))
            elif last.folded not in _JOINS:
                break
    return tuple(out)


def _without_s(said: Sequence[Token], place: int) -> str:
    """Returns `tom` for `toms` before what Tom may have."""
    token = said[place]
    ends_in_s = token.folded.endswith("s") and len(token.folded) >= SHORTEST_SLIP
    if token.owns or not ends_in_s:
        return ""
    after = said[place + 1] if place + 1 < len(said) else None
    if after is None or after.parts:
        return ""
    may_own = relation_of_noun(after.folded) is not None or not is_common(token.folded)
    return token.text[:-1] if may_own else ""


def _may_name(token: Token) -> bool:
    if token.folded not in NAMES_TOO:
        return False
    return token.capital or token.owns or token.first


def _split_unspaced(text: str, place: int) -> list[Gram]:
    sizes = range(min(LONGEST_PIECE, len(text)), 1, -1)
    runs = (text[at : at + size] for size in sizes for at in range(len(text) - size + 1))
    every = dict.fromkeys([text, *runs])
    return [Gram(text=piece, start=place, end=place + 1) for piece in list(every)[:MOST_PIECES]]


def keys_of(gram: Gram) -> tuple[str, ...]:
    """Returns the keys under which the store's name index is asked: parts of names only for single
    words.
    """
    if has_unspaced(gram.text):
        return name_keys(gram.text)[:1]
    keys = name_keys(gram.text)
    return (
        keys
        if gram.end - gram.start == 1
        else tuple(key for key in keys if not key.startswith("t:"))
    )
