"""A part of a text that is a secret."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Where a secret stands, and of which kind it is."""

    start: int
    end: int
    kind: str
