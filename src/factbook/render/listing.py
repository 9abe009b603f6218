"""Whole entities as a block for a prompt, in any form that lists them: what fits a budget, best
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from factbook.ports.models import Tokenizer

MOST_MISSES = 20
"""Entities in a row of which nothing fits, after which no more are tried; and parts of one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """An entity as the forms show it. They escape what they show.

    Attributes:
        key: unique among those of one block. space: what marks one of another space; empty for the
            asker's own.
        scope: the project that it is of, or that it is general, where that is to be told. whose:
            whose wish it is, if not that of the space's own user.
        kind: in snake_case. label: the kind as it was written. section: the heading of its kind.
        statements: its facts, ties and conflicts in words. facts: those of them that name no other
            entity.
        pairs: the same by attribute and label.
        links: (label, key of the other entity) of each tie that begins with it.
    """

    key: str
    name: str
    kind: str = "other"
    label: str = "other"
    section: str = ""
    space: str = ""
    scope: str = ""
    whose: str = ""
    description: str = ""
    statements: Sequence[str] = ()
    facts: Sequence[str] = ()
    pairs: Mapping[str, str] = field(default_factory=dict[str, str])
    links: Sequence[tuple[str, str]] = ()


@dataclass(kw_only=True, slots=True)
class Shown:
    """An entity that was chosen: its line, and the lines of its ties with those chosen before
    it.
    """

    place: int
    subject: Subject
    line: str
    ties: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """All its lines."""
        return "\n".join([self.line, *self.ties])


@runtime_checkable
class ListingForm(Protocol):
    """One way to list entities."""

    most: int
    """Entities of one section at most."""

    def section(self, subject: Subject) -> str:
        """The heading under which it stands; empty for none."""
        ...

    def parts(self, subject: Subject) -> Sequence[str]:
        """Returns the parts of its line beyond its name, the most important first, escaped."""
        ...

    def line(self, subject: Subject, parts: Sequence[str]) -> str:
        """Its line with these parts."""
        ...

    def ties(self, subject: Subject, chosen: Iterable[Subject]) -> Iterable[str]:
        """Lines of its ties with those chosen before it."""
        ...

    def frame(self) -> str:
        """Returns the cost of an empty block."""
        ...

    def whole(self, shown: Sequence[Shown]) -> str:
        """The block; empty for none."""
        ...


def fit_listing(
    subjects: Sequence[Subject],
    form: ListingForm,
    tokenizer: Tokenizer,
    budget: int,
    *,
    shares: Sequence[tuple[int, int]] = (),
) -> list[Shown]:
    """Returns the entities that fit a block of at most `budget`, headings and all.

    An entity of which only a part fits gives that part; one whose name alone is too long is left
    out.

    Args:
        subjects: best first. shares: of the first so many, and of so many after them, the most
            tokens that they get.
    """
    left = budget - tokenizer.count(form.frame())
    rooms = [room for _, room in shares]
    group = [place for place, (number, _) in enumerate(shares) for _ in range(number)]
    out: list[Shown] = []
    sections: dict[str, int] = {}
    misses = 0
    for place, subject in enumerate(subjects):
        section = form.section(subject)
        if sections.get(section, 0) >= form.most:
            continue
        above = tokenizer.count(f"\n\n{section}") if section and section not in sections else 0
        is_first = place < len(group)
        room = min(left, rooms[group[place]]) if is_first else left
        line = _longest(subject, form, tokenizer, room - above)
        if not line:
            misses += not is_first
            if misses == MOST_MISSES:
                break
            continue
        price = tokenizer.count(f"\n{line}") + above
        left, misses = left - price, 0
        if is_first:
            rooms[group[place]] -= price
        sections[section] = sections.get(section, 0) + 1
        shown = Shown(place=place, subject=subject, line=line)
        for tie in form.ties(subject, [each.subject for each in out]):
            if (cost := tokenizer.count(f"\n{tie}")) <= left:
                shown.ties.append(tie)
                left -= cost
        out.append(shown)
    # By a tokenizer whose parts cost less than the whole.
    while out and tokenizer.count(form.whole(out)) > budget:
        if out[-1].ties:
            out[-1].ties.pop()
        else:
            out.pop()
    return out


def _longest(subject: Subject, form: ListingForm, tokenizer: Tokenizer, room: int) -> str:
    """The line with as many of its parts as fit; empty if its name alone doesn't."""
    parts = form.parts(subject)
    line = form.line(subject, parts)
    if tokenizer.count(f"\n{line}") <= room:
        return line
    line = form.line(subject, ())
    if tokenizer.count(f"\n{line}") > room:
        return ""
    kept: list[str] = []
    misses = 0
    for part in parts:
        longer = form.line(subject, [*kept, part])
        if tokenizer.count(f"\n{longer}") <= room:
            kept.append(part)
            line, misses = longer, 0
        else:
            misses += 1
        if misses == MOST_MISSES:
            break
    return line
