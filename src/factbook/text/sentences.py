"""Where a text may be cut: after sentences, and after lines of code, tables and lists. Never within
a line of code.

Spans count characters of the text. Scripts with full stops of their own are known (`。`, `।`, `؟`,
`።`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

SHORT = 40
"""Words of a paragraph, item or line of a transcript that stays whole."""
LONGEST = 60
"""Words of a piece of prose that is not cut further; one without sentence marks is cut at commas,
or else at spaces.
"""
LONGEST_UNSPACED = 120
"""The same in characters, where there are no spaces."""

_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_CODE_BEGINS = re.compile(
    r"(?:\t| {4})\s*\S"  # indented
    r"|\s*(?:\||\$ |>>> |//|/\*|\*/|#(?!#*\s)|--\s|@\w+\s*$|[{}\[\]<]|\d{1,6}\s*[|:]\s{2,})"
    r"|\s*(?:def|class|import|from|return|const|let|var|function|public|private|static|void|"
    r"export|elif|else|try|except"
    r"|finally|package|using|fn|impl|func|type|struct|enum|SELECT|INSERT|UPDATE|DELETE|"
    r"CREATE)\b[^\n]*[:;{}()=,\]]\s*$"
)
_CODE_ENDS = re.compile(r"(?:[;{}]|\)\s?:|=>|&&|\|\|)\s*$")
_CODE_HOLDS = re.compile(
    r"\w\(\S{0,40}\)[.;]|\s[=!]=\s|\s=>\s|\s->\s\w|\w::\w|</\w|\s[+\-*/]?=\s\S"
)
_MUCH = 400
"""Characters of a line that are looked at to tell code."""
_NEW = re.compile(r"\s*(?:[-*+•–—‣◦]\s|\d{1,3}[.)]\s|#{1,6}\s|>|[^\W_a-z]|[\d\"'“‘«(\[])")
"""A line that goes on with no sentence of the line before: an item, a heading, a quotation, one
that begins like a sentence.
"""
_ENDED = re.compile(r"[.!?…:;。！？।؟۔።][\"'”’»)\]]*\s*$")
_STOP = re.compile(
    r"(?<![.!?…])[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？｡]+[」』”’）]*|(?<![।॥؟۔።])[।॥؟۔።]+[\"'”’»)\]]*(?=\s)"
)
"""Signs that end a sentence. A run of them is tried from its beginning only: from within it ends at
the same place.
"""
_TITLE = re.compile(
    r"(?:^|[\s(\"'“‘])(?:[^\W\d_]|[\w.]*\w\.\w|mr|mrs|ms|dr|prof|st|vs|gen|col|lt|sgt|rev|hon|"
    r"messrs|mme|mlle|fr|hr)\.$",
    re.IGNORECASE,
)
"""What a name or more follows: an initial, `e.g.`, a title."""
_SHORTENED = re.compile(
    r"(?:^|[\s(\"'“‘])(?:etc|approx|no|nr|fig|inc|ltd|co|corp|jr|sr|dept|est|jan|feb|mar|apr|jun|"
    r"jul|aug|sep|sept|oct|nov"
    r"|dec|mon|tue|wed|thu|fri|sat|sun|ca|cf|al|max|min|vol|pp|sec|ch|bzw|usw|ggf|evtl)\.$",
    re.IGNORECASE,
)
"""What ends no sentence where a number or a small letter follows."""
_ITEM = re.compile(r"(?:[-*+•]\s{0,40})?\d{1,3}\.$")
_PAUSE = re.compile(r"[,;:](?=\s)|\s[–—-](?=\s)|[，、；：]")
_SPACE = re.compile(r"\s+")
_LABEL = re.compile(
    r"(?:[\[(]?\d[\d:.,/ -]{0,20}(?:[ap]m)?[\])]?,?\s*(?:[-–—]\s)?)?[*_]{0,2}[^\W\d_][\w.'’-]*(?: "
    r"[\w.'’()-]+){0,3}[*_]{0,2}:[*_]{0,2}(?=\s|$)",
    re.IGNORECASE,
)
"""What a line of a transcript begins with: `Tom:`, `[10:32] Tom Berger:`, `**Tom**:`."""
_STAMPED = re.compile(r"\s*\[\d[\d:., /-]*(?:[ap]m)?\]", re.IGNORECASE)
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def split_pieces(text: str) -> list[Span]:
    """Returns the pieces of a text, in order, without the white space between them; together they
    hold all its words.
    """
    out: list[Span] = []
    for start, end, code in _split_blocks(text):
        if code or _is_short(text, start, end):
            out.append((start, end))
        else:
            if label := _LABEL.match(text, start, end):
                out.append((start, label.end()))
                start = _after_space(text, label.end(), end)
            out.extend(_split_block(text, start, end))
    return out


def split_sentences(text: str) -> list[Span]:
    """Returns the sentences of a text, in order; a line of code is one.

    Unlike `split_pieces`, short paragraphs are parted too, and what a line of a transcript begins with is
    left out.
    """
    out: list[Span] = []
    for start, end, code in _split_blocks(text):
        if code:
            out.append((start, end))
            continue
        if label := _LABEL.match(text, start, end):
            start = _after_space(text, label.end(), end)
        out.extend(_split_block(text, start, end))
    return out


def is_label(piece: str) -> bool:
    """Returns whether it is the speaker's name that a line of a transcript begins with."""
    return bool(_LABEL.fullmatch(piece))


