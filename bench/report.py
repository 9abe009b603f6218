"""How every bench reports: tables, bars, one JSON object, and an exit status."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Cell = str | int | float | None

_MEETS: Mapping[str, Callable[[float, float], bool]] = {
    "≤": operator.le,
    "≥": operator.ge,
    "=": operator.eq,
}


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A figure and what it must keep: `Bar(name="recall p95", value=21.3, limit=25, sign="≤",
    unit="ms")`.

    A `value` of None is one that could not be measured: it counts as missed.
    """

    name: str
    value: float | None
    limit: float
    sign: Literal["≤", "≥", "="] = "≤"
    unit: str = ""

    @property
    def met(self) -> bool:
        return self.value is not None and _MEETS[self.sign](self.value, self.limit)

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.name} {_text(self.value)}{unit} (bar {self.sign} {_text(self.limit)}{unit})"


@dataclass(kw_only=True)
class Table:
    """Rows under a heading; numbers are shown with at most three significant decimals."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)

    def add(self, *cells: Cell) -> None:
        """One more row."""
        self.rows.append(cells)

    def print(self) -> None:
        from rich.console import Console
        from rich.table import Table as RichTable

        table = RichTable(title=self.title, title_justify="left", title_style="bold")
        for number, column in enumerate(self.columns):
            table.add_column(column, justify="left" if number == 0 else "right")
        for row in self.rows:
            table.add_row(*map(_text, row))
        console = Console()
        if not console.is_terminal:
            console = Console(width=120)
        console.print(table)

    def as_json(self) -> list[dict[str, Cell]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def verdict(bars: Sequence[Bar]) -> int:
    """Prints the last line of a bench, how it stands against its bars, and returns the exit status:
    1 if one is missed.
    """
    missed = [bar for bar in bars if not bar.met]
    if missed:
        print("MISSED: " + "; ".join(map(str, missed)))
        return 1
    print("bars kept: " + ("; ".join(map(str, bars)) or "none apply"))
    return 0


def report(tables: Sequence[Table], bars: Sequence[Bar], *, as_json: bool, **rest: Any) -> int:
    """Prints everything, as tables and a last line or as one JSON object, and returns the exit
    status.

    `rest` are further figures for the JSON object.
    """
    if not as_json:
        for table in tables:
            table.print()
        return verdict(bars)
    verdicts = [
        {
            "name": bar.name,
            "value": bar.value,
            "limit": bar.limit,
            "sign": bar.sign,
            "unit": bar.unit,
            "met": bar.met,
        }
        for bar in bars
    ]
    kept = all(bar.met for bar in bars)
    shown = {table.title: table.as_json() for table in tables}
    print(json.dumps({**rest, "tables": shown, "bars": verdicts, "kept": kept}, ensure_ascii=False))
    return 0 if kept else 1


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many percent don't exceed (nearest rank); 0 for none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    rank = max(1, -(-len(ordered) * percent // 100))
    return ordered[int(rank) - 1]


def _text(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return (
            f"{cell:,.0f}"
            if abs(cell) >= 1000
            else f"{cell:.3g}"
            if abs(cell) < 100
            else f"{cell:.1f}"
        )
    return f"{cell:,}" if isinstance(cell, int) else cell
