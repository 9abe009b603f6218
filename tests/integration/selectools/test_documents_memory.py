"""`factbook.EntityMemory`, which has the document's signatures, in the agent that selectools
ships.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

pytest.importorskip(
    "selectools", reason="selectools is not installed: pip install 'factbook[selectools]'"
)

from selectools import Agent, AgentConfig, ConversationMemory

from factbook import EntityMemory
from factbook.extract.local import is_installed
from tests.integration.selectools.conftest import ADA, Scripted


def agent_of(provider: Scripted, entities: Any) -> Agent:
    config = AgentConfig(model="test-model", entity_memory=entities)
    return Agent(tools=[], provider=provider, memory=ConversationMemory(), config=config)


@pytest.mark.parametrize("awaited", [False, True])
def test_it_extracts_with_the_agents_own_provider(provider: Scripted, awaited: bool) -> None:
    entities = EntityMemory(provider=provider)
    agent = agent_of(provider, entities)
    for text in ("Ada works at Acme.", "What do you know of her?"):
        if awaited:
            asyncio.run(agent.arun(text))
        else:
            agent.run(text)
    assert (
        "[Known Entities]\n- Ada (person): role=engineer\n- Acme (organization): city=Lisbon"
        in provider.seen()
    )


def test_it_extracts_with_a_callable_from_the_users_words_alone(provider: Scripted) -> None:
    asked: list[str] = []

    def model(prompt: str) -> str:
        asked.append(prompt)
        return '[{"name": "Ada"}, {"name": "Oslo"}]'

    provider.answers = ["Oslo is far."]
    entities = EntityMemory(provider=model)
    agent = agent_of(provider, entities)
    agent.run("Ada is back.")
    agent.run("And now?")
    assert [each.name for each in entities.entities] == ["Ada"]
    assert "Ada is back.\nAnd now?" in asked[-1]


@pytest.mark.skipif(not is_installed(), reason="the local extractor is not installed")
def test_it_extracts_without_a_model(provider: Scripted) -> None:
    entities = EntityMemory(provider="local")
    agent_of(provider, entities).run("Ada Kern works at Globex.")
    found = entities.get_entity("Ada Kern")
    assert found is not None
    assert found.attributes == {"works_at": "Globex"}


def test_without_a_provider_it_says_once_why_nothing_is_extracted(
    provider: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    agent = agent_of(provider, EntityMemory())
    with caplog.at_level(logging.WARNING, "factbook"):
        for _ in range(3):
            agent.run("Ada works at Acme.")
    (said,) = [each.getMessage() for each in caplog.records if each.name == "factbook"]
    assert said.startswith(
        "no entities are extracted: EntityMemory has no provider; give provider='local', a callable"
    )


def test_what_a_provider_raises_is_said_once_and_the_agent_works_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def model(prompt: str) -> str:
        raise TimeoutError("secret of the server")

    provider = Scripted(ADA)
    agent = agent_of(provider, EntityMemory(provider=model))
    with caplog.at_level(logging.WARNING, "factbook"):
        for _ in range(2):
            assert agent.run("Ada works at Acme.").content
    assert [each.getMessage() for each in caplog.records if each.name == "factbook"] == [
        "no entities are extracted: TimeoutError"
    ]


def test_messages_are_read_outside_of_an_agent_too() -> None:
    class Said:
        def __init__(self, role: str, content: object) -> None:
            self.role, self.content = role, content

    entities = EntityMemory(provider=lambda _: '[{"name": "Ada"}, {"name": "Tom"}]')
    said = [
        Said("system", "Tom"),
        Said("user", "Ada"),
        Said("assistant", "Tom"),
        Said("user", None),
    ]
    assert [each.name for each in entities.extract_entities(said)] == ["Ada"]
    assert [each.name for each in asyncio.run(entities.aextract_entities(said))] == ["Ada"]
    assert entities.extract_entities([]) == []
