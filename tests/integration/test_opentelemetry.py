"""Spans for OpenTelemetry, as its SDK exports them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from factbook import AsyncMemory, Entity, Memory
from factbook.errors import ConfigError
from factbook.integrations.opentelemetry import CAPTURE, OpenTelemetryObserver
from tests.support.models import Script, ScriptedExtractor, draft_entity, draft_fact

pytest.importorskip("opentelemetry.sdk", reason="needs the opentelemetry-sdk")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

SCRIPT = {
    f"Ana has badge {n}": Script(
        entities=[draft_entity("Ana")], facts=[draft_fact("Ana", "badge", str(n))]
    )
    for n in (1, 2)
}


class Traced:
    """A memory with a tracer, and what was exported."""

    def __init__(self, **options: Any) -> None:
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.options = options

    def open(self, **options: Any) -> Memory:
        defaults: dict[str, Any] = {
            "extractor": ScriptedExtractor(script=SCRIPT),
            "embedder": "none",
            "background": False,
            "observers": [OpenTelemetryObserver(self.provider, **self.options)],
        }
        return Memory.open("ram:", **{**defaults, **options}).within("ada")

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self.exporter.get_finished_spans())

    def one(self, name: str) -> tuple[ReadableSpan, dict[str, Any]]:
        (span,) = (span for span in self.spans if span.name == name)
        return span, dict(span.attributes or {})


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[Traced]:
    monkeypatch.delenv(CAPTURE, raising=False)
    traced = Traced()
    yield traced
    traced.provider.shutdown()


def test_remembering_learning_and_recalling_are_spans_with_the_conventions_names(
    traced: Traced,
) -> None:
    memory = traced.open()
    memory.remember("Ana has badge 1")
    memory.wait()
    memory.recall("badge")
    assert [span.name for span in traced.spans] == [
        "create_memory",
        "factbook.extracted",
        "upsert_memory",
        "search_memory",
    ]
    created, attributes = traced.one("create_memory")
    assert attributes == {
        "gen_ai.operation.name": "create_memory",
        "gen_ai.memory.store.id": "ada",
        "gen_ai.memory.record.count": 1,
        "factbook.verb": "remember",
        "factbook.messages": 1,
        "factbook.episodes": 1,
    }
    assert created.kind.name == "INTERNAL"
    assert created.instrumentation_scope is not None
    assert created.instrumentation_scope.name == "factbook"
    assert created.end_time is not None
    assert created.start_time is not None
    assert created.end_time > created.start_time
    _, learned = traced.one("upsert_memory")
    assert learned["gen_ai.memory.record.count"] == 2
    assert learned["factbook.entities"] == 1
    _, searched = traced.one("search_memory")
    assert searched["gen_ai.memory.record.count"] == searched["factbook.lines"] > 0
    assert "gen_ai.operation.name" not in traced.one("factbook.extracted")[1]


def test_no_span_holds_a_text_unless_asked(traced: Traced) -> None:
    memory = traced.open()
    memory.remember("Ana has badge 1")
    memory.wait()
    memory.note("Ana takes tea")
    memory.put(Entity("Bo", "person", {"role": "chef"}))
    memory.recall("who takes tea?")
    memory.forget("Ana")
    for span in traced.spans:
        told = str(dict(span.attributes or {}))
        assert not any(word in told for word in ("Ana", "badge", "tea", "Bo", "chef")), span.name


@pytest.mark.parametrize("asked", ["by argument", "by environment"])
def test_texts_are_there_when_asked_for(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if asked == "by environment":
        monkeypatch.setenv(CAPTURE, "SPAN_ONLY")
    traced = Traced(**({"capture_content": True} if asked == "by argument" else {}))
    memory = traced.open()
    memory.remember("Ana has badge 1")
    memory.recall("badge")
    assert json.loads(traced.one("create_memory")[1]["gen_ai.memory.records"]) == [
        {"content": "Ana has badge 1"}
    ]
    searched = traced.one("search_memory")[1]
    assert searched["gen_ai.memory.query.text"] == "badge"
    (record,) = json.loads(searched["gen_ai.memory.records"])
    assert record.keys() == {"id", "content", "score"}


def test_the_host_may_refuse_texts_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(CAPTURE, "true")
    assert OpenTelemetryObserver().wants_texts
    assert not OpenTelemetryObserver(capture_content=False).wants_texts


def test_what_is_written_by_hand_merged_undone_and_forgotten_are_spans(traced: Traced) -> None:
    memory = traced.open()
    memory.put(Entity("Ana", "person", {"role": "chef"}))
    memory.put(Entity("Ann", "person"))
    note = memory.note("Ana takes tea")
    memory.merge("Ana", "Ann")
    memory.undo()
    memory.forget(ids=note.ids)
    memory.forget(everything=True)
    assert [span.name for span in traced.spans] == [
        "upsert_memory",
        "upsert_memory",
        "create_memory",
        "update_memory",
        "update_memory",
        "delete_memory",
        "delete_memory_store",
    ]
    _, noted = traced.one("create_memory")
    assert (noted["gen_ai.memory.record.id"], noted["gen_ai.memory.record.count"]) == (
        note.ids[0],
        1,
    )
    _, deleted = traced.one("delete_memory")
    assert deleted["factbook.counts.notes"] == 1
    assert [
        dict(span.attributes or {}).get("gen_ai.memory.record.count") for span in traced.spans[:5]
    ] == [
        1,
        1,
        1,
        1,
        None,
    ]


def test_a_failed_job_is_a_span_with_its_error(traced: Traced) -> None:
    memory = traced.open(extractor=ScriptedExtractor(error=ConfigError("Ana said no")))
    memory.remember("Ana has badge 1")
    memory.wait(raises=False)
    span, attributes = traced.one("upsert_memory")
    assert span.status.status_code is StatusCode.ERROR
    assert attributes["error.type"] == "ConfigError"
    assert attributes["factbook.final"] is True
    assert "Ana" not in str(attributes) + str(span.status.description)


def test_spans_lie_in_the_callers_trace_also_from_an_event_loop(traced: Traced) -> None:
    tracer = traced.provider.get_tracer("host")
    memory = traced.open()

    async def turn() -> None:
        with tracer.start_as_current_span("turn"):
            await AsyncMemory(memory).recall("badge")

    with tracer.start_as_current_span("request") as request:
        asyncio.run(turn())
    searched, _ = traced.one("search_memory")
    turned, _ = traced.one("turn")
    assert searched.parent is not None
    assert turned.context is not None
    assert searched.parent.span_id == turned.context.span_id
    assert searched.context is not None
    assert searched.context.trace_id == request.get_span_context().trace_id


def test_a_conflict_is_an_event_of_the_span_that_it_came_up_in(traced: Traced) -> None:
    memory = traced.open()
    memory.remember(
        [{"speaker": who, "text": f"Ana has badge {n}"} for n, who in enumerate(("Tom", "Kim"), 1)]
    )
    with traced.provider.get_tracer("host").start_as_current_span("job"):
        memory.wait()
    job, _ = traced.one("job")
    assert [(event.name, dict(event.attributes or {})) for event in job.events] == [
        ("factbook.conflict", {"factbook.count": 1})
    ]
    assert traced.one("upsert_memory")[1]["factbook.conflicts"] == 1


def test_without_a_tracer_of_the_hosts_nothing_is_disturbed() -> None:
    with Memory.open(
        "ram:", extractor="none", embedder="none", observers=[OpenTelemetryObserver()]
    ) as memory:
        assert memory.note("Ana takes tea").ids


def test_without_opentelemetry_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(ConfigError, match=r"pip install 'factbook\[otel\]'"):
        OpenTelemetryObserver()
