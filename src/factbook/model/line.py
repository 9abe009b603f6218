"""Lines: their filter, and what a search finds of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple

from factbook.model.record import EntityRecord, Fact, Note, Observation, Relation

LineKind = Literal["message", "fact", "relation", "note", "entity", "observation"]

LINE_KINDS: tuple[LineKind, ...] = (
    "message",
    "fact",
    "relation",
    "note",
    "entity",
    "observation",
)
"""In the order of their numbers in stores, which never change."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line: all that filters, searches and hits need.

    Attributes:
        id, kind: whose line it is; the two are its key within a space.
        session: the label of its session; None for what was said in none (a message always has
            one).
        position: a message's place in its session, else -1.
        at: when it was said, or else written; all times are seconds since 1970, UTC.
        words: index words in order, repetitions kept.
        cost: white-space words of the text as it is rendered.
        speaker: folded. role: of a message, else empty. question: the text ends with a question
            mark.
        entity_ids: whom it is about, as said, each once (a message's in the order of the ids).
        ends_at: from when on it holds no longer (`source.ALWAYS` for what never held), None while it
            holds.
        expires_at: from when on it is hidden, None for never.
        embed: the text whose vector the line should have, empty for none.
        category: of a note, else empty.
        verified: it stands above hearsay by its own words (see `LineFilter.verified`).
    """

    id: str
    kind: LineKind
    session: str | None = None
    project: str = ""
    position: int = -1
    at: float = 0.0
    words: tuple[str, ...] = ()
    cost: int = 0
    speaker: str = ""
    role: str = ""
    importance: float = 0.5
    question: bool = False
    entity_ids: tuple[str, ...] = ()
    ends_at: float | None = None
    expires_at: float | None = None
    embed: str = ""
    category: str = ""
    verified: bool = False

    def is_superseded_at(self, now: datetime | None) -> bool:
        """Returns True for what holds no longer at `now`; without it, for what ever ends."""
        if self.ends_at is None:
            return False
        return now is None or self.ends_at <= now.timestamp()

    def is_expired_at(self, now: datetime | None) -> bool:
        """Returns True for a line that is hidden at `now`; never without it."""
        if now is None or self.expires_at is None:
            return False
        return self.expires_at <= now.timestamp()


@dataclass(frozen=True, kw_only=True, slots=True)
class LineFilter:
    """The lines that a search may return. Empty means no limit.

    Attributes:
        projects: only lines of these projects and lines without one (a hard filter).
        sessions: only lines of these sessions.
        kinds: only lines of these kinds.
        since, until: only lines whose time lies in [since, until).
        now: lines that expired before this are left out.
        superseded: also facts and relations that hold no longer.
        min_importance: only lines of at least this importance (messages count as 0.5).
        categories: only notes of these categories.
        verified: only what stands above hearsay by its own words: messages of role `user`; facts
            and relations made by hand, or said (or said again) by the user with the words kept that
            they rest on; notes by hand or of the user; descriptions by hand, unaltered since.
            Stores leave conflicts to whoever reads the rows.
        as_of: only what held or was said by then, in the world. Stores leave it to whoever reads
            the rows (`recall.find.candidates`); `now` is the same moment.
    """

    projects: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    kinds: tuple[LineKind, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    now: datetime | None = None
    superseded: bool = False
    min_importance: float = 0.0
    categories: tuple[str, ...] = ()
    verified: bool = False
    as_of: datetime | None = None

    @property
    def is_narrow(self) -> bool:
        """True for a filter that may take most of what is there away."""
        labels = (self.projects, self.sessions, self.kinds)
        return any((*labels, self.since, self.until, self.min_importance, self.verified))

    def allows_line(self, line: Line) -> bool:
        """Returns True for a line that a search under the filter may give.

        `projects` lets through what carries no project; `sessions` doesn't let through what was
        said in no session.
        """
        if line.importance < self.min_importance:
            return False
        return (
            self._allows_labels(line.project, line.session)
            and self._allows_sort(line)
            and self._allows_moment(line)
        )

    def allows_row(self, row: EntityRecord | Fact | Relation | Note | Observation) -> bool:
        """Returns True for a row that passes the filter, as its line passes that of a store.

        Lines that hold no longer pass.
        """
        if row.importance < self.min_importance or (self.verified and not row.is_verified):
            return False
        at = row.updated_at if isinstance(row, EntityRecord) else row.said_at
        if not self._allows_time(at):
            return False
        return self._allows_labels(row.source.project, row.source.session or None)

    def allows_entity(self, row: EntityRecord) -> bool:
        """Returns True for an entity whose own line passes: its name alone and its description."""
        if self.kinds and "entity" not in self.kinds:
            return False
        return self.allows_row(row) and row.was_known_at(self.as_of)

    def allows_project(self, project: str) -> bool:
        """Returns True for one of the filter's projects, or for none."""
        return not self.projects or not project or project in self.projects

    def _allows_labels(self, project: str, session: str | None) -> bool:
        in_session = not self.sessions or session in self.sessions
        return in_session and self.allows_project(project)

    def _allows_sort(self, line: Line) -> bool:
        if self.kinds and line.kind not in self.kinds:
            return False
        if self.verified and not line.verified:
            return False
        return not self.categories or (line.kind == "note" and line.category in self.categories)

    def _allows_moment(self, line: Line) -> bool:
        if self.since is not None and line.at < self.since.timestamp():
            return False
        if self.until is not None and line.at >= self.until.timestamp():
            return False
        if line.is_expired_at(self.now):
            return False
        return self.superseded or not line.is_superseded_at(self.now)

    def _allows_time(self, at: datetime) -> bool:
        if self.since is not None and at < self.since:
            return False
        return self.until is None or at < self.until


class Hit(NamedTuple):
    """A candidate line, with what ranking needs and no text. A tuple, since a question makes
    hundreds.

    Attributes:
        no: the line's number in the store (unique in the file or database, of no meaning outside).
        id: the id of the message, fact, relation, note or entity.
        kind: which of them.
        session: the session's number in the store, -1 for none; position: its place in that session
            (messages).
        at: its time in seconds since 1970, UTC.
        length: how many index words it has; cost: how many white-space words its text has.
        counts: how often each asked index word stands in it (words that don't are left out).
        cosine: similarity to the question's vector, None if there is none to compare.
        speaker: the folded name of who said it, empty for the space's own user; role: of the
            message.
        importance: 0–1. superseded: it holds no longer. question: the text ends with a question
            mark.
        entity_ids: whom or what it is about, as said (not canonical).
    """

    no: int
    id: str
    kind: LineKind
    session: int = -1
    position: int = -1
    at: float = 0.0
    length: int = 0
    cost: int = 0
    counts: Mapping[str, int] = MappingProxyType({})
    cosine: float | None = None
    speaker: str = ""
    role: str = ""
    importance: float = 0.5
    superseded: bool = False
    question: bool = False
    entity_ids: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class WordStats:
    """A space's own counts: lines, their mean length in index words, and in how many lines each
    asked word stands.
    """

    lines: int = 0
    mean_length: float = 0.0
    frequency: Mapping[str, int] = field(default_factory=dict[str, int])
