"""Capitals for a text that has none, where lists say that a word is a name: the parser reads those
better.

Offsets don't move: every letter is replaced by one letter. What is kept of a text is always the
text as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from factbook.extract.local.finder import FoundName
from factbook.extract.local.lexicon import MOST_WORDS, given_names, listed_names, surnames
from factbook.text.names import fold

_WORD = re.compile(r"[^\W_]+(?:[.'’+#&/-]+[^\W_]+)*[+#]*")
_FEW = 0.004
"""Capitals a letter up to which a text counts as written without them."""


def restore(text: str, known: Mapping[str, str], found: Sequence[FoundName] = ()) -> str:
    """The text with capitals on listed and known names and those that were found, if it is written
    without; else the text itself.
    """
    letters = sum(map(str.isalpha, text))
    if sum(map(str.isupper, text)) > max(1, _FEW * letters):
        return text
    out = list(text)
    words = list(_WORD.finditer(text))
    i = 0
    while i < len(words):
        i += _capitals(text, words, i, known, out)
    for word in words:
        if (
            any(name.start <= word.start() and word.end() <= name.end for name in found)
            and len(word.group()) > 2
        ):
            _title(out, word)
    return "".join(out)


def _capitals(
    text: str, words: list[re.Match[str]], i: int, known: Mapping[str, str], out: list[str]
) -> int:
    """Puts capitals on the name that begins with a word, and says how many words it has."""
    start = words[i].start()
    for end in range(min(i + MOST_WORDS, len(words)), i, -1):
        stop = words[end - 1].end()
        said = " ".join(text[start:stop].split())
        written = next(
            (each.name for each in listed_names().get(said.lower(), ()) if not each.common), None
        )
        if written is not None and len(written) == stop - start and len(written) > 2:
            out[start:stop] = written
            return end - i
        if (
            end - i > 1
            and words[i].group().lower() not in {"the", "a", "an"}
            and fold(said) in known
        ):
            for each in words[i:end]:
                _title(out, each)
            return end - i
    word = words[i].group().lower()
    if word == "i":
        out[start] = "I"
        return 1
    given = given_names().get(word)
    if i and words[i - 1].group().isdigit():
        return 1  # `20 min`
    if given is None or given.common or len(word) < 3:
        return 1
    _title(out, words[i])
    if (
        i + 1 < len(words)
        and words[i + 1].group().lower() in surnames()
        and text[words[i].end() : words[i + 1].start()] == " "
    ):
        _title(out, words[i + 1])
        return 2
    return 1


def _title(out: list[str], word: re.Match[str]) -> None:
    capital = out[word.start()].upper()
    if len(capital) == 1:
        out[word.start()] = capital
