"""The block `[Known Entities]`: a line an entity, its attributes as `key=value`; code among them
keeps its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from factbook.ports.models import Tokenizer
from factbook.text.escape import inline, lead
from factbook.text.line_breaks import keeps_lines
from factbook.text.quoted_lines import in_lines
from factbook.text.shorten import parts_of

HEADER = "[Known Entities]"

_ANOTHER_PAIR = re.compile(r",(?=[^,=]*=)")
_ENDS_KIND = re.compile(r"\)\s*:")
_IN_KEY = re.compile(r"[=,:;\s]+")


def entity_line(name: str, entity_type: str, attributes: Mapping[str, str]) -> str:
    """`- Alice (person): role=engineer, company=Acme Corp`, or `- Seattle (location)` without
    attributes.

    A name can't end its line or give itself a type or attributes; a value can't begin another pair.
    """
    return join_described(
        name, entity_type, [pair(key, value) for key, value in attributes.items()]
    )


def join_described(name: str, entity_type: str, pairs: Sequence[str]) -> str:
    """The line of an entity with these pairs, made by `pair`."""
    kind = inline(entity_type).translate(_BRACKETS).strip() or "other"
    head = f"- {_ENDS_KIND.sub(')', lead(name)).strip() or '?'} ({kind})"
    return f"{head}: {', '.join(pairs)}" if pairs else head


_BRACKETS = str.maketrans("()", "  ")


def pair(key: str, value: str) -> str:
    """`role=engineer`."""
    shown = in_lines([value]) if keeps_lines(value) else _ANOTHER_PAIR.sub(";", inline(value))
    return f"{_IN_KEY.sub(' ', inline(key)).strip() or '?'}={shown}"


def known_entities(lines: Sequence[str]) -> str:
    """The block of these lines; empty for none."""
    return "\n".join([HEADER, *lines]) if lines else ""


class Described(Protocol):
    """An entity as the block shows it."""

    @property
    def name(self) -> str: ...
    @property
    def entity_type(self) -> str: ...
    @property
    def attributes(self) -> Mapping[str, str]: ...
    @property
    def line(self) -> str:
        """The line that `entity_line` makes of the other three."""
        ...


MOST_MISSES = 20
"""Entities in a row of which nothing fits, after which no more are tried; and attributes of one."""


def fit_entities(
    entities: Iterable[Described], tokenizer: Tokenizer, budget: int
) -> dict[int, str]:
    """The lines of these entities, best first, that cost at most `budget` with the header; by place
    among those given.

    An entity of which only a part fits gives that part: its name, and the attributes that fit, long
    ones cut. One whose name alone is too long is left out.
    """
    left = budget - tokenizer.count(HEADER)
    lines: dict[int, str] = {}
    misses = 0
    for place, entity in enumerate(entities):
        line = _part(entity, tokenizer, left)
        if line:
            lines[place] = line
            left -= tokenizer.count("\n" + line)
        misses = 0 if line else misses + 1
        if misses == MOST_MISSES:
            break
    # By a tokenizer whose parts cost less than the whole.
    while lines and tokenizer.count(known_entities([*lines.values()])) > budget:
        lines.popitem()
    return lines


def _part(entity: Described, tokenizer: Tokenizer, left: int) -> str:
    if tokenizer.count("\n" + entity.line) <= left:
        return entity.line
    line = entity_line(entity.name, entity.entity_type, {})
    if tokenizer.count("\n" + line) > left:
        return ""
    chosen: dict[str, str] = {}
    misses = 0
    for key, value in entity.attributes.items():
        misses += 1
        for part in parts_of(value):
            longer = entity_line(entity.name, entity.entity_type, {**chosen, key: part})
            if tokenizer.count("\n" + longer) <= left:
                chosen[key], line, misses = part, longer, 0
                break
        if misses == MOST_MISSES:
            break
    return line
