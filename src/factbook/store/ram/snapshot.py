"""Reading one moment of the RAM store: plain loops over dicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from string import ascii_lowercase, ascii_uppercase
from typing import Literal, TypeVar

from factbook.model.canonical_ids import members_map
from factbook.model.change import Change, Commit
from factbook.model.episode import Episode, StoredMessage
from factbook.model.grouping import group_by
from factbook.model.job import Job, JobState
from factbook.model.line import LineFilter
from factbook.model.record import (
    Alias,
    EntityRecord,
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
from factbook.ports.snapshot import EntityCounts, NameHit, V
from factbook.store.ram.searching import RamSearch
from factbook.store.tombstones import Graveyard
from factbook.text.names import slip_forms

R = TypeVar("R", bound=Record)
_Created = TypeVar("_Created", Alias, Fact, Relation, Review, Support, SameAs, NotSame)


_STATS: Mapping[type[Record], str] = {
    Alias: "aliases",
    Mention: "mentions",
    Fact: "facts",
    Relation: "relations",
    Note: "notes",
    Observation: "observations",
}


_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class RamSnapshot(RamSearch):
    """A view of the spaces as they were when it was opened."""

    # --- the record -------------------------------------------------------------------------------

    def version(self, space: str) -> int:
        return self._space(space).version

    def get(self, space: str, cls: type[R], ids: Iterable[str]) -> dict[str, R]:
        rows = self._space(space).table(cls)
        return {row_id: rows[row_id] for row_id in ids if row_id in rows}

    def ids_beginning(
        self, space: str, cls: type[Record] | type[StoredMessage], beginning: str, *, limit: int
    ) -> list[str]:
        held = self._space(space)
        ids = held.messages if issubclass(cls, StoredMessage) else held.tables[cls]
        return sorted(row_id for row_id in ids if row_id.startswith(beginning))[:limit]

    def every(self, space: str, cls: type[R]) -> Iterator[R]:
        rows = self._space(space).table(cls)
        return iter([rows[row_id] for row_id in sorted(rows)])

    def log(self, space: str, *, after: int = 0, limit: int | None = None) -> list[Commit]:
        return [commit for commit in self._space(space).log if commit.version > after][:limit]

    def log_of(self, space: str, record_ids: Iterable[str], *, limit: int = 1000) -> list[Commit]:
        wanted = set(record_ids)
        out: list[Commit] = []
        for commit in self._space(space).log:
            changes = tuple(change for change in commit.changes if _touches(change, wanted))
            if changes:
                out.append(replace(commit, changes=changes))
        return out[-limit:] if limit > 0 else []

    def log_of_episodes(self, space: str, episode_ids: Iterable[str]) -> list[Commit]:
        wanted = set(episode_ids) - {""}
        return [commit for commit in self._space(space).log if commit.stamp.episode_id in wanted]

    # --- entities ---------------------------------------------------------------------------------

    def names(
        self, space: str, keys: Iterable[str], *, limit: int = 200
    ) -> dict[str, list[NameHit]]:
        held = self._space(space)
        entities = held.table(EntityRecord)
        out: dict[str, list[NameHit]] = {}
        for key in keys:
            hits: dict[str, NameHit] = {}
            for naming in sorted(
                held.names.get(key, ()),
                key=lambda naming: (not naming.primary, naming.created_at, naming.row_id),
            ):
                if (entity := entities.get(naming.entity_id)) is not None and entity.id not in hits:
                    hits[entity.id] = NameHit(
                        entity_id=entity.id,
                        name=naming.name,
                        kind=entity.kind,
                        primary=naming.primary,
                    )
            if hits:
                oldest = sorted(
                    hits, key=lambda entity_id: (entities[entity_id].created_at, entity_id)
                )
                out[key] = [hits[entity_id] for entity_id in oldest[:limit]]
        return out

    def name_counts(self, space: str, keys: Iterable[str], *, limit: int) -> dict[str, int]:
        held = self._space(space)
        counts = {key: min(limit, len(held.names.get(key, ()))) for key in keys}
        return {key: count for key, count in counts.items() if count}

    def near_words(self, space: str, words: Iterable[str], *, limit: int) -> dict[str, list[str]]:
        spelt = self._space(space).spelt
        out: dict[str, list[str]] = {}
        for word in words:
            near = {each for slip in slip_forms(word) for each in spelt.get(slip, ())} - {word}
            if near:
                out[word] = sorted(near)[:limit]
        return out

    def canonical(self, space: str, ids: Iterable[str]) -> dict[str, str]:
        canonical = self._space(space).canonical
        return {entity_id: canonical.get(entity_id, entity_id) for entity_id in ids}

    def members(self, space: str, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        canonical = self._space(space).canonical
        groups = members_map(canonical)
        roots = dict.fromkeys(canonical.get(entity_id, entity_id) for entity_id in ids)
        return {root: groups.get(root, (root,)) for root in roots}

    def aliases(self, space: str, entity_ids: Iterable[str]) -> list[Alias]:
        wanted = set(entity_ids)
        return _by_creation(row for row in self.every(space, Alias) if row.entity_id in wanted)

    def facts(
        self, space: str, entity_ids: Iterable[str], *, attributes: Iterable[str] | None = None
    ) -> list[Fact]:
        wanted = set(entity_ids)
        only = None if attributes is None else set(attributes)
        return _by_creation(
            row
            for row in self.every(space, Fact)
            if row.entity_id in wanted and is_among(row.attribute, only)
        )

    def relations(
        self,
        space: str,
        entity_ids: Iterable[str],
        *,
        labels: Iterable[str] | None = None,
        end: Literal["either", "from", "to"] = "either",
    ) -> list[Relation]:
        wanted = set(entity_ids)
        only = None if labels is None else set(labels)
        return _by_creation(
            row
            for row in self.every(space, Relation)
            if is_among(row.label, only) and not wanted.isdisjoint(_ids_at(row, end))
        )

    def relations_between(
        self, space: str, entity_ids: Iterable[str], *, limit: int = 200
    ) -> list[Relation]:
        ids = set(entity_ids)
        current = [row for row in self.relations(space, ids) if row.ends_at is None]
        current.reverse()
        chosen: set[str] = set()
        for entity_id in ids:
            chosen.update(
                [row.id for row in current if entity_id in (row.from_id, row.to_id)][:limit]
            )
        return [row for row in current if row.id in chosen]

    def supports(self, space: str, record_ids: Iterable[str]) -> dict[str, list[Support]]:
        wanted = set(record_ids)
        rows = (row for row in self.every(space, Support) if row.record_id in wanted)
        return group_by(_by_creation(rows), lambda row: row.record_id)

    def mentions(
        self, space: str, entity_ids: Iterable[str], *, limit: int = 1000
    ) -> list[Mention]:
        wanted = set(entity_ids)
        rows = [row for row in self.every(space, Mention) if row.entity_id in wanted]
        return sorted(rows, key=lambda row: (row.at, row.id), reverse=True)[:limit]

    def mentions_in(self, space: str, episode_ids: Iterable[str]) -> list[Mention]:
        wanted = set(episode_ids)
        rows = [row for row in self.every(space, Mention) if row.episode_id in wanted]
        return sorted(rows, key=lambda row: (row.at, row.message_id, row.start, row.id))

    def counts(self, space: str, entity_ids: Iterable[str]) -> dict[str, EntityCounts]:
        canonical = self._space(space).canonical
        named: dict[str, dict[str, datetime]] = {}
        for row in self.every(space, Mention):
            named.setdefault(canonical.get(row.entity_id, row.entity_id), {})[row.message_id] = (
                row.at
            )
        out: dict[str, EntityCounts] = {}
        for entity_id in entity_ids:
            root = canonical.get(entity_id, entity_id)
            if times := named.get(root):
                out[root] = EntityCounts(
                    mentions=len(times),
                    first_seen=min(times.values()),
                    last_seen=max(times.values()),
                )
        return out

    def entity_ids(
        self, space: str, *, kinds: Sequence[str] = (), limit: int | None = None, offset: int = 0
    ) -> list[str]:
        canonical = self._space(space).canonical
        rows = [
            row
            for row in self.every(space, EntityRecord)
            if row.id not in canonical and (not kinds or row.kind in kinds)
        ]
        counts = self.counts(space, [row.id for row in rows])

        def seen(row: EntityRecord) -> datetime:
            return (counts[row.id].last_seen if row.id in counts else None) or row.updated_at

        ordered = sorted(rows, key=seen, reverse=True)
        return [row.id for row in ordered][offset : None if limit is None else offset + limit]

    def reviews(
        self, space: str, *, state: Literal["open", "accepted", "refused"] | None = "open"
    ) -> list[Review]:
        return _by_creation(
            row for row in self.every(space, Review) if state is None or row.state == state
        )

    def verdicts(self, space: str, cls: type[V], entity_ids: Iterable[str]) -> list[V]:
        wanted = set(entity_ids)
        return _by_creation(
            row for row in self.every(space, cls) if wanted.intersection(_ends(row))
        )

    def notes(  # noqa: PLR0913 - as in the port
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
        part = _ascii_lower(containing)
        where = LineFilter(projects=tuple(projects), min_importance=min_importance)
        rows = [row for row in self._space(space).table(Note).values() if where.allows_row(row)]
        if categories:
            rows = [row for row in rows if row.category in categories]
        if since is not None:
            rows = [row for row in rows if row.created_at >= since]
        rows = [
            row
            for row in rows
            if persistent in (None, row.persistent)
            and not row.is_expired_at(now)
            and part in _ascii_lower(row.text)
        ]
        rows.sort(key=lambda row: (row.created_at, row.id), reverse=True)
        if order == "importance":
            rows.sort(key=lambda row: row.importance, reverse=True)
        return rows if limit is None else rows[: max(limit, 0)]

    def observations(
        self,
        space: str,
        entity_ids: Iterable[str],
        *,
        sorts: Sequence[ObservationSort] = (),
        limit: int | None = None,
    ) -> list[Observation]:
        wanted = set(entity_ids)
        rows = [row for row in self.every(space, Observation) if wanted & set(row.entity_ids)]
        rows = [row for row in rows if not sorts or row.sort in sorts]
        rows.sort(key=lambda row: row.id)
        rows.sort(key=lambda row: (row.importance, row.said_at), reverse=True)
        return rows[:limit]

    def observations_in(self, space: str, episode_ids: Iterable[str]) -> list[Observation]:
        wanted = {each for each in episode_ids if each}
        return [row for row in self.every(space, Observation) if row.source.episode_id in wanted]

    def note_categories(self, space: str, *, now: datetime | None = None) -> dict[str, int]:
        counts = Counter(row.category for row in self.notes(space, now=now))
        return dict(sorted(counts.items()))

    # --- what was said ----------------------------------------------------------------------------

    def episodes(self, space: str, ids: Iterable[str]) -> dict[str, Episode]:
        episodes = self._space(space).episodes
        return {episode_id: episodes[episode_id] for episode_id in ids if episode_id in episodes}

    def episode_ids(
        self, space: str, *, session: str | None = None, project: str | None = None
    ) -> list[str]:
        return [
            episode.id
            for episode in self._space(space).episodes.values()
            if session in (None, episode.session) and project in (None, episode.project)
        ]

    def messages(self, space: str, ids: Iterable[str]) -> dict[str, StoredMessage]:
        messages = self._space(space).messages
        return {message_id: messages[message_id] for message_id in ids if message_id in messages}

    def sessions(self, space: str) -> list[tuple[str, str, int]]:
        counts = Counter(
            (message.session, message.project) for message in self._space(space).messages.values()
        )
        return [(session, project, count) for (session, project), count in counts.items()]

    # --- housekeeping -----------------------------------------------------------------------------

    def jobs(
        self, space: str | None, *, states: Sequence[JobState] = (), limit: int | None = None
    ) -> list[Job]:
        rows = [
            row
            for each in ([self._space(space)] if space is not None else self._spaces.values())
            for row in each.jobs.values()
            if not states or row.job.state in states
        ]
        rows.sort(key=lambda row: row.order)
        return [replace(row.job, draft=None) for row in rows][:limit]

    def dropped(self, space: str) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for job in self.jobs(space):
            counts.update(job.dropped)
        return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))

    def job_counts(self, space: str | None) -> dict[JobState, int]:
        return dict(Counter(job.state for job in self.jobs(space)))

    def forgotten(self, space: str, names: Iterable[str]) -> set[str]:
        held = self._space(space).tombstones
        graveyard = Graveyard(self._secret, space)
        return {name for name in names if graveyard.name(name).hash in held} if held else set()

    def earlier_tombstones(self) -> int:
        return 0

    def stats(self, space: str) -> dict[str, int]:
        held = self._space(space)
        tables = {name: len(held.tables[cls]) for cls, name in _STATS.items()}
        return {
            "messages": len(held.messages),
            "episodes": len(held.episodes),
            **tables,
            "entities": len(self.entity_ids(space)),
            "lines": len(held.lines),
            "vectors": len(held.vectors),
            "commits": len(held.log),
        }

    def spaces(self) -> list[str]:
        return sorted(name for name, held in self._spaces.items() if held.holds_anything())

    def without_vector(
        self, space: str | None, model: str, *, limit: int
    ) -> list[tuple[str, str, str]]:
        found: list[tuple[int, tuple[str, str, str]]] = []
        for name in sorted(self._spaces) if space is None else [space]:
            held = self._space(name)
            found.extend(
                (each.no, (name, each.line.id, each.line.embed))
                for each in held.lines.values()
                if each.line.embed and held.vectors.get(each.line.id, ("", b""))[0] != model
            )
        return [row for _, row in sorted(found)][:limit]


def _ascii_lower(text: str) -> str:
    return text.translate(_LOWER)


def _by_creation(rows: Iterable[_Created]) -> list[_Created]:
    return sorted(rows, key=lambda row: (row.created_at, row.id))


def _touches(change: Change, wanted: Container[str]) -> bool:
    images = (change.before, change.after)
    return any(row is not None and row.id in wanted for row in images)


def is_among(name: str, only: Container[str] | None) -> bool:
    """Returns whether it is one of those asked for; always where none are named (None)."""
    return only is None or name in only


def _ids_at(row: Relation, end: Literal["either", "from", "to"]) -> tuple[str, ...]:
    match end:
        case "from":
            return (row.from_id,)
        case "to":
            return (row.to_id,)
        case "either":
            return row.from_id, row.to_id


def _ends(row: SameAs | NotSame | Review) -> tuple[str, str]:
    return (
        (row.entity_id, row.canonical_id)
        if isinstance(row, SameAs)
        else (row.left_id, row.right_id)
    )
