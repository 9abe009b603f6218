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
  `factbook.text.index_words`: a message's are those of its speaker, date and text; a fact's of its
  attribute and value; a relation's of its label and note; a note's of category and text; an
  entity's of name, kind, aliases and description (see `factbook.store.derive`).
- *links of lines to entities*: a message's by `Mention` rows, a fact's, relation's and note's by
  their ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from factbook.model.change import Change, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import NewEpisode, Remembered
from factbook.model.job import Lease
from factbook.ports.snapshot import Snapshot


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
    """The rows and words to erase for good.

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


class Store(Protocol):
    """The store of a memory."""

    @property
    def url(self) -> str:
        """The URL that opens it again, without secrets."""
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

    def commit(  # noqa: PLR0913 - what one commit holds
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
