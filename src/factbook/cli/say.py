"""Printing on the command line: tables and colours on a terminal, plain lines otherwise, JSON when
asked.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from factbook.model.codec import to_json_full
from factbook.model.record import SELF

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from factbook.model.record import Fact, Relation
    from factbook.model.source import Grain

_WIDEST = 100
"""On a wide terminal lines get no longer than this."""
_PIPED = 10_000
"""Lines that go elsewhere are never wrapped."""
_GAP = 2
_LEAST = 16
_LEAST_WRAPPED = 30
"""Characters of a column from which on a text is read over several lines."""


def make_console(*, errors: bool = False) -> Console:
    """Makes the console to print on, anew for each command, since tests and pagers change the
    streams.
    """
    from rich.console import Console

    stream = sys.stderr if errors else sys.stdout
    out = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=False)
    out.width = min(out.width, _WIDEST) if out.is_terminal else _PIPED
    return out


def as_json(value: object) -> None:
    """Prints a value as JSON, with every field."""
    text = json.dumps(to_json_full(value), ensure_ascii=False, indent=2)
    # What a terminal would obey is written as an escape; JSON reads it the same.
    print(_COMMANDS.sub(lambda found: f"\\u{ord(found.group()):04x}", text))


_COMMANDS = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def clean_output(text: str, *, lines: bool = False) -> str:
    """The text without what a terminal would obey: control characters, direction overrides; on one
    line unless `lines`.
    """
    kept = f"{_JOINER}\n" if lines else _JOINER
    return "".join(
        char if char.isprintable() or char in kept else " " if char.isspace() else "�"
        for char in text
        if char == _JOINER or unicodedata.category(char) != "Cf"
    )


_JOINER = "\u200d"


def print_line(*parts: str | Text | tuple[str, str]) -> None:
    """Prints one line; a part is a text, or a text with its style."""
    text = style_line(*parts)
    text.overflow = "fold"
    print_drawn(text)


def print_whole(first: Text, last: tuple[str, str], joint: str) -> None:
    """Prints two parts on one line, or the last below the first where both are too long for it."""
    both = style_line(first, joint, last)
    if both.cell_len <= make_console().width:
        print_line(both)
    else:
        print_line(first)
        print_line("  ", last)


def style_line(*parts: str | Text | tuple[str, str]) -> Text:
    """A line of parts, each a text or a text with its style."""
    from rich.text import Text

    return Text.assemble(*parts)


def print_drawn(what: RenderableType) -> None:
    """Prints something that rich can draw, without blanks at the ends of lines where it is not a
    terminal.
    """
    out = make_console()
    if out.is_terminal:
        out.print(what)
        return
    with out.capture() as captured:
        out.print(what)
    print("\n".join(each.rstrip() for each in captured.get().splitlines()))


def print_hint(text: str) -> None:
    """Prints something beside the result, on the error stream."""
    make_console(errors=True).print(text, style="dim", soft_wrap=True)


def print_error(text: str) -> None:
    """Prints what went wrong, on the error stream."""
    make_console(errors=True).print(clean_output(text), style="red", soft_wrap=True)


def make_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    styles: Mapping[str, str] | None = None,
    right: Sequence[str] = (),
    rest: str = "",
    wrap: bool = False,
    heading: bool = True,
) -> RenderableType:
    """Rows in aligned columns without rules.

    Args:
        columns: their headings. rows: their cells. styles: by column. right: columns that are set
            to the right.
        rest: the column that gives way on a narrow terminal: its cells are cut, or with `wrap` go
            over several lines, unless little of a text would stand in each.
        heading: whether to show the headings.
    """
    from rich.table import Table

    drawn = Table(
        box=None, show_header=heading, header_style="dim", padding=(0, _GAP, 0, 0), pad_edge=False
    )
    widths = _column_widths(columns, rows, rest, make_console().width)
    for column, width in zip(columns, widths, strict=True):
        wraps = wrap and column == rest and width >= _LEAST_WRAPPED
        drawn.add_column(
            column,
            style=(styles or {}).get(column),
            justify="right" if column in right else "left",
            no_wrap=not wraps,
            overflow="fold" if wraps else "ellipsis",
            max_width=width,
        )
    for row in rows:
        drawn.add_row(*(style_line(cell) if isinstance(cell, str) else cell for cell in row))
    return drawn


def _column_widths(
    columns: Sequence[str], rows: Sequence[Sequence[str | Text]], rest: str, whole: int
) -> list[int]:
    """Returns the width of each column: that of its widest cell, at most 45%, and for `rest` what
    is left.
    """
    from rich.cells import cell_len

    cells = [columns, *rows]
    wanted = [max(cell_len(str(row[number])) for row in cells) for number in range(len(columns))]
    capped = [
        width if column == rest else min(width, widest_cell(whole))
        for column, width in zip(columns, wanted, strict=True)
    ]
    if rest in columns:
        number = columns.index(rest)
        left = whole - sum(capped) + capped[number] - _GAP * len(columns)
        capped[number] = max(_LEAST, min(capped[number], left))
    return capped


def widest_cell(whole: int | None = None) -> int:
    """Returns the share of a line, or of this width, that a column may take which doesn't give way."""
    return (make_console().width if whole is None else whole) * 9 // 20


