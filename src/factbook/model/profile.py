"""Profiles: what is told of one entity, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from factbook.model.record import ObservationSort

ProfileKind = Literal["fact", "relation", "observation"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProfileLine:
    """One line of a profile.

    Attributes:
        ids: the rows that it tells: all values of an attribute stand in one line. kind: theirs.
        sort: of an observation; `event` too for a relation that tells what happened. Empty for what
            holds now.
        words: what it tells, escaped.
        note: how it holds, and who said so; nothing for what the entity asserted itself.
        when: its time in the world, where that is not the day on which it was said.
        said: that day, the latest of its rows; empty where the words name it.
    """

    ids: tuple[str, ...]
    kind: ProfileKind
    sort: ObservationSort | Literal[""] = ""
    words: str
    note: str = ""
    when: str = ""
    said: str = ""

    @property
    def text(self) -> str:
        """The words with their source: `“I won yesterday” (on 2026-05-06, said 2026-05-07)`."""
        said = f"said {self.said}" if self.when else self.said
        source = ", ".join(part for part in (self.note, self.when, said) if part)
        return f"{self.words} ({source})" if source else self.words
