"""selectools' own agent, with our memories, sessions and tools in it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "selectools", reason="selectools is not installed: pip install 'factbook[selectools]'"
)

from selectools import Agent, AgentConfig, AgentObserver, ConversationMemory
from selectools.sessions import JsonFileSessionStore, SQLiteSessionStore
from selectools.types import Message, Role, ToolCall
from selectools.unified_memory import UnifiedMemory

from factbook import Memory
from factbook.integrations.selectools import (
    EntityMemory,
    KnowledgeMemory,
    SessionStore,
    as_selectools,
    memory_tools_for_selectools,
)
from factbook.tools.bound import memory_tools
from tests.integration.selectools.conftest import ADA, Scripted


def agent_of(provider: Any, tools: Any = (), memory: Any = None, **config: Any) -> Agent:
    return Agent(
        tools=list(tools),
        provider=provider,
        memory=memory,
        config=AgentConfig(model="test-model", **config),
    )


def called(tool: str, /, **arguments: Any) -> Message:
    call = ToolCall(tool_name=tool, parameters=arguments, id="call-1")
    return Message(role=Role.ASSISTANT, content="", tool_calls=[call])


class Heard(AgentObserver):
    def __init__(self) -> None:
        self.counts: list[int] = []

    def on_entity_extraction(self, run_id: str, entities_extracted: int) -> None:
        self.counts.append(entities_extracted)


def test_what_one_turn_names_stands_in_the_prompt_of_the_next(provider: Scripted) -> None:
    entities, heard = EntityMemory(provider), Heard()
    agent = agent_of(
        provider,
        [_nothing_to_do()],
        ConversationMemory(),
        entity_memory=entities,
        observers=[heard],
    )
    agent.run("Ada works at Acme.")
    assert "[Known Entities]" not in provider.seen()
    agent.run("What do you know of her?")
    assert (
        "[Known Entities]\n- Ada [person] (role: engineer)\n- Acme [organization] (city: Lisbon)"
        in provider.seen()
    )
    assert heard.counts == [2, 2]
    assert [asked["model"] for asked in provider.extractions] == ["test-model"] * 2


def test_the_agent_runs_with_them_when_it_is_awaited(provider: Scripted, tmp_path: Path) -> None:
    entities, knowledge = EntityMemory(provider), KnowledgeMemory(tmp_path)
    knowledge.remember("Ada takes no sugar", category="preference", importance=0.9)
    agent = agent_of(
        provider, memory=ConversationMemory(), entity_memory=entities, knowledge_memory=knowledge
    )

    async def talk() -> None:
        await agent.arun("Ada works at Acme.")
        await agent.arun("And now?")

    asyncio.run(talk())
    assert "- Ada [person] (role: engineer)" in provider.seen()
    assert "[Important Knowledge]\n- [preference] Ada takes no sugar" in provider.seen()


def test_the_agents_own_remember_and_recall_use_our_knowledge(
    provider: Scripted, tmp_path: Path
) -> None:
    knowledge = KnowledgeMemory(tmp_path)
    provider.answers = [
        called("remember", content="The office opens at nine", category="fact", persistent="true"),
        called("recall", query="office"),
        "At nine.",
    ]
    agent = agent_of(provider, knowledge_memory=knowledge)
    assert agent.run("When does the office open?").content == "At nine."
    (entry,) = KnowledgeMemory(tmp_path).search("office")
    assert entry.persistent
    assert entry.category == "fact"
    assert "[fact] The office opens at nine" in provider.seen()


def test_our_tools_take_the_place_of_the_agents_own(provider: Scripted, tmp_path: Path) -> None:
    knowledge, entities = KnowledgeMemory(tmp_path), EntityMemory(provider)
    tools = memory_tools_for_selectools(knowledge, entities)
    assert [tool.name for tool in tools] == ["remember", "recall", "note_entity", "recall_entities"]
    provider.answers = [
        called("note_entity", name="Priya Raman", entity_type="person", attributes="role=designer"),
        called("remember", content="Priya Raman draws by hand", importance="0.8"),
        called("remember", content="  "),
        called("remember", content="More", importance="very", colour="red"),
        called("recall", query="draws"),
        "By hand.",
    ]
    agent = agent_of(
        provider, tools, knowledge_memory=knowledge, entity_memory=entities, max_iterations=8
    )
    assert agent.run("Who is she?").content == "By hand."
    assert [tool.name for tool in agent.tools] == [tool.name for tool in tools]
    assert entities.get_entity("priya raman") is not None
    assert knowledge.count() == 1
    seen = provider.seen()
    assert "Content is empty" in seen
    assert "it has no argument 'colour'" in seen
    assert "[general] Priya Raman draws by hand (importance: 0.8" in seen


def test_the_tools_over_a_memory_run_in_the_agent(provider: Scripted) -> None:
    with Memory.open("ram:", extractor="none", embedder="none") as memory:
        tools = as_selectools(memory_tools(memory.within("ada")))
        provider.answers = [called("remember", content="Ada lives in Porto"), "Noted."]
        agent_of(provider, tools).run("I live in Porto")
        assert asyncio.run(tools[1].aexecute({"query": "Porto"})).count("Ada lives in Porto") == 1
        assert tools[0].schema()["parameters"]["required"] == ["content"]


@pytest.mark.parametrize("kind", [JsonFileSessionStore, SQLiteSessionStore])
@pytest.mark.parametrize("handed_in", [True, False], ids=["memory handed in", "memory loaded"])
def test_entities_are_saved_and_restored_with_the_session(
    provider: Scripted, tmp_path: Path, kind: Any, handed_in: bool
) -> None:
    def start() -> tuple[Agent, EntityMemory, SessionStore]:
        entities = EntityMemory(provider)
        store = SessionStore(kind(str(tmp_path / "sessions")), entities, "user-42")
        memory = ConversationMemory() if handed_in or not store.exists("user-42") else None
        config = {"entity_memory": entities, "session_store": store, "session_id": "user-42"}
        return agent_of(provider, memory=memory, **config), entities, store

    agent, first, _ = start()
    agent.run("Ada works at Acme.")
    again, second, store = start()
    assert second.to_dict() == first.to_dict()
    assert len(second.entities) == 2
    again.run("Hello")
    assert "- Ada [person] (role: engineer)" in provider.seen()
    (listed,) = store.list()
    loaded = store.load("user-42")
    assert loaded is not None
    assert listed.message_count == len(loaded) == (2 if handed_in else 4)
    assert [message.role.value for message in loaded.get_history()][:2] == ["user", "assistant"]


def test_a_session_of_its_own_memory_behind_needs_no_store(provider: Scripted) -> None:
    with Memory.open("ram:", extractor="none", embedder="none") as memory:
        space = memory.within("ada")
        first = EntityMemory(provider, max_entities=1, memory=space, session="monday")
        first.update(first.extract_entities([Message(role=Role.USER, content="Ada works at Acme")]))
        second = EntityMemory(provider, max_entities=1, memory=space, session="monday")
        assert [each.name for each in second.entities] == ["Acme"]
        evicted = second.get_entity("ada")
        assert evicted is not None
        assert evicted.attributes == {"role": "engineer"}


def test_unified_memory_takes_both(tmp_path: Path) -> None:
    provider = Scripted(ADA)
    entities = EntityMemory(provider)
    unified = UnifiedMemory(entity_memory=entities, long_term=KnowledgeMemory(tmp_path))  # type: ignore[arg-type]
    unified.add_turn(
        "Remember that Ada always prefers tea, never coffee. This is important.", "I will."
    )
    assert [each.name for each in entities.entities] == ["Ada"]
    unified.consolidate()
    assert {each.source for each in unified.recall("Ada")} >= {"entity"}
    assert "- Ada [person]" in unified.assemble_context()


def _nothing_to_do() -> Any:
    return as_selectools(memory_tools(Memory.open("ram:", extractor="none", embedder="none")))[1]
