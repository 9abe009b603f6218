"""The port of a snapshot: one consistent view of the store, with the small values that it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeVar

from factbook.model.change import Commit
from factbook.model.episode import Episode, StoredMessage
from factbook.model.job import Job, JobState
from factbook.model.line import Hit, LineFilter, WordStats
from factbook.model.record import (
    Alias,
    Fact,
    Mention,
    Note,
    NotSame,
    Observation,
    ObservationSort,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)

R = TypeVar("R", bound=Record)
V = TypeVar("V", SameAs, NotSame, Review)


@dataclass(frozen=True, kw_only=True, slots=True)
class NameHit:
    """An entity that bears a name. `name` is the one that matched, as written; `primary` if it is
    its own name.
    """

    entity_id: str
    name: str
    kind: str
    primary: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class EntityCounts:
    """Derived counters of one canonical entity: messages that name it, and the first and last time
    of them.
    """

    mentions: int = 0
    first_seen: datetime | None = None
    last_seen: datetime | None = None


class Snapshot(Protocol):
    """One consistent view of the store: everything read within it is of one moment."""

    # --- the record -------------------------------------------------------------------------------

    def version(self, space: str) -> int:
        """The number of the space's latest commit, 0 for none."""
        ...

    def get(self, space: str, cls: type[R], ids: Iterable[str]) -> dict[str, R]:
        """The rows of that type with these ids; absent ones are left out."""
        ...

    def ids_beginning(
        self, space: str, cls: type[Record] | type[StoredMessage], beginning: str, *, limit: int
    ) -> list[str]:
        """Ids of rows of that type that begin so, sorted; at most `limit`."""
        ...

    def every(self, space: str, cls: type[R]) -> Iterator[R]:
        """All rows of that type, ordered by id."""
        ...

    def log(self, space: str, *, after: int = 0, limit: int | None = None) -> list[Commit]:
        """Commits with a version above `after`, oldest first."""
        ...

    def log_of(self, space: str, record_ids: Iterable[str], *, limit: int = 1000) -> list[Commit]:
        """The commits that touch any row with one of these ids, oldest first, each with only those
        changes; of more than `limit` the latest.
        """
        ...

    def log_of_episodes(self, space: str, episode_ids: Iterable[str]) -> list[Commit]:
        """The commits learned from these episodes, oldest first."""
        ...

    # --- entities ---------------------------------------------------------------------------------

    def names(
        self, space: str, keys: Iterable[str], *, limit: int = 200
    ) -> dict[str, list[NameHit]]:
        """The bearers of names that have one of these keys (see `text.names.name_keys`), by key,
        each once a key (by its own name before an alias); at most `limit` a key, oldest entity
        first. Keys with none are left out.
        """
        ...

    def name_counts(self, space: str, keys: Iterable[str], *, limit: int) -> dict[str, int]:
        """Counts the names with each of these keys, up to `limit`; keys with none are left out."""
        ...

    def near_words(self, space: str, words: Iterable[str], *, limit: int) -> dict[str, list[str]]:
        """Words of the space's names that share one of the word's `slips`, by the word, without
        itself, sorted; at most `limit` a word.
        """
        ...

    def canonical(self, space: str, ids: Iterable[str]) -> dict[str, str]:
        """Each id's canonical one; an id without a `SameAs` row is its own."""
        ...

    def members(self, space: str, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """By canonical id (of the given ids): all entity ids that resolve to it, itself first, then
        by id.
        """
        ...

    def aliases(self, space: str, entity_ids: Iterable[str]) -> list[Alias]:
        """Aliases of exactly these ids, by creation (then id)."""
        ...

    def facts(
        self, space: str, entity_ids: Iterable[str], *, attributes: Iterable[str] | None = None
    ) -> list[Fact]:
        """Facts said of exactly these ids, by creation (then id); only of these attributes, if any
        are given.
        """
        ...

    def relations(
        self,
        space: str,
        entity_ids: Iterable[str],
        *,
        labels: Iterable[str] | None = None,
        end: Literal["either", "from", "to"] = "either",
    ) -> list[Relation]:
        """Relations with one of these ids at that end, by creation (then id); only of these labels,
        if any are given.
        """
        ...

    def relations_between(
        self, space: str, entity_ids: Iterable[str], *, limit: int = 200
    ) -> list[Relation]:
        """Like `relations`, for walking: per entity at most `limit` current ones, the latest
        first.
        """
        ...

    def supports(self, space: str, record_ids: Iterable[str]) -> dict[str, list[Support]]:
        """Restatements by the fact's or relation's id."""
        ...

    def mentions(
        self, space: str, entity_ids: Iterable[str], *, limit: int = 1000
    ) -> list[Mention]:
        """Mentions said of exactly these ids, latest first."""
        ...

    def mentions_in(self, space: str, episode_ids: Iterable[str]) -> list[Mention]:
        """All mentions in these episodes."""
        ...

    def counts(self, space: str, entity_ids: Iterable[str]) -> dict[str, EntityCounts]:
        """Counters by canonical id, for canonical ids; distinct messages over all members. Ids
        never named are left out.
        """
        ...

    def entity_ids(
        self, space: str, *, kinds: Sequence[str] = (), limit: int | None = None, offset: int = 0
    ) -> list[str]:
        """Canonical ids of the space, last seen (or else written) first; `kinds` filters by the
        canonical one's.
        """
        ...

    def reviews(
        self, space: str, *, state: Literal["open", "accepted", "refused"] | None = "open"
    ) -> list[Review]:
        """Reviews in that state, oldest first."""
        ...

    def verdicts(self, space: str, cls: type[V], entity_ids: Iterable[str]) -> list[V]:
        """Rows of that type about exactly these ids, at either end, by creation (then id)."""
        ...

    def notes(  # noqa: PLR0913 - a parameter a filter
        self,
        space: str,
        *,
        categories: Sequence[str] = (),
        projects: Sequence[str] = (),
        persistent: bool | None = None,
        min_importance: float = 0.0,
        since: datetime | None = None,
        now: datetime | None = None,
        containing: str = "",
        order: Literal["latest", "importance"] = "latest",
        limit: int | None = None,
    ) -> list[Note]:
        """Notes, the latest first (then by id, downwards), or the most important and of these the
        latest.

        Only of these categories, of these projects or of none, persistent or not, created at
        `since` or later, not expired at `now`, with this text as a part of theirs (letters of ASCII
        match in either case); what is not given doesn't filter.
        """
        ...

    def observations(
        self,
        space: str,
        entity_ids: Iterable[str],
        *,
        sorts: Sequence[ObservationSort] = (),
        limit: int | None = None,
    ) -> list[Observation]:
        """Observations about any of these ids as said, each once: the most important first, then
        the latest said. Only of these sorts, where any is given; expired ones too.
        """
        ...

    def observations_in(self, space: str, episode_ids: Iterable[str]) -> list[Observation]:
        """Observations that rest on messages of these episodes, in the order of their ids."""
        ...

    def note_categories(self, space: str, *, now: datetime | None = None) -> dict[str, int]:
        """Counts the notes of each category, by name; without those that expired before `now`."""
        ...

    # --- what was said ----------------------------------------------------------------------------

    def episodes(self, space: str, ids: Iterable[str]) -> dict[str, Episode]:
        """Whole episodes by id."""
        ...

    def episode_ids(
        self, space: str, *, session: str | None = None, project: str | None = None
    ) -> list[str]:
        """Ids of the space's episodes, in the order of storing."""
        ...

    def messages(self, space: str, ids: Iterable[str]) -> dict[str, StoredMessage]:
        """Messages by id."""
        ...

    def sessions(self, space: str) -> list[tuple[str, str, int]]:
        """(session, project, messages) of the space, in the order of their first message."""
        ...

    # --- candidates for recall --------------------------------------------------------------------

    def word_stats(self, space: str, words: Sequence[str]) -> WordStats:
        """The space's own counts for these index words."""
        ...

    def find_words(
        self, space: str, words: Sequence[str], where: LineFilter, *, limit: int
    ) -> list[int]:
        """Numbers of lines that hold any of the index words, the best first by BM25 over the
        space's own counts (k1 0.9, b 0.4; of equals the latest); at most `limit`, and all of them
        where there are no more.
        """
        ...

    def find_vector(
        self, space: str, model: str, vector: bytes, where: LineFilter, *, limit: int
    ) -> list[int]:
        """Numbers of the lines nearest to the vector, nearest first. Empty where the model is
        another.
        """
        ...

    def has_vectors(self, space: str, model: str) -> bool:
        """Whether any line of the space has a vector of that model that can be compared here."""
        ...

    def find_entity_lines(
        self, space: str, entity_ids: Sequence[str], where: LineFilter, *, limit: int
    ) -> list[int]:
        """Numbers of lines about exactly these ids, latest first, each once; per id at most
        `limit`.
        """
        ...

    def find_around(
        self, space: str, numbers: Sequence[int], where: LineFilter, *, radius: int
    ) -> list[int]:
        """Numbers of the message lines at most `radius` places before or after these, in their
        sessions; not these.
        """
        ...

    def hits(
        self,
        space: str,
        numbers: Sequence[int],
        words: Sequence[str],
        *,
        model: str = "",
        vector: bytes = b"",
        now: datetime | None = None,
    ) -> list[Hit]:
        """The lines with what ranking needs, in the order asked for; numbers without a line in the
        space are left out.

        `cosine` (exact to 0.01) where model and vector are given; `superseded` at `now` (without
        it: what ever ends).
        """
        ...

    def words_held(
        self, space: str, numbers: Sequence[int], among: frozenset[str]
    ) -> dict[int, list[str]]:
        """Returns the index words that stand in each of the lines; lines of the space that hold
        none are left out.
        """
        ...

    # --- housekeeping -----------------------------------------------------------------------------

    def jobs(
        self, space: str | None, *, states: Sequence[JobState] = (), limit: int | None = None
    ) -> list[Job]:
        """Jobs of one space or all, oldest first, without their drafts; all states if none is
        named.
        """
        ...

    def job_counts(self, space: str | None) -> dict[JobState, int]:
        """Counts the jobs in each state; states with none are left out."""
        ...

    def dropped(self, space: str) -> dict[str, int]:
        """Counts the dropped parts of drafts by reason, most frequent first; over all jobs whose
        draft was kept.
        """
        ...

    def forgotten(self, space: str, names: Iterable[str]) -> set[str]:
        """Returns the names among these that were forgotten (`Erasure.names`) and not lifted since,
        however they are written.

        Raises:
            StoreError: the key that tells it is missing.
        """
        ...

    def earlier_tombstones(self) -> int:
        """Counts the tombstones of all spaces that an earlier version made: a message among them is
        held back only under the session in which it was said.
        """
        ...

    def stats(self, space: str) -> dict[str, int]:
        """Rows by sort: `messages`, `episodes`, `entities` (canonical), `facts`, `relations`,
        `notes`, `lines`, …
        """
        ...

    def spaces(self) -> list[str]:
        """Names of all spaces that hold anything, sorted."""
        ...

    def without_vector(
        self, space: str | None, model: str, *, limit: int
    ) -> list[tuple[str, str, str]]:
        """(space, id, text to embed) of lines that should have a vector of that model and don't.

        Messages, notes and entities with a description have vectors. A message's text is its text;
        an entity's is `name (kind): description`.
        """
        ...
