"""All that a reader answers about one space, as one value that can be compared between stores.

Numbers of lines and sessions, which mean nothing outside a store, are replaced by what they stand
for.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import pairwise
from typing import Any

from factbook.model.line import LINE_KINDS, Hit, LineFilter
from factbook.model.record import RECORD_TYPES
from factbook.ports.snapshot import Snapshot
from factbook.text.index_words import index_words
from factbook.text.names import name_keys
from tests.support.builders import at
from tests.support.dumps import dump
from tests.support.play import EMBEDDER, ENTITIES, NAMES, PROJECTS, SESSIONS, WORDS

MANY = 10_000
VOCABULARY = tuple(
    dict.fromkeys(
        index_words(" ".join((*WORDS, *NAMES, "general to do plays home town works at knows")))
    )
)
EVERYTHING = LineFilter(superseded=True)
FILTERS = {
    "none": LineFilter(),
    "everything": EVERYTHING,
    **{f"kind {kind}": LineFilter(kinds=(kind,), superseded=True) for kind in LINE_KINDS},
    "project": LineFilter(projects=("atlas",)),
    "projects": LineFilter(projects=("atlas", "orion"), superseded=True),
    "session": LineFilter(sessions=("monday",)),
    "no session": LineFilter(sessions=("",), superseded=True),
    "since": LineFilter(since=at(days=3)),
    "until": LineFilter(until=at(days=3)),
    "now": LineFilter(now=at(days=10)),
    "later": LineFilter(now=at(days=40)),
    "later, superseded": LineFilter(now=at(days=40), superseded=True),
    "verified": LineFilter(verified=True, superseded=True),
    "important": LineFilter(min_importance=0.45, superseded=True),
}


class Cosine(float):
    """A cosine as exact as a store has to be about it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, float) and abs(self - other) < 0.01

    __hash__ = None  # type: ignore[assignment]


def whole_record(snapshot: Snapshot, space: str) -> dict[str, Any]:
    """Every answer of the reader about the space."""
    return {
        **_record(snapshot, space),
        **_entities(snapshot, space),
        **_said(snapshot, space),
        **_lines(snapshot, space),
    }


def _record(snapshot: Snapshot, space: str) -> dict[str, Any]:
    rows = dump(snapshot, space)
    ids = [row.id for row in rows]
    return {
        "version": snapshot.version(space),
        "rows": rows,
        "log": snapshot.log(space),
        "log, a part": snapshot.log(space, after=1, limit=2),
        "log of rows": [snapshot.log_of(space, [row_id]) for row_id in ids],
        "log of entities": snapshot.log_of(space, ENTITIES, limit=3),
        "log of episodes": snapshot.log_of_episodes(
            space, [f"epi{number}" for number in range(1, 6)]
        ),
        "got": [snapshot.get(space, cls, [*ids, *ENTITIES, "gadget"]) for cls in RECORD_TYPES],
        "stats": {
            name: count
            for name, count in snapshot.stats(space).items()
            if name
            in {
                "messages",
                "episodes",
                "entities",
                "facts",
                "relations",
                "notes",
                "lines",
                "aliases",
            }
        },
    }


def _entities(snapshot: Snapshot, space: str) -> dict[str, Any]:
    ids = [*ENTITIES, "ent9", "self"]
    keys = [key for name in NAMES for key in name_keys(name)]
    roots = list(dict.fromkeys(snapshot.canonical(space, ids).values()))
    mentions = snapshot.mentions(space, ids)
    assert [row.at for row in mentions] == sorted((row.at for row in mentions), reverse=True)
    return {
        "names": snapshot.names(space, keys),
        "names, one each": snapshot.names(space, keys, limit=1),
        "canonical": snapshot.canonical(space, ids),
        "members": snapshot.members(space, ids),
        "aliases": snapshot.aliases(space, ids),
        "facts": [snapshot.facts(space, ids), *(snapshot.facts(space, [each]) for each in ids)],
        "relations": [
            snapshot.relations(space, ids),
            *(snapshot.relations(space, [each]) for each in ids),
        ],
        "some facts": snapshot.facts(space, ids, attributes=["plays"]),
        "some relations": [
            snapshot.relations(space, ids, labels=["knows"], end=end)
            for end in ("from", "to", "either")
        ],
        "relations between": snapshot.relations_between(space, ids),
        "relations between, one each": snapshot.relations_between(space, [ENTITIES[0]], limit=1),
        "supports": snapshot.supports(space, [f"fact{number}" for number in range(4)]),
        "mentions": sorted(mentions, key=lambda row: row.id),
        "mentions in": sorted(
            snapshot.mentions_in(space, [f"epi{number}" for number in range(1, 4)]),
            key=lambda row: row.id,
        ),
        "counts": snapshot.counts(space, roots),
        "entity ids": sorted(snapshot.entity_ids(space)),
        "people": sorted(snapshot.entity_ids(space, kinds=["person"])),
        "entity ids, a part": len(snapshot.entity_ids(space, limit=2, offset=1)),
        "reviews": [
            snapshot.reviews(space, state=state) for state in ("open", "accepted", "refused", None)
        ],
    }


