"""Learning one episode: the leased job's way from messages to committed changes.

extract → ground → the draft is kept with its job → gather what is known → plan → embed → commit. A stale commit plans
again from the kept draft and never extracts again; whatever ends the process in between, the next worker begins where
the kept draft is.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from factbook.errors import InputError, ReplyRejectedError, StaleWriteError
from factbook.extract.ground import ground
from factbook.memory.checks import check_rows
from factbook.memory.clock import Clock, IdMaker
from factbook.memory.gather import gather
from factbook.memory.kinds import kinds_of
from factbook.memory.observers import Bell
from factbook.model.change import Change, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.job import Lease
from factbook.model.receipt import Learned
from factbook.model.record import EntityRecord, EntityType, Note
from factbook.ports.models import Embedder, ExtractionContext, Extractor
from factbook.ports.store import Store, Vectors
from factbook.resolve.plan import Plan, plan
from factbook.text.names import fold

TRIES_AT_A_COMMIT = 20
"""Other writers of the space may come first so many times in a row before the job is given back."""

KNOWN_NAMES = 200
"""So many names of the space are told to the extractor, the latest seen first."""


def learn(
    store: Store,
    lease: Lease,
    *,
    extractor: Extractor,
    embedder: Callable[[], Embedder | None],
    bell: Bell,
    clock: Clock,
    new_id: IdMaker,
) -> Learned:
    """Finishes the leased job.

    Raises:
        ExtractError: the extractor gave no draft. StaleWriteError: the lease was lost. StoreError.
    """
    space = lease.job.space
    with store.reading() as reader:
        episode = reader.episodes(space, [lease.job.id]).get(lease.job.id)
        kinds = kinds_of(reader, space)
    if episode is None:
        store.commit(
            space, expected_version=_version(store, space), changes=(), stamp=_stamp(clock, lease), lease=lease
        )
        return Learned(space=space, episode_id=lease.job.id)
    draft = lease.job.draft
    if draft is None:
        began = time.perf_counter()
        draft = _extract(store, space, episode, extractor, kinds)
        store.keep_draft(lease, draft)
        bell.ring("extracted", space, None, **_counts(draft), ms=(time.perf_counter() - began) * 1000)
    model = embedder()
    return _commit(store, lease, episode, draft, kinds, model, clock, new_id)


def _extract(
    store: Store, space: str, episode: Episode, extractor: Extractor, kinds: Mapping[str, EntityType]
) -> Draft:
    with store.reading() as reader:
        ids = reader.entity_ids(space, limit=KNOWN_NAMES)
        known = {fold(row.name): row.kind for row in reader.get(space, EntityRecord, ids).values()}
    draft = extractor.extract([episode], ExtractionContext(kinds=kinds, known=known))[0]
    return ground(draft, episode, kinds)


def _commit(
    store: Store,
    lease: Lease,
    episode: Episode,
    draft: Draft,
    kinds: Mapping[str, EntityType],
    model: Embedder | None,
    clock: Clock,
    new_id: IdMaker,
) -> Learned:
    space = lease.job.space
    message_rows = embed_texts(model, {message.id: message.text for message in episode.messages})
    for _ in range(TRIES_AT_A_COMMIT):
        with store.reading() as reader:
            version = reader.version(space)
            known = gather(reader, space, draft, episode)
        planned = plan(draft, episode, known, kinds=kinds, now=clock(), new_id=new_id)
        _check(planned.changes)
        vectors = vectors_of(model, planned.changes, message_rows)
        try:
            made = store.commit(
                space,
                expected_version=version,
                changes=planned.changes,
                stamp=_stamp(clock, lease),
                lease=lease,
                vectors=vectors,
            )
        except StaleWriteError:
            if _version(store, space) == version:
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


def _stamp(clock: Clock, lease: Lease) -> Stamp:
    return Stamp(at=clock(), actor="engine", verb="learn", episode_id=lease.job.id)


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
