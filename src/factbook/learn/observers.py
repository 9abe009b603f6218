"""Telling whoever listens what happened. Events carry ids, kinds and counts; what was said only to
who asks for it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from factbook.errors import ConfigError
from factbook.learn.clock import Clock
from factbook.model.entity import Entity
from factbook.model.receipt import Event, EventName
from factbook.ports.models import EntityObserver, Listener, Observer

_log = logging.getLogger("factbook")

Texts = Callable[[], Mapping[str, object]]
"""Gives what was said; called only where an observer wants it."""


class Bell:
    """Rings every observer; one that raises is reported in the log and doesn't disturb the others
    or the caller.
    """

    def __init__(self, observers: Sequence[Listener], clock: Clock) -> None:
        """Takes the observers.

        Raises:
            ConfigError: one can't hear anything.
        """
        for each in observers:
            if not isinstance(each, Observer | EntityObserver):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise ConfigError(
                    "an observer has a method on_event or on_entity_extraction; "
                    f"{type(each).__name__} has neither"
                )
        self._of_events = tuple(each for each in observers if isinstance(each, Observer))
        self._of_entities = tuple(each for each in observers if isinstance(each, EntityObserver))
        self._clock = clock

    @property
    def is_heard(self) -> bool:
        """Whether anyone hears of events."""
        return bool(self._of_events)

    @property
    def is_heard_of_entities(self) -> bool:
        """Whether anyone hears of the entities that are found."""
        return bool(self._of_entities)

    def ring(self, name: EventName, space: str, texts: Texts | None = None, **data: object) -> None:
        """Tells everyone."""
        if not self._of_events:
            return
        event = Event(name=name, space=space, at=self._clock(), data=data)
        told = event
        for observer in self._of_events:
            wants = texts is not None and getattr(observer, "wants_texts", False)
            if wants and texts is not None and told is event:
                told = replace(event, texts=texts())
            try:
                observer.on_event(told if wants else event)
            except Exception as error:
                _complain(observer, name, error)

    def show_entities(
        self, run_id: str, extracted: int, total: int, entities: Sequence[Entity]
    ) -> None:
        """Shows the entities that were found to those who listen for them."""
        for observer in self._of_entities:
            try:
                observer.on_entity_extraction(run_id, extracted, total, list(entities))
            except Exception as error:
                _complain(observer, "on_entity_extraction", error)


def _complain(observer: object, what: str, error: Exception) -> None:
    _log.warning(
        "observer %s failed on %s: %s", type(observer).__name__, what, type(error).__name__
    )
