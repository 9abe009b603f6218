"""Telling whoever listens what happened. Events carry ids, kinds and counts, never what was said."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from factbook.memory.clock import Clock
from factbook.model.receipt import Event, EventName
from factbook.ports.models import Observer

_log = logging.getLogger("factbook")


class Bell:
    """Rings every observer; one that raises is reported in the log and doesn't disturb the others or the caller."""

    def __init__(self, observers: Sequence[Observer], clock: Clock) -> None:
        self._observers = tuple(observers)
        self._clock = clock

    def ring(self, name: EventName, space: str, **data: object) -> None:
        """Tells everyone."""
        if not self._observers:
            return
        event = Event(name=name, space=space, at=self._clock(), data=data)
        for observer in self._observers:
            try:
                observer.on_event(event)
            except Exception as error:
                _log.warning("observer %s failed on %s: %s", type(observer).__name__, name, type(error).__name__)
