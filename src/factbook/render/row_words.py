"""One recalled line in words: messages as quotations, facts and relations as parts of their
entity's card.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from factbook.model.record import SELF, EntityRecord, Fact, Note, Observation, Relation
from factbook.model.source import Source
from factbook.model.trend import Trend
from factbook.text.days import short_day, show_day_of, show_moment
from factbook.text.escape import inline, item, lead, with_code
from factbook.text.line_breaks import keeps_lines
from factbook.text.quoted_lines import in_lines, part

ALWAYS: Mapping[str, str] = {"preference": "Preference", "pain_point": "Pain point"}
"""Kinds that are shown as lines of their own, with the word that begins them."""

_ROLES: Mapping[str, str] = {
    "user": "User",
    "assistant": "Assistant",
    "tool": "Tool",
    "system": "System",
    "web": "Web",
}


@lru_cache(maxsize=1024)
def who(speaker: str, role: str = "user") -> str:
    """Names the speaker, or else the role (or standing); a name that is a role's stands in quotes."""
    return _no_role(lead(speaker.replace(":", ""))) or _ROLES.get(role, "User")


def _no_role(name: str) -> str:
    return f'"{name}"' if _ROLE.match(name) else name


_ROLE = re.compile(
    rf"(?:{'|'.join([*_ROLES, 'note', 'rule', *ALWAYS.values()])})\s*(?:[:(]|$)", re.IGNORECASE
)


NOTE = "Note"
"""By what a note is said."""


def note(row: Note) -> str:
    """`Note: “…”`."""
    return f"{NOTE}: {quoted(row.text)}"


def message_line(text: str) -> str:
    """Returns a text on one line, without its last full stop."""
    return inline(text).removesuffix(".")


def quoted(*parts: str, lined: bool | None = None) -> str:
    """`“…”`, with every word of a message or note; of one that was cut with ` … ` between its
    parts.

    Args:
        lined: whether its lines stay lines, each indented; None to see by the text.
    """
    if lined or (lined is None and any(map(keeps_lines, parts))):
        return in_lines(parts)
    return f"“{' … '.join(map(inline, parts)).strip()}”"


def fact(row: Fact, *, former: bool = False) -> str:
    """`role engineering lead since 2026-03-02`."""
    return _dated(f"{written_label(row.attribute)} {part(row.value)}", row, former)


def value(row: Fact) -> str:
    """`engineering lead since 2026-03-02`."""
    return _dated(part(row.value), row, former=False)


def relation(row: Relation, names: Mapping[str, str], *, former: bool = False) -> str:
    """`works at Acme since 2026-05`, seen from its first end; names by entity id."""
    name = names.get(row.to_id, row.to_id)
    return _dated(f"{written_label(row.label)} {end_name(row.to_id, name)}", row, former)


def end_name(entity_id: str, name: str) -> str:
    """The name of a relation's end."""
    return "the user" if entity_id == SELF and name in ("", SELF) else item(name)


def dated_end(row: Relation, entity_id: str, name: str) -> str:
    """`Acme since 2026-05`."""
    return _dated(end_name(entity_id, name), row, former=False)


def claimed(value: str, row: Fact | Relation) -> str:
    """The value of a pair; with who says so where it is hearsay."""
    return (
        f"{value} ({who(row.source.speaker)} says)" if row.source.standing == "hearsay" else value
    )


def conflict(attribute: str, rows: Sequence[Fact], now: datetime) -> str:
    """`deadline UNRESOLVED: 2026-07-01 (Ada, 06-02) or 2026-08-15 (Tom, 06-02)`."""
    return dispute(attribute, [(row.value, row.source) for row in rows], now)


def dispute(label: str, claims: Sequence[tuple[str, Source]], now: datetime) -> str:
    """The same of what is claimed, and by whom."""
    return (
        f"{written_label(label)} UNRESOLVED: "
        f"{' or '.join(_claim(value, source, now) for value, source in claims)}"
    )


POINTS = 6
"""So many values of a trend are told, the latest."""


def course(trend: Trend, summary: str) -> str:
    """`value over time: 3.4% (2026-03), 2.9% (2026-04); down 15%`; of a pain point how often it
    came up, and last when.
    """
    last = f", last {show_day_of(trend.points[-1].at)}" if trend.points else ""
    if trend.what == "frequency":
        pace = {"up": ", more often lately", "down": ", less often lately"}.get(trend.direction, "")
        return f"came up {trend.count} times{last}{pace}"
    if trend.what == "decision":
        parts = [f"{written_label(key)} {item(value)}" for key, value in trend.details.items()]
        return (
            "; ".join([f"decided {show_day_of(trend.points[0].at)}", *parts])
            if trend.points
            else "; ".join(parts)
        )
    said = [
        f"{item(point.text)} ({show_moment(point.at, point.grain)})"
        for point in trend.points[-POINTS:]
    ]
    name = f"{trend.rhythm} {written_label(trend.what)}".strip()
    return f"{name} over time: {', '.join(said)}{f'; {summary}' if summary else ''}"


def user(name: str) -> str:
    """The space's own user: by name if it is known, else `User`."""
    return "User" if name in ("", SELF) else lead(name)


def heading(row: EntityRecord, *marks: str) -> str:
    """`Alice (person)`, `User` for the space's own user, `Alice (person, team, general)` with
    marks: of another space, of a project, of what is general.
    """
    kind = "" if row.id == SELF else item(row.label or row.kind).replace("_", " ")
    inside = mark(kind if kind != "other" else "", *marks)
    return f"{named(row)} ({inside})" if inside else named(row)


