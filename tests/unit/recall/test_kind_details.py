"""Contexts tell what a kind's schema names: rationale, severity, who is affected, a metric's latest
value and its date.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from factbook import Entity, Memory
from factbook.model.recollection import CONTEXT_FORMATS, ContextFormat
from tests.support import builders as b

QUESTION = "how is Spring Push, and what about the CTR, the pixel and the bidding?"


@pytest.fixture
def memory() -> Any:
    times: list[datetime] = [b.START]
    with Memory.open("ram:", extractor="none", embedder="none", clock=lambda: times[0]) as memory:
        memory.put(
            Entity(
                "switch to Target CPA bidding",
                "decision",
                metadata={
                    "rationale": "manual bidding was too slow",
                    "affected_entities": "Spring Push",
                },
            )
        )
        memory.put(Entity("pause Winter Sale bidding", "decision", {"rationale": "stock ran out"}))
        memory.put(
            Entity(
                "tracking pixel breaks",
                "pain_point",
                metadata={"severity": "high", "host_key": "x-17"},
            )
        )
        memory.put(Entity("CTR", "metric", {"value": "3.1%", "unit": "%"}))
        memory.put(
            Entity("Spring Push", "campaign", {"budget": "$500", "last_performance": "ctr: 1.8%"})
        )
        times[0] = b.at(days=7)
        memory.put(Entity("CTR", "metric", {"value": "3.4%"}))
        yield memory


@pytest.mark.parametrize("form", CONTEXT_FORMATS)
@pytest.mark.parametrize("question", [None, QUESTION])
def test_the_schema_of_a_kind_stands_in_every_format(
    memory: Memory, form: ContextFormat, question: str | None
) -> None:
    text = str(memory.context(question, 2000, format=form))
    for words in (
        "manual bidding was too slow",
        "stock ran out",
        "high",
        "3.4% (2024-05-13)",
        "1.8% (2024-05-06)",
    ):
        assert words in text
    (decision,) = [line for line in text.splitlines() if "manual bidding" in line]
    assert "Spring Push" in decision
    assert "x-17" not in text
    if question is None:
        assert "3.1%" not in text


def test_the_latest_value_is_told_when_its_month_is_over() -> None:
    with Memory.open(
        "ram:", extractor="none", embedder="none", clock=lambda: b.at(days=20)
    ) as memory:
        store = memory._engine.store
        b.commit(
            store,
            "default",
            b.entity("ctr", "CTR", kind="metric"),
            b.fact(
                "ctr",
                "value",
                "3.4%",
                valid_at=datetime.fromisoformat("2024-04-01T00:00:00+00:00"),
                invalid_at=datetime.fromisoformat("2024-05-01T00:00:00+00:00"),
                grain="month",
                source=b.source(since=datetime.fromisoformat("2024-04-01T00:00:00+00:00")),
            ),
            b.fact("ctr", "value", "9%", expired_at=b.START),
            b.fact("ctr", "value", "5%", valid_at=b.at(days=100)),
        )
        for form in CONTEXT_FORMATS:
            text = str(memory.context(format=form))
            assert "3.4% (2024-04)" in text
            assert "9%" not in text
            assert "5%" not in text
        assert "3.4% (2024-04)" in str(memory.context("what is the CTR?"))


def test_a_fact_stands_for_what_the_metadata_says_of_the_same() -> None:
    with Memory.open("ram:", extractor="none", embedder="none") as memory:
        memory.put(
            Entity("slow login", "pain_point", {"severity": "low"}, metadata={"severity": "high"})
        )
        for form in CONTEXT_FORMATS:
            text = str(memory.context(format=form))
            assert "low" in text
            assert "high" not in text


def test_recall_tells_no_more_than_before(memory: Memory) -> None:
    assert "severity" not in str(memory.recall("does the tracking pixel break?", 2000))
