"""Names by their capitals: runs of words that are written as names are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from factbook.extract.local import cues
from factbook.extract.local.lexicon import given_name, listed_names, role_words
from factbook.extract.local.naming.text import RUN, Candidate, Text, is_capital, is_soft
from factbook.extract.local.parse import Word
from factbook.text.stop_names import PRONOUNS, TIMES, is_greeting

TITLES = frozenset(
    "mr mrs ms miss mx dr prof professor sir madam herr frau mme mlle señor señora sr sra".split()
)
_OF_AFTER = (
    cues.ORGANIZATION_ENDS
    | cues.PLACE_ENDS
    | frozenset("lord call world game games house bank legend".split())
)
PARTICLES = frozenset(
    "de da di del della der den van von la le el al bin ibn ben ter dos das du & 't".split()
)
_OWNED_NAMES = frozenset(
    "hospital college church cathedral university school academy restaurant cafe pub inn bakery square park day".split()
)
"""What is called after someone, with the apostrophe: `St. Olav's Hospital`."""
JOINED_AFTER = frozenset(
    "based like style powered driven only free only friendly level wide side ish esque".split()
)
_WEEKDAYS_IN_NAMES = frozenset(
    {("black", "friday"), ("good", "friday"), ("cyber", "monday"), ("super", "tuesday")}
)
_NUMERAL = re.compile(r"\d{1,4}(?:\.\d{1,3})?[a-z]?|[IVX]{1,4}|[A-Z]?\d{1,3}[A-Z]?")


def runs(text: Text) -> Iterator[Candidate]:
    if not text.capitals:
        return
    words, i = text.words, 0
    while i < len(words):
        if not _begins(text, i):
            i += 1
            continue
        end = i + 1
        while (further := _continues(text, i, end)) > end:
            end = further
        yield from _trimmed(text, i, end)
        i = end


def _begins(text: Text, i: int) -> bool:
    word = text.words[i]
    if (
        not is_capital(word)
        or not word.text[0].isalpha()
        or word.pos in {"PUNCT", "SYM"}
        or "@" in word.text
    ):
        return False
    if "://" in word.text or word.text.startswith("www.") or _goes_on(text, i):
        return False
    if not is_soft(text.words, i):
        return True
    if is_greeting(word.lower) or word.lower in PRONOUNS:
        return False
    given = given_name(word.lower)
    listed = listed_names().get(word.lower, ())
    if (given and not given.common) or any(not each.common for each in listed):
        return True
    return word.pos == "PROPN" or (text.english and not text.is_word(word) and word.pos != "INTJ")


def _continues(text: Text, start: int, end: int) -> int:
    """The end of the run with one more word in it, or `end`."""
    words = text.words
    if end >= len(words) or words[end].sentence != words[start].sentence:
        return end
    word, last = words[end], words[end - 1]
    apart = last.stop < word.start
    following = (
        words[end + 1]
        if end + 1 < len(words) and words[end + 1].sentence == word.sentence
        else None
    )
    if word.text in {"-", "‐"} and not apart and following and following.start == word.stop:
        return end + 2 if is_capital(following) or _is_joined(text, following) else end
    if (
        word.lower in {"'s", "’s"}
        and not apart
        and following
        and following.lower in _OWNED_NAMES
        and is_capital(following)
    ):
        return end + 2
    if is_capital(word) and word.text[0].isalnum() and word.pos != "PUNCT":
        return end + 1 if apart or last.text == "-" else end
    if (
        _NUMERAL.fullmatch(word.text)
        and not _goes_on(text, end)
        and apart
        and last.text.isalnum()
        and word.pos == "NUM"
    ):
        return end + 1 if last.lower not in TIMES else end
    binds = word.lower in PARTICLES or (word.lower == "of" and last.lower in _OF_AFTER)
    if binds and following and is_capital(following) and apart:
        return end + 2
    if word.lower == "of" and following and following.lower == "the" and last.lower in _OF_AFTER:
        after = words[end + 2] if end + 2 < len(words) else None
        return end + 3 if after is not None and is_capital(after) else end
    return end


def _goes_on(text: Text, i: int) -> bool:
    """`Do` of `Don't`, `5` of `5km`: the tokenizer's part of a word."""
    following = text.words[i + 1] if i + 1 < len(text.words) else None
    return (
        following is not None
        and following.start == text.words[i].stop
        and following.text[0].isalnum()
    )


def _is_joined(text: Text, word: Word) -> bool:
    """Whether a small word after a hyphen belongs to the name (`Bryn-ilo`), or only leans on it
    (`Python-based`).
    """
    strange = word.pos == "PROPN" or not text.is_word(word)
    return word.text.isalpha() and word.lower not in JOINED_AFTER and strange


def _trimmed(text: Text, start: int, end: int) -> Iterator[Candidate]:
    """The run without titles, roles, greetings and times at its edges."""
    words = text.words
    evidence: dict[str, float] = {}
    while start < end:
        word = words[start]
        plain = word.lower.rstrip(".")
        if plain in TITLES and end - start > 1:
            evidence["person"] = 3.0
        elif plain in role_words() and end - start > 1 and _is_role(word, words[start + 1 : end]):
            evidence["person"] = 1.5
        elif _is_plain_start(text, start, end):
            pass
        elif not (
            is_greeting(plain) or _is_loose_time_before(text, start, end) or word.text in PARTICLES
        ):
            break
        start += 1
    while end > start and (
        _is_loose_time(words, end - 1, start)
        or (
            words[end - 1].lower in role_words()
            and words[end - 1].text.isupper()
            and end - start > 1
        )
        or words[end - 1].text in {"-", "&"}
    ):
        end -= 1
    if start < end:
        yield Candidate(start, end, RUN, evidence)


def _is_plain_start(text: Text, start: int, end: int) -> bool:
    """`Lovely Ana`, `Will Tom …`: an ordinary word with its capital from the sentence, before a
    given name.
    """
    first = text.words[start]
    if end - start < 2 or not is_soft(text.words, start) or not text.is_word(first):
        return False
    given, following = given_name(first.lower), given_name(text.words[start + 1].lower)
    plain = given is None or (given.common and first.pos != "PROPN")
    return plain and following is not None and not following.common


def _is_role(word: Word, following: Sequence[Word]) -> bool:
    """`CEO Ana Silva`, `Director Silva`; not `Engineer Guild`, `QA Lab`."""
    return following[-1].lower not in cues.ORGANIZATION_ENDS and (
        word.text.isupper() or len(following) > 1
    )


def _is_loose_time_before(text: Text, start: int, end: int) -> bool:
    """`Monday Tom` and `March Tom`; not `Summer Sale`, `March Madness`."""
    word = text.words[start]
    if word.lower in {"spring", "summer", "autumn", "fall", "winter"} and end - start > 1:
        return False
    if word.lower in _MONTHS and end - start > 1 and text.is_word(text.words[start + 1]):
        return False
    return _is_loose_time(text.words, start)


_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)


_TIMES_IN_FULL = frozenset(
    word for word in TIMES if len(word) > 4 or word in {"june", "july", "am", "pm"}
)


def _is_loose_time(words: Sequence[Word], i: int, start: int | None = None) -> bool:
    if words[i].lower not in _TIMES_IN_FULL:
        return False
    first = i if start is None else start
    before = words[i - 1].lower if i > first else ""
    return (before, words[i].lower) not in _WEEKDAYS_IN_NAMES
