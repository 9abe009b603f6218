"""The command that shows how things went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from factbook.cli import completing, say
from factbook.cli.options import Db, Json, Since, Space, opened

if TYPE_CHECKING:
    from factbook.model.trend import Trend

_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 24
"""So many of the latest values are drawn."""
_ARROWS = {"up": "↑", "down": "↓", "flat": "→"}


def trends(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Only of this one: all its figures.",
            autocompletion=completing.names,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="Only this kind: metric, campaign, pain_point, decision.",
            autocompletion=completing.kinds,
        ),
    ] = None,
    since: Since = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """How figures went, how often pain points came up, what was decided and why; what expired
    too.
    """
    with opened(db, space) as memory:
        found = memory.trends(name, kind=kind, since=since)
    if json:
        say.as_json(found)
        return
    if not found:
        say.hint("Nothing was told twice yet of which a course could be shown.")
        return
    rows = [
        (say.clean(each.name), _what(each), _drawn(each), _last(each), _told(each))
        for each in found
    ]
    say.show(
        say.table(
            ("name", "what", "course", "last", "so far"),
            rows,
            styles={"name": "bold", "course": "cyan", "so far": "dim"},
            rest="so far",
        )
    )


def _what(trend: Trend) -> str:
    return say.clean(
        " ".join(part for part in (trend.rhythm, trend.what.replace("_", " ")) if part)
    )


def _drawn(trend: Trend) -> str:
    """`▂▅▇ ↑`: the figures as bars, and where they went."""
    arrow = _ARROWS.get(trend.direction, "")
    figures = [point.value for point in trend.points if point.value is not None][-_WIDEST:]
    if trend.what in ("frequency", "decision") or len(figures) < 2:
        return arrow
    return f"{sparkline(figures)} {arrow}".strip()


def sparkline(figures: list[float]) -> str:
    """One bar a figure, from the least to the greatest."""
    low, high = min(figures), max(figures)
    step = (high - low) / (len(_BARS) - 1) or 1.0
    return "".join(
        _BARS[round((figure - low) / step)] if high > low else _BARS[3] for figure in figures
    )


def _last(trend: Trend) -> str:
    if trend.what == "frequency":
        return f"{say.count(trend.count, 'time')}, {say.when(trend.last_at)}"
    text = "" if trend.what == "decision" else f"{say.clean(trend.points[-1].text)}, "
    return text + say.when(trend.points[-1].at, trend.points[-1].grain)


def _told(trend: Trend) -> str:
    from factbook.graph.trends import describe_trend

    parts = [describe_trend(trend)] if trend.what not in ("frequency", "decision") else []
    if len(trend.points) > 1 and trend.what not in ("frequency", "decision"):
        first = trend.points[0]
        parts.append(f"from {say.clean(first.text)} in {say.when(first.at, first.grain)}")
    parts += [
        f"{key.replace('_', ' ')}: {say.clean(value)}" for key, value in trend.details.items()
    ]
    parts += ["expired"] * trend.expired
    return "; ".join(part for part in parts if part)
