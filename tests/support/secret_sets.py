"""Lines of code and talk without secrets, and forms of secrets, with made-up characters put in when
they are read.

No file holds a token in its provider's format, so that scanners of repositories take none for a
real one.
"""

from __future__ import annotations

import hashlib
import random
import re
import string
import uuid
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "unit" / "text" / "secret_sets"
_FILLER = re.compile(r"\{(?:(an|anu|an2|An|AN2|a|hex|b64|b58|b32|bech|aws|-):(\d+)|(uuid))\}")
_ALPHABETS = {
    "an": string.ascii_letters + string.digits,
    "anu": string.ascii_letters + string.digits + "_-",
    "an2": string.ascii_lowercase + string.digits,
    "An": string.ascii_letters,
    "AN2": string.ascii_uppercase + "234567",
    "a": string.ascii_lowercase,
    "hex": "0123456789abcdef",
    "b64": string.ascii_letters + string.digits + "+/",
    "aws": string.ascii_letters + string.digits + "+/",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "b32": string.ascii_uppercase + "234567",
    "bech": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
    "-": "-",
}
_HELD = re.compile("⟦(.*?)⟧", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Form:
    """A text with the secrets that it holds.

    Attributes:
        kept_aside: whether it was counted only when the filter was done.
    """

    text: str
    secrets: tuple[str, ...]
    kept_aside: bool

    def survives(self, masked: str) -> bool:
        """Returns whether a secret can still be read, as a whole or by a telling part."""
        masked = re.sub(r"\[secret:\w+\]", " ", masked)
        return any(part in masked for secret in self.secrets for part in _telling(secret))


def load_ordinary() -> list[tuple[str, bool]]:
    """Returns texts without a secret, each with whether it was kept aside."""
    lines = [(line, _is_aside(line)) for line in _lines("ordinary.txt")]
    return [
        (_filled(line), aside)
        for line, aside in [*lines, *((line, True) for line in _lines("later_ordinary.txt"))]
    ]


def load_forms() -> list[Form]:
    """Returns texts that hold secrets."""
    forms: list[Form] = []
    lines = [(line, _is_aside(line)) for line in _lines("forms.txt")]
    for line, aside in [*lines, *((line, True) for line in _lines("later_forms.txt"))]:
        text = _filled(line)
        secrets = tuple(_HELD.findall(text))
        forms.append(Form(text=_HELD.sub(r"\1", text), secrets=secrets, kept_aside=aside))
    return forms


def _lines(name: str) -> list[str]:
    lines = (_FOLDER / name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


def _is_aside(line: str) -> bool:
    return hashlib.sha256(line.encode()).digest()[0] % 2 == 0


def _filled(line: str) -> str:
    chance = random.Random(line)

    def fill(found: re.Match[str]) -> str:
        if found[3]:
            return str(uuid.UUID(int=chance.getrandbits(128), version=4))
        return "".join(chance.choices(_ALPHABETS[found[1]], k=int(found[2])))

    return _FILLER.sub(fill, line).replace("⏎", "\n")


def _telling(secret: str) -> list[str]:
    """Returns the secret's parts of six characters, and its words of four; of a short one, the
    whole.
    """
    words = [word for word in re.findall(r"\w+", secret) if 4 <= len(word) < 6]
    windows = [secret[start : start + 6] for start in range(len(secret) - 5)]
    return [*words, *windows] or [secret]
