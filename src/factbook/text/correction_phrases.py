"""What a message takes back of what was said before: `sorry, it's Lisbon, not Porto`, `scratch
that`, `I meant …`.

English. Only the words are read here; whose statement is meant is decided where statements are
known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Correction:
    """A part of a text that corrects.

    Attributes:
        start, stop: its characters. quote: they themselves.
        wrong, right: what was wrong and what is right, as written; empty where they aren't named.
        cued: a word says that it is a correction. Else it is a contrast (`in Lisbon, not Porto`),
            and the other may have been so before.
        strong: the word can mean nothing else.
        scratches: what was said last is taken back whole.
    """

    start: int
    stop: int
    quote: str
    wrong: str = ""
    right: str = ""
    cued: bool = True
    strong: bool = False
    scratches: bool = False


_SCRATCH = (
    r"(?:scratch|strike) that|(?:please )?(?:forget|ignore|disregard) what i (?:just "
    r")?(?:said|wrote)"
)
_STRONG = (
    rf"{_SCRATCH}|"
    r"(?:small |quick |a )?correction|i mis(?:spoke|typed)|i meant(?: to (?:say|write))?|"
    r"(?:no,? )?(?:that|this)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|true)|a "
    r"(?:mistake|typo))|"
    r"i (?:was wrong|got (?:that|it) wrong|made a (?:mistake|typo))|let me correct (?:that|myself)|"
    r"my (?:mistake|bad)"
)
_WEAK = (
    r"(?:that|it|this) should (?:be|have been|read)|make (?:it|that)|(?:forget|ignore|"
    r"disregard) that|sorry|apologies|oops|whoops|(?:wait|actually),? no|no,? (?:wait|sorry|"
    r"actually)|i mean"
)
_CUE = re.compile(
    rf"(?:(?<=^)|(?<=[\s(\"“—–-]))(?:(?P<strong>{_STRONG})|(?P<weak>{_WEAK}))\b", re.IGNORECASE
)
_SCRATCHES = re.compile(_SCRATCH, re.IGNORECASE)
_VALUE = r"[^\s,.;:!?()\"“”—][^,;:!?()\"“”—\n]{0,58}?"
_LEAD = (
    r"(?:(?:it|that|this|he|she|they)(?:'s|’s|'re|’re| is| was| are| were| should (?:be|have "
    r"been))|in|at|on|from)\s+"
)
_END = r"(?=\s*(?:[,;:!?()\n—]|\.(?:\s|$)|$))"
_NOT = re.compile(
    rf"(?P<right>{_VALUE}),?\s++(?:and\s++)?(?:not|instead of|rather "
    rf"than)\s+(?P<wrong>{_VALUE}){_END}",
    re.IGNORECASE,
)
_BUT = re.compile(
    rf"\bnot\s+(?P<wrong>{_VALUE})(?:,\s*|\s+but\s+)(?:(?:it|that)(?:'s|’s| "
    rf"is)\s+)?(?P<right>{_VALUE}){_END}",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"^[\s,:—-]*(?:{_LEAD})?(?P<right>{_VALUE}){_END}[\s.!]*$", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\w)[^.!?\n]+)*[.!?]*")
_LEADING = re.compile(
    rf"^(?:{_LEAD}|(?:the|a|an|my|our|his|her|their|is|was|are)\s+)+", re.IGNORECASE
)
_MOST_WORDS = 6
_NO_VALUE = frozenset("that it this so all anymore any true right correct sure".split())

_CONTRAST = re.compile(r"\b(?:not|instead of|rather than)\s", re.IGNORECASE)
_BETWEEN = re.compile(r"\s(?:not|instead of|rather than)\s", re.IGNORECASE)
_NEVER = re.compile(r"\bnever\b", re.IGNORECASE)
_FORMER = re.compile(r"\b(?:again|no longer|any ?more|used to|stopped|quit|left)\b", re.IGNORECASE)


def says_never(quote: str) -> bool:
    """Returns whether what is denied was never so (`never lived in Porto`), and hasn't merely
    ended.
    """
    return bool(_NEVER.search(quote)) and not _FORMER.search(quote)


def has_cue(text: str) -> bool:
    """Returns whether the text may correct anything; cheap."""
    return bool(_CUE.search(text) or _BETWEEN.search(text))


def find_corrections(text: str) -> list[Correction]:
    """Returns the corrections of a text, in its order."""
    return list(_find_in_parts(text))


def _find_in_parts(text: str) -> Iterator[Correction]:
    sentences = list(_SENTENCE.finditer(text))
    taken = -1
    for number, sentence in enumerate(sentences):
        if number == taken:
            continue
        begin, part = sentence.start(), sentence.group()
        cues = list(_CUE.finditer(part))
        if not cues:
            yield from _find_contrasts(text, begin, part)
            continue
        cue = cues[-1]
        strong = any(each["strong"] for each in cues)
        scratches = any(_SCRATCHES.fullmatch(each.group()) for each in cues)
        rest, stop = part[cue.end() :], sentence.end()
        if not rest.strip(" ,.!:—-") and number + 1 < len(sentences):
            # `Scratch that. It's Lisbon.`
            taken, rest = number + 1, sentences[number + 1].group()
            stop = sentences[number + 1].end()
        start = begin + cues[0].start()
        if not rest.strip(" ,.!:—-") and part[: cues[0].start()].strip():
            # `It was Lisbon, not Porto, sorry.`
            start, rest = begin, part[: cues[0].start()].rstrip(" ,—-")
        wrong, right = _read_named(rest, strong=strong)
        yield Correction(
            start, stop, text[start:stop].strip(), wrong, right, strong=strong, scratches=scratches
        )


def _find_contrasts(text: str, begin: int, part: str) -> Iterator[Correction]:
    """Yields contrasts such as `lives in Lisbon, not Porto`."""
    if not _CONTRAST.search(part):
        return
    for found in _NOT.finditer(part):
        wrong, right = _trim_value(found["wrong"]), _trim_value(found["right"])
        if wrong and right and "," in part[found.end("right") : found.start("wrong")]:
            start = begin + found.start("right")
            yield Correction(
                start,
                begin + found.end(),
                text[begin : begin + len(part)].strip(),
                wrong,
                right,
                cued=False,
            )


def _read_named(rest: str, *, strong: bool) -> tuple[str, str]:
    """Returns the wrong and the right value, where the words after a cue name them."""
    for pattern in (_BUT, _NOT) if _CONTRAST.search(rest) else ():
        for found in pattern.finditer(rest):
            wrong, right = _trim_value(found["wrong"]), _trim_value(found["right"])
            if wrong and right:
                return wrong, right
    alone = _ALONE.match(rest)
    right = _trim_value(alone["right"]) if alone else ""
    return "", right if right and (strong or _LEADING.match(rest.lstrip(" ,:—-"))) else ""


def _trim_value(text: str) -> str:
    """Returns the value without what leads to it; empty for what can be none."""
    value = _LEADING.sub("", text.strip()).strip(" .'\"“”")
    words = value.split()
    return value if 0 < len(words) <= _MOST_WORDS and value.lower() not in _NO_VALUE else ""
