"""Asking a memory in words: recall and contexts, and the whole of what they cut."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from factbook.errors import InputError, NotFoundError
from factbook.memory.read.viewing import Viewing
from factbook.model.episode import StoredMessage
from factbook.model.line import LineFilter, LineKind
from factbook.model.recollection import CONTEXT_FORMATS, ContextFormat, RecalledLine, Recollection
from factbook.model.record import Note
from factbook.recall.filters import Filters, check_flag, filter_of
from factbook.recall.kept_out import discreet, kept_out, without_filters
from factbook.recall.recollect import context, recall
from factbook.recall.request import CachedEmbedder, RecallRequest, Rules
from factbook.render import custom
from factbook.render.custom import FormMaker
from factbook.text.argument_checks import check_share, check_texts
from factbook.text.date_arguments import Moment
from factbook.text.token_counters import TokenizerLike, make_counter
from factbook.views.short_ids import whole_id
from factbook.views.space_kinds import read_kinds

DEFAULT_BUDGET = 1000


class Asks(Viewing):
    """The verbs of `Memory` that take a question."""

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
        about: str | Sequence[str] = (),
        rules: bool | None = None,
        as_of: Moment | None = None,
        recorded_as_of: Moment | None = None,
        doubt: float | None = None,
        tokenizer: TokenizerLike | None = None,
        explain: bool = False,
    ) -> Recollection:
        """A block for the prompt: an agent's working rules, well supported preferences and pain
        points, profiles, then what the question needs, or without one what is most important and
        recent.

        Args:
            question, budget, the filters, the times, doubt, tokenizer, explain: as for `recall`.
                Filters hold for preferences and cards, too.
            format: how it looks: `memory` shows lines; `entity_memory` (sections in
                `<entity_memory>`), `known_entities` (the list `[Known Entities]`) and
                `semantic_memory` (entities and relations under `## Semantic Memory`) show whole
                entities. Formats of one's own are a `ContextForm`, or the name of one that a
                package brings (see `docs/plugins.md`).
            about: names or ids of this space, whose profile is told: within half of the budget
                beside a question, else in place of what is most important.
            rules: whether working rules are told (see `docs/profiles.md`); None for all of them
                where a project is asked for, and those by hand where nothing is.

        Raises:
            InputError: as for `recall`, or no such format. NotFoundError, AmbiguousError: a name of
                `about` has no one bearer. ConfigError: no such tokenizer, or the format is broken.
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
            about=[about] if isinstance(about, str) else check_texts(about, "the names in about"),
            rules=rules,
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

    def _recollect(
        self,
        question: str | None,
        budget: int,
        filters: Filters,
        *,
        whole: bool,
        form: ContextFormat | FormMaker = "memory",
        about: Sequence[str] = (),
        rules: bool | None = None,
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
        if rules is not None:
            check_flag(rules, "rules")
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
                about=list(dict.fromkeys(map(view.resolve, about))),
                rules=_wanted_rules(question, where, rules),
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


def _wanted_rules(question: str | None, where: LineFilter, wanted: bool | None) -> Rules:
    """Returns the rules of a context: all in work on a project, at a session's beginning those that
    were written as such. Of what people chat, too much sounds like a rule.
    """
    if wanted is not None:
        return "all" if wanted else "none"
    if where.projects:
        return "all"
    return "none" if (question or "").strip() else "by_hand"


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
