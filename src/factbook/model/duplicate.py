"""What the search for duplicates says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from factbook.model.receipt import Receipt


@dataclass(frozen=True, kw_only=True, slots=True)
class Duplicate:
    """Two entities that are one for sure (`merge`), or may be (`ask`).

    Attributes:
        left_id, right_id: canonical ids; left_name, right_name: what they are called; left_kind,
            right_kind.
        score: how sure it is, 0–1. evidence: why, in words, the weightiest first.
    """

    left_id: str
    right_id: str
    left_name: str
    right_name: str
    left_kind: str
    right_kind: str
    verdict: Literal["merge", "ask"]
    score: float
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """A review as people read it: both sides with what is known of each, and why they may be one.

    Attributes:
        id: of the review; `Memory.decide` takes it. left_id, right_id: the two, as they were said.
        left, right: the same as they read now. Where `right` bears the name of one that was
            forgotten, both ids are its own, and `left` is nobody.
        score: how likely they are one, 0–1. evidence: why, in words. created_at: since when it
            waits.
    """

    id: str
    left_id: str
    right_id: str
    left: Party
    right: Party
    score: float
    evidence: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Party:
    """One side of a review: its canonical id, name and kind, other names, some of what is said of
    it, and how many messages name it.
    """

    id: str
    name: str
    kind: str
    names: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    mentions: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Deduped:
    """The result of a search for duplicates.

    Attributes:
        merged: the sure ones, each with the receipt that `Memory.undo` takes.
        asked: those that wait for review by now.
        left: sure ones that were left alone, since the first merges made them one, or somebody said
            otherwise meanwhile.
    """

    merged: tuple[tuple[Duplicate, Receipt], ...] = ()
    asked: tuple[Duplicate, ...] = ()
    left: tuple[Duplicate, ...] = ()
