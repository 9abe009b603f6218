"""The known entities that an extractor is told of: those whose names stand in the text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from factbook import Entity, Memory
from factbook.learn.known_in_text import MOST_FITTING, find_fitting
from factbook.model.episode import Episode, StoredMessage
from factbook.ports.models import KnownName

SAID_AT = datetime(2026, 6, 15, tzinfo=UTC)


@pytest.fixture
def memory() -> Memory:
    return Memory.open("ram:", extractor="none", embedder="none")


def said(*texts: str, speaker: str = "") -> list[Episode]:
    return [
        Episode(
            id=f"e{number}",
            created_at=SAID_AT,
            messages=(
                StoredMessage(
                    id=f"m{number}", episode_id=f"e{number}", at=SAID_AT, text=text, speaker=speaker
                ),
            ),
        )
        for number, text in enumerate(texts)
    ]


def fit(memory: Memory, *texts: str, **rest: str) -> list[str]:
    with memory._engine.store.snapshot() as snapshot:
        return [each.name for each in find_fitting(snapshot, "default", said(*texts, **rest))]


def test_nobody_fits_where_nobody_is_known_or_named(memory: Memory) -> None:
    assert fit(memory, "Priya Raman leads Atlas") == []
    memory.put(Entity("Priya Raman", "person"))
    assert fit(memory, "the weather is fine", "") == []
    assert fit(memory, "?!") == []


def test_whole_names_parts_and_aliases_are_found_in_any_case(memory: Memory) -> None:
    memory.put(Entity("Priya Raman", "person", aliases=["PR"]))
    memory.put(Entity("Project Atlas", "project"))
    memory.put(Entity("Tom Berger", "person"))
    assert fit(memory, "priya says that project atlas is late") == ["Project Atlas", "Priya Raman"]
    assert fit(memory, "ask PR about it") == ["Priya Raman"]
    assert fit(memory, "good morning", speaker="Tom Berger") == ["Tom Berger"]


def test_what_fits_is_told_with_kind_aliases_and_one_line(memory: Memory) -> None:
    memory.put(
        Entity(
            "Priya Raman",
            "person",
            aliases=["PR"],
            description="Leads the\nAtlas team. " + "x" * 200,
        )
    )
    with memory._engine.store.snapshot() as snapshot:
        (found,) = find_fitting(snapshot, "default", said("Priya Raman"))
    assert found == KnownName(
        name="Priya Raman",
        kind="person",
        aliases=("PR",),
        description=("Leads the Atlas team. " + "x" * 200)[:120],
    )


def test_a_part_of_a_name_that_many_share_says_nothing(memory: Memory) -> None:
    for number in range(8):
        memory.put(Entity(f"Priya Nr{number}", "person"))
    assert fit(memory, "priya is here") == []
    assert fit(memory, "Priya Nr3 is here") == ["Priya Nr3"]


def test_of_very_many_the_likeliest_are_told(memory: Memory) -> None:
    names = [f"Velmora{number} Tamm{number}" for number in range(40)]
    for name in names:
        memory.put(Entity(name, "organization"))
    texts = [*(name.split()[0] for name in names[:30]), *names[30:]]
    found = fit(memory, *texts)
    assert len(found) == MOST_FITTING
    assert set(names[30:]) <= set(found)


def test_a_long_text_is_read_to_its_end(memory: Memory) -> None:
    memory.put(Entity("Priya Raman", "person"))
    memory.put(Entity("Tom Berger", "person"))
    assert set(fit(memory, "word " * 400 + "Priya Raman\n" + "other " * 40 + "Tom Berger")) == {
        "Priya Raman",
        "Tom Berger",
    }


def test_the_own_user_is_not_told(memory: Memory) -> None:
    memory.put(Entity("self", "person", aliases=["Ada Quill"]))
    assert fit(memory, "Ada Quill is here") == []
