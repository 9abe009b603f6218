"""Every secret of a text replaced by a mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from factbook.text.plain_signs import plain_signs
from factbook.text.secrets.announced_secrets import find_announced
from factbook.text.secrets.command_secrets import find_in_commands
from factbook.text.secrets.secret_formats import find_formats, find_in_addresses
from factbook.text.secrets.secret_span import SecretSpan
from factbook.text.secrets.spoken_codes import find_codes

_MARK = re.compile(r"(\[secret:[a-z0-9_]+\])")


def mask_secrets(text: str) -> tuple[str, dict[str, int]]:
    """Returns the text with every secret replaced by `[secret:kind]`, and how many there were of
    each kind.

    Keys, tokens, passwords, PINs, private keys and payment card numbers. Masking what is masked
    already changes nothing. Never raises; a text without secrets comes back as it is.
    """
    counts: Counter[str] = Counter()
    while (
        True
    ):  # a mark may bring out what another rule then sees; each round leaves less outside of marks
        parts = [
            part if _MARK.fullmatch(part) else _mask_part(part, counts)
            for part in _MARK.split(text)
        ]
        if (masked := "".join(parts)) == text:
            return text, dict(counts)
        text = masked


def _mask_part(text: str, counts: Counter[str]) -> str:
    out: list[str] = []
    last = 0
    for span in sorted(_find_secrets(plain_signs(text)), key=lambda span: (span.start, -span.end)):
        if span.end <= last:
            continue
        if span.start >= last:
            out.append(text[last : span.start])
            out.append(f"[secret:{span.kind}]")
            counts[span.kind] += 1
        # Where two overlap, the first one's mark stands for both.
        last = span.end
    if not out:
        return text
    out.append(text[last:])
    return "".join(out)


def _find_secrets(text: str) -> Iterator[SecretSpan]:
    """Yields what to mask. Of two rules that find a secret at the same place, the first one names
    it.
    """
    yield from find_codes(text)
    yield from find_announced(text)
    yield from find_in_commands(text)
    yield from find_formats(text)
    yield from find_in_addresses(text)
