"""What of a message may be read: injected memory, quoted lines and code are blanked, and nothing
moves.
"""

from __future__ import annotations

import re
import unicodedata

from factbook.text.injected_memory import blank_injected

LONGEST_WORD = 100
"""A longer run without a space is no word (an address, a key, a picture as text)."""

_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD},}}")


def make_readable(text: str) -> str:
    """Returns the text with injected memory, code, control and format characters and endless words
    blanked; equally long.
    """
    text = blank_injected(text)
    if not text.isprintable():
        text = "".join(map(_visible_char, text))
    return _LONG_WORD.sub(lambda match: " " * len(match.group()), text)


def _visible_char(char: str) -> str:
    if char in "\n\t\u200c\u200d":  # the two joiners belong to words of several scripts
        return char
    return (
        " "
        if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
        else char
    )
