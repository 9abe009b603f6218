"""A part of a text that is a secret."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretSpan:
    """A secret's place in a text, and its kind."""

    start: int
    end: int
    kind: str
