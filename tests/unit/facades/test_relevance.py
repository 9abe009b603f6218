"""Relevance of whole entities: the share of the question's weight that an entity holds."""

from __future__ import annotations

from typing import Any

import pytest

from factbook import Entity, EntityMemory, Memory
from factbook.model.recollection import CONTEXT_FORMATS, ContextFormat
from factbook.recall.weights import RELEVANCE

QUESTION = "which campaign sells running shoes?"


@pytest.fixture
def memory() -> Any:
    with Memory.open("ram:", extractor="none", embedder="none") as memory:
        memory.put(Entity("Spring Push", "campaign", {"product": "running shoes"}))
        for name, product in (
            ("Alpine", "hiking boots"),
            ("Summer Sale", "sandals"),
            ("Brand Love", "all products"),
        ):
            memory.put(Entity(name, "campaign", {"product": product}, importance=0.9))
        memory.put(Entity("Tom Berger", "person", {"hobby": "running"}, importance=1.0))
        yield memory


@pytest.mark.parametrize("form", CONTEXT_FORMATS)
def test_the_campaign_with_the_shoes_is_shown_first(memory: Memory, form: ContextFormat) -> None:
    found = memory.context(QUESTION, 2000, format=form)
    assert "running shoes" in str(found)
    small = memory.context(QUESTION, 60, format=form)
    assert "running shoes" in str(small)
    if form != "memory":
        (best, *_) = sorted(found.lines, key=lambda line: -line.parts["relevance"])
        assert "running shoes" in best.text or "spring_push" in best.text


def test_all_of_the_question_is_a_relevance_of_one_and_a_part_is_that_part(memory: Memory) -> None:
    def relevance(question: str) -> dict[str, float]:
        found = memory.context(question, 2000, format="known_entities")
        return {
            line.text.split(" (")[0].lstrip("- "): line.parts["relevance"] / RELEVANCE
            for line in found.lines
        }

    assert relevance("running shoes campaign")["Spring Push"] == pytest.approx(1.0)
    assert relevance("Spring Push")["Spring Push"] == pytest.approx(1.0)
    two = relevance("Spring Push or Alpine?")
    assert two["Spring Push"] + two["Alpine"] == pytest.approx(1.0)
    assert two["Spring Push"] > two["Alpine"] > 0.2


def test_a_name_that_is_written_otherwise_counts_as_held(memory: Memory) -> None:
    memory.put(Entity("Priya Raman", "person", {"role": "designer"}))
    found = memory.context("Preya Raman", 2000, format="known_entities")
    (line,) = [line for line in found.lines if "Priya" in line.text]
    assert line.parts["relevance"] == pytest.approx(RELEVANCE)


def test_where_nothing_answers_nothing_enters(memory: Memory) -> None:
    assert (
        str(memory.context("what is the capital of Mongolia?", 2000, format="known_entities")) == ""
    )


def test_an_entity_memory_weighs_content_as_it_weighs_names() -> None:
    em = EntityMemory()
    em.update([Entity("Spring Push", "campaign", {"product": "running shoes"})])
    em.update(
        [
            Entity(name, "campaign", {"product": "boots"}, importance=0.9)
            for name in ("Alpine", "Running Late")
        ]
    )
    lines = em.build_context(QUESTION).splitlines()
    assert lines[1] == "- Spring Push (campaign): product=running shoes"


def test_an_entity_memory_keeps_what_is_resolved_or_doubtful_for_questions() -> None:
    em = EntityMemory()
    em.update(
        [
            Entity("slow login", "pain_point", {"resolved": "true"}),
            Entity("green tea", "preference", {"confidence": "0.1"}),
            Entity("red tea", "preference", {"confidence": "0.9"}),
            Entity("Tom", "person", {"role": "cook"}),
        ]
    )
    block = em.build_context("who is the cook?")
    assert "red tea" in block
    assert "green tea" not in block
    assert "slow login" not in block
    assert "slow login" in em.build_context("what about the login?")
