"""Recollections: what recall returns, with an account of how the question was understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from factbook.model.line import LineKind
from factbook.model.shown import short

ContextFormat = Literal["memory", "entity_memory", "known_entities", "semantic_memory"]
"""How a context looks: our `<memory>` block; `<entity_memory>` with a section a kind; the list
`[Known Entities]`; `## Semantic Memory` with entities and relations. The last three show whole
entities.
"""

LeftOut = Literal["", "budget", "said", "floor", "silence", "superseded", "filter"]
"""Why a line is not in the block: it is (empty); better ones used the budget up; a line in the
block says the same; its score lies below the floor; nothing in its space fits well enough to be
said; it holds no longer; a filter kept it out.
"""

CONTEXT_FORMATS: tuple[ContextFormat, ...] = (
    "memory",
    "entity_memory",
    "known_entities",
    "semantic_memory",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecalledLine:
    """A chosen line.

    Attributes:
        id, kind: which record it is. space: where it lies.
        text: as it enters the prompt, without the block's grouping.
        score: 0–1. parts: what it is made of, the largest first. because: the same in words.
        at: the line's time. tokens: what it costs.
        entity_ids: whom it is about.
        source_id: the message it rests on; empty if none.
        project: the label that it carries; empty for none. general: it carries none, and a project
            was asked for.
        left_out: why it is not in the block; empty for those that are.
        path: how the question's hops lead to whom it is about (`Alice –reports to→ Tom Berger`);
            empty if none do.
        cut: it says only a part of a long message or note, with ` … ` for the rest; `Memory.whole`
            gives all of it.
    """

    id: str
    kind: LineKind
    space: str
    text: str
    score: float
    parts: Mapping[str, float]
    because: str
    at: datetime | None = None
    tokens: int = 0
    speaker: str = ""
    session: str = ""
    entity_ids: tuple[str, ...] = ()
    source_id: str = ""
    project: str = ""
    general: bool = False
    left_out: LeftOut = ""
    path: str = ""
    cut: bool = False

    def __str__(self) -> str:
        why = f"left out: {self.left_out}" if self.left_out else self.because
        return f"{self.score:.2f} {self.kind} {short(self.text)}" + (
            f" [{short(why)}]" if why else ""
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Silence:
    """A space in which nothing fits the question well enough to be said.

    Attributes:
        fit: how well the best line fits by words, meaning and name, 0–1. least: what it takes.
    """

    space: str
    fit: float
    least: float


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedName:
    """A name in a question: `said` is how it stands there, `name` whose it is, `strength` 0–1 how
    surely.
    """

    said: str
    name: str
    entity_id: str
    strength: float


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedTime:
    """A time in a question: [since, until), open where None. `known_by` tells what dates an event
    that is spoken of.
    """

    said: str
    since: datetime | None = None
    until: datetime | None = None
    known_by: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The understanding of a question in one space.

    Attributes:
        names: whom it names, the surest first; the asker as `I`. time: what time it speaks of, None
            for none.
        kinds: ids of the kinds it asks for. attributes: those of facts.
        shape: `open`, `list`, `count`, `yes_no`, `how_long`, `comparison`, `first` or `last`.
        paths: where its hops lead, in words. past: it asks for what held once.
    """

    space: str
    names: tuple[AskedName, ...] = ()
    time: AskedTime | None = None
    kinds: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    shape: str = "open"
    paths: tuple[str, ...] = ()
    past: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Recollection:
    """The result of recall; `str()` of it is the block for the prompt (empty when nothing fits).

    Attributes:
        question: as asked. text: the rendered block. lines: what is in it, best first.
        tokens: the block's cost by the counter that was asked for, never above `budget`.
        candidates: how many lines were weighed. near: lines that nearly entered, best first, each
            with why it did not (`RecalledLine.left_out`).
        floor: the score below which no line enters, whichever its space; 0 where none was ranked.
            silent: the spaces that have nothing to say.
        about: the names that the question was linked to. asked: how it was understood, space by
            space. ms: how long it took, wall time in milliseconds.
    """

    question: str
    text: str = ""
    lines: tuple[RecalledLine, ...] = ()
    tokens: int = 0
    budget: int = 0
    candidates: int = 0
    near: tuple[RecalledLine, ...] = ()
    floor: float = 0.0
    silent: tuple[Silence, ...] = ()
    about: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    ms: float = 0.0

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.lines)
