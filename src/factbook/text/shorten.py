"""Texts that are told in part: cut between words, with a mark."""

from __future__ import annotations

MARK = " …"


def shorten_text(text: str, length: int) -> str:
    """Returns the text, or as many of its words as `length` characters hold with the mark; of one
    long word a part.

    Empty where not even the mark fits.
    """
    if len(text) <= length:
        return text
    room = length - len(MARK)
    if room < 1:
        return ""
    head = text[: room + 1]
    cut = head.rfind(" ")
    kept = head[:cut] if cut > room // 2 else head[:room]
    return kept.rstrip(" ,;:-–—") + MARK


def parts_of(text: str) -> list[str]:
    """Returns a text, and of a long one what may stand for it where it doesn't fit: its beginning,
    ever shorter.
    """
    return [text, *(shorten_text(text, length) for length in _LENGTHS if len(text) > 2 * length)]


_LENGTHS = (300, 100)