def named(row: EntityRecord) -> str:
    """The entity's name; one that is a role's stands in quotes."""
    return user(row.name) if row.id == SELF else _no_role(lead(row.name)) or "?"


def mark(*marks: str) -> str:
    """The marks that are not empty, as headings show them: `team, general`."""
    return ", ".join(item(each) for each in marks if each)


GENERAL = "general"
"""What carries no project, where a project is asked for."""


def label(project: str, asked: Sequence[str]) -> str:
    """Returns the mark of a line of this project (empty: of none) where these were asked for:
    nothing for the only one asked for, else its name; of none that it is general.
    """
    if not asked or project == asked[0] == asked[-1]:
        return ""
    return project or (GENERAL if GENERAL not in asked else "no project")


def description(row: EntityRecord) -> str:
    """Returns an entity's description as part of a sentence, without its last full stop; empty for
    nothing.
    """
    return part(row.description).removesuffix(".")


def observation(row: Observation) -> str:
    """`“I've been doing it [pottery] for five years” (2026-03-02)`; with who says so where it is
    hearsay.
    """
    says = f"{who(row.source.speaker)} says, " if row.holds == "hearsay" else ""
    return f"{quoted(row.text, lined=False)} ({says}{show_day_of(row.said_at)})"


def rule(row: Observation) -> str:
    """`Rule: use `pytest`, never unittest (2026-03-02)`, whole, its code as it was written; of a
    project's rule with who said so.
    """
    speaker = lead(row.source.speaker.replace(":", ""))
    by = f" ({speaker})" if speaker and row.entity_ids[:1] != (SELF,) else ""
    return f"Rule{by}: {with_code(row.text)} ({show_day_of(row.said_at)})"


def figure(row: Fact, at: datetime) -> str:
    """Returns the value of an attribute that has many, with its time: `value 3.4% (2026-05)`."""
    return f"{written_label(row.attribute)} {dated(row, at)}"


def dated(row: Fact, at: datetime) -> str:
    """Returns the value with its time alone: `3.4% (2026-05)`."""
    grain = row.grain if row.source.since is not None else "day"
    return f"{item(row.value)} ({show_moment(at, grain)})"


def detail(name: str, value: str) -> str:
    """Returns an attribute of the kind's schema: `rationale manual bidding was too slow`."""
    return f"{written_label(name)} {item(value)}"


def unasked_line(
    row: EntityRecord,
    facts: Sequence[Fact],
    *,
    shared: bool = False,
    owner: str = "",
    more: Mapping[str, str] | None = None,
) -> str:
    """A preference or pain point: `Preference: Ada wants short answers (confidence high)`; one that
    was learned from what one alone said, with whose it is: `Preference (Ada): short answers`.

    Args:
        shared: several spoke of it. owner: whose it is, if its words say so. more: further
            attributes, by name.
    """
    text = inline(row.description) or item(row.name)
    name = item(row.name)
    if row.description and name.lower() not in text.lower():
        text = f"{name}: {text}"
    known = {each.attribute: item(each.value) for each in facts}
    known = {**{name: item(value) for name, value in (more or {}).items()}, **known}
    parts = [
        value if key in ("value", "category") else f"{written_label(key)} {value}"
        for key, value in known.items()
    ]
    extra = [part for part in parts if part.lower() not in text.lower()]
    behind = f" ({', '.join(extra)})" if extra else ""
    whose = lead(owner.replace(":", "")) or ("" if shared else whose_wish(row))
    told = re.search(rf"\b{re.escape(whose)}\b", text, re.IGNORECASE)
    by = f" ({whose})" if whose and not told else ""
    return f"{ALWAYS.get(row.kind, 'Note')}{by}: {text}{behind}"


def whose_wish(row: EntityRecord) -> str:
    """Names the holder of a learned wish: the one it was said of, or else who said it; empty for
    the space's own user.
    """
    if not row.source.message_id:
        return ""
    return lead((row.metadata.get("owner") or row.source.speaker).replace(":", ""))


def written_label(label: str) -> str:
    """A label as words."""
    return item(label.replace("_", " "))


def _dated(text: str, row: Fact | Relation, former: bool) -> str:
    begin = _known_begin(row)
    since = f" since {show_moment(begin, row.grain)}" if begin else ""
    if row.source.standing == "hearsay":
        since += f", {who(row.source.speaker)} says"
    if not former:
        return text + since
    return f"formerly {text}" + (
        f" (until {show_moment(row.invalid_at, row.grain)})" if row.invalid_at else ""
    )


def _known_begin(row: Fact | Relation) -> datetime | None:
    """Returns when it began; None if it is only known to hold since the day on which it, or what
    it corrects, was said.
    """
    said = row.source.said_at
    if row.valid_at is None or row.valid_at == said:
        return None
    is_told = row.source.since is not None or row.grain != "instant"
    if is_told or said is None:
        return row.valid_at
    return row.valid_at if show_day_of(row.valid_at) != show_day_of(said) else None


def _claim(value: str, source: Source, now: datetime) -> str:
    said = f", {short_day(source.said_at, now)}" if source.said_at else ""
    return f"{item(value)} ({who(source.speaker, source.standing)}{said})"


def dated_heading(at: datetime, *marks: str) -> str:
    """`[2026-06-02]`, or `[2026-06-02, team, general]` with marks, as in `heading`."""
    return f"[{mark(show_day_of(at), *marks)}]"
