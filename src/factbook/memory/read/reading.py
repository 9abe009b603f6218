"""Reading a memory by name: entities, relations, jobs, history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factbook.errors import InputError, NotFoundError
from factbook.memory.history import HistoryEntry, list_history
from factbook.memory.read.viewing import Viewing
from factbook.model.change import Commit
from factbook.model.entity import Conflict, Entity, Link
from factbook.model.episode import Episode
from factbook.model.job import Job, JobState
from factbook.model.record import SELF, EntityType, Review
from factbook.model.usage import Usage
from factbook.text.date_arguments import Moment
from factbook.text.kind_names import snake_case
from factbook.views.space_kinds import read_kinds

MOST_HOPS = 3


class Reads(Viewing):
    """The verbs of `Memory` that read by name, or list."""

    def get(
        self, name: str, *, as_of: Moment | None = None, recorded_as_of: Moment | None = None
    ) -> Entity:
        """The entity of that name, alias or id, with all that is known of it.

        Args:
            as_of: the world's time: what held then is `current`, by all that is known today.
            recorded_as_of: the record's time: what was known then, before later statements,
                corrections, merges and undoing. It is read from the log. With both: what was held
                true then of that time. Each is a datetime, a date, or a text: `2024`, `2024-03`,
                `2024-03-05`, ISO 8601, `March 2024`; a period stands for its end.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: a moment that
                can't be read.
        """
        with self._viewing(as_of, recorded_as_of) as view:
            return view.entities([view.resolve(name)])[0]

    def episodes(self, name: str, *, limit: int | None = None) -> list[Episode]:
        """The episodes that an entity was named in, or something of it was learned from, the latest
        first, as they were said.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: a limit below 1.
        """
        if limit is not None and limit < 1:
            raise InputError(f"a limit is at least 1, not {limit}")
        with self._engine.store.snapshot() as snapshot:
            view = self._make_view(snapshot)
            found = snapshot.episodes(self._space, view.episodes_of(view.resolve(name))).values()
        latest = sorted(
            found,
            key=lambda each: (max(m.at for m in each.messages), each.created_at, each.id),
            reverse=True,
        )
        return latest[:limit]

    def find(
        self, name: str, *, as_of: Moment | None = None, recorded_as_of: Moment | None = None
    ) -> Entity | None:
        """Like `get`, with None where nothing has the name."""
        try:
            return self.get(name, as_of=as_of, recorded_as_of=recorded_as_of)
        except NotFoundError:
            return None

    def entities(
        self,
        *,
        kinds: Sequence[str] = (),
        limit: int | None = None,
        offset: int = 0,
        include_self: bool = False,
        as_of: Moment | None = None,
        recorded_as_of: Moment | None = None,
    ) -> list[Entity]:
        """The space's entities, last seen first; `as_of` those that were named by then, or of which
        something held.
        """
        with self._viewing(as_of, recorded_as_of) as view:
            wanted = [snake_case(kind) for kind in kinds]
            ids = view.snapshot.entity_ids(
                self._space,
                kinds=wanted,
                limit=None if view.then else limit,
                offset=0 if view.then else offset,
            )
            found = view.entities(ids)
            if view.then:
                found = [each for each in found if view.was_there(each)]
                found = found[offset : None if limit is None else offset + limit]
            return [entity for entity in found if include_self or entity.id != SELF]

    def count_entities(self, kinds: Sequence[str] = ()) -> int:
        """Returns how many entities the space has, of these kinds if any are given, without the
        space's own user.
        """
        with self._engine.store.snapshot() as snapshot:
            ids = snapshot.entity_ids(self._space, kinds=[snake_case(kind) for kind in kinds])
            return len(ids) - (SELF in ids)

    def relations(
        self,
        name: str | None = None,
        *,
        as_of: Moment | None = None,
        recorded_as_of: Moment | None = None,
    ) -> list[Link]:
        """The relations of one entity, or all of the space, current ones first. Times as for
        `get`.
        """
        with self._viewing(as_of, recorded_as_of) as view:
            return view.links(view.relations_of(name))

    def neighbours(
        self,
        name: str,
        hops: int = 1,
        *,
        superseded: bool = False,
        as_of: Moment | None = None,
        recorded_as_of: Moment | None = None,
    ) -> list[Link]:
        """Relations within so many hops (1 to 3) of an entity, followed either way, nearest first.
        Times as for `get`.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: hops outside 1–3.
        """
        if not 1 <= hops <= MOST_HOPS:
            raise InputError(f"hops are 1 to {MOST_HOPS}, not {hops}")
        with self._viewing(as_of, recorded_as_of) as view:
            return view.neighbours(view.resolve(name), hops, superseded=superseded)

    def conflicts(
        self, *, as_of: Moment | None = None, recorded_as_of: Moment | None = None
    ) -> list[Conflict]:
        """Attributes on which the record has no single answer; `settle` decides one. Times as for
        `get`.
        """
        with self._viewing(as_of, recorded_as_of) as view:
            return view.conflicts(view.snapshot.entity_ids(self._space))

    def kinds(self) -> Mapping[str, EntityType]:
        """The kinds of this space by id: the built-in and the registered ones."""
        with self._engine.store.snapshot() as snapshot:
            return read_kinds(snapshot, self._space)

    def jobs(self, states: Sequence[JobState] = ()) -> list[Job]:
        """The space's jobs, oldest first."""
        with self._engine.store.snapshot() as snapshot:
            return snapshot.jobs(self._space, states=states)

    def stats(self) -> dict[str, int]:
        """Counts of what the space holds; of its jobs as `jobs_<state>`, of what extractors gave
        that was not taken as `dropped_<reason>`, and of what a language model was asked since the
        opening as `model_…` (see `usage`).
        """
        with self._engine.store.snapshot() as snapshot:
            jobs = {
                f"jobs_{state}": count for state, count in snapshot.job_counts(self._space).items()
            }
            dropped = {
                f"dropped_{reason}": count
                for reason, count in snapshot.dropped(self._space).items()
            }
            counts = {**snapshot.stats(self._space), **jobs, **dropped}
        used = self.usage()
        if used is not None:
            for name in ("calls", "retries", "failures", "input_tokens", "output_tokens"):
                counts[f"model_{name}"] = getattr(used, name)
            counts["model_ms"] = round(used.seconds * 1000)
        return counts

    def usage(self) -> Usage | None:
        """Counts the calls of the extractor's language model since the opening, over all spaces;
        None without one.
        """
        return self._engine.extractors.usage()

    def spaces(self) -> list[str]:
        """Names of the spaces that hold anything: all of the store for the memory that `open`
        returned, which is the host's; for one that `within` bound, its own and those that it reads.
        """
        with self._engine.store.snapshot() as snapshot:
            every = snapshot.spaces()
        return (
            every
            if self._is_host
            else [name for name in every if name in (self._space, *self._reads)]
        )

    def reviews(self) -> list[Review]:
        """Pairs of entities that may be one and wait for a decision (`decide`)."""
        with self._engine.store.snapshot() as snapshot:
            return snapshot.reviews(self._space)

    def history(self, name: str | None = None, limit: int = 100) -> list[HistoryEntry]:
        """The latest changes, newest first, of one entity or of the space, each with when, who, why
        and the words.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer.
        """
        with self._engine.store.snapshot() as snapshot:
            return list_history(self._make_view(snapshot), name, limit)

    def log(self, after: int = 0, limit: int | None = None) -> list[Commit]:
        """The raw log of the space: commits above a version, oldest first."""
        with self._engine.store.snapshot() as snapshot:
            return snapshot.log(self._space, after=after, limit=limit)
