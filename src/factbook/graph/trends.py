"""The course of figures, of what comes up again, and of decisions; pure.

A value's time is that of its period (`Q2`, `March`) where the words give one, else when it was
said. Figures of one unit and rhythm are one trend. Of two figures for the same period the later
statement holds: it corrects the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from factbook.model.entity import Entity
from factbook.model.grouping import group_by
from factbook.model.record import Cardinality, Fact
from factbook.model.source import Grain
from factbook.model.trend import Direction, Trend, TrendPoint
from factbook.text.figures import Figure, read_figure, read_figures
from factbook.text.time_phrases import find_moments
from factbook.text.word_lists import load_pairs

FLAT = 0.01
"""A change below this share of the first figure is none."""
WINDOW = timedelta(days=30)
"""A frequency is that of the last so many days, against as many before."""
FIGURES = ("value", "last_performance")
"""Attributes that hold a course even with one value."""
_RHYTHMS: Mapping[str, str] = load_pairs("text/units", "rhythms")
_RHYTHM = re.compile(r"^(?:(?:a|an|per|each|every)\s+)?(?P<word>[a-z]+)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownCourse:
    """An entity with its statements, from which trends are read.

    Attributes:
        entity: with all its facts. kind: its kind's id. cardinality: by attribute, as its kind
            declares it.
        periods: by a message's id, the period that it speaks of.
        mentions: when each message that names the entity was said. expired: the lifespan of its
            kind is over.
    """

    entity: Entity
    kind: str
    cardinality: Mapping[str, Cardinality]
    periods: Mapping[str, str]
    mentions: Sequence[TrendPoint] = ()
    expired: bool = False


def trends_of(known: KnownCourse, *, now: datetime, since: datetime | None = None) -> list[Trend]:
    """Returns the trends of one entity; figures first. `since` leaves out the points before it."""
    kept = [each for each in _figure_trends(known) if each.points]
    if known.kind == "pain_point":
        kept.append(_frequency_trend(known, now))
    elif known.kind == "decision":
        kept.append(_decision_trend(known))
    out = [_cut_before(each, since) for each in kept]
    return [each for each in out if each.points]


def describe_trend(trend: Trend) -> str:
    """Describes the course in words: `up 12%`, `down 15%, lately up`; empty where nothing can be
    said.
    """
    if trend.direction == "unclear":
        return ""
    share = (
        f" {abs(trend.change):.0%}"
        if trend.change is not None and trend.direction != "flat"
        else ""
    )
    lately = (
        trend.latest
        if trend.latest not in ("unclear", trend.direction) and len(trend.points) > 2
        else ""
    )
    return f"{trend.direction}{share}{f', lately {lately}' if lately else ''}"


# --- figures --------------------------------------------------------------------------------------


_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Figure:
    what: str
    figure: Figure
    rhythm: str
    said: datetime
    dated: bool
    point: TrendPoint

    @property
    def unit(self) -> str:
        """The figure's unit; a currency by its code."""
        return _CURRENCIES.get(self.figure.unit, self.figure.unit)


def _figure_trends(known: KnownCourse) -> list[Trend]:
    facts = [each.fact for each in known.entity.facts if each.state != "retracted"]
    out: list[Trend] = []
    for attribute, rows in group_by(facts, lambda fact: fact.attribute).items():
        if attribute in ("period", "unit", "confidence", "frequency"):
            continue
        values = [value for row in rows for value in _read_figures(row, attribute, known)]
        is_course = attribute in FIGURES or known.cardinality.get(attribute) == "event"
        out += [
            _course_of(known, group)
            for group in _group_figures(values)
            if is_course or len(group) > 1
        ]
    return out


def _read_figures(row: Fact, attribute: str, known: KnownCourse) -> Iterable[_Figure]:
    """Yields the figures in a fact; those of a campaign's performance by their names."""
    named = read_figures(row.value) if attribute == "last_performance" else None
    own = read_figure(row.value)
    figures = named if named is not None else {attribute: own} if own is not None else {}
    said = row.said_at
    period = known.periods.get(row.source.message_id, "") if row.source.message_id else ""
    rhythm = _rhythm_of(period)
    at, grain, dated = _time_of(row, period, said)
    unit = known.entity.attributes.get("unit", "") if attribute == "value" else ""
    for name, figure in figures.items():
        point = TrendPoint(
            at=at,
            grain=grain,
            period=period,
            text=row.value
            if named is None
            else f"{figure.value:g}{figure.unit if figure.unit == '%' else ''}",
            value=figure.value,
            session=row.source.session,
            quote=row.source.quote,
            speaker=row.source.speaker,
        )
        figure = figure if figure.unit else Figure(figure.value, unit if ";" not in unit else "")
        yield _Figure(what=name, figure=figure, rhythm=rhythm, said=said, dated=dated, point=point)


def _rhythm_of(period: str) -> str:
    match = _RHYTHM.match(period.casefold().strip())
    return _RHYTHMS.get(match["word"], "") if match else ""


def _time_of(row: Fact, period: str, said: datetime) -> tuple[datetime, Grain, bool]:
    """Returns the time of a value, how exactly it is known, and whether the words give it."""
    if row.source.since is not None:
        return row.source.since, row.source.grain, True
    read = (find_moments(period, said) or find_moments(f"in {period}", said)) if period else []
    found = next((each for each in read if each.at <= said), None)
    return (found.at, found.grain, True) if found else (said, "day", False)


