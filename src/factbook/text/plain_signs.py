"""Signs as a keyboard has them, place by place: copied numbers come with other spaces, hyphens and
digits.
"""

from __future__ import annotations

import unicodedata


def plain_signs(text: str) -> str:
    """Returns the text with every space, hyphen, digit and full-width sign as ASCII has it; each at
    the place where it was.
    """
    if text.isascii():
        return text
    return text.translate(
        {ord(char): _plain_char(char) for char in set(text) if not char.isascii()}
    )


def _plain_char(char: str) -> str:
    match unicodedata.category(char):
        case "Zs":
            return " "
        case "Pd":
            return "-"
        case "Nd":
            return str(unicodedata.decimal(char))
        case _:
            return chr(ord(char) - 0xFEE0) if "\uff01" <= char <= "\uff5e" else char