def count_noun(number: int, noun: str) -> str:
    """`1 fact`, `1,204 facts`, `2 entities`, `3 people`."""
    return f"{number:,} {noun if number == 1 else _plural_of(noun)}"


def _plural_of(noun: str) -> str:
    if noun == "person":
        return "people"
    return f"{noun[:-1]}ies" if noun.endswith("y") else noun if noun.endswith("s") else f"{noun}s"


def count_sorts(numbers: Mapping[str, int]) -> str:
    """`1 entity, 4 relations`, from counts by sort (`entities`, `relations`); those of nothing are
    left out.
    """
    parts: list[str] = []
    for sort, number in numbers.items():
        words = sort.replace("_", " ")
        one = f"{words[:-3]}y" if words.endswith("ies") else words.removesuffix("s")
        if number:
            parts.append(f"{number:,} {one if number == 1 else words}")
    return ", ".join(parts)


_DAYS: Mapping[Grain, str] = {"year": "%Y", "month": "%Y-%m"}


def show_day(at: datetime | None, grain: Grain = "instant") -> str:
    """A day as far as it is known: `2026-03-02`, `2026-03`, `2026`."""
    return at.astimezone(UTC).strftime(_DAYS.get(grain, "%Y-%m-%d")) if at else ""


def show_span(row: Fact | Relation) -> str:
    """`since 2026-03-02`, `until 2026-03-02`, or, where neither is known, the day it was said:
    `said 2026-03-02`.
    """
    if row.invalid_at is not None:
        return f"until {show_day(row.invalid_at, row.grain)}"
    if (
        row.valid_at is not None and row.valid_at != row.source.said_at
    ):  # else it is not known to begin then
        return f"since {show_day(row.valid_at, row.grain)}"
    return f"said {show_day(row.source.said_at)}" if row.source.said_at else ""


def show_age(at: datetime, now: datetime) -> str:
    """`today`, `yesterday`, `12 days ago`, `3 months ago`, `2 years ago`."""
    days = (now.astimezone(UTC).date() - at.astimezone(UTC).date()).days
    if days < 2:
        return "yesterday" if days == 1 else "today"
    if days < 60:
        return f"{days} days ago"
    return f"{days // 30} months ago" if days < 730 else f"{days // 365} years ago"


def show_seconds(took: float) -> str:
    """`0.4 s`, `3.6 s`, `2 min 5 s`."""
    return f"{took:.1f} s" if took < 60 else f"{int(took // 60)} min {int(took % 60)} s"


def show_size(number: int) -> str:
    """`812 B`, `4.1 MB`."""
    amount = float(number)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def show_name(name: str) -> str:
    """A name as it is shown; the space's own user is `you`, as long as nobody said a name."""
    return "you" if name in ("", SELF) else clean_output(name)


def show_path(file: Path | str) -> str:
    """A path as people write it, from the home folder."""
    text = str(file)
    home = str(Path.home())
    return f"~{text.removeprefix(home)}" if text.startswith(home + "/") else text
