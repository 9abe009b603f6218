"""Learning: the leased jobs' way from messages to committed changes.

Several episodes are extracted together → each draft is grounded and kept with its job → one by one,
in order: gather what is known → plan → embed → commit. A stale commit plans again from the kept
draft and never extracts again; whatever ends the process in between, the next worker begins where
the kept drafts are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from factbook.errors import InputError, ReplyRejectedError, StaleWriteError, StoppedError
from factbook.extract.ground import ground_draft
from factbook.learn.clause_names import name_by_clauses
from factbook.learn.clock import Clock, IdMaker
from factbook.learn.gather import gather_known
from factbook.learn.known_in_text import find_fitting
from factbook.learn.learned_before import gather_learnt
from factbook.learn.namesakes import namesakes
from factbook.learn.observers import Bell
from factbook.learn.planned_rows import as_rows
from factbook.learn.recent_statements import with_corrections
from factbook.model.change import Change, Commit, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.job import Lease
from factbook.model.named_observation import beside
from factbook.model.receipt import Learned
from factbook.model.record import EntityRecord, Note, Observation, Record, Review
from factbook.ports.models import Embedder, ExtractionContext, Extractor, carry_on
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Store, Vectors
from factbook.resolve.plan import DraftPlan, plan_draft
from factbook.resolve.relearning import apply_changes, join_changes, take_back
from factbook.store.derive import derive_record_line
from factbook.text.argument_checks import check_rows
from factbook.text.names import fold
from factbook.views.space_kinds import read_kinds

TRIES_AT_A_COMMIT = 20
"""Other writers of the space may come first so many times in a row before the job is given back."""

STAND_IN = "stand_in"
"""The verb of a commit that is taken back when the job's own comes."""

EMBEDDED_AT_ONCE = 16
"""So many texts get their vectors before anybody asks whether to go on."""

KNOWN_NAMES = 200
"""So many names of the space are told to the extractor, the latest seen first."""


@dataclass(kw_only=True, slots=True)
class Task:
    """A leased job on its way: its episode, and the draft once there is one."""

    lease: Lease
    episode: Episode
    draft: Draft | None = None
    ms: float = 0.0

    @property
    def space(self) -> str:
        return self.lease.job.space


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """The parts that learning works with."""

    store: Store
    embedder: Callable[[], Embedder | None]
    bell: Bell
    clock: Clock
    new_id: IdMaker
    lease_seconds: float
    stopped: Callable[[], bool]

    def check(self) -> None:
        """Raises StoppedError where learning was stopped."""
        if self.stopped():
            raise StoppedError("learning was stopped")


def tasks_of(parts: Parts, leases: Sequence[Lease]) -> list[Task]:
    """The leased jobs of one space with their episodes. One whose episode was forgotten is
    closed.
    """
    space = leases[0].job.space
    with parts.store.snapshot() as snapshot:
        episodes = snapshot.episodes(space, [lease.job.id for lease in leases])
    tasks: list[Task] = []
    for lease in leases:
        episode = episodes.get(lease.job.id)
        if episode is None:
            version, stamp = _version(parts.store, space), _stamp(parts, lease)
            parts.store.commit(
                space, expected_version=version, changes=(), stamp=stamp, lease=lease
            )
        else:
            tasks.append(Task(lease=lease, episode=episode, draft=lease.job.draft))
    return tasks


def context_of(
    parts: Parts,
    space: str,
    episodes: Sequence[Episode],
    extractor: Extractor,
    check: Callable[[], None] = carry_on,
) -> ExtractionContext:
    """Makes the extractor's input besides the texts. One whose `reads_fitting` is false is spared
    the entities that fit.
    """
    with parts.store.snapshot() as snapshot:
        ids = snapshot.entity_ids(space, limit=KNOWN_NAMES)
        known = {
            fold(row.name): row.kind for row in snapshot.get(space, EntityRecord, ids).values()
        }
        fits = (
            find_fitting(snapshot, space, episodes)
            if getattr(extractor, "reads_fitting", True)
            else ()
        )
        return ExtractionContext(
            kinds=read_kinds(snapshot, space), known=known, fitting=fits, check=check
        )


