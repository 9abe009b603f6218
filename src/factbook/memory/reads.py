"""Reading a memory: recall, contexts, entities, relations."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import TypedDict

from factbook.errors import InputError, NotFoundError
from factbook.memory.bound import Bound
from factbook.memory.checks import in_utc
from factbook.memory.earlier import earlier
from factbook.memory.history import HistoryEntry, history
from factbook.memory.kinds import kinds_of
from factbook.memory.moments import Moment, moment_of
from factbook.memory.recalling import context, recall
from factbook.memory.views import View
from factbook.model.change import Commit
from factbook.model.entity import Conflict, Entity, Link
from factbook.model.job import Job, JobState
from factbook.model.line import CONTEXT_FORMATS, ContextFormat, LineFilter, LineKind, Recollection
from factbook.model.record import SELF, EntityType, Review
from factbook.model.usage import Usage
from factbook.ports.models import Embedder, Tokenizer
from factbook.recall.weights import DEFAULT, Weights
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
    weights: Weights


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
        as_of: Moment | None = None,
        recorded_as_of: Moment | None = None,
    ) -> Recollection:
        """The lines that matter for a question, within a budget of tokens, each with its reason. No model call.

        Args:
            question: as a person or an agent would ask it. budget: tokens, headers and all.
            project: a hard filter: lines of these projects and of none. session, kinds, since, until: more filters.
            min_importance: 0–1. superseded: also what held once.
            as_of: facts and relations that held then, and what was said by then. recorded_as_of: what was known then
                (found by words and names). Both as for `get`.

        Raises:
            InputError: a budget below 1, a question that is no text, or a moment that can't be read.
        """
        where = self._filter(project, session, kinds, since, until, min_importance, superseded)
        return self._recollect(question, budget, where, whole=False, as_of=as_of, recorded_as_of=recorded_as_of)

    def context(
        self,
        question: str | None = None,
        budget: int = DEFAULT_BUDGET,
        *,
        project: str | Sequence[str] = (),
        format: ContextFormat = "memory",  # noqa: A002 - what every reader of a call expects it to be called
        as_of: Moment | None = None,
        recorded_as_of: Moment | None = None,
    ) -> Recollection:
        """A block for the prompt: preferences and pain points always, then what the question needs, or without one
        what is most important and recent.

        Args:
            question, budget, project, as_of, recorded_as_of: as for `recall`.
            format: how it looks: `memory` shows lines; `entity_memory` (sections in `<entity_memory>`),
                `known_entities` (the list `[Known Entities]`) and `semantic_memory` (entities and relations under
                `## Semantic Memory`) show whole entities.

        Raises:
            InputError: a budget below 1, or no such format.
        """
        if format not in CONTEXT_FORMATS:
            raise InputError(f"a context's format is one of {', '.join(CONTEXT_FORMATS)}, not {str(format)[:40]}")
        where = self._filter(project)
        return self._recollect(
            question, budget, where, whole=True, form=format, as_of=as_of, recorded_as_of=recorded_as_of
        )

    def get(self, name: str, *, as_of: Moment | None = None, recorded_as_of: Moment | None = None) -> Entity:
        """The entity of that name, alias or id, with all that is known of it.

        Args:
            as_of: the world's time: what held then is `current`, by all that is known today.
            recorded_as_of: the record's time: what was known then, before later statements, corrections, merges and
                undoing. It is read from the log. With both: what was held true then of that time.
                Each is a datetime, a date, or a text: `2024`, `2024-03`, `2024-03-05`, ISO 8601, `March 2024`; a
                period stands for its end.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: a moment that can't be read.
        """
        with self._viewing(as_of, recorded_as_of) as view:
            return view.entities([view.resolve(name)])[0]

    def find(self, name: str, *, as_of: Moment | None = None, recorded_as_of: Moment | None = None) -> Entity | None:
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
        """The space's entities, last seen first; `as_of` those that were named by then, or of which something held."""
        with self._viewing(as_of, recorded_as_of) as view:
            wanted = [snake_case(kind) for kind in kinds]
            ids = view.reader.entity_ids(
                self._space, kinds=wanted, limit=None if view.then else limit, offset=0 if view.then else offset
            )
            found = view.entities(ids)
            if view.then:
                found = [each for each in found if view.was_there(each)]
                found = found[offset : None if limit is None else offset + limit]
            return [entity for entity in found if include_self or entity.id != SELF]

    def relations(
        self, name: str | None = None, *, as_of: Moment | None = None, recorded_as_of: Moment | None = None
    ) -> list[Link]:
        """The relations of one entity, or all of the space, current ones first. Times as for `get`."""
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
        """Relations within so many hops (1 to 3) of an entity, followed either way, nearest first. Times as for `get`.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: hops outside 1–3.
        """
        if not 1 <= hops <= MOST_HOPS:
            raise InputError(f"hops are 1 to {MOST_HOPS}, not {hops}")
        with self._viewing(as_of, recorded_as_of) as view:
            return view.neighbours(view.resolve(name), hops, superseded=superseded)

    def conflicts(self, *, as_of: Moment | None = None, recorded_as_of: Moment | None = None) -> list[Conflict]:
        """Attributes on which the record has no single answer; `settle` decides one. Times as for `get`."""
        with self._viewing(as_of, recorded_as_of) as view:
            return view.conflicts(view.reader.entity_ids(self._space))

    def kinds(self) -> Mapping[str, EntityType]:
        """The kinds of this space by id: the built-in and the registered ones."""
        with self._engine.store.reading() as reader:
            return kinds_of(reader, self._space)

    def jobs(self, states: Sequence[JobState] = ()) -> list[Job]:
        """The space's jobs, oldest first."""
        with self._engine.store.reading() as reader:
            return reader.jobs(self._space, states=states)

    def stats(self) -> dict[str, int]:
        """Counts of what the space holds; of its jobs as `jobs_<state>`, of what extractors gave that was not taken as
        `dropped_<reason>`, and of what a language model was asked since the opening as `model_…` (see `usage`)."""
        with self._engine.store.reading() as reader:
            jobs = {f"jobs_{state}": count for state, count in reader.job_counts(self._space).items()}
            dropped = {f"dropped_{reason}": count for reason, count in reader.dropped(self._space).items()}
            counts = {**reader.stats(self._space), **jobs, **dropped}
        used = self.usage()
        if used is not None:
            for name in ("calls", "retries", "failures", "input_tokens", "output_tokens"):
                counts[f"model_{name}"] = getattr(used, name)
            counts["model_ms"] = round(used.seconds * 1000)
        return counts

    def usage(self) -> Usage | None:
        """What the extractor's language model was asked since the opening, over all spaces; None without one."""
        return self._engine.extractors.usage()

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

    def _weights(self) -> Weights:
        fading = self._fades_in.total_seconds() / 86400 if self._fades_in else 0.0
        return replace(DEFAULT, fading=fading)

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

    @contextmanager
    def _viewing(self, as_of: Moment | None, recorded_as_of: Moment | None) -> Generator[View]:
        """A view of the space: as it is, as the world was, as the record was, or both."""
        now = self._engine.clock()
        world, record = moment_of(as_of, "as_of", now), moment_of(recorded_as_of, "recorded_as_of", now)
        with self._engine.store.reading() as reader:
            if record is None:
                yield View(reader=reader, space=self._space, now=world or now, then=world is not None)
                return
            with earlier(reader, (self._space, *self._reads), record) as past:
                yield View(reader=past, space=self._space, now=world or record, then=world is not None)

    def _recollect(
        self,
        question: str | None,
        budget: int,
        where: LineFilter,
        *,
        whole: bool,
        form: ContextFormat = "memory",
        as_of: Moment | None,
        recorded_as_of: Moment | None,
    ) -> Recollection:
        if question is not None and not isinstance(question, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"a question is a text, not of type {type(question).__name__}")
        if isinstance(budget, bool) or not isinstance(budget, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"a budget is a whole number of tokens, not of type {type(budget).__name__}")
        if budget < 1:
            raise InputError(f"a budget is at least 1 token, not {budget}")
        engine = self._engine
        began = time.perf_counter()
        embedder = engine.embedder() if question and recorded_as_of is None else None
        with self._viewing(as_of, recorded_as_of) as view:
            arguments: _Ask = {
                "budget": budget,
                "where": replace(where, now=view.now, as_of=view.now if view.then else None),
                "embedder": embedder,
                "tokenizer": engine.tokenizer,
                "now": view.now,
                "kinds": kinds_of(view.reader, self._space),
                "weights": self._weights(),
            }
            spaces = (self._space, *self._reads)
            found = (
                context(view.reader, spaces, question=question, form=form, **arguments)
                if whole or question is None
                else recall(view.reader, spaces, question, **arguments)
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
