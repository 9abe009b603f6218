"""Trends: how a figure went, how often something came up, what was decided and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from factbook.model.source import Grain

Direction = Literal["up", "down", "flat", "unclear"]
"""`unclear`: fewer than two points that can be compared."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrendPoint:
    """One value of a trend.

    Attributes:
        at: the time it is of: the period's beginning where the words give one, else when it was
            said; `grain`: how exactly that is known. period: as the words give it (`Q2`, `March`).
        text: as it was said. value: the figure in it, None for none (of what came up, how often it
            had by then).
        session, quote, speaker: where, in which words and by whom it was said.
    """

    at: datetime
    grain: Grain = "day"
    period: str = ""
    text: str
    value: float | None = None
    session: str = ""
    quote: str = ""
    speaker: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trend:
    """The course of one thing of an entity.

    Attributes:
        entity_id, name, kind: of the canonical entity.
        what: `value`, another attribute (`budget`), a figure of a campaign's performance (`ctr`),
            `frequency` of a pain point, or `decision`.
        unit: of all the points: `%`, a currency's code, a word, or empty. rhythm: `daily`,
            `weekly`, `monthly`, `quarterly`, `yearly` where the values say so; values of several
            are several trends.
        points: oldest first; expired ones too.
        direction: from the first figure to the last; of a frequency, of the last 30 days against
            the 30 before.
        latest: from the last figure but one to the last.
        change: from the first figure to the last, as a share of the first; None where that says
            nothing.
        count: how many points; of a pain point, how often it came up.
        details: what else the schema has, by attribute: a decision's `action`, `rationale`,
            `outcome`; a pain point's `severity`, `resolved`.
        expired: the lifespan of its kind is over, so that recall and contexts don't show it.
    """

    entity_id: str
    name: str
    kind: str
    what: str = "value"
    unit: str = ""
    rhythm: str = ""
    points: tuple[TrendPoint, ...] = ()
    direction: Direction = "unclear"
    latest: Direction = "unclear"
    change: float | None = None
    count: int = 0
    details: Mapping[str, str] = field(default_factory=dict[str, str])
    expired: bool = False

    @property
    def last_at(self) -> datetime | None:
        """When the last point is of."""
        return self.points[-1].at if self.points else None