def _said(snapshot: Snapshot, space: str) -> dict[str, Any]:
    ids = snapshot.episode_ids(space)
    episodes = snapshot.episodes(space, [*ids, "epi99"])
    return {
        "episode ids": ids,
        "episodes of sessions": [
            snapshot.episode_ids(space, session=session) for session in SESSIONS
        ],
        "episodes of projects": [
            snapshot.episode_ids(space, project=project) for project in PROJECTS
        ],
        "episodes": episodes,
        "messages": snapshot.messages(
            space, [message.id for episode in episodes.values() for message in episode.messages]
        ),
        "sessions": snapshot.sessions(space),
        "jobs": [asdict(replace(job, next_at=None)) for job in snapshot.jobs(space)],
        "failed jobs": [job.id for job in snapshot.jobs(space, states=["failed"])],
        "first job": [job.id for job in snapshot.jobs(space, limit=1)],
        "job counts": snapshot.job_counts(space),
    }


def _lines(snapshot: Snapshot, space: str) -> dict[str, Any]:
    asked = EMBEDDER.embed(["Ada paints the harbour"])[0]
    numbers = snapshot.find_words(space, VOCABULARY, EVERYTHING, limit=MANY)
    about = snapshot.find_entity_lines(space, ENTITIES, EVERYTHING, limit=MANY)
    times = [hit.at for hit in snapshot.hits(space, about, [])]
    assert times == sorted(times, reverse=True)
    near = snapshot.find_vector(space, EMBEDDER.name, asked, EVERYTHING, limit=MANY)
    cosines = [
        hit.cosine or 0.0
        for hit in snapshot.hits(space, near, [], model=EMBEDDER.name, vector=asked)
    ]
    assert all(left >= right - 1e-5 for left, right in pairwise(cosines))
    everything = list(dict.fromkeys([*numbers, *about, *near]))
    messages = [hit for hit in snapshot.hits(space, everything, []) if hit.kind == "message"]
    first = [hit.no for hit in sorted(messages, key=lambda hit: hit.id)[:1]]
    stats = snapshot.word_stats(space, VOCABULARY)
    return {
        "word stats": replace(stats, mean_length=round(stats.mean_length, 6)),
        "hits": [
            _comparable(hits, snapshot, space)
            for hits in (
                snapshot.hits(
                    space,
                    everything,
                    VOCABULARY,
                    model=EMBEDDER.name,
                    vector=asked,
                    now=at(days=10),
                ),
                snapshot.hits(space, everything, VOCABULARY[:3]),
            )
        ],
        **{
            f"{name}, {way}": _ids(snapshot, space, found)
            for name, where in FILTERS.items()
            for way, found in (
                ("words", snapshot.find_words(space, VOCABULARY, where, limit=MANY)),
                ("one word", snapshot.find_words(space, index_words("Ada"), where, limit=MANY)),
                ("vector", snapshot.find_vector(space, EMBEDDER.name, asked, where, limit=MANY)),
                ("entities", snapshot.find_entity_lines(space, ENTITIES[:2], where, limit=MANY)),
                ("around", snapshot.find_around(space, first, where, radius=2)),
            )
        },
        "another model": snapshot.find_vector(space, "another", asked, EVERYTHING, limit=MANY),
        "without vector": sorted(snapshot.without_vector(space, EMBEDDER.name, limit=MANY)),
    }


def _ids(snapshot: Snapshot, space: str, numbers: list[int]) -> list[tuple[str, str]]:
    assert len(set(numbers)) == len(numbers)
    return sorted((hit.kind, hit.id) for hit in snapshot.hits(space, numbers, []))


def _comparable(hits: list[Hit], snapshot: Snapshot, space: str) -> list[Hit]:
    sessions: dict[int, int] = {}
    out: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.kind, hit.id)):
        session = -1 if hit.session == -1 else sessions.setdefault(hit.session, len(sessions))
        cosine = None if hit.cosine is None else Cosine(hit.cosine)
        out.append(hit._replace(no=0, session=session, cosine=cosine))
    return out
