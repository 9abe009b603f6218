"""Finding names in texts as people write them, to put something else in their place."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from factbook.text.common_words import is_common

_MARKS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"}
)
_APOSTROPHES = str.maketrans(dict.fromkeys("’ʼ`´‘", "'"))
_GAP = r"[\s\-_.]+"
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)

_RUN = re.compile(r"[^\W_]+")
_FEW_NAMES = 16
"""So many names are looked for one by one; more of them among all the words of a text, so that the
time doesn't grow with their number.
"""
_KEPT = 1000
"""Patterns that are kept compiled."""


class Edit(NamedTuple):
    """A replacement: what stands in [start, end) of a text becomes `new`."""

    start: int
    end: int
    new: str

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end


class Mask:
    """Replaces whole names whatever their case, width, Latin marks, apostrophes, hyphens and hidden
    characters.
    """

    def __init__(
        self, names: Iterable[str], replacement: str, *, proper: Iterable[str] = ()
    ) -> None:
        """`proper` are single words that count only where they are written as a name."""
        names = list(names)
        words = [word for word in proper if word not in names]
        found = {
            pattern: _longest_run(name) for name in [*names, *words] if (pattern := _pattern(name))
        }
        self._proper = {_fold(word)[0] for word in words}
        self._patterns = sorted(found, key=lambda pattern: (-len(pattern), pattern))
        self.replacement = replacement
        self._loose: list[tuple[str, int]] = []
        self._words: dict[str, list[int]] = {}
        few = len(self._patterns) <= _FEW_NAMES
        for number, pattern in enumerate(self._patterns):
            run = found[pattern]
            is_word = run and "'" not in pattern and not _UNSPACED.search(run)
            if few or not is_word:
                self._loose.append((run, number))
            else:
                self._words.setdefault(run, []).append(number)
        self._compiled: dict[tuple[int, ...], re.Pattern[str]] = {}

    def may_hold(self, text: str) -> bool:
        """False only where no name stands in the text, nor in what the text holds as JSON; a quick
        look.
        """
        return bool(self._patterns) and bool(
            self._candidates(text.lower() if text.isascii() else _folded(text))
        )

    def _candidates(self, folded: str) -> tuple[int, ...]:
        """Returns the names whose longest run of letters stands in the text: as a word of it, or
        anywhere, where the name needs no bounds or there are but few names.
        """
        found = [number for run, number in self._loose if run in folded]
        if self._words:
            for word in set(_RUN.findall(folded)):
                # In JSON a word may follow on the letters of an escape: `\\nTom`, `\\u001fTom`.
                for each in (word, word[1:], word[5:]):
                    found += self._words.get(each, ())
        return tuple(sorted(set(found)))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Finds the names in the text: [start, end) each, in order, not overlapping."""
        if not text or not self._patterns:
            return []
        folded = text.lower().replace("`", "'") if text.isascii() else _folded(text)
        pattern = self._pattern(self._candidates(folded))
        if pattern is None:
            return []
        if text.isascii():
            return [
                match.span()
                for match in pattern.finditer(folded)
                if self._counts(text, match, match.start())
            ]
        folded, places = _fold(text)
        return [
            (places[match.start()], _after(text, places[match.end() - 1]))
            for match in pattern.finditer(folded)
            if self._counts(text, match, places[match.start()])
        ]

    def _counts(self, text: str, found: re.Match[str], place: int) -> bool:
        return found.group() not in self._proper or is_written_as_name(text, place, found.group())

    def _pattern(self, numbers: tuple[int, ...]) -> re.Pattern[str] | None:
        """Returns one pattern of these names, the longest first."""
        if numbers and numbers not in self._compiled:
            if len(self._compiled) >= _KEPT:
                self._compiled.clear()
            self._compiled[numbers] = re.compile(
                "|".join(self._patterns[number] for number in numbers)
            )
        return self._compiled.get(numbers)

    def text(self, text: str) -> str:
        """Returns the text with every name replaced; the same object where there is none."""
        return put_in_place(text, self.edits(text))

    def edits(self, text: str, cuts: Sequence[tuple[int, int]] = ()) -> list[Edit]:
        """Returns the replacement of each name in the text, in order; nothing is left of `cuts`,
        which don't overlap.
        """
        gone = Spans(cuts)
        masked = [
            Edit(start, end, self.replacement)
            for start, end in self.spans(text)
            if gone.over(start, end) is None
        ]
        return sorted([*masked, *(Edit(start, end, "") for start, end in cuts)])


