"""Spans for OpenTelemetry, with the names of its semantic conventions for generative AI (memory
spans, Development).

::

    from factbook.integrations.opentelemetry import OpenTelemetryObserver

    memory = Memory.open("factbook.db", observers=[OpenTelemetryObserver()])

A span is made when its event is heard, with the time that the work took, in the trace that the
caller is in. The conventions' Python package has no constants for memory yet, hence the names here.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from factbook.errors import ConfigError
from factbook.model.receipt import Event

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

OPERATION = "gen_ai.operation.name"
STORE = "gen_ai.memory.store.id"
RECORD = "gen_ai.memory.record.id"
COUNT = "gen_ai.memory.record.count"
QUERY = "gen_ai.memory.query.text"
RECORDS = "gen_ai.memory.records"
ERROR = "error.type"

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The variable by which a host asks for texts in spans: `true`, `span_only` or `span_and_event`."""

_CAPTURING = frozenset({"true", "1", "span_only", "span_and_event"})

Value = str | bool | int | float


class OpenTelemetryObserver:
    """Makes a span of each event of a memory. Safe to use from several threads, and for several
    memories.
    """

    def __init__(
        self, tracer_provider: TracerProvider | None = None, *, capture_content: bool | None = None
    ) -> None:
        """Takes the global tracer provider unless one is given.

        Args:
            capture_content: whether spans hold questions and remembered texts; None for what the
                environment says, which by default is no.

        Raises:
            ConfigError: opentelemetry-api isn't installed.
        """
        try:
            from opentelemetry import trace
        except ImportError:
            raise ConfigError(
                "OpenTelemetry isn't installed: pip install 'factbook[otel]'"
            ) from None
        self._trace = trace
        self._tracer = trace.get_tracer("factbook", tracer_provider=tracer_provider)
        asked = os.environ.get(CAPTURE, "").strip().casefold() in _CAPTURING
        self.wants_texts = asked if capture_content is None else capture_content

    def on_event(self, event: Event) -> None:
        """Makes the span."""
        if event.name == "conflict":
            self._trace.get_current_span().add_event(
                "factbook.conflict", _own_attributes(event, ("count",))
            )
            return
        ended = time.time_ns()
        took = event.data.get("ms", 0)
        started = ended - int(took * 1_000_000) if isinstance(took, int | float) else ended
        name = _operation_of(event)
        span = self._tracer.start_span(
            name or f"factbook.{event.name}",
            attributes=_attributes_of(event, name),
            start_time=started,
        )
        if event.name == "failed":
            span.set_status(self._trace.StatusCode.ERROR)
        span.end(ended)


def _operation_of(event: Event) -> str:
    """The conventions' name of what was done; empty where they have none."""
    match event.name:
        case "recalled":
            return "search_memory"
        case "remembered":
            return (
                "create_memory"
                if event.data.get("verb") in ("remember", "note")
                else "upsert_memory"
            )
        case "learned" | "failed":
            return "upsert_memory"
        case "merged" | "undone":
            return "update_memory"
        case "forgotten":
            return (
                "delete_memory_store" if event.data.get("what") == "everything" else "delete_memory"
            )
        case "extracted" | "conflict":
            return ""


def _attributes_of(event: Event, operation: str) -> dict[str, Value]:
    found = _own_attributes(
        event, tuple(name for name in event.data if name not in ("ms", "error", "ids"))
    )
    found[STORE] = event.space
    if operation:
        found[OPERATION] = operation
        count = _count_records(event)
        if count is not None:
            found[COUNT] = count
    ids = event.data.get("ids")
    if event.data.get("verb") == "note" and isinstance(ids, tuple) and ids:
        found[RECORD] = str(cast(tuple[object, ...], ids)[0])
    if event.name == "failed":
        found[ERROR] = str(event.data.get("error", "_OTHER"))
    if "query" in event.texts:
        found[QUERY] = str(event.texts["query"])
    if "records" in event.texts:
        found[RECORDS] = json.dumps(event.texts["records"], ensure_ascii=False)
    return found


def _count_records(event: Event) -> int | None:
    """Counts the records that the operation found or meant to write."""
    data = cast(Mapping[str, Any], event.data)
    match event.name:
        case "recalled":
            return int(data["lines"])
        case "remembered":
            return int(data["messages"]) if "messages" in data else max(len(data["ids"]), 1)
        case "learned":
            return sum(int(data[name]) for name in ("entities", "facts", "relations"))
        case "merged":
            return 1
        case "forgotten":
            return sum(int(each) for each in data["counts"].values())
        case _:
            return None


def _own_attributes(event: Event, names: tuple[str, ...]) -> dict[str, Value]:
    """Returns the attributes for which the conventions have no name, under our own; numbers by sort
    as `factbook.dropped.ungrounded`.
    """
    found: dict[str, Value] = {}
    for name in names:
        value = event.data[name]
        if isinstance(value, str | bool | int | float):
            found[f"factbook.{name}"] = value
        elif isinstance(value, Mapping):
            for sort, count in cast(Mapping[str, object], value).items():
                if isinstance(count, int):
                    found[f"factbook.{name}.{sort}"] = count
    return found