def _is_short(text: str, start: int, end: int) -> bool:
    return (
        end - start <= 8 * SHORT
        and len(text[start:end].split()) <= SHORT
        and not _UNSPACED.search(text, start, end)
    )


def _split_blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Paragraphs (over as many lines as they go on) and single lines of code: start, end, whether
    it is code.
    """
    fenced = False
    begun: Span | None = None
    last = 0
    for found in _LINE.finditer(text):
        line = found.group()
        if not line.strip():
            continue
        fence = bool(_FENCE.match(line))
        code = fence or fenced or is_code(line)
        fenced = fenced != fence
        apart = code or text.count("\n", last, found.start()) > 1
        if begun and (apart or _is_parted(text[max(begun[0], begun[1] - 8) : begun[1]], line)):
            yield (*begun, False)
            begun = None
        start, last = (
            found.start() + len(line) - len(line.lstrip()),
            found.start() + len(line.rstrip()),
        )
        if code:
            yield (start, last, True)
        else:
            begun = (begun[0] if begun else start, last)
    if begun:
        yield (*begun, False)


def _is_parted(before: str, line: str) -> bool:
    return bool(_NEW.match(line)) or bool(_ENDED.search(before))


def is_code(line: str) -> bool:
    """Returns whether the line reads like one of a program."""
    head = line[:_MUCH]
    if _STAMPED.match(head) and _LABEL.match(head.lstrip()):
        return False
    return bool(
        _CODE_BEGINS.match(head) or _CODE_ENDS.search(line[-8:]) or _CODE_HOLDS.search(head)
    )


def _split_block(text: str, start: int, end: int) -> Iterator[Span]:
    for found in _STOP.finditer(text, start, end):
        if _goes_on(text, start, found.end()):
            continue
        yield from _split_long(text, start, found.end())
        start = _after_space(text, found.end(), end)
    if start < end:
        yield from _split_long(text, start, end)


def _goes_on(text: str, start: int, stop: int) -> bool:
    """Returns whether a full stop is that of a title, an abbreviation or an item's number."""
    before = text[max(start, stop - 12) : stop]
    follows = text[stop + 1 : stop + 2]
    if not before.endswith("."):
        return False
    if _TITLE.search(before) or _ITEM.fullmatch(text, start, stop):
        return True
    continues = follows.isdigit() or follows.islower()
    return continues and bool(_SHORTENED.search(before))


def _split_long(text: str, start: int, end: int) -> Iterator[Span]:
    """Yields a sentence, or parts of one that is too long."""
    while start < end:
        stop = _find_reach(text, start, end)
        if stop < end:
            pauses = [found.end() for found in _PAUSE.finditer(text, (start + stop) // 2, stop)]
            stop = pauses[-1] if pauses else stop
        yield (start, stop)
        start = _after_space(text, stop, end)


def _find_reach(text: str, start: int, end: int) -> int:
    """Returns the end of as many words as a piece may have."""
    far = start + LONGEST_UNSPACED
    if (
        end - start > LONGEST_UNSPACED
        and 2 * len(_UNSPACED.findall(text, start, far)) > LONGEST_UNSPACED
    ):
        return far
    for number, found in enumerate(_SPACE.finditer(text, start, end), 1):
        if number == LONGEST:
            return found.start()
    return end


def _after_space(text: str, place: int, end: int) -> int:
    found = _SPACE.match(text, place, end)
    return found.end() if found else place
