"""Names by their form or by a noun beside them: tickets, services, titles, `project …`, `the …
campaign`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.naming.text import NAMED, Candidate, Text, is_capital, words_at
from factbook.extract.local.parse import Word

TICKET = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w-])")
NO_TICKETS = frozenset(
    "COVID UTF SHA ISO GPT RFC CVE MP MD UTC GMT AES RSA BM HTTP IPV F A B H T G L COVID-19".split()
)
_CODE = re.compile(r"(?<![\w./@-])[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+(?![\w/@-])(?!\.\w)")
_NO_CODE = frozenset(
    """self in full multi micro non pre post co room customer food web mobile real end open client low high third built
    on off up down out all any one two single cross inter intra long short re user""".split()
)


def identifiers(text: Text) -> Iterator[Candidate]:
    for match in TICKET.finditer(text.text):
        if match.group().split("-")[0] not in NO_TICKETS and (
            span := words_at(text, *match.span())
        ):
            yield Candidate(*span, NAMED, {"task": 3.0})
    for match in _CODE.finditer(text.text):
        parts = re.split("[-_]", match.group())
        if (
            parts[-1] in cues.CODE_PARTS
            and parts[0] not in _NO_CODE
            and (span := words_at(text, *match.span()))
        ):
            yield Candidate(*span, NAMED, {"project": 3.0})


def cued(text: Text) -> Iterator[Candidate]:
    if not text.english:
        return
    for word in text.words:
        if word.lower in {"project", "operation", "codename"} and word.i + 1 < len(text.words):
            yield from _after_project(text, word)
        if word.pos in {"NOUN", "PROPN"} and not is_capital(word):
            if word.lower == "campaign":
                yield from _before_head(text, word, "campaign", with_head=False)
            elif word.lower in cues.SYSTEM_HEADS:
                yield from _before_head(text, word, "project", with_head=True)


_QUOTED = re.compile(r'["“]([^"“”\n]{2,60})["”]')


def titles(text: Text) -> Iterator[Candidate]:
    """`"The Night Garden"`: what stands in quotation marks with capitals throughout is a title."""
    for match in _QUOTED.finditer(text.text):
        span = words_at(text, *match.span(1))
        inside = list(text.words[span[0] : span[1]]) if span else []
        large = [
            word
            for word in inside
            if word.text[:1].isupper() or word.lower in _SMALL_WORDS or word.pos == "NUM"
        ]
        closed = bool(inside) and inside[-1].text not in {".", "!", "?", ","}
        if (
            span
            and closed
            and len(large) == len(inside)
            and is_capital(inside[0])
            and len(inside) > 1
        ):
            yield Candidate(*span, NAMED, {"work": 1.6})


_SMALL_WORDS = frozenset("a an the of and or in on at to for from with by & : - 's ' ,".split())


def _after_project(text: Text, word: Word) -> Iterator[Candidate]:
    """`Project Atlas`, `project atlas`, `Operation Night Owl`."""
    words, end = text.words, word.i + 1
    while end < len(words) and words[end].sentence == word.sentence and is_capital(words[end]):
        end += 1
    if end > word.i + 1:
        if is_capital(word) or word.lower == "project":
            start = word.i if is_capital(word) else word.i + 1
            yield Candidate(start, end, NAMED, {"project": 3.0})
        return
    name = words[end]
    following = words[end + 1] if end + 1 < len(words) else None
    alone = following is None or following.pos not in {"NOUN", "PROPN"}
    plain = (
        name.text.isalpha()
        and name.lower not in cues.NOT_A_PROJECT_NAME
        and name.pos in {"NOUN", "PROPN", "X"}
    )
    if word.lower == "project" and plain and alone and name.head is not word and name.tag != "NNS":
        yield Candidate(word.i, end + 1, NAMED, {"project": 2.0})


def _before_head(text: Text, head: Word, kind: str, *, with_head: bool) -> Iterator[Candidate]:
    """`the spring sneakers campaign`, `the orders pipeline`: definite, and with a noun that tells
    which one.
    """
    words, start = text.words, head.i
    while (
        start
        and start <= words[start - 1].head.i <= head.i
        and words[start - 1].dep in {"compound", "nmod", "amod"}
    ):
        start -= 1
    modifiers = words[start : head.i]
    if not modifiers or not 1 <= len(modifiers) <= 4 or any(map(is_capital, modifiers)):
        return
    definite = start > 0 and words[start - 1].lower in {"the", "our", "my", "their", "this", "that"}
    if (
        not definite
        or modifiers[0].lower in cues.GENERIC_MODIFIERS
        or modifiers[-1].dep not in {"compound", "nmod"}
    ):
        return
    if modifiers[0].tag in {"JJR", "JJS"}:
        return
    yield Candidate(start, head.i + with_head, NAMED, {kind: 2.0})