def keep_results(
    parts: Parts,
    tasks: Sequence[Task],
    drafts: Sequence[Draft],
    context: ExtractionContext,
    ms: float,
) -> None:
    """Grounds the drafts and keeps each with its job; tasks whose lease was lost stay without one.

    Raises:
        ReplyRejectedError: there isn't one draft an episode. StoreError.
    """
    if len(drafts) != len(tasks):
        raise ReplyRejectedError(
            f"the extractor gave {len(drafts)} drafts for {len(tasks)} episodes"
        )
    grounded = [
        ground_draft(draft, task.episode, context.kinds)
        for task, draft in zip(tasks, drafts, strict=True)
    ]
    pairs = [(task.lease, draft) for task, draft in zip(tasks, grounded, strict=True)]
    held = {lease.token for lease in parts.store.keep_drafts(pairs)}
    for task, draft in zip(tasks, grounded, strict=True):
        if task.lease.token in held:
            task.draft, task.ms = draft, ms / len(tasks)
            parts.bell.ring("extracted", task.space, None, **_counts(draft), ms=task.ms)


def commit(parts: Parts, task: Task) -> Learned:
    """Plans the task's draft and commits it with its job; again from the same draft where others
    came first.

    Raises:
        ReplyRejectedError: the draft can't be stored. StaleWriteError: the lease was lost.
            StoreError.
        StoppedError: learning was stopped before the commit.
    """
    assert task.draft is not None, "a task is committed after it was extracted"
    return _commit(parts, task, task.draft, closes=True)


def _commit(parts: Parts, task: Task, draft: Draft, *, closes: bool) -> Learned:
    """`closes`: the job is done by it; else it is a stand-in's."""
    space, episode = task.space, task.episode
    model = parts.embedder()
    message_rows = embed_texts(
        model, {message.id: message.text for message in episode.messages}, parts.check
    )
    for _ in range(TRIES_AT_A_COMMIT):
        with parts.store.snapshot() as snapshot:
            version = snapshot.version(space)
            planned = _planned(parts, snapshot, task, draft)
            planned = replace(planned, changes=as_rows(snapshot, space, planned.changes))
        _check(planned.changes)
        if not closes and not parts.store.renew(task.lease, seconds=parts.lease_seconds):
            # Without it, what was forgotten since could be written again: forgetting takes the
            # lease and the version.
            raise StaleWriteError("the lease on the job was lost; another worker may have it")
        vectors = vectors_of(model, planned.changes, message_rows)
        try:
            made = parts.store.commit(
                space,
                expected_version=version,
                changes=planned.changes,
                stamp=_stamp(parts, task.lease, "learn" if closes else STAND_IN),
                lease=task.lease if closes else None,
                vectors=vectors,
            )
        except StaleWriteError:
            if _version(parts.store, space) == version:
                raise
            continue
        learned = _learned(space, episode, draft, planned, made if made != version else None)
        return learned if closes else replace(learned, stand_in=True)
    raise StaleWriteError(
        f"space {space!r} was written by others {TRIES_AT_A_COMMIT} times in a row; try again"
    )


def _planned(parts: Parts, snapshot: Snapshot, task: Task, draft: Draft) -> DraftPlan:
    """The plan of a draft; where a stand-in's was learned before, of this one in its place."""
    space, episode, now = task.space, task.episode, parts.clock()
    kinds = read_kinds(snapshot, space)
    draft = name_by_clauses(with_corrections(snapshot, space, draft, episode, kinds), episode)
    before = stood_in(snapshot, task)
    if not before:
        known = gather_known(snapshot, space, draft, episode)
        return _reviewed(
            snapshot,
            space,
            plan_draft(draft, episode, known, kinds=kinds, now=now, new_id=parts.new_id),
            now,
        )
    learnt = gather_learnt(snapshot, space, episode.id, before)
    gone = take_back(learnt, kinds=kinds, now=now, new_id=parts.new_id)
    known = apply_changes(gather_known(snapshot, space, draft, episode, anew=True), gone)
    planned = _reviewed(
        snapshot,
        space,
        plan_draft(draft, episode, known, kinds=kinds, now=now, new_id=parts.new_id),
        now,
    )
    changes, ids = join_changes(gone, planned.changes)
    return replace(
        planned,
        changes=changes,
        entity_ids={ref: ids.get(key, key) for ref, key in planned.entity_ids.items()},
        reviews=tuple(
            row
            for change in changes
            if change.before is None and isinstance(row := change.after, Review)
        ),
    )


def _reviewed(snapshot: Snapshot, space: str, planned: DraftPlan, now: datetime) -> DraftPlan:
    """The plan, with those up for review who bear the name of one that was forgotten."""
    found = namesakes(snapshot, space, planned.changes, now=now)
    if not found:
        return planned
    changes = (*planned.changes, *(Change(after=row) for row in found))
    return replace(planned, changes=changes, reviews=(*planned.reviews, *found))


