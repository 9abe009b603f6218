"""The block that enters a prompt: rules, profiles, cards, then single lines, then what was said, by
day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from factbook.text.days import show_day_of
from factbook.text.escape import attribute

CLOSING = "</memory>"
MOST_NAMES = 5
"""Names in the block's opening."""

_LEAST_SHOWN = 0.005
"""The least that a part adds to a score and is told."""

Shape = Literal["rule", "profile", "card", "line", "said"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A line that was chosen, escaped already (see `row_words`).

    Attributes:
        shape: `rule` (stands alone, before all else), `profile` (a line of its entity's profile),
            `card` (a part of its entity's card), `line` (stands alone) or `said` (under its day).
        heading: of the profile, the card or the day; empty for a `line`. text: the rest; empty for a card
            without a part.
        by: who says the text, of what was said; the text is its quotation then.
        label: the project that it is of, or that it is general, where that is to be told. labelled:
            the heading with it.
        group: what is put together under one heading: the entity's id, the day; headings alone may
            be equal by chance.
        order: place among its like: all but cards, which keep theirs, are sorted by it.
        section: of a profile's line, the heading above it; empty for none.
    """

    shape: Shape
    heading: str = ""
    by: str = ""
    text: str
    label: str = ""
    labelled: str = ""
    group: str = ""
    order: tuple[float, ...] = ()
    section: str = ""


def opening(about: Sequence[str], now: datetime) -> str:
    """`<memory about="Alice, Project Atlas" as-of="2026-06-14">`."""
    names = ", ".join(attribute(name) for name in list(dict.fromkeys(about))[:MOST_NAMES])
    subject = f' about="{names}"' if names else ""
    return f'<memory{subject} as-of="{show_day_of(now)}">'


def alone(entry: Entry) -> str:
    """The entry as a line of its own."""
    heading = entry.labelled or entry.heading
    if entry.shape == "card":
        return f"{heading} — {entry.text}" if entry.text else heading
    text = line(entry)
    if entry.shape == "profile":
        return f"{heading} — {text}"
    return f"{heading} {text}" if heading else text


def line(entry: Entry) -> str:
    """The entry without its heading: `Tom: “…”`."""
    return f"{entry.by}: {entry.text}" if entry.by else entry.text


def marked(entry: Entry) -> str:
    """The entry without its heading, with its label: as it stands beside others with another
    label.
    """
    if not entry.label or not entry.text:
        return line(entry)
    return (
        f"{entry.text} ({entry.label})"
        if entry.shape in ("card", "profile")
        else f"({entry.label}) {line(entry)}"
    )


def block(entries: Sequence[Entry], about: Sequence[str], now: datetime) -> str:
    """The whole block, empty for no entries."""
    if not entries:
        return ""
    cards = _grouped([entry for entry in entries if entry.shape == "card"])
    lines = [
        opening(about, now),
        *map(alone, _ordered(entries, "rule")),
        *map(profile, _grouped(_ordered(entries, "profile"))),
        *map(_card, cards),
        *map(alone, _ordered(entries, "line")),
        *_days(_grouped(_ordered(entries, "said"))),
        CLOSING,
    ]
    return "\n".join(lines)


def profile(group: Sequence[Entry]) -> str:
    """Returns a heading with its lines below it, those of a section under its name."""
    out = [group[0].heading]
    section = ""
    for entry in group:
        out += [f"{entry.section}:"] if entry.section not in ("", section) else []
        section = entry.section
        out.append(f"- {marked(entry)}")
    return "\n".join(out)


def _ordered(entries: Sequence[Entry], shape: Shape) -> list[Entry]:
    return sorted((each for each in entries if each.shape == shape), key=lambda each: each.order)


def _grouped(entries: Sequence[Entry]) -> list[list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return list(groups.values())


def _title(group: Sequence[Entry]) -> tuple[str, bool]:
    """The heading of what is put together, and whether the labels stand behind the parts instead,
    since they differ.
    """
    differ = any(entry.label != group[0].label for entry in group)
    return group[0].heading if differ else group[0].labelled or group[0].heading, differ


def _card(group: Sequence[Entry]) -> str:
    heading, differ = _title(group)
    text = "; ".join(
        dict.fromkeys(marked(entry) if differ else entry.text for entry in group if entry.text)
    )
    return f"{heading} — {text}" if text else heading


def _days(groups: Sequence[Sequence[Entry]]) -> Iterator[str]:
    """Each day under its heading, which leaves out the year of the heading before; with one line,
    behind it.
    """
    year = ""
    for group in groups:
        heading, differ = _title(group)  # `[2026-06-02]` or `[2026-06-02, team]`
        short = f"[{heading[6:]}" if year and heading.startswith(year) else heading
        year = heading[:6]
        said = _said(group, differ)
        yield f"{short} {said[0]}" if len(said) == 1 else "\n".join([short, *said])


def _said(group: Sequence[Entry], differ: bool) -> list[str]:
    """Lines of a day: what one says in a row is in one line, each utterance in quotes of its own,
    but for one that has lines of its own. A yes or no to what is left out has ` … ` before it, lest
    it be taken for one to the line before.
    """
    out: list[str] = []
    last = ("", "")
    for before, each in zip([None, *group], group, strict=False):
        entry = (
            replace(each, text=f"… {each.text}")
            if before and _answers_another(each, before)
            else each
        )
        in_lines = "\n" in entry.text or bool(before and "\n" in before.text)
        if entry.by and (entry.by, entry.label) == last and not in_lines:
            out[-1] += f" {entry.text}"
        else:
            out.append(marked(entry) if differ else line(entry))
        last = (entry.by, entry.label)
    return out


def _answers_another(entry: Entry, before: Entry) -> bool:
    if not _YES_NO.match(entry.text) or len(entry.order) < _PLACES or entry.order[1] < 0:
        return False
    return entry.order[:2] != before.order[:2] or entry.order[2] != before.order[2] + 1


_PLACES = 3
"""Of what was said: its day, its session, its place in that."""
_YES_NO = re.compile(
    r"“(?:yes|yeah|yep|yup|no|nope|nah|sure|right|correct|exactly|true|false|never|always|not "
    r"really|of course|absolutely"
    r"|definitely|agreed|ok|okay|please do|don['’]t|ja|nein|doch|oui|non|si|sí|da|да|нет|是|"
    r"不)(?=[\W_]|$)",
    re.IGNORECASE,
)


def because(made_of: Mapping[str, float]) -> str:
    """The parts in words: `name 0.40 · words 0.27`."""
    return " · ".join(
        f"{name} {value:.2f}" for name, value in made_of.items() if abs(value) >= _LEAST_SHOWN
    )
