"""Whatever a model gives as arguments, a tool answers in text."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from factbook import (
    Entity,
    EntityMemory,
    KnowledgeMemory,
    Memory,
    Tool,
    make_memory_tools,
    memory_tools,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
LIKELY = st.sampled_from(
    [
        "Ada",
        "Tom",
        "me",
        "person",
        "role=lead",
        'a="b, c"',
        "tea",
        "",
        "0.5",
        "7",
        "true",
        "null",
        "\ud800",
        1,
        0.5,
        True,
    ]
)


def arguments(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    names = [each.name for each in tool.parameters]
    return st.dictionaries(
        st.sampled_from([*names, "space"]) if names else st.just("x"), LIKELY | JSON, max_size=6
    )


def tools() -> list[Tool]:
    memory = Memory.open("ram:", extractor="none", embedder="none", background=False)
    memory.put(Entity("Ada", "person", {"role": "chef"}))
    memory.put(Entity("Tom", "person"))
    return [
        *memory_tools(memory, destructive=True),
        *make_memory_tools(KnowledgeMemory(memory=memory), EntityMemory()),
    ]


@given(st.data())
def test_any_arguments_are_answered_in_text(data: st.DataObject) -> None:
    for tool in tools():
        given = data.draw(arguments(tool), label=tool.name)
        said = tool.execute(given)
        assert said.strip() == said != ""
        said.encode()
        if "space" in given:
            assert "has no argument 'space'" in said


@given(st.text(max_size=30) | JSON.map(json.dumps))
def test_any_text_as_arguments_is_answered_in_text(text: str) -> None:
    for tool in tools():
        assert tool.execute(text)