def _group_figures(values: Sequence[_Figure]) -> list[list[_Figure]]:
    """Returns one list a name, unit and rhythm, oldest first, with one value for each stated
    time.
    """
    out: list[list[_Figure]] = []
    for group in group_by(values, lambda each: (each.what, each.unit, each.rhythm)).values():
        kept: dict[object, _Figure] = {}
        for place, each in enumerate(sorted(group, key=lambda value: (value.said, value.point.at))):
            kept[(each.point.at, each.point.grain) if each.dated else place] = each
        out.append(sorted(kept.values(), key=lambda value: (value.point.at, value.said)))
    return out


def _course_of(known: KnownCourse, group: Sequence[_Figure]) -> Trend:
    first, last = group[0].figure.value, group[-1].figure.value
    return Trend(
        entity_id=known.entity.id,
        name=known.entity.name,
        kind=known.kind,
        what=group[0].what,
        unit=group[0].figure.unit,
        rhythm=group[0].rhythm,
        points=tuple(each.point for each in group),
        direction=_direction_of(first, last) if len(group) > 1 else "unclear",
        latest=_direction_of(group[-2].figure.value, last) if len(group) > 1 else "unclear",
        change=_relative_change(first, last) if len(group) > 1 else None,
        count=len(group),
        details=_stated_details(known, ("campaign",)),
        expired=known.expired,
    )


def _direction_of(first: float, last: float) -> Direction:
    step = last - first
    if abs(step) <= FLAT * max(abs(first), abs(last)):
        return "flat"
    return "up" if step > 0 else "down"


def _relative_change(first: float, last: float) -> float | None:
    """Returns the change as a share of the first; None for a loss, or one that turns into a
    loss.
    """
    return round((last - first) / first, 4) if first > 0 and last >= 0 else None


# --- what comes up, what was decided --------------------------------------------------------------


def _frequency_trend(known: KnownCourse, now: datetime) -> Trend:
    """Counts how often a pain point came up: the messages that name it, or more where it is said to
    have been more.
    """
    times = sorted(known.mentions, key=lambda point: point.at)
    points = tuple(replace(point, value=float(place)) for place, point in enumerate(times, 1))
    said = [int(value) for value in _stated_texts(known, "frequency") if value.isdigit()]
    return Trend(
        entity_id=known.entity.id,
        name=known.entity.name,
        kind=known.kind,
        what="frequency",
        points=points,
        direction=_pace_of([point.at for point in points], now),
        count=max([len(points), *said]),
        details=_stated_details(known, ("severity", "resolved", "related_campaigns")),
        expired=known.expired,
    )


def _pace_of(times: Sequence[datetime], now: datetime) -> Direction:
    late = sum(now - WINDOW < at <= now for at in times)
    early = sum(now - 2 * WINDOW < at <= now - WINDOW for at in times)
    if len(times) < 2 or not late + early:
        return "unclear"
    return "up" if late > early else "down" if late < early else "flat"


def _decision_trend(known: KnownCourse) -> Trend:
    points = [
        TrendPoint(
            at=row.fact.source.since or row.fact.source.said_at or row.fact.created_at,
            text=f"{row.attribute}: {row.value}",
            session=row.source.session,
            quote=row.quote,
            speaker=row.source.speaker,
        )
        for row in known.entity.facts
        if row.attribute in ("action", "outcome") and row.state != "retracted"
    ]
    points += [
        replace(point, text=known.entity.description or known.entity.name)
        for point in known.mentions
    ]
    return Trend(
        entity_id=known.entity.id,
        name=known.entity.name,
        kind=known.kind,
        what="decision",
        points=tuple(sorted(points, key=lambda point: point.at)),
        count=len(points),
        details=_stated_details(
            known, ("action", "rationale", "affected_entities", "reversible", "outcome")
        ),
        expired=known.expired,
    )


def _stated_details(known: KnownCourse, names: Sequence[str]) -> dict[str, str]:
    """Returns the stated values of these attributes, or else those that an extractor or host kept
    as metadata.
    """
    entity = known.entity
    found = {name: entity.attributes.get(name) or entity.metadata.get(name, "") for name in names}
    return {name: value for name, value in found.items() if value}


def _stated_texts(known: KnownCourse, name: str) -> list[str]:
    stated = [
        row.value
        for row in known.entity.facts
        if row.attribute == name and row.state != "retracted"
    ]
    return [*stated, known.entity.metadata.get(name, "")]


def _cut_before(trend: Trend, since: datetime | None) -> Trend:
    if since is None:
        return trend
    points = tuple(point for point in trend.points if point.at >= since)
    figures = [point.value for point in points if point.value is not None]
    if trend.what in ("frequency", "decision"):
        return replace(
            trend,
            points=points,
            count=len(points) if len(points) < len(trend.points) else trend.count,
        )
    several = len(figures) > 1
    return replace(
        trend,
        points=points,
        count=len(points),
        direction=_direction_of(figures[0], figures[-1]) if several else "unclear",
        latest=_direction_of(figures[-2], figures[-1]) if several else "unclear",
        change=_relative_change(figures[0], figures[-1]) if several else None,
    )
