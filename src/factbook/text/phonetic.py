"""How an English ear hears a Latin word: a simplified Metaphone (Lawrence Philips, 1990), for
finding misspellings.
"""

from __future__ import annotations

import re
from functools import lru_cache

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), code)
    for pattern, code in (
        (r"[^a-z]", ""),
        (r"([^c])\1+", r"\1"),
        (r"^(?:kn|gn|pn|ae|wr)", "\x00"),
        (r"^x", "s"),
        (r"^wh", "w"),
        (r"mb$", "m"),
        (r"sch", "sk"),
        (r"tch|ch", "x"),
        (r"cia", "xia"),
        (r"c(?=[iey])", "s"),
        (r"ck|c|q", "k"),
        (r"dg(?=[eiy])", "j"),
        (r"gh(?![aeiou])", ""),
        (r"gn(?:ed)?$", "n"),
        (r"g(?=[iey])", "j"),
        (r"g", "k"),
        (r"ph", "f"),
        (r"sh|s(?=i[ao])", "x"),
        (r"t(?=i[ao])", "x"),
        (r"th", "0"),
        (r"v", "f"),
        (r"w(?![aeiou])|y(?![aeiou])", ""),
        (r"x", "X"),
        (r"z", "s"),
        (r"d", "t"),
        (r"(?<=[bcdfgjklmnpqrstvxz0X])h|h(?![aeiou])", ""),
        (r"(?<!^)[aeiouy]", ""),
        (r"(.)\1+", r"\1"),
    )
)


@lru_cache(maxsize=16384)
def metaphone(word: str) -> str:
    """Returns the consonants of a folded Latin word as they sound, with its first vowel if it
    begins with one; empty for words of other scripts.
    """
    out = word
    for pattern, code in _RULES:
        out = (
            pattern.sub(code, out)
            if code != "\x00"
            else pattern.sub(lambda found: found.group()[1], out)
        )
    return out.upper()
