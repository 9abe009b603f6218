"""Texts that are hard to read: long runs of one sign, of one word, of beginnings without an end,
and no spaces at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

Shape = Callable[[int], str]
"""Gives a text of about so many characters."""


def _of(unit: str) -> Shape:
    """Whole units: a part of one at the end would make texts of two sizes differ in more than
    that.
    """
    return lambda size: unit * (size // len(unit))


def _drawn(letters: str) -> Shape:
    return lambda size: "".join(random.Random(7).choices(letters, k=size))


def _late(unit: str, end: str) -> Shape:
    """The end comes once, behind everything."""
    return lambda size: _of(unit)(size - len(end)) + end


SHAPES: Mapping[str, Shape] = {
    "numbers and commas": _of("12345,"),
    "JSON": _of('{"name":"value","count":12,"list":[1,2,3]},'),
    "dots": _of("."),
    "blanks": _of(" "),
    "sk-": _of("sk-"),
    "a letter": _of("a"),
    "digits": _of("7"),
    "lines": _of("\n"),
    "blank lines": _of(" \t\n"),
    "opening brackets": _of("([{"),
    "quotation marks": _of("\"'“"),
    "addresses": _of("a.b@c-d."),
    "links": _of("https://a.example/b?c=d&"),
    "letters and digits": _drawn("ABCDEFabcdef0123456789+/"),
    "signs": _drawn(".,;:!?()[]{}\"'-_/\\ "),
    "Han without spaces": _of("漢字仮名交じり文"),
    "pictures": _of("👩\u200d👩\u200d👧"),
    "marks on a letter": _of("e\u0301\u0302"),
    "names": _of("Anna Berger and "),
    "words": _drawn("abcde  "),
    "times": _of("before May 2023 in two weeks "),
    "corrections": _of("sorry, not Porto but Lisbon. "),
    "passwords": _of("my password is "),
    "key blocks": _of("-----BEGIN PRIVATE KEY-----"),
    "memory tags": _of("<memory> "),
    "fences": _of("``` `x"),
    "a transcript": _of("Tom: hi\n"),
    "a list": _of("- item\n"),
    "birthdays": _of("at the birthday of who is more "),
    "one late stop": _late("a ", ". Not so."),
}
