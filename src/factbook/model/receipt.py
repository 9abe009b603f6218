"""Receipts and events: what a write did, said at once and to whoever listens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from factbook.model.shown import counted, listed, reasons, short


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    """The result of a write. `Memory.undo` takes it.

    Attributes:
        space: where.
        verb: what was done (`remember`, `put`, `relate`, `note`, `merge`, …).
        versions: the commits it made, in order; empty for `remember`, whose learning comes later.
        episode_ids: the episodes it stored; their ids are their jobs' too.
        stored, duplicates: messages kept, and messages that were there already.
        held_back: messages that were forgotten and came again; `remember(…, anyway=True)` stores
            them.
        masked: secrets masked before storing, by sort. skipped: messages not remembered, by reason.
        entity_ids: the entities it touched, canonical.
        ids: the rows it made (facts, relations, notes, same_as …).
    """

    space: str
    verb: str
    versions: tuple[int, ...] = ()
    episode_ids: tuple[str, ...] = ()
    stored: int = 0
    duplicates: int = 0
    held_back: int = 0
    masked: Mapping[str, int] = field(default_factory=dict[str, int])
    skipped: Mapping[str, int] = field(default_factory=dict[str, int])
    entity_ids: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        kept = {"messages": self.stored, "entities": len(self.entity_ids), "rows": len(self.ids)}
        parts = [counted(kept) or "nothing new"]
        parts += [f"{self.duplicates} known already"] if self.duplicates else []
        parts += [f"{self.held_back} held back, forgotten before"] if self.held_back else []
        parts += [f"masked: {reasons(self.masked)}"] if self.masked else []
        parts += [f"skipped: {reasons(self.skipped)}"] if self.skipped else []
        which = [f"version {', '.join(listed(map(str, self.versions)))}"] if self.versions else []
        which += [f"episode {', '.join(listed(self.episode_ids))}"] if self.episode_ids else []
        return f"{self.verb} in {short(self.space)}: {'; '.join(parts)}" + (
            f" ({'; '.join(which)})" if which else ""
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Learned:
    """The result of one episode's extraction: counts of new rows.

    `found` is how many entities its text named, known ones too, and `entity_ids` are they, as said
    (not canonical). `stand_in`: a stand-in learned it; it is taken back when the job is done by its
    own extractor. `error`: not empty where the job failed and nothing was learned
    (`wait(raises=False)`); the job's latest failure.
    """

    space: str
    episode_id: str
    version: int | None = None
    entities: int = 0
    facts: int = 0
    relations: int = 0
    observations: int = 0
    mentions: int = 0
    reviews: int = 0
    conflicts: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])
    found: int = 0
    entity_ids: tuple[str, ...] = ()
    stand_in: bool = False
    error: str = ""

    def __str__(self) -> str:
        where = f"learned in {short(self.space)} from episode {self.episode_id}"
        if self.error:
            return f"not {where}: {short(self.error)}"
        names = ("entities", "facts", "relations", "reviews", "conflicts")
        parts = [counted({name: getattr(self, name) for name in names}) or "nothing new"]
        parts += [f"left out: {reasons(self.dropped)}"] if self.dropped else []
        parts += ["by a stand-in"] if self.stand_in else []
        return f"{where}: {'; '.join(parts)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubtful:
    """A sentence or entity that may be about whom or what was forgotten; `forget(…, also=[id])`
    takes it too.
    """

    id: str
    text: str
    why: str

    def __str__(self) -> str:
        return f"{self.id}: {short(self.text)} ({short(self.why)})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Erased:
    """The receipt of forgetting: what is gone, by sort, and what lies elsewhere still.

    Attributes:
        counts: rows, messages, sentences and commits that went or were altered, by sort; of a dry
            run what would go.
        pending: what is left for the caller: doubtful sentences and likely namesakes with their
            ids, words of the forgotten one's own, and where the words may lie still, out of reach
            from here.
        version: the entry of the log that says so; `lift` takes it. None for a dry run.
        lines: of a dry run that looked for an entity or a topic, the messages and sentences it
            would take; never more than 50.
        doubtful: what of `pending` has an id. reviews: open reviews that fall away, as the names of
            both sides.
    """

    space: str
    what: str
    dry_run: bool = False
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    pending: tuple[str, ...] = ()
    version: int | None = None
    lines: tuple[str, ...] = ()
    doubtful: tuple[Doubtful, ...] = ()
    reviews: tuple[str, ...] = ()

    def __str__(self) -> str:
        done = "would be forgotten" if self.dry_run else "forgotten"
        lines = [
            f"{short(self.what)} {done} in {short(self.space)}: {counted(self.counts) or 'nothing'}"
        ]
        lines += [f"- {each}" for each in listed(map(short, self.lines))]
        lines += [f"? {each}" for each in listed(map(short, self.pending))]
        lines += [f"review: {each}" for each in listed(map(short, self.reviews))]
        return "\n".join(lines)


EventName = Literal[
    "remembered",
    "extracted",
    "learned",
    "merged",
    "conflict",
    "recalled",
    "forgotten",
    "failed",
    "undone",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """Something a user may watch.

    What `data` holds besides ids, by name of the event (`ms` is how long it took, wall time in
    milliseconds):

    - `remembered`: something was kept. `verb`: how (`remember`, `put`, `relate`, `note`);
      `messages` and `episodes`, or `entities`, `ids` and `versions` as in a `Receipt`; `ms`.
    - `extracted`: an extractor read an episode. `episode`, `extractor`, `entities`, `facts`,
      `relations`; `dropped`: by reason, what it gave that was not taken; `ms`. From an
      `EntityMemory`: `run_id`, `entities_extracted`, `entities_total`, `dropped`.
    - `learned`: that was committed. `episode`, `version`, new rows as in `Learned`; `ms` of the
      whole job.
    - `merged`: two entities became one. `entities`: the one that stays. `verb`: `merge` or
      `review`.
    - `conflict`: attributes came to have several answers. `count`; `episode` or `entities`.
    - `recalled`: a question was answered. `verb`: `recall`, `context` or `search` (of notes);
      `lines`, `ms`, and of the first two `tokens` and `candidates`.
    - `forgotten`: `what` (`an entity`, `messages`, `a topic`, `single rows`, `everything`),
      `counts` by sort of row, `ms`.
    - `failed`: a job could not be done. `episode`, `error`: its class; `attempts`; `final`: it
      isn't tried again.
    - `undone`: `versions`.

    Attributes:
        data: ids, names of kinds and counts, never what was said.
        texts: what was said, for observers that ask for it: `query`, and `records`, a list of
            mappings with `content` and, of what was recalled, `id` and `score`. Empty for others.
    """

    name: EventName
    space: str
    at: datetime
    data: Mapping[str, object] = field(default_factory=dict[str, object])
    texts: Mapping[str, object] = field(default_factory=dict[str, object])

    def __str__(self) -> str:
        told = ", ".join(
            listed(f"{name}={short(str(value), 60)}" for name, value in self.data.items())
        )
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.name} in {short(self.space)}" + (
            f": {told}" if told else ""
        )
