"""The command that shows how things went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from factbook.cli import completing, say
from factbook.cli.options import Db, Json, Since, Space, open_memory

if TYPE_CHECKING:
    from factbook.model.trend import Trend

_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 24
"""So many of the latest values are drawn."""
_ARROWS = {"up": "↑", "down": "↓", "flat": "→"}


def show_trends(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Only of this one: all its figures.",
            autocompletion=completing.complete_names,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="Only this kind: metric, campaign, pain_point, decision.",
            autocompletion=completing.complete_kinds,
        ),
    ] = None,
    since: Since = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Show how figures went, how often pain points came up, what was decided and why; what expired
    too.
    """
    with open_memory(db, space) as memory:
        found = memory.trends(name, kind=kind, since=since)
    if json:
        say.as_json(found)
        return
    if not found:
        say.print_hint("Nothing was told twice yet of which a course could be shown.")
        return
    rows = [
        (
            say.clean_output(each.name),
            _name_of(each),
            _draw_trend(each),
            _last_figure(each),
            _tell_trend(each),
        )
        for each in found
    ]
    say.print_drawn(
        say.make_table(
            ("name", "what", "course", "last", "so far"),
            rows,
            styles={"name": "bold", "course": "cyan", "so far": "dim"},
            rest="so far",
        )
    )


def _name_of(trend: Trend) -> str:
    return say.clean_output(
        " ".join(part for part in (trend.rhythm, trend.what.replace("_", " ")) if part)
    )


def _draw_trend(trend: Trend) -> str:
    """`▂▅▇ ↑`: the figures as bars, and where they went."""
    arrow = _ARROWS.get(trend.direction, "")
    figures = [point.value for point in trend.points if point.value is not None][-_WIDEST:]
    if trend.what in ("frequency", "decision") or len(figures) < 2:
        return arrow
    return f"{draw_sparkline(figures)} {arrow}".strip()


def draw_sparkline(figures: list[float]) -> str:
    """One bar a figure, from the least to the greatest."""
    low, high = min(figures), max(figures)
    step = (high - low) / (len(_BARS) - 1) or 1.0
    return "".join(
        _BARS[round((figure - low) / step)] if high > low else _BARS[3] for figure in figures
    )


def _last_figure(trend: Trend) -> str:
    if trend.what == "frequency":
        return f"{say.count_noun(trend.count, 'time')}, {say.show_day(trend.last_at)}"
    text = "" if trend.what == "decision" else f"{say.clean_output(trend.points[-1].text)}, "
    return text + say.show_day(trend.points[-1].at, trend.points[-1].grain)


def _tell_trend(trend: Trend) -> str:
    from factbook.graph.trends import describe_trend

    parts = [describe_trend(trend)] if trend.what not in ("frequency", "decision") else []
    if len(trend.points) > 1 and trend.what not in ("frequency", "decision"):
        first = trend.points[0]
        parts.append(
            f"from {say.clean_output(first.text)} in {say.show_day(first.at, first.grain)}"
        )
    parts += [
        f"{key.replace('_', ' ')}: {say.clean_output(value)}"
        for key, value in trend.details.items()
    ]
    parts += ["expired"] * trend.expired
    return "; ".join(part for part in parts if part)
