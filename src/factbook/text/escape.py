"""What stands in memory enters a prompt as data: it can't forge a line, a heading or the end of the
block.
"""

from __future__ import annotations

import re
import unicodedata

_SWAPS = {"<": "‹", ">": "›", "“": '"', "”": '"', "„": '"'}
_DROPPED = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})
_PLAIN = re.compile(r"[ -;=?-~\t\n\r]*")


_MOST_KEPT = 20_000


class _Shown(dict[int, str]):
    """A table of the character that each becomes: white space a space, what isn't seen nothing."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = char == "\u200d" or unicodedata.category(char) not in _DROPPED
        shown = " " if char.isspace() else _SWAPS.get(char, char) if kept else ""
        if len(self) < _MOST_KEPT:
            self[code] = shown
        return shown


_SHOWN = _Shown()


def inline(text: str) -> str:
    """Returns the text on one line: white space as single spaces, no control, zero-width or
    direction characters, `‹›` for angle brackets and straight double quotes, so that our own “…”
    can't be closed. Words stay whole.
    """
    return " ".join(_shown(text).split())


def row(text: str) -> str:
    """Returns one line of a text whose lines stay lines: like `inline`, with the spaces that it
    begins with and holds.

    A tab counts as four spaces. Signs that compare, shift or point (` < `, `->`, `<=`) stay as they
    are, so that code means what it meant; none of them can open or close a tag.
    """
    body = text.lstrip()
    ahead = text[: len(text) - len(body)].expandtabs(_TAB)[:_DEEPEST]
    shown = _shown(body.expandtabs(_TAB)).rstrip()
    if shown != body and not _GUILLEMET.search(body):
        shown = _OPERATOR.sub(
            lambda found: found.group().replace("‹", "<").replace("›", ">"), shown
        )
    return " " * len(ahead) + shown if shown else ""


_TAB = 4
_DEEPEST = 60
_GUILLEMET = re.compile("[‹›]")
_OPERATOR = re.compile(r"(?<!-)[-=]›|[‹›]=|(?<= )(?:‹‹?|››?)(?= [\w(\"'-])")


def with_code(text: str) -> str:
    """Like `inline`, with code between backticks as it was written: its spaces, quotes, and angle
    brackets unless they would open or close a tag.
    """
    out = [_code(part) if part.startswith("`") else _spaced(part) for part in _CODE.split(text)]
    return "".join(out).strip()


_CODE = re.compile(r"((?<!`)(?:`[^`\n]+`|``(?!`)(?:[^\n](?!``))+[^\n]``)(?!`))")
_TAG = re.compile(r"<\s*[/!?]|(?<!\w)<[^\W\d_]|<\s*\w*memory", re.IGNORECASE)
"""An end, what no word stands before (`Promise<void>` is code), and a block of ours."""
_BREAKS = re.compile(r"\s+")


def _code(span: str) -> str:
    """Returns the span without what isn't seen; one that could be a tag like other text."""
    kept = "".join(" " if char.isspace() else char for char in span if _is_seen(char))
    return inline(span) if _TAG.search(kept) else kept


def _is_seen(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) not in _DROPPED


def _spaced(text: str) -> str:
    """Like `inline`, but for the spaces at its ends, which are single ones."""
    return _BREAKS.sub(" ", _shown(text))


def _shown(text: str) -> str:
    if not _PLAIN.fullmatch(text):
        text = text.translate(_SHOWN)
        if "\u200d" in text:
            text = _JOINER.sub("", text)
    return text


_JOINER = re.compile(
    "(?<![\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])\u200d|\u200d(?![\u2190-\u2bff\U0001f000-\U0001faff])"
)
"""A zero-width joiner that doesn't join two pictures."""


def item(text: str) -> str:
    """Like `inline`, for a part of a card: the separators of cards don't stand in it."""
    return _SEPARATOR.sub(",", inline(text)).replace(" — ", " – ")


_SEPARATOR = re.compile(r";(?=\s|$)")


def lead(text: str) -> str:
    """Like `item`, for what a line begins with: it opens no heading, list, quotation, fence or day
    of ours.
    """
    return _OPENING.sub("", item(text))


_OPENING = re.compile(
    r"^(?:#{1,6}(?:\s|$)|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|\||`{3,}+|~{3,}+|={3,}+|-{3,}+|\[(?!"
    r"(?:forgotten|secret:\w+|phone|email|address|iban|id|ip|birth_date)(?: [0-9a-f]+)?\])|\s)+"
)
"""Among them `[`, but for that of what stands in the place of a masked name: `[forgotten]`, `[phone
3f2a]`.
"""


def attribute(text: str) -> str:
    """Like `inline`, for the value of an attribute in double quotes."""
    return inline(text).replace('"', "'").replace("&", "+")
