"""Attributes as a model writes them: `role=engineer, city="Paris, France"`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from factbook.errors import InputError

HOW = (
    "write key=value, key=value, and put a value that holds a comma in double quotes: "
    'city="Paris, France"'
)

_PAIR = re.compile(r'\s*+(?P<key>"[^"=,]*"|[^=,"\n]*+)\s*+=[^\S\n]*')
_QUOTED = {
    quote: re.compile(rf"{quote[0]}((?:[^{quote[1]}\\]|\\.)*){quote[1]}\s*(?=[,\n]|$)", re.DOTALL)
    for quote in ('""', "''", "“”")
}
_PLAIN = re.compile(r"[^,\n]*")
_ESCAPED = re.compile(r"\\([\"'\\“”])")
_GAP = re.compile(r"[\s,]*")
_OTHER_SEPARATOR = re.compile(r";\s+\w[\w ]*=")


def read_attribute_pairs(text: str) -> dict[str, str]:
    """The pairs of the text, in order; a key that comes twice has both values, parted by "; ".

    Raises:
        InputError: a part is no pair, or has no key or value; says how to write it.
    """
    found: dict[str, list[str]] = {}
    at = _end_of(_GAP, text, 0)
    closed = {quote: text.rfind(quote[1]) for quote in _QUOTED}
    while at < len(text):
        pair = _PAIR.match(text, at)
        if pair is None:
            raise InputError(
                f"the attributes have a part without '=': {_show_text(text[at:])}; {HOW}"
            )
        key = pair["key"].strip().strip('"').strip()
        value, at = _read_value(text, pair.end(), closed)
        if not key:
            raise InputError(f"an attribute has no key before its '='; {HOW}")
        if not value:
            raise InputError(f"the attribute {_show_text(key)} has no value; leave it out or {HOW}")
        if value not in found.setdefault(key, []):
            found[key].append(value)
        at = _end_of(_GAP, text, at)
    return {key: "; ".join(values) for key, values in found.items()}


def write_pairs(pairs: Mapping[str, str]) -> str:
    """The pairs as `read_pairs` reads them."""
    return ", ".join(f"{key}={_unquote(value)}" for key, value in pairs.items())


def _read_value(text: str, start: int, closed: Mapping[str, int]) -> tuple[str, int]:
    """The value that begins there, and where it ends. `closed`: where each quotation mark closes
    for the last time.
    """
    for quote, pattern in _QUOTED.items():
        if (
            closed[quote] > start
            and text.startswith(quote[0], start)
            and (quoted := pattern.match(text, start))
        ):
            return _ESCAPED.sub(r"\1", quoted[1]).strip(), quoted.end()
    end = _end_of(_PLAIN, text, start)
    value = text[start:end].strip()
    if value.startswith('"') and value.count('"') == 1:
        raise InputError(f"a quotation in the attributes doesn't end: {_show_text(value)}; {HOW}")
    if _OTHER_SEPARATOR.search(value):
        raise InputError(f"the attributes are parted by commas, not semicolons; {HOW}")
    return value, end


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start


def _unquote(value: str) -> str:
    if not re.search(r'[,="\n\\]|^[\'“]', value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _show_text(text: str) -> str:
    first = text.strip().split(",")[0].split("\n")[0][:40]
    return f"'{first}'"
