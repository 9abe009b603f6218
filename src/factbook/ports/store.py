"""The port of the store: two doors for writing, a consistent view for reading, a lease table for
jobs.

A store knows nothing of identity decisions, ranking or clocks: it keeps rows, derives indexes from
them in the same transaction, and finds candidates. It may be used from several threads and several
processes at once.

What a store derives by itself, always in the transaction of the door:

- *names*: every `EntityRecord.name` and `Alias.name`, under the keys of
  `factbook.text.names.name_keys`; and the `slips` of the words of names, for as long as a name has
  them.
- *canonical ids*: the root of each entity's `SameAs` chain.
- *lines*: one a message, fact, relation, note and entity, with index words by
  `factbook.text.words`: a message's are those of its speaker, date and text; a fact's of its
  attribute and value; a relation's of its label and note; a note's of category and text; an
  entity's of name, kind, aliases and description (see `factbook.store.derive`).
- *links of lines to entities*: a message's by `Mention` rows, a fact's, relation's and note's by
  their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, TypeVar

from factbook.model.change import Change, Commit, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import Episode, NewEpisode, Remembered, StoredMessage
from factbook.model.job import Job, JobState, Lease
from factbook.model.line import Hit, LineFilter, WordStats
from factbook.model.record import (
    Alias,
    Fact,
    Mention,
    Note,
    NotSame,
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Vectors:
    """Vectors of lines, by the id of the message, fact, relation, note or entity.

    Attributes:
        texts: what they were made from, where that may have changed meanwhile: a line that has
            another text by then gets none.
    """

    model: str
    size: int
    rows: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    texts: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True, slots=True)
class Erasure:
    """What to erase for good.

    Attributes:
        entity_ids: entities with all that was said of them; `mask` are their names (and `masks`
            their replacement), which are masked in the text of every message, note, quote and
            description of the space.
        message_ids: messages with every row that rests on them alone.
        record_ids: facts, relations, notes, aliases, supports.
        proper: single words that are masked like `mask`, but only where they are written as a name.
        cut: sentences that go, by the id of the message, note or entity in whose text (or
            description) they stand; a statement that rests on them alone goes too.
        silenced: messages whose text is replaced, with its quotes; what was learned from them
            stays.
        everything: the whole space.
        tombstones: True to remember keyed hashes of the messages touched, so that reading them
            again brings nothing back, and of `names`, so that a later bearer of one is known for it
            (`Snapshot.forgotten`).
    """

    entity_ids: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    record_ids: tuple[str, ...] = ()
    mask: tuple[str, ...] = ()
    proper: tuple[str, ...] = ()
    cut: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    silenced: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    replacement: str = "[forgotten]"
    everything: bool = False
    tombstones: bool = True
    at: datetime
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowUp:
    """Changes that are planned on what a forgetting leaves, and the stamp of their log entry."""

    plan: Callable[[Snapshot], Sequence[Change]]
    stamp: Stamp


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
        """How many names have each of these keys, counted up to `limit`; keys with none are left
        out.
        """
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

    def notes(
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

    def note_categories(self, space: str, *, now: datetime | None = None) -> dict[str, int]:
        """How many notes each category has, by name; without those that expired before `now`."""
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
        """Which of these index words stand in each of the lines; lines of the space that hold none
        are left out.
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
        """How many jobs are in each state; states with none are left out."""
        ...

    def dropped(self, space: str) -> dict[str, int]:
        """What extractors gave that was not taken, by reason, most frequent first; over all jobs
        whose draft was kept.
        """
        ...

    def forgotten(self, space: str, names: Iterable[str]) -> set[str]:
        """Those of these names that were forgotten (`Erasure.names`) and not lifted since, however
        they are written.

        Raises:
            StoreError: the key that tells it is missing.
        """
        ...

    def earlier_tombstones(self) -> int:
        """How many tombstones of all spaces an earlier version made: a message among them is held
        back only under the session in which it was said.
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


class Store(Protocol):
    """Where a memory lies."""

    @property
    def url(self) -> str:
        """How to open it again, without secrets."""
        ...

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """A consistent view; keep it short. Not for use by several threads at once (open one
        each).
        """
        ...

    def remember(
        self, space: str, episodes: Sequence[NewEpisode], *, jobs: bool = True, anyway: bool = False
    ) -> Remembered:
        """The first door: appends what was said, and its jobs, in one transaction, and returns when
        it is durable.

        A message whose (space, session, key) is there already, or that was forgotten (see
        `factbook.store.tombstones`), is left out and counted; an episode of which none is left is
        left out, and so is its job. `anyway` stores also what was forgotten.

        Raises:
            StoreBusyError, StoreError: nothing was stored.
        """
        ...

    def commit(
        self,
        space: str,
        *,
        expected_version: int,
        changes: Sequence[Change],
        stamp: Stamp,
        lease: Lease | None = None,
        vectors: Vectors | None = None,
        erased: bool = False,
    ) -> int:
        """The second door: applies the changes in order, writes the log entry, derives the indexes,
        closes the lease's job, all in one transaction. Returns the new version (the old one where
        there are no changes: then no log entry is written, but the job is closed and the vectors
        are kept). `erased` is for an imported log: the entry is one that lost its contents, and is
        written even if none are left.

        Raises:
            StaleWriteError: the version is another by now, a `before` image differs from what is
                there, or the lease was lost. Nothing was written.
            StoreBusyError, StoreError: nothing was written. A change without an image, or with two
                of different rows, and `SameAs` rows that are no forest are refused so.
        """
        ...

    def together(self) -> AbstractContextManager[None]:
        """One transaction for this thread's calls of both doors within it: all are kept at its end,
        or none after an error. Other writers wait meanwhile, and no view sees what is written
        before the end.

        Raises:
            StoreBusyError, StoreError: nothing was written.
        """
        ...

    def put_vectors(self, space: str, vectors: Vectors) -> None:
        """Keeps vectors of lines (re-embedding), one a line, in place of another model's; ids that
        have no line are left out. A vector goes when the text changes that it was made from.
        """
        ...

    def lease(self, *, seconds: float, spaces: Sequence[str] | None = None) -> Lease | None:
        """The right to the oldest waiting job of a space in which none is running, or one whose
        lease ran out; None if there is none. The attempt is counted here.

        Jobs of one space run one at a time in order; a job that waits for its next try doesn't hold
        up the others. The store's own clock decides.
        """
        ...

    def lease_batch(
        self, *, seconds: float, spaces: Sequence[str] | None = None, limit: int
    ) -> list[Lease]:
        """Like `lease`, with the jobs of the same space that are ready and come after it, in order;
        at most `limit`.

        Each has a lease of its own. None of the space's others runs while any of these leases
        holds.
        """
        ...

    def has_job(self, *, spaces: Sequence[str] | None = None) -> bool:
        """Whether there is a job to lease; takes no lock that writers wait for."""
        ...

    def requeue(self, *, spaces: Sequence[str] | None = None) -> int:
        """Makes failed jobs wait again, for one more try each, with their error and draft, and
        those due at once that wait for their next try; returns how many.
        """
        ...

    def renew(self, lease: Lease, *, seconds: float) -> bool:
        """Lengthens the lease; False if it was lost."""
        ...

    def keep_draft(self, lease: Lease, draft: Draft) -> None:
        """Keeps the draft with the job.

        Raises:
            StaleWriteError: the lease was lost.
        """
        ...

    def keep_drafts(self, drafts: Sequence[tuple[Lease, Draft]]) -> list[Lease]:
        """Keeps several drafts, each with its job, in one transaction; returns the leases that
        still hold, in order.
        """
        ...

    def fail(self, lease: Lease, error: str, *, retry_in: float | None) -> None:
        """Ends the lease with an error: `waiting` again in so many seconds, or `failed` if None. A
        lost lease: nothing.
        """
        ...

    def release(self, lease: Lease) -> None:
        """Gives the job back untouched (a worker that stops), without counting the attempt."""
        ...

    def forget(
        self, space: str, erasure: Erasure, *, follow_up: FollowUp | None = None
    ) -> dict[str, int]:
        """Erases for good, in records, log, indexes, drafts and job errors; returns counts by sort.

        Args:
            follow_up: plans what follows from what is left; committed in the same transaction, as
                an entry of its own.

        Afterwards no file of the store holds the erased words; labels (spaces, sessions, projects)
        and host ids stay. An entry of the log says when and why, so that what was planned before is
        stale; jobs of the episodes touched lose lease and draft.

        Raises:
            StoreBusyError, StoreError: nothing was erased; or, as the error says, all was, and the
                file still holds bytes of it that the next forgetting or opening clears away.
        """
        ...

    def lift(self, space: str, *, version: int | None, at: datetime, reason: str = "") -> int:
        """Lets messages that were forgotten be told again: those of one forgetting (by its entry of
        the log), or all.

        Returns how many; the log says when and why, if any.
        """
        ...

    def check(self) -> list[str]:
        """Looks for damage; a sentence for each thing found wrong, none if all is well."""
        ...

    def close(self) -> None: ...
