"""Entities that were merged are read as one, and unmerged as if they had never been."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from factbook import Entity, Memory


@pytest.fixture
def memory() -> Iterator[Memory]:
    minutes, ids = itertools.count(), itertools.count()
    opened = Memory.open(
        "ram:",
        extractor="none",
        embedder="none",
        background=False,
        clock=lambda: datetime(2026, 3, 2, tzinfo=UTC) + timedelta(minutes=next(minutes)),
        new_id=lambda: f"id{next(ids):04d}",
    )
    yield opened
    opened.close()


def test_what_was_said_of_one_ends_what_was_said_of_the_other(memory: Memory) -> None:
    memory.put(Entity("Acme", "organization"))
    memory.put(Entity("Globex", "organization"))
    memory.put(Entity("Bill Carter", "person", {"role": "cook", "likes": "tea"}))
    memory.relate("Bill Carter", "works_at", "Acme")
    memory.put(Entity("William Carter", "person", {"role": "chef", "likes": "milk"}))
    memory.relate("William Carter", "works_at", "Globex")
    memory.merge("Bill Carter", "William Carter")
    one = memory.get("Bill Carter")
    assert one.attributes == {"role": "chef", "likes": "tea; milk"}
    assert one.conflicts == ()
    assert {(link.to_name, link.state) for link in one.links} == {
        ("Acme", "superseded"),
        ("Globex", "current"),
    }
    memory.unmerge("Bill Carter", "William Carter")
    assert memory.get("Bill Carter").attributes == {"role": "cook", "likes": "tea"}
    assert [link.state for link in memory.get("Bill Carter").links] == ["current"]
