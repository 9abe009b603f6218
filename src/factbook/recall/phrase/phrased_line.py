"""A ranked line in words: the form in which lines go from phrasing to packing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from factbook.model.line import LineKind
from factbook.model.recollection import LeftOut
from factbook.render.block import Entry
from factbook.text.excerpt import Cut


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A line in words, with its score and what packing and the reader of the answer want to know.

    Attributes:
        left_out: why it can't enter, and is only told of; empty if it may.
        project: the label that it carries. general: it carries none, and a project was asked for.
        claims: of a conflict, the messages that it rests on.
        cut: its words in portions, if it is long; the entry holds the best one.
        always: the kind of what enters every context; empty for all else.
        place: the session's number for spreading, -1 for none.
        says, unless: as in `recall.pack.Item`.
    """

    id: str
    kind: LineKind
    space: str
    score: float
    parts: Mapping[str, float]
    entry: Entry
    at: datetime | None = None
    speaker: str = ""
    session: str = ""
    entity_ids: tuple[str, ...] = ()
    source_id: str = ""
    project: str = ""
    general: bool = False
    left_out: LeftOut = ""
    claims: frozenset[str] = frozenset()
    cut: Cut | None = None
    always: str = ""
    place: int = -1
    says: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
