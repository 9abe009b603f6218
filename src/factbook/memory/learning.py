"""Learning: the leased jobs' way from messages to committed changes.

Several episodes are extracted together → each draft is grounded and kept with its job → one by one, in order: gather
what is known → plan → embed → commit. A stale commit plans again from the kept draft and never extracts again; whatever
ends the process in between, the next worker begins where the kept drafts are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from factbook.errors import InputError, ReplyRejectedError, StaleWriteError
from factbook.extract.ground import ground
from factbook.memory.checks import check_rows
from factbook.memory.clock import Clock, IdMaker
from factbook.memory.fitting import fitting
from factbook.memory.gather import gather
from factbook.memory.kinds import kinds_of
from factbook.memory.observers import Bell
from factbook.model.change import Change, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.job import Lease
from factbook.model.receipt import Learned
from factbook.model.record import EntityRecord, Note
from factbook.ports.models import Embedder, ExtractionContext, Extractor
from factbook.ports.store import Store, Vectors
from factbook.resolve.plan import Plan, plan
from factbook.text.names import fold

TRIES_AT_A_COMMIT = 20
"""Other writers of the space may come first so many times in a row before the job is given back."""

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
    """What learning works with."""

    store: Store
    embedder: Callable[[], Embedder | None]
    bell: Bell
    clock: Clock
    new_id: IdMaker


def tasks_of(parts: Parts, leases: Sequence[Lease]) -> list[Task]:
    """The leased jobs of one space with their episodes. One whose episode was forgotten is closed."""
    space = leases[0].job.space
    with parts.store.reading() as reader:
        episodes = reader.episodes(space, [lease.job.id for lease in leases])
    tasks: list[Task] = []
    for lease in leases:
        episode = episodes.get(lease.job.id)
        if episode is None:
            version, stamp = _version(parts.store, space), _stamp(parts, lease)
            parts.store.commit(space, expected_version=version, changes=(), stamp=stamp, lease=lease)
        else:
            tasks.append(Task(lease=lease, episode=episode, draft=lease.job.draft))
    return tasks


def context_of(parts: Parts, space: str, episodes: Sequence[Episode], extractor: Extractor) -> ExtractionContext:
    """What the extractor is told besides the texts. One whose `reads_fitting` is false is spared the entities that fit."""
    with parts.store.reading() as reader:
        ids = reader.entity_ids(space, limit=KNOWN_NAMES)
        known = {fold(row.name): row.kind for row in reader.get(space, EntityRecord, ids).values()}
        fits = fitting(reader, space, episodes) if getattr(extractor, "reads_fitting", True) else ()
        return ExtractionContext(kinds=kinds_of(reader, space), known=known, fitting=fits)


def keep(parts: Parts, tasks: Sequence[Task], drafts: Sequence[Draft], context: ExtractionContext, ms: float) -> None:
    """Grounds the drafts and keeps each with its job; tasks whose lease was lost stay without one.

    Raises:
        ReplyRejectedError: there isn't one draft an episode. StoreError.
    """
    if len(drafts) != len(tasks):
        raise ReplyRejectedError(f"the extractor gave {len(drafts)} drafts for {len(tasks)} episodes")
    grounded = [ground(draft, task.episode, context.kinds) for task, draft in zip(tasks, drafts, strict=True)]
    pairs = [(task.lease, draft) for task, draft in zip(tasks, grounded, strict=True)]
    held = {lease.token for lease in parts.store.keep_drafts(pairs)}
    for task, draft in zip(tasks, grounded, strict=True):
        if task.lease.token in held:
            task.draft, task.ms = draft, ms / len(tasks)
            parts.bell.ring("extracted", task.space, None, **_counts(draft), ms=task.ms)


def commit(parts: Parts, task: Task) -> Learned:
    """Plans the task's draft and commits it with its job; again from the same draft where others came first.

    Raises:
        ReplyRejectedError: the draft can't be stored. StaleWriteError: the lease was lost. StoreError.
    """
    assert task.draft is not None, "a task is committed after it was extracted"
    space, episode, draft = task.space, task.episode, task.draft
    model = parts.embedder()
    message_rows = embed_texts(model, {message.id: message.text for message in episode.messages})
    for _ in range(TRIES_AT_A_COMMIT):
        with parts.store.reading() as reader:
            version = reader.version(space)
            known = gather(reader, space, draft, episode)
            kinds = kinds_of(reader, space)
        planned = plan(draft, episode, known, kinds=kinds, now=parts.clock(), new_id=parts.new_id)
        _check(planned.changes)
        vectors = vectors_of(model, planned.changes, message_rows)
        try:
            made = parts.store.commit(
                space,
                expected_version=version,
                changes=planned.changes,
                stamp=_stamp(parts, task.lease),
                lease=task.lease,
                vectors=vectors,
            )
        except StaleWriteError:
            if _version(parts.store, space) == version:
                raise
            continue
        return _learned(space, episode, draft, planned, made if made != version else None)
    raise StaleWriteError(f"space {space!r} was written by others {TRIES_AT_A_COMMIT} times in a row; try again")


def _check(changes: Sequence[Change]) -> None:
    try:
        check_rows(changes)
    except InputError as error:
        raise ReplyRejectedError(f"the extractor's draft can't be stored: {error}") from None


def _version(store: Store, space: str) -> int:
    with store.reading() as reader:
        return reader.version(space)


def _stamp(parts: Parts, lease: Lease) -> Stamp:
    return Stamp(at=parts.clock(), actor="engine", verb="learn", episode_id=lease.job.id)


def text_to_embed(row: object) -> str | None:
    """The text whose vector stands for a row; None for rows without one (see `Reader.without_vector`)."""
    if isinstance(row, EntityRecord) and row.description:
        return f"{row.name} ({row.kind}): {row.description}"
    return row.text if isinstance(row, Note) else None


def embed_texts(model: Embedder | None, texts: Mapping[str, str]) -> dict[str, bytes]:
    """Vectors by the same keys; none without a model."""
    if model is None or not texts:
        return {}
    return dict(zip(texts, model.embed(list(texts.values())), strict=True))


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
    return Vectors(model=model.name, size=model.size, rows={**(more or {}), **embed_texts(model, texts)})


def _learned(space: str, episode: Episode, draft: Draft, planned: Plan, version: int | None) -> Learned:
    new = Counter(type(change.after).__name__ for change in planned.changes if change.before is None)
    return Learned(
        space=space,
        episode_id=episode.id,
        version=version,
        entities=new["EntityRecord"],
        facts=new["Fact"],
        relations=new["Relation"],
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
        "dropped": dict(Counter(each.reason for each in draft.dropped)),
    }
