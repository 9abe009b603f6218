"""What tools answer: stored text as data, each record on a line of its own that it can't leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from factbook.model.entity import Entity
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF, EntityType
from factbook.render.block import CLOSING
from factbook.render.row_words import user
from factbook.text.days import show_day_of
from factbook.text.escape import inline, item, lead
from factbook.text.index_words import index_words
from factbook.text.kind_names import declared_kind, snake_case
from factbook.text.shorten import shorten_text
from factbook.tools.pairs import write_pairs

NOTHING = "No matching memories found."
OPENING = "<memory>"
HEADING = "[Known Entities]"
"""Above a list of a conversation's entities, as in its context."""
BETWEEN = "\n---\n"
MOST_LISTED = 100
"""So many entities in one answer."""
LONGEST_TOLD, LONGEST_ANSWER = 2_000, 20_000
"""Characters of one memory or entity, and of all of an answer."""

_KINDS = {kind.id: kind for kind in BUILT_IN}


def reply_block(lines: Iterable[str]) -> str:
    """The lines in the tags by which whoever reads the conversation knows that they come from
    memory, and are not to be learned again; empty for none.
    """
    text = "\n".join(lines)
    return f"{OPENING}\n{text}\n{CLOSING}" if text else ""


class Kept(Protocol):
    """A memory as a knowledge store gives it back."""

    @property
    def content(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def importance(self) -> float: ...
    @property
    def created_at(self) -> datetime: ...


def list_memories(entries: Iterable[Kept]) -> str:
    """`[preference] Ada likes tea (importance: 0.8, created: 2026-03-02)`, parted by lines of three
    dashes.
    """
    return BETWEEN.join(
        _bound_lines(
            f"[{bare_label(each.category)}] {_told_of(each.content)} "
            f"(importance: {each.importance:g}, created: {show_day_of(each.created_at)})"
            for each in entries
        )
    )


def _told_of(content: str) -> str:
    """The content on one line; of a long one its beginning, and how long it is."""
    text = inline(content)
    return (
        text
        if len(text) <= LONGEST_TOLD
        else f"{shorten_text(text, LONGEST_TOLD)} [cut: {len(text)} characters]"
    )


def _bound_lines(lines: Iterable[str]) -> list[str]:
    """The lines as far as an answer holds them, the first one always; a last one says how many are
    left out.
    """
    every = list(lines)
    kept: list[str] = []
    left = LONGEST_ANSWER
    for each in every:
        left -= len(each)
        if left < 0 and kept:
            return [*kept, f"({len(every) - len(kept)} more; ask for something narrower)"]
        kept.append(each)
    return kept


def bare_label(text: str) -> str:
    """A category or type: on one line, without the brackets that stand around it."""
    return item(text).translate(_NO_BRACKETS) or "general"


_NO_BRACKETS = str.maketrans("[]()", "‹›‹›")


def list_entities(found: Sequence[Entity]) -> list[str]:
    """`- Ada (person): role=engineer, city="Paris, France"`, a line each, `MOST_LISTED` at most."""
    lines = _bound_lines(
        shorten_text(_entity_line(each), LONGEST_TOLD) for each in found[:MOST_LISTED]
    )
    if len(found) > MOST_LISTED:
        lines.append(f"- (more than {MOST_LISTED}; narrow it down with filter_type or query)")
    return lines


def _entity_line(entity: Entity) -> str:
    also = f", also {', '.join(map(item, entity.aliases))}" if entity.aliases else ""
    pairs = write_pairs(
        {_attribute_key(key): inline(value) for key, value in entity.attributes.items()}
    )
    name = user(entity.name) if entity.id == SELF else lead(entity.name)
    return f"- {name or '?'} ({bare_label(entity.entity_type)}{also})" + (
        f": {pairs}" if pairs else ""
    )


def _attribute_key(text: str) -> str:
    return item(text).replace("=", ":").replace(",", " ")


def of_type(
    found: Iterable[Entity], wanted: str, kinds: Mapping[str, EntityType] = _KINDS
) -> list[Entity]:
    """Returns the entities of a type, however it is written; other names of a kind, as `location`
    for `place`, count as it.
    """
    kind = kind_of(wanted, kinds)
    return [each for each in found if kind_of(each.entity_type, kinds) == kind]


def list_types(found: Iterable[Entity]) -> str:
    """The types that these have, in alphabetical order."""
    by_kind = {kind_of(each.entity_type): bare_label(each.entity_type) for each in found}
    return ", ".join(sorted(by_kind.values()))


def kind_of(label: str, kinds: Mapping[str, EntityType] = _KINDS) -> str:
    """The kind that a type's name means."""
    return declared_kind(label, kinds) or snake_case(label)


def find_matching(found: Sequence[Entity], query: str) -> list[Entity]:
    """Returns the entities that share words with the query, the most first; in their names they
    count twice.
    """
    asked = set(index_words(query))
    scored = [(_count_shared(asked, each), place, each) for place, each in enumerate(found)]
    return [each for score, _, each in sorted(scored, key=lambda one: (-one[0], one[1])) if score]


def _count_shared(asked: set[str], entity: Entity) -> int:
    names = set(index_words(" ".join((entity.name, *entity.aliases))))
    rest = set(index_words(" ".join((entity.entity_type, *_tell_attributes(entity.attributes)))))
    return 2 * len(asked & names) + len(asked & rest)


def _tell_attributes(attributes: Mapping[str, str]) -> Iterable[str]:
    return (f"{key.replace('_', ' ')} {value}" for key, value in attributes.items())
