"""Index words: how a line and a question are cut into the words that are compared.

Words are folded (Unicode compatibility form, case, marks on Latin letters, apostrophes), stop words
are left out, and the rest is stemmed by Snowball's English stemmer, which leaves words of other
alphabets as they are. Runs of Han, Hiragana, Katakana, Thai and the like, which are written without
spaces, give overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Protocol, cast

from factbook.text.word_lists import load_words

_MARKS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_POSSESSIVE = re.compile(r"['’ʼ]s\b")
_APOSTROPHE = re.compile(r"['’ʼ`´]")
_WORD = re.compile(r"[^\W_]+(?:[+#]+(?!\w))?")
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"}
)
LONGEST_WORD = 64

STOP_WORDS = load_words("text/stop_words")
"""Words too common in talk to tell one line from another."""


def fold_text(text: str) -> str:
    """Returns the text folded as index words are: case, marks on Latin letters, apostrophes."""
    if text.isascii():
        folded = text.lower()
    else:
        folded = unicodedata.normalize("NFKD", text.casefold())
        folded = unicodedata.normalize("NFC", _MARKS.sub("", folded)).translate(_LETTERS)
    return _APOSTROPHE.sub("", _POSSESSIVE.sub("", folded))


def index_words(text: str) -> list[str]:
    """Returns the index words of a text, in order, repetitions kept."""
    out: list[str] = []
    for word in _WORD.findall(fold_text(text)):
        if word.isascii():
            if word not in STOP_WORDS:
                out.append(stem(word[:LONGEST_WORD]))
        elif _UNSPACED.search(word):
            out.extend(_split_pairs(word))
        else:
            out.append(word[:LONGEST_WORD])
    return out


def stem_beginnings(asked: Iterable[str]) -> tuple[str, ...]:
    """Returns beginnings of words of which these index words may be the stems: stemming alters at
    most the last letter that it leaves (`happi`, `hope`), but for short words such as `dying`
    (`die`).
    """
    words = set(asked)
    begin = {word[:-1] if len(word) > 2 else word for word in words}
    return tuple(
        begin | {f"{word[0]}y" for word in words if len(word) == 3 and word.endswith("ie")}
    )


def words_like(text: str, begin: tuple[str, ...]) -> frozenset[str]:
    """Returns the index words of a text that may be among some, of which these are the
    `stem_beginnings`. Stemming is what costs.
    """
    out: list[str] = []
    for word in _WORD.findall(fold_text(text)):
        if not word.isascii():
            out.extend(index_words(word))
        elif word.startswith(begin) and word not in STOP_WORDS:
            out.append(stem(word[:LONGEST_WORD]))
    return frozenset(out)


def date_words(at: datetime) -> list[str]:
    """Returns the index words of a day, as people write it: `8 May 2023`."""
    at = at.astimezone(UTC)
    return index_words(f"{at.day} {at:%B} {at.year}")


def message_words(speaker: str, at: datetime, text: str) -> list[str]:
    """Returns the index words of a message's line: who, when and what."""
    return [*index_words(speaker), *date_words(at), *index_words(text)]


class _Stemmer(Protocol):
    def stemWord(self, word: str, /) -> str: ...  # noqa: N802 - the library's name


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Returns the stem of a folded English word."""
    return _load_stemmer()(word) if word.isalpha() else word


@cache
def _load_stemmer() -> Callable[[str], str]:
    import snowballstemmer

    # The library has no types; what it is used for here is this much.
    stemmer = cast(_Stemmer, snowballstemmer.stemmer("english"))  # pyright: ignore[reportUnknownMemberType]
    return stemmer.stemWord


def _split_pairs(word: str) -> list[str]:
    out: list[str] = []
    last = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > last:
            out.append(word[last : run.start()][:LONGEST_WORD])
        text = run.group()
        out.extend([text] if len(text) == 1 else [text[i : i + 2] for i in range(len(text) - 1)])
        last = run.end()
    if last < len(word):
        out.append(word[last:][:LONGEST_WORD])
    return out
