"""`EntityMemory` as selectools ships it, over ours."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from factbook.facades.entity_memory import EntityMemory as Tracker
from factbook.facades.entity_memory.saving import FORMAT_VERSION, unpack_tracked
from factbook.integrations.selectools.asked import AskedProvider
from factbook.integrations.selectools.entity import (
    Entity,
    as_ours,
    as_theirs,
    original_line,
    rename_fields,
)
from factbook.learn.clock import Clock, utc_now
from factbook.memory.async_memory import AsyncMemory
from factbook.memory.binding import Bound
from factbook.text.names import fold

HEADER = "[Known Entities]"

_log = logging.getLogger("factbook")


class EntityMemory:
    """Stands in for `selectools.entity_memory.EntityMemory`; its tracking is that of
    `factbook.EntityMemory`.

    Beyond the original, names that differ in Unicode form, width, case or spacing alone are one,
    aliases count, what the text doesn't name is not taken, secrets are masked, and what entities
    hold can't forge a line of the context.
    """

    def __init__(
        self,
        provider: Any,
        model: str | None = None,
        max_entities: int = 50,
        relevance_window: int = 10,
        *,
        memory: Bound | AsyncMemory | None = None,
        session: str = "",
        clock: Clock = utc_now,
    ) -> None:
        """
        Args:
            provider: a provider of selectools, or whatever `factbook.EntityMemory` takes (`"local"`
                needs no model).
            model: its model; by default the agent's.
            max_entities: above it, the least recently mentioned are evicted.
            relevance_window: so many of the latest messages are read.
            memory, session: a `Memory` bound to a space to put behind it, and a label under which
                every update is saved there; see `factbook.EntityMemory`.
            clock: where times come from.

        Raises:
            ConfigError: an argument can't be used; says what to give.
        """
        self._model = model
        self._relevance_window = relevance_window
        self._session = session
        asked = (
            AskedProvider(provider, model)
            if callable(getattr(provider, "complete", None))
            else None
        )
        self._asked = asked
        self._tracker = _Tracker(
            max_entities, asked or provider, model, memory=memory, session=session, clock=clock
        )

    @property
    def tracker(self) -> Tracker:
        """The entity memory behind it: found by name or alias, asked for what matters, given to
        tools.
        """
        return self._tracker

    @property
    def entities(self) -> list[Entity]:
        """All tracked entities, the most recently mentioned first."""
        return [as_theirs(each) for each in self._tracker.get_all_entities()]

    def get_entity(self, name: str) -> Entity | None:
        """The tracked entity of that name or alias, in any spelling."""
        found = self._tracker.get_entity(name)
        return as_theirs(found) if found else None

    def extract_entities(self, messages: Sequence[Any], model: str | None = None) -> list[Entity]:
        """The entities that the latest messages name; they are not tracked yet: see `update`.

        System messages are left out: there stands what is remembered already. As in the original,
        nothing is raised: a failure is logged, and gives no entities.

        Args:
            messages: anything with `role` and `content`.
            model: another model for this call.
        """
        text = self._join_texts(messages[-self._relevance_window :])
        if not text:
            return []
        try:
            if self._asked is None:
                return [as_theirs(each) for each in self._tracker.extract_entities(text)]
            with self._asked.ask_by(model):
                extracted = self._tracker.extract_entities(text)
                types = self._asked.types
        except Exception as error:
            _log.warning("entity extraction failed: %s", type(error).__name__)
            return []
        return [as_theirs(each, types.get(fold(each.name), each.entity_type)) for each in extracted]

    def _join_texts(self, messages: Iterable[Any]) -> str:
        said: list[str] = []
        for message in messages:
            role, content = _role_of(message), getattr(message, "content", None)
            if role == "system" or not isinstance(content, str) or not content:
                continue
            said.append(f"{role.upper()}: {content}" if role and self._asked else content)
        return "\n".join(said)

    def update(self, entities: Iterable[Any]) -> None:
        """Merges entities, ours or theirs, into the tracked ones by name and alias, then evicts
        what is too much.

        Raises:
            InputError: one has no name, or a part of it is wrong; none was taken. StoreError: of
                the space.
        """
        self._tracker.update(as_ours(each) for each in entities)
        if self._session:
            self._tracker.save()

    def clear(self) -> None:
        """Stops tracking all entities."""
        self._tracker.clear()

    def build_context(self) -> str:
        """`[Known Entities]`, then `- Name [type] (key: value, …)` an entity; empty if there are
        none.
        """
        lines = [original_line(each) for each in self._tracker.get_all_entities()]
        return "\n".join([HEADER, *lines]) if lines else ""

    def to_dict(self) -> dict[str, Any]:
        """Everything, as values that JSON knows; selectools' own `from_dict` reads it too."""
        packed = self._tracker.to_dict()
        return {
            "max_entities": packed["max_entities"],
            "relevance_window": self._relevance_window,
            "model": self._model,
            "version": packed["version"],
            "entities": [rename_fields(each) for each in packed["entities"]],
        }

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, Any],
        provider: Any,
        *,
        memory: Bound | AsyncMemory | None = None,
        session: str = "",
        clock: Clock = utc_now,
    ) -> Self:
        """Makes one from the result of `to_dict`, ours or theirs.

        Raises:
            InputError: it can't be read (says where), or was saved by a newer factbook.
        """
        restored = cls(
            provider,
            data.get("model"),
            data.get("max_entities", 50),
            data.get("relevance_window", 10),
            memory=memory,
            session=session,
            clock=clock,
        )
        restored.restore(data)
        return restored

    def restore(self, data: Mapping[str, Any]) -> None:
        """Brings back what `to_dict` gave, beside what is tracked; where both know a thing, what
        was saved counts.

        Raises:
            InputError: it can't be read (says where); nothing changed.
        """
        self._tracker.restore(data, self._session)


class _Tracker(Tracker):
    def restore(self, data: Mapping[str, Any], session: str) -> None:
        with self._lock:
            if own := self.to_dict()["entities"]:
                version = data.get("version", FORMAT_VERSION)
                data = {"version": version, "entities": [*own, *data.get("entities", ())]}
            self._begin_with(unpack_tracked(data, self._clock()), session)


def _role_of(message: object) -> str:
    role = getattr(message, "role", "")
    value = getattr(role, "value", role)
    return value if isinstance(value, str) else ""
