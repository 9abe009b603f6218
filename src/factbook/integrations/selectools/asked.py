"""A provider of selectools as a language model of ours."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self, cast

from selectools.types import Message, Role

from factbook.llm.adapt import MOST_TOKENS
from factbook.llm.replies import find_json
from factbook.ports.models import ChatMessage
from factbook.text.names import fold

_MODEL = "gpt-4o-mini"
"""selectools' own, where neither the caller, the memory nor the provider names one."""


class AskedProvider:
    """A provider of selectools as a language model, asked as the original asks it."""

    name = "selectools"

    def __init__(self, provider: Any, model: str | None) -> None:
        self._provider = provider
        self._model = model
        self._of_thread = threading.local()

    def ask_by(self, model: str | None) -> Self:
        """Asks this model while it is entered."""
        self._of_thread.model = model
        self._of_thread.types = {}
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._of_thread.model = None

    @property
    def types(self) -> dict[str, str]:
        """The types of the last reply, as the model wrote them, by folded name."""
        return cast(dict[str, str], getattr(self._of_thread, "types", {}))

    def complete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> str:
        """Asks, and waits for the answer."""
        del schema
        default = getattr(self._provider, "default_model", None)
        answer = self._provider.complete(
            model=getattr(self._of_thread, "model", None)
            or self._model
            or (default if isinstance(default, str) and default else _MODEL),
            system_prompt="You extract named entities from text. Always return valid JSON.",
            messages=[Message(role=Role(each.role), content=each.content) for each in messages],
            max_tokens=MOST_TOKENS,
        )
        message = cast(Any, answer[0] if isinstance(answer, tuple) else answer)
        reply = str(message.content or "")
        self._of_thread.types = dict(_types_within(list(find_json(reply).values)))
        return reply


def _types_within(value: object) -> Iterable[tuple[str, str]]:
    """Names, folded, and types of the objects in a value."""
    if isinstance(value, list):
        for each in cast(list[object], value):
            yield from _types_within(each)
    elif isinstance(value, dict):
        table = cast(dict[str, object], value)
        name, kind = table.get("name"), table.get("entity_type")
        if isinstance(name, str) and isinstance(kind, str):
            yield fold(name), kind
        else:
            yield from _types_within(list(table.values()))
