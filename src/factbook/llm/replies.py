"""JSON out of what a model answers: prose around it, code fences, thoughts, trailing commas, a cut-off end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LONGEST_REPLY = 400_000
"""Characters that are read."""
MOST_TRIES = 200
"""Brackets at which a value is looked for."""
DEEPEST = 40
MOST_DIGITS = 300
"""Of a whole number; Python reads none of more than some thousand."""

_THOUGHT = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(r"[\[{]")
_GAP = re.compile(r"\s*")
_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_QUOTED = re.compile(r"'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[A-Za-z]+")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None, "nan": None}
_BARE_KEY = re.compile(r"[A-Za-z_][\w-]*(?=\s*:)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """A JSON value in a text. `cut`: the text ended before the value did; what stood there is in it."""

    value: Any
    cut: bool


def json_values(text: str) -> Iterator[Value]:
    """The arrays and objects that stand in a text, in order, each by itself. Never fails: what is none is prose."""
    text = spoken(text[:LONGEST_REPLY])
    at = tries = 0
    while tries < MOST_TRIES and (opening := _OPENING.search(text, at)):
        tries += 1
        parser = _Parser(text, opening.start())
        try:
            value = parser.value(DEEPEST)
        except _NotJsonError:
            at = opening.end()
            continue
        at = parser.at
        yield Value(value=value, cut=parser.cut)


def spoken(text: str) -> str:
    """The reply without the model's thoughts, also where only their end is marked. One that doesn't end is kept."""
    kept: list[str] = []
    began = -1
    at = 0
    for tag in _THOUGHT.finditer(text):
        if tag.group(1):
            if began < 0:
                kept.clear()
            began, at = -1, tag.end()
        elif began < 0:
            kept.append(text[at : tag.start()])
            began = at = tag.end()
    return "".join([*kept, text[at:]])


class _NotJsonError(ValueError):
    """What stands there is no JSON."""


class _CutError(Exception):
    """The text ended within a key, string, number or word."""


class _Parser:
    """Reads one value from a place on, as far as it goes."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.cut = False

    def value(self, depth: int) -> Any:
        if depth <= 0:
            raise _NotJsonError
        char = self._next()
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._array(depth)
        if char in "\"'":
            return self._string()
        if found := _NUMBER.match(self.text, self.at):
            self._take(found)
            written = found.group()
            return float(written) if set(written) & set(".eE") or len(written) > MOST_DIGITS else int(written)
        if (found := _WORD.match(self.text, self.at)) and found.group().lower() in _WORDS:
            self._take(found)
            return _WORDS[found.group().lower()]
        if found and found.end() == len(self.text):
            raise _CutError
        raise _NotJsonError

    def _array(self, depth: int) -> list[Any]:
        self.at += 1
        out: list[Any] = []
        try:
            while self._more("]"):
                out.append(self.value(depth - 1))
                if self.cut:
                    break
                self._comma("]")
        except _CutError:
            self.cut = True
        return out

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        out: dict[str, Any] = {}
        try:
            while self._more("}"):
                key = self._key()
                if self._next() != ":":
                    raise _NotJsonError
                self.at += 1
                out[key] = self.value(depth - 1)
                if self.cut:
                    break
                self._comma("}")
        except _CutError:
            self.cut = True
        return out

    def _key(self) -> str:
        if bare := _BARE_KEY.match(self.text, self.at):
            self.at = bare.end()
            return bare.group()
        if self.text[self.at] not in "\"'":
            raise _NotJsonError
        return self._string()

    def _string(self) -> str:
        found = (_STRING if self.text[self.at] == '"' else _QUOTED).match(self.text, self.at)
        if found is None:
            raise _CutError
        self.at = found.end()
        try:
            read: str = json.loads(f'"{found.group(1)}"', strict=False)
        except ValueError:
            # An escape that JSON doesn't know, or a double quote within single ones.
            read = re.sub(r"\\(.)", r"\1", found.group(1), flags=re.DOTALL)
        return read

    def _take(self, found: re.Match[str]) -> None:
        # A number or word at the very end may go on beyond it.
        if found.end() == len(self.text):
            raise _CutError
        self.at = found.end()

    def _more(self, closing: str) -> bool:
        """Whether another member follows; takes the closing bracket if not."""
        if self._next() != closing:
            return True
        self.at += 1
        return False

    def _comma(self, closing: str) -> None:
        char = self._next()
        if char == ",":
            self.at += 1
        elif char != closing:
            raise _NotJsonError

    def _next(self) -> str:
        found = _GAP.match(self.text, self.at)
        self.at = found.end() if found else self.at
        if self.at >= len(self.text):
            raise _CutError
        return self.text[self.at]
