"""What the command line prints: tables and colours on a terminal, plain lines otherwise, JSON when asked."""

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

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from factbook.model.record import Fact, Grain, Relation

_WIDEST = 100
"""On a wide terminal lines get no longer than this."""
_PIPED = 10_000
"""Lines that go elsewhere are never wrapped."""


def console(*, errors: bool = False) -> Console:
    """Where to print; made anew for each command, since tests and pagers change the streams."""
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


def clean(text: str, *, lines: bool = False) -> str:
    """The text without what a terminal would obey: control characters, direction overrides; on one line unless `lines`."""
    return "".join(
        char if char.isprintable() or (lines and char == "\n") else " " if char.isspace() else "�"
        for char in text
        if unicodedata.category(char) != "Cf" or char == "\u200d"
    )


def line(*parts: str | Text | tuple[str, str]) -> None:
    """Prints one line; a part is a text, or a text with its style."""
    show(styled(*parts))


def styled(*parts: str | Text | tuple[str, str]) -> Text:
    """A line of parts, each a text or a text with its style."""
    from rich.text import Text

    return Text.assemble(*parts, overflow="fold")


def show(what: RenderableType) -> None:
    """Prints something that rich can draw, without blanks at the ends of lines where it is not a terminal."""
    out = console()
    if out.is_terminal:
        out.print(what)
        return
    with out.capture() as captured:
        out.print(what)
    print("\n".join(each.rstrip() for each in captured.get().splitlines()))


def hint(text: str) -> None:
    """Prints something beside the result, on the error stream."""
    console(errors=True).print(text, style="dim", soft_wrap=True)


def complain(text: str) -> None:
    """Prints what went wrong, on the error stream."""
    console(errors=True).print(clean(text), style="red", soft_wrap=True)


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    styles: Mapping[str, str] | None = None,
    right: Sequence[str] = (),
    fixed: Sequence[str] = (),
    shares: Sequence[int] = (),
    heading: bool = True,
) -> RenderableType:
    """Rows in aligned columns without rules.

    Args:
        columns: their headings. rows: their cells. styles: by column.
        right: columns that are set to the right. fixed: columns that are never broken.
        shares: where the lines are too long, the columns' shares of the width (0: as wide as its widest cell).
        heading: whether to show the headings.
    """
    from rich.table import Table

    drawn = Table(box=None, show_header=heading, header_style="dim", padding=(0, 2, 0, 0), pad_edge=False)
    out = console()
    ratios = dict(zip(columns, shares, strict=False)) if out.is_terminal and _too_wide(columns, rows, out.width) else {}
    drawn.expand = bool(ratios)
    for column in columns:
        drawn.add_column(
            column,
            style=(styles or {}).get(column),
            justify="right" if column in right else "left",
            no_wrap=column in fixed,
            overflow="fold",
            ratio=ratios.get(column) or None,
        )
    for row in rows:
        drawn.add_row(*(styled(cell) if isinstance(cell, str) else cell for cell in row))
    return drawn


def _too_wide(columns: Sequence[str], rows: Sequence[Sequence[str | Text]], width: int) -> bool:
    from rich.cells import cell_len

    cells = [[cell_len(column) for column in columns], *([cell_len(str(cell)) for cell in row] for row in rows)]
    wanted: int = sum(max(widths) + 2 for widths in zip(*cells, strict=True))
    return wanted > width


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 fact`, `1,204 facts`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


_DAYS: Mapping[Grain, str] = {"year": "%Y", "month": "%Y-%m"}


def when(at: datetime | None, grain: Grain = "instant") -> str:
    """A day as far as it is known: `2026-03-02`, `2026-03`, `2026`."""
    return at.astimezone(UTC).strftime(_DAYS.get(grain, "%Y-%m-%d")) if at else ""


def span(row: Fact | Relation) -> str:
    """`since 2026-03-02`, `until 2026-03-02`."""
    if row.invalid_at is not None:
        return f"until {when(row.invalid_at, row.grain)}"
    return f"since {when(row.valid_at, row.grain)}" if row.valid_at else ""


def ago(at: datetime, now: datetime) -> str:
    """`today`, `yesterday`, `12 days ago`, `3 months ago`, `2 years ago`."""
    days = (now.astimezone(UTC).date() - at.astimezone(UTC).date()).days
    if days < 2:
        return "yesterday" if days == 1 else "today"
    if days < 60:
        return f"{days} days ago"
    return f"{days // 30} months ago" if days < 730 else f"{days // 365} years ago"


def seconds(took: float) -> str:
    """`0.4 s`, `3.6 s`, `2 min 5 s`."""
    return f"{took:.1f} s" if took < 60 else f"{int(took // 60)} min {int(took % 60)} s"


def size(number: int) -> str:
    """`812 B`, `4.1 MB`."""
    amount = float(number)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def path(file: Path | str) -> str:
    """A path as people write it, from the home folder."""
    text = str(file)
    home = str(Path.home())
    return f"~{text.removeprefix(home)}" if text.startswith(home + "/") else text