def stood_in(snapshot: Snapshot, task: Task) -> list[Commit]:
    """Returns the rows that a stand-in learned of the episode; only a job that was tried before may
    have one.
    """
    if task.lease.job.attempts < 2:
        return []
    return [
        each
        for each in snapshot.log_of_episodes(task.space, [task.episode.id])
        if each.stamp.verb == STAND_IN
    ]


def stand_in(parts: Parts, tasks: Sequence[Task], extractor: Extractor) -> Iterator[Learned]:
    """Learns the episodes by another extractor, until their jobs are done; those that it stood in
    for already are not learned again.

    Raises:
        ExtractError, ConfigError: it can't read them. StoreError.
    """
    with parts.store.snapshot() as snapshot:
        new = [task for task in tasks if not stood_in(snapshot, task)]
    if not new:
        return
    episodes = [task.episode for task in new]
    context = context_of(parts, new[0].space, episodes, extractor, parts.check)
    for task, draft in zip(new, extractor.extract(episodes, context), strict=True):
        yield _commit(parts, task, ground_draft(draft, task.episode, context.kinds), closes=False)


def _check(changes: Sequence[Change]) -> None:
    try:
        check_rows(changes)
    except InputError as error:
        raise ReplyRejectedError(f"the extractor's draft can't be stored: {error}") from None


def _version(store: Store, space: str) -> int:
    with store.snapshot() as snapshot:
        return snapshot.version(space)


def _stamp(parts: Parts, lease: Lease, verb: str = "learn") -> Stamp:
    return Stamp(at=parts.clock(), actor="engine", verb=verb, episode_id=lease.job.id)


def text_to_embed(row: Record | None) -> str | None:
    """The text whose vector stands for a row; None for rows without one (see
    `Snapshot.without_vector`).
    """
    row = beside(row) or row
    if isinstance(row, EntityRecord) and row.description:
        return f"{row.name} ({row.kind}): {row.description}"
    line = derive_record_line(row) if isinstance(row, Note | Observation) else None
    return (line.embed or None) if line is not None else None


def embed_texts(
    model: Embedder | None, texts: Mapping[str, str], check: Callable[[], None] = carry_on
) -> dict[str, bytes]:
    """Vectors by the same keys; none without a model. `check` may break it off by raising."""
    if model is None:
        return {}
    rows: dict[str, bytes] = {}
    keys = list(texts)
    for first in range(0, len(keys), EMBEDDED_AT_ONCE):
        check()
        some = keys[first : first + EMBEDDED_AT_ONCE]
        rows.update(zip(some, model.embed([texts[key] for key in some]), strict=True))
    return rows


def vectors_of(
    model: Embedder | None, changes: Sequence[Change], more: Mapping[str, bytes] | None = None
) -> Vectors | None:
    """Vectors for the rows that the changes give a new text, with those that are there already."""
    if model is None:
        return None
    texts: dict[str, str] = {}
    for change in changes:
        text = text_to_embed(change.after)
        if text is not None and text != text_to_embed(change.before) and change.after is not None:
            texts[change.after.id] = text
    return Vectors(
        model=model.name, size=model.size, rows={**(more or {}), **embed_texts(model, texts)}
    )


def _learned(
    space: str, episode: Episode, draft: Draft, planned: DraftPlan, version: int | None
) -> Learned:
    new = Counter(
        type(change.after).__name__ for change in planned.changes if change.before is None
    )
    return Learned(
        space=space,
        episode_id=episode.id,
        version=version,
        entities=new["EntityRecord"],
        facts=new["Fact"],
        relations=new["Relation"],
        observations=new["Observation"],
        mentions=new["Mention"],
        reviews=new["Review"],
        conflicts=planned.conflicts,
        dropped=dict(Counter(each.reason for each in draft.dropped)),
        found=len(draft.entities),
        entity_ids=tuple(dict.fromkeys(planned.entity_ids.values())),
    )


def _counts(draft: Draft) -> dict[str, object]:
    return {
        "episode": draft.episode_id,
        "extractor": draft.extractor,
        "entities": len(draft.entities),
        "facts": len(draft.facts),
        "relations": len(draft.relations),
        "observations": len(draft.observations),
        "dropped": dict(Counter(each.reason for each in draft.dropped)),
    }
