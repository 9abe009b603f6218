"""A provider that plays a model: it answers extractions from a table, and turns of the agent from a
list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

pytest.importorskip(
    "selectools", reason="selectools is not installed: pip install 'factbook[selectools]'"
)

from selectools.providers.stubs import LocalProvider
from selectools.types import Message, Role
from selectools.usage import UsageStats


class Scripted(LocalProvider):
    """selectools' own stand-in for a model, whose extractions find these entities where their names
    are said.

    `answers` are what the agent's turns get, in order; after them, an echo.
    """

    def __init__(
        self, known: Mapping[str, Any] | None = None, answers: Sequence[Message | str] = ()
    ) -> None:
        self.known = dict(known or {})
        self.answers = list(answers)
        self.extractions: list[dict[str, Any]] = []
        self.turns: list[dict[str, Any]] = []

    def complete(self, **asked: Any) -> tuple[Message, UsageStats]:
        usage = UsageStats(0, 0, 0, 0.0, asked["model"], "local")
        prompt = asked["messages"][-1].content
        if prompt.startswith("Extract all named entities"):
            self.extractions.append(asked)
            text = prompt.partition("Text:")[2]
            found = [{"name": name, **rest} for name, rest in self.known.items() if name in text]
            return Message(role=Role.ASSISTANT, content=f"```json\n{json.dumps(found)}\n```"), usage
        self.turns.append(asked)
        answer = self.answers.pop(0) if self.answers else f"You said: {prompt}"
        return answer if isinstance(answer, Message) else Message(
            role=Role.ASSISTANT, content=answer
        ), usage

    def seen(self, turn: int = -1) -> str:
        """All that the model was shown in that turn."""
        asked = self.turns[turn]
        return "\n".join(
            [asked["system_prompt"], *(each.content or "" for each in asked["messages"])]
        )


ADA = {
    "Ada": {"entity_type": "person", "attributes": {"role": "engineer"}},
    "Acme": {"entity_type": "organization", "attributes": {"city": "Lisbon"}},
}


@pytest.fixture
def provider() -> Scripted:
    return Scripted(ADA)