class Spans:
    """Places of a text, in order and apart from one another."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = sorted(spans)
        self._starts = [start for start, _ in self._spans]

    def over(self, start: int, end: int) -> tuple[int, int] | None:
        """Returns the last of them that shares a character with [start, end)."""
        place = bisect_left(self._starts, end) - 1
        return self._spans[place] if place >= 0 and self._spans[place][1] > start else None


def put_in_place(text: str, edits: Sequence[Edit]) -> str:
    """Returns the text with these edits; the same object where there are none."""
    if not edits:
        return text
    parts: list[str] = []
    last = 0
    for start, end, new in edits:
        parts += (text[last:start], new)
        last = end
    return "".join((*parts, text[last:]))


def moved(place: int, edits: Sequence[Edit], *, end: bool = False) -> int:
    """Maps a place of the old text to the new one; within an edit, to its edge on that side."""
    shift = 0
    for start, stop, new in edits:
        if place >= stop and not (place == stop and start == stop):
            shift += len(new) - (stop - start)
        elif place > start:
            return start + shift + (len(new) if end else 0)
    return place + shift


_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_OF_A_TIME = re.compile(
    r"(?:\b(?:in|of|on|by|since|until|till|from|to|through|during|before|after|this|last|next|"
    r"early|mid|late|every)"
    r"|\d(?:st|nd|rd|th)?\.?,?)[\s-]+$",
    re.IGNORECASE,
)
_DAY_OR_YEAR = re.compile(r"[\s,.-]*\d")
_BEGINS = re.compile(r"(?:^|[.!?…:;。\n]|[-*•–—]\s)[\s\"'“‘«(\[]*$")


def is_written_as_name(text: str, place: int, word: str) -> bool:
    """Returns whether a word that may be a name is written as one there: in capitals, and neither a
    month's nor, where it is an everyday word, the first of a sentence.
    """
    if not text[place].isupper():
        return False
    before, after = (
        text[max(0, place - 24) : place],
        text[place + len(word) : place + len(word) + 8],
    )
    if word in _MONTHS and (_OF_A_TIME.search(before) or _DAY_OR_YEAR.match(after)):
        return False
    return not (is_common(word) and _BEGINS.search(before)) or after[:2] in ("'s", "’s")


def _pattern(name: str) -> str:
    folded, _ = _fold(name)
    tokens = [token for token in re.split(_GAP, folded) if token]
    if not any(
        token.strip("'") for token in tokens
    ):  # nothing but signs: as it stands, an apostrophe with it
        return re.escape(folded.strip())
    inner = _GAP.join(re.escape(token).replace("'", "'?") for token in tokens)
    first, last = tokens[0][0], tokens[-1][-1]
    before = r"(?<![^\W_])" if first.isalnum() and not _UNSPACED.match(first) else ""
    after = r"(?![^\W_])" if last.isalnum() and not _UNSPACED.match(last) else ""
    return f"{before}{inner}{after}"


def _longest_run(name: str) -> str:
    """Returns the longest run of letters and digits in a name as it is compared; empty for one of
    nothing but signs.
    """
    return max(_RUN.findall(_fold(name)[0]), key=len, default="")


_FEW = 24
"""So many characters beyond ASCII are replaced one by one; more of them go through a table."""


def _folded(text: str) -> str:
    """Returns the text as names are compared, all at once; without the places."""
    strange = {char for char in set(text) if not char.isascii()}
    if len(strange) > _FEW:
        return text.translate(_TABLE)
    for char in strange:
        text = text.replace(char, _TABLE[ord(char)])
    return text.lower()


class _Table(dict[int, str]):
    """A table of the character that each is compared as, filled as they come."""

    def __missing__(self, code: int) -> str:
        self[code] = _fold_char(chr(code))
        return self[code]


_TABLE = _Table()


def _fold(text: str) -> tuple[str, list[int]]:
    """Returns the text as names are compared, and for each of its characters where it comes
    from.
    """
    out: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        folded = _fold_char(char)
        out.append(folded)
        places.extend([place] * len(folded))
    return "".join(out), places


def _fold_char(char: str) -> str:
    if unicodedata.category(char) == "Cf":
        return ""
    folded = unicodedata.normalize("NFKD", char.casefold())
    return _MARKS.sub("", folded).translate(_LETTERS).translate(_APOSTROPHES)


def _after(text: str, place: int) -> int:
    """Returns the end of the character at `place`, with the marks and hidden characters that belong
    to it.
    """
    end = place + 1
    while end < len(text) and not _fold_char(text[end]):
        end += 1
    return end
