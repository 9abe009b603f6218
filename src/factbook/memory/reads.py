"""Reading a memory: recall, contexts, entities, relations."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypedDict

from factbook.errors import InputError, NotFoundError
from factbook.memory.bound import Bound
from factbook.memory.checks import in_utc
from factbook.memory.history import HistoryEntry, history
from factbook.memory.kinds import kinds_of
from factbook.memory.recalling import context, recall
from factbook.model.change import Commit
from factbook.model.entity import Conflict, Entity, Link
from factbook.model.job import Job, JobState
from factbook.model.line import CONTEXT_FORMATS, ContextFormat, LineFilter, LineKind, Recollection
from factbook.model.record import SELF, EntityType, Review
from factbook.ports.models import Embedder, Tokenizer
from factbook.text.kinds import snake_case

DEFAULT_BUDGET = 1000
MOST_HOPS = 3


class _Ask(TypedDict):
    budget: int
    where: LineFilter
    embedder: Embedder | None
    tokenizer: Tokenizer
    now: datetime
    kinds: Mapping[str, EntityType]


class Reads(Bound):
    """The reading half of `Memory`."""

    def recall(
        self,
        question: str,
        budget: int = DEFAULT_BUDGET,
        *,
        project: str | Sequence[str] = (),
        session: str | Sequence[str] = (),
        kinds: Sequence[LineKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        min_importance: float = 0.0,
        superseded: bool = False,
    ) -> Recollection:
        """The lines that matter for a question, within a budget of tokens, each with its reason. No model call.

        Args:
            question: as a person or an agent would ask it. budget: tokens, headers and all.
            project: a hard filter: lines of these projects and of none. session, kinds, since, until: more filters.
            min_importance: 0–1. superseded: also what held once.

        Raises:
            InputError: a budget below 1, or a question that is no text.
        """
        where = self._filter(project, session, kinds, since, until, min_importance, superseded)
        return self._recollect(question, budget, where, whole=False)

    def context(
        self,
        question: str | None = None,
        budget: int = DEFAULT_BUDGET,
        *,
        project: str | Sequence[str] = (),
        format: ContextFormat = "memory",  # noqa: A002 - what every reader of a call expects it to be called
    ) -> Recollection:
        """A block for the prompt: preferences and pain points always, then what the question needs, or without one
        what is most important and recent.

        Args:
            question, budget, project: as for `recall`.
            format: how it looks: `memory` shows lines; `entity_memory` (sections in `<entity_memory>`),
                `known_entities` (the list `[Known Entities]`) and `semantic_memory` (entities and relations under
                `## Semantic Memory`) show whole entities.

        Raises:
            InputError: a budget below 1, or no such format.
        """
        if format not in CONTEXT_FORMATS:
            raise InputError(f"a context's format is one of {', '.join(CONTEXT_FORMATS)}, not {str(format)[:40]}")
        return self._recollect(question, budget, self._filter(project), whole=True, form=format)

    def get(self, name: str) -> Entity:
        """The entity of that name, alias or id, with all that is known of it.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer.
        """
        with self._engine.store.reading() as reader:
            view = self._view(reader)
            return view.entities([view.resolve(name)])[0]

    def find(self, name: str) -> Entity | None:
        """Like `get`, with None where nothing has the name."""
        try:
            return self.get(name)
        except NotFoundError:
            return None

    def entities(
        self, *, kinds: Sequence[str] = (), limit: int | None = None, offset: int = 0, include_self: bool = False
    ) -> list[Entity]:
        """The space's entities, last seen first."""
        with self._engine.store.reading() as reader:
            view = self._view(reader)
            wanted = [snake_case(kind) for kind in kinds]
            ids = reader.entity_ids(self._space, kinds=wanted, limit=limit, offset=offset)
            return [entity for entity in view.entities(ids) if include_self or entity.id != SELF]

    def relations(self, name: str | None = None) -> list[Link]:
        """The relations of one entity, or all of the space, current ones first."""
        with self._engine.store.reading() as reader:
            view = self._view(reader)
            return view.links(view.relations_of(name))

    def neighbours(self, name: str, hops: int = 1, *, superseded: bool = False) -> list[Link]:
        """Relations within so many hops (1 to 3) of an entity, followed either way, nearest first.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: hops outside 1–3.
        """
        if not 1 <= hops <= MOST_HOPS:
            raise InputError(f"hops are 1 to {MOST_HOPS}, not {hops}")
        with self._engine.store.reading() as reader:
            view = self._view(reader)
            return view.neighbours(view.resolve(name), hops, superseded=superseded)

    def conflicts(self) -> list[Conflict]:
        """Attributes on which the record has no single answer."""
        with self._engine.store.reading() as reader:
            return self._view(reader).conflicts(reader.entity_ids(self._space))

    def kinds(self) -> Mapping[str, EntityType]:
        """The kinds of this space by id: the built-in and the registered ones."""
        with self._engine.store.reading() as reader:
            return kinds_of(reader, self._space)

    def jobs(self, states: Sequence[JobState] = ()) -> list[Job]:
        """The space's jobs, oldest first."""
        with self._engine.store.reading() as reader:
            return reader.jobs(self._space, states=states)

    def stats(self) -> dict[str, int]:
        """Counts of what the space holds, and of its jobs as `jobs_<state>`."""
        with self._engine.store.reading() as reader:
            jobs = {f"jobs_{state}": count for state, count in reader.job_counts(self._space).items()}
            return {**reader.stats(self._space), **jobs}

    def spaces(self) -> list[str]:
        """Names of the spaces in this store. Hosts that serve several users must not show it to them."""
        with self._engine.store.reading() as reader:
            return reader.spaces()

    def reviews(self) -> list[Review]:
        """Pairs of entities that may be one and wait for a decision (`decide`)."""
        with self._engine.store.reading() as reader:
            return reader.reviews(self._space)

    def history(self, name: str | None = None, limit: int = 100) -> list[HistoryEntry]:
        """The latest changes, newest first, of one entity or of the space, each with when, who, why and the words.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer.
        """
        with self._engine.store.reading() as reader:
            return history(self._view(reader), name, limit)

    def log(self, after: int = 0, limit: int | None = None) -> list[Commit]:
        """The raw log of the space: commits above a version, oldest first."""
        with self._engine.store.reading() as reader:
            return reader.log(self._space, after=after, limit=limit)

    def _filter(
        self,
        project: str | Sequence[str] = (),
        session: str | Sequence[str] = (),
        kinds: Sequence[LineKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        min_importance: float = 0.0,
        superseded: bool = False,
    ) -> LineFilter:
        return LineFilter(
            projects=_several(project),
            sessions=_several(session),
            kinds=tuple(kinds),
            since=in_utc(since, "since"),
            until=in_utc(until, "until"),
            now=self._engine.clock(),
            superseded=superseded,
            min_importance=min_importance,
        )

    def _recollect(
        self, question: str | None, budget: int, where: LineFilter, *, whole: bool, form: ContextFormat = "memory"
    ) -> Recollection:
        if question is not None and not isinstance(question, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"a question is a text, not of type {type(question).__name__}")
        if isinstance(budget, bool) or not isinstance(budget, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"a budget is a whole number of tokens, not of type {type(budget).__name__}")
        if budget < 1:
            raise InputError(f"a budget is at least 1 token, not {budget}")
        engine = self._engine
        began = time.perf_counter()
        embedder = engine.embedder() if question else None
        with engine.store.reading() as reader:
            arguments: _Ask = {
                "budget": budget,
                "where": where,
                "embedder": embedder,
                "tokenizer": engine.tokenizer,
                "now": engine.clock(),
                "kinds": kinds_of(reader, self._space),
            }
            spaces = (self._space, *self._reads)
            found = (
                context(reader, spaces, question=question, form=form, **arguments)
                if whole or question is None
                else recall(reader, spaces, question, **arguments)
            )
        found = replace(found, ms=(time.perf_counter() - began) * 1000)
        engine.bell.ring(
            "recalled",
            self._space,
            lambda: {
                "query": question or "",
                "records": [{"id": line.id, "content": line.text, "score": line.score} for line in found.lines],
            },
            verb="context" if whole else "recall",
            lines=len(found.lines),
            tokens=found.tokens,
            candidates=found.candidates,
            ms=found.ms,
        )
        return found


def _several(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
