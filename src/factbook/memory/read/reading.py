"""Reading a memory: recall, contexts, entities, relations."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

from factbook.errors import InputError, NotFoundError
from factbook.memory.binding import Bound
from factbook.memory.history import HistoryEntry, list_history
from factbook.memory.read.earlier_record import replay_until
from factbook.model.change import Commit
from factbook.model.entity import Conflict, Entity, Link
from factbook.model.episode import Episode, StoredMessage
from factbook.model.job import Job, JobState
from factbook.model.line import LineKind
from factbook.model.recollection import CONTEXT_FORMATS, ContextFormat, RecalledLine, Recollection
from factbook.model.record import SELF, EntityType, Note, Review
from factbook.model.usage import Usage
from factbook.recall.filters import Filters, check_flag, filter_of
from factbook.recall.kept_out import discreet, kept_out, without_filters
from factbook.recall.recollect import context, recall
from factbook.recall.request import CachedEmbedder, RecallRequest
from factbook.render import custom
from factbook.render.custom import FormMaker
from factbook.text.argument_checks import check_share
from factbook.text.date_arguments import Moment, moment_of
from factbook.text.kind_names import snake_case
from factbook.text.token_counters import TokenizerLike, make_counter
from factbook.views.short_ids import whole_id
from factbook.views.space_kinds import read_kinds
from factbook.views.view import View

DEFAULT_BUDGET = 1000
MOST_HOPS = 3


class Reads(Bound):
    """The reading half of `Memory`."""

    def recall(
        self,
        question: str,
        budget: int = DEFAULT_BUDGET,
        *,
        project: str | Sequence[str] = (),
        session: str | Sequence[str] = (),
        kinds: LineKind | Sequence[LineKind] = (),
        since: Moment | None = None,
        until: Moment | None = None,
        min_importance: float = 0.0,
        verified: bool = False,
        superseded: bool = False,
        as_of: Moment | None = None,
        recorded_as_of: Moment | None = None,
        doubt: float | None = None,
        tokenizer: TokenizerLike | None = None,
        explain: bool = False,
    ) -> Recollection:
        """The lines that matter for a question, within a budget of tokens, each with its reason. No
        model call.

        Args:
            question: as a person or an agent would ask it. budget: tokens, headers and all.
            project: a hard filter: lines of these projects and what is general to the space (of no
                project), marked so.
            session: only of these. kinds: only these of `message`, `fact`, `relation`, `note`,
                `entity` (descriptions).
            since, until: only what was said (of descriptions: written) then or later, and before
                then.
            min_importance: 0–1; messages have 0.5.
            verified: only what stands above hearsay by its own words and is not disputed: what
                users said themselves, word for word; facts and relations that they stated, with the
                words kept, or that were made by hand; notes by hand or of the user; descriptions by
                hand, unaltered since.
            superseded: also what held once.
            as_of: facts and relations that held then, and what was said by then. recorded_as_of:
                what was known then (found by words and names). All four times as for `get`, but
                that a period stands for its beginning in `since` and `until`.
            doubt: how improbable an answer may be and still be said, as for `open`; None for the
                memory's own.
            tokenizer: counts this budget, as for `open`; None for the memory's own.
            explain: look also for what the filters, but for those of project and time of the world,
                kept out (`near`).

        Raises:
            InputError: a budget below 1, a question that is no text, or a filter that can't be (see
                `docs/recall.md`).
            ConfigError: no such tokenizer.
        """
        filters: Filters = {
            "project": project,
            "session": session,
            "kinds": kinds,
            "since": since,
            "until": until,
            "min_importance": min_importance,
            "verified": verified,
            "superseded": superseded,
        }
        return self._recollect(
            question,
            budget,
            filters,
            whole=False,
            as_of=as_of,
            recorded_as_of=recorded_as_of,
            doubt=doubt,
            tokenizer=tokenizer,
            explain=explain,
        )

    def context(
        self,
        question: str | None = None,
        budget: int = DEFAULT_BUDGET,
        *,
        project: str | Sequence[str] = (),
        session: str | Sequence[str] = (),
        kinds: LineKind | Sequence[LineKind] = (),
        since: Moment | None = None,
        until: Moment | None = None,
        min_importance: float = 0.0,
        verified: bool = False,
        superseded: bool = False,
        format: ContextFormat | str | FormMaker = "memory",  # noqa: A002 - what every reader of a call expects it to be called
        as_of: Moment | None = None,
        recorded_as_of: Moment | None = None,
        doubt: float | None = None,
        tokenizer: TokenizerLike | None = None,
        explain: bool = False,
    ) -> Recollection:
        """A block for the prompt: well supported preferences and pain points, then what the
        question needs, or without one what is most important and recent.

        Args:
            question, budget, the filters, the times, doubt, tokenizer, explain: as for `recall`.
                Filters hold for preferences and cards, too.
            format: how it looks: `memory` shows lines; `entity_memory` (sections in
                `<entity_memory>`), `known_entities` (the list `[Known Entities]`) and
                `semantic_memory` (entities and relations under `## Semantic Memory`) show whole
                entities. Formats of one's own are a `ContextForm`, or the name of one that a
                package brings (see `docs/plugins.md`).

        Raises:
            InputError: as for `recall`, or no such format. ConfigError: no such tokenizer, or the
                format is broken.
        """
        form = _form_of(format)
        filters: Filters = {
            "project": project,
            "session": session,
            "kinds": kinds,
            "since": since,
            "until": until,
            "min_importance": min_importance,
            "verified": verified,
            "superseded": superseded,
        }
        return self._recollect(
            question,
            budget,
            filters,
            whole=True,
            form=form,
            as_of=as_of,
            recorded_as_of=recorded_as_of,
            doubt=doubt,
            tokenizer=tokenizer,
            explain=explain,
        )

    def whole(self, line: RecalledLine | str) -> str:
        """All the words of a message or note, of which a context may say only a part
        (`RecalledLine.cut`).

        Args:
            line: as it was recalled, also from a space that this one may look into; of a fact or
                relation, the message that it rests on. Or the id of a message or note of this
                space, or its beginning.

        Raises:
            NotFoundError: there is no such message or note (any more). AmbiguousError: several ids
                begin so.
            InputError: it is neither a line nor an id.
        """
        if not isinstance(line, str | RecalledLine):  # pyright: ignore[reportUnnecessaryIsInstance] - hosts hand in anything
            raise InputError(
                f"a line is one that was recalled, or an id, not of type {type(line).__name__}"
            )
        space, ids = (
            (self._space, [line])
            if isinstance(line, str)
            else (line.space, [line.source_id, line.id])
        )
        if space in (self._space, *self._reads):
            with self._engine.store.snapshot() as snapshot:
                said = snapshot.messages(space, [key for key in ids if key])
                notes = snapshot.get(space, Note, ids)
                if isinstance(line, str) and not said and not notes:
                    ids = [
                        whole_id(snapshot, space, StoredMessage, line)
                        or whole_id(snapshot, space, Note, line)
                        or line
                    ]
                    said, notes = snapshot.messages(space, ids), snapshot.get(space, Note, ids)
            for key in reversed(ids):
                if key in said or key in notes:
                    return said[key].text if key in said else notes[key].text
        raise NotFoundError("there is no such message or note, or it was forgotten")

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

    @contextmanager
    def _viewing(self, as_of: Moment | None, recorded_as_of: Moment | None) -> Generator[View]:
        """A view of the space: as it is, as the world was, as the record was, or both."""
        now = self._engine.clock()
        world, record = (
            moment_of(as_of, "as_of", now),
            moment_of(recorded_as_of, "recorded_as_of", now),
        )
        with self._engine.store.snapshot() as snapshot:
            if record is None:
                yield View(
                    snapshot=snapshot, space=self._space, now=world or now, then=world is not None
                )
                return
            with replay_until(snapshot, (self._space, *self._reads), record) as past:
                yield View(
                    snapshot=past, space=self._space, now=world or record, then=world is not None
                )

    def _recollect(
        self,
        question: str | None,
        budget: int,
        filters: Filters,
        *,
        whole: bool,
        form: ContextFormat | FormMaker = "memory",
        as_of: Moment | None,
        recorded_as_of: Moment | None,
        doubt: float | None,
        tokenizer: TokenizerLike | None,
        explain: bool,
    ) -> Recollection:
        _check_question(question, budget)
        engine, now = self._engine, self._engine.clock()
        learns = engine.extractors.learns and recorded_as_of is None
        check_flag(explain, "explain")
        weights = (
            self._weights
            if doubt is None
            else replace(self._weights, doubt=check_share(doubt, "doubt"))
        )
        where = filter_of(filters, now)
        counts = engine.tokenizer if tokenizer is None else make_counter(tokenizer)
        began = time.perf_counter()
        embedder = engine.embedder() if question and recorded_as_of is None else None
        with self._viewing(as_of, recorded_as_of) as view:
            request = RecallRequest(
                snapshot=view.snapshot,
                spaces=(self._space, *self._reads),
                question=question or "",
                budget=budget,
                where=replace(where, now=view.now, as_of=view.now if view.then else None),
                kinds=read_kinds(view.snapshot, self._space),
                now=view.now,
                tokenizer=counts,
                embedder=CachedEmbedder(embedder) if embedder is not None else None,
                weights=weights,
                whole=whole or question is None,
                form=form,
                learns=learns,
            )
            found = context(request) if request.whole else recall(request)
            found = discreet(found) if where.projects else found
            found = replace(found, ms=(time.perf_counter() - began) * 1000)
            if explain:
                found = replace(found, near=(*found.near, *_kept_out(request, found)))
        self._ring(question or "", found, "context" if whole else "recall")
        return found

    def _ring(self, question: str, found: Recollection, verb: str) -> None:
        """Tells observers what was recalled."""
        self._engine.bell.ring(
            "recalled",
            self._space,
            lambda: {
                "query": question,
                "records": [
                    {"id": line.id, "content": line.text, "score": line.score}
                    for line in found.lines
                ],
            },
            verb=verb,
            lines=len(found.lines),
            tokens=found.tokens,
            candidates=found.candidates,
            ms=found.ms,
        )


def _kept_out(request: RecallRequest, found: Recollection) -> tuple[RecalledLine, ...]:
    """Returns the lines that the filters kept out of it."""
    where = without_filters(request.where)
    if not found.question.strip() or where == request.where:
        return ()
    wide = recall(replace(request, where=where, whole=False))
    return kept_out(request.snapshot, found, wide, request.where, request.now)


def _form_of(given: object) -> ContextFormat | FormMaker:
    if isinstance(given, str) and given in CONTEXT_FORMATS:
        return given
    if isinstance(given, str) and given in custom.plug_ins():
        return custom.load_form(given)
    if not isinstance(given, str) and callable(given):
        return cast(FormMaker, given)
    known = ", ".join([*CONTEXT_FORMATS, *custom.plug_ins()])
    raise InputError(
        f"a context's format is one of {known}, or a ContextForm; not {str(given)[:40]}"
    )


def _check_question(question: object, budget: object) -> None:
    """Refuses what is no question, or no number of tokens."""
    if question is not None and not isinstance(question, str):
        raise InputError(f"a question is a text, not of type {type(question).__name__}")
    if isinstance(budget, bool) or not isinstance(budget, int):
        raise InputError(
            f"a budget is a whole number of tokens, not of type {type(budget).__name__}"
        )
    if budget < 1:
        raise InputError(f"a budget is at least 1 token, not {budget}")
