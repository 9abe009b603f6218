"""EntityMemory: who and what one conversation is about, bounded, for an agent's prompt (document
000).
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from factbook.errors import ConfigError, InputError
from factbook.facades.entity_memory.backing import Backing
from factbook.facades.entity_memory.caller_input import (
    RELEVANCE_WINDOW,
    Reporter,
    are_messages,
    choose_provider,
    clean_text,
    read_user_text,
)
from factbook.facades.entity_memory.extraction import (
    KINDS,
    SCHEMA,
    Extraction,
    entities_of_draft,
    entity_prompt,
    episode_of,
    read_entities,
)
from factbook.facades.entity_memory.registry import Registry, Row, stored_kind
from factbook.facades.entity_memory.saving import pack_tracked, saved_entity, unpack_tracked
from factbook.facades.entity_memory.working_set import WorkingSet
from factbook.learn.clock import Clock, make_id, utc_now
from factbook.learn.observers import Bell
from factbook.memory.async_memory import AsyncMemory
from factbook.memory.binding import Bound
from factbook.model.draft import Dropped
from factbook.model.entity import Entity
from factbook.model.space import check_label
from factbook.ports.models import (
    AsyncLanguageModel,
    ExtractionContext,
    Extractor,
    LanguageModel,
    Listener,
)
from factbook.render.known_entities import fit_entities, known_entities
from factbook.text.argument_checks import check_text
from factbook.text.token_counters import TokenizerLike, make_counter

_log = logging.getLogger("factbook")

MAX_ENTITIES = 100
SHARE_OF_ALWAYS = 0.2
"""Of the budget, for preferences and pain points."""
MOST_KNOWN = 500
"""Tracked names that an extractor is told."""
MOST_PENDING = 1000
"""Extracted entities that are remembered as such until they are merged."""


class EntityMemory:
    """The entities of one conversation: at most `max_entities`, merged by name and alias, the least
    recently used evicted.

    ::

        em = EntityMemory(max_entities=100)
        em.update([Entity("Alice", "person", {"role": "engineer"})])
        print(em.build_context())

    Names that differ in Unicode form, width, case or spacing alone are one name. Safe to use from
    several threads.
    """

    def __init__(  # noqa: PLR0913 - the document names the parameters
        self,
        max_entities: int = MAX_ENTITIES,
        provider: object | None = None,
        extraction_model: str | None = None,
        *,
        memory: Bound | AsyncMemory | None = None,
        session: str = "",
        observers: Sequence[Listener] = (),
        tokenizer: TokenizerLike | None = None,
        clock: Clock = utc_now,
    ) -> None:
        """
        Args:
            max_entities: above it, the least recently used are evicted.
            provider: who extracts: a language model (an object of our port, a callable from prompt
                to text, an OpenAI or Anthropic client), `"local"` for the local extractor, or any
                `Extractor`. None: nothing is extracted, entities are added by hand.
            extraction_model: the model's name; an OpenAI or Anthropic client needs it.
            memory: a `Memory`, bound to a space, to put behind it: updates are written there too,
                superseded values stay in its history, evicted entities are found again, what it
                forgets is forgotten here.
            session: label of the conversation in the space. Its working set is restored as `save`
                left it.
            observers: hear of extractions: by `on_entity_extraction(run_id, entities_extracted,
                entities_total, entities)`, or as an `Observer` by an event `extracted`.
            tokenizer: counts budgets, as for `Memory.open`.
            clock: where times come from.

        Raises:
            ConfigError: an argument can't be used; says what to give.
        """
        if not _is_count(max_entities):
            raise ConfigError(
                f"max_entities is a whole number from 1 on, not {str(max_entities)[:40]}"
            )
        self.extraction_model = extraction_model
        self.provider = provider
        self._provider = choose_provider(provider, extraction_model)
        self._relevance_window = RELEVANCE_WINDOW  # read by selectools' agent
        self._reporter = Reporter()
        self._bell = Bell(observers, clock)
        self._clock = clock
        self._tokenizer = make_counter(tokenizer)
        self._lock = threading.RLock()
        self._pending: dict[int, Entity] = {}
        self._set = WorkingSet(
            max_entities, Backing(memory, session) if memory is not None else None
        )
        if session and memory is not None:
            self._set.restore_rows()

    @property
    def max_entities(self) -> int:
        """Above it, the least recently used are evicted."""
        return self._set.most

    # --- extraction -------------------------------------------------------------------------------

    def extract_entities(
        self, text: str | Sequence[object], model: str | None = None
    ) -> list[Entity]:
        """The entities that a text names, by the provider; none without one. They are not tracked
        yet: see `update`.

        Every name stands in the text; what the provider gave beyond that is listed in `dropped`.
        Secrets are masked first. What a client raises is not caught.

        Args:
            text: what was said; or, as an agent hands them over, messages with `role` and
                `content`, of which the user's are read. Why nothing is extracted from those is
                logged as a warning, once: agents hide errors.
            model: the agent's own model, which isn't used: the provider has its own.

        Raises:
            InputError: it is no text. ConfigError: the provider is asynchronous (see
                `aextract_entities`), or the local extractor is not installed.
        """
        del model
        if not isinstance(text, str) and are_messages(text):
            with self._reporter.warn_of_errors():
                return self.extract_entities(self._told_by(text))
        said = clean_text(text)
        provider = self._provider
        if provider is None or not said.strip():
            return self._keep_extracted(Extraction())
        if isinstance(provider, Extractor):
            return self._keep_extracted(self._by_extractor(provider, said))
        if not isinstance(provider, LanguageModel):
            raise ConfigError(f"{provider.name} is asynchronous; use aextract_entities")
        reply = provider.complete(entity_prompt(said), SCHEMA)
        return self._keep_extracted(read_entities(reply, said, self._clock()))

    async def aextract_entities(
        self, text: str | Sequence[object], model: str | None = None
    ) -> list[Entity]:
        """Like `extract_entities`, without holding up the event loop; an asynchronous model is
        awaited.
        """
        del model
        if not isinstance(text, str) and are_messages(text):
            with self._reporter.warn_of_errors():
                return await self.aextract_entities(self._told_by(text))
        provider = self._provider
        if not isinstance(provider, AsyncLanguageModel):
            return await asyncio.to_thread(self.extract_entities, text)
        said = clean_text(text)
        if not said.strip():
            return self._keep_extracted(Extraction())
        reply = await provider.acomplete(entity_prompt(said), SCHEMA)
        return self._keep_extracted(read_entities(reply, said, self._clock()))

    def _told_by(self, messages: Sequence[object]) -> str:
        if self._provider is None:
            self._reporter.warn_once(
                "EntityMemory has no provider; give provider='local', a callable from prompt to "
                "text, or a client"
            )
        return read_user_text(messages)

    def learn(self, text: str, *, run_id: str = "") -> list[Entity]:
        """Extracts and merges in one step; returns what was extracted. Observers hear of it, also
        of nothing found.
        """
        return self._take_learned(self.extract_entities(text), run_id)

    async def alearn(self, text: str, *, run_id: str = "") -> list[Entity]:
        """Like `learn`, without holding up the event loop."""
        extracted = await self.aextract_entities(text)
        return await asyncio.to_thread(self._take_learned, extracted, run_id)

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The dropped parts of the last extraction and of the last update, each with its reason
        (`ungrounded`, `cut_off`, `no_json`, `stop_name`, `ambiguous`, …).
        """
        return self._set.dropped

    def _by_extractor(self, extractor: Extractor, said: str) -> Extraction:
        with self._lock:
            latest = [
                row
                for row, _ in zip(self._set.registry.latest_rows(), range(MOST_KNOWN), strict=False)
            ]
            known = {row.key: stored_kind(row.entity_type) for row in latest}
        episode = episode_of(said, self._clock())
        (draft,) = extractor.extract([episode], ExtractionContext(kinds=KINDS, known=known))
        return entities_of_draft(draft)

    def _keep_extracted(self, extraction: Extraction) -> list[Entity]:
        with self._lock:
            self._set.dropped = extraction.dropped
            for entity in extraction.entities:
                self._pending[id(entity)] = entity
            while len(self._pending) > MOST_PENDING:
                del self._pending[next(iter(self._pending))]
        if extraction.dropped:
            reasons = Counter(each.reason for each in extraction.dropped)
            _log.info(
                "entity extraction left out: %s",
                ", ".join(f"{n} {reason}" for reason, n in reasons.items()),
            )
        return list(extraction.entities)

    def _take_learned(self, extracted: list[Entity], run_id: str) -> list[Entity]:
        self.update(extracted, run_id=run_id)
        if not extracted:
            self._tell_observers(extracted, run_id)
        return extracted

    # --- tracking ---------------------------------------------------------------------------------

    def update(self, entities: Iterable[Entity], *, run_id: str = "") -> None:
        """Merges entities into the tracked ones, then evicts what is above `max_entities`.

        A known one keeps its name and type, takes new values over old ones and new aliases, and has
        one mention more. The caller's own objects are left as they are. All or none are taken, but
        for errors of the space's store: then those before it are.

        Args:
            run_id: what observers are told; made up if they hear of extracted entities without one.

        Raises:
            InputError: one is no `Entity`, or has no name. StoreError: of the space.
        """
        given = [entities] if isinstance(entities, Entity) else list(entities)
        taken = [saved_entity(each, f"entity {number}") for number, each in enumerate(given, 1)]
        with self._lock:
            self._stay_true()
            extracted = [each for each in given if self._pending.pop(id(each), None) is each]
            self._set.update_entities(taken, self._clock())
        if extracted:
            self._tell_observers(extracted, run_id)

    def get_entity(self, name: str) -> Entity | None:
        """The entity of that name or alias, in any spelling; with a space behind it, also one that
        was evicted.
        """
        with self._lock:
            self._stay_true()
            return self._set.find_entity(check_text(name, "a name"))

    def get_all_entities(self) -> list[Entity]:
        """All tracked entities, the most recently seen first."""
        with self._lock:
            self._stay_true()
            return [row.to_entity() for row in self._set.registry.latest_rows()]

    @property
    def entities(self) -> list[Entity]:
        """All tracked entities, the most recently seen first."""
        return self.get_all_entities()

    def __len__(self) -> int:
        return len(self._set.registry)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        behind = f", memory={self._set.backing!r}" if self._set.backing is not None else ""
        extracts = "nothing" if self._provider is None else self._provider.name
        return (
            f"EntityMemory({len(self)} of {self.max_entities} entities, extracts by "
            f"{extracts}{behind})"
        )

    def clear(self) -> None:
        """Stops tracking all entities; a space behind it keeps what it knows."""
        with self._lock:
            self._set.begin_with(Registry())
            self._pending.clear()

    # --- the prompt -------------------------------------------------------------------------------

    def build_context(self, query: str | None = None, budget: int | None = None) -> str:
        """The block for the system prompt: `[Known Entities]`, then a line an entity; empty if
        there are none.

        What entities hold can't forge a line. Preferences and pain points always enter, at most
        five of each, but for what is resolved or has a confidence below 0.3.

        Args:
            query: only what it is about, best first; with a space behind it, also what was evicted
                or is known there. Without one, all that is tracked, the most recently seen first.
            budget: tokens at most, the header counted.

        Raises:
            InputError: a budget below 1, or a query that is no text.
        """
        if budget is not None and not _is_count(budget):
            raise InputError(
                f"a budget is a whole number of tokens from 1 on, not {str(budget)[:40]}"
            )
        asked = check_text(query, "a query") if query is not None else ""
        with self._lock:
            self._stay_true()
            if asked.strip():
                rows: Iterable[Row] = self._set.rank_rows(asked, self._clock())
            else:
                rows = self._set.registry.latest_rows()
            always = (
                self._set.relevance.list_unasked(self._set.registry)
                if asked.strip() or budget
                else []
            )
            if budget is None:
                chosen = dict.fromkeys([*always, *rows])
                return known_entities([row.line for row in chosen])
            return self._fit_budget(budget, always, rows)

    def _fit_budget(self, budget: int, always: Sequence[Row], rows: Iterable[Row]) -> str:
        tokenizer = self._tokenizer
        first = fit_entities(always, tokenizer, int(SHARE_OF_ALWAYS * budget))
        entered = {always[place].key for place in first}
        left = budget - tokenizer.count("\n".join(first.values()))
        others = fit_entities((row for row in rows if row.key not in entered), tokenizer, left)
        lines = [*first.values(), *others.values()]
        while lines and tokenizer.count(known_entities(lines)) > budget:
            lines.pop()
        return known_entities(lines)

    # --- saving -----------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything that is tracked, as values that JSON knows."""
        with self._lock:
            self._stay_true()
            return pack_tracked(
                self._set.registry,
                max_entities=self.max_entities,
                extraction_model=self.extraction_model,
            )

    @classmethod
    def from_dict(  # noqa: PLR0913 - the document names the parameters
        cls,
        data: Mapping[str, Any],
        provider: object | None = None,
        *,
        memory: Bound | AsyncMemory | None = None,
        session: str = "",
        observers: Sequence[Listener] = (),
        tokenizer: TokenizerLike | None = None,
        clock: Clock = utc_now,
    ) -> Self:
        """Makes one from the result of `to_dict`, ours or selectools'. With a space behind it, what
        was forgotten there since does not come back.

        Raises:
            InputError: it can't be read (says where), or was saved by a newer factbook.
        """
        registry = unpack_tracked(data, clock())
        model = data.get("extraction_model", data.get("model"))
        restored = cls(
            data.get("max_entities", MAX_ENTITIES),
            provider,
            model if isinstance(model, str) else None,
            memory=memory,
            observers=observers,
            tokenizer=tokenizer,
            clock=clock,
        )
        restored._begin_with(registry, session)
        return restored

    def _begin_with(self, registry: Registry, session: str) -> None:
        with self._lock:
            self._set.begin_with(registry)
            if self._set.backing is not None:
                self._set.backing.session = check_label(session, "session")
                self._set.refresh_rows(unsaved=True)

    def save(self) -> None:
        """Keeps the working set with its session in the space; `EntityMemory(memory=…, session=…)`
        restores it.

        Raises:
            ConfigError: there is no space behind it, or no session. StoreError: of the space.
        """
        with self._lock:
            if not self._has_session:
                raise ConfigError(
                    "saving needs a space and a session: EntityMemory(memory=…, session='…')"
                )
            self._stay_true()
            self._set.save_rows()

    @property
    def _has_session(self) -> bool:
        return self._set.backing is not None and bool(self._set.backing.session)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Saves the working set, where there is a session to save it with."""
        if self._has_session:
            self.save()

    def _stay_true(self) -> None:
        if self._set.stay_true():
            self._pending.clear()

    def _tell_observers(self, entities: Sequence[Entity], run_id: str) -> None:
        run = run_id or make_id()
        total, reasons = len(self._set.registry), Counter(each.reason for each in self._set.dropped)
        self._bell.show_entities(run, len(entities), total, entities)
        self._bell.ring(
            "extracted",
            self._set.backing.space if self._set.backing else "",
            run_id=run,
            entities_extracted=len(entities),
            entities_total=total,
            dropped=dict(reasons),
        )


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1
