"""Days as a context shows them."""

from __future__ import annotations

from datetime import UTC, datetime

from factbook.model.source import Grain


def show_day_of(at: datetime) -> str:
    """`2026-06-02`."""
    return at.astimezone(UTC).date().isoformat()


def show_moment(at: datetime, grain: Grain) -> str:
    """As exactly as it is known: `2026`, `2026-06`, `2026-06-02`."""
    return show_day_of(at)[: {"year": 4, "month": 7}.get(grain, 10)]


def short_day(at: datetime, now: datetime) -> str:
    """`06-02` in this year, else the whole date."""
    text = show_day_of(at)
    return text[5:] if text[:4] == show_day_of(now)[:4] else text
