"""JSON out of what a model answers: prose around it, several values, code fences, thoughts, a
cut-off end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from factbook.llm.lenient import Parser, Partial, unescape_string
from factbook.model.draft import Dropped

LONGEST_REPLY = 400_000
"""Characters that are read."""

_THOUGHT = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(
    r"\{\s*+(?:[\"'“„}]|[A-Za-z_][\w-]*+\s*+[:：]|\.\.\.|…|//|/\*|\Z)"
    r"|\[\s*+(?:[\"'“„{\[\]]|-?\d|(?:true|false|null|None)\b|(?://|/\*|\#)|(?:[-*•]|"
    r"\d{1,4}[.)])\s++\{|\Z)"
)
"""A bracket that begins JSON; any other one is prose."""
_LOOSE = re.compile(r'"[\w -]{1,40}"\s*+[:：]')
"""A key outside of any object."""
_HOLDERS = frozenset(
    {
        "arguments",
        "parameters",
        "input",
        "function",
        "result",
        "results",
        "data",
        "output",
        "response",
        "reply",
        "json",
    }
    | {"content", "text", "answer", "entities", "relations", "facts"}
)
"""Keys under which JSON stands in a string."""
_ENCODED = re.compile(r'\s*+"(?:\s|\\n)*+[\[{]')
"""A JSON string that holds JSON."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundJson:
    """The JSON in a text.

    Attributes:
        values: its arrays and objects in order; an object that isn't whole is a `Partial`.
        losses: what could not be read: `cut_off` where the text ended, `unreadable`, `abridged` for
            an ellipsis.
    """

    values: tuple[Any, ...] = ()
    losses: tuple[Dropped, ...] = ()

    @property
    def cut(self) -> bool:
        """Whether the text ended before a value did."""
        return any(loss.reason == "cut_off" for loss in self.losses)


def find_json(reply: str | Mapping[str, Any]) -> FoundJson:
    """Returns the arrays and objects that stand in a text, and what of them is lost. Other text is
    prose.

    Takes time in proportion to the length of the text, whatever it holds.

    Args:
        reply: a text, or an object that was read already; JSON within its strings is read.
    """
    if isinstance(reply, str):
        return _expand_strings(_read_json(reply))
    return _expand_strings(FoundJson(values=(reply,)))


def _expand_strings(found: FoundJson) -> FoundJson:
    """Reads the strings that hold JSON, as the arguments of a tool do."""
    losses = list(found.losses)
    values = tuple(_expand_value(value, losses) for value in found.values)
    return FoundJson(values=values, losses=tuple(losses))


def _expand_value(value: object, losses: list[Dropped]) -> object:
    if isinstance(value, list):
        return [_expand_value(each, losses) for each in cast(list[object], value)]
    if not isinstance(value, Mapping):
        return value
    given = cast(Mapping[str, object], value)
    out = {
        key: _open_string(each, losses) if key in _HOLDERS else _expand_value(each, losses)
        for key, each in given.items()
    }
    return Partial(out) if isinstance(value, Partial) else out


def _open_string(value: object, losses: list[Dropped]) -> object:
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", "```")):
        return _expand_value(value, losses)
    inner = find_json(value)
    losses += [each for each in inner.losses if each not in losses]
    return inner.values[0] if len(inner.values) == 1 else list(inner.values) or value


def _read_json(text: str) -> FoundJson:
    read = drop_thoughts(_decode_text(text[:LONGEST_REPLY]))
    parser = Parser(read)
    values: list[Any] = []
    while opening := _OPENING.search(read, parser.at):
        _report_loose(parser, parser.at, opening.start())
        values.append(parser.read_value(opening.start()))
    _report_loose(parser, parser.at, len(read))
    if len(text) > LONGEST_REPLY:
        parser.note_loss("cut_off", f"{len(text) - LONGEST_REPLY} characters of the reply")
    return FoundJson(values=tuple(values), losses=tuple(parser.every_loss()))


def _report_loose(parser: Parser, start: int, end: int) -> None:
    if loose := _LOOSE.search(parser.text, start, end):
        parser.note_loss("unreadable", parser.text[loose.start() : end])


def _decode_text(text: str) -> str:
    """Returns the text, of a reply that is one JSON string its content."""
    return (
        unescape_string(text.strip().removeprefix('"').removesuffix('"'))
        if _ENCODED.match(text)
        else text
    )


def drop_thoughts(text: str) -> str:
    """Returns the reply without the model's thoughts, also where only their end is marked. One that
    doesn't end is kept.
    """
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
